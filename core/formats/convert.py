"""Conversion from one format to another: every value by its code, numbers where all of a column's codes are numbers."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..base.errors import OutputError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.encoding import BLANKS
from ..data.variables import Metadata, Variable
from ..data.weights import parse_text
from ..kernels.digest import digest_fields
from ..kernels.write import gather_records
from ..recipe.model import Format
from .text.block_file import BlockFile, changed
from .text.digests import DIGEST_START, open_records
from .text.records import RecordBlock, python_encoding
from .text.writing import Rewrite, check_unchanged
from .typed.columns import TypedField, TypedFile, Value, arrow_type, texts, typed
from .typed.reading import text_buffers
from .typed.writing import in_order, named_apart, spss_missing, value_of, write_typed

_QUOTED = r'["\r\n]|^ | $|^$'
_NUMBER = r"^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]*[1-9])$"
_SPECIAL = r"^\.[a-z]$"
_TOGETHER = 32
"""Batches whose codes are brought together at a time."""
_INTEGERS: dict[Format, tuple[tuple[str, int, int], ...]] = {
    "stata": (("int8", -127, 100), ("int16", -32767, 32740), ("int32", -2147483647, 2147483620)),
    "parquet": (("int64", -(1 << 62), 1 << 62),),
    "excel": (("int64", -(1 << 53), 1 << 53),),
}


def write_converted(rewrite: Rewrite, out: BinaryIO, progress: Progress = SILENT) -> None:
    """Write the safe file in the format of the layout, another than the original's; see
    `core.formats.text.writing.write_records`.

    A column whose codes are all numbers in their shortest form is written as numbers, any other as text, so that
    every code is read back as it was.

    Raises
    ------
    OutputError
        ``zero-character``: a value has one, which among formats Parquet alone can hold.
    """
    source, layout = rewrite.source, rewrite.layout
    check_unchanged(source, progress)

    def batches() -> Iterator[pa.RecordBatch]:
        codes = edited_codes(rewrite, progress)
        return _without_zeros(codes) if _may_hold_zeros(rewrite) else codes

    if layout.format == "delimited":
        _write_delimited(out, in_order(batches, rewrite.order, progress), layout)
    else:
        distinct = _distinct(batches(), layout.names)
        fields = tuple(named_apart([_field(v, distinct[v.name], layout.format) for v in layout.variables]))
        file = TypedFile(layout.format, fields, source.records, variant=layout.variant)

        def made() -> Iterator[pa.RecordBatch]:
            return _typed_batches(batches(), fields, progress)

        write_typed(out, file, in_order(made, rewrite.order, progress), layout, progress)
    check_unchanged(source, progress)


def _may_hold_zeros(rewrite: Rewrite) -> bool:
    """Whether a code may have a zero character: readers of other formats than Parquet let none pass."""
    return rewrite.metadata.format == "parquet" or any(
        "\0" in code for edit in rewrite.edits.values() for code in edit.codes
    )


def _without_zeros(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The batches, of which none has a zero character in a code."""
    first = 0
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            bad = pc.index(pc.match_substring(column, "\0"), True).as_py()
            if bad >= 0:
                raise OutputError(
                    "zero-character",
                    mark("Variable {variable}: the value of record {record} contains a zero character, which only a"
                         " Parquet file can hold."),
                    mark("Remove the zero character from the original file, or write the safe file as Parquet."),
                    variable=name,
                    record=first + bad + 1,
                )  # fmt: skip
        yield batch
        first += batch.num_rows


def _distinct(batches: Iterable[pa.RecordBatch], names: Sequence[str]) -> dict[str, pa.StringArray]:
    """The different codes of each variable."""
    found = {name: pa.array([], pa.string()) for name in names}
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if len(waiting) == _TOGETHER:
            found = _merged(found, waiting)
    return _merged(found, waiting)


def _merged(found: dict[str, pa.StringArray], waiting: list[pa.RecordBatch]) -> dict[str, pa.StringArray]:
    """`found` and the codes of the batches `waiting`, which are used up."""
    merged = {
        name: pc.unique(pa.chunked_array([codes, *(pc.unique(batch.column(name)) for batch in waiting)]))
        for name, codes in found.items()
    }
    waiting.clear()
    return merged


