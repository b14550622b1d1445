"""Groups of rows that agree on some code columns, numbered in the order of their codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..kernels import cells as sums
from ..kernels import group as kernels

BLOCK = 1 << 17
_LARGEST = 1 << 63
_BITS_A_ROW = 64
"""Possible keys of a row up to which a bit of each takes less time than sorting those that occur, and less memory."""
_DIGITS = 3
"""Digits that `sort_spread` begins with."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of n rows, in lexicographic order of their codes.

    Attributes
    ----------
    ids : (n,) uint32, the group of each row
    member : (g,) uint32, one row of each group
    """

    ids: NDArray[np.uint32]
    member: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.member)


def blocks(n: int, progress: Progress = SILENT, size: int = BLOCK) -> Iterator[slice]:
    """Slices that cover ``range(n)``; asks before each whether to go on."""
    for start in range(0, n, size):
        progress.check()
        yield slice(start, min(n, start + size))


def group_rows(
    columns: Sequence[NDArray[np.unsignedinteger]],
    cards: Sequence[int],
    progress: Progress = SILENT,
    rows: NDArray[np.uint32] | None = None,
) -> Groups:
    """Group rows by their codes on some columns.

    Parameters
    ----------
    columns : k arrays of uint8, uint16 or uint32, contiguous
        Codes; every code >= the column's card counts as one value, "missing". At most the card where `rows` is given.
    cards : k numbers of valid codes
    rows : (n,) uint32, optional
        Rows of `columns` to group instead of all, in this order; `member` then refers to positions in `rows`.
    """
    n = len(columns[0]) if rows is None else len(rows)
    space = 1
    for card in cards:
        space *= card + 1
    if space <= _BITS_A_ROW * n + 4096 and space <= 1 << 32:
        keys = np.zeros(n, np.uint32)
        for column, card in zip(columns, cards, strict=True):
            _fold(column, card, rows, keys, progress)
        return _with_members(keys, _rank_dense(keys, space, progress), progress)
    return _group_sparse(columns, cards, progress, rows, n)


def _group_sparse(
    columns: Sequence[NDArray[np.unsignedinteger]],
    cards: Sequence[int],
    progress: Progress,
    rows: NDArray[np.uint32] | None,
    n: int,
) -> Groups:
    number = np.zeros(n, np.uint64)
    space = 1
    for column, card in zip(columns, cards, strict=True):
        if space * (card + 1) > _LARGEST:
            ranks, space = _rank_sorted(number, space, progress)
            number = ranks.astype(np.uint64)
        _fold(column, card, rows, number, progress)
        space *= card + 1
    ids, size = _rank_sorted(number, space, progress)
    return _with_members(ids, size, progress)


def _fold(
    column: NDArray[np.unsignedinteger],
    card: int,
    rows: NDArray[np.uint32] | None,
    keys: NDArray[np.unsignedinteger],
    progress: Progress,
) -> None:
    for part in blocks(len(keys), progress):
        if rows is None:
            kernels.fold(column[part], card, keys[part])
        else:
            kernels.fold_rows(column, rows[part], card, keys[part])


def _rank_dense(keys: NDArray[np.uint32], space: int, progress: Progress) -> int:
    words = np.zeros((space + 63) // 64, np.uint64)
    for part in blocks(len(keys), progress):
        kernels.mark(keys[part], words)
    ranks, size = np.empty(len(words), np.uint32), 0
    for part in blocks(len(words), progress):
        size = kernels.rank_marked(words[part], size, ranks[part])
    for part in blocks(len(keys), progress):
        kernels.relabel(keys[part], words, ranks)
    return size


def _rank_sorted(keys: NDArray[np.uint64], space: int, progress: Progress) -> tuple[NDArray[np.uint32], int]:
    ids = np.zeros(len(keys), np.uint32)
    if not len(keys):
        return ids, 0
    keys, rows = radix_sort(keys, (space - 1).bit_length(), progress)
    last, rank = keys[0], 0
    for part in blocks(len(keys), progress):
        rank = kernels.number_runs(keys[part], rows[part], last, rank, ids)
        last = keys[part.stop - 1]
    return ids, rank + 1


def radix_sort(
    keys: NDArray[np.uint64], bits: int, progress: Progress
) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Keys of so many bits, sorted, and the rows they came from (stable); the memory of the given keys is used up."""
    return _by_digits(keys, np.arange(len(keys), dtype=np.uint32), 0, bits, progress)


def sort_spread(keys: NDArray[np.uint64], progress: Progress = SILENT) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """As `radix_sort`, faster where few keys differ only in their last bits, as measured numbers do.

    The first bits are sorted by digits and what they leave by insertion; where that is much, all bits by digits.
    """
    least = keys.min(initial=np.uint64(_LARGEST))
    keys = keys - least
    bits = int(keys.max(initial=0)).bit_length()
    width = _digit(len(keys))
    keys, rows = _by_digits(keys, np.arange(len(keys), dtype=np.uint32), max(0, bits - _DIGITS * width), bits, progress)
    moves = 2 * len(keys)
    for part in blocks(len(keys), progress):
        moves = kernels.settle(keys, rows, part.start, part.stop, moves)
        if moves < 0:
            keys, rows = _by_digits(keys, rows, 0, bits, progress)
            break
    keys += least
    return keys, rows


def _digit(n: int) -> int:
    """Bits of a digit."""
    return 11 if n > 1 << 15 else 8


def _by_digits(
    keys: NDArray[np.uint64], rows: NDArray[np.uint32], first: int, bits: int, progress: Progress
) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Keys and rows in the order of the bits from `first` on, stable; the memory of both is used up."""
    width = _digit(len(keys))
    keys_out, rows_out = np.empty_like(keys), np.empty_like(rows)
    for shift in range(first, bits, width):
        counts = np.zeros(1 << width, np.int64)
        for part in blocks(len(keys), progress):
            kernels.count_digits(keys[part], shift, counts)
        places = np.cumsum(counts) - counts
        for part in blocks(len(keys), progress):
            kernels.scatter_digits(keys[part], rows[part], shift, places, keys_out, rows_out)
        keys, keys_out, rows, rows_out = keys_out, keys, rows_out, rows
    return keys, rows


def _with_members(ids: NDArray[np.uint32], size: int, progress: Progress) -> Groups:
    member = np.empty(size, np.uint32)
    for part in blocks(len(ids), progress):
        kernels.keep_member(ids[part], part.start, member)
    return Groups(ids, member)


def count_by_group(groups: Groups, progress: Progress = SILENT) -> NDArray[np.int64]:
    """Number of rows of each group, (g,) int64."""
    counts = np.zeros(len(groups), np.int64)
    for part in blocks(len(groups.ids), progress):
        sums.count_ids(groups.ids[part], counts)
    return counts


def sum_by_group(groups: Groups, values: NDArray[np.int64], progress: Progress = SILENT) -> NDArray[np.int64]:
    """Sum of integer row values over each group, (g,) int64."""
    totals = np.zeros(len(groups), np.int64)
    for part in blocks(len(groups.ids), progress):
        sums.add_by_id(groups.ids[part], values[part], totals)
    return totals
