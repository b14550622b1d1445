"""Unsafe combinations, the traditional rule: rare combinations of codes in chosen tables and all their margins."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn, times_of
from ..kernels import cells as kernels
from .cell_index import CellIndex, Tabulation
from .cells import Cells
from .grouping import blocks
from .projections import Cube, Projection
from .tabulate import tabulate_records

AT_ONCE = 1 << 24
"""Cells times margins of a table that nobody notices; they are counted with the risks."""
LIMIT = 1 << 30
"""Cells times margins of a table that are counted unless somebody asks for all: half a minute."""
SECONDS = 3e-8
"""Of a cell in a margin, roughly."""
_COUNTING = mark("Counting unsafe combinations")


@dataclass(frozen=True)
class UnsafeSpec:
    """A chosen table: its variables and the largest count that is unsafe.

    `judges_records`: whether taking part in one of its unsafe combinations makes a record unsafe (frequency
    tables; others are judged by risk or k and are counted only).
    """

    variables: tuple[str, ...]
    threshold: int
    judges_records: bool = True


@dataclass(frozen=True)
class TableCount:
    """A distinct table or margin (variables in file order), its threshold and its number of unsafe combinations."""

    variables: tuple[str, ...]
    threshold: int
    unsafe: int


@dataclass(frozen=True, eq=False)
class VariableOverview:
    """Unsafe combinations that involve one variable.

    Attributes
    ----------
    name : str
    unsafe_by_dimension : dimension -> number over all distinct tables with the variable; None: no such table. Of the
        dimensions that are counted
    codes : (number of codes, D) int64, the same restricted to each code; column d - 1 is dimension d
    records_by_dimension : dimension -> records that take part in these, of judging tables; None: no such table
    """

    name: str
    unsafe_by_dimension: dict[int, int | None]
    codes: NDArray[np.int64]
    records_by_dimension: dict[int, int | None] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Overview:
    """Unsafe combinations of all chosen tables and their margins, each distinct table once.

    Attributes
    ----------
    dimensions : the largest dimension D
    counted : the dimension up to which all tables are counted; D unless there are very many cells in their margins.
        Tables that judge records are always counted
    work : cells times margins of the tables that are not counted
    variables : one entry for each variable that a table uses, in the order of the columns
    unsafe_by_dimension : dimension -> number over all distinct tables
    tables : every distinct table, by dimension and then by the variables' order
    unsafe_records : variable -> (n,) bool, records in an unsafe combination of a judging table with it
    records_by_dimension : dimension -> records in an unsafe combination of a judging table; empty without one
    """

    dimensions: int
    variables: tuple[VariableOverview, ...]
    unsafe_by_dimension: dict[int, int]
    tables: tuple[TableCount, ...] = ()
    unsafe_records: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    records_by_dimension: Mapping[int, int] = field(default_factory=dict)
    counted: int = -1
    work: int = 0

    def __post_init__(self) -> None:
        if self.counted < 0:
            object.__setattr__(self, "counted", self.dimensions)

    @property
    def is_whole(self) -> bool:
        """Whether all tables and margins are counted."""
        return self.counted == self.dimensions


def unsafe_combinations(
    tables: Sequence[UnsafeSpec],
    columns: Mapping[str, EncodedColumn],
    progress: Progress = SILENT,
    cells: Mapping[frozenset[str], Tabulation] | None = None,
    cube_of: Callable[[Cells], Cube | None] | None = None,
    limit: float = math.inf,
) -> Overview:
    """Count unsafe combinations: between 1 and threshold records have these codes, none of which is missing.

    A margin inherits its table's threshold, the largest if several, except where it is itself a chosen table.

    Parameters
    ----------
    tables : chosen tables
    columns : the variables' encoded columns; their order is the order of the result
    cells : cells of some of these tables that were counted already, by their variables; any missing rule and order
    cube_of : gives the margins of such cells, where they are at hand
    limit : of cells times margins of a table that judges no records: its margins are counted up to the dimension where
        they come to that, at least to the first where it is `LIMIT` or more
    """
    place = {name: i for i, name in enumerate(columns)}
    rules = _distinct_tables(tables, place)
    counter = _Counter(columns, [name for name in place if (place[name],) in rules], max(map(len, rules), default=0))
    chosen = sorted({_key(spec.variables, place) for spec in tables}, key=lambda key: (-len(key), key))
    known = {_key(tuple(names), place): found for names, found in (cells or {}).items() if names <= place.keys()}
    done: set[tuple[int, ...]] = set()
    for number, key in enumerate(chosen):
        progress.report(number, len(chosen), _COUNTING)
        if key not in done:
            at_hand = known.get(key)
            cells_of_key = len(at_hand[0]) if at_hand else _most_cells([counter.column(i) for i in key])
            upto = _dimension_within(cells_of_key, len(key), limit)
            counter.leave_out(upto, len(key), cells_of_key)
            margins = (margin for margin in _margins(key) if len(margin) <= upto or rules[margin][1])
            todo = [margin for margin in margins if margin not in done]
            if not todo:
                continue
            cube = cube_of(at_hand[0]) if at_hand and cube_of else None
            counter.count(key, {margin: rules[margin] for margin in todo}, at_hand, cube, progress)
            done.update(todo)
    return counter.overview()


def margin_thresholds(tables: Sequence[UnsafeSpec]) -> dict[frozenset[str], int]:
    """Largest unsafe count of every distinct table and margin, by its variables; see `unsafe_combinations`."""
    names = list(dict.fromkeys(name for spec in tables for name in spec.variables))
    rules = _distinct_tables(tables, {name: place for place, name in enumerate(names)})
    return {frozenset(names[i] for i in key): threshold for key, (threshold, _) in rules.items()}


def _key(variables: Sequence[str], place: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(sorted(place[name] for name in variables))


def _margins(key: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The table and all its non-empty margins, largest first, so that each can be made from a smaller parent."""
    return [margin for size in range(len(key), 0, -1) for margin in combinations(key, size)]


