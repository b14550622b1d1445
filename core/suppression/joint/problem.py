"""Which records can be released under which keys, and what each loses by it.

A *unit* is a set of records that agree on all key variables, on what is missing already and on what they need. Losing
some keys it comes into a *group*, a released key: blanks, whether original or new, and the remaining values. Safe is a
release in which every group has as many records as each unit in it needs. With one need for all this is k-anonymity
with missing values as a category; with the least size that each unsafe cell demands, and none for safe cells, it is
the release judged by released keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...kernels.released_keys import find_varying, sort_by
from ...tables.grouping import group_rows

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

MOST_KEYS = 10
"""With more keys than these a record loses at most `FEW_BLANKS`, or the cheapest ones, or all."""
FEW_BLANKS = 3
MOST_ENTRIES = 6_000_000
"""So many pairs of unit and set are looked at; where there are more, the sets are of fewer keys."""


@dataclass(frozen=True, eq=False)
class ReleaseProblem:
    """Units and what suppression of their variables costs. Bit v of every mask is variable v, the p keys first.

    Attributes
    ----------
    codes : p arrays (u,) uint32, at most the card where the key is missing
    cards : numbers of valid codes
    records : (u,) int32, records of each unit, at least 1
    need : (u,) int32, how many records each group with records of the unit must have; 0 and 1 ask for nothing
    costs : loss of one value of each variable, at least 0
    closures : for each variable the mask of what is suppressed with it, itself included, transitively
    missing : (u,) uint64, what is missing already
    fixed : mask of the variables that cannot be suppressed
    """

    codes: Sequence[NDArray[np.uint32]]
    cards: Sequence[int]
    records: Ints
    need: Ints
    costs: Sequence[float]
    closures: Sequence[int]
    missing: NDArray[np.uint64]
    fixed: int = 0

    def loss(self, lost: int, missing: int) -> float:
        """What a record with these missing variables loses where the keys `lost` go."""
        gone = 0
        for v in range(len(self.costs)):
            if lost >> v & 1:
                gone |= self.closures[v]
        return sum(cost for v, cost in enumerate(self.costs) if (gone & ~missing) >> v & 1)

    def possible(self, lost: int, missing: int) -> bool:
        """Whether just the keys `lost` can go in a record with these missing variables."""
        if lost & missing:
            return False
        gone = 0
        for j in range(len(self.codes)):
            if lost >> j & 1:
                gone |= self.closures[j]
        gone &= ~missing
        return not gone & self.fixed and not gone & ((1 << len(self.codes)) - 1) & ~lost


def demands(needs: NDArray[np.integer], k: int = 0, least_records: int = 0) -> Ints:
    """Needs of units of one model.

    Parameters
    ----------
    needs : (u,) least size that each unsafe cell demands; 0 for safe ones
    k : of k-anonymity: asked by every unit
    least_records : every released key must have so many records
    """
    found: Ints = np.maximum(needs, max(k, least_records)).astype(np.int32)
    return found


@dataclass(frozen=True, eq=False)
class Entries:
    """The ways to release records, of use to somebody, by unit.

    Attributes
    ----------
    unit, group : (e,) int32
    lost : (e,) int64, masks of the keys newly missing
    price : (e,) float64, loss of one record
    ptr : (u + 1,) int64, where the entries of each unit begin
    home : (u,) int32, the entry without loss, -1 where it cannot be
    total : (g,) int64, records that could come into each group
    unsafe : (u,) bool, units in a key that is too small before suppression
    unseen : (u,) float64, what a record loses at least in a group that has records by sets of keys that were not looked
        at, its own or others'; inf where all were
    most : keys that records lose at most, but for the cheapest ones and all
    """

    unit: Ints
    group: Ints
    lost: NDArray[np.int64]
    price: Floats
    ptr: NDArray[np.int64]
    home: Ints
    total: NDArray[np.int64]
    unsafe: NDArray[np.bool_]
    unseen: Floats
    most: int

    @property
    def complete(self) -> bool:
        """Whether all sets of keys were looked at."""
        return bool(np.isinf(self.unseen).all())

    @cached_property
    def by_group(self) -> tuple[NDArray[np.int64], Ints, NDArray[np.int64]]:
        """Where each group begins in a list of entries, (g + 1,); the list, (e,); where its safe units begin, (g,)."""
        starts, order = np.empty(len(self.total) + 1, np.int64), np.empty(len(self.unit), np.int32)
        rare = self.unsafe[self.unit]
        first = np.concatenate((np.flatnonzero(rare), np.flatnonzero(~rare)))
        sort_by(self.group[first], starts, order)
        return (
            starts,
            first[order].astype(np.int32),
            starts[:-1] + np.bincount(self.group[rare], minlength=len(starts) - 1),
        )

    @property
    def stuck(self) -> NDArray[np.bool_]:
        """Units that cannot be released at all, (u,)."""
        return np.asarray(np.diff(self.ptr) == 0)


def entries(problem: ReleaseProblem, progress: Progress = SILENT) -> Entries:
    """All entries, without those that would never be used.

    Left out are groups without unsafe records, groups that cannot become large enough, and, where keys go without
    each other, groups whose records agree on a key that they lose: without that loss they are as many.
    """
    return _Builder(problem, progress).entries()


class _Builder:
    """The entries on their way, one set of blanks after the other."""

    def __init__(self, problem: ReleaseProblem, progress: Progress) -> None:
        self._problem, self._progress = problem, progress
        self._keys = len(problem.codes)
        self._free = all(problem.closures[j] == 1 << j for j in range(self._keys))
        classes, of_unit = np.unique(problem.missing, return_inverse=True)
        order = np.argsort(of_unit, kind="stable").astype(np.uint32)
        ends = np.cumsum(np.bincount(of_unit, minlength=len(classes)))
        self._classes = dict(zip(classes.tolist(), np.split(order, ends[:-1]), strict=True))
        self._lists, self._most = self._sets()
        self._known = set(self._lists)
        self.unsafe = np.zeros(len(problem.records), np.bool_)
        self._groups = 0
        self._parts: list[tuple[NDArray[np.uint32], Ints, int, Floats]] = []
        self._totals: list[NDArray[np.int64]] = []

    def _sets(self) -> tuple[list[int], int]:
        """Sets of keys to lose, and up to how many keys all of them are there."""
        units, most = len(self._problem.records), self._keys
        every = 1 << self._keys
        if self._keys > MOST_KEYS or units * every > MOST_ENTRIES:
            most = FEW_BLANKS
            while most > 1 and units * sum(1 for n in range(most + 1) for _ in combinations(range(self._keys), n)) > (
                MOST_ENTRIES
            ):
                most -= 1
        if most >= self._keys:
            return list(range(every)), most
        found = {sum(1 << j for j in chosen) for n in range(most + 1) for chosen in combinations(range(self._keys), n)}
        # Cheapest first, and all that can go: there a release is found whenever there is one.
        lost = 0
        can_go = [j for j in range(self._keys) if not self._problem.closures[j] & self._problem.fixed]
        for j in sorted(can_go, key=lambda j: self._problem.costs[j]):
            lost |= self._problem.closures[j] & (every - 1)
            found.add(lost)
        return sorted(found), most

    def entries(self) -> Entries:
        """The entries of all sets, by unit."""
        keys = (1 << self._keys) - 1
        # What stands under each set of blanks: (missing, lost) of the classes that come there.
        under: dict[int, list[tuple[int, int]]] = {}
        for missing in self._classes:
            bare = missing & keys
            for lost in (
                self._lists if self._most == self._keys or not bare else sorted({s & ~bare for s in self._lists})
            ):
                if self._problem.possible(lost, missing):
                    under.setdefault(bare | lost, []).append((missing, lost))
        for blank, ways in under.items():
            self._mark_unsafe(blank, [missing for missing, lost in ways if not lost])
        for blank in sorted(under, key=lambda mask: (self._problem.loss(mask, 0), mask)):
            self._progress.check()
            self._add(blank, under[blank])
        return self._together()

    def _grouped(self, blank: int, rows: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], int]:
        kept = [j for j in range(self._keys) if not blank >> j & 1]
        if not kept:
            return np.zeros(len(rows), np.uint32), 1
        codes, cards = [self._problem.codes[j] for j in kept], [self._problem.cards[j] for j in kept]
        groups = group_rows(codes, cards, self._progress, rows)
        return groups.ids, len(groups)

    def _mark_unsafe(self, blank: int, classes: Sequence[int]) -> None:
        if not classes:
            return
        rows = np.concatenate([self._classes[missing] for missing in classes])
        group, size = self._grouped(blank, rows)
        records, need = self._problem.records[rows], self._problem.need[rows]
        safe, stays = np.ones(len(rows), np.bool_), -1
        while (number := int(safe.sum())) != stays:  # where needs differ, the unsafe ones of a key may leave the others
            stays = number
            count = np.bincount(group[safe], records[safe], size)
            safe &= count[group] >= need
        self.unsafe[rows] = ~safe

    def _add(self, blank: int, ways: Sequence[tuple[int, int]]) -> None:
        problem = self._problem
        rows = np.concatenate([self._classes[missing] for missing, _ in ways])
        lost = np.repeat([lost for _, lost in ways], [len(self._classes[missing]) for missing, _ in ways])
        price = np.repeat(
            np.array([problem.loss(lost, missing) for missing, lost in ways], np.float64),
            [len(self._classes[missing]) for missing, _ in ways],
        )
        group, size = self._grouped(blank, rows)
        records, need = problem.records[rows], problem.need[rows]
        total = np.bincount(group, records, size)
        fits = need <= total[group]
        total = np.bincount(group[fits], records[fits], size)
        fits &= need <= total[group]
        used = np.zeros(size, np.bool_)
        used[group[fits & self.unsafe[rows]]] = True
        if self._free and all(way == ways[0] for way in ways) and ways[0][1]:
            used &= self._varied(ways[0][1], rows, group, size)
        at_home = (lost == 0) & ~self.unsafe[rows]
        keep = (fits & used[group]) | at_home
        if not keep.any():
            return
        used[group[keep]] = True
        number = np.cumsum(used) - 1 + self._groups
        self._groups += int(used.sum())
        self._totals.append(total[used].astype(np.int64))
        for way in dict.fromkeys(lost[keep].tolist()):
            here = keep & (lost == way)
            self._parts.append((rows[here], number[group[here]].astype(np.int32), way, price[here]))

    def _varied(self, lost: int, rows: NDArray[np.uint32], group: NDArray[np.uint32], size: int) -> NDArray[np.bool_]:
        """Groups whose records differ on every key that they lose."""
        found = np.ones(size, np.bool_)
        for j in range(self._keys):
            if lost >> j & 1 and lost & ~(1 << j) in self._known:
                varies = np.zeros(size, np.bool_)
                find_varying(group, self._problem.codes[j][rows], size, varies)
                found &= varies
        return found

    def _together(self) -> Entries:
        units = len(self._problem.records)
        nothing = np.zeros(0, np.int32)
        self._parts.append((nothing.astype(np.uint32), nothing, 0, nothing.astype(np.float64)))
        self._totals.append(nothing.astype(np.int64))
        unit = np.concatenate([rows for rows, *_ in self._parts]).astype(np.int32)
        ptr, order = np.empty(units + 1, np.int64), np.empty(len(unit), np.int32)
        sort_by(unit, ptr, order)
        lost = np.concatenate([np.full(len(rows), way, np.int64) for rows, _, way, _ in self._parts])[order]
        price = np.concatenate([price for *_, price in self._parts])[order]
        unit = unit[order]
        home = np.full(units, -1, np.int32)
        intact = np.flatnonzero(lost == 0)
        home[unit[intact]] = intact
        group = np.concatenate([group for _, group, *_ in self._parts])[order]
        return Entries(
            unit, group, lost, price, ptr, home, np.concatenate(self._totals), self.unsafe, self._unseen(), self._most
        )  # fmt: skip

    def _unseen(self) -> Floats:
        """For each unit the least loss in a group that others may come into by sets that were not looked at.

        These are groups of more than `most` blanks. Of a record with missing values some of these are there already.
        """
        least = np.full(len(self._problem.records), np.inf)
        if all(self._keys - (missing & (1 << self._keys) - 1).bit_count() <= self._most for missing in self._classes):
            return least
        for missing, rows in self._classes.items():
            costs = sorted(self._problem.costs[j] for j in range(self._keys) if not missing >> j & 1)
            lacking = self._most + 1 - (self._keys - len(costs))
            least[rows] = sum(costs[: max(0, lacking)])
        return least
