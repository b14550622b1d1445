"""The threshold staircase: what every threshold means for records and rate, and back, by binary search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.risk_figures import RiskFigures
from ..kernels import risk as kernels
from ..tables.grouping import blocks, sort_spread
from .individual import TOLERANCE, lowest_unsafe


@dataclass(frozen=True)
class Interval:
    """Thresholds in (low, high] with the same unsafe records; None where that end does not exist.

    `low` is the highest risk that stays, the *actual* level of [P04 section 7.3.3].
    """

    low: float | None
    high: float | None


@dataclass(frozen=True)
class LargestSafeRisk:
    """The highest risk that stays below a threshold, and the bound of the rate at it, ξ* [P04 section 7.3.3]."""

    level: float
    rate: float


@dataclass(frozen=True, eq=False)
class Histogram:
    """Records and cells in classes of equal width in log risk.

    Attributes
    ----------
    edges : (bins + 1,) float64, on the risk scale
    records : (bins,) int64
    cells : (bins,) int64, distinct keys (units other than records: distinct entries)
    """

    edges: NDArray[np.float64]
    records: NDArray[np.int64]
    cells: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RiskDistribution:
    """The distinct risks of a file, and how many records have each.

    Attributes
    ----------
    n : records with a defined risk
    levels : (L,) float64, ascending; risks within 1e-12 relative of their neighbour are one level, its smallest
    cumulative_records : (L,) int64, records at or below each level
    cumulative_risk : (L,) float64, sum of their risks
    level_cells : (L,) int64, cells at each level
    """

    n: int
    levels: NDArray[np.float64]
    cumulative_records: NDArray[np.int64]
    cumulative_risk: NDArray[np.float64]
    level_cells: NDArray[np.int64]

    @classmethod
    def from_cells(
        cls, risk: NDArray[np.floating[Any]], count: NDArray[np.integer[Any]], progress: Progress = SILENT
    ) -> RiskDistribution:
        """The staircase of cells with given risks.

        Parameters
        ----------
        risk : (m,) in (0, 1]; nan: the cell's records are left out
        count : (m,) own records of each cell (not f: they differ where values are missing)
        """
        if np.isnan(risk).any():
            known = ~np.isnan(risk)
            risk, count = risk[known], count[known]
        # Positive floats sort as their bits do, and this sort can be stopped where numpy's cannot.
        bits, order = sort_spread(np.asarray(risk, np.float64).view(np.uint64), progress)
        risk, count = bits.view(np.float64), np.ascontiguousarray(count, np.int64)
        parts = list(blocks(len(risk), progress))
        size = sum(kernels.count_levels(risk, part.start, part.stop, TOLERANCE) for part in parts)
        levels, sums, state = np.empty(size), np.empty(size), np.zeros(2)
        records, cells, found = np.empty(size, np.int64), np.empty(size, np.int64), 0
        for part in parts:
            progress.check()
            found = kernels.climb(
                risk, order, count, part.start, part.stop, TOLERANCE, state, found, levels, records, sums, cells
            )
        return cls(int(records[-1]) if size else 0, levels, records, sums, cells)

    @property
    def max_risk(self) -> float:
        """The largest risk; nan where no record has one."""
        return float(self.levels[-1]) if len(self.levels) else math.nan

    @property
    def min_risk(self) -> float:
        """The smallest risk; nan where no record has one."""
        return float(self.levels[0]) if len(self.levels) else math.nan

    @property
    def expected_reidentifications(self) -> float:
        """ER, the sum of the records' risks."""
        return float(self.cumulative_risk[-1]) if len(self.levels) else 0.0

    @property
    def rate(self) -> float:
        """The re-identification rate ER / n, a fraction."""
        return self.expected_reidentifications / self.n if self.n else 0.0

    @property
    def figured(self) -> RiskDistribution:
        """The staircase of the risks that figures are told of: itself, unless records are judged by something else."""
        return self

    def figures(self, t: float | None) -> RiskFigures | None:
        """Its figures, unsafe records at the threshold t; None where no record has a risk."""
        if not self.n:
            return None
        unsafe = None if t is None else self.unsafe(t)
        return RiskFigures(self.figured.max_risk, self.expected_reidentifications, self.rate, unsafe)

    @cached_property
    def _bounds(self) -> NDArray[np.float64]:
        """n times `rate_at` of each level; made once, for look-ups of a rate."""
        bounds: NDArray[np.float64] = self.cumulative_risk + self.levels * (self.n - self.cumulative_records)
        return bounds

    def _position(self, t: float) -> int:
        """Number of levels that are safe at t."""
        return int(np.searchsorted(self.levels, lowest_unsafe(t), "left"))

    def _below(self, position: int) -> tuple[int, float]:
        """Records and sum of risks of the first `position` levels."""
        if position == 0:
            return 0, 0.0
        return int(self.cumulative_records[position - 1]), float(self.cumulative_risk[position - 1])

    def unsafe(self, t: float | None) -> int:
        """Number of records with r >= t (1 - 1e-12); None: none."""
        return 0 if t is None else self.n - self._below(self._position(t))[0]

    def rate_at(self, t: float | None) -> float:
        """The bound of the rate once every unsafe record is below t: mean of min(r, t) [P04 eq. 17]; a fraction."""
        if t is None or not self.n:
            return self.rate
        records, risk = self._below(self._position(t))
        return min(self.rate, (risk + t * (self.n - records)) / self.n)

    def threshold_for_rate(self, tau: float) -> float | None:
        """The threshold at which `rate_at` is tau, a fraction in (0, 1]; None where the file's rate is not above it.

        Raises
        ------
        RecipeError
            tau is not a rate above 0.
        """
        if not 0.0 < tau <= 1.0:
            raise RecipeError(
                "rate-out-of-range",
                mark("A re-identification rate of {rate} cannot be reached."),
                mark("Give a rate above 0 and at most 1 (100 per cent)."),
                rate=tau,
            )
        if tau >= self.rate:
            return None
        position = int(np.searchsorted(self._bounds, tau * self.n, "left"))
        position = min(position, len(self.levels) - 1)
        records, risk = self._below(position)
        return min((tau * self.n - risk) / (self.n - records), float(self.levels[position]))

    def threshold_for_records(self, unsafe_records: int, current: float | None = None) -> float | None:
        """The smallest level at which at most so many records are unsafe; None where only "none" achieves it.

        `current`, a threshold already set, is kept when it has just this number of unsafe records.

        Raises
        ------
        RecipeError
            The number is negative.
        """
        if unsafe_records < 0:
            raise RecipeError(
                "unsafe-records-negative",
                mark("{number} unsafe records cannot be reached."),
                mark("Give a number from 0 to {records}."),
                number=unsafe_records,
                records=self.n,
            )
        if current is not None and self.unsafe(current) == unsafe_records:
            return current
        position = int(np.searchsorted(self.cumulative_records, self.n - unsafe_records, "left")) + 1
        if unsafe_records >= self.n:
            position = 0
        return float(self.levels[position]) if position < len(self.levels) else None

    def interval(self, t: float | None) -> Interval:
        """All thresholds with the same unsafe records as t."""
        position = len(self.levels) if t is None else self._position(t)
        low = float(self.levels[position - 1]) if position > 0 else None
        return Interval(low, float(self.levels[position]) if position < len(self.levels) else None)

    def actual(self, t: float | None) -> LargestSafeRisk | None:
        """The highest risk that is safe at t, with its own rate; None where no record is."""
        level = self.interval(t).low
        return None if level is None else LargestSafeRisk(level, self.rate_at(level))

    def ranked(self, points: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Risks against the rank of their records, ascending [P04 fig. 10]: the last rank of each level, and the level.

        Of very many levels the first, the last and some `points` of the others, equally far apart by rank.
        """
        ranks = self.cumulative_records
        kept = np.arange(len(ranks))
        if len(ranks) > points:
            kept = np.unique([0, *np.searchsorted(ranks, np.linspace(1, self.n, points)), len(ranks) - 1])
        return ranks[kept], self.levels[kept]

    def step(self, t: float | None, direction: int) -> float | None:
        """The next threshold, on a level, that changes the unsafe records.

        Parameters
        ----------
        t : the threshold now; None: none
        direction : +1 upwards (fewer unsafe), -1 downwards

        Returns
        -------
        The threshold; None once nothing is unsafe any more; t itself where all records already are.
        """
        position = len(self.levels) if t is None else self._position(t)
        position += direction
        if position < 0:
            return t
        return float(self.levels[position]) if position < len(self.levels) else None

    def quantile(self, q: float) -> float:
        """The quantile of the records' risks, 0 <= q <= 1, by linear interpolation (type 7); nan without records."""
        if not self.n:
            return math.nan
        place = (self.n - 1) * q
        lower = math.floor(place)
        below, above = self._risk_of_rank(lower), self._risk_of_rank(min(lower + 1, self.n - 1))
        return below + (place - lower) * (above - below)

    def _risk_of_rank(self, rank: int) -> float:
        return float(self.levels[np.searchsorted(self.cumulative_records, rank, "right")])

    def histogram(self, bins: int = 10) -> Histogram:
        """Records and cells in `bins` classes of equal width in log risk; the last class holds the largest risk.

        A file with one level has one class.
        """
        if len(self.levels) < 2:
            return Histogram(np.repeat(self.levels, 2), self.cumulative_records, self.level_cells)
        edges = np.geomspace(self.min_risk, self.max_risk, bins + 1)
        ends = [*(self._position(float(edge)) for edge in edges[1:-1]), len(self.levels)]
        records = np.diff([self._below(end)[0] for end in ends], prepend=0)
        cells = [int(self.level_cells[start:end].sum()) for start, end in zip([0, *ends], ends, strict=False)]
        return Histogram(edges, records, np.array(cells, np.int64))
