"""Cells of the parts of a file, and the cells of the whole that they add up to.

The cells are those of all columns that decide anything, every missing code being a value of its own. Codes are merged
by their texts, counts and weights are integers: so what follows from the cells of the whole is, to the last bit, what
follows from its records [method: Files in parts].
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.base.errors import DataError, Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.data.columns import EncodedColumn, Microdata, Source, Weights
from core.data.encoding import BLANKS, frozen, smallest_type
from core.data.variables import Metadata
from core.data.weights import LIMIT, PLACES, weight_notices
from core.formats.registry import read
from core.formats.text.block_file import changed
from core.formats.text.records import python_encoding
from core.risk.population_model import weights_above_one
from core.tables.cell_index import CellIndex, Tabulation
from core.tables.grouping import Groups, count_by_group, group_rows, sum_by_group
from core.tables.tabulate import counted_cells

Limbs = tuple[NDArray[np.int64], ...]
_OF_WEIGHTS = ("zero-weights", "weights-look-normalised")
"""Ids of notices about the weights of a part, which say nothing of the whole."""


MOST_CODES = 1 << 20
"""Codes kept for the checklist of a column that no model judges; of more the first parts tell what it holds."""

_MERGE_AT = 1 << 21
"""Cells and codes of parts that are at least held before they are merged."""


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
    """

    sources: tuple[Source, ...]
    columns: Mapping[str, EncodedColumn]
    names: tuple[str, ...]
    count: NDArray[np.int64]
    limbs: Limbs
    above_one: Limbs
    decimals: tuple[int, ...]
    zeros: int
    notices: tuple[Notice, ...]

    @property
    def records(self) -> int:
        """Number of records of all parts."""
        return sum(source.records for source in self.sources)

    @property
    def size(self) -> int:
        """Cells and codes: what memory and time go with."""
        return len(self.count) + sum(len(column.codes) for column in self.columns.values())


def read_part(
    path: Path, metadata: Metadata, names: Sequence[str], others: Sequence[str] = (), progress: Progress = SILENT
) -> Microdata:
    """The columns `names` and `others` of one part, and its weights."""
    weight = metadata.weight
    wanted = (*names, *others, *([weight.name] if weight else ()))
    return read(path, metadata, tuple(dict.fromkeys(wanted)), progress)


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
    groups = cells_of_records(microdata, names, progress)
    count = count_by_group(groups, progress)
    columns = {}
    for name in names:
        column = microdata.columns[name]
        columns[name] = replace(column, values=column.values[groups.member])
    for name in others:
        column = microdata.columns[name]
        columns[name] = replace(column, values=column.values[:0].copy())
    weights, zeros = microdata.weights, 0
    limbs: Limbs = ()
    above: Limbs = ()
    decimals: tuple[int, ...] = ()
    if weights is not None:
        limbs, decimals = tuple(sum_by_group(groups, limb, progress) for limb in weights.limbs), weights.decimals
        cards = tuple(len(columns[name].codes) for name in names) or (1,)
        codes = tuple(columns[name].values.astype(np.uint32) for name in names) or (np.zeros(1, np.uint32),)
        cells = counted_cells(tuple(names), cards, codes, count, limbs, decimals, "category", 1.0, progress)
        above = weights_above_one(Tabulation(cells, CellIndex(groups.ids)), weights, progress)
        zeros = int(np.count_nonzero(~np.any([limb != 0 for limb in weights.limbs], axis=0)))
    kept = (*names, *([metadata_weight.name] if (metadata_weight := microdata.metadata.weight) else ()))
    said = tuple(n for n in microdata.notices if n.id not in _OF_WEIGHTS and (not n.where or n.where in kept))
    return PartCells((microdata.source,), columns, tuple(names), count, limbs, above, decimals, zeros, said)


@dataclass(frozen=True, eq=False)
class CountingTask:
    """What is wanted of every part: see `part_cells`."""

    metadata: Metadata
    names: tuple[str, ...]
    others: tuple[str, ...] = ()