def code_batches(
    path: Path, metadata: Metadata, names: Sequence[str], shortest: bool, progress: Progress = SILENT
) -> Iterator[pa.RecordBatch]:
    """The codes of the variables `names` without surrounding blanks, as texts.

    Numbers that are no categories have a decimal point, and with `shortest` their shortest form.
    """
    records = open_records(path, metadata, names, progress)
    encoding = "utf-8" if metadata.format not in ("fixed", "delimited") else python_encoding(metadata.encoding)
    with BlockFile(path) as file:
        for block in records.blocks(file):
            columns = []
            for name in names:
                progress.check()
                variable = metadata[name]
                amount = (variable.numeric or variable.role == "weight") and not variable.categorical
                decimal = metadata.decimal if amount else ""
                columns.append(_codes(block, records.slots[name], encoding, decimal, shortest))
            yield pa.RecordBatch.from_arrays(columns, list(names))
            progress.report(file.read, max(file.size, 1), translate(mark("Writing the safe file")))


def _codes(block: RecordBlock, slot: int, encoding: str, decimal: str, shortest: bool) -> pa.StringArray:
    starts, lengths = (part.astype(np.int64) for part in block.field(slot))
    gathered = np.empty(int(lengths.sum()), np.uint8)
    gather_records(block.data, starts, starts + lengths, gathered)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]).astype(np.int32)
    raw = pa.Array.from_buffers(pa.binary(), len(starts), [None, pa.py_buffer(offsets), pa.py_buffer(gathered)])
    found = raw.dictionary_encode()
    decode = codecs.lookup(encoding).decode
    listed = [decode(value)[0].strip(BLANKS) for value in found.dictionary.to_pylist()]
    if decimal and (shortest or decimal != "."):
        listed = [_number(text, decimal, shortest) for text in listed]
    return pa.array(listed, pa.string()).take(found.indices)


def _number(text: str, decimal: str, shortest: bool) -> str:
    value = parse_text(text, decimal)
    if value is None:
        return text
    if not shortest:
        return text.replace(decimal, ".")
    plain = format(value, "f")
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return "0" if plain in ("-0", "") else plain


def code_digests(
    path: Path, metadata: Metadata, names: Sequence[str], progress: Progress = SILENT
) -> Iterator[NDArray[np.uint64]]:
    """As `core.formats.text.digests.record_digests`, comparable between formats and encodings."""
    for batch in code_batches(path, metadata, names, True, progress):
        digests = np.full(batch.num_rows, DIGEST_START)
        for column in batch.columns:
            data, offsets = text_buffers(column)
            digest_fields(data, offsets[:-1].astype(np.int32), np.diff(offsets).astype(np.int32), digests)
        yield digests


def edited_codes(rewrite: Rewrite, progress: Progress) -> Iterator[pa.RecordBatch]:
    """Codes of the safe file, in the original's order."""
    source, metadata, edits, layout = rewrite.source, rewrite.metadata, rewrite.edits, rewrite.layout
    names = rewrite.originals
    codes = {name: pa.array(edit.codes, pa.string()) for name, edit in edits.items()}
    first = 0
    # Where nothing of the original stays, its records have still to be counted.
    shortest = layout.format != "delimited"
    for batch in code_batches(source.path, metadata, names or metadata.names[:1], shortest, progress):
        if first + batch.num_rows > source.records:
            raise changed(source.path)
        columns = []
        for name in layout.names:
            edit = edits.get(name)
            column = batch.column(name) if name in names else None
            if edit is not None:
                records = slice(first, first + batch.num_rows)
                new = codes[name].take(pa.array(edit.values[records].astype(np.int64)))
                only = edit.changed_only
                column = new if only is None or column is None else pc.if_else(pa.array(only[records]), new, column)
            columns.append(column)
        yield pa.RecordBatch.from_arrays(columns, list(layout.names))
        first += batch.num_rows
    if first != source.records:
        raise changed(source.path)


