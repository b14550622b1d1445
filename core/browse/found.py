"""Which records of a file in parts were found, however many: an eighth of a byte a record at most."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1 << 12
"""Records whose bits are looked at together."""
_BITS = 32
"""Bits that one number takes: of more hits than one in so many records the bits of all records take less."""


class RecordSet:
    """Some of the `records` of one part.

    Parameters
    ----------
    hits : (h,) which ones, 0-based in the part, ascending
    """

    def __init__(self, hits: NDArray[np.int64], records: int) -> None:
        self._count, self._records = len(hits), records
        self._few: NDArray[np.uint32] | None = None
        self._last = -1, np.zeros(0, np.int64)
        """The block that was looked at last, and which of its records are among them: a table asks row by row."""
        if len(hits) * _BITS <= records:
            self._few = hits.astype(np.uint32)
            return
        blocks = -(-records // _BLOCK)
        bits = np.zeros(blocks * _BLOCK, np.bool_)
        bits[hits] = True
        self._bits = np.packbits(bits).reshape(blocks, -1)
        self._before = np.concatenate([[0], np.cumsum(np.bincount(hits // _BLOCK, minlength=blocks))])

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> int:
        """The record that is the `index`-th of them, from 0."""
        if not 0 <= index < self._count:
            raise IndexError(index)
        if self._few is not None:
            return int(self._few[index])
        block = int(np.searchsorted(self._before, index, "right")) - 1
        last, within = self._last
        if last != block:
            self._last = block, (within := np.flatnonzero(self._of_block(block)))
        return block * _BLOCK + int(within[index - int(self._before[block])])

    def before(self, record: int) -> int:
        """How many of them come before a record, which may lie before or behind the part."""
        if record <= 0:
            return 0
        if self._few is not None:
            return int(np.searchsorted(self._few, record))
        block = record // _BLOCK
        if block >= len(self._bits):
            return self._count
        return int(self._before[block]) + int(np.count_nonzero(self._of_block(block)[: record % _BLOCK]))

    def mask(self) -> NDArray[np.bool_]:
        """Of each record of the part whether it is one of them, (records,)."""
        if self._few is None:
            return np.unpackbits(self._bits.ravel(), count=self._records).view(np.bool_)
        found = np.zeros(self._records, np.bool_)
        found[self._few] = True
        return found

    def next_to(self, record: int, direction: int) -> int:
        """The nearest of them behind a record, or with a `direction` of -1 before it; -1: none."""
        index = self.before(record + 1) if direction > 0 else self.before(record) - 1
        return self[index] if 0 <= index < self._count else -1

    def _of_block(self, block: int) -> NDArray[np.uint8]:
        return np.unpackbits(self._bits[block])


class FoundRecords:
    """The records that were found in the parts so far, which were searched in their order."""

    def __init__(self) -> None:
        self._sets: list[RecordSet] = []
        self._firsts: list[int] = []
        self._rows: list[int] = []
        """How many were found before each set."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, row: int) -> int:
        """The record, 0-based over all parts, that is the one at `row` of them."""
        if not 0 <= row < self._count:
            raise IndexError(row)
        number = bisect_right(self._rows, row) - 1
        return self._firsts[number] + self._sets[number][row - self._rows[number]]

    def add(self, first: int, found: RecordSet) -> None:
        """Those of one more part, whose first record is `first` over all parts."""
        if len(found):
            self._sets.append(found)
            self._firsts.append(first)
            self._rows.append(self._count)
            self._count += len(found)

    def row_of(self, record: int) -> int:
        """Where a record stands among them; -1: it was not found."""
        number = bisect_right(self._firsts, record) - 1
        if number < 0:
            return -1
        within = record - self._firsts[number]
        row = self._sets[number].before(within)
        if row == len(self._sets[number]) or self._sets[number][row] != within:
            return -1
        return self._rows[number] + row
