"""Narrowing of the suppressed values of a variable by the value of another one that is released."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn
from ...kernels import suppress as kernels
from ...tables.grouping import blocks

DENSE = 16
"""Largest table of pairs of values, in entries a record."""


class Narrowing(NamedTuple):
    """Number of values that another variable leaves possible in `records` suppressed ones; how many chance would."""

    records: int
    least: int
    most: int
    mean: float
    expected: float


class Others(NamedTuple):
    """A released variable: a number below `size` for each record's value, and where it is missing (None: nowhere)."""

    groups: NDArray[np.uint32]
    size: int
    lacking: NDArray[np.bool_] | None


def dense(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers >= 0 for values, equal for equal ones, and not many more than there are records."""
    least = int(values.min())
    if int(values.max()) - least <= 4 * len(values):
        return values - least
    numbers: NDArray[np.int64] = np.unique(values, return_inverse=True)[1]
    return numbers


class Suppressed:
    """The suppressed values of a variable, to be held against one other variable after the other.

    Parameters
    ----------
    column : the variable, after recoding
    records : (s,), those in which it is suppressed
    """

    def __init__(self, column: EncodedColumn, records: NDArray[np.intp]) -> None:
        valid = column.counts[: column.n_valid]
        self._records, self._valid = records, column.n_valid
        self._values = column.values.astype(np.uint32)
        self._left = 1 - valid / max(1, int(valid.sum()))
        self._chance = np.full(int(valid.sum()) + 1, -1.0)  # by size of the group; negative: not asked for yet

    def known(self, other: Others) -> NDArray[np.intp]:
        """Those of the records whose value of `other` is released."""
        return self._records if other.lacking is None else self._records[~other.lacking[self._records]]

    def narrowing(self, other: Others, known: NDArray[np.intp], progress: Progress = SILENT) -> Narrowing:
        """How many values of the variable occur, in the original file, together with the value that `other` has.

        Parameters
        ----------
        known : records whose value of the variable is suppressed while the other's is released
        """
        of_known = np.bincount(other.groups[known], minlength=other.size)
        asked = np.flatnonzero(of_known)
        records, possible = self._by_group(other, asked, progress)
        chance = self._by_chance(records)
        telling = chance >= 2
        if not telling.any():
            return Narrowing(0, 0, 0, 0.0, 0.0)
        times, possible, chance = of_known[asked][telling], possible[telling], chance[telling]
        total = int(times.sum())
        return Narrowing(
            total,
            int(possible.min()),
            int(possible.max()),
            float((possible * times).sum() / total),
            float((chance * times).sum() / total),
        )

    def _by_chance(self, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
        """As many different values as so many records drawn from the whole file would show."""
        new = sizes[self._chance[sizes] < 0]
        for size in np.unique(new).tolist() if len(new) else ():
            self._chance[size] = (1 - self._left ** float(size)).sum()
        return self._chance[sizes]

    def _by_group(
        self, other: Others, asked: NDArray[np.intp], progress: Progress
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For the groups asked: records with a value of the variable, and how many different values they have."""
        width = self._valid + 1
        groups, size, n = other.groups, other.size, len(other.groups)
        if size * width > DENSE * n + 4096:
            number = np.full(size, len(asked), np.uint32)
            number[asked] = np.arange(len(asked), dtype=np.uint32)
            groups, size, asked = number[groups], len(asked) + 1, np.arange(len(asked))
        if size * width > DENSE * n + 4096:
            pairs, counts = np.unique(
                groups.astype(np.int64) * width + np.minimum(self._values, self._valid), return_counts=True
            )
            valid = pairs % width < self._valid
            group = pairs[valid] // width
            records = np.bincount(group, counts[valid], size).astype(np.int64)
            return records[asked], np.bincount(group, minlength=size)[asked]
        table = np.zeros(size * width, np.uint32)
        for part in blocks(n, progress):
            kernels.cross(groups[part], self._values[part], width, table)
        counted = np.zeros((2, len(asked)), np.int64)
        kernels.sum_rows(table, width, asked, counted)
        return counted[0], counted[1]
