"""Which records of a cell lose which values: drawn part by part, to what one draw over the whole file gives.

Every record has a number of its own, drawn from its place in the whole file and from all that decides what the file
holds. Of the records of a unit those with the smallest numbers are treated first. So a part needs to give no more of
its records than could be among them; and once all parts have, the last number of each portion tells of every record,
wherever it is, to which portion it belongs. The rows of cells are divided alike, with exact counts and weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import Microdata, Source
from core.data.households import Households, households_of
from core.data.variables import Metadata
from core.formats.text.block_file import changed
from core.parts.cell_tables import CellPlaces, Limbs, PartCells, as_it_was, in_decimals, read_part
from core.recipe.model import HouseholdSettings
from core.risk.population_model import above_one
from core.suppression.joint.row_draws import Masks, Portions, RowsToDraw
from core.suppression.reach import Draw

Ints = NDArray[np.int64]

_WORDS = 4
"""Numbers that the generator makes at a time."""
_MERGE_AT = 1 << 20
"""Records that are at least held before those that come too late are dropped."""


def drawn_numbers(draw: Draw, first: int, records: int) -> NDArray[np.uint64]:
    """The numbers of the records `first`, `first` + 1, ... of the whole file, (records,), drawn from `draw`.

    Made by a generator that counts: the number of a record follows from its place alone (Philox; Salmon, Moraes, Dror
    and Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011).
    """
    generator = np.random.Philox(draw)
    generator.advance(first // _WORDS)
    return generator.random_raw(first % _WORDS + records)[first % _WORDS :]


@dataclass(frozen=True, eq=False)
class Drawn:
    """Records with small numbers of units that are divided, by unit and number.

    Attributes
    ----------
    unit, row, record : (d,) int64, unit, row and place in the whole file of each
    number : (d,) uint64
    limbs, above_one : its weight, and max(weight - 1, 0), as the cells of the whole have their sums
    """

    unit: Ints
    row: Ints
    record: Ints
    number: NDArray[np.uint64]
    limbs: Limbs
    above_one: Limbs

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
    draw : what the records' numbers are drawn from
    unit_of_row : (rows,) int64, before
    ptr : (u + 1,) int64, where the portions of each unit begin
    last_number, last_record : (p,) of each portion but a unit's last one its last record
    places : (new rows,) int64, ascending: ``row * width + portion`` of each new row
    width : more than the portions of any unit
    """

    draw: Draw
    unit_of_row: Ints
    ptr: Ints
    last_number: NDArray[np.uint64]
    last_record: Ints
    places: Ints
    width: int

    def new_rows(self, row: NDArray[np.uint32], first: int) -> NDArray[np.uint32]:
        """The new row of each record of a part, (n,), whose first record is the one at `first` in the whole file."""
        whole = np.searchsorted(self.places, np.arange(len(self.unit_of_row)) * self.width)  # where a row stays one
        found = whole[row]
        behind = np.diff(self.ptr)[self.unit_of_row] - 1  # portions that a record may lie behind
        asked = np.flatnonzero(behind[row])
        number, record, rows = drawn_numbers(self.draw, first, len(row))[asked], first + asked, row[asked]
        begin, behind = self.ptr[self.unit_of_row[rows]], behind[rows]
        portion = np.zeros(len(asked), np.int64)
        for j in range(int(behind.max(initial=0))):
            here = np.flatnonzero(behind > j)
            at = begin[here] + j
            same = (number[here] == self.last_number[at]) & (record[here] > self.last_record[at])
            portion[here] += (number[here] > self.last_number[at]) | same
        found[asked] = np.searchsorted(self.places, rows * np.int64(self.width) + portion)
        return found.astype(np.uint32)


