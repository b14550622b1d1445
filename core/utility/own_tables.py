"""The user's own tables of counts and of means, made of the original and of the released file alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compared import ComparedFile, ComparedVariable, Floats, joint_codes
from .intervals import Estimate, estimate, overlap

Ints = NDArray[np.int64]

_ALIKE = 1e-12
"""Sums of the same numbers in another order differ by less."""
_LISTED = 100
"""Groups that fail a goal and stand in the summary: those that changed most."""


@dataclass(frozen=True)
class ComparedTable:
    """Weighted counts before and after; records with a missing value are in no cell.

    Attributes
    ----------
    variables : by whose codes is counted
    cells : their codes in each cell with a record in one of the files
    before, after : weighted count of each cell
    weighted : whether by weights; else records are counted
    goal : the largest relative change that is wanted, a fraction; None: none is said
    """

    variables: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    weighted: bool
    goal: float | None = None

    @property
    def changes(self) -> tuple[float | None, ...]:
        """How much larger each count is, as a fraction of that before; None where there was nothing."""
        return tuple(map(relative_change, self.before, self.after))

    @property
    def failing(self) -> tuple[int, ...]:
        """Places of the cells that do not keep the goal, those that changed most first."""
        return failing(self.before, self.after, self.goal)

    def summary(self, inside: bool = True) -> dict[str, Any]:
        """Figures of the summary, which hold no cell but, `inside` the house, those that fail a goal."""
        return {
            "table": list(self.variables),
            "cells": sum(count > 0 for count in self.before),
            "new_cells": sum(not b and a > 0 for b, a in zip(self.before, self.after, strict=True)),
            "empty_cells": sum(b > 0 and not a for b, a in zip(self.before, self.after, strict=True)),
            **_sizes(self.changes),
            **_goal(self.goal, self.failing, self.variables, self.cells, self.changes, inside),
        }


@dataclass(frozen=True)
class ComparedMeans:
    """Weighted means by group before and after.

    Attributes
    ----------
    variable : of which the mean is
    by : variables of the groups; none: one group
    groups : their codes in each group with a mean in one of the files
    before, after : the means, None where no record of the group has a value
    weighted, goal : as of tables
    """

    variable: str
    by: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    before: tuple[Estimate | None, ...]
    after: tuple[Estimate | None, ...]
    weighted: bool
    goal: float | None = None

    @property
    def changes(self) -> tuple[float | None, ...]:
        """How much larger each mean is, as a fraction of the size of that before; None where one is not there or 0."""
        return tuple(
            None if b is None or a is None else relative_change(b.value, a.value)
            for b, a in zip(self.before, self.after, strict=True)
        )

    @property
    def overlaps(self) -> tuple[float | None, ...]:
        """Overlap of the intervals of each group."""
        return tuple(
            None if b is None or a is None else overlap(b, a) for b, a in zip(self.before, self.after, strict=True)
        )

    @property
    def worst(self) -> int | None:
        """Place of the group whose mean changed most; None where no change is known."""
        sizes = [(abs(change), -place) for place, change in enumerate(self.changes) if change is not None]
        return -max(sizes)[1] if sizes else None

    @property
    def failing(self) -> tuple[int, ...]:
        """Places of the groups that do not keep the goal, those that changed most first."""
        before, after = ([None if each is None else each.value for each in side] for side in (self.before, self.after))
        return failing(before, after, self.goal)

    def summary(self, inside: bool = True) -> dict[str, Any]:
        """Figures of the summary; the group that changed most stays `inside` the house."""
        part: dict[str, Any] = {"mean": self.variable, **({"by": list(self.by)} if self.by else {})}
        part |= {"groups": sum(each is not None for each in self.before)}
        part |= {"lost_groups": sum(b is not None and a is None for b, a in zip(self.before, self.after, strict=True))}
        part |= _sizes(self.changes)
        if inside and self.worst is not None and self.by:
            worst = dict(zip(self.by, self.groups[self.worst], strict=True))
            part["worst"] = {"group": worst, "change": self.changes[self.worst]}
        part |= _goal(self.goal, self.failing, self.by, self.groups, self.changes, inside)
        return part | mean_overlap(self.overlaps)


def compared_table(file: ComparedFile, names: tuple[str, ...]) -> ComparedTable:
    """Weighted counts by the codes of the variables `names`."""
    variables, weights, n = file.some(names), file.counted, file.records
    places = [np.concatenate(variable.places) for variable in variables]
    cells = joint_codes(places, [len(variable.codes) for variable in variables])
    before, after = cells.sums(weights[0]), cells.sums(weights[1], n)
    found = (before > 0) | (after > 0)
    return ComparedTable(
        names,
        codes_of_cells(variables, cells.keys[found].tolist()),
        tuple(before[found].tolist()),
        tuple(after[found].tolist()),
        file.weights is not None,
    )


def compared_means(file: ComparedFile, name: str, by: tuple[str, ...]) -> ComparedMeans:
    """Weighted means of the number `name` by the codes of the variables `by`."""
    n, variables = file.records, file.some(by)
    numbers = file.variables[name].numbers
    if by:
        places = [np.concatenate(variable.places) for variable in variables]
        cells = joint_codes(places, [len(variable.codes) for variable in variables])
        groups, of_record = codes_of_cells(variables, cells.keys.tolist()), cells.of_record
    else:
        groups, of_record = ((),), np.zeros(2 * n, np.int64)
    made = [
        _means(numbers[side], of_record[side * n : (side + 1) * n], len(groups), file.counted[side]) for side in (0, 1)
    ]
    found = [place for place in range(len(groups)) if made[0][place] or made[1][place]]
    before, after = (tuple(each[place] for place in found) for each in made)
    return ComparedMeans(name, by, tuple(groups[place] for place in found), before, after, file.weights is not None)


def _means(x: Floats, group: np.ndarray[Any, Any], groups: int, weights: Floats) -> list[Estimate | None]:
    """Σ w x / Σ w of each group, with variance n/(n − 1) Σ w² (x − mean)² / (Σ w)², n its records with a value."""
    there = ~np.isnan(x) & (group >= 0) & (weights > 0)
    x, g, w = x[there], group[there], weights[there]
    n, whole = np.bincount(g, minlength=groups), np.bincount(g, w, groups).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(g, w * x, groups) / whole
        spread = np.bincount(g, (w * (x - means[g])) ** 2, groups).astype(np.float64)
    return estimates(n, whole, means, spread)


def estimates(n: Ints, whole: Floats, means: Floats, spread: Floats) -> list[Estimate | None]:
    """The means of groups of `n` records with a value, None without any; (groups,) each.

    Parameters
    ----------
    whole, spread : Σ w and Σ w² (x − mean)²
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        errors = np.sqrt(spread * n / (n - 1)) / whole
    return [
        estimate(mean, error, count - 1) if count else None
        for mean, error, count in zip(means.tolist(), errors.tolist(), n.tolist(), strict=True)
    ]


