"""Writing typed files: columns that stay are written as they were read, edited ones in their own type where it fits."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...base.errors import OutputError
from ...base.outputs_journal import parts_of
from ...base.progress import SILENT, Progress
from ...base.texts import mark
from ...data.variables import Metadata, Variable
from ..argus.text_files import made_plain
from ..text.block_file import BlockFile, changed
from ..text.records import BLOCK_RECORDS
from ..text.writing import SHUFFLE_BYTES, FieldEdit, Rewrite, check_unchanged, safe_variables
from .columns import (
    BASES,
    TypedField,
    TypedFile,
    Value,
    code_number,
    np_type,
    number_code,
    typed,
    wider,
)
from .reading import missing_order, read, read_numbers, typed_format

__all__ = ["read", "read_numbers", "safe_layout", "write"]

_SPSS_MISSING = 3
LONGEST_TEXT = 2045
"""Bytes of Stata's text columns of a fixed width, and the most that a format of a text may name."""


def safe_layout(metadata: Metadata, edits: Mapping[str, FieldEdit], removed: frozenset[str]) -> Metadata:
    """Metadata of the safe file: the variables that are written, in consecutive columns.

    See `core.formats.text.fixed.safe_layout`.
    """
    kept = safe_variables(metadata, removed)
    variables = tuple(replace(v, start=0, length=0, column=i) for i, v in enumerate(kept, 1))
    return replace(metadata, variables=variables)


def write(rewrite: Rewrite, out: BinaryIO, progress: Progress = SILENT) -> None:
    """Write the safe file; parameters and errors are those of `core.formats.text.writing.write_records`.

    Nothing but names, types, labels, declared missing values, formats and values is written: no notes, documents,
    attributes, file label, order or weight settings of the original.

    Raises
    ------
    OutputError
        ``code-not-encodable``: a code does not fit the type of a column that otherwise stays.
    """
    source, names = rewrite.source, rewrite.originals
    check_unchanged(source, progress)
    origin = typed_format(rewrite.metadata.format)
    described = origin.describe(source.path, progress)
    target = _Target(described, rewrite)
    if target.suppressed_texts:
        target.narrow(origin.batches(source.path, described, target.suppressed_texts, progress))

    def batches() -> Iterator[pa.RecordBatch]:
        return target.edited(origin.batches(source.path, described, names, progress))

    write_typed(out, target.file, in_order(batches, rewrite.order, progress), rewrite.layout, progress)
    with BlockFile(source.path) as file:
        if (file.size, file.modified_ns) != (source.size, source.mtime_ns):
            check_unchanged(source, progress)


def write_typed(
    out: BinaryIO,
    file: TypedFile,
    batches: Iterable[pa.RecordBatch],
    layout: Metadata,
    progress: Progress,
) -> None:
    """Write batches to a file in a folder beside `out` first, because these libraries write to a path.

    After a crash the next start removes the folder, as the journal of outputs tells it to
    (`core.base.outputs_journal.parts_of`).
    """
    named = getattr(out, "name", None)
    if isinstance(named, str | os.PathLike):
        folder = parts_of(Path(named))
        folder.mkdir(mode=0o700)
    else:
        folder = Path(tempfile.mkdtemp(prefix="pavo-"))
    path = folder / "data"
    try:
        typed_format(layout.format).write(path, file, batches, progress)
        with path.open("rb") as written:
            shutil.copyfileobj(written, out, 1 << 22)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def in_order(
    batches: Callable[[], Iterable[pa.RecordBatch]], order: NDArray[np.integer] | None, progress: Progress
) -> Iterator[pa.RecordBatch]:
    """The batches with their records in another order; begun anew for each part of the output that memory takes.

    Parameters
    ----------
    batches : gives all batches at every call
    order : (n,) which record comes first, second, …; None: as they are
    """
    if order is None:
        yield from batches()
        return
    place = np.empty(len(order), np.uint32)
    place[order] = np.arange(len(order), dtype=np.uint32)
    low = step = 0
    while low < len(order):
        kept: list[pa.RecordBatch] = []
        places: list[NDArray[np.uint32]] = []
        first = 0
        for batch in batches():
            progress.check()
            step = step or max(int(SHUFFLE_BYTES * batch.num_rows / max(batch.nbytes, 1)), 1)
            theirs = place[first : first + batch.num_rows]
            chosen = np.flatnonzero((theirs >= low) & (theirs < low + step))
            kept.append(batch.take(pa.array(chosen)))
            places.append(theirs[chosen])
            first += batch.num_rows
        table = pa.Table.from_batches(kept).take(pa.array(np.argsort(np.concatenate(places))))
        yield from table.combine_chunks().to_batches(max_chunksize=BLOCK_RECORDS)
        low += step


