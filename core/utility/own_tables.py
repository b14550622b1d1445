"""The user's own tables of counts and of means, made of the original and of the released file alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..recipe.model import Analysis
from .compared import ComparedFile, ComparedRecords, ComparedVariable, Floats, counted, joint_codes
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


@dataclass(eq=False)
class _Sum:
    """A sum by group that grows with the groups."""

    values: Floats = field(default_factory=lambda: np.zeros(0))

    def add(self, groups: int, group: Ints, values: Floats | float) -> None:
        """Add `values`, one after the other, to those of their `group`; so many groups are known."""
        self.values = np.concatenate([self.values, np.zeros(groups - len(self.values))])
        np.add.at(self.values, group, values)

    def of(self, groups: int) -> Floats:
        """(groups,) the sums."""
        self.add(groups, np.zeros(0, np.int64), 0.0)
        return self.values


class _Groups:
    """Groups of records by the codes of some variables, numbered as they are met."""

    def __init__(self, variables: Sequence[ComparedVariable]) -> None:
        self.variables = variables
        self._sizes = [len(variable.codes) for variable in variables]
        self._keys = np.zeros((0 if variables else 1, len(variables)), np.int64)

    def __len__(self) -> int:
        return len(self._keys)

    def of_records(self, records: ComparedRecords, side: int) -> Ints:
        """(n,) the group of each record, before or after; -1: a value is missing."""
        if not self.variables:
            return np.zeros(len(records), np.int64)
        return records.once((self, side), lambda: self._of_records(records, side))

    def _of_records(self, records: ComparedRecords, side: int) -> Ints:
        places = [records.of_records(variable.name, variable.places[side]) for variable in self.variables]
        found = joint_codes(places, self._sizes)
        known = len(self._keys)
        if not known:
            self._keys = found.keys
            return found.of_record
        both = joint_codes(list(np.concatenate([self._keys, found.keys]).T), self._sizes)
        number = np.full(len(both.keys), -1, np.int64)
        number[both.of_record[:known]] = np.arange(known)
        mine = both.of_record[known:]
        new = number[mine] < 0
        number[mine[new]] = known + np.arange(np.count_nonzero(new))
        self._keys = np.concatenate([self._keys, found.keys[new]])
        return np.append(number[mine], -1)[found.of_record]

    @property
    def order(self) -> Ints:
        """The groups in the order of their codes."""
        return np.lexsort(self._keys.T[::-1]) if self.variables else np.zeros(1, np.int64)

    def named(self, some: Ints) -> tuple[tuple[str, ...], ...]:
        """The codes of the groups `some`."""
        return codes_of_cells(self.variables, self._keys[some].tolist())


class TableFold:
    """Weighted counts by the codes of the variables that `entry` names, as records are given."""

    def __init__(self, file: ComparedFile, entry: Analysis) -> None:
        self._entry, self._weighted = entry, file.weights is not None
        self._groups = _Groups(file.some(entry.table))
        self._sums = _Sum(), _Sum()

    def add(self, records: ComparedRecords) -> None:
        """Add records that follow those before."""
        for side, weights in enumerate(counted(records, self._weighted)):
            group = self._groups.of_records(records, side)
            there = group >= 0
            self._sums[side].add(len(self._groups), group[there], weights[there])

    def turn(self) -> bool:
        """After all records: whether they are wanted once more."""
        return False

    def found(self) -> ComparedTable:
        """The table of all records."""
        order = self._groups.order
        before, after = (each.of(len(order))[order] for each in self._sums)
        some = (before > 0) | (after > 0)
        return ComparedTable(
            self._entry.table, self._groups.named(order[some]), tuple(before[some].tolist()),
            tuple(after[some].tolist()), self._weighted, self._entry.goal,
        )  # fmt: skip


class MeansFold:
    """Weighted means of a number by group, as records are given: their sums, then squares.

    The mean is Σ w x / Σ w of each group, its variance n/(n − 1) Σ w² (x − mean)² / (Σ w)², n its records with a value.
    """

    def __init__(self, file: ComparedFile, entry: Analysis) -> None:
        self._entry, self._weighted, self._variable = entry, file.weights is not None, file.variables[entry.mean]
        self._groups = _Groups(file.some(entry.by))
        self._n, self._whole, self._sum, self._spread = ((_Sum(), _Sum()) for _ in range(4))
        self._summed = False

    def add(self, records: ComparedRecords) -> None:
        """Add records that follow those before."""
        for side, weights in enumerate(counted(records, self._weighted)):
            group = self._groups.of_records(records, side)
            x = records.numbers(self._variable, side)
            there = ~np.isnan(x) & (group >= 0) & (weights > 0)
            x, g, w = x[there], group[there], weights[there]
            groups = len(self._groups)
            if not self._summed:
                self._n[side].add(groups, g, 1.0)
                self._whole[side].add(groups, g, w)
                self._sum[side].add(groups, g, w * x)
            else:
                self._spread[side].add(groups, g, (w * (x - self._means(side)[g])) ** 2)

    def turn(self) -> bool:
        """After all records: whether they are wanted once more."""
        self._summed, again = True, not self._summed
        return again

    def _means(self, side: int) -> Floats:
        groups = len(self._groups)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = self._sum[side].of(groups) / self._whole[side].of(groups)
        return found

    def found(self) -> ComparedMeans:
        """The means of all records."""
        order, made = self._groups.order, []
        for side in (0, 1):
            means = self._means(side)
            n, whole, spread = (each[side].of(len(order)) for each in (self._n, self._whole, self._spread))
            made.append(estimates(n[order].astype(np.int64), whole[order], means[order], spread[order]))
        some = [place for place in range(len(order)) if made[0][place] or made[1][place]]
        before, after = (tuple(each[place] for place in some) for each in made)
        entry, groups = self._entry, self._groups.named(order[some])
        return ComparedMeans(entry.mean, entry.by, groups, before, after, self._weighted, entry.goal)


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
