"""Cells of the parts of a file, and the cells of the whole that they add up to.

The cells are those of all columns that decide anything, every missing code being a value of its own. Codes are merged
by their texts, counts and weights are integers: so what follows from the cells of the whole is, to the last bit, what
follows from its records [method: Files in parts].
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark, plural
from ..data.columns import EncodedColumn, Microdata, Source, Weights
from ..data.encoding import BLANKS, frozen, smallest_type
from ..data.households import HouseholdRows, Households
from ..data.variables import Metadata
from ..data.weights import LIMIT, PLACES, count_zeros, weight_notices
from ..formats.memory import available_bytes
from ..formats.text.block_file import changed
from ..formats.text.records import python_encoding
from ..recipe.in_parts import sum_of_parts
from ..risk.population_model import above_one, weights_above_one
from ..rows.source import PartRows
from ..tables.cell_index import CellIndex, Tabulation
from ..tables.cell_runs import (
    FiledRows,
    HeldRows,
    Load,
    grouped,
    in_smallest_type,
    merged,
    put_down,
    type_of_sums,
)
from ..tables.dense import Block, DenseCells, is_dense
from ..tables.grouping import Groups, count_by_group, group_rows, sum_by_group
from ..tables.projections import through
from ..tables.sorted_keys import SortedKeys
from ..tables.tabulate import counted_cells

FixedPoint = tuple[NDArray[np.int64], ...]
_OF_WEIGHTS = ("zero-weights", "weights-look-normalised")
"""Ids of notices about the weights of a part, which say nothing of the whole."""


MOST_CODES = 1 << 20
"""Codes kept for the checklist of a column that no model judges; of more the first parts tell what it holds."""

_MERGE_AT = 1 << 27
"""Bytes of cells of parts that are held before they are merged."""

_NO_CODES = EncodedColumn("", np.zeros(0, np.uint8), (), (), np.zeros(0, np.int64), 0, 0)


class UniformPart(NamedTuple):
    """A part in which a variable has one value.

    Attributes
    ----------
    part : its file name
    code, records : the value, and the records that have it
    """

    part: str
    code: str
    records: int


@dataclass(frozen=True, eq=False)
class PartCells:
    """The m cells of one part or of several, and all that the whole needs to know of them.

    Attributes
    ----------
    sources : the parts as they were read
    columns : by name, those of the cells with values (m,), then those of which codes and counts alone are wanted, with
        no values
    names : names of the former
    count : (m,) int64, records
    limbs, above_one, decimals : exact sums of the weights and of max(weight - 1, 0), (m,) each; empty without weights
    zeros : records that weigh nothing
    notices : what reading them said
    households : those of the whole that differ, where the rows are their members; None: there are none
    uniform : by column of the cells, the parts in which all records that have a value have the same one
    """

    sources: tuple[Source, ...]
    columns: Mapping[str, EncodedColumn]
    names: tuple[str, ...]
    count: NDArray[np.int64]
    limbs: FixedPoint
    above_one: FixedPoint
    decimals: tuple[int, ...]
    zeros: int
    notices: tuple[Notice, ...]
    households: Households | None = None
    uniform: Mapping[str, tuple[UniformPart, ...]] = field(default_factory=dict)

    @property
    def records(self) -> int:
        """Number of records of all parts."""
        return sum(source.records for source in self.sources)


def cells_of_records(microdata: Microdata, names: Sequence[str], progress: Progress = SILENT) -> Groups:
    """The cell of each record of a part, missing codes told apart; the same at every pass."""
    columns = [microdata.columns[name] for name in names]
    if not columns:
        nothing = np.zeros(microdata.records, np.uint32)
        return Groups(nothing, nothing[:1])
    return group_rows([column.values for column in columns], [len(c.codes) for c in columns], progress)


def part_cells(
    microdata: Microdata, names: Sequence[str], others: Sequence[str] = (), progress: Progress = SILENT
) -> PartCells:
    """The cells of one part on the columns `names`; of the columns `others` their codes and counts."""
    weights, zeros = microdata.weights, 0
    columns = {name: microdata.columns[name] for name in names}
    cards = [len(column.codes) for column in columns.values()]
    if is_dense(cards, microdata.records, 1 + (2 * len(weights.limbs) if weights is not None else 0)):
        codes, count, limbs, above = _in_table(microdata, [*columns.values()], cards, progress)
    else:
        codes, count, limbs, above = _by_groups(microdata, names, progress)
    for name, values in zip(names, codes, strict=True):
        columns[name] = replace(columns[name], values=values)
    for name in others:
        column = microdata.columns[name]
        columns[name] = replace(column, values=column.values[:0].copy())
    decimals: tuple[int, ...] = ()
    if weights is not None:
        decimals, zeros = weights.decimals, count_zeros(weights)
    weight = microdata.metadata.weight
    kept = (*names, *([weight.name] if weight is not None and weight.name in others else ()))
    said = tuple(n for n in microdata.notices if n.id not in _OF_WEIGHTS and (not n.where or n.where in kept))
    uniform = {name: (found,) for name in names if (found := _uniform(microdata, name)) is not None}
    return PartCells(
        (microdata.source,), columns, tuple(names), count, limbs, above, decimals, zeros, said, uniform=uniform
    )


def _uniform(microdata: Microdata, name: str) -> UniformPart | None:
    """The value that all records of a part have which have one; None: they have several, or none."""
    column = microdata.columns[name]
    there = np.flatnonzero(column.counts[: column.n_valid])
    if len(there) != 1:
        return None
    code = int(there[0])
    return UniformPart(microdata.source.path.name, column.codes[code], int(column.counts[code]))


_Counted = tuple[list[NDArray[np.unsignedinteger]], NDArray[np.int64], FixedPoint, FixedPoint]
"""The codes of cells, their records, and the limbs of their weights and of what is above one."""


def _in_table(
    microdata: Microdata, columns: Sequence[EncodedColumn], cards: Sequence[int], progress: Progress
) -> _Counted:
    """The cells of records, by a table of all that could be."""
    limbs: FixedPoint = ()
    decimals: tuple[int, ...] = (0,)
    if microdata.weights is not None:
        limbs, decimals = microdata.weights.limbs, microdata.weights.decimals
    one = 10 ** decimals[0]
    is_above = microdata.weights is None or microdata.weights.least >= one

    def block(part: slice) -> Block:
        weights = [limb[part] for limb in limbs]
        above = () if is_above else above_one(weights, decimals)
        return [column.values[part] for column in columns], [None, *weights, *above]

    table = DenseCells(cards, 1 + (len(limbs) if is_above else 2 * len(limbs)))
    table.add(microdata.records, block, progress)
    codes, (count, *sums) = table.found()
    found = [values.astype(column.values.dtype) for values, column in zip(codes, columns, strict=True)]
    weights, above = tuple(sums[: len(limbs)]), tuple(sums[len(limbs) :])
    if limbs and is_above:
        above = weights[0] - one * count, *weights[1:]
    return found, count, weights, above


def _by_groups(microdata: Microdata, names: Sequence[str], progress: Progress) -> _Counted:
    """The same by sorting the cells that occur."""
    groups = cells_of_records(microdata, names, progress)
    count = count_by_group(groups, progress)
    columns = [microdata.columns[name] for name in names]
    found = [column.values[groups.member] for column in columns]
    weights = microdata.weights
    if weights is None:
        return found, count, (), ()
    limbs = tuple(sum_by_group(groups, limb, progress) for limb in weights.limbs)
    cards = tuple(len(column.codes) for column in columns) or (1,)
    codes = tuple(values.astype(np.uint32) for values in found) or (np.zeros(1, np.uint32),)
    cells = counted_cells(tuple(names), cards, codes, count, limbs, weights.decimals, "category", 1.0, progress)
    return found, count, limbs, weights_above_one(Tabulation(cells, CellIndex(groups.ids)), weights, progress)


def on_fewer(cells: PartCells, names: Sequence[str], progress: Progress = SILENT) -> PartCells:
    """What `cells` add up to on some of their columns."""
    columns = [cells.columns[name] for name in names]
    if columns:
        groups = group_rows([column.values for column in columns], [len(c.codes) for c in columns], progress)
    else:
        groups = Groups(np.zeros(len(cells.count), np.uint32), np.zeros(1, np.uint32))

    def added(numbers: FixedPoint) -> FixedPoint:
        return tuple(frozen(sum_by_group(groups, each, progress)) for each in numbers)

    return replace(
        cells,
        columns={
            name: replace(column, values=frozen(column.values[groups.member]))
            for name, column in zip(names, columns, strict=True)
        },
        names=tuple(names),
        count=added((cells.count,))[0],
        limbs=added(cells.limbs),
        above_one=added(cells.above_one),
        uniform={name: found for name, found in cells.uniform.items() if name in names},
    )


@dataclass(frozen=True, eq=False)
class CountingTask:
    """The cells of each part: see `part_cells`."""

    cells: tuple[str, ...]
    others: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """See `core.rows.scan.PartTask`."""
        return (*self.cells, *self.others)

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> PartCells:
        """The cells of one part."""
        return part_cells(rows.data, self.cells, self.others, progress)


class CellSum:
    """Adds up the cells of the parts of a file, given in order.

    Holds little more than those of the whole in memory; what would exceed `memory` stands in a temporary file without a
    name, which ends with this object, or with the process however that ends.

    Parameters
    ----------
    all_codes : columns of which every code is kept, however many these are
    memory : bytes that cells of parts may take here; None: a share of what is free
    """

    def __init__(
        self,
        metadata: Metadata,
        progress: Progress = SILENT,
        all_codes: Collection[str] = (),
        memory: int | None = None,
    ) -> None:
        self._metadata, self._progress, self._all_codes = metadata, progress, frozenset(all_codes)
        self._memory = memory if memory is not None else _share_of_memory()
        self._held: list[_Run] = []
        self._filed: list[_Run] = []
        self._file: IO[bytes] | None = None
        self._merged = 0

    def __enter__(self) -> CellSum:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, part: PartCells) -> None:
        """Add those of one more part.

        Raises
        ------
        OutputError
            They do not fit, and cannot be put down.
        """
        self._held.append(_Run.of(part))
        if self._bytes > min(self._memory, max(_MERGE_AT, 2 * self._merged)):
            self._held = [self._together(self._held)]
            self._merged = self._bytes
        if 2 * self._bytes > self._memory:
            if self._file is None:
                self._file = TemporaryFile(prefix="pavo-", buffering=0)  # noqa: SIM115 - closed by __exit__
            self._filed += [run.put_down(self._file, self._progress) for run in self._held]
            self._held, self._merged = [], 0

    def whole(self) -> PartCells:
        """Those of all parts.

        Raises
        ------
        DataError
            ``weight-digits``: the weights have more digits than can be added up exactly.
        """
        return self._together([*self._filed, *self._held], whole=True).cells()

    @property
    def _bytes(self) -> int:
        return sum(run.rows.nbytes for run in self._held if isinstance(run.rows, HeldRows))

    def _together(self, runs: Sequence[_Run], whole: bool = False) -> _Run:
        return _together(runs, self._metadata, self._progress, self._all_codes, whole)


def _share_of_memory() -> int:
    """Bytes for cells of parts: what follows from the cells of the whole takes several times as much."""
    free = available_bytes()
    return _MERGE_AT if free is None else max(_MERGE_AT, free // 8)


@dataclass(frozen=True, eq=False)
class _Run:
    """Cells of one part or of several, sorted, as `core.tables.cell_runs` holds them.

    Attributes
    ----------
    head : all that is known of them, but without a row
    rows : the codes by `PartCells.names`, count, limbs and above_one
    most, totals : the largest number of each of count, limbs and above_one, and their sums
    """

    head: PartCells
    rows: HeldRows | FiledRows
    most: tuple[int, ...]
    totals: tuple[int, ...]

    @classmethod
    def of(cls, cells: PartCells) -> _Run:
        sums = (cells.count, *cells.limbs, *cells.above_one)
        arrays = (*(cells.columns[name].values for name in cells.names), *map(in_smallest_type, sums))
        none = tuple(limb[:0] for limb in cells.limbs)
        columns = {name: replace(column, values=column.values[:0].copy()) for name, column in cells.columns.items()}
        head = replace(cells, columns=columns, count=cells.count[:0].copy(), limbs=none, above_one=none)
        return cls.with_rows(head, arrays, sums)

    @classmethod
    def with_rows(cls, head: PartCells, arrays: tuple[NDArray[Any], ...], sums: Sequence[NDArray[Any]]) -> _Run:
        """With rows in memory, of which `sums` are the numbers behind the codes."""
        most, totals = (tuple(int(find(each)) for each in sums) for find in (_largest, np.sum))
        return cls(head, HeldRows(arrays), most, totals)

    def put_down(self, file: IO[bytes], progress: Progress) -> _Run:
        """The same with its rows in a file."""
        return self if isinstance(self.rows, FiledRows) else replace(self, rows=put_down(self.rows, file, progress))

    def cells(self) -> PartCells:
        """The same as cells, which are in memory."""
        codes, count, limbs, above = self._split(self.rows.read(0, len(self.rows)))
        columns = dict(self.head.columns)
        for name, values in zip(self.head.names, codes, strict=True):
            columns[name] = replace(columns[name], values=frozen(values))
        return replace(self.head, columns=columns, count=count, limbs=limbs, above_one=above)

    def _split(
        self, arrays: Sequence[NDArray[Any]]
    ) -> tuple[Sequence[NDArray[Any]], NDArray[np.int64], FixedPoint, FixedPoint]:
        k = len(self.head.names)
        count, *sums = (frozen(each.astype(np.int64, copy=False)) for each in arrays[k:])
        return arrays[:k], count, tuple(sums[: len(sums) // 2]), tuple(sums[len(sums) // 2 :])

    def load(self, luts: Sequence[NDArray[np.unsignedinteger]], decimals: tuple[int, ...], progress: Progress) -> Load:
        """How its rows are read with the codes that `luts` give for its own, and weights in `decimals`."""
        rows = self.rows if all(map(self._keeps_order, self.head.names, luts)) else self._sorted(luts, progress)

        def load(first: int, last: int) -> tuple[list[NDArray[np.unsignedinteger]], list[NDArray[np.int64]]]:
            codes, count, limbs, above = self._split(rows.read(first, last))
            own = self.head.decimals
            sums = [count, *in_decimals(limbs, own, decimals), *in_decimals(above, own, decimals)]
            return [through(values, lut) for lut, values in zip(luts, codes, strict=True)], sums

        return load

    def _keeps_order(self, name: str, lut: NDArray[np.unsignedinteger]) -> bool:
        there = lut[self.head.columns[name].counts > 0]
        return bool((there[1:] > there[:-1]).all())

    def _sorted(self, luts: Sequence[NDArray[np.unsignedinteger]], progress: Progress) -> HeldRows:
        """The rows in the order of other codes."""
        arrays = self.rows.read(0, len(self.rows))
        codes = [lut[values] for lut, values in zip(luts, arrays, strict=False)]
        order = grouped(codes, [int(lut.max(initial=0)) + 1 for lut in luts], len(self.rows), progress).member
        return HeldRows(tuple(array[order] for array in arrays))


def _together(
    runs: Sequence[_Run], metadata: Metadata, progress: Progress, all_codes: Collection[str], whole: bool
) -> _Run:
    """The cells of all of `runs`; of the `whole`: as numbers of eight bytes, else of as few as will do."""
    heads = [run.head for run in runs]
    names, columns, luts = heads[0].names, {}, []
    for name in heads[0].columns:
        if (
            name not in names
            and name not in all_codes
            and sum(len(head.columns[name].codes) for head in heads) > MOST_CODES
        ):
            columns[name] = heads[0].columns[name]
            continue
        columns[name], of_runs = _merged([head.columns[name] for head in heads], metadata, name)
        if name in names:
            luts.append(of_runs)
    cards = [len(columns[name].codes) for name in names]
    decimals = _common_decimals(runs, metadata.weight.name) if metadata.weight is not None else ()
    same = all(head.decimals == decimals for head in heads)
    bounds = [sum(each) for each in zip(*(run.most for run in runs), strict=True)] if same else []
    small = [type_of_sums(most) for most in bounds] if same and not whole else [np.int64] * (1 + 2 * len(decimals))
    loads = [run.load([lut[i] for lut in luts], decimals, progress) for i, run in enumerate(runs)]
    arrays = merged(
        [(len(run.rows), load) for run, load in zip(runs, loads, strict=True)],
        cards,
        [*map(smallest_type, cards), *small],
        progress,
    )
    none = tuple(np.zeros(0, np.int64) for _ in decimals)
    head = PartCells(
        tuple(source for each in heads for source in each.sources),
        columns,
        names,
        np.zeros(0, np.int64),
        none,
        none,
        decimals,
        sum(each.zeros for each in heads),
        _said(notice for each in heads for notice in each.notices),
        uniform=_uniform_parts(heads),
    )
    return _Run.with_rows(head, arrays, arrays[len(names) :])


def _uniform_parts(heads: Sequence[PartCells]) -> dict[str, tuple[UniformPart, ...]]:
    names = dict.fromkeys(name for head in heads for name in head.uniform)
    return {name: tuple(part for head in heads for part in head.uniform.get(name, ())) for name in names}


def _largest(values: NDArray[Any]) -> int:
    return int(values.max(initial=0))


def _said(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """The first notice of each kind about each variable."""
    found: dict[tuple[str, str], Notice] = {}
    for notice in notices:
        found.setdefault((notice.id, notice.where), notice)
    return tuple(found.values())


def as_microdata(cells: PartCells, metadata: Metadata) -> Microdata:
    """The cells of the whole as the rows of a file, each of which stands for its records."""
    columns = {
        name: replace(column, records=cells.count) if name in cells.names else column
        for name, column in cells.columns.items()
    }
    identifier, living = metadata.household_id, cells.households
    if identifier is not None and living is not None:
        codes = cells.columns.get(identifier.name, _NO_CODES)
        of_rows = replace(codes, name=identifier.name, values=living.household_of_record, records=cells.count)
        columns[identifier.name] = HouseholdRows(**vars(of_rows), households=living)
    weights, said = None, [*cells.notices, *_told_of_copies(cells.sources)]
    if metadata.weight is not None:
        weights = Weights(cells.limbs, cells.decimals, cells.above_one)
        places = max(PLACES, *cells.decimals)
        units = _units([int(limb.sum()) for limb in cells.limbs], cells.decimals, places)
        total = cells.records + units // 10 ** (places - PLACES)
        said += weight_notices(metadata.weight.name, cells.zeros, total, cells.records)
    return Microdata(metadata, _source(cells.sources), columns, weights, tuple(said), cells.sources)


def _told_of_copies(sources: Sequence[Source]) -> tuple[Notice, ...]:
    """What is said where parts have the same bytes: somebody who stands in both is no longer rare."""
    first: dict[str, Source] = {}
    copies = [(first[s.sha256], s) for s in sources if first.setdefault(s.sha256, s) is not s]
    if not copies:
        return ()
    one, other = copies[0]
    return (
        Notice.of(
            "parts-alike",
            plural(
                len(copies),
                (
                    "The parts {part} and {other} are the same, byte for byte. If one is a copy, its records count "
                    "twice, and rare combinations pass for safe: take it out."
                ),
                (
                    "{count} parts are the same, byte for byte, as one before them, for example {other} as {part}. If "
                    "these are copies, their records count more than once, and rare combinations pass for safe: take "
                    "them out."
                ),
            ),
            count=len(copies),
            part=one.path.name,
            other=other.path.name,
        ),
    )


class CodePlaces:
    """Finds the codes of a part among those of a column of the whole."""

    def __init__(self, column: EncodedColumn) -> None:
        self.name = column.name
        self._place = {code: i for i, code in enumerate(column.codes)}

    def of_codes(self, column: EncodedColumn, source: Source) -> NDArray[np.uint32]:
        """The place of each code of `column`, which was read from a part.

        Raises
        ------
        DataError
            ``data-changed``: one is not there.
        """
        found = np.fromiter((self._place.get(code, -1) for code in column.codes), np.int64, len(column.codes))
        if (found[column.counts > 0] < 0).any():
            raise changed(source.path)
        return found.astype(np.uint32)

    def of_column(self, column: EncodedColumn, source: Source) -> NDArray[np.uint32]:
        """The place of the code of each record, (n,)."""
        found: NDArray[np.uint32] = self.of_codes(column, source)[column.values]
        return found


class CellPlaces:
    """Finds the cell of the whole that each record of a part is in.

    Parameters
    ----------
    columns : the columns of the cells, with values (m,), in the order of `PartCells.names`; the rows are sorted, and no
        two are the same
    """

    def __init__(self, columns: Sequence[EncodedColumn], progress: Progress = SILENT) -> None:
        self._codes = {column.name: CodePlaces(column) for column in columns}
        cards = [len(column.codes) for column in columns]
        self._keys = SortedKeys([column.values for column in columns], cards, progress) if columns else None

    def of_records(self, part: Microdata, progress: Progress = SILENT) -> NDArray[np.uint32]:
        """The row of each record of `part`, (n,).

        Raises
        ------
        DataError
            ``data-changed``: there is none.
        """
        groups = cells_of_records(part, list(self._codes), progress)
        if self._keys is None:
            return groups.ids
        values = []
        for name, codes in self._codes.items():
            column = part.columns[name]
            values.append(codes.of_codes(column, part.source)[column.values[groups.member]])
        rows = self._keys.find(values, progress)
        if (rows == len(self._keys)).any():
            raise changed(part.source.path)
        return through(groups.ids, rows, progress)


def _source(sources: Sequence[Source]) -> Source:
    """The whole as one file: its checksum is that of the parts' checksums and names, a line each, in order."""
    return Source(
        sources[0].path,
        sum_of_parts((source.sha256, source.path.name) for source in sources),
        sum(source.size for source in sources),
        sources[0].mtime_ns,
        sum(source.records for source in sources),
        max(source.record_length for source in sources),
    )


