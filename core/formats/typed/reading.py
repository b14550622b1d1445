"""Typed files as records of texts, so that the encoders, weights and checks of the text formats serve them too."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from ...data.columns import Microdata, Weights
from ...data.encoding import FoldedTexts, TextTable
from ...data.variables import Metadata
from ...recipe.model import Format
from ..text.block_file import BlockFile
from ..text.reading import encode_records, finished, joined
from ..text.records import BLOCK_RECORDS, FoldedBlock, RecordBlock, Spans, no_records
from ..text.writing import needs_quotes
from .columns import TypedField, TypedFile, plain_numbers, text_dictionary

Block = TypeVar("Block", RecordBlock, FoldedBlock)

MODULES: dict[Format, str] = {
    "spss": ".spss",
    "stata": ".stata",
    "sas": ".sas",
    "parquet": ".parquet",
    "excel": ".excel",
}
"""Module of each format with types; its functions are those of `TypedFormat`."""


class TypedFormat(Protocol):
    """Interface of a typed format's module."""

    def describe(self, path: Path, progress: Progress = SILENT) -> TypedFile:
        """Fields, labels and declared missing values; reads no more than it must."""

    def batches(
        self, path: Path, file: TypedFile, names: Sequence[str], progress: Progress = SILENT
    ) -> Iterator[pa.RecordBatch]:
        """The columns `names`, in that order, some records at a time."""

    def write(
        self, path: Path, file: TypedFile, batches: Iterable[pa.RecordBatch], progress: Progress = SILENT
    ) -> None:
        """Write a file as `file` describes it."""


def typed_format(format: Format) -> TypedFormat:
    """The module that reads and writes a typed format."""
    return cast(TypedFormat, importlib.import_module(MODULES[format], __package__))


