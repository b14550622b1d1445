"""Sorted rows of codes as one number each, among which other rows are looked up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from .grouping import blocks

Codes = NDArray[np.unsignedinteger]

_LARGEST = 1 << 63


def columns_in_a_word(cards: Sequence[int]) -> int:
    """Of how many columns, from the first on, one number below 2^63 tells the codes; at least one."""
    space = 1
    for number, card in enumerate(cards):
        space *= card
        if space > _LARGEST:
            return max(1, number)
    return len(cards)


def _space(cards: Sequence[int]) -> int:
    space = 1
    for card in cards:
        space *= card
    return space


def packed(columns: Sequence[Codes], cards: Sequence[int], rows: int) -> NDArray[np.uint64]:
    """One number for each row, (rows,), ordered as the rows are; the product of the cards is at most 2^63."""
    number = np.zeros(rows, np.uint64)
    for column, card in zip(columns, cards, strict=True):
        number *= np.uint64(card)
        number += column
    return number


class SortedKeys:
    """The m rows of some columns, sorted and each once.

    A row is one number: its codes, one after the other. Where that could be 2^63 or more, the codes so far are replaced
    by their rank among those that occur.

    Parameters
    ----------
    columns : k >= 1 arrays (m,) of codes below their cards, in lexicographic order
    cards : number of codes of each
    """

    def __init__(self, columns: Sequence[Codes], cards: Sequence[int], progress: Progress = SILENT) -> None:
        self._steps: list[tuple[slice, tuple[int, ...], NDArray[np.unsignedinteger]]] = []
        """Columns that a number is made of, behind a rank but for the first; their cards; the sorted numbers."""
        rows, end = len(columns[0]), 0
        ranks: list[Codes] = []
        while end < len(cards):
            sizes = (*(len(self._steps[-1][2]) for _ in ranks), *cards[end:])
            taken = max(columns_in_a_word(sizes), len(ranks) + 1)
            some = slice(end, end + taken - len(ranks))
            kind = np.uint32 if _space(sizes[:taken]) <= 1 << 32 else np.uint64
            number: NDArray[np.unsignedinteger] = np.empty(rows, kind)
            for part in blocks(rows, progress):
                number[part] = packed([column[part] for column in (*ranks, *columns[some])], sizes[:taken],
                                      part.stop - part.start)  # fmt: skip
            end = some.stop
            if end < len(cards):
                new = np.append(True, number[1:] != number[:-1])[:rows]
                ranks, number = [np.cumsum(new, dtype=np.uint64) - np.uint64(1)], number[new]
            self._steps.append((some, sizes[:taken], number))

    def __len__(self) -> int:
        return len(self._steps[-1][2])

    def find(self, columns: Sequence[Codes], progress: Progress = SILENT) -> NDArray[np.uint32]:
        """The place of each of n rows, (n,); the number of all rows where it is not among them."""
        found = np.full(len(columns[0]), len(self), np.uint32)
        for part in blocks(len(found) if len(self) else 0, progress):
            there = np.ones(part.stop - part.start, np.bool_)
            ranks: list[Codes] = []
            for some, sizes, known in self._steps:
                number = packed([*ranks, *(column[part] for column in columns[some])], sizes, len(there))
                number = number.astype(known.dtype, copy=False)
                place = np.minimum(np.searchsorted(known, number), len(known) - 1)
                there &= known[place] == number
                ranks = [place.astype(np.uint64)]
            found[part] = np.where(there, place, len(self))
        return found
