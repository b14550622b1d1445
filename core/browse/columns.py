"""Records of files that are not text: their codes are put down once, in a file of their own, and read from there."""

from __future__ import annotations

import tempfile
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from ..base.progress import SILENT, Progress
from ..data.variables import Metadata
from ..formats.convert import code_batches
from .text import changed

BATCH = 1 << 12
KEPT_BATCHES = 8


class ColumnsBrowser:
    """The texts of records of an SPSS, Stata, SAS, Parquet or Excel file; see `core.browse.text.TextBrowser`.

    The codes stand compressed in a temporary file without a name that ends with this object.
    """

    def __init__(self, path: Path, metadata: Metadata, progress: Progress = SILENT) -> None:
        self.names = metadata.names
        self._path = path
        self._identity = _identity(path)
        self._file = tempfile.TemporaryFile(prefix="pavo-")  # noqa: SIM115 - closed by close()
        self._firsts: list[int] = []
        self._kept: OrderedDict[int, pa.RecordBatch] = OrderedDict()
        self.records = 0
        try:
            self._put_down(metadata, progress)
        except BaseException:
            self._file.close()
            raise

    def _put_down(self, metadata: Metadata, progress: Progress) -> None:
        schema = pa.schema([(name, pa.string()) for name in self.names])
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_file(pa.PythonFile(self._file, "w"), schema, options=options) as writer:
            for batch in code_batches(self._path, metadata, self.names, False, progress):
                for begin in range(0, batch.num_rows, BATCH):
                    part = batch.slice(begin, BATCH)
                    self._firsts.append(self.records)
                    self.records += part.num_rows
                    writer.write_batch(part.cast(schema))
                    progress.check()
        self._file.seek(0)
        self._reader = pa.ipc.open_file(pa.PythonFile(self._file, "r"))

    def text(self, record: int, slot: int) -> str:
        """The value of variable ``names[slot]`` in a record (0-based), without surrounding blanks.

        Raises
        ------
        DataError
            ``browsed-file-changed``: the file is not the one that was opened.
        """
        if not 0 <= record < self.records:
            raise IndexError(record)
        number = bisect_right(self._firsts, record) - 1
        value: str = self._batch(number).column(slot)[record - self._firsts[number]].as_py()
        return value

    def row(self, record: int, slots: Sequence[int] | None = None) -> tuple[str, ...]:
        """The values of several variables (all by default) in a record; errors as `text`."""
        return tuple(self.text(record, slot) for slot in (range(len(self.names)) if slots is None else slots))

    def close(self) -> None:
        """Remove what was put down."""
        self._kept.clear()
        self._file.close()

    def _batch(self, number: int) -> pa.RecordBatch:
        if number in self._kept:
            self._kept.move_to_end(number)
            return self._kept[number]
        if _identity(self._path) != self._identity:
            raise changed(self._path)
        self._kept[number] = self._reader.get_batch(number)
        if len(self._kept) > KEPT_BATCHES:
            self._kept.popitem(last=False)
        return self._kept[number]


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns
