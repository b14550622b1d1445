"""Which records of a cell lose which values: drawn part by part, to what one draw over the whole file gives.

Every record has a number of its own, which follows from a secret and from its values (`core.suppression.record_draws`).
Of the records of a unit those with the smallest numbers are treated first. So a part needs to give no more of its
records than could be among them; the places of those that are, in the whole file, say how all others are treated. Equal
records are numbered over all parts, which takes a pass before. The rows of cells are divided alike, with exact counts
and weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import Microdata, Source
from ..data.households import Households, households_of
from ..formats.text.block_file import changed
from ..recipe.model import HouseholdSettings
from ..risk.population_model import above_one
from ..rows.source import PartRows
from ..suppression.joint.row_draws import Masks, Portions, RowsToDraw
from ..suppression.record_draws import Numbers, drawn_numbers, file_digest, occurrences, of_units
from .cell_tables import CellPlaces, FixedPoint, PartCells, in_decimals
from .record_draws import digests_of_records

Ints = NDArray[np.int64]

_MERGE_AT = 1 << 20
"""Records that are at least held before those that come too late are dropped."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Records with small numbers of units that are divided, by unit and number.

    Attributes
    ----------
    unit, row, record : (d,) int64, unit, row and place in the whole file of each
    number : (d,) uint64, by which records are drawn
    limbs, above_one : its weight, and max(weight - 1, 0), as the cells of the whole have their sums
    """

    unit: Ints
    row: Ints
    record: Ints
    number: NDArray[np.uint64]
    limbs: FixedPoint
    above_one: FixedPoint

    def first(self, most: Ints) -> Drawn:
        """Of each unit the `most` (u,) records with the smallest numbers, in this order."""
        order = np.lexsort((self.record, self.number, self.unit))
        unit = self.unit[order]
        begins = np.searchsorted(unit, np.arange(len(most)))
        return self._of(order[np.arange(len(order)) - begins[unit] < most[unit]])

    def _of(self, rows: Ints) -> Drawn:
        return Drawn(
            self.unit[rows],
            self.row[rows],
            self.record[rows],
            self.number[rows],
            tuple(limb[rows] for limb in self.limbs),
            tuple(limb[rows] for limb in self.above_one),
        )

    @classmethod
    def together(cls, parts: Sequence[Drawn]) -> Drawn:
        """Those of several parts, one after the other."""
        return cls(
            np.concatenate([part.unit for part in parts]),
            np.concatenate([part.row for part in parts]),
            np.concatenate([part.record for part in parts]),
            np.concatenate([part.number for part in parts]),
            tuple(np.concatenate(limbs) for limbs in zip(*(part.limbs for part in parts), strict=True)),
            tuple(np.concatenate(limbs) for limbs in zip(*(part.above_one for part in parts), strict=True)),
        )


@dataclass(frozen=True, eq=False)
class Division:
    """How the records of some rows are divided among more rows.

    Attributes
    ----------
    stays : (rows,) int64, the new row of records that were not drawn
    record, row : (d,) int64, places in the whole file of those that were, ascending, and the new row of each
    """

    stays: Ints
    record: Ints
    row: Ints

    def new_rows(self, row: NDArray[np.uint32], first: int) -> NDArray[np.uint32]:
        """The new row of each record of a part, (n,), whose first record is the one at `first` in the whole file."""
        found = self.stays[row]
        begin, end = np.searchsorted(self.record, (first, first + len(row)))
        found[self.record[begin:end] - first] = self.row[begin:end]
        return found.astype(np.uint32)


@dataclass(frozen=True)
class HouseholdIdentifier:
    """By which a part's households are told: the variable `name`, and `settings`."""

    name: str
    settings: HouseholdSettings

    def living(self, part: Microdata, progress: Progress = SILENT) -> Households:
        """The households of a part."""
        settings = replace(self.settings, empty_id="own-household")  # refused or taken where all parts are put together
        return households_of(part.columns[self.name], settings, progress)


@dataclass(frozen=True, eq=False)
class HouseholdPlaces:
    """How the records of cells are divided among the rows of a file in parts with households: one for each member.

    Attributes
    ----------
    identifier : by which a part's households are told
    starts : (k + 1,) int64, where the rows of each household that differs from the others begin
    cells : (rows,) uint32, the cell that each row is of
    of_parts : by the first record of a part, what each of its households is like (h,), and how many stand before it
    """

    identifier: HouseholdIdentifier
    starts: Ints
    cells: NDArray[np.uint32]
    of_parts: Mapping[int, tuple[NDArray[np.uint32], int]]

    @classmethod
    def of(
        cls, identifier: HouseholdIdentifier, starts: Ints, cells: NDArray[np.uint32], sources: Sequence[Source],
        like: Sequence[Ints],
    ) -> HouseholdPlaces:  # fmt: skip
        """Those of the parts `sources`, of each of which `like` says what its households are like."""
        of_parts, first, before = dict[int, tuple[NDArray[np.uint32], int]](), 0, 0
        for source, own in zip(sources, like, strict=True):
            if source.records:
                of_parts[first] = own.astype(np.uint32), before
            first, before = first + source.records, before + len(own)
        return cls(identifier, starts, cells, of_parts)

    def rows(self, part: Microdata, cell: NDArray[np.uint32], first: int, progress: Progress) -> NDArray[np.uint32]:
        """The row of each record of a part, (n,), whose first record is the one at `first` in the whole file.

        Raises
        ------
        DataError
            ``data-changed``: there is none.
        """
        if not len(cell):
            return cell
        living, (like, _before) = self.identifier.living(part, progress), self.of_parts[first]
        size = np.diff(self.starts)
        if len(like) != len(living) or not np.array_equal(size[like], living.size):
            raise changed(part.source.path)
        found = np.zeros(len(cell), np.uint32)
        begin = self.starts[like] - living.starts[:-1]
        found[living.members] = np.arange(len(cell)) + np.repeat(begin, living.size)
        if not np.array_equal(self.cells[found], cell):
            raise changed(part.source.path)
        return found


