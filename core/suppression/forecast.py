"""The forecast staircase: what the optimal suppression costs at every threshold at once.

For each unit the optimal candidate is a step function of the threshold: the first of the global order whose risk is
low enough, so the candidates at which the running minimum of the risk falls. Summed over units, and kept as integer
counts by variable, it gives the optimiser's own figures without running it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from core.kernels import suppress as kernels
from core.microdata.columns import EncodedColumn
from core.progress import SILENT, Progress
from core.risk.individual import TOLERANCE
from core.suppression.candidates import Candidate
from core.suppression.costs import Costs
from core.suppression.margin_risks import MarginRisks
from core.suppression.original_counts import check_rule, lowest_unsafe, patterns
from core.suppression.rules import Rules
from core.suppression.units import Table, Units, build_units
from core.texts import mark

EXACT_KEYS = 10
CANDIDATES = 1 << EXACT_KEYS
BLOCK = 1 << 18
_LEFT = 1
"""Number of the candidate that stands for "no suppression suffices"; 0 is the empty one."""


@dataclass(frozen=True)
class Point:
    """What the optimal suppression at one threshold costs; the figures of the plan, where `exact`.

    `unsafe_left` counts the records that no suppression brings below the threshold (they are left as they are).
    """

    threshold: float | None
    by_variable: dict[str, int]
    total: int
    records_touched: int
    unsafe_left: int
    loss: float
    entropy_loss: float
    exact: bool


@dataclass(frozen=True, eq=False)
class Forecast:
    """The suppressions of one table at every threshold.

    Attributes
    ----------
    variables : the V variables that may be suppressed: keys, then related ones
    costs : what they cost
    levels : (L,) float64, ascending: the risks at which some unit's choice changes
    counts : (L + 1, V + 2) int64: newly missing values by variable, records touched, unsafe left; row i holds at
        thresholds with ``levels[i - 1]`` below and ``levels[i]`` at or above the lowest unsafe risk
    exact_above : thresholds above this level are forecast exactly; 0 where all are
    lowest_threshold : thresholds at or below this level cannot be met
    """

    variables: tuple[str, ...]
    costs: Costs
    levels: NDArray[np.float64]
    counts: NDArray[np.int64]
    exact_above: float
    lowest_threshold: float
    _losses: dict[bool, NDArray[np.float64]] = field(default_factory=dict)

    @property
    def exact(self) -> bool:
        """Whether every threshold's figures are the optimiser's; else some are upper bounds."""
        return self.exact_above == 0

    def at(self, threshold: float | None) -> Point:
        """Figures at a threshold (None: nothing is unsafe)."""
        lowest = lowest_unsafe(threshold)
        row = self.counts[np.searchsorted(self.levels, lowest)].tolist()
        by_variable = dict(zip(self.variables, row, strict=False))
        return Point(
            threshold=threshold,
            by_variable=by_variable,
            total=sum(by_variable.values()),
            records_touched=row[-2],
            unsafe_left=row[-1],
            loss=self.costs.loss(by_variable),
            entropy_loss=self.costs.entropy_loss(by_variable),
            exact=lowest > self.exact_above,
        )

    def next_level(self, threshold: float | None, direction: int) -> float | None:
        """The nearest threshold above (+1) or below (-1) whose suppressions differ; None where there is none."""
        index = int(np.searchsorted(self.levels, lowest_unsafe(threshold)))
        if direction < 0:
            return float(self.levels[index - 1]) if index else None
        if index >= len(self.levels):
            return None
        above = int(np.searchsorted(self.levels, self.levels[index] / (1 - TOLERANCE), side="right"))
        return float(self.levels[above]) if above < len(self.levels) else None

    def losses(self, by_entropy: bool = False) -> NDArray[np.float64]:
        """Loss at ``threshold = levels``, (L,), by the criterion or by entropy. For drawing: not rounded as `at` is."""
        if by_entropy not in self._losses:
            each = self.costs.entropies if by_entropy else {name: self.costs[name] for name in self.variables}
            vector = np.array([each[name] for name in self.variables], np.float64)
            self._losses[by_entropy] = self.counts[:-1, : len(vector)] @ vector
        return self._losses[by_entropy]

    def curve(self, points: int, by_entropy: bool = False) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Thresholds that can be met and their loss, cut for drawing.

        Parameters
        ----------
        points : pixel columns; of each, over log thresholds, the lowest and the highest loss are kept
        """
        start = int(np.searchsorted(self.levels, self.lowest_threshold, side="right"))
        levels, losses = self.levels[start:], self.losses(by_entropy)[start:]
        if len(levels) <= 2 * points:
            return levels, losses
        # Loss falls as the threshold rises, so a column's extremes are its first and its last level.
        scale = np.log(levels)
        column = ((scale - scale[0]) * (points / (scale[-1] - scale[0]))).astype(np.int64)
        ends = np.flatnonzero(np.diff(column))
        kept = np.unique(np.concatenate(([0], ends, ends + 1, [len(levels) - 1])))
        return levels[kept], losses[kept]


