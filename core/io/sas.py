"""SAS: .sas7bdat and .xpt are read, .xpt is written; by pyreadstat, in a child process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from core.io import child
from core.io.memory import check_memory
from core.io.spss import kind, packed, stream
from core.io.typed import TypedFile
from core.progress import SILENT, Progress

KINDS = ("sas7bdat", "xpt")


def describe(path: Path, progress: Progress = SILENT) -> TypedFile:
    """Fields of a file; see `core.io.typed_reading.TypedFormat`.

    Raises
    ------
    DataError
        ``data-damaged``, ``reader-ended``.
    """
    found: TypedFile = child.call("core.io.readstat:describe", str(path), kind(path, KINDS), progress=progress)
    return found


def batches(path: Path, file: TypedFile, names: Sequence[str], progress: Progress = SILENT) -> Iterator[pa.RecordBatch]:
    """Columns of a file; see `core.io.typed_reading.TypedFormat`."""
    return stream(path, kind(path, KINDS), file, names, progress)


def write(path: Path, file: TypedFile, batches: Iterable[pa.RecordBatch], progress: Progress = SILENT) -> None:
    """Write an .xpt file; the library holds all records in memory for that.

    Raises
    ------
    OutputError
        ``typed-memory``.
    """
    check_memory(file, "xpt")
    feed = map(packed, batches)
    child.call("core.io.readstat:write", str(path), "xpt", file, purpose="write", feed=feed, progress=progress)