def _merged(
    columns: Sequence[EncodedColumn], metadata: Metadata, name: str
) -> tuple[EncodedColumn, list[NDArray[np.unsignedinteger]]]:
    """One column without values that has the codes of all, as the whole file has them; and from each one's codes."""
    encoding, fixed = python_encoding(metadata.encoding), metadata.format == "fixed"
    if metadata.format not in ("fixed", "delimited"):
        encoding = "utf-8"
    width = max(column.width for column in columns)
    forms: dict[str, str] = {}
    for column in columns:
        for code, form in zip(column.codes[: column.n_valid], column.padded[: column.n_valid], strict=True):
            forms.setdefault(code, form)
    missing = _missing(columns, metadata, name)
    if not fixed:
        forms = {code: _padded(code, width, encoding) for code in forms}
    valid = sorted(forms, key=lambda code: forms[code].encode(encoding, "replace"))
    tail = {code: _padded(code, width, encoding) for code in missing}
    for column in columns if fixed else ():
        found = zip(column.missing_codes, column.padded[column.n_valid :], column.counts[column.n_valid :], strict=True)
        tail |= {code: form for code, form, count in found if count and tail[code] == _padded(code, width, encoding)}
    codes = (*valid, *missing)
    place = {code: number for number, code in enumerate(codes)}
    small: type[np.unsignedinteger] = smallest_type(len(codes))
    counts = np.zeros(len(codes), np.int64)
    luts: list[NDArray[np.unsignedinteger]] = []
    for column in columns:
        lut = np.fromiter((place[code] for code in column.codes), np.int64, len(column.codes))
        counts[lut] += column.counts
        luts.append(lut.astype(small))
    padded = (*map(forms.__getitem__, valid), *map(tail.__getitem__, missing))
    return EncodedColumn(name, np.empty(0, small), codes, padded, frozen(counts), len(valid), width), luts