class TypedRecords:
    """The records of a typed file, block after block, every field as its code in UTF-8.

    Parameters
    ----------
    path, metadata, names : as everywhere
    delimiter : where given, `RecordBlock.raw` is the field as it must stand in text with that delimiter
    progress : told how far the reading is

    Attributes
    ----------
    ranges : by name, the codes met that are missing by a declared range or by nature, in ascending order
    """

    fixed = False
    record_length = 0
    opening = b""

    def __init__(
        self,
        path: Path,
        metadata: Metadata,
        names: Collection[str],
        delimiter: str | None = None,
        progress: Progress = SILENT,
    ) -> None:
        self.path = path
        self.metadata = metadata
        self.slots: Mapping[str, int] = {name: i for i, name in enumerate(names)}
        self._format = typed_format(metadata.format)
        self._delimiter = None if delimiter is None else ord(delimiter)
        self._progress = progress
        self._found: dict[str, dict[str, float]] = {name: {} for name in names}
        self._tables: dict[int, tuple[pa.Array, TextTable]] = {}
        """By slot the dictionary that the field had last."""

    def blocks(self, file: BlockFile) -> Iterator[RecordBlock]:
        """Whole records in file order; the file's bytes are taken first, for its checksum.

        Raises
        ------
        DataError
            ``column-missing``, ``data-empty``, or that the file is damaged.
        """
        yield from self._each(file, self._block, _empty_block)

    def folded_blocks(self, file: BlockFile) -> Iterator[FoldedBlock]:
        """The same, of which every text is given once."""
        yield from self._each(file, self._folded, lambda lines: FoldedBlock(lines, _no_texts, _no_numbers))

    def _each(
        self,
        file: BlockFile,
        block: Callable[[Sequence[TypedField], pa.RecordBatch, range], Block],
        empty: Callable[[range], Block],
    ) -> Iterator[Block]:
        """Whole records in file order, as `block` makes them, or as `empty` does where there is no field."""
        while file.more():
            self._progress.check()
            file.take(len(file.data))
        described = self._format.describe(self.path, self._progress)
        for name in self.slots:
            if name not in described:
                raise _no_column(self.path, name)
        fields = [described[name] for name in self.slots]
        first = 0
        if not fields:
            # Records have to be counted even where no variable is asked for.
            total = described.records if described.records >= 0 else self._counted(described)
            for first in range(0, total, BLOCK_RECORDS):
                yield empty(range(first + 1, min(first + BLOCK_RECORDS, total) + 1))
            first = total
        else:
            batches = getattr(self._format, "folded_batches", self._format.batches)
            for batch in batches(self.path, described, tuple(self.slots), self._progress):
                for begin in range(0, batch.num_rows, BLOCK_RECORDS):
                    part = batch.slice(begin, BLOCK_RECORDS)
                    yield block(fields, part, range(first + 1, first + part.num_rows + 1))
                    first += part.num_rows
        if not first:
            raise no_records(self.path)
        if first != described.records >= 0:
            raise DataError(
                "data-truncated-typed",
                mark("{file} says that it holds {expected} records, but {found} could be read."),
                mark("The file is incomplete: fetch it again."),
                file=self.path,
                expected=described.records,
                found=first,
            )

    def _counted(self, described: TypedFile) -> int:
        names = [field.name for field in described.fields[:1]]
        return sum(batch.num_rows for batch in self._format.batches(self.path, described, names, self._progress))

    def _folded(self, fields: Sequence[TypedField], batch: pa.RecordBatch, lines: range) -> FoldedBlock:
        def texts(slot: int) -> FoldedTexts:
            field, column = fields[slot], batch.column(slot)
            if not (field.ranges or field.special) and _is_short(column):
                return self._by_dictionary(slot, field, column)
            found, index = text_dictionary(field, column)
            self._find_missing(field, found)
            return FoldedTexts(_table(found, as_met=True), index.view(np.int32))

        return FoldedBlock(lines, texts, lambda slot: plain_numbers(fields[slot], batch.column(slot)))

    def _by_dictionary(self, slot: int, field: TypedField, column: pa.DictionaryArray) -> FoldedTexts:
        """The texts of a column by its dictionary, behind which stands that of an absent value."""
        words, absent = column.dictionary, pa.array([""], pa.string())
        if slot not in self._tables or not self._tables[slot][0].equals(words):
            plain = words if pa.types.is_string(words.type) else words.cast(pa.string())
            self._tables[slot] = words, _table(pa.concat_arrays([plain, absent]), as_met=False)
        table, indices = self._tables[slot][1], column.indices.cast(pa.int32())
        has_absent = indices.null_count > 0
        if has_absent:
            indices = indices.fill_null(len(words))
        index = indices.to_numpy(zero_copy_only=False)
        if absent_is_missing(field, self.metadata.format) and "" not in self._found[field.name]:
            empty = np.flatnonzero(table.lengths == 0)
            if has_absent or (len(empty) > 1 and np.isin(index, empty).any()):
                self._found[field.name][""] = -math.inf
        return FoldedTexts(table, index)

    def _block(self, fields: Sequence[TypedField], batch: pa.RecordBatch, lines: range) -> RecordBlock:
        n = batch.num_rows
        parts: list[NDArray[np.uint8]] = []
        used = 0
        plain: list[Spans] = []
        quoted: list[Spans] = []
        for field, column in zip(fields, batch.columns, strict=True):
            self._progress.check()
            texts, index = text_dictionary(field, column)
            self._find_missing(field, texts)
            for spans, forms in ((plain, texts), (quoted, self._quoted(texts))):
                if forms is None:
                    continue
                data, offsets = text_buffers(forms)
                starts = (offsets[:-1] + used)[index].astype(np.int32)
                spans.append((starts, np.diff(offsets)[index].astype(np.int32)))
                parts.append(data)
                used += len(data)
        eols = np.ones(n, np.uint8)
        raw = quoted or plain
        data = np.concatenate([*parts, np.zeros(1, np.uint8)])
        return RecordBlock(data, lines[0] - 1, _numbers(lines), eols, plain.__getitem__, raw.__getitem__)

    def _quoted(self, texts: pa.StringArray) -> pa.StringArray | None:
        if self._delimiter is None:
            return None
        forms = []
        for text in texts.to_pylist():
            needed = needs_quotes(text.encode(), self._delimiter)
            forms.append('"' + text.replace('"', '""') + '"' if needed else text)
        return pa.array(forms, pa.string())

    def _find_missing(self, field: TypedField, texts: pa.StringArray) -> None:
        found = self._found[field.name]
        if absent_is_missing(field, self.metadata.format) and "" not in found and pc.any(pc.equal(texts, "")).as_py():
            found[""] = -math.inf
        if not field.ranges and not field.special:
            return
        if not field.ranges:
            texts = texts.filter(pc.match_substring_regex(texts, r"^\.[a-z_]$"))
        for text in texts.to_pylist():
            if text not in found and (order := missing_order(field, text)) is not None:
                found[text] = order

    @property
    def ranges(self) -> dict[str, tuple[str, ...]]:
        """See the class."""
        return {name: tuple(sorted(found, key=found.__getitem__)) for name, found in self._found.items()}

    def heading(self, layout: Metadata) -> bytes:
        """Header of a delimited file laid out like `layout`."""
        delimiter = ord(layout.delimiter)
        fields = []
        for name in layout.names:
            text = name.encode()
            fields.append(b'"' + text.replace(b'"', b'""') + b'"' if needs_quotes(text, delimiter) else text)
        return bytes([delimiter]).join(fields) + b"\n" if layout.header else b""


