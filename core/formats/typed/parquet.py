"""Parquet, by pyarrow, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...base.errors import DataError
from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from ..memory import available_bytes
from .columns import TypedField, TypedFile
from .readstat import damaged

ROWS = 1 << 16
_LONGEST = (1 << 31) - 1
"""Bytes of texts that an array of Arrow's holds."""
_LITTLE = 1 << 22
"""Bytes of texts of some records that are not asked about."""
_COPIES = 4
"""How often the texts of a batch are held at a time, at most: as read, as codes, in quotes, as written."""


def describe(path: Path, progress: Progress = SILENT) -> TypedFile:
    """Fields of a file; see `core.formats.typed.reading.TypedFormat`.

    Raises
    ------
    DataError
        ``data-damaged``; ``zero-character-in-name``; ``time-zone-unknown``: times cannot be shown in their time zone.
    """
    with _Guard(path), pq.ParquetFile(path) as file:
        schema = file.schema_arrow
        if len(set(schema.names)) < len(schema.names):
            raise damaged(path, translate(mark("two variables have the same name")))
        _check_names(path, schema)
        _check_zones(path, schema)
        fields = tuple(TypedField(field.name, storage=str(field.type)) for field in schema)
        return TypedFile("parquet", fields, file.metadata.num_rows)


def _check_names(path: Path, schema: pa.Schema) -> None:
    for number, name in enumerate(schema.names, 1):
        if "\0" in name:
            raise DataError(
                "zero-character-in-name",
                mark("{file}: the name of column {number} contains a zero character, which no other format can hold."),
                mark("Rename the column in the program that wrote the file."),
                file=path.name,
                number=number,
            )


def _check_zones(path: Path, schema: pa.Schema) -> None:
    for field in schema:
        zone = field.type.tz if pa.types.is_timestamp(field.type) else None
        if zone is None:
            continue
        try:
            pc.cast(pa.array([0], field.type), pa.string())
        except pa.ArrowInvalid:
            raise DataError(
                "time-zone-unknown",
                mark("{file}: the time zone {zone} of the times in column {variable} is not known on this computer."),
                mark("Save the times without a time zone, or in UTC."),
                file=path.name,
                zone=zone,
                variable=field.name,
            ) from None


def batches(path: Path, file: TypedFile, names: Sequence[str], progress: Progress = SILENT) -> Iterator[pa.RecordBatch]:
    """Columns of a file; see `core.formats.typed.reading.TypedFormat`."""
    for batch, types in _folded(path, file, names, progress):
        plain = [_as_declared(column, type) for column, type in zip(batch.columns, types, strict=True)]
        yield pa.RecordBatch.from_arrays(plain, list(names))


def folded_batches(
    path: Path, file: TypedFile, names: Sequence[str], progress: Progress = SILENT
) -> Iterator[pa.RecordBatch]:
    """The same; in a column of texts each of them may stand once, in a dictionary."""
    for batch, types in _folded(path, file, names, progress):
        columns = [c if _is_text(t) and not _is_binary(t) else _as_declared(c, t)
                   for c, t in zip(batch.columns, types, strict=True)]  # fmt: skip
        yield pa.RecordBatch.from_arrays(columns, list(names))


def _folded(
    path: Path, file: TypedFile, names: Sequence[str], progress: Progress
) -> Iterator[tuple[pa.RecordBatch, list[pa.DataType]]]:
    """Columns with each of their texts once, and the types that the file declares."""
    done = 0
    with _Guard(path):
        with pq.ParquetFile(path) as source:
            declared = {field.name: field.type for field in source.schema_arrow}
        types = [declared[name] for name in names]
        listed = [name for name, type in zip(names, types, strict=True) if _is_text(type)]
        checks = [_DictionaryCheck() for _ in names]
        with pq.ParquetFile(path, read_dictionary=listed) as source:
            for batch in source.iter_batches(ROWS, columns=list(names), use_threads=False):
                progress.check()
                done += batch.num_rows
                progress.report(done, file.records, translate(mark("Reading the data")))
                columns = [batch.column(batch.schema.get_field_index(n)) for n in names]
                folded = [
                    (c, check) for c, check in zip(columns, checks, strict=True) if pa.types.is_dictionary(c.type)
                ]
                _check_unfolded(path, folded, batch.num_rows)
                yield pa.RecordBatch.from_arrays(columns, list(names)), types


def _is_text(type: pa.DataType) -> bool:
    return _is_one_of(type, pa.types.is_string, pa.types.is_large_string) or _is_binary(type)


def _is_binary(type: pa.DataType) -> bool:
    return _is_one_of(type, pa.types.is_binary, pa.types.is_large_binary)


