"""SAS: .sas7bdat and .xpt are read, .xpt is written; by pyreadstat, in a child process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from ...base.errors import Notice
from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from ..memory import check_memory
from . import child
from .columns import TypedFile
from .readstat import damaged
from .spss import kind, packed, stream

KINDS = ("sas7bdat", "xpt")
_LINE, _DESCRIBED = 80, 140
"""Bytes of a line of an .xpt file, and of the description of a field."""
_LARGEST_HEAD = 1 << 24
_BLOCK = _LINE << 14
_OBSERVATIONS = b"HEADER RECORD*******OBS"
_COUNT = slice(48, 63)
"""Where the header of the observations has their number."""
_TABLE = b"HEADER RECORD*******MEM"


def describe(path: Path, progress: Progress = SILENT) -> TypedFile:
    """Fields of a file; see `core.formats.typed.reading.TypedFormat`.

    Raises
    ------
    DataError
        ``data-damaged``, ``reader-ended``.
    """
    found: TypedFile = child.call(f"{__package__}.readstat:describe", str(path), kind(path, KINDS), progress=progress)
    if kind(path, KINDS) == "xpt" and _is_cut(path, len(found.fields), progress):
        raise damaged(path, translate(mark("it ends too early")))
    return found


def _is_cut(path: Path, fields: int, progress: Progress) -> bool:
    """Whether an .xpt file ends within a line of 80 bytes, or within a record: the library leaves that one out.

    SAS technical support TS-140: after the header of the names, 140 bytes describe each of the `fields`, of which
    bytes 4 and 5 are its length; records follow each other after the header of the observations, and the last line is
    filled up with blanks. A header of version 8 says how many records there are, one of version 5 does not: behind
    a whole record and a whole line it may end anywhere.
    """
    size = path.stat().st_size
    if size % _LINE:
        return True
    with path.open("rb") as file:
        head = file.read(_LARGEST_HEAD)
        names, records = (head.find(b"HEADER RECORD*******" + word) + _LINE for word in (b"NAM", b"OBS"))
        if min(names, records) < _LINE:
            return False
        places = range(names + 4, names + 4 + _DESCRIBED * fields, _DESCRIBED)
        length = sum(int.from_bytes(head[place : place + 2], "big") for place in places)
        stated = _stated(head[records - _LINE : records])
        if stated is not None:
            return stated * length > size - records
        file.seek(size - (size - records) % max(length, 1))
        if not file.read().strip(b" \0"):
            return False
        file.seek(records)
        while block := file.read(_BLOCK):  # a second table in the file has records of another length
            progress.check()
            if any(block.startswith(_TABLE, at) for at in range(0, len(block), _LINE)):
                return False
    return True


def _stated(line: bytes) -> int | None:
    """The number of records in the header of the observations; None where it says none, as a nought there does."""
    number = line[_COUNT]
    return int(number) or None if line[len(_OBSERVATIONS) :].startswith(b"V8") and number.strip().isdigit() else None


def said_of_count(path: Path) -> tuple[Notice, ...]:
    """That an .xpt file does not say how many records it holds, where it is one that does not."""
    if path.suffix.lower() != ".xpt":
        return ()
    try:
        with path.open("rb") as file:
            head = file.read(_LARGEST_HEAD)
    except OSError:  # whoever reads it says so
        return ()
    place = head.find(_OBSERVATIONS)
    if place < 0 or _stated(head[place : place + _LINE]) is not None:
        return ()
    told = mark(
        "{file} does not say how many records it holds: if it was cut off behind a whole record, that cannot be seen. "
        "Compare the number of records with what it should be."
    )
    return (Notice.of("records-not-stated", told, file=path.name),)


def batches(path: Path, file: TypedFile, names: Sequence[str], progress: Progress = SILENT) -> Iterator[pa.RecordBatch]:
    """Columns of a file; see `core.formats.typed.reading.TypedFormat`."""
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
    child.call(f"{__package__}.readstat:write", str(path), "xpt", file, purpose="write", feed=feed, progress=progress)
