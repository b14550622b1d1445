"""Records anywhere in a text file of any size: an index of places, and the few records around one of them.

The file is read once to learn where records begin; from then on only the block around a record is read when the
record is looked at, so that memory does not grow with the file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.encoding import BLANKS
from ..data.variables import Metadata
from ..formats.text.block_file import BlockFile
from ..formats.text.delimited import DelimitedRecords
from ..formats.text.fixed import FixedRecords
from ..formats.text.records import RecordBlock, python_encoding

BLOCK_BYTES = 1 << 15
KEPT_BLOCKS = 64


@dataclass(frozen=True)
class RecordIndex:
    """Where blocks of records begin in a file.

    Attributes
    ----------
    path, size, modified_ns : the file, and what it was when it was indexed
    records : number of records n
    firsts : record (0-based) with which each block begins, ascending
    offsets : byte at which that block begins
    columns : column (0-based) of each variable, of a delimited file
    record_length : bytes of a record, of a fixed-format file
    """

    path: Path
    size: int
    modified_ns: int
    records: int
    firsts: tuple[int, ...]
    offsets: tuple[int, ...]
    columns: tuple[int, ...] = ()
    record_length: int = 0


def index_records(path: Path, metadata: Metadata, progress: Progress = SILENT) -> RecordIndex:
    """Read a file once to learn where its records stand.

    Raises
    ------
    DataError
        What cannot be read, with file and line.
    """
    records = _records(path, metadata)
    firsts, offsets, count = [], [], 0
    with BlockFile(path, BLOCK_BYTES) as file:
        for block in records.blocks(file):
            firsts.append(block.first)
            offsets.append(file.read - len(file.data))
            count = block.first + len(block)
            progress.check()
            progress.report(file.read, max(file.size, 1), translate(mark("Looking through the records")))
        _, size, modified_ns = file.identity()
    columns = tuple(records.columns) if isinstance(records, DelimitedRecords) else ()
    return RecordIndex(path, size, modified_ns, count, tuple(firsts), tuple(offsets), columns, records.record_length)


class TextBrowser:
    """The texts of records, read when they are asked for.

    Parameters
    ----------
    index : of the file
    metadata : the file's; its variables are what can be looked at

    Attributes
    ----------
    names : the variables, in file order
    records : number of records n
    """

    def __init__(self, index: RecordIndex, metadata: Metadata) -> None:
        self._index = index
        self._metadata = metadata
        self._encoding = python_encoding(metadata.encoding)
        self._kept: OrderedDict[int, _Page] = OrderedDict()
        self.names = metadata.names
        self.records = index.records

    def text(self, record: int, slot: int) -> str:
        """The value of variable ``names[slot]`` in a record (0-based), without surrounding blanks.

        Raises
        ------
        DataError
            ``browsed-file-changed``: it is not the file that was indexed; or it cannot be read.
        """
        return self._page(record).text(record, slot)

    def row(self, record: int, slots: Sequence[int] | None = None) -> tuple[str, ...]:
        """The values of several variables (all by default) in a record; errors as `text`."""
        page = self._page(record)
        return tuple(page.text(record, slot) for slot in (range(len(self.names)) if slots is None else slots))

    def close(self) -> None:
        """Nothing is held open between two looks."""

    def _page(self, record: int) -> _Page:
        if not 0 <= record < self.records:
            raise IndexError(record)
        block = bisect_right(self._index.firsts, record) - 1
        if block in self._kept:
            self._kept.move_to_end(block)
            return self._kept[block]
        page = self._read(block)
        self._kept[block] = page
        if len(self._kept) > KEPT_BLOCKS:
            self._kept.popitem(last=False)
        return page

    def _read(self, block: int) -> _Page:
        index = self._index
        records = _records(index.path, replace(self._metadata, header=False), self.names)
        records.record_length = index.record_length
        if isinstance(records, DelimitedRecords):
            records.columns = list(index.columns)
        last = block + 1 == len(index.firsts)
        end = index.records if last else index.firsts[block + 1]
        begin, beyond = index.offsets[block], index.size if last else index.offsets[block + 1]
        with BlockFile(index.path, beyond - begin) as file:
            if (file.size, file.modified_ns) != (index.size, index.modified_ns):
                raise changed(index.path)
            file.go_to(begin)
            while file.read < beyond or (last and not file.last):
                if not file.more() and file.read < beyond:
                    raise changed(index.path)
            found = next(iter(records.blocks(file)))
            return _Page(found, index.firsts[block], end, len(self.names), self._encoding)


class _Page:
    """Some consecutive records, as bytes and the places of their fields."""

    def __init__(self, block: RecordBlock, first: int, end: int, slots: int, encoding: str) -> None:
        self._first = first
        self._spans = [tuple(each[: end - first].tolist() for each in block.field(slot)) for slot in range(slots)]
        self._data = block.data.tobytes()
        self._encoding = encoding

    def text(self, record: int, slot: int) -> str:
        starts, lengths = self._spans[slot]
        start = starts[record - self._first]
        field = self._data[start : start + lengths[record - self._first]]
        return field.decode(self._encoding, "replace").strip(BLANKS)


def _records(path: Path, metadata: Metadata, names: Sequence[str] | None = None) -> FixedRecords | DelimitedRecords:
    kind = FixedRecords if metadata.format == "fixed" else DelimitedRecords
    return kind(path, metadata, metadata.names if names is None else names)


def changed(path: Path) -> DataError:
    """The error that a file is not what it was when it was opened here."""
    return DataError(
        "browsed-file-changed",
        mark("The file {file} has changed since it was opened here."),
        mark("Close this window and open it again."),
        file=path.name,
    )