def forecast(
    table: Table,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules | None = None,
    progress: Progress = SILENT,
) -> Forecast:
    """The staircase of one table; its own `threshold` does not matter.

    Exact up to ten keys. Beyond, each missing pattern's first 1024 candidates are tried and then all keys at once:
    thresholds where that last step matters (`exact_above`) get an upper bound of the loss.

    Parameters
    ----------
    table : missing rule ``observed`` or ``wildcard``
    columns, costs, rules, progress : as in `core.suppression.original_counts.optimise`
    """
    check_rule(table)
    units = build_units((table,), columns, costs, rules or Rules())
    changes = _Changes(units, MarginRisks(table, progress), progress)
    for missing, rows in patterns(units.missing, np.arange(len(units.records))):
        changes.descend(missing, rows)
    levels, counts = changes.sums()
    return Forecast(units.variables, costs, levels, counts, changes.exact_above, changes.lowest_threshold)


def _tried(units: Units, missing: int) -> Iterator[tuple[Candidate, bool]]:
    """Candidates but the empty one; with each, whether it is in its place in the order or skipped others."""
    seen = []
    for candidate in islice(units.candidates.of(missing), 1, CANDIDATES):
        seen.append(candidate)
        yield candidate, True
    if len(seen) == CANDIDATES - 1 and (everything := units.candidates.largest(missing)) not in seen:
        yield everything, False


class _Changes:
    """The changes of choice of all units while the threshold falls."""

    def __init__(self, units: Units, risks: MarginRisks, progress: Progress) -> None:
        self._units, self._risks, self._progress = units, risks, progress
        self._numbers = {0: 0}
        touched, left = len(units.variables), len(units.variables) + 1
        self._touched = 1 << touched
        self._masks = [0, 1 << left]
        self._levels: list[NDArray[np.float64]] = []
        self._before: list[NDArray[np.uint32]] = []
        self._after: list[NDArray[np.uint32]] = []
        self._records: list[NDArray[np.int64]] = []
        self.exact_above = 0.0
        self.lowest_threshold = 0.0
        self._done = 0

    def descend(self, missing: int, rows: NDArray[np.int64]) -> None:
        """Take the units `rows` of one missing pattern through their candidates."""
        units = self._units
        cells, records = units.cells[0][rows], units.records[rows]
        best = self._risks.own()[cells]
        choice = np.zeros(len(rows), np.uint32)
        for candidate, in_order in _tried(units, missing):
            before = best.copy() if not in_order else best
            self._try(missing, candidate, cells, records, best, choice)
            if not in_order and (fell := best < before).any():
                self.exact_above = max(self.exact_above, float(before[fell].max()))
        self._record(best, choice, np.full(len(rows), _LEFT, np.uint32), records)
        if len(best):
            self.lowest_threshold = max(self.lowest_threshold, float(best.max()))
        self._done += len(rows)
        self._progress.report(self._done, len(units.records), mark("Forecast of suppressions"))

    def _try(self, missing: int, candidate: Candidate, cells: NDArray[np.uint32], records: NDArray[np.int64],
             best: NDArray[np.float64], choice: NDArray[np.uint32]) -> None:
        margin = self._risks.of(self._units.keep(0, missing, candidate.newly))
        number = self._numbers.setdefault(candidate.newly, len(self._masks))
        if number == len(self._masks):
            self._masks.append(candidate.newly | self._touched)
        size = min(BLOCK, len(cells))
        rows, levels, previous = np.empty(size, np.uint32), np.empty(size), np.empty(size, np.uint32)
        for start in range(0, len(cells), BLOCK):
            self._progress.check()
            block = slice(start, start + BLOCK)
            n = kernels.lower(margin.group, margin.risk, cells[block], number, best[block], choice[block],
                              rows, levels, previous)
            if n:
                after = np.full(n, number, np.uint32)
                self._record(levels[:n].copy(), previous[:n].copy(), after, records[block][rows[:n]])

    def _record(self, levels: NDArray[np.float64], before: NDArray[np.uint32], after: NDArray[np.uint32],
                records: NDArray[np.int64]) -> None:
        self._levels.append(levels)
        self._before.append(before)
        self._after.append(after)
        self._records.append(records)

    def sums(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Levels and counts of the forecast."""
        risk = np.concatenate(self._levels)
        before, after = np.concatenate(self._before), np.concatenate(self._after)
        records, masks = np.concatenate(self._records), np.array(self._masks, np.uint64)
        self._progress.check()
        order = np.argsort(risk)[::-1].copy()
        in_order = risk[order]
        n_levels = int(np.count_nonzero(in_order[1:] != in_order[:-1])) + min(1, len(order))
        state = np.zeros(len(self._units.variables) + 2, np.int64)
        levels, counts = np.empty(n_levels), np.zeros((n_levels, len(state)), np.int64)
        at = 0
        for start in range(0, len(order), BLOCK):
            self._progress.check()
            stop = min(start + BLOCK, len(order))
            at = kernels.accumulate(order, risk, before, after, records, masks, start, stop, state, at, levels, counts)
        rising = np.concatenate((counts[::-1], np.zeros((1, len(state)), np.int64)))
        return levels[::-1].copy(), rising
