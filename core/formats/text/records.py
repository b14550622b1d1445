"""Blocks of whole records, and each field's place in them: what every text format hands to the encoders.

The next block is found while the one before is being used.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...base.charsets import USABLE, charset
from ...base.errors import DataError
from ...base.texts import mark
from ...data.encoding import FoldedTexts
from ...kernels.lines import check_bytes, check_utf8, lone_return
from ..detect import not_text
from .block_file import BlockFile, mixed_line_ends

BLOCK_RECORDS = 1 << 16
Spans = tuple[NDArray[np.int32], NDArray[np.int32]]


@dataclass(frozen=True, eq=False)
class RecordBlock:
    """Some whole records of a file.

    Attributes
    ----------
    data : (size,) uint8, the bytes that the spans point into
    first : int, number of records before this block
    lines : (n,) int64, the 1-based line on which each record begins
    eols : (n,) uint8, how each record ends: 0 not at all, 1 LF, 2 CRLF
    field : text of the field in a slot, quotes removed, as (starts, lengths), (n,) int32 each
    raw : the same field's bytes as they stand in the file
    """

    data: NDArray[np.uint8]
    first: int
    lines: NDArray[np.int64]
    eols: NDArray[np.uint8]
    field: Callable[[int], Spans]
    raw: Callable[[int], Spans]

    def __len__(self) -> int:
        return len(self.lines)


@dataclass(frozen=True, eq=False)
class FoldedBlock:
    """Some whole records of a file that has not every field as text.

    Attributes
    ----------
    lines : the number of each record
    texts : those of the field in a slot
    numbers : the same field as numbers (n,) of which its texts are the shortest decimals; None: it is none
    """

    lines: range
    texts: Callable[[int], FoldedTexts]
    numbers: Callable[[int], NDArray[np.float64] | None]

    def __len__(self) -> int:
        return len(self.lines)


class TextCheck:
    """Checks bytes, block after block, against an encoding: UTF-8, or any of one byte a character with ASCII in it.

    Raises
    ------
    DataError
        ``encoding-unknown``: no such encoding, or one that is not supported.
    """

    def __init__(self, encoding: str) -> None:
        self.encoding = python_encoding(encoding)
        self._checked = 0
        if self.encoding != "utf-8":
            self._allowed = np.array([_decodes(bytes([i]), self.encoding) and i != 0 for i in range(256)])

    def check(self, file: BlockFile, line: int, taken: int) -> None:
        """Refuse the first byte of ``file.data`` that is not text; `line` is the line on which the data begin.

        `taken` says how many bytes left the front of the data since the last call.
        """
        data = file.data
        begin = max(self._checked - taken, 0)
        if self.encoding == "utf-8":
            bad, self._checked = check_utf8(data, begin)
            if bad < 0 and file.last and self._checked < len(data):
                bad = self._checked
        else:
            bad, self._checked = check_bytes(data, begin, self._allowed), len(data)
        if bad >= 0:
            raise _not_text(file.path, line + int(np.count_nonzero(data[:bad] == 10)), int(data[bad]), self.encoding)


def _not_text(path: Path, line: int, byte: int, encoding: str) -> DataError:
    if byte == 0:
        return not_text(path, line)
    return DataError(
        "data-encoding",
        mark("{file}, line {line}: the byte {byte} is not valid {encoding}."),
        mark("Save the data as UTF-8, or say which encoding they are in, for example cp1252."),
        file=path,
        line=line,
        byte=f"0x{byte:02X}",
        encoding=encoding,
    )


def python_encoding(name: str) -> str:
    """Python's name of an encoding this program reads; ``utf-8`` for UTF-8 with or without a byte order mark."""
    found = charset(name)
    if found is None:
        raise DataError(
            "encoding-unknown",
            mark("The encoding {encoding} is not supported."),
            mark("Choose one of these: {usable}."),
            encoding=name,
            usable=USABLE,
        )
    return "utf-8" if found.startswith("utf") else found  # as UTF-8 `BlockFile` gives a file in UTF-16


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeError:
        return False
    return True


def no_records(path: Path) -> DataError:
    """The error that a file has no record at all."""
    return DataError(
        "data-empty", mark("The file {file} contains no records."), mark("Choose another data file."), file=path
    )


def no_line_ends(path: Path, line: int) -> DataError:
    """The error that a record does not end."""
    return DataError(
        "data-no-line-ends",
        mark("{file}, line {line}: the record that begins here has no end within 64 MB."),
        mark("Check that this is a text file with one record a line, and that no quotation mark is left open."),
        file=path,
        line=line,
    )


def check_line_ends(path: Path, data: NDArray[np.uint8], line: int, delimiter: int) -> None:
    """Refuse a CR, outside quoted fields, that does not stand before the end of a line; `data` are whole records.

    Some programs take it for the end of a line, others do not.

    Raises
    ------
    DataError
        ``data-line-ends``.
    """
    if (data == 13).any() and (at := lone_return(data, delimiter)) >= 0:
        raise mixed_line_ends(path, line + int(np.count_nonzero(data[:at] == 10)))


def open_text(file: BlockFile, delimiter: int = -1) -> bytes:
    """Take a UTF-8 byte order mark from the front of a file just opened; what was taken.

    Parameters
    ----------
    delimiter : int, a byte: lines may then end with CR alone, as in a file from an old Macintosh; -1 in fixed format

    Raises
    ------
    DataError
        ``data-line-ends``: lines end with CR alone.
    """
    opening = codecs.BOM_UTF8 if file.data[:3].tobytes() == codecs.BOM_UTF8 else b""
    file.take(len(opening))
    alone = not (file.data == 10).any() and lone_return(file.data, delimiter) >= 0
    if alone and delimiter >= 0:
        file.end_with_returns()
    elif alone:
        raise DataError(
            "data-line-ends",
            mark("The lines of {file} end with a carriage return only."),
            mark("Save the file with line feeds (Unix) or carriage return and line feed (Windows)."),
            file=file.path,
        )
    return opening


Item = TypeVar("Item")


@contextmanager
def ahead(items: Iterator[Item]) -> Iterator[Iterator[Item]]:
    """The items of an iterator, in order, each made in a thread of its own while the one before is being used.

    Worth it where both sides are kernels or system calls that leave the interpreter to others. The thread never has
    more than one item in advance and has ended where this context has; what making an item raises is raised when it
    is asked for.
    """
    with ThreadPoolExecutor(1, "ahead") as thread:
        yield _in_advance(items, thread)


def _in_advance(items: Iterator[Item], thread: ThreadPoolExecutor) -> Iterator[Item]:
    none = object()
    coming = thread.submit(next, items, none)
    while (item := coming.result()) is not none:
        coming = thread.submit(next, items, none)
        yield item  # type: ignore[misc]