def _is_one_of(type: pa.DataType, *kinds: Callable[[pa.DataType], bool]) -> bool:
    return any(is_kind(type) for is_kind in kinds)


def _as_declared(column: pa.Array, type: pa.DataType) -> pa.Array:
    """A column as its file declares it, where it was read with each of its texts once."""
    if column.type == type or not pa.types.is_dictionary(column.type):
        return column
    return column.dictionary_decode().cast(type)


class _DictionaryCheck:
    """What is to be known of a column's dictionary before it is used; batches have mostly the same one.

    Attributes
    ----------
    lengths : bytes of each text; None: they are no texts
    longest : the most of them
    """

    def __init__(self) -> None:
        self._words: pa.Array | None = None
        self.lengths: pa.Array | None = None
        self.longest = 0

    def check(self, column: pa.DictionaryArray) -> None:
        """Refuse the damaged dictionary of a file, and numbers that it does not have.

        Raises
        ------
        pyarrow.ArrowInvalid
        """
        words = column.dictionary
        if self._words is None or not words.equals(self._words):
            words.validate(full=True)
            self._words = words
            if _is_text(words.type):
                self.lengths = pc.binary_length(words).cast(pa.int64())
                self.longest = pc.max(self.lengths).as_py() or 0
        _check_places(column)


def _check_unfolded(path: Path, folded: Sequence[tuple[pa.DictionaryArray, _DictionaryCheck]], records: int) -> None:
    """Refuse texts that stand in the file once and would take more memory than there is where they are used.

    Raises
    ------
    DataError
        ``parquet-memory``.
    """
    for column, check in folded:
        check.check(column)
    size = records * sum(check.longest for _, check in folded)
    if size <= _LITTLE:
        return
    available = available_bytes()
    most = _LONGEST if available is None else min(_LONGEST, available // _COPIES)
    if size > most:  # else even the longest texts fit, whichever records have them
        lengths = [(column, check.lengths) for column, check in folded if check.lengths is not None]
        size = sum(pc.sum(each.take(column.indices)).as_py() or 0 for column, each in lengths)
    if size > most:
        raise DataError(
            "parquet-memory",
            mark("Reading {file} takes about {needed} MB of memory for {records} records, and {most} MB can be had."),
            mark("Its texts are very long: leave such columns out, or shorten them, and save the file anew."),
            file=path,
            needed=_COPIES * size >> 20,
            records=records,
            most=_COPIES * most >> 20,
        )


def _check_places(column: pa.DictionaryArray) -> None:
    """As `_DictionaryCheck.check` the numbers alone; a full validation takes longer."""
    indices, size = column.indices, len(column.dictionary)
    if not indices.null_count and indices.type == pa.int32():
        numbers = indices.to_numpy().view(np.uint32)  # in which a negative one is a large one
        if len(numbers) and int(numbers.max()) >= size:
            raise pa.ArrowInvalid
        return
    found = pc.min_max(indices)
    least, most = found["min"].as_py(), found["max"].as_py()
    if least is not None and not 0 <= least <= most < size:
        raise pa.ArrowInvalid


def write(path: Path, file: TypedFile, batches: Iterable[pa.RecordBatch], progress: Progress = SILENT) -> None:
    """Write a file without any metadata beside names and types; a dictionary holds only what its column holds."""
    writer: pq.ParquetWriter | None = None
    schema: pa.Schema | None = None
    try:
        for batch in batches:
            progress.check()
            columns = [_compact(column) for column in batch.columns]
            if writer is None or schema is None:
                schema = pa.schema([pa.field(f.name, c.type) for f, c in zip(file.fields, columns, strict=True)])
                writer = pq.ParquetWriter(path, schema)
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
    finally:
        if writer is not None:
            writer.close()


def _compact(column: pa.Array) -> pa.Array:
    """A dictionary column with the values that occur only: those of removed records or codes must not come along."""
    if not pa.types.is_dictionary(column.type):
        return column
    plain = column.dictionary_decode()
    again = plain.dictionary_encode()
    indices = again.indices.cast(column.type.index_type)
    return pa.DictionaryArray.from_arrays(indices, again.dictionary, ordered=False).cast(
        pa.dictionary(column.type.index_type, column.type.value_type)
    )


class _Guard:
    """What pyarrow raises about a file, as an error that says so."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, pa.ArrowException | OSError | ValueError | KeyError) and not isinstance(
            error, MemoryError
        ):
            raise self._damaged() from None

    def _damaged(self) -> DataError:
        return damaged(self._path, translate(mark("it is not a Parquet file, or a damaged one")))
