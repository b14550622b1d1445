"""Sorted cells of parts in little memory, or in a file, and the one pass that merges them.

A run holds cells of one part or of several, each once, in the order of their codes. Every number of it takes no more
bytes than the largest one needs. Runs are merged some rows of each at a time: of what is at hand of all of them, the
cells below the least of the last ones are complete. Sums are of integers, so no division into runs changes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.errors import OutputError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.encoding import smallest_type
from .dense import DenseCells, is_dense
from .grouping import Groups, blocks, group_rows, sum_by_group
from .sorted_keys import columns_in_a_word, packed

Codes = NDArray[np.unsignedinteger]
Sums = NDArray[np.integer]
Load = Callable[[int, int], tuple[list[Codes], list[NDArray[np.int64]]]]
"""The codes and sums of the rows of a run from the first number to the second, both as they are in what it becomes."""

_AT_HAND = 1 << 20
"""Rows of all runs that are merged at a time."""
_LEAST_AT_HAND = 1 << 10
"""Rows of one run that are read at a time at least."""
_WRITTEN_AT_ONCE = 1 << 24
"""Bytes between two looks at whether to go on."""


class Rows(Protocol):
    """The m rows of a run: some arrays (m,)."""

    def __len__(self) -> int: ...

    def read(self, first: int, last: int) -> list[NDArray[np.integer]]:
        """The rows from `first` to before `last` of each array."""


@dataclass(frozen=True, eq=False)
class HeldRows:
    """Rows in memory."""

    arrays: tuple[NDArray[np.integer], ...]

    def __len__(self) -> int:
        return len(self.arrays[0])

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return sum(array.nbytes for array in self.arrays)

    def read(self, first: int, last: int) -> list[NDArray[np.integer]]:
        """See `Rows`."""
        return [array[first:last] for array in self.arrays]


@dataclass(frozen=True, eq=False)
class FiledRows:
    """Rows in a file, one array behind the other.

    Attributes
    ----------
    begins, types : where each array begins in the file, and what it holds
    """

    file: IO[bytes]
    begins: tuple[int, ...]
    types: tuple[np.dtype[np.integer], ...]
    rows: int

    def __len__(self) -> int:
        return self.rows

    def read(self, first: int, last: int) -> list[NDArray[np.integer]]:
        """See `Rows`."""
        found = []
        for begin, kind in zip(self.begins, self.types, strict=True):
            self.file.seek(begin + first * kind.itemsize)
            found.append(np.frombuffer(self.file.read((last - first) * kind.itemsize), kind))
        return found


def put_down(rows: HeldRows, file: IO[bytes], progress: Progress = SILENT) -> FiledRows:
    """Write rows to the end of `file`, which is read and written without a buffer.

    Raises
    ------
    OutputError
        ``cells-not-put-down``
    """
    begins = []
    try:
        at = file.seek(0, 2)
        for array in rows.arrays:
            begins.append(at)
            plain = np.ascontiguousarray(array).view(np.uint8)
            for part in blocks(len(plain), progress, _WRITTEN_AT_ONCE):
                written = memoryview(plain[part].data)
                while written:
                    written = written[file.write(written) :]
            at += len(plain)
    except OSError as error:
        raise OutputError(
            "cells-not-put-down",
            mark("The cells of the parts take more memory than is free, and cannot be put into a temporary file: "
                 "{reason}."),
            mark("Make room on the disk, or name a folder for temporary files by the environment variable TMPDIR."),
            reason=error.strerror or str(error),
        ) from None  # fmt: skip
    return FiledRows(file, tuple(begins), tuple(array.dtype for array in rows.arrays), len(rows))


def in_smallest_type(values: NDArray[np.integer]) -> NDArray[np.integer]:
    """The same numbers in as few bytes as hold the largest and the least of them."""
    return values.astype(type_of_sums(int(np.max(values, initial=0)), int(np.min(values, initial=0))), copy=False)


def type_of_sums(most: int, least: int = 0) -> type[np.integer]:
    """The smallest type that holds the numbers from `least` to `most`."""
    if least < 0 or most >= 1 << 32:
        return next((t for t in (np.int8, np.int16, np.int32) if least >= np.iinfo(t).min and most <= np.iinfo(t).max),
                    np.int64)  # fmt: skip
    return smallest_type(most)


class _Cursor:
    """Goes through the rows of one run; holds those that were read and not yet taken, and their numbers to compare."""

    def __init__(self, rows: int, load: Load, cards: Sequence[int], at_once: int) -> None:
        self._rows, self._load, self._at_once, self._next = rows, load, at_once, 0
        self._cards = cards[: columns_in_a_word(cards)]
        self._held: list[NDArray[np.integer]] = []
        self._keys = np.zeros(0, np.uint64)

    def fill(self) -> bool:
        """Read on; whether there is a row."""
        missing = min(self._at_once - len(self._keys), self._rows - self._next)
        if missing > 0:
            codes, sums = self._load(self._next, self._next + missing)
            keys = packed(codes[: len(self._cards)], self._cards, missing)
            arrays = [*codes, *sums]
            held = self._held or [array[:0] for array in arrays]
            self._held = [np.concatenate(both) for both in zip(held, arrays, strict=True)]
            self._keys = np.concatenate([self._keys, keys])
            self._next += missing
        return bool(len(self._keys))

    @property
    def last(self) -> int | None:
        """The last number at hand; None where no row comes after it."""
        return int(self._keys[-1]) if self._next < self._rows else None

    def take(self, below: int | None) -> list[NDArray[np.integer]]:
        """The rows at hand with numbers below that, or all of them, which are no longer held."""
        count = len(self._keys) if below is None else int(np.searchsorted(self._keys, np.uint64(below)))
        taken = [array[:count] for array in self._held]
        self._held, self._keys = [array[count:] for array in self._held], self._keys[count:]
        return taken

    def widen(self) -> None:
        """Hold more: all rows at hand have the same number."""
        self._at_once *= 2


def merged(
    runs: Sequence[tuple[int, Load]], cards: Sequence[int], types: Sequence[type[np.integer]],
    progress: Progress = SILENT,
) -> tuple[NDArray[np.integer], ...]:  # fmt: skip
    """The distinct rows of all runs in their order, and the sums of each.

    Parameters
    ----------
    runs : number of rows of each run, and how they are read; in each run the rows are sorted
    cards : number of codes of each of the k columns
    types : what holds the codes of each column, then each of the sums, of which the first is above zero in every row

    Returns
    -------
    k arrays (m,) of codes, then those of the sums
    """
    most, k = sum(rows for rows, _ in runs), len(cards)
    if is_dense(cards, most, len(types) - k):
        return _merged_in_table(runs, cards, types, progress)
    found = [np.empty(most, kind) for kind in types]  # what is not filled is given back below, and never takes memory
    at_once = max(_LEAST_AT_HAND, _AT_HAND // len(runs))
    cursors = [_Cursor(rows, load, cards, at_once) for rows, load in runs]
    at = 0
    while cursors := [cursor for cursor in cursors if cursor.fill()]:
        progress.check()
        bound = min((cursor.last for cursor in cursors if cursor.last is not None), default=None)
        taken = [rows for cursor in cursors if len((rows := cursor.take(bound))[0])]
        if not taken:
            for cursor in cursors:
                cursor.widen()
            continue
        columns = [np.concatenate(each) for each in zip(*taken, strict=True)]
        groups = grouped(columns[:k], cards, len(columns[-1]), progress)
        here = slice(at, at + len(groups))
        for array, codes in zip(found[:k], columns[:k], strict=True):
            array[here] = codes[groups.member]
        for array, values in zip(found[k:], columns[k:], strict=True):
            array[here] = sum_by_group(groups, values, progress)
        at += len(groups)
    for array in found:
        array.resize(at, refcheck=False)
    return tuple(found)


def _merged_in_table(
    runs: Sequence[tuple[int, Load]], cards: Sequence[int], types: Sequence[type[np.integer]], progress: Progress
) -> tuple[NDArray[np.integer], ...]:
    """As `merged`, by a table of all rows that there could be."""
    table = DenseCells(cards, len(types) - len(cards))
    for rows, load in runs:
        table.add(rows, lambda part, load=load: load(part.start, part.stop), progress)  # type: ignore[misc]
    codes, sums = table.found()
    found: list[NDArray[np.integer]] = [*codes, *sums]
    return tuple(array.astype(kind, copy=False) for array, kind in zip(found, types, strict=True))


def grouped(columns: Sequence[Codes], cards: Sequence[int], rows: int, progress: Progress = SILENT) -> Groups:
    """Rows that agree on all columns; all of them where there is no column."""
    if not columns:
        return Groups(np.zeros(rows, np.uint32), np.zeros(min(1, rows), np.uint32))
    return group_rows(columns, cards, progress)
