"""Parquet, by pyarrow, batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.errors import DataError
from core.io.readstat import damaged
from core.io.typed import TypedField, TypedFile
from core.progress import SILENT, Progress
from core.texts import mark, translate

ROWS = 1 << 16


def describe(path: Path, progress: Progress = SILENT) -> TypedFile:
    """Fields of a file; see `core.io.typed_reading.TypedFormat`.

    Raises
    ------
    DataError
        ``data-damaged``; ``time-zone-unknown``: times cannot be shown in their time zone.
    """
    with _Guard(path), pq.ParquetFile(path) as file:
        schema = file.schema_arrow
        if len(set(schema.names)) < len(schema.names):
            raise damaged(path, translate(mark("two variables have the same name")))
        _check_zones(path, schema)
        fields = tuple(TypedField(field.name, storage=str(field.type)) for field in schema)
        return TypedFile("parquet", fields, file.metadata.num_rows)


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
    """Columns of a file; see `core.io.typed_reading.TypedFormat`."""
    done = 0
    with _Guard(path), pq.ParquetFile(path) as source:
        for batch in source.iter_batches(ROWS, columns=list(names), use_threads=False):
            progress.check()
            done += batch.num_rows
            progress.report(done, file.records, translate(mark("Reading the data")))
            columns = [batch.column(batch.schema.get_field_index(n)) for n in names]
            for column in columns:
                if pa.types.is_dictionary(column.type):
                    column.validate(full=True)  # a damaged file may have numbers that its dictionary does not
            yield pa.RecordBatch.from_arrays(columns, list(names))


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