def _missing(columns: Sequence[EncodedColumn], metadata: Metadata, name: str) -> tuple[str, ...]:
    """Declared missing codes, then those that are missing by a range or by nature, in ascending order."""
    declared = dict.fromkeys(code.strip(BLANKS) for code in metadata[name].missing)
    more = {code for column in columns for code in column.missing_codes} - declared.keys()
    return (*declared, *sorted(more, key=_order))


def _order(code: str) -> float:
    if not code:
        return -np.inf
    try:
        return float(code)
    except ValueError:
        return float(ord(code[-1]))


def _padded(code: str, width: int, encoding: str) -> str:
    return " " * (width - len(code.encode(encoding, "replace"))) + code


def _common_decimals(runs: Sequence[_Run], weight: str) -> tuple[int, ...]:
    """Decimals of limbs that hold the sums of the weights over all parts.

    Raises
    ------
    DataError
        ``weight-digits``
    """
    places = max(max(run.head.decimals) for run in runs)
    total = sum(_units(run.totals[1:], run.head.decimals, places) for run in runs)
    records, rows = sum(run.head.records for run in runs), sum(len(run.rows) for run in runs)
    found = decimals_of_sums(places, total, records, rows)
    if found is None:
        raise too_many_digits(runs[0].head.sources[0].path, weight)
    return found