@dataclass(frozen=True, eq=False)
class RowPlaces:
    """Finds the row of each record of a part among those into which the cells of the whole were divided."""

    cells: CellPlaces
    divisions: tuple[Division, ...] = ()
    households: HouseholdPlaces | None = None

    def of_records(self, part: Microdata, first: int, progress: Progress = SILENT) -> NDArray[np.uint32]:
        """The row of each record of `part`, (n,), whose first record is the one at `first` in the whole file.

        Raises
        ------
        DataError
            ``data-changed``: there is none.
        """
        found = self.cells.of_records(part, progress)
        if self.households is not None:
            found = self.households.rows(part, found, first, progress)
        for division in self.divisions:
            progress.check()
            found = division.new_rows(found, first)
        return found

    def of_part(self, rows: PartRows, progress: Progress = SILENT) -> NDArray[np.uint32]:
        """As `of_records`, of a part as it was read for several tasks, which share them."""
        return rows.once(self, lambda: self.of_records(rows.data, rows.part.first, progress))


@dataclass(frozen=True, eq=False)
class RowsTask:
    """The row of each record of a part; `names`: the columns by which it is known."""

    names: tuple[str, ...]
    places: RowPlaces

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> NDArray[np.uint32]:
        """(n,) those of one part; see `RowPlaces.of_records`."""
        return self.places.of_part(rows, progress)


@dataclass(frozen=True, eq=False)
class DigestTask:
    """The digest of a part's values of the variables `names`, see `core.suppression.record_draws.file_digest`."""

    names: tuple[str, ...]

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> Numbers:
        """That of one part."""
        return file_digest(digests_of_records(rows.data.columns, self.names, rows.data.metadata.decimal))


