"""Keys counted in households: how many distinct ones have a record there, and the sum of one weight each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import Weights
from ..data.households import Households
from .cell_index import Tabulation
from .exact_sums import to_float
from .grouping import group_rows
from .projections import Cube

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BLOCK = 1 << 20
"""Keys of pairs of members looked at in one go."""


def households_by_group(
    group: NDArray[np.uint32],
    groups: int,
    households: Households,
    weights: Floats | None,
    rows: NDArray[np.uint32] | None = None,
    progress: Progress = SILENT,
) -> tuple[Floats, Floats]:
    """Distinct households of each group of records, and the sum of one weight a household.

    A household's weight in a group is the mean of the weights that its members have there.

    Parameters
    ----------
    group : (n,) uint32, below `groups`
    weights : (n,) weight of each record, of rows that stand for several their sum; None: each household weighs 1
    rows : records that count; None: all

    Returns
    -------
    h, F : (groups,) float64; 0 where a group has no such record
    """
    living = households.household_of_record
    pairs = group_rows([group, living], [groups, len(households)], progress, rows)
    first = pairs.member if rows is None else rows[pairs.member]
    times = np.ones(len(pairs)) if households.times is None else households.times[living[first]].astype(np.float64)
    h: Floats = np.bincount(group[first], times, groups).astype(np.float64)
    if weights is None:
        return h, h
    members = np.bincount(pairs.ids, minlength=len(pairs))
    total = np.bincount(pairs.ids, weights if rows is None else weights[rows], len(pairs))
    return h, np.bincount(group[first], total / members, groups).astype(np.float64)


class HouseholdCounts:
    """The same for the margins of a table, each over the records that have a value on all its variables.

    Parameters
    ----------
    table : the cells of a file's records
    households : of these records
    weights : with which the cells were counted; None: every record weighs 1
    """

    def __init__(
        self, table: Tabulation, households: Households, weights: Weights | None, progress: Progress = SILENT
    ) -> None:
        self._cells, self._index = table
        self._households, self._progress = households, progress
        self._weights = None if weights is None else weights.as_floats()

    @cached_property
    def _cube(self) -> Cube:
        cells = self._cells
        return Cube(cells.codes, cells.cards, cells.missing, cells.count, cells.weight_limbs)

    def of(self, keep: int, asked: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """Of the cells `asked`, which have a value on every variable of the mask `keep`, (len(asked),) each."""
        group = self._cube.project(keep, self._progress).group_of_cell
        wanted = np.zeros(int(group.max(initial=0)) + 1, np.bool_)
        wanted[group[asked]] = True
        complete = (self._cells.missing & np.uint64(keep)) == 0
        of_record = self._index.of_record
        rows: NDArray[np.uint32] | None = None
        if not (wanted.all() and complete.all()):
            rows = np.flatnonzero((wanted[group] & complete)[of_record]).astype(np.uint32)
        found = households_by_group(
            group[of_record], len(wanted), self._households, self._weights, rows, self._progress
        )
        return found[0][group[asked]], found[1][group[asked]]

    def records(self, keep: int, asked: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """Records with these values and the sum of their weights; as `of`."""
        margin, cells = self._cube.project(keep, self._progress), self._cells
        group = margin.group_of_cell[asked]
        f = margin.count[group].astype(np.float64)
        return f, to_float([limb[group] for limb in margin.limbs], cells.weight_decimals) if margin.limbs else f

    def repeated_by_missing(self, keep: int, asked: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """Matches by missing values that are no further household: by how much they exceed one a household.

        A record that agrees with a cell wherever both have a value, but lacks some that the cell has, matches it by
        missing values. A household counts by these where no member has all values, once, with the mean of the weights
        of its members who match.

        Returns
        -------
        records, weight : (len(asked),) each; 0 where every match by missing values is a household of its own
        """
        alike = self._repeated_alike(keep, asked)
        pairs = self._pairs.within(keep)
        if not len(pairs.first):
            return alike[0], alike[1]
        group = self._cube.project(keep, self._progress).group_of_cell[asked]
        _, place, key = np.unique(group, return_index=True, return_inverse=True)
        cells, of_key = asked[place], np.zeros((2, len(place)))
        for keys, homes in self._met_twice(keep, cells, pairs):
            self._add_repeated(keep, cells, keys, homes, of_key)
        return alike[0] + of_key[0][key], alike[1] + of_key[1][key]

    def _repeated_alike(self, keep: int, asked: NDArray[np.integer]) -> Floats:
        """By members of a household who are in the same cell alone, (2, len(asked))."""
        members, missing = self._members, self._cells.missing
        times = 1 if self._households.times is None else self._households.times[members.household]
        more = np.bincount(members.cell, (members.rows - 1) * times, len(missing))
        weight = np.bincount(members.cell, members.weight - members.weight / members.rows, len(missing))
        repeated = np.zeros((2, len(asked)))
        lacks = missing & np.uint64(keep)
        for pattern in np.unique(lacks[(lacks != 0) & (more > 0)]).tolist():
            group = self._cube.project(keep & ~pattern, self._progress).group_of_cell
            some = np.flatnonzero(lacks == pattern)
            for found, values in zip(repeated, (more, weight), strict=True):
                found += np.bincount(group[some], values[some], int(group.max()) + 1)[group[asked]]
        return repeated

    @cached_property
    def _members(self) -> _Members:
        return _Members.of(self._index.of_record, self._households, self._weights, len(self._cells))

    @cached_property
    def _pairs(self) -> _Pairs:
        """Members in two cells who may match the same key, one of them by missing values."""
        members, missing = self._members, self._cells.missing
        lacking = missing[members.cell] != 0
        some = np.unique(members.household[lacking])
        first, second = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
        there = np.flatnonzero(np.isin(members.household, some))
        for apart in range(1, len(there)):
            same = np.flatnonzero(members.household[there[apart:]] == members.household[there[:-apart]])
            if not len(same):
                break
            self._progress.check()
            a, b = there[same], there[same + apart]
            either = lacking[a] | lacking[b]
            first.append(a[either])
            second.append(b[either])
        a, b = np.concatenate(first), np.concatenate(second)
        lacks, differs = missing[members.cell[a]], np.zeros(len(a), np.uint64)
        both = ~(lacks | missing[members.cell[b]])
        for j, code in enumerate(self._cells.codes):
            differs |= (code[members.cell[a]] != code[members.cell[b]]).astype(np.uint64) << np.uint64(j)
        order = np.argsort(members.household[a], kind="stable")
        return _Pairs(a, b, differs & both, lacks, missing[members.cell[b]]).some(order)

    def _met_twice(self, keep: int, cells: NDArray[np.integer], pairs: _Pairs) -> Iterator[tuple[Ints, Ints]]:
        """Keys, as places in `cells`, and households of which two members match them, each pair of these once."""
        of_member, member = self._members.household, self._members.cell
        union = np.uint64(keep) & ~(pairs.first_lacks & pairs.second_lacks)
        start, number = np.zeros(len(union), np.int64), np.zeros(len(union), np.int64)
        orders = {}
        for mask in np.unique(union).tolist():
            mine = np.flatnonzero(union == mask)
            ids, orders[mask] = self._numbered(mask, cells, pairs, mine, member)
            in_order = ids[: len(cells)][orders[mask]]
            start[mine] = np.searchsorted(in_order, ids[len(cells) :], "left")
            number[mine] = np.searchsorted(in_order, ids[len(cells) :], "right") - start[mine]
        homes = of_member[pairs.first]
        ends = np.append(np.flatnonzero(homes[1:] != homes[:-1]) + 1, len(homes))
        total, begin = np.cumsum(number), 0
        while begin < len(homes):
            self._progress.check()
            done = total[begin - 1] if begin else 0
            fits = ends[(ends > begin) & (total[ends - 1] - done <= _BLOCK)]
            end = int(fits[-1] if len(fits) else ends[ends > begin][0])
            pair = np.repeat(np.arange(begin, end), number[begin:end])
            place = np.arange(len(pair)) - np.repeat(
                np.cumsum(number[begin:end]) - number[begin:end], number[begin:end]
            )
            place += start[pair]
            keys = np.empty(len(pair), np.int64)
            for mask, order in orders.items():
                here = np.flatnonzero(union[pair] == mask)
                keys[here] = order[place[here]]
            both = np.unique(keys * len(self._households) + homes[pair])
            yield both // len(self._households), both % len(self._households)
            begin = end

    def _numbered(
        self, mask: int, cells: NDArray[np.integer], pairs: _Pairs, mine: Ints, member: Ints
    ) -> tuple[NDArray[np.uint32], Ints]:
        """Numbers of the values on a mask, of the cells and then of the pairs `mine`; and the order of the cells'."""
        a, b = member[pairs.first[mine]], member[pairs.second[mine]]
        columns, cards = [], []
        for j, (code, card) in enumerate(zip(self._cells.codes, self._cells.cards, strict=True)):
            if mask >> j & 1:
                lacks = pairs.first_lacks[mine] >> np.uint64(j) & np.uint64(1)
                columns.append(np.append(code[cells], np.where(lacks, code[b], code[a])))
                cards.append(card)
        ids = group_rows(columns, cards).ids if columns else np.zeros(len(cells) + len(mine), np.uint32)
        return ids, np.argsort(ids[: len(cells)], kind="stable")

    def _add_repeated(self, keep: int, cells: NDArray[np.integer], keys: Ints, homes: Ints, of_key: Floats) -> None:
        """Add what the `homes` repeat of the `keys` by members in several cells to the sums (2, keys)."""
        members, table = self._members, self._cells
        first = np.searchsorted(members.household, homes)
        size = np.searchsorted(members.household, homes, "right") - first
        pair = np.repeat(np.arange(len(homes)), size)
        member = np.arange(len(pair)) - np.repeat(np.cumsum(size) - size, size) + first[pair]
        cell, asked = members.cell[member], cells[keys[pair]]
        lacks = table.missing[cell] & np.uint64(keep)
        agrees = np.ones(len(pair), np.bool_)
        for j, code in enumerate(table.codes):
            if keep >> j & 1:
                agrees &= (code[cell] == code[asked]) | (lacks >> np.uint64(j) & np.uint64(1) == 1)
        whole = np.bincount(pair[agrees & (lacks == 0)], minlength=len(homes)) > 0
        some = np.flatnonzero(agrees & (lacks != 0))
        number, rows, weight, each = (
            np.bincount(pair[some], None if values is None else values[member[some]], len(homes))
            for values in (None, members.rows, members.weight, members.weight / members.rows)
        )
        once = ~whole & (number > 0)
        mean = np.divide(weight, rows, out=np.zeros(len(homes)), where=once)
        times = 1 if self._households.times is None else self._households.times[homes]
        np.add.at(of_key[0], keys, (number - once) * times)
        np.add.at(of_key[1], keys, each - mean)


