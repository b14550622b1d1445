"""Reading a file once, in blocks, with its checksum, size and time taken in the same pass."""

from __future__ import annotations

import codecs
import hashlib
import os
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.plain_file import open_plain
from ...base.texts import mark
from ..detect import utf16

BLOCK_BYTES, MOST_BYTES, LEAST_RECORDS = 1 << 19, 1 << 22, 1 << 12
"""Bytes read at a time: few, so that reading on and using what was read go side by side; for long records more, up to
a limit, so that some thousand of them come together."""
RECORD_BYTES = 1 << 26
HEAD_BYTES = 1 << 9
"""What is looked at to see whether a file is in UTF-16."""


class BlockFile:
    """A file read into a buffer from which its user takes what it has understood.

    The unread bytes are `data`; `take` drops bytes from its front, `more` reads on and leaves to whoever still uses
    them the bytes that were taken. The file is not memory-mapped: a map of a file that is shortened kills the process.

    Attributes
    ----------
    path : Path
    size : int, bytes of the file when it was opened
    modified_ns : int, when it was last modified
    last : bool, whether the file ends with `data`
    read : int, bytes read so far
    returns : bool, whether its lines end with CR alone; its `data` then have LF in place of CR
    wide : str, ``utf-16-le`` or ``utf-16-be`` where the file is in that encoding: its `data` are UTF-8
    marked : bool, whether it then begins with a byte order mark

    Parameters
    ----------
    block_bytes : int, bytes read at a time; None: as suits the records
    hashed : bool, whether the checksum is taken; without it such a file has no `identity`

    Raises
    ------
    DataError
        No such file, not a file, or not readable.
    """

    def __init__(self, path: Path, block_bytes: int | None = None, hashed: bool = True) -> None:
        self.path = path
        try:
            self._file = open_plain(path)
        except FileNotFoundError:
            raise DataError(
                "data-missing", mark("There is no file {file}."), mark("Check the path of the data file."), file=path
            ) from None
        except OSError as error:
            raise DataError(
                "data-unreadable",
                mark("The file {file} cannot be read: {reason}."),
                "",
                file=path,
                reason=error.strerror,
            ) from None
        status = os.fstat(self._file.fileno())
        self.size = status.st_size
        self.modified_ns = status.st_mtime_ns
        self._hash = hashlib.sha256() if hashed else None
        head = self._file.read(HEAD_BYTES) or b""
        found = utf16(head)
        self.marked = found == "utf-16"
        self.wide = ("utf-16-le" if head[:2] == codecs.BOM_UTF16_LE else "utf-16-be") if self.marked else found
        self._decoder = codecs.getincrementaldecoder(found)() if found else None
        self._file.seek(0)
        self._step, self._most = block_bytes or BLOCK_BYTES, block_bytes or MOST_BYTES
        self._buffer: NDArray[np.uint8] = np.empty(self._step, dtype=np.uint8)
        self._begin = 0
        self._end = 0
        self.read = 0
        self.last = False
        self.returns = False

    def __enter__(self) -> BlockFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if isinstance(error, DataError) and self._is_changed():
                raise changed(self.path) from error  # whatever is wrong with a file that another program is writing
        finally:
            self._file.close()

    def _is_changed(self) -> bool:
        status = os.fstat(self._file.fileno())
        return (status.st_size, status.st_mtime_ns) != (self.size, self.modified_ns)

    @property
    def data(self) -> NDArray[np.uint8]:
        """The bytes read and not yet taken, (size,) uint8; a view that stays valid."""
        return self._buffer[self._begin : self._end]

    def take(self, count: int) -> None:
        """Drop `count` bytes from the front of `data`."""
        self._begin += count

    def expect(self, record: int) -> None:
        """Suit what is read at a time to records of so many bytes."""
        self._step = max(self._step, min(LEAST_RECORDS * record, self._most))

    def go_to(self, offset: int) -> None:
        """Begin at byte `offset`; `read` counts from the file's beginning all the same. Only before the first `more`.

        Such a file has no `identity`.
        """
        self._file.seek(offset)
        self.read = offset

    def more(self) -> int:
        """Read a further block behind `data`; how many bytes came. 0 also sets `last`."""
        if self._decoder is not None:
            return self._more_wide(self._decoder)
        held = self._end - self._begin
        if self._begin or held == len(self._buffer):
            # A new buffer: what was taken of the old one may still be in use.
            buffer = np.empty(max(self._step, 2 * held), dtype=np.uint8)
            buffer[:held] = self.data
            self._buffer, self._begin, self._end = buffer, 0, held
        try:
            count = self._file.readinto(self._buffer[held:].data)
        except OSError as error:
            raise DataError(
                "data-unreadable",
                mark("The file {file} cannot be read: {reason}."),
                "",
                file=self.path,
                reason=error.strerror,
            ) from None
        if self._hash is not None:
            self._hash.update(self._buffer[held : held + count].data)
        if self.returns:
            self._without_returns(self._buffer[held : held + count])
        self._end += count
        self.read += count
        self.last = self.last or count == 0
        return count

    def end_with_returns(self) -> None:
        """Take CR for LF from here on; only behind the first `more`.

        Raises
        ------
        DataError
            ``data-line-ends``, now or later: the file has LF as well.
        """
        self.returns = True
        self._without_returns(self.data)

    def _without_returns(self, data: NDArray[np.uint8]) -> None:
        if (data == 10).any():
            raise mixed_line_ends(self.path)
        data[data == 13] = 10

    def _more_wide(self, decoder: codecs.IncrementalDecoder) -> int:
        """As `more`, of a file in UTF-16."""
        raw = self._file.read(self._step) or b""
        if self._hash is not None:
            self._hash.update(raw)
        try:
            text = decoder.decode(raw, final=not raw).encode()
        except UnicodeDecodeError as error:
            raise DataError(
                "data-encoding-wide",
                mark("{file}: near byte {place} the text is not valid UTF-16."),
                mark("The file is damaged or cut off; save the data anew, best as UTF-8."),
                file=self.path,
                place=self.read + error.start,
            ) from None
        added = np.frombuffer(text, dtype=np.uint8).copy()
        if self.returns:
            self._without_returns(added)
        joined = np.concatenate([self.data, added])
        self._buffer, self._begin, self._end = joined, 0, len(joined)
        self.read += len(raw)
        self.last = self.last or not raw
        return len(raw)

    def identity(self) -> tuple[str, int, int]:
        """SHA-256 (hex), size and modification time (ns) of the file just read to its end.

        Raises
        ------
        DataError
            ``data-changed``: it changed while it was being read.
        """
        assert self._hash is not None, "read without a checksum"
        if self._is_changed() or self.read != self.size:
            raise changed(self.path)
        return self._hash.hexdigest(), self.size, self.modified_ns


def mixed_line_ends(path: Path, line: int = 1) -> DataError:
    """The error that some lines end with CR and others with LF."""
    return DataError(
        "data-line-ends",
        mark("{file}, line {line}: there are carriage returns within lines, or instead of line feeds at some ends."),
        mark("Save the file with line feeds (Unix) or carriage return and line feed (Windows) throughout."),
        file=path,
        line=line,
    )


def changed(path: Path) -> DataError:
    """The error that the data file is not what it was."""
    return DataError(
        "data-changed",
        mark("The file {file} has changed since it was read; nothing was written."),
        mark(
            "Read it again (in the main window: Calculate Again), look at the results once more, and repeat the step."
        ),
        file=path,
    )