@dataclass(frozen=True, eq=False)
class DrawableRecords:
    """Which records of every part may be drawn, and by which values.

    Attributes
    ----------
    rows : the rows of its records
    unit_of_row : (rows,) int64
    most : (u,) int64, so many records of each unit are wanted at most
    values : variables whose values decide
    """

    rows: RowsTask
    unit_of_row: Ints
    most: Ints
    values: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that are looked at."""
        return (*self.rows.names, *self.values)

    def of_part(self, rows: PartRows, progress: Progress) -> tuple[NDArray[np.uint32], Ints, Numbers]:
        """The row of each record of a part; the places of those that may be drawn, and the digests of their values."""
        row = self.rows(rows, progress)
        there = np.flatnonzero(self.most[self.unit_of_row[row]])
        return row, there, digests_of_records(rows.data.columns, self.values, rows.data.metadata.decimal)[there]


@dataclass(frozen=True, eq=False)
class DrawableTask:
    """The distinct values of the records of a part that may be drawn, as `of_units`, and how many have each."""

    records: DrawableRecords

    @property
    def names(self) -> tuple[str, ...]:
        """See `core.rows.scan.PartTask`."""
        return self.records.names

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> tuple[Numbers, Ints]:
        """Those of one part."""
        row, there, digests = self.records.of_part(rows, progress)
        return np.unique(of_units(digests, self.records.unit_of_row[row[there]]), return_counts=True)


def in_earlier_parts(parts: Sequence[tuple[Numbers, Ints]]) -> list[tuple[Numbers, Ints]]:
    """Of the values of each part, as `DrawableTask`, those that earlier ones have, too, and how many records."""
    known = np.concatenate([np.zeros(0, np.uint64), *(each for each, _ in parts)])
    count = np.concatenate([np.zeros(0, np.int64), *(each for _, each in parts)])
    part = np.repeat(np.arange(len(parts)), [len(each) for each, _ in parts])
    order = np.argsort(known, kind="stable")
    begins = np.ones(len(order), np.bool_)
    begins[1:] = known[order][1:] != known[order][:-1]
    before = np.cumsum(count[order]) - count[order]
    first = np.flatnonzero(begins)
    before -= np.repeat(before[first], np.diff(np.append(first, len(order))))
    again = ~begins
    found = []
    for number in range(len(parts)):
        here = again & (part[order] == number)
        found.append((known[order][here], before[here]))
    return found


@dataclass(frozen=True, eq=False)
class DrawingTask:
    """The records of a part that may be among the first ones of their units.

    Attributes
    ----------
    records : which may be
    key, variables : what their numbers are drawn by, see `core.suppression.record_draws.drawn_numbers`
    before : by part, values that earlier parts have, too, and how many records
    decimals : of the sums of weights
    """

    records: DrawableRecords
    key: bytes
    variables: tuple[str, ...]
    before: Sequence[tuple[Numbers, Ints]]
    decimals: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """See `core.rows.scan.PartTask`."""
        return self.records.names

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> Drawn:
        """Those of one part."""
        row, there, digests = self.records.of_part(rows, progress)
        unit = self.records.unit_of_row[row[there]]
        known = of_units(digests, unit)
        times, (again, records) = occurrences(known), self.before[rows.part.number]
        if len(again):
            at = np.minimum(np.searchsorted(again, known), len(again) - 1)
            times += np.where(again[at] == known, records[at], 0)
        numbers = drawn_numbers(self.key, self.variables, digests, times, progress)
        limbs: FixedPoint = ()
        above: FixedPoint = ()
        weights = rows.data.weights
        if weights is not None:
            own = weights.decimals
            some = tuple(limb[there] for limb in weights.limbs)
            limbs = in_decimals(some, own, self.decimals)
            above = in_decimals(above_one(some, own), own, self.decimals)
        found = Drawn(unit, row[there].astype(np.int64), rows.part.first + there, numbers, limbs, above)
        return found.first(self.records.most)


class FirstDrawn:
    """Gathers what the parts give; holds few more records than are wanted."""

    def __init__(self, most: Ints) -> None:
        self._most = most
        self._pending: list[Drawn] = []

    def add(self, part: Drawn) -> None:
        """Add those of one more part."""
        self._pending.append(part)
        if sum(len(each.unit) for each in self._pending[1:]) > max(_MERGE_AT, len(self._pending[0].unit)):
            self._pending = [self.whole()]

    def whole(self) -> Drawn:
        """The first ones of all parts."""
        return Drawn.together(self._pending).first(self._most)


def wanted(portions: Portions) -> Ints:
    """How many records of each unit have to be found, (u,): all but those of its last portion."""
    totals = np.concatenate([[0], np.cumsum(portions.records)])
    most: Ints = totals[portions.ptr[1:] - 1] - totals[portions.ptr[:-1]]
    return most


def divided(cells: PartCells, asked: RowsToDraw, found: Drawn) -> tuple[PartCells, Division, Masks, Ints]:
    """The rows of `cells` divided as was drawn.

    Parameters
    ----------
    found : the first records of each unit, as many as `wanted`

    Returns
    -------
    The new rows, how records come into them, what the records of each lose, and which row each was a part of
    """
    portions, unit_of_row = asked.portions, asked.unit_of_row
    ptr = portions.ptr
    before = np.cumsum(portions.records) - portions.records
    begins = np.searchsorted(found.unit, np.arange(len(ptr) - 1))
    rank = np.arange(len(found.unit)) - begins[found.unit] + before[ptr[found.unit]]
    portion_of = np.searchsorted(before, rank, side="right") - 1
    width = int(np.diff(ptr).max(initial=0)) + 1
    taken, part_of = np.unique(found.row * width + portion_of - ptr[found.unit], return_inverse=True)

    def sums(values: Ints) -> Ints:
        total = np.zeros(len(taken), np.int64)
        np.add.at(total, part_of, values)
        return total

    rows = np.arange(len(unit_of_row))
    rest = rows * width + (np.diff(ptr)[unit_of_row] - 1)
    counts = sums(np.ones(len(part_of), np.int64))
    parent = taken // width

    def with_rest(whole: Ints, own: Ints) -> Ints:
        left = whole.copy()
        np.subtract.at(left, parent, own)
        return np.concatenate([own, left])

    places, count = np.concatenate([taken, rest]), with_rest(cells.count, counts)
    there = np.flatnonzero(count)
    there = there[np.argsort(places[there], kind="stable")]
    places = places[there]
    row, portion = np.divmod(places, width)
    limbs = tuple(with_rest(w, sums(o))[there] for w, o in zip(cells.limbs, found.limbs, strict=True))
    above = tuple(with_rest(w, sums(o))[there] for w, o in zip(cells.above_one, found.above_one, strict=True))
    columns = {
        name: replace(column, values=column.values[row]) if name in cells.names else column
        for name, column in cells.columns.items()
    }
    into = np.searchsorted(places, found.row * width + portion_of - ptr[found.unit])
    order = np.argsort(found.record)
    division = Division(np.searchsorted(places, rest), found.record[order], into[order])
    finer = replace(cells, columns=columns, count=count[there], limbs=limbs, above_one=above)
    return finer, division, portions.newly[ptr[unit_of_row[row]] + portion], row