def _write_delimited(out: BinaryIO, batches: Iterable[pa.RecordBatch], layout: Metadata) -> None:
    if layout.header:
        header = pa.RecordBatch.from_pydict({name: [name] for name in layout.names})
        out.write(_lines(header, layout.delimiter))
    for batch in batches:
        out.write(_lines(batch, layout.delimiter))


def _lines(batch: pa.RecordBatch, delimiter: str) -> bytes:
    alone = batch.num_columns == 1
    fields = [_quoted(column, delimiter, alone) for column in batch.columns]
    lines = pc.binary_join_element_wise(*fields, delimiter)
    joined = pc.binary_join_element_wise(lines, pa.scalar(""), "\n")
    return b"".join(value.encode() for value in joined.to_pylist())


def _quoted(column: pa.StringArray, delimiter: str, alone: bool) -> pa.StringArray:
    needed = pc.or_(pc.match_substring_regex(column, _QUOTED), pc.match_substring(column, delimiter))
    if not alone:
        needed = pc.and_(needed, pc.not_equal(column, ""))
    if not pc.any(needed).as_py():
        return column
    inside = pc.replace_substring(column, '"', '""')
    return pc.if_else(needed, pc.binary_join_element_wise('"', inside, '"', ""), column)


def _field(variable: Variable, codes: pa.StringArray, format: Format) -> TypedField:
    """A field that holds these different codes, with the variable's labels and missing codes."""
    special = "stata" if format == "stata" else ""
    storage = _storage(codes, format)
    text = storage == "string"
    longest = pc.max(pc.binary_length(codes)).as_py() if text and len(codes) else 0
    field = TypedField(
        variable.name,
        storage=storage,
        special="" if text else special,
        label=variable.label,
        width=max(int(longest or 0), 1) if text else 0,
    )
    if format not in ("spss", "stata"):
        return field
    if format == "stata" and text:
        return field
    values = [(value_of(field, code), label) for code, label in variable.labels]
    known: tuple[tuple[Value, str], ...] = tuple((v, t) for v, t in values if v is not None)
    if format == "stata":
        known = tuple((v, t) for v, t in known if isinstance(v, str) or float(v).is_integer())
        return replace(field, values=known)
    field = replace(field, values=known, ranges=() if text else variable.missing_ranges)
    return replace(field, missing=tuple(spss_missing(field, variable)))


def _storage(codes: pa.Array, format: Format) -> str:
    """The narrowest type that holds all of `codes` and gives them back as they are."""
    codes = codes.filter(pc.not_equal(codes, ""))
    if format == "stata":
        codes = codes.filter(pc.invert(pc.match_substring_regex(codes, _SPECIAL)))
    if not len(codes) or not pc.all(pc.match_substring_regex(codes, _NUMBER)).as_py():
        return "string" if len(codes) else "double"
    if not pc.any(pc.match_substring(codes, ".")).as_py() and pc.max(pc.utf8_length(codes)).as_py() <= 18:
        whole = codes.cast(pa.int64())
        low, high = pc.min(whole).as_py(), pc.max(whole).as_py()
        for storage, least, most in _INTEGERS.get(format, ()):
            if least <= low and high <= most:
                return storage
    field = TypedField("", storage="double")
    listed = codes.to_pylist()
    made = typed(field, listed, pa.float64())
    return "double" if made is not None and pa.array(texts(field, made)).to_pylist() == listed else "string"


def _typed_batches(
    batches: Iterable[pa.RecordBatch], fields: Sequence[TypedField], progress: Progress
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        progress.check()
        columns = []
        for field, column in zip(fields, batch.columns, strict=True):
            if field.is_text:
                columns.append(column)
                continue
            found = column.dictionary_encode()
            values = typed(field, found.dictionary.to_pylist(), arrow_type(field.storage))
            if values is None:
                raise ValueError(field.name)
            columns.append(values.take(found.indices))
        yield pa.RecordBatch.from_arrays(columns, [field.name for field in fields])
