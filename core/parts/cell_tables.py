"""Cells of the parts of a file, and the cells of the whole that they add up to.

The cells are those of all columns that decide anything, every missing code being a value of its own. Codes are merged
by their texts, counts and weights are integers: so what follows from the cells of the whole is, to the last bit, what
follows from its records [method: Files in parts].
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
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
from core.formats.text.records import python_encoding
from core.risk.population_model import weights_above_one
from core.tables.cell_index import CellIndex, Tabulation
from core.tables.grouping import Groups, count_by_group, group_rows, sum_by_group
from core.tables.tabulate import counted_cells

Limbs = tuple[NDArray[np.int64], ...]
_OF_WEIGHTS = ("zero-weights", "weights-look-normalised")
"""Ids of notices about the weights of a part, which say nothing of the whole."""


@dataclass(frozen=True, eq=False)
class PartCells:
    """The m cells of one part, and all that the whole needs to know of it.

    Attributes
    ----------
    source : the part as it was read
    columns : by name, those of the cells with values (m,), then those of which codes and counts alone are wanted, with
        no values
    names : names of the former
    count : (m,) int64, records
    limbs, above_one, decimals : exact sums of the weights and of max(weight - 1, 0), (m,) each; empty without weights
    zeros : records that weigh nothing
    notices : what reading the part said
    """

    source: Source
    columns: Mapping[str, EncodedColumn]
    names: tuple[str, ...]
    count: NDArray[np.int64]
    limbs: Limbs
    above_one: Limbs
    decimals: tuple[int, ...]
    zeros: int
    notices: tuple[Notice, ...]


@dataclass(frozen=True, eq=False)
class WholeCells:
    """The cells of the whole file.

    Attributes
    ----------
    microdata : the cells as rows of a file; each stands for `EncodedColumn.records` records
    rows : for each part, the cell of the whole that each of its cells is in, (m,) uint32
    """

    microdata: Microdata
    rows: tuple[NDArray[np.uint32], ...]


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
    return PartCells(microdata.source, columns, tuple(names), count, limbs, above, decimals, zeros, said)


@dataclass(frozen=True, eq=False)
class Counting:
    """What is wanted of every part: see `part_cells`."""

    metadata: Metadata
    names: tuple[str, ...]
    others: tuple[str, ...] = ()


def count_part(asked: Counting, path: Path, progress: Progress = SILENT) -> PartCells:
    """The cells of the part at `path`.

    Raises
    ------
    DataError
        What `core.formats.registry.read` refuses.
    """
    microdata = read_part(path, asked.metadata, asked.names, asked.others, progress)
    return part_cells(microdata, asked.names, asked.others, progress)


def whole_cells(parts: Sequence[PartCells], metadata: Metadata, progress: Progress = SILENT) -> WholeCells:
    """The cells of the file of which `parts` are all parts, in order.

    Raises
    ------
    DataError
        ``weight-digits``: the weights have more digits than can be added up exactly.
    """
    merged = {name: _merged([part.columns[name] for part in parts], metadata, name) for name in parts[0].columns}
    names = parts[0].names
    values = [
        np.concatenate([lut[part.columns[name].values] for part, lut in zip(parts, merged[name][1], strict=True)])
        for name in names
    ]
    cards = [len(merged[name][0].codes) for name in names]
    count = np.concatenate([part.count for part in parts])
    groups = (
        group_rows(values, cards, progress)
        if names
        else Groups(np.zeros(len(parts), np.uint32), np.zeros(1, np.uint32))
    )
    records = frozen(sum_by_group(groups, count, progress))
    columns = {}
    for name, (column, _luts) in merged.items():
        place = names.index(name) if name in names else None
        rows = column.values if place is None else frozen(values[place][groups.member])
        columns[name] = replace(column, values=rows, records=None if place is None else records)
    weights = _weights(parts, groups, metadata, progress)
    source = _source(parts)
    notices = _notices(parts, metadata, weights, source.records)
    ends = np.cumsum([len(part.count) for part in parts])
    rows_of_part = tuple(np.split(groups.ids, ends[:-1]))
    return WholeCells(Microdata(metadata, source, columns, weights, notices), rows_of_part)


def _source(parts: Sequence[PartCells]) -> Source:
    """The whole as one file: its checksum is that of the parts' checksums and names, a line each, in order."""
    listed = "".join(f"{part.source.sha256}  {part.source.path.name}\n" for part in parts)
    first = parts[0].source
    lengths = {part.source.record_length for part in parts}
    return Source(
        first.path,
        hashlib.sha256(listed.encode()).hexdigest(),
        sum(part.source.size for part in parts),
        first.mtime_ns,
        sum(part.source.records for part in parts),
        max(lengths),
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


def _weights(parts: Sequence[PartCells], groups: Groups, metadata: Metadata, progress: Progress) -> Weights | None:
    if metadata.weight is None:
        return None
    decimals = common_decimals(parts, metadata)
    limbs = _together([in_decimals(part.limbs, part.decimals, decimals) for part in parts])
    above = _together([in_decimals(part.above_one, part.decimals, decimals) for part in parts])
    sums = [tuple(frozen(sum_by_group(groups, limb, progress)) for limb in each) for each in (limbs, above)]
    return Weights(sums[0], decimals, sums[1])


def _together(limbs: Iterable[Limbs]) -> Limbs:
    return tuple(np.concatenate(each) for each in zip(*limbs, strict=True))


def common_decimals(parts: Sequence[PartCells], metadata: Metadata) -> tuple[int, ...]:
    """Decimals of limbs that hold the sums of the weights over all parts.

    Raises
    ------
    DataError
        ``weight-digits``
    """
    places = max(max(part.decimals) for part in parts)
    total = sum(_units(part.limbs, part.decimals, places) for part in parts)
    if places <= PLACES and total + sum(part.source.records for part in parts) < LIMIT:
        return (places,)
    first = min(places, PLACES)
    while first >= 0 and total >= LIMIT * 10 ** (places - first):
        first -= 1
    if first < 0 or sum(len(part.count) for part in parts) * 10 ** (places - first) >= LIMIT:
        assert metadata.weight is not None
        raise DataError(
            "weight-digits",
            mark("{file}: the weights {variable} have more digits than can be added up exactly."),
            mark("Round the weights to fewer decimals."),
            file=parts[0].source.path,
            variable=metadata.weight.name,
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


def _notices(
    parts: Sequence[PartCells], metadata: Metadata, weights: Weights | None, records: int
) -> tuple[Notice, ...]:
    """What reading the parts said, once each, and what is to be said of the weights of the whole."""
    said: dict[tuple[str, str], Notice] = {}
    for part in parts:
        for notice in part.notices:
            said.setdefault((notice.id, notice.where), notice)
    if weights is None or metadata.weight is None:
        return tuple(said.values())
    scaled = _units(weights.limbs, weights.decimals, max(PLACES, *weights.decimals))
    total = records + scaled // 10 ** (max(PLACES, *weights.decimals) - PLACES)
    zeros = sum(part.zeros for part in parts)
    return (*said.values(), *weight_notices(metadata.weight.name, zeros, total, records))
