"""Figures of a variable by the codes of another one, before and after a perturbation: means, or counts of codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..data.columns import EncodedColumn
from ..utility.compared import ComparedVariable, joint_codes
from ..utility.own_tables import failing

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GroupState:
    """Figures of each group in one state; nan where a group has none.

    Attributes
    ----------
    records : (g,) with a number, or with the code
    goal : (g,) what a goal is asked of: weighted means, or weighted counts; without weights plain ones
    mean, median, sd : (g,) of numbers, without weights; sd with divisor n − 1, 0 of one record. Empty of codes
    """

    records: Ints
    goal: Floats
    mean: Floats
    median: Floats
    sd: Floats


@dataclass(frozen=True, eq=False)
class GroupFigures:
    """A variable by groups before and after; records with a missing value of either are in no group.

    Attributes
    ----------
    kind : ``mean`` of numbers, ``count`` of codes
    variable : its name
    by : the variable of the groups; empty: all records are one group
    groups : (g) codes of each: of counts the code of the variable first; then that of `by`, if there is one
    weighted : whether `GroupState.goal` is by weights
    """

    kind: Literal["mean", "count"]
    variable: str
    by: str
    groups: tuple[tuple[str, ...], ...]
    before: GroupState
    after: GroupState
    weighted: bool

    @property
    def changes(self) -> Floats:
        """(g,) relative change of what a goal is asked of; nan where it was 0 or there is none."""
        old, new = self.before.goal, self.after.goal
        known = np.isfinite(old) & np.isfinite(new) & (old != 0)
        return np.where(known, (new - old) / np.where(known, np.abs(old), 1.0), np.nan)

    @property
    def worst(self) -> int | None:
        """The group that changed most; None where no change is known."""
        sizes = np.abs(self.changes)
        return int(np.nanargmax(sizes)) if np.isfinite(sizes).any() else None

    def failing(self, goal: float) -> tuple[int, ...]:
        """Places of the groups that change by more than `goal`, a fraction, the largest changes first."""
        old, new = ([None if x != x else x for x in state.goal.tolist()] for state in (self.before, self.after))
        return failing(old, new, goal)

    def largest(self) -> float:
        """The largest relative change of any group, infinite where one is new or lost; 0 without groups."""
        old, new = self.before.goal, self.after.goal
        appeared = (old == 0) & (np.nan_to_num(new) != 0) | np.isfinite(old) & ~np.isfinite(new)
        return float("inf") if appeared.any() else float(np.nan_to_num(np.abs(self.changes)).max(initial=0.0))


def groups_of_numbers(
    variable: str,
    numbers: tuple[Floats, Floats],
    by: tuple[EncodedColumn, EncodedColumn] | None,
    weights: Floats | None,
) -> GroupFigures:
    """Means of a number by group.

    Parameters
    ----------
    numbers : (n,) before and after; nan where missing
    by : the variable of the groups before and after; None: all records together
    weights : (n,); None: all count alike
    """
    places, groups, name = _groups(by, len(numbers[0]))
    states = tuple(_state(x, g, len(groups), weights) for x, g in zip(numbers, places, strict=True))
    some = np.flatnonzero(states[0].records + states[1].records)
    before, after = (_of(state, some) for state in states)
    return GroupFigures(
        "mean", variable, name, tuple(groups[at] for at in some.tolist()), before, after, weights is not None
    )  # fmt: skip


def groups_of_codes(
    variable: tuple[EncodedColumn, EncodedColumn],
    by: tuple[EncodedColumn, EncodedColumn] | None,
    weights: Floats | None,
) -> GroupFigures:
    """Counts of the codes of a variable by group; as `groups_of_numbers`."""
    asked = [ComparedVariable(*variable), *([] if by is None else [ComparedVariable(*by)])]
    n, sizes = len(variable[0].values), [len(each.codes) for each in asked]
    cells = joint_codes([np.concatenate(each.places) for each in asked], sizes)
    counted = np.ones(n) if weights is None else weights
    none = np.zeros(0)
    before, after = (
        GroupState(cells.sums(np.ones(n), shift).astype(np.int64), cells.sums(counted, shift), none, none, none)
        for shift in (0, n)
    )
    groups = tuple(
        tuple(each.codes[place] for each, place in zip(asked, key, strict=True)) for key in cells.keys.tolist()
    )
    name = "" if by is None else by[0].name
    return GroupFigures("count", variable[0].name, name, groups, before, after, weights is not None)


def _groups(
    by: tuple[EncodedColumn, EncodedColumn] | None, n: int
) -> tuple[tuple[Ints, Ints], tuple[tuple[str, ...], ...], str]:
    """(n,) the group of each record before and after, -1 for none; the codes of each group; by which variable."""
    if by is None:
        alone = np.zeros(n, np.int64)
        return (alone, alone), ((),), ""
    asked = ComparedVariable(*by)
    old, new = (np.where(place < len(asked.codes), place, -1) for place in asked.places)
    return (old, new), tuple((code,) for code in asked.codes), asked.name


def _state(x: Floats, group: Ints, groups: int, weights: Floats | None) -> GroupState:
    there = ~np.isnan(x) & (group >= 0)
    x, g = x[there], group[there]
    order = np.lexsort((x, g))
    x, g = x[order], g[order]
    n = np.bincount(g, minlength=groups).astype(np.int64)
    first = np.cumsum(n) - n
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(g, x, groups) / n
        sd = np.sqrt(np.bincount(g, (x - mean[g]) ** 2, groups) / np.maximum(n - 1, 1))
        goal = mean
        if weights is not None:
            w = weights[there][order]
            goal = np.bincount(g, w * x, groups) / np.bincount(g, w, groups)
    median = np.full(groups, np.nan)
    some = np.flatnonzero(n)
    low, high = first[some] + (n[some] - 1) // 2, first[some] + n[some] // 2
    median[some] = (x[low] + x[high]) / 2
    return GroupState(n, goal, mean, median, np.where(n > 0, sd, np.nan))


def _of(state: GroupState, some: Ints) -> GroupState:
    return GroupState(
        state.records[some], state.goal[some], state.mean[some], state.median[some], state.sd[some]
    )  # fmt: skip
