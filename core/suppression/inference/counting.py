"""What counting in the safe file adds to elimination, where every record loses the first set of values that suffices.

Records that show their values are counted in the safe file alone; the original file has these and more, and the risk
does not rise when a record is added. So a set of values whose remaining ones are safe by the visible records is safe. A
value with which a set that comes before the one that went would be so is impossible: the rules would have taken that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn, times_of
from ...risk.individual import individual_risk
from ..candidates import Candidate, candidates, positions
from .released_key_file import BLOCK, occurring
from .row_numbers import fold

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

MOST_KEYS = 1 << 22
"""With more possible keys than these nothing is counted: a byte each, for each pattern of blanks."""


def possible_by_counting(
    columns: Sequence[EncodedColumn],
    suppressed: Mapping[str, Flags],
    weights: NDArray[np.float64],
    limit: float,
    closures: Sequence[int],
    costs: Sequence[float],
    fixed: int,
    progress: Progress = SILENT,
) -> dict[str, Ints] | None:
    """How many values are possible for each newly suppressed value; None: there are too many keys.

    As `core.suppression.inference.elimination.possible_values`, for one table of exact risks under the missing rule
    ``observed``. Records that lacked a value before, and those with several blanks of which one may have been missing
    before, are not looked at: nothing is impossible for them.

    Parameters
    ----------
    columns : the keys of the table, after recoding, (n,) values each
    suppressed : by variable, the newly missing values (n,)
    weights : (n,) of the records
    limit : records with a risk at or above it are unsafe
    closures, costs, fixed : of the keys, as `core.suppression.candidates.candidates` takes them
    """
    cards = [column.n_valid for column in columns]
    if math.prod(cards) > MOST_KEYS:
        return None
    nothing = np.zeros(len(weights), np.bool_)
    newly = [suppressed.get(column.name, nothing) for column in columns]
    lacking = [column.values >= column.n_valid if column.has_missing else nothing for column in columns]
    blank = [lost if lack is nothing else lost | lack for lost, lack in zip(newly, lacking, strict=True)]
    file = _Shown(columns, blank, weights, limit)
    found = {c.name: np.full(int(lost.sum()), len(c.codes)) for c, lost in zip(columns, newly, strict=True)}
    masks = np.zeros(len(weights), np.min_scalar_type((1 << len(columns)) - 1))
    for j, lost in enumerate(newly):
        masks |= lost.astype(masks.dtype) << masks.dtype.type(j)
    for lack in lacking:
        masks[lack] = 0
    ever = sum(int(lack.any()) << j for j, lack in enumerate(lacking))
    order = list(candidates(len(columns), closures, costs, 0, fixed))
    for mask in np.unique(masks[masks > 0]).tolist():
        progress.check()
        if mask.bit_count() > 1 and mask & ever:
            continue
        rows = np.flatnonzero(masks == mask)
        left = file.left(order, mask)
        places = positions(mask)
        for j in places:
            others = tuple(other for other in places if other != j)
            can_be = np.asarray(left.any(axis=others, keepdims=True))
            place = [c.values[rows].astype(np.intp) if i not in places else np.zeros(len(rows), np.intp)
                     for i, c in enumerate(columns)]  # fmt: skip
            number = can_be.sum(axis=j, keepdims=True)[tuple(place)]
            own = place[j] = columns[j].values[rows].astype(np.intp)
            gone = file.occurring[j] & ~file.known[j]
            number = number + np.where(gone[own], gone.sum(), ~can_be[tuple(place)])
            found[columns[j].name][np.searchsorted(np.flatnonzero(newly[j]), rows)] = number
    return {name: numbers for name, numbers in found.items() if len(numbers)}


class _Shown:
    """The safe file: what its records show of the keys."""

    def __init__(
        self, columns: Sequence[EncodedColumn], blank: Sequence[Flags], weights: NDArray[np.float64], limit: float
    ) -> None:
        self._columns, self._blank, self._weights, self._limit = columns, blank, weights, limit
        self._records = times_of(columns).records
        self._safe = dict[int, Flags]()
        self.occurring, self.known = list[Flags](), list[Flags]()
        for column, gone in zip(columns, blank, strict=True):
            size = max(len(column.codes), 1)
            there, lost = occurring(column), np.bincount(column.values[gone], minlength=size)
            self.occurring.append(there[: column.n_valid] > 0)
            self.known.append((there > lost)[: column.n_valid])

    def left(self, order: Sequence[Candidate], mask: int) -> Flags:
        """By the codes of all keys, whether a record that lost `mask` may have had them."""
        left = np.ones([column.n_valid for column in self._columns], np.bool_)
        for j in positions(mask):
            left &= np.expand_dims(self.known[j], tuple(i for i in range(len(self._columns)) if i != j))
        for candidate in order:
            if candidate.keys == mask:
                return left
            left &= ~self._safe_without(candidate.keys)
        return left

    def _safe_without(self, gone: int) -> Flags:
        """By the codes of the keys that stay, 1 of the others: whether the visible records with them make them safe."""
        if gone not in self._safe:
            stays = [j for j in range(len(self._columns)) if not gone >> j & 1]
            cards = [self._columns[j].n_valid for j in stays]
            f, people = np.zeros(math.prod(cards)), np.zeros(math.prod(cards))
            for start in range(0, len(self._weights), BLOCK):
                part = slice(start, start + BLOCK)
                weights = self._weights[part]
                complete = np.ones(len(weights), np.bool_)
                for j in stays:
                    complete &= ~self._blank[j][part]
                number = fold([self._columns[j].values[part] for j in stays], cards, len(weights))[0][complete]
                np.add.at(f, number, 1.0 if self._records is None else self._records[part][complete])
                np.add.at(people, number, weights[complete])
            safe = np.zeros(len(f), np.bool_)
            there = f > 0
            safe[there] = individual_risk(f[there], people[there]) < self._limit
            shape = [1 if gone >> j & 1 else column.n_valid for j, column in enumerate(self._columns)]
            self._safe[gone] = safe.reshape(shape)
        return self._safe[gone]