class _Members(NamedTuple):
    """Distinct pairs of a household and a cell, by household: how many rows each has, and the sum of their weights."""

    household: Ints
    cell: Ints
    rows: Ints
    weight: Floats

    @classmethod
    def of(cls, of_record: NDArray[np.uint32], households: Households, weights: Floats | None, cells: int) -> _Members:
        number = households.household_of_record.astype(np.int64) * cells + of_record
        distinct, ids, rows = np.unique(number, return_inverse=True, return_counts=True)
        household = distinct // cells
        if weights is not None:
            return cls(household, distinct % cells, rows, np.bincount(ids, weights, len(distinct)).astype(np.float64))
        times = 1 if households.times is None else households.times[household]
        return cls(household, distinct % cells, rows, (rows * times).astype(np.float64))


class _Pairs(NamedTuple):
    """Pairs of members of a household, as places in `_Members`, by household.

    `differs`: mask of the variables on which both have a value, another one; `first_lacks`, `second_lacks`: of those on
    which they have none.
    """

    first: Ints
    second: Ints
    differs: NDArray[np.uint64]
    first_lacks: NDArray[np.uint64]
    second_lacks: NDArray[np.uint64]

    def within(self, keep: int) -> _Pairs:
        """Those that may match the same key on the variables of a mask, one of them by missing values."""
        lacks = (self.first_lacks | self.second_lacks) & np.uint64(keep)
        return self.some(np.flatnonzero((lacks != 0) & (self.differs & np.uint64(keep) == 0)))

    def some(self, places: NDArray[np.intp]) -> _Pairs:
        """Those at some places."""
        lacks = self.first_lacks[places], self.second_lacks[places]
        return _Pairs(self.first[places], self.second[places], self.differs[places], *lacks)
