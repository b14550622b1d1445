"""The forecast staircase: what the optimal suppression costs at every threshold at once.

For each unit the optimal candidate is a step function of the threshold: the first of the global order whose risk is
low enough, so the candidates at which the running minimum of the risk falls. Summed over units, and kept as integer
counts by variable, it gives the optimiser's own figures without running it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.columns import EncodedColumn
from ..kernels import suppress as kernels
from ..risk.individual import TOLERANCE, lowest_unsafe
from ..tables.grouping import blocks
from .candidates import Candidate
from .costs import Costs
from .households.sharing import by_mask
from .individual import check_rule
from .margin_risks import Levels, MarginRisks
from .problem import ProtectedTable, RecordClasses, Rules, build_units

CANDIDATES = 1 << 10
WORK = 1 << 28
"""Candidates of a unit that are always tried, and units times candidates up to which all are."""


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

    def threshold_for_touched(self, levels: NDArray[np.float64], most: int) -> float | None:
        """The smallest of the risks `levels` (ascending) from which on at most so many records have a value suppressed.

        None where only thresholds above all of them do; ValueError where none does, as for the sake of another kind
        of threshold more records are touched.
        """
        rows = np.searchsorted(self.levels, levels * (1.0 - TOLERANCE))
        too_many = np.flatnonzero(self.counts[rows, -2] > most)
        if int(self.counts[-1, -2]) > most:
            raise ValueError(f"never at most {most} records")
        first = int(too_many[-1]) + 1 if len(too_many) else 0
        return float(levels[first]) if first < len(levels) else None

    def losses(self, by_entropy: bool = False, at: NDArray[np.intp] | slice = slice(None)) -> NDArray[np.float64]:
        """Loss at ``threshold = levels[at]``, by the criterion or by entropy. For drawing: not rounded as `at` is."""
        each = self.costs.entropies if by_entropy else {name: self.costs[name] for name in self.variables}
        vector = np.array([each[name] for name in self.variables], np.float64)
        losses: NDArray[np.float64] = self.counts[:-1][at][:, : len(vector)] @ vector
        return losses

    def remaining(self, by_entropy: bool = False) -> float:
        """Loss above every level: what a threshold of another kind takes, which stays as it is."""
        each = self.costs.entropies if by_entropy else {name: self.costs[name] for name in self.variables}
        counts = self.counts[-1].tolist()
        return float(sum(each[name] * count for name, count in zip(self.variables, counts, strict=False) if count))

    def curve(
        self, points: int, by_entropy: bool = False, up_to: float | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Thresholds that can be met and their loss, cut for drawing.

        Parameters
        ----------
        points : pixel columns; of each, over log thresholds, the lowest and the highest loss are kept
        up_to : where a loss remains above the last level, the curve goes on to this threshold
        """
        start = int(np.searchsorted(self.levels, self.lowest_threshold, side="right"))
        levels = self.levels[start:]
        kept = np.arange(len(levels))
        if len(levels) > 2 * points:
            # Loss falls as the threshold rises, so a column's extremes are its first and its last level.
            begins = np.searchsorted(levels, np.geomspace(levels[0], levels[-1], points + 1)[1:-1])
            kept = np.unique(np.concatenate(([0], begins - 1, begins, [len(levels) - 1])))
        thresholds, losses = levels[kept], self.losses(by_entropy, kept + start)
        if up_to is not None and (remaining := self.remaining(by_entropy)) and not (thresholds >= up_to).any():
            return np.append(thresholds, up_to), np.append(losses, remaining)
        return thresholds, losses


def forecast(
    table: ProtectedTable,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules | None = None,
    progress: Progress = SILENT,
) -> Forecast:
    """The staircase of one table; its own `threshold` does not matter.

    Exact up to ten keys, and beyond as far as the work allows. Else, after the first candidates of each missing
    pattern, only growing sets of the cheapest keys are tried: thresholds where these matter (not above
    `Forecast.exact_above`) get an upper bound of the loss.

    Parameters
    ----------
    table : missing rule ``observed`` or ``wildcard``
    columns, costs, rules, progress : as in `core.suppression.individual.optimise`
    """
    check_rule(table)
    units = build_units((table,), columns, costs, rules or Rules())
    parts: list[tuple[int, NDArray[np.int64] | slice]] = [(0, slice(None))]
    if units.missing.any() or not len(units.records):
        parts = list(by_mask(units.missing))
    changes = _Changes(units, [missing for missing, _ in parts], MarginRisks(table, progress), progress)
    for missing, rows in parts:
        changes.descend(missing, rows)
    levels, counts = changes.sums()
    return Forecast(units.variables, costs, levels, counts, changes.exact_above, changes.lowest_threshold)