def count_part(asked: CountingTask, path: Path, progress: Progress = SILENT) -> PartCells:
    """The cells of the part at `path`.

    Raises
    ------
    DataError
        What `core.formats.registry.read` refuses.
    """
    microdata = read_part(path, asked.metadata, asked.names, asked.others, progress)
    return part_cells(microdata, asked.names, asked.others, progress)


class CellSum:
    """Adds up the cells of the parts of a file, given in order; holds few more than those of the whole."""

    def __init__(self, metadata: Metadata, progress: Progress = SILENT, all_codes: Collection[str] = ()) -> None:
        self._metadata, self._progress, self._all_codes = metadata, progress, frozenset(all_codes)
        self._pending: list[PartCells] = []

    def add(self, part: PartCells) -> None:
        """Add those of one more part."""
        self._pending.append(part)
        if sum(each.size for each in self._pending[1:]) > max(_MERGE_AT, self._pending[0].size):
            self._pending = [together(self._pending, self._metadata, self._progress, self._all_codes)]

    def whole(self) -> PartCells:
        """Those of all parts."""
        self._pending = [together(self._pending, self._metadata, self._progress, self._all_codes)]
        return self._pending[0]


def together(
    parts: Sequence[PartCells], metadata: Metadata, progress: Progress = SILENT, all_codes: Collection[str] = ()
) -> PartCells:
    """The cells of all of `parts`, in order; of the columns `all_codes` every code, however many these are.

    Raises
    ------
    DataError
        ``weight-digits``: the weights have more digits than can be added up exactly.
    """
    names = parts[0].names
    columns, values = {}, []
    for name in parts[0].columns:
        if (
            name not in names
            and name not in all_codes
            and sum(len(part.columns[name].codes) for part in parts) > MOST_CODES
        ):
            columns[name] = parts[0].columns[name]
            continue
        column, luts = _merged([part.columns[name] for part in parts], metadata, name)
        columns[name] = column
        if name in names:
            both = zip(parts, luts, strict=True)
            values.append(np.concatenate([lut[part.columns[name].values] for part, lut in both]))
    count = np.concatenate([part.count for part in parts])
    groups = _groups(values, [len(columns[name].codes) for name in names], len(count), progress)
    for name, codes in zip(names, values, strict=True):
        columns[name] = replace(columns[name], values=frozen(codes[groups.member]))
    limbs: Limbs = ()
    above: Limbs = ()
    decimals: tuple[int, ...] = ()
    if metadata.weight is not None:
        decimals = _common_decimals(parts, metadata.weight.name)
        limbs = _added([in_decimals(part.limbs, part.decimals, decimals) for part in parts], groups, progress)
        above = _added([in_decimals(part.above_one, part.decimals, decimals) for part in parts], groups, progress)
    return PartCells(
        tuple(source for part in parts for source in part.sources),
        columns,
        names,
        frozen(sum_by_group(groups, count, progress)),
        limbs,
        above,
        decimals,
        sum(part.zeros for part in parts),
        tuple({(notice.id, notice.where): notice for part in parts[::-1] for notice in part.notices[::-1]}.values())[
            ::-1
        ],
    )