def _distinct_tables(tables: Sequence[UnsafeSpec], place: Mapping[str, int]) -> dict[tuple[int, ...], tuple[int, bool]]:
    """Every distinct table and margin, with its threshold and whether it judges records."""
    rules: dict[tuple[int, ...], tuple[int, bool]] = {}
    own: dict[tuple[int, ...], int] = {}
    for spec in tables:
        key = _key(spec.variables, place)
        own[key] = max(own.get(key, spec.threshold), spec.threshold)
        for margin in _margins(key):
            threshold, judges = rules.get(margin, (spec.threshold, False))
            rules[margin] = max(threshold, spec.threshold), judges or spec.judges_records
    return {key: (own.get(key, threshold), judges) for key, (threshold, judges) in rules.items()}


def _most_cells(columns: Sequence[EncodedColumn]) -> int:
    """More cells than a table of these columns can have, for one that is not counted yet."""
    return min(len(columns[0].values), math.prod(len(column.codes) + 1 for column in columns))


def _dimension_within(cells: int, variables: int, limit: float) -> int:
    """The dimension up to which the margins of a table, times its cells, stay within a limit."""
    margins = 0
    for size in range(1, variables + 1):
        margins += math.comb(variables, size)
        if cells * margins > limit and (size > 1 or limit < LIMIT):
            return size - 1
    return variables


def _unsafe(table: Projection, threshold: int, progress: Progress) -> tuple[NDArray[np.bool_], NDArray[np.uint32]]:
    """Which combinations of a table are unsafe, and a cell of each."""
    unsafe, members, found = np.empty(len(table), np.bool_), np.empty(len(table), np.uint32), 0
    for part in blocks(len(table), progress):
        found = kernels.find_rare(
            table.count[part], table.missing[part], table.member[part], threshold, unsafe[part], members, found
        )
    return unsafe, members[:found]