def decimals_of_sums(places: int, total: int, records: int, rows: int) -> tuple[int, ...] | None:
    """Decimals of limbs that hold sums of weights; None: there are none.

    Parameters
    ----------
    places : decimals of the weights
    total : of all of them, in units of 10**-places
    records : number of weights
    rows : number of sums
    """
    if places <= PLACES and total + records < LIMIT:
        return (places,)
    first = min(places, PLACES)
    while first >= 0 and total >= LIMIT * 10 ** (places - first):
        first -= 1
    if first < 0 or rows * 10 ** (places - first) >= LIMIT:
        return None
    return first, places


def too_many_digits(file: Path, weight: str) -> DataError:
    """The error that sums of weights would not be exact."""
    return DataError(
        "weight-digits",
        mark("{file}: the weights {variable} have more digits than can be added up exactly."),
        mark("Round the weights to fewer decimals."),
        file=file,
        variable=weight,
    )


def _units(totals: Sequence[int], decimals: Sequence[int], places: int) -> int:
    """The sum of weights, of the sums of their limbs, in units of 10**-places."""
    return sum(total * 10 ** (places - own) for total, own in zip(totals, decimals, strict=False))


def in_decimals(limbs: FixedPoint, own: tuple[int, ...], decimals: tuple[int, ...]) -> FixedPoint:
    """The same sums of weights with limbs of other decimals, which hold them."""
    if own == decimals:
        return limbs
    if len(own) == len(decimals) == 1:
        return (limbs[0] * 10 ** (decimals[0] - own[0]),)
    places, first = decimals[-1], decimals[0]
    exact = sum(limb.astype(object) * 10 ** (places - d) for limb, d in zip(limbs, own, strict=True))
    unit = 10 ** (places - first)
    if len(decimals) == 1:
        return (np.asarray(exact, np.int64),)
    return np.asarray(exact // unit, np.int64), np.asarray(exact % unit, np.int64)