def _tried(units: RecordClasses, missing: int) -> Iterator[tuple[Candidate, bool]]:
    """Candidates but the empty one; with each, whether it is in its place in the order or skipped others."""
    most = max(CANDIDATES, WORK // max(1, len(units.records)))
    seen = set()
    for candidate in islice(units.choices.of(missing), 1, most):
        seen.add(candidate)
        yield candidate, True
    if len(seen) == most - 1:
        yield from ((candidate, False) for candidate in units.choices.chain(missing) if candidate not in seen)


def pack(masks: Sequence[int], counters: int, most: int) -> tuple[NDArray[np.int64], int]:
    """Which counters each mask raises, as words that can be multiplied by numbers of records and added.

    Parameters
    ----------
    masks : bit c set where counter c is raised
    most : no sum that is looked at lies beyond this or its negative

    Returns
    -------
    (len(masks), w) int64, w >= 2, and the bits that each counter takes; a word has as many as find room, the first
    one lowest
    """
    bits = most.bit_length() + 1
    each = 64 // bits
    starts = range(0, max(counters, each + 1), each)
    words = [range(start, min(start + each, counters)) for start in starts]
    raised = [[sum((mask >> c & 1) << c % each * bits for c in word) for word in words] for mask in masks]
    return np.array(raised, np.int64), bits


class _Changes:
    """What changes at each level while the threshold falls: of each variable, of the records touched and left."""

    def __init__(self, units: RecordClasses, missing: list[int], risks: MarginRisks, progress: Progress) -> None:
        self._units, self._risks, self._progress = units, risks, progress
        keeps = {units.keep(0, mask, candidate.newly) for mask in missing for candidate, _ in _tried(units, mask)}
        self._levels = Levels(risks, keeps, progress)
        self._most = int(units.records.sum())
        self._touched = 1 << len(units.variables)
        empty, self._bits = self._packed([])
        self._sums = np.zeros((len(self._levels.risks), empty.shape[1]), np.int64)
        self._left = np.zeros(0, np.int64)
        self._exact = self._lowest = -1
        self._done = 0

    @property
    def exact_above(self) -> float:
        """Thresholds above it were forecast with all candidates in order."""
        return float(self._levels.risks[self._exact]) if self._exact >= 0 else 0.0

    @property
    def lowest_threshold(self) -> float:
        """At thresholds up to it some unit stays unsafe."""
        return float(self._levels.risks[self._lowest]) if self._lowest >= 0 else 0.0

    def _packed(self, tried: Sequence[Candidate]) -> tuple[NDArray[np.int64], int]:
        """The counters, all but the last, that no candidate and each of these raises."""
        raised = [0, *(candidate.newly | self._touched for candidate in tried)]
        return pack(raised, len(self._units.variables) + 1, self._most)

    def descend(self, missing: int, rows: NDArray[np.int64] | slice) -> None:
        """Take the units `rows` of one missing pattern through their candidates."""
        units = self._units
        cells, records = units.cells[0][rows], units.records[rows]
        tried = list(_tried(units, missing))
        packed, _ = self._packed([candidate for candidate, _ in tried])
        best, choice = self._levels.rank(self._risks.own()[cells]), np.zeros(len(cells), np.uint32)
        for number, (candidate, in_order) in enumerate(tried, 1):
            before = best if in_order else best.copy()
            found = self._risks.of(units.keep(0, missing, candidate.newly))
            level = found.by_first(self._levels.rank(found.risk))
            for part in blocks(len(cells), self._progress):
                kernels.lower(
                    found.first,
                    level,
                    cells[part],
                    records[part],
                    number,
                    packed,
                    best[part],
                    choice[part],
                    self._sums,
                )
            if not in_order and (best < before).any():
                self._exact = max(self._exact, int(before[best < before].max()))
        self._lowest = max(self._lowest, int(best.max()))
        self._left = np.append(self._left, np.zeros(self._lowest + 1 - len(self._left), np.int64))
        for part in blocks(len(cells), self._progress):
            kernels.give_up(best[part], choice[part], records[part], packed, self._sums, self._left)
        self._done += len(cells)
        self._progress.report(self._done, len(units.records), translate(mark("Forecast of suppressions")))

    def sums(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Levels at which anything changes, ascending, and the counters at thresholds below, between and above them."""
        levels, found = np.empty(len(self._sums) + 1, np.uint32), 0
        for part in blocks(len(self._sums), self._progress):
            found = kernels.changing(self._sums, self._left, part.start, part.stop, levels, found)
        changing = levels[:found]
        counts = np.zeros((len(changing) + 1, len(self._units.variables) + 2), np.int64)
        for part in reversed(list(blocks(len(changing), self._progress))):
            kernels.add_downwards(self._sums, self._bits, self._left, changing, part.start, part.stop, counts)
        return self._levels.risks[changing], counts
