"""What a release must cost at least: prices of unsafe records, raised step by step, and a linear programme.

Let each unsafe record be worth a price. A group takes records of the line that it draws on, each at its price less
its loss, so many that they are enough for each other; with every group at its best,

    least loss >= sum of the prices - sum over groups of the most that each can bring,

whatever the prices are (Lagrange; records of safe units have the price 0 and may come into every group). The best
prices give the bound of the linear programme over all possible groups.

Where not all sets of keys are looked at, no price is above what a record loses at least in a group that somebody may
come into by one of the other sets: the bound is then that of a problem in which such a group makes a record safe at
once, and so holds for all sets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...kernels.released_keys import climb
from .problem import Entries, ReleaseProblem

Floats = NDArray[np.float64]
_STEPS = 10
"""Steps between two looks at whether to go on."""


class Prices:
    """Prices of the records, and the best bound that they have given."""

    def __init__(self, problem: ReleaseProblem, entries: Entries) -> None:
        unit, group, price = entries.unit, entries.group, entries.price
        rare = entries.unsafe[unit]
        order = np.lexsort((problem.need[unit[rare]], group[rare]))
        self._units = np.flatnonzero(entries.unsafe)
        number = (np.cumsum(entries.unsafe) - 1).astype(np.int32)
        self._unit, self._price, of = number[unit[rare][order]], price[rare][order], group[rare][order]
        places, starts = np.unique(of, return_index=True)
        self._ptr = np.append(starts, len(of)).astype(np.int64)
        size = len(entries.total)
        safe = np.bincount(group[~rare], problem.records[unit[~rare]], size)
        least = np.full(size, np.inf)
        np.minimum.at(least, group[~rare], price[~rare])
        self._safe = np.minimum(safe[places], np.iinfo(np.int32).max).astype(np.int32)
        self._cost = np.where(np.isfinite(least), least, 0.0)[places]
        self._records, self._need = problem.records[self._units], problem.need[self._units]
        self._size = len(problem.records)
        self._most = entries.unseen[self._units]
        self._best = np.minimum(self._shares(), self._most)
        # Where many shares are equal the steps would not find out of them.
        self._now = np.minimum(self._best * np.random.default_rng(1).uniform(0.8, 1.2, len(self._best)), self._most)
        self._way = np.zeros(len(self._best))
        self._steps = np.array([-math.inf, 1.0, 0.0])

    @property
    def best(self) -> Floats:
        """The prices of the best bound, (u,); 0 for safe units."""
        found = np.zeros(self._size)
        found[self._units] = self._best
        return found

    @property
    def bound(self) -> float:
        """What a release costs at least, as far as is known."""
        return max(0.0, float(self._steps[0]))

    def _shares(self) -> Floats:
        """Where to begin: the least that a record can lose, others' loss for its sake shared among the unsafe."""
        number = np.repeat(np.arange(len(self._ptr) - 1), np.diff(self._ptr))
        fellows = np.bincount(number, self._records[self._unit], len(self._ptr) - 1)[number]
        lacking = np.maximum(self._need[self._unit] - fellows, 0)
        shares = np.full(len(self._units), np.inf)
        np.minimum.at(shares, self._unit, self._price + self._cost[number] * lacking / fellows)
        return shares

    def climb(self, target: float, rounds: int, progress: Progress = SILENT) -> float:
        """Raise the bound by so many steps towards `target`, the cost of some release; the bound."""
        for done in range(0, rounds, _STEPS):
            progress.check()
            climb(
                self._now, self._ptr, self._unit, self._price, self._records, self._need, self._safe, self._cost,
                self._most, target, min(_STEPS, rounds - done), self._best, self._way, self._steps,
            )  # fmt: skip
        return self.bound


def rounded_up(bound: float, costs: Sequence[float]) -> float:
    """The bound, up to the next loss that can be: losses are whole numbers where all costs are."""
    if all(float(cost).is_integer() for cost in costs):
        return float(math.ceil(bound - 1e-6 * max(1.0, bound)))
    return bound