@dataclass(frozen=True, eq=False)
class _Change:
    """How one column is edited: the values of its codes, by number of the code."""

    edit: FieldEdit
    values: pa.Array


class _Target:
    """The safe file: its description, and how batches of the original become its batches.

    Attributes
    ----------
    file : TypedFile
    """

    def __init__(self, described: TypedFile, rewrite: Rewrite) -> None:
        self._source, self._names = rewrite.source, rewrite.originals
        metadata, layout = rewrite.metadata, rewrite.layout
        self._changes: dict[str, _Change] = {}
        fields = []
        for variable in layout.variables:
            edit = rewrite.edits.get(variable.name)
            if variable.name in described and variable.name in metadata:
                field = described[variable.name]
                field = relabelled(field, metadata[variable.name], variable, described)
            else:
                field = TypedField(variable.name, storage="double", special=_special(layout.format))
            if edit is not None:
                field, values = _fitted(field, edit, variable)
                self._changes[variable.name] = _Change(edit, values)
            fields.append(field)
        kept = tuple(named_apart(fields))
        self.file = replace(described, fields=kept, records=rewrite.source.records, label="", variant=layout.variant)

    @property
    def suppressed_texts(self) -> tuple[str, ...]:
        """Text columns of a declared width in which values are suppressed, and others stay."""
        return tuple(
            name
            for name, change in self._changes.items()
            if change.edit.changed_only is not None and self.file[name].is_text and self.file[name].width
        )

    def narrow(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Make these columns as wide as what stays: the old width would tell how long a suppressed value was.

        `batches` : these columns of the original
        """
        names = self.suppressed_texts
        longest, first = dict.fromkeys(names, 1), 0
        for batch in batches:
            for name, column in zip(names, batch.columns, strict=True):
                texts = _changed(column, self._changes[name], first, batch.num_rows, self.file[name])
                found = pc.max(pc.binary_length(texts)).as_py()
                longest[name] = max(longest[name], found or 0)
            first += batch.num_rows
        fields = (_as_wide_as(field, longest.get(field.name, field.width)) for field in self.file.fields)
        self.file = replace(self.file, fields=tuple(fields))

    def edited(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches of the safe file, from those of `Rewrite.originals`.

        Raises
        ------
        DataError
            ``data-changed``: there are not as many records as were read.
        """
        source, names = self._source, self._names
        first = 0
        for batch in batches:
            if first + batch.num_rows > source.records:
                raise changed(source.path)
            columns = []
            for field in self.file.fields:
                column = batch.column(names.index(field.name)) if field.name in names else None
                change = self._changes.get(field.name)
                columns.append(column if change is None else _changed(column, change, first, batch.num_rows, field))
            yield pa.RecordBatch.from_arrays(columns, [field.name for field in self.file.fields])
            first += batch.num_rows
        if first != source.records:
            raise changed(source.path)


def _special(format: str) -> str:
    return "stata" if format == "stata" else ""


def _changed(column: pa.Array | None, change: _Change, first: int, count: int, field: TypedField) -> pa.Array:
    records = slice(first, first + count)
    index = pa.array(change.edit.values[records].astype(np.int64))
    new = change.values.take(index)
    if change.edit.changed_only is None or column is None:
        return new
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if field.special == "stata" and not field.is_text:
        old = column.to_numpy(zero_copy_only=False)
        return pa.array(np.where(change.edit.changed_only[records], new.to_numpy(), widened(old, field.storage)))
    return pc.if_else(pa.array(change.edit.changed_only[records]), new, column.cast(new.type))


def widened(values: NDArray[np.generic], storage: str) -> NDArray[np.generic]:
    """Stata numbers in a wider type, their missing values kept what they are."""
    from .columns import extended, extended_bits

    kind = np_type(storage)
    if values.dtype == kind:
        return values
    which = extended(values)
    made: NDArray[np.generic] = values.astype(kind)
    for number in np.unique(which[which >= 0]).tolist():
        made[which == number] = extended_bits(kind, number)[0]
    return made


def _fitted(field: TypedField, edit: FieldEdit, variable: Variable) -> tuple[TypedField, pa.Array]:
    """The field in a type that holds the codes written, and these codes' values (of codes not written: anything)."""
    used = np.zeros(len(edit.codes), np.bool_)
    chosen = edit.values if edit.changed_only is None else edit.values[edit.changed_only]
    used[np.unique(chosen)] = True
    codes = [code if needed else "" for code, needed in zip(edit.codes, used.tolist(), strict=True)]
    for storage in (*_narrower(field, edit), field.storage, *wider(field)):
        candidate = _of_type(field, storage)
        values = typed(candidate, codes, _arrow(storage))
        if values is not None:
            return _sized(candidate, edit, codes), values
    if edit.changed_only is not None:
        bad = next(code for code in codes if typed(field, [code], _arrow(field.storage)) is None)
        raise OutputError(
            "code-not-encodable-typed",
            mark("Variable {variable}: the code {code} cannot be written in a column of type {type}."),
            mark("Choose another missing code for the variable, one of its own kind of value."),
            variable=variable.name,
            code=bad,
            type=field.storage,
        )
    texts = replace(field, storage="string", special="", calendar="", format="", width=0, measure="", ranges=())
    # Stata has labels for numbers only.
    labels = () if field.special == "stata" else tuple(_labels(texts, variable))
    texts = replace(texts, values=labels, missing=())
    return _sized(texts, edit, codes), pa.array(codes, pa.string())


_STATA_SHOWN = {"int8": "%8.0g", "int16": "%8.0g", "int32": "%12.0g"}
"""How Stata shows its whole numbers where nobody says otherwise."""


def _narrower(field: TypedField, edit: FieldEdit) -> Iterator[str]:
    """The narrowest type of Stata's whole numbers that holds the safe file's: a wider one tells of larger ones."""
    if field.special != "stata" or field.storage not in ("int16", "int32"):
        return
    there = np.zeros(len(edit.codes), np.bool_)
    there[np.unique(edit.values)] = True
    codes = [code for code, found in zip(edit.codes, there.tolist(), strict=True) if found]
    for storage in ("int8", "int16"):
        if storage != field.storage and typed(replace(field, storage=storage), codes, _arrow(storage)) is not None:
            yield storage
            return


def _of_type(field: TypedField, storage: str) -> TypedField:
    """The field in another type, shown as that is where it was shown as its own is."""
    was = _STATA_SHOWN.get(field.storage)
    shown = _STATA_SHOWN.get(storage, field.format) if field.special and field.format == was else field.format
    return replace(field, storage=storage, format=shown)


def _arrow(storage: str) -> pa.DataType:
    known = {"double": pa.float64(), "float": pa.float32(), "string": pa.string(), "large_string": pa.large_string()}
    if storage in known:
        return known[storage]
    if storage.startswith("dictionary"):
        return pa.string()
    return _parsed(storage)


def _parsed(storage: str) -> pa.DataType:
    if storage.startswith("timestamp[") and "tz=" in storage:
        unit, _, zone = storage[len("timestamp[") : -1].partition(", tz=")
        return pa.timestamp(unit, zone)
    if storage.startswith("decimal"):
        width, numbers = storage[len("decimal") :].split("(")
        precision, scale = (int(n) for n in numbers[:-1].split(","))
        return (pa.decimal128 if width == "128" else pa.decimal256)(precision, scale)
    return pa.type_for_alias(storage)


def _sized(field: TypedField, edit: FieldEdit, codes: list[str]) -> TypedField:
    """A text column as wide as what it will hold; where values stay, at least as wide as it was."""
    if not field.is_text:
        return field
    needed = max((len(code.encode()) for code in codes), default=0)
    return _as_wide_as(field, max(needed, 1) if edit.changed_only is None else max(needed, field.width))


def _as_wide_as(field: TypedField, width: int) -> TypedField:
    """A text column of another width, and shown so."""
    if width == field.width:
        return field
    shown = field.format
    if shown.startswith("A") and shown[1:].isdigit():
        shown = f"A{width}"
    elif shown.startswith("%") and shown.endswith("s"):
        shown = f"%{'-' if '-' in shown else ''}{width if width <= LONGEST_TEXT else 9}s"
    elif shown.startswith("$") and shown[1:].rstrip(".").isdigit():
        shown = f"${width}" + ("." if shown.endswith(".") else "")
    seen = width if field.display_width == field.width else field.display_width
    return replace(field, width=width, format=shown, display_width=seen)


def relabelled(field: TypedField, before: Variable, now: Variable, file: TypedFile) -> TypedField:
    """The field of `file` with the safe file's labels and missing codes, as it was where these did not change."""
    if now.labels != before.labels:
        values = _labels(field, now)
        if file.format == "stata" and now.codelist is None:
            values = _for_stata(values, before, file)
        if file.format == "stata" and field.is_text:
            values = iter(())  # Stata has labels for numbers only
        field = replace(field, values=tuple(values), label_set=field.name)
    if now.missing != declared(field) or now.missing_ranges != field.ranges:
        field = replace(field, ranges=now.missing_ranges)
        field = replace(field, missing=tuple(spss_missing(field, now) if file.format == "spss" else ()))
    return field


def _for_stata(labels: Iterable[tuple[Value, str]], before: Variable, file: TypedFile) -> Iterator[tuple[Value, str]]:
    """Labels that the program made, so that they can be written: of whole numbers; in plain signs where no encoding is
    said, because what reads such a file takes it for one or another.
    """
    for value, label in labels if file.version >= 118 else made_plain(labels, before.labels):
        if isinstance(value, str) or (float(value).is_integer() and -(2**31) < value < BASES["i4"]):
            yield value, label


def declared(field: TypedField) -> tuple[str, ...]:
    """Missing codes that a variable has by its field alone: empty first, because a declared one may be an answer."""
    return tuple(dict.fromkeys(("", *(code_of(field, value) for value in field.missing))))


def code_of(field: TypedField, value: Value) -> str:
    """The code of a label's or missing value's value."""
    if isinstance(value, str):
        return value.strip(" ") if field.is_text else value
    return number_code(field, float(value))


def value_of(field: TypedField, code: str) -> Value | None:
    """The value of a code in a label or a declared missing value; None where the column cannot hold it."""
    if field.is_text or (field.special and code.startswith(".")):
        return code
    return code_number(field, code)


def _labels(field: TypedField, variable: Variable) -> Iterator[tuple[Value, str]]:
    for code, label in variable.labels:
        value = value_of(field, code)
        if value is not None:
            yield value, label


def spss_missing(field: TypedField, variable: Variable) -> Iterator[Value]:
    """The variable's missing codes as SPSS declares them.

    Raises
    ------
    OutputError
        ``spss-missing``: more than it can hold.
    """
    values = [value_of(field, code) for code in variable.missing if code and missing_order(field, code) is None]
    found = [value for value in values if value is not None]
    most = 1 if field.ranges else _SPSS_MISSING
    if len(found) > most:
        raise OutputError(
            "spss-missing",
            mark("SPSS can declare {most} missing codes for {variable}, and these are {count}."),
            mark("Declare fewer missing codes, or recode some of them into one."),
            most=most,
            variable=field.name,
            count=len(found),
        )
    yield from found


def named_apart(fields: list[TypedField]) -> Iterator[TypedField]:
    """Fields whose sets of labels have the same name only where they are the same."""
    sets: dict[str, tuple[tuple[Value, str], ...]] = {}
    for field in fields:
        name, number = field.label_set or field.name, 0
        while field.values and sets.setdefault(name, field.values) != field.values:
            number += 1
            name = f"{field.name[:28]}_{number}"
        yield replace(field, label_set=name if field.values else "")
