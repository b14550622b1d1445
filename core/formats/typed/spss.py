"""SPSS: .sav, .zsav and .por are read and written, by pyreadstat, in a child process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from ..memory import check_memory
from . import child
from .columns import TypedFile

KINDS = ("sav", "zsav", "por")


def describe(path: Path, progress: Progress = SILENT) -> TypedFile:
    """Fields of a file; see `core.formats.typed.reading.TypedFormat`.

    Raises
    ------
    DataError
        ``data-damaged``, ``reader-ended``.
    """
    found: TypedFile = child.call(f"{__package__}.readstat:describe", str(path), kind(path, KINDS), progress=progress)
    return found


def batches(path: Path, file: TypedFile, names: Sequence[str], progress: Progress = SILENT) -> Iterator[pa.RecordBatch]:
    """Columns of a file; see `core.formats.typed.reading.TypedFormat`."""
    return stream(path, kind(path, KINDS), file, names, progress)


def write(path: Path, file: TypedFile, batches: Iterable[pa.RecordBatch], progress: Progress = SILENT) -> None:
    """Write a .sav file, or of the variant that `file` says; the library holds all records in memory for that.

    Raises
    ------
    OutputError
        ``typed-memory``.
    """
    kind = file.variant or "sav"
    check_memory(file, kind)
    child.call(
        f"{__package__}.readstat:write",
        str(path),
        kind,
        file,
        purpose="write",
        feed=map(packed, batches),
        progress=progress,
    )


def stream(
    path: Path, kind: str, file: TypedFile, names: Sequence[str], progress: Progress
) -> Iterator[pa.RecordBatch]:
    """Columns as pyreadstat reads them in a child process, some records at a time."""
    done = 0
    for item in child.stream(f"{__package__}.readstat:batches", str(path), kind, tuple(names), progress=progress):
        if not isinstance(item, bytes):
            return
        batch = pa.ipc.open_stream(item).read_next_batch()
        done += batch.num_rows
        progress.report(done, max(file.records, done), translate(mark("Reading the data")))
        yield batch


def packed(batch: pa.RecordBatch) -> bytes:
    """A batch as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def kind(path: Path, kinds: Sequence[str]) -> str:
    """The suffix that says which of a family's formats a file has; the first of `kinds` where it says nothing."""
    suffix = path.suffix.lower().removeprefix(".")
    if suffix in kinds:
        return suffix
    return _by_content(path, kinds)


def _by_content(path: Path, kinds: Sequence[str]) -> str:
    """A file under a temporary name is recognised by its first bytes."""
    with path.open("rb") as file:
        begin = file.read(200)
    if begin.startswith(b"HEADER RECORD") and "xpt" in kinds:
        return "xpt"
    if b"SPSS PORT FILE" in begin and "por" in kinds:
        return "por"
    return kinds[0]
