"""How many records a released key must have for each cell: the mode that judges a record by its released key.

Of the people of cell c a share p = f/F was sampled, and one of them who is under a released key cannot be told from the
other records there. So c's risk under a key of f_g records is that of c itself with f_g records at c's own sampling
fraction; other cells' weights are no people of c. It falls as f_g grows, so that each unsafe cell has its least size.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.risk.individual import individual_risk, lowest_unsafe
from core.risk.negative_binomial import scale_of
from core.suppression.margin_risks import MarginRisks
from core.suppression.problem import ProtectedTable
from core.tables.grouping import group_rows

Floats = NDArray[np.float64]


class ReleasedRisks:
    """Risks of a table's m cells under released keys; missing rule ``observed``."""

    def __init__(self, table: ProtectedTable, progress: Progress = SILENT) -> None:
        self._table, self._progress = table, progress
        self.own = MarginRisks(table, progress).own()

    def at(self, cells: NDArray[np.integer], size: Floats) -> Floats:
        """The risk of each of `cells` under a key of so many records, (len(cells),)."""
        table = self._table
        f = table.cells.f[cells]
        if table.population is None:
            return individual_risk(size, size * (table.cells.F[cells] / f), table.estimator, self._progress)
        m, mu, shapes = self._outside
        more, found = size / f, np.empty(len(cells))
        for a in np.unique(shapes[cells]).tolist():
            here = shapes[cells] == a
            scale = scale_of(m[cells[here]] * more[here], mu[cells[here]] * more[here], a)
            found[here] = table.population.of_scale(size[here], scale, a, self._progress)
        return found

    @cached_property
    def _outside(self) -> tuple[Floats, Floats, Floats]:
        """People of each cell outside the sample and records expected in it by the model, and the a of its scatter."""
        population = self._table.population
        assert population is not None
        cube = population.model.cube
        missing = cube.project(population.model.full, self._progress).missing
        m, mu, shapes = (np.full(len(missing), np.nan) for _ in range(3))
        for pattern in np.unique(missing).tolist():
            mask, here = population.model.full & ~pattern, np.flatnonzero(missing == pattern)
            group = cube.project(mask, self._progress).group_of_cell[here]
            of_group = population.outside(mask, self._progress)
            m[here], mu[here], shapes[here] = of_group[0][group], of_group[1][group], of_group[2]
        return m, mu, shapes

    def least_sizes(self) -> NDArray[np.int32]:
        """`sizes_at` the table's own threshold."""
        return self.sizes_at(self._table.threshold)

    def sizes_at(self, threshold: float | None) -> NDArray[np.int32]:
        """The least number of records of a key that each unsafe cell may come under, (m,); 0 of safe cells.

        One more than the file has records where no number is enough.
        """
        if threshold is None:
            return np.zeros(len(self._table.cells), np.int32)
        limit = lowest_unsafe(threshold)
        return self.least_sizes_below(np.arange(len(self._table.cells)), np.full(len(self._table.cells), limit))

    def least_reachable(self, fixed: Collection[str]) -> float:
        """The level above which a threshold can be met: the largest risk where all that may be is suppressed.

        Then a record shares its key with all that have the same values of the variables `fixed`. A cell that is safe
        by itself needs no such key.
        """
        cells = self._table.cells
        stay = [j for j, name in enumerate(cells.variables) if name in fixed]
        size = np.full(len(cells), float(cells.records))
        if stay:
            groups = group_rows([cells.codes[j] for j in stay], [cells.cards[j] for j in stay], self._progress)
            size = np.bincount(groups.ids, cells.count, len(groups))[groups.ids]
        return float(np.minimum(self.own, self.at(np.arange(len(cells)), size)).max(initial=0.0))

    def least_sizes_below(self, cells: NDArray[np.integer], limits: Floats) -> NDArray[np.int32]:
        """The same for each of `cells`, (c,), whose risk has to be below its limit; inf asks for nothing."""
        table, need = self._table, np.zeros(len(cells), np.int32)
        places = np.flatnonzero(self.own[cells] >= limits)
        cells, limits = cells[places], limits[places]
        # Of two numbers the cell is unsafe at the lower one and safe at the higher one: no risk is above 1/f.
        low = np.floor(table.cells.f[cells])
        high = np.maximum(low + 1, np.minimum(table.cells.records + 1, np.floor(1 / limits) + 1))
        while len(rows := np.flatnonzero(high - low > 1)):
            self._progress.check()
            tried = np.floor((low[rows] + high[rows]) / 2)
            safe = self.at(cells[rows], tried) < limits[rows]
            high[rows[safe]], low[rows[~safe]] = tried[safe], tried[~safe]
        need[places] = high
        return need


def released_risks(
    table: ProtectedTable,
    suppressed: Mapping[str, NDArray[np.bool_]],
    unsafe: NDArray[np.bool_],
    progress: Progress = SILENT,
    records: NDArray[np.int64] | None = None,
) -> tuple[Floats, Floats, Floats]:
    """f, F and risk of every record by its released key: of `unsafe` records f_g and f_g / p, of others their cell's.

    Parameters
    ----------
    unsafe : (n,) whether each record was unsafe, by itself or as a member of its household
    records : (n,) how many records each row stands for; None: one each

    Returns
    -------
    f, F, risk : (n,) float64
    """
    cells, risks = table.cells, ReleasedRisks(table, progress)
    of_record = table.cell_index.of_record
    codes = [code[of_record] for code in cells.codes]
    for name, code, card in zip(cells.variables, codes, cells.cards, strict=True):
        if name in suppressed:
            code[suppressed[name]] = card
    groups = group_rows(codes, cells.cards, progress)
    size = np.bincount(groups.ids, records, len(groups))[groups.ids].astype(np.float64)
    f, population, risk = cells.f[of_record], cells.F[of_record], risks.own[of_record]
    judged = np.flatnonzero(unsafe)
    cell = of_record[judged]
    population[judged] *= size[judged] / f[judged]
    f[judged] = size[judged]
    risk[judged] = risks.at(cell, size[judged])
    return f, population, risk
