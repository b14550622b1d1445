"""The risk that the remaining values of a cell would have: individual risks of a table's margins, when needed."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..kernels import suppress as kernels
from ..risk.individual import individual_risk
from ..tables.frequencies import Margins
from ..tables.grouping import blocks
from ..tables.projections import through
from .problem import ProtectedTable

KEPT_BYTES = 256 << 20
_MERGE_AT = 1 << 22


@dataclass(frozen=True, eq=False)
class MarginRisk:
    """Risks of a margin's groups.

    Attributes
    ----------
    first, then : the way from a cell to its group in one or two steps, as in `core.tables.projections.Projection`; only
        for cells with a value on every key kept
    risk : (g,) float64, group -> risk
    """

    first: NDArray[np.uint32]
    then: NDArray[np.uint32] | None
    risk: NDArray[np.float64]

    @property
    def group(self) -> NDArray[np.uint32]:
        """The group of each cell, (m,) uint32; made whenever it is asked for, which takes less than keeping it."""
        return self.first if self.then is None else through(self.first, self.then)

    @property
    def nbytes(self) -> int:
        """Memory held, but for `first`, which margins share."""
        return self.risk.nbytes + (0 if self.then is None else self.then.nbytes)

    def by_first(self, of_group: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """What is known `of_group`, by the groups in `first` instead."""
        if self.then is None:
            return of_group
        if len(self.then) and int(self.then.max()) < len(of_group):
            return through(self.then, of_group)
        # -1, of cells with a missing value, finds the last one
        return np.append(of_group, np.uint32(0))[self.then.view(np.int32)]


class MarginRisks:
    """Individual risks by kept keys of one table, in the original file under the table's missing rule.

    Those asked for are kept, the least recently used ones dropped when they take more than `KEPT_BYTES`. `margins`
    gives the frequencies.
    """

    def __init__(self, table: ProtectedTable, progress: Progress = SILENT) -> None:
        self._table = table
        self.margins = Margins(table.cells) if table.held is None else table.held.of(table.cells)
        self._progress = progress
        self._kept: OrderedDict[int, MarginRisk] = OrderedDict()
        self._bytes = 0
        self._sharing: Counter[int] = Counter()
        self._own: NDArray[np.float64] | None = None

    def own(self) -> NDArray[np.float64]:
        """Risks of the cells as they are, (m,)."""
        if self._own is None:
            table = self._table
            if table.risk is not None:
                self._own = table.risk
            elif table.population is not None:
                self._own = table.population.of_table(table.cells, self._progress)
            else:
                self._own = individual_risk(table.cells.f, table.cells.F, table.estimator, self._progress)
        return self._own

    def of(self, keep: int) -> MarginRisk:
        """Risks of the margin over the keys in the mask `keep`."""
        if keep in self._kept:
            self._kept.move_to_end(keep)
            return self._kept[keep]
        self._progress.check()
        margin = self.margins.frequencies(keep, self._progress)
        then = None if margin.then is None else margin.then.view(np.uint32)
        if self._table.population is None:
            risk = individual_risk(margin.f, margin.F, self._table.estimator, self._progress)
        else:
            risk = np.full(len(margin.f), np.nan)
        found = MarginRisk(margin.first.view(np.uint32), then, risk)
        if self._table.population is not None:
            complete = np.flatnonzero((self._table.cells.missing & np.uint64(keep)) == 0)
            risk[found.group[complete]] = self._table.population.of_cells(keep, self._progress)[complete]
        self._kept[keep] = found
        self._count(found, 1)
        while self._bytes > KEPT_BYTES and len(self._kept) > 1:
            self._count(self._kept.popitem(last=False)[1], -1)
        return found

    def _count(self, margin: MarginRisk, more: int) -> None:
        """Count the memory of a margin that is kept (1) or dropped (-1); that of `first` once for all that share it."""
        start = margin.first.ctypes.data
        before = self._sharing[start] > 0
        self._sharing[start] += more
        self._bytes += more * margin.nbytes + margin.first.nbytes * ((self._sharing[start] > 0) - before)

    def at(self, keep: int, cells: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Risks of `cells`, each of which has a value on every key kept."""
        margin = self.of(keep)
        group = margin.first[cells]
        risks: NDArray[np.float64] = margin.risk[group if margin.then is None else margin.then[group]]
        return risks

    def figures_at(
        self, keep: int, cells: NDArray[np.uint32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """f, F and risks of `cells`, each of which has a value on every key kept; keeps no risks of the others."""
        found = self.margins.frequencies(keep, self._progress)
        group = found.group_of_cell[cells]
        f, population = found.f[group], found.F[group]
        if self._table.population is not None:
            return f, population, self.at(keep, cells)
        return f, population, individual_risk(f, population, self._table.estimator, self._progress)


class Levels:
    """All distinct risks of a table's cells and of some of its margins, numbered.

    Attributes
    ----------
    risks : (L,) float64, ascending
    """

    def __init__(self, risks: MarginRisks, keeps: Iterable[int], progress: Progress = SILENT) -> None:
        self._progress = progress
        pending, more, merged = [risks.own()], len(risks.own()), 0
        # From many keys to few, so that each margin finds a small one to be made from.
        for keep in sorted(keeps, key=lambda mask: (-mask.bit_count(), mask)):
            pending.append(risks.of(keep).risk)
            more += len(pending[-1])
            if more > max(_MERGE_AT, 2 * merged):
                pending = [_distinct(pending, progress)]
                more = merged = len(pending[0])
        self.risks = _distinct(pending, progress)
        self._bits = self.risks.view(np.uint64)
        span = int(self._bits[-1] - self._bits[0]) if len(self._bits) else 0
        self._shift = max(0, span.bit_length() - len(self._bits).bit_length() - 1)
        self._first = np.empty((span >> self._shift) + 2, np.uint32)
        filled = 0
        for part in blocks(len(self._bits), progress):
            filled = kernels.fill_buckets(self._bits, part.start, part.stop, self._shift, filled, self._first)
        self._first[filled:] = len(self._bits)

    def rank(self, risks: NDArray[np.float64]) -> NDArray[np.uint32]:
        """The number of each risk, which must be one of the levels."""
        ranks = np.empty(len(risks), np.uint32)
        for part in blocks(len(risks), self._progress):
            kernels.rank(risks[part].view(np.uint64), self._bits, self._first, self._shift, ranks[part])
        return ranks


def _distinct(parts: list[NDArray[np.float64]], progress: Progress = SILENT) -> NDArray[np.float64]:
    """Ascending; sorted in place, which takes half of what `numpy.unique` takes."""
    values = np.concatenate(parts)
    values.sort()
    kept = 0
    for part in blocks(len(values), progress):
        kept = kernels.keep_distinct(values, part.start, part.stop, kept)
    return values[:kept].copy()
