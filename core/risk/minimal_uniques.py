"""Minimal sample uniques: the smallest sets of key variables that tell a record from all others of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..kernels import suda as kernels

Rows = NDArray[np.uint32]

_AT_ONCE = 1 << 18
"""Rows that are split before it is asked again whether to go on."""
_MOST = 1 << 27
"""Sets of variables remembered, 12 bytes each."""


class MinimalUniques:
    """Search for the minimal sample uniques (MSU) of a table, as SUDA2 does [Manning, Haglin, Keane 2008].

    From a set of variables on, whose groups of records have more than one member, each variable after its last one is
    added: who is alone then is unique on the set, and leaves; the others are split further. A set on which a record is
    unique is minimal where no subset of it was found before: sets are gone through so that every subset of a set comes
    before it where no beginning of it is unique (variables from the last to the first, and each with all that follow).
    A group that a variable does not split needs no further look, as without the variable nothing changes. Variables
    with many codes come first: their groups are small, and soon every record in them is unique.

    Parameters
    ----------
    codes : k arrays (m,), k <= 64: the cells of a table; ``codes[j] == cards[j]`` is missing: such a value is
        never part of an MSU, but other records' missing values are values that differ from any other
    cards : k numbers of valid codes
    count : (m,) records of each cell
    max_size : the most variables of a set, at least 1
    """

    def __init__(
        self, codes: Sequence[NDArray[np.unsignedinteger]], cards: Sequence[int], count: NDArray[np.int64],
        max_size: int,
    ) -> None:  # fmt: skip
        self._order = sorted(range(len(cards)), key=lambda j: (-cards[j], j))
        self._codes, self._cards = [code.astype(np.uint32, copy=False) for code in codes], cards
        self._alone = count == 1
        self.max_size = min(max_size, len(cards))

    def found(self, wanted: NDArray[np.bool_] | None = None, progress: Progress = SILENT) -> Iterator[tuple[int, Rows]]:
        """Sets of variables with the cells of which they are an MSU.

        Parameters
        ----------
        wanted : (m,) the cells that are asked for; None: all. A cell of several records has none.

        Yields
        ------
        mask, cells : bit j is set for variable j; (c,) places of cells, each at most once. No set comes twice.

        Raises
        ------
        DataError
            ``too-many-uniques``: there are more than can be kept in memory.
        """
        chosen = self._alone if wanted is None else self._alone & wanted
        if not chosen.any():
            return
        self._records = np.where(chosen, np.uint8(1), np.uint8(2))
        self._head = np.full(len(chosen), -1, np.int32)
        self._masks, self._before = np.empty(1 << 16, np.uint64), np.empty(1 << 16, np.int32)
        self._used = 0
        most = max(self._cards)
        self._tally, self._place = np.zeros(most, np.int64), np.zeros(most, np.int64)
        self._met = np.empty(most, np.uint32)
        everybody = np.arange(len(chosen), dtype=np.uint32)
        total = sum(comb(len(self._order), size) for size in range(1, self.max_size + 1))
        done = 0
        for place in reversed(range(len(self._order))):
            progress.report(done, total, translate(mark("Searching for minimal sample uniques")))
            yield from self._with(everybody, np.array([0, len(chosen)]), 0, 1, place, progress)
            done += sum(comb(len(self._order) - 1 - place, size) for size in range(self.max_size))

    def _with(
        self, rows: Rows, starts: NDArray[np.int64], mask: int, size: int, place: int, progress: Progress
    ) -> Iterator[tuple[int, Rows]]:
        """The MSU that begin with the variables of `mask` and the one at `place`, which is the set's `size`-th."""
        j = self._order[place]
        mask |= 1 << j
        rows, starts, unique = self._split(rows, starts, j, size == self.max_size, progress)
        minimal = self._minimal(unique, mask, size < self.max_size)
        if len(minimal):
            yield mask, minimal
        if len(rows) and size < self.max_size:
            for after in reversed(range(place + 1, len(self._order))):
                yield from self._with(rows, starts, mask, size + 1, after, progress)

    def _split(
        self, rows: Rows, starts: NDArray[np.int64], j: int, last: bool, progress: Progress
    ) -> tuple[Rows, NDArray[np.int64], Rows]:
        kept, unique = np.empty(0 if last else len(rows), np.uint32), np.empty(len(rows), np.uint32)
        # every group that goes on has two rows or more
        ends = np.zeros((0 if last else len(rows) // 2) + 1, np.int64)
        n_kept = n_groups = n_unique = 0
        groups = len(starts) - 1
        begin = 0
        while begin < groups:
            progress.check()
            end = max(begin + 1, int(np.searchsorted(starts, starts[begin] + _AT_ONCE, "right")) - 1)
            more = kernels.split(
                rows, starts[begin : end + 1], self._codes[j], self._cards[j], self._records, last,
                self._tally, self._place, self._met, kept[n_kept:], ends[n_groups:], unique[n_unique:],
            )  # fmt: skip
            ends[n_groups + 1 : n_groups + more[1] + 1] += n_kept
            n_kept, n_groups, n_unique = n_kept + more[0], n_groups + more[1], n_unique + more[2]
            begin = end
        return kept[:n_kept], ends[: n_groups + 1], unique[:n_unique]

    def _minimal(self, unique: Rows, mask: int, remember: bool) -> Rows:
        if not len(unique):
            return unique
        if remember:
            self._make_room(self._used + len(unique))
        minimal = np.empty(len(unique), np.uint32)
        found = kernels.keep_minimal(unique, mask, self._head, self._masks, self._before, self._used, remember, minimal)
        self._used += found if remember else 0
        return minimal[:found]

    def _make_room(self, wanted: int) -> None:
        if wanted > _MOST:
            raise DataError(
                "too-many-uniques",
                mark("There are more than {most} minimal sample uniques."),
                mark("Ask for smaller ones by max_size, or for fewer variables."),
                most=_MOST,
            )
        if wanted > len(self._masks):
            size = max(wanted, 2 * len(self._masks))
            self._masks, self._before = np.resize(self._masks, size), np.resize(self._before, size)