def absent_is_missing(field: TypedField, format: Format) -> bool:
    """Whether an absent value is missing whatever is declared: all but a blank text of SPSS, which is a value."""
    return format != "spss" or not field.is_text


def missing_order(field: TypedField, code: str) -> float | None:
    """Where a code stands among those missing by a range or by nature; None where it is not one of them."""
    if field.special and len(code) == 2 and code[0] == ".":
        return float(ord(code[1]))
    try:
        value = float(code)
    except ValueError:
        return None
    return value if any(low <= value <= high for low, high in field.ranges) else None


def text_buffers(texts: pa.StringArray) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Bytes and offsets of an array of texts."""
    _, offsets, data = texts.buffers()
    places = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    content = np.empty(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)[: places[-1]]
    return content, places


def _is_short(column: pa.Array) -> bool:
    """Whether a column has a dictionary of texts, without nulls, and not many more than it has values."""
    if not pa.types.is_dictionary(column.type):
        return False
    kind, words = column.type.value_type, column.dictionary
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return is_text and not words.null_count and len(words) <= 2 * len(column) + 1024


def _table(texts: pa.StringArray, as_met: bool) -> TextTable:
    data, offsets = text_buffers(texts)
    content = np.concatenate([data, np.zeros(1, np.uint8)])
    return TextTable(content, offsets[:-1].astype(np.int32), np.diff(offsets).astype(np.int32), as_met)


def _no_texts(slot: int) -> FoldedTexts:
    raise KeyError(slot)


def _no_numbers(slot: int) -> None:
    return None


def _numbers(lines: range) -> NDArray[np.int64]:
    return np.arange(lines.start, lines.stop, dtype=np.int64)


def _empty_block(lines: range) -> RecordBlock:
    none: Spans = (np.empty(0, np.int32), np.empty(0, np.int32))
    n, data = len(lines), np.zeros(1, np.uint8)
    return RecordBlock(data, lines[0] - 1, _numbers(lines), np.ones(n, np.uint8), lambda _: none, lambda _: none)


def _no_column(path: Path, name: str) -> DataError:
    return DataError(
        "column-missing",
        mark("{file} has no variable {variable}."),
        mark("Correct the variable's name; upper and lower case differ."),
        file=path,
        variable=name,
    )


def read(
    path: Path,
    metadata: Metadata,
    names: Collection[str],
    progress: Progress = SILENT,
    known: Weights | None = None,
) -> Microdata:
    """Read a typed file once and encode the variables named; see `core.formats.text.reading.read_records`.

    Codes within a declared range of missing values, and Stata's and SAS's further missing values, follow the declared
    missing codes of a column.
    """
    records = TypedRecords(path, metadata, names, progress=progress)
    source, encoders, reader = encode_records(
        records, names, lambda file: nullcontext(records.folded_blocks(file)), "utf-8", ".", progress, known
    )
    for encoder in encoders:
        variable = encoder.variable
        missing = dict.fromkeys((*variable.missing, *records.ranges[variable.name]))
        encoder.variable = replace(variable, missing=tuple(missing))
    return finished(metadata, source, encoders, reader, progress)


def read_numbers(
    path: Path, metadata: Metadata, names: Sequence[str], progress: Progress = SILENT
) -> list[NDArray[np.float64]]:
    """Numerical variables of one reading, (n,) float64 each, nan where one is missing.

    Raises
    ------
    DataError
        ``not-a-number``, naming record and variable; and all that `read` raises.
    """
    records = TypedRecords(path, metadata, list(names), progress=progress)
    absent = [{"", *metadata[name].missing} for name in names]
    found: list[list[NDArray[np.float64]]] = [[] for _ in names]
    with BlockFile(path) as file:
        for block in records.blocks(file):
            for name, missing, numbers in zip(names, absent, found, strict=True):
                numbers.append(_numbers_of_block(block, records, name, missing.union(records.ranges[name])))
            progress.report(file.read, max(file.size, 1), translate(mark("Reading the data")))
    return joined(found)


def _numbers_of_block(block: RecordBlock, records: TypedRecords, name: str, absent: set[str]) -> NDArray[np.float64]:
    starts, lengths = block.field(records.slots[name])
    places, index = np.unique(np.stack([starts, lengths]), axis=1, return_inverse=True)
    spans = places.T.tolist()
    listed = [block.data[start : start + length].tobytes().decode().strip() for start, length in spans]
    values = np.array([np.nan if text in absent else _number(text) for text in listed])
    bad = np.isinf(values)
    if bad.any():
        raise _not_a_number(records.path, name, int(block.lines[np.flatnonzero(bad[index.ravel()])[0]]))
    found: NDArray[np.float64] = values[index.ravel()]
    return found


def _number(text: str) -> float:
    try:
        return float(text) if text.isascii() and "_" not in text and "n" not in text.lower() else np.inf
    except ValueError:
        return np.inf


def _not_a_number(path: Path, name: str, record: int) -> DataError:
    return DataError(
        "not-a-number-typed",
        mark("{file}, record {record}: variable {variable} is not a number."),
        mark("Correct the data, or declare a missing code."),
        file=path,
        record=record,
        variable=name,
    )


def typed_preview(path: Path, metadata: Metadata, n: int) -> tuple[tuple[str, ...], ...]:
    """The codes of the first `n` records, in the order of the metadata's variables; empty for one that is not there."""
    with BlockFile(path):  # says what is wrong with a file that cannot be opened
        pass
    reader = typed_format(metadata.format)
    described = reader.describe(path)
    names = [name for name in metadata.names if name in described]
    batches = reader.batches(path, described, names)
    batch = next(iter(batches), None) if names else None
    if batch is None:
        return ()
    by_name = {}
    for name, column in zip(names, batch.slice(0, n).columns, strict=True):
        texts, index = text_dictionary(described[name], column)
        listed = texts.to_pylist()
        by_name[name] = [listed[i] for i in index.tolist()]
    rows = zip(*(by_name.get(name, [""] * min(n, batch.num_rows)) for name in metadata.names), strict=True)
    return tuple(rows)