@dataclass(frozen=True, eq=False)
class HouseholdPlaces:
    """How the records of cells are divided among the rows of a file in parts with households: one for each member.

    Attributes
    ----------
    identifier, settings : by which a part's households are told
    starts : (k + 1,) int64, where the rows of each household that differs from the others begin
    cells : (rows,) uint32, the cell that each row is of
    of_parts : by the first record of a part, what each of its households is like (h,), and how many stand before it
    """

    identifier: str
    settings: HouseholdSettings
    starts: Ints
    cells: NDArray[np.uint32]
    of_parts: Mapping[int, tuple[NDArray[np.uint32], int]]

    @classmethod
    def of(
        cls, identifier: str, settings: HouseholdSettings, starts: Ints, cells: NDArray[np.uint32],
        sources: Sequence[Source], like: Sequence[Ints],
    ) -> HouseholdPlaces:  # fmt: skip
        """Those of the parts `sources`, of each of which `like` says what its households are like."""
        of_parts, first, before = dict[int, tuple[NDArray[np.uint32], int]](), 0, 0
        for source, own in zip(sources, like, strict=True):
            if source.records:
                of_parts[first] = own.astype(np.uint32), before
            first, before = first + source.records, before + len(own)
        return cls(identifier, settings, starts, cells, of_parts)

    def living(self, part: Microdata, progress: Progress = SILENT) -> Households:
        """The households of a part that was read again."""
        settings = replace(self.settings, empty_id="own-household")  # in the first pass they were refused or taken
        return households_of(part.columns[self.identifier], settings, progress)

    def rows(self, part: Microdata, cell: NDArray[np.uint32], first: int, progress: Progress) -> NDArray[np.uint32]:
        """The row of each record of a part, (n,), whose first record is the one at `first` in the whole file.

        Raises
        ------
        DataError
            ``data-changed``: there is none.
        """
        if not len(cell):
            return cell
        living, (like, _before) = self.living(part, progress), self.of_parts[first]
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


@dataclass(frozen=True, eq=False)
class PartAgain:
    """One part as it was read, which is read again, and how many records stand before it."""

    source: Source
    first: int


@dataclass(frozen=True, eq=False)
class RowsTask:
    """Which rows are wanted of every part: those of its records; `metadata`, `names`: of the cells."""

    metadata: Metadata
    names: tuple[str, ...]
    places: RowPlaces

    def read(self, item: PartAgain, progress: Progress = SILENT) -> tuple[Microdata, NDArray[np.uint32]]:
        """A part, read again, and the row of each of its records.

        Raises
        ------
        DataError
            The part is no longer what it was.
        """
        with as_it_was(item.source, progress):
            part = read_part(item.source.path, self.metadata, self.names, (), progress)
        if part.source.sha256 != item.source.sha256:
            raise changed(item.source.path)
        return part, self.places.of_records(part, item.first, progress)


def rows_of_part(asked: RowsTask, item: PartAgain, progress: Progress = SILENT) -> NDArray[np.uint32]:
    """The row of each record of one part; see `RowsTask.read`."""
    return asked.read(item, progress)[1]


@dataclass(frozen=True, eq=False)
class DrawingTask:
    """What is wanted of every part.

    Attributes
    ----------
    rows : the rows of its records
    unit_of_row : (rows,) int64
    most : (u,) int64, so many records of each unit are wanted at most
    draw : what the records' numbers are drawn from
    decimals : of the sums of weights
    """

    rows: RowsTask
    unit_of_row: Ints
    most: Ints
    draw: Draw
    decimals: tuple[int, ...]


def draw_part(asked: DrawingTask, item: PartAgain, progress: Progress = SILENT) -> Drawn:
    """The records of one part that may be among the first ones of their units; see `RowsTask.read`."""
    part, row = asked.rows.read(item, progress)
    unit = asked.unit_of_row[row]
    there = np.flatnonzero(asked.most[unit])
    limbs: Limbs = ()
    above: Limbs = ()
    if part.weights is not None:
        own = part.weights.decimals
        some = tuple(limb[there] for limb in part.weights.limbs)
        limbs = in_decimals(some, own, asked.decimals)
        above = in_decimals(above_one(some, own), own, asked.decimals)
    numbers = drawn_numbers(asked.draw, item.first, len(row))[there]
    found = Drawn(unit[there], row[there].astype(np.int64), item.first + there, numbers, limbs, above)
    return found.first(asked.most)


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
    last_number, last_record = np.zeros(len(before), np.uint64), np.zeros(len(before), np.int64)
    last_number[portion_of], last_record[portion_of] = found.number, found.record  # in order: the last one stays
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
    division = Division(asked.draw, unit_of_row, ptr, last_number, last_record, places, width)
    finer = replace(cells, columns=columns, count=count[there], limbs=limbs, above_one=above)
    return finer, division, portions.newly[ptr[unit_of_row[row]] + portion], row
