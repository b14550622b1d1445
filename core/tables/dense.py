"""Cells counted in a table of all that could be, where these are no more than the rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..kernels import cells as sums
from ..kernels import group as kernels
from .grouping import BLOCK, blocks

Codes = NDArray[np.unsignedinteger]
Block = tuple[Sequence[Codes], Sequence[NDArray[np.int64] | None]]
"""The codes of some rows, contiguous, and the numbers that are to be added up; None: a one for each row."""

_BYTES = 1 << 27
"""Memory that a table may take."""


def is_dense(cards: Sequence[int], rows: int, numbers: int) -> bool:
    """Whether a table of all possible cells, with `numbers` sums of each, is worth its time and memory.

    Where there are more of them than rows, sorting those that occur takes less time.
    """
    space = math.prod(cards)
    return bool(cards) and 0 < space <= rows and space * 8 * numbers <= _BYTES


class DenseCells:
    """The sums of every possible cell of k columns; add rows to it, then take those that occur.

    Parameters
    ----------
    cards : number of codes of each column, so few that `is_dense`
    numbers : how many numbers each row has that are added up; the first is above zero
    """

    def __init__(self, cards: Sequence[int], numbers: int) -> None:
        self._cards = tuple(cards)
        self._sums = [np.zeros(math.prod(cards), np.int64) for _ in range(numbers)]

    def add(self, rows: int, block: Callable[[slice], Block], progress: Progress = SILENT) -> None:
        """Add rows, of which `block` gives some at a time."""
        room = np.empty(min(rows, BLOCK), np.uint32)
        for part in blocks(rows, progress):
            keys = room[: part.stop - part.start]
            keys[:] = 0
            columns, values = block(part)
            for column, card in zip(columns, self._cards, strict=True):
                kernels.fold(column, card - 1, keys)
            for total, each in zip(self._sums, values, strict=True):
                if each is None:
                    sums.count_ids(keys, total)
                else:
                    sums.add_by_id(keys, each, total)

    def found(self) -> tuple[list[NDArray[np.uint32]], list[NDArray[np.int64]]]:
        """The cells that rows were added to, in lexicographic order: their codes, and the sums."""
        cells = np.flatnonzero(self._sums[0] != 0)
        keys, codes = cells.astype(np.uint32), []
        for card in reversed(self._cards):
            above = keys // np.uint32(card)
            codes.append(keys - above * np.uint32(card))
            keys = above
        return codes[::-1], [total[cells] for total in self._sums]