def _said(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """The first notice of each kind about each variable."""
    found: dict[tuple[str, str], Notice] = {}
    for notice in notices:
        found.setdefault((notice.id, notice.where), notice)
    return tuple(found.values())


def _groups(
    values: Sequence[NDArray[np.unsignedinteger]], cards: Sequence[int], rows: int, progress: Progress
) -> Groups:
    """Rows that agree on all columns; all of them where there is no column."""
    if not values:
        return Groups(np.zeros(rows, np.uint32), np.zeros(1, np.uint32))
    return group_rows(values, cards, progress)


def as_microdata(cells: PartCells, metadata: Metadata) -> Microdata:
    """The cells of the whole as the rows of a file, each of which stands for its records."""
    columns = {
        name: replace(column, records=cells.count) if name in cells.names else column
        for name, column in cells.columns.items()
    }
    weights, said = None, list(cells.notices)
    if metadata.weight is not None:
        weights = Weights(cells.limbs, cells.decimals, cells.above_one)
        places = max(PLACES, *cells.decimals)
        total = cells.records + _units(cells.limbs, cells.decimals, places) // 10 ** (places - PLACES)
        said += weight_notices(metadata.weight.name, cells.zeros, total, cells.records)
    return Microdata(metadata, _source(cells.sources), columns, weights, tuple(said))


class CodePlaces:
    """Finds the codes of a part among those of a column of the whole."""

    def __init__(self, column: EncodedColumn) -> None:
        self._name = column.name
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
    columns : the columns of the cells, with values (m,), in the order of `PartCells.names`; no two rows are the same
    """

    def __init__(self, columns: Sequence[EncodedColumn]) -> None:
        self._columns = tuple(columns)
        self._codes = [CodePlaces(column) for column in columns]

    def of_records(self, part: Microdata, progress: Progress = SILENT) -> NDArray[np.uint32]:
        """The row of each record of `part`, (n,).

        Raises
        ------
        DataError
            ``data-changed``: there is none.
        """
        names = [column.name for column in self._columns]
        groups = cells_of_records(part, names, progress)
        if not names:
            return groups.ids
        values = []
        for name, codes in zip(names, self._codes, strict=True):
            column = part.columns[name]
            values.append(codes.of_codes(column, part.source)[column.values[groups.member]])
        both = zip(self._columns, values, strict=True)
        whole = len(self._columns[0].values)
        joined = [np.concatenate([column.values.astype(np.uint32), own]) for column, own in both]
        found = group_rows(joined, [len(column.codes) for column in self._columns], progress)
        place = np.full(len(found), whole, np.uint32)
        place[found.ids[:whole]] = np.arange(whole, dtype=np.uint32)
        rows = place[found.ids[whole:]]
        if (rows == whole).any():
            raise changed(part.source.path)
        return rows[groups.ids]


def _source(sources: Sequence[Source]) -> Source:
    """The whole as one file: its checksum is that of the parts' checksums and names, a line each, in order."""
    listed = "".join(f"{source.sha256}  {source.path.name}\n" for source in sources)
    return Source(
        sources[0].path,
        hashlib.sha256(listed.encode()).hexdigest(),
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


def _added(limbs: Sequence[Limbs], groups: Groups, progress: Progress) -> Limbs:
    """Limbs of several parts, one after the other, as those of the groups of their rows."""
    joined = (np.concatenate(each) for each in zip(*limbs, strict=True))
    return tuple(frozen(sum_by_group(groups, limb, progress)) for limb in joined)


def _common_decimals(parts: Sequence[PartCells], weight: str) -> tuple[int, ...]:
    """Decimals of limbs that hold the sums of the weights over all parts.

    Raises
    ------
    DataError
        ``weight-digits``
    """
    places = max(max(part.decimals) for part in parts)
    total = sum(_units(part.limbs, part.decimals, places) for part in parts)
    if places <= PLACES and total + sum(part.records for part in parts) < LIMIT:
        return (places,)
    first = min(places, PLACES)
    while first >= 0 and total >= LIMIT * 10 ** (places - first):
        first -= 1
    if first < 0 or sum(len(part.count) for part in parts) * 10 ** (places - first) >= LIMIT:
        raise DataError(
            "weight-digits",
            mark("{file}: the weights {variable} have more digits than can be added up exactly."),
            mark("Round the weights to fewer decimals."),
            file=parts[0].sources[0].path,
            variable=weight,
        )
    return first, places


def _units(limbs: Limbs, decimals: Sequence[int], places: int) -> int:
    """The sum of weights in units of 10**-places."""
    both = zip(limbs, decimals, strict=True)
    return sum(int(limb.sum()) * 10 ** (places - own) for limb, own in both)


def in_decimals(limbs: Limbs, own: tuple[int, ...], decimals: tuple[int, ...]) -> Limbs:
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