def codes_of_cells(
    variables: Iterable[ComparedVariable], keys: Iterable[Sequence[int]]
) -> tuple[tuple[str, ...], ...]:  # fmt: skip
    """The codes of the cells whose places among those of the `variables` are `keys`."""
    named = [variable.codes for variable in variables]
    return tuple(tuple(codes[place] for codes, place in zip(named, key, strict=True)) for key in keys)


def relative_change(before: float, after: float) -> float | None:
    """(after − before) / |before|; None where there was 0."""
    return (after - before) / abs(before) if before else None


def failing(
    before: Sequence[float | None], after: Sequence[float | None], goal: float | None
) -> tuple[int, ...]:  # fmt: skip
    """Places where a figure changes by more than the share `goal` of what it was, the largest changes first.

    A figure that is lost fails, and one that was 0 and is not any more; where there was none before nothing is asked.
    Rounding of the last digits is no change.
    """
    if goal is None:
        return ()
    sizes = {}
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        if old is None or old == new:
            continue
        size = math.inf if new is None or not old else abs(new - old) / abs(old)
        if size > goal * (1 + _ALIKE) + _ALIKE:
            sizes[place] = size
    return tuple(sorted(sizes, key=lambda place: (-sizes[place], place)))


def _goal(
    goal: float | None, places: tuple[int, ...], names: tuple[str, ...], codes: tuple[tuple[str, ...], ...],
    changes: tuple[float | None, ...], inside: bool,
) -> dict[str, Any]:  # fmt: skip
    """What the summary says of a goal; the groups that fail stay `inside` the house."""
    if goal is None:
        return {}
    part: dict[str, Any] = {"at_most": goal, "kept": not places, "failing": len(places)}
    if inside and names and places:
        groups = (({"group": dict(zip(names, codes[at], strict=True))}, changes[at]) for at in places[:_LISTED])
        part["groups"] = [group if change is None else group | {"change": change} for group, change in groups]
    return {"goal": part}


def _sizes(changes: Iterable[float | None]) -> dict[str, float]:
    """The largest and the mean size of the changes that are known."""
    sizes = [abs(change) for change in changes if change is not None]
    return {"max_change": max(sizes), "mean_change": math.fsum(sizes) / len(sizes)} if sizes else {}


def mean_overlap(overlaps: Iterable[float | None]) -> dict[str, float]:
    """The mean and the least of the overlaps that there are."""
    known = [each for each in overlaps if each is not None]
    return {"mean_overlap": math.fsum(known) / len(known), "min_overlap": min(known)} if known else {}