class _Counter:
    """Adds up the overview, one chosen table after the other."""

    def __init__(self, columns: Mapping[str, EncodedColumn], used: Sequence[str], dimensions: int) -> None:
        self._columns = list(columns.values())
        self._used = used
        self._codes = {name: np.zeros((len(columns[name].codes), dimensions), np.int64) for name in used}
        self._tables: dict[tuple[int, ...], TableCount] = {}
        self._records: dict[str, NDArray[np.unsignedinteger]] = {}
        """Of each variable the dimensions of the unsafe combinations that a record takes part in, a bit each."""
        self._judging: set[tuple[str, int]] = set()
        self._dimensions = self._counted = dimensions
        self._work = 0

    def column(self, place: int) -> EncodedColumn:
        """A column by its place among all."""
        return self._columns[place]

    def leave_out(self, upto: int, variables: int, cells: int) -> None:
        """The margins of a table that have more than `upto` variables are not counted, unless they judge records."""
        if upto < variables:
            self._counted = min(self._counted, upto)
            self._work += cells * sum(math.comb(variables, size) for size in range(upto + 1, variables + 1))

    def count(
        self,
        key: tuple[int, ...],
        margins: Mapping[tuple[int, ...], tuple[int, bool]],
        known: Tabulation | None,
        cube: Cube | None,
        progress: Progress,
    ) -> None:
        """Count the given margins of the table `key`, whose cells may be at hand, and their margins, too."""
        if known is None:
            known = tabulate_records([self._columns[i] for i in key], None, "category", progress=progress)
        cells, cell_index = known
        bit = {i: cells.variables.index(self._columns[i].name) for i in key}
        judging = any(judges for _, judges in margins.values())
        cube = cube or Cube(cells.codes, cells.cards, cells.missing, cells.count, groups=judging)
        taking_part = {i: np.zeros(len(cells), self._bits) for i in key} if judging else {}
        flags = np.zeros(len(cells) if judging else 0, np.uint64)
        for size, of_size in groupby(margins.items(), key=lambda item: len(item[0])):
            flags[:] = 0  # of each cell the variables of its unsafe combinations of this dimension
            for margin, (threshold, judges) in of_size:
                mask = sum(1 << bit[i] for i in margin)
                table = cube.project(mask, progress)
                unsafe, members = _unsafe(table, threshold, progress)
                self._add(margin, threshold, members, {i: cells.codes[bit[i]] for i in margin}, progress)
                if judges:
                    self._judging.update((self._columns[i].name, size) for i in margin)
                if judges and len(members):
                    np.bitwise_or(flags, np.uint64(mask), out=flags, where=unsafe[table.group_of_cell])
            for i, found in taking_part.items():
                hit = flags >> np.uint64(bit[i]) & np.uint64(1) != 0
                np.bitwise_or(found, self._bits(1 << (size - 1)), out=found, where=hit)
        for i, found in taking_part.items():
            self._mark_records(self._columns[i].name, found, cell_index)

    @property
    def _bits(self) -> type[np.uint8] | type[np.uint16] | type[np.uint32] | type[np.uint64]:
        """The smallest type with a bit for each dimension."""
        sizes = ((8, np.uint8), (16, np.uint16), (32, np.uint32))
        return next((kind for most, kind in sizes if self._dimensions <= most), np.uint64)

    def _mark_records(self, name: str, dimensions: NDArray[np.unsignedinteger], cell_index: CellIndex) -> None:
        if dimensions.any():
            of_record = cell_index.spread(dimensions)
            self._records[name] = self._records[name] | of_record if name in self._records else of_record

    def _add(
        self,
        margin: tuple[int, ...],
        threshold: int,
        members: NDArray[np.uint32],
        codes: Mapping[int, NDArray[np.uint32]],
        progress: Progress,
    ) -> None:
        names = tuple(self._columns[i].name for i in margin)
        self._tables[margin] = TableCount(names, threshold, len(members))
        for i, name in zip(margin, names, strict=True) if len(members) else ():
            total = self._codes[name]
            counts = np.zeros((2, len(total)), np.int64)
            for part in blocks(len(members), progress):
                kernels.count_codes(members[part], codes[i], counts)
            total[:, len(margin) - 1] += counts[0] + counts[1]

    def overview(self) -> Overview:
        """What has been counted."""
        tables = tuple(self._tables[key] for key in sorted(self._tables, key=lambda key: (len(key), key)))
        sizes = range(1, self._counted + 1)
        none = np.zeros(len(self._columns[0].values) if self._columns else 0, np.bool_)
        return Overview(
            self._dimensions,
            tuple(
                VariableOverview(name, self._by_dimension(name, tables), self._codes[name], self._records_of(name))
                for name in self._used
            ),
            {size: sum(t.unsafe for t in tables if len(t.variables) == size) for size in sizes},
            tables,
            {name: self._records[name] != 0 if name in self._records else none for name in self._used},
            self._records_by_dimension(),
            self._counted,
            self._work,
        )

    def _records_of(self, name: str) -> dict[int, int | None]:
        """Of a variable, dimension -> records in unsafe combinations of judging tables with it."""
        found: dict[int, int | None] = dict.fromkeys(range(1, self._dimensions + 1))
        for size in (size for other, size in self._judging if other == name):
            found[size] = self._with_bit(self._records[name], size) if name in self._records else 0
        return found

    def _records_by_dimension(self) -> dict[int, int]:
        sizes = sorted({size for _name, size in self._judging})
        if not self._records:
            return dict.fromkeys(sizes, 0)
        together = np.bitwise_or.reduce(list(self._records.values()))
        return {size: self._with_bit(together, size) for size in sizes}

    def _with_bit(self, dimensions: NDArray[np.unsignedinteger], size: int) -> int:
        flags = dimensions & self._bits(1 << (size - 1)) != 0
        return times_of(self._columns).count(flags)

    def _by_dimension(self, name: str, tables: Sequence[TableCount]) -> dict[int, int | None]:
        found: dict[int, int | None] = dict.fromkeys(range(1, self._counted + 1))
        for table in tables:
            if name in table.variables and len(table.variables) <= self._counted:
                size = len(table.variables)
                found[size] = (found[size] or 0) + table.unsafe
        return found
