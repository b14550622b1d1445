"""A released variable as users of the safe file see it: after recoding, rounding, noise and suppression."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...data.columns import EncodedColumn, Weights
from ...data.encoding import smallest_type
from ...data.encoding_many_codes import ManyCodes
from .narrowing import Others, dense

MANY = 50
"""Values from which on a variable is looked at more coarsely, too."""
BINS = (32, 256)
"""Classes of equally many records into which the values of an ordered variable are put."""
LONGEST = 12
"""Signs from the left and from the right by which codes are looked at."""


@dataclass(frozen=True, eq=False)
class ReleasedVariable:
    """What the safe file shows of a variable.

    Attributes
    ----------
    name : str
    others : number of each record's value (n,), how many there are, and in which records none is shown
    codes : text or number of each valid value, in the order of their numbers
    weight : whether it is the weight
    decimal : decimal mark of `codes`
    """

    name: str
    others: Others
    codes: Sequence[str] | NDArray[np.float64]
    weight: bool = False
    decimal: str = "."

    @classmethod
    def of(
        cls, column: EncodedColumn, flags: NDArray[np.bool_] | None = None, weight: bool = False, decimal: str = "."
    ) -> ReleasedVariable:
        """A column after all that is done to it but the suppression of the values `flags` (n,)."""
        lacking = column.values >= column.n_valid if column.has_missing else None
        if flags is not None and flags.any():
            lacking = flags if lacking is None else lacking | flags
        found = Others(column.values.astype(np.uint32), len(column.codes), lacking)
        return cls(column.name, found, column.codes[: column.n_valid], weight, decimal)

    @classmethod
    def weights(cls, name: str, weights: Weights) -> ReleasedVariable:
        """Weights that are written as they were read."""
        number = np.zeros(len(weights), np.int64)
        value = np.zeros(len(weights))
        for limb, decimals in zip(weights.limbs, weights.decimals, strict=True):
            value += limb / 10.0**decimals
            part = dense(limb)
            number = dense(number * (int(part.max(initial=0)) + 1) + part)
        size = int(number.max(initial=0)) + 1
        codes = np.full(size, np.nan)
        codes[number] = value
        return cls(name, Others(number.astype(np.uint32), size, None), codes, weight=True)

    def at(self, rows: NDArray[np.intp]) -> ReleasedVariable:
        """The variable in some records (r,), with the values that occur there."""
        found, groups = np.unique(self.others.groups[rows], return_inverse=True)
        valid = found[: np.searchsorted(found, len(self.codes))]
        codes = self.codes
        some = codes[valid] if isinstance(codes, np.ndarray) else [codes[place] for place in valid.tolist()]
        lacking = None if self.others.lacking is None else self.others.lacking[rows]
        others = Others(groups.astype(np.uint32), max(1, len(found)), lacking)
        return ReleasedVariable(self.name, others, some, self.weight, self.decimal)

    @property
    def tells_apart(self) -> bool:
        """Whether it has a second value."""
        return len(self.others.groups) > 0 and self.others.size > 1

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """Number of each valid value, nan for an empty one; None where one of them is no number."""
        if isinstance(self.codes, np.ndarray):
            return self.codes
        try:
            return np.array([float(t.replace(self.decimal, ".")) if t else math.nan for t in self.codes], np.float64)
        except ValueError:
            return None

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """Place of each value (others.size,) among all, by number or, where one is none, by text; missing ones last.

        Very many codes stay in the order they have, that of texts written flush right.
        """
        if isinstance(self.codes, ManyCodes):
            return np.arange(self.others.size, dtype=np.int64)
        numbers = self.numbers
        keys = np.array(self.codes, dtype=np.str_) if numbers is None else numbers
        found = np.arange(self.others.size, dtype=np.int64)
        found[np.argsort(keys, kind="stable")] = np.arange(len(keys))
        return found

    def order(self) -> NDArray[np.int64]:
        """Records that show a value, sorted by it; among equal ones by a draw that tells nothing."""
        mixed = np.random.default_rng(0).permutation(len(self.others.groups))
        if self.others.lacking is not None:
            mixed = mixed[~self.others.lacking[mixed]]
        ranks = self.ranks.astype(smallest_type(self.others.size))  # few bytes are sorted faster
        found: NDArray[np.int64] = mixed[np.argsort(ranks[self.others.groups[mixed]], kind="stable")]
        return found

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Records with each value (others.size,)."""
        return np.bincount(self.others.groups, minlength=self.others.size)

    def coarser(self) -> list[NDArray[np.int64]]:
        """For each coarser look at the variable the group that each value (others.size,) falls into.

        Classes of equally many records; numbers divided by powers of ten, and what is left over; the first and the
        last signs of codes.
        """
        valid = len(self.codes)
        if int((self.counts[:valid] > 0).sum()) < MANY:
            return []
        below = np.cumsum(self.counts[np.argsort(self.ranks, kind="stable")])[self.ranks]
        looks: list[NDArray[np.generic]] = [(below * bins // (below.max() + 1))[:valid] for bins in BINS]
        numbers = self.numbers
        looks += self._signs() if numbers is None else _digits(np.nan_to_num(numbers))
        found = []
        for look in looks:
            groups = np.unique(look, return_inverse=True)[1].astype(np.int64)
            if 1 < int(groups.max()) + 1 < valid:
                found.append(np.concatenate([groups, np.full(self.others.size - valid, int(groups.max()) + 1)]))
        return found

    def _signs(self) -> list[NDArray[np.generic]]:
        longest = max(map(len, self.codes))
        lengths = range(1, min(longest, LONGEST))
        left = [np.array([text[:k] for text in self.codes], dtype=np.str_) for k in lengths]
        return [*left, *(np.array([text[-k:] for text in self.codes], dtype=np.str_) for k in lengths)]


def _digits(numbers: NDArray[np.float64]) -> list[NDArray[np.generic]]:
    whole = np.floor(numbers)
    most = int(math.log10(max(1.0, float(np.abs(whole).max()))))
    found: list[NDArray[np.generic]] = [whole] if np.any(whole != numbers) else []
    for k in range(1, min(most, LONGEST) + 1):
        found += [np.floor(whole / 10.0**k), np.mod(whole, 10.0**k)]
    return found
