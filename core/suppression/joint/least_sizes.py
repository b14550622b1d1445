"""How many records a released key must have for each cell: the mode that judges a record by its released key.

Of the people of cell c a share f/F was sampled, and one of them who is under a released key cannot be told from the
f_g records there: the risk is (f/F) / f_g. F is not known; the estimator's r of the intact cell is the expectation of
1/F, so that the records of c under g have the risk f r / f_g. It falls as f_g grows: each unsafe cell has its least
size. Under the promise r is the largest 1/F that is reached with the chance allowed, and the rest is the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...risk.individual import lowest_unsafe
from ...tables.grouping import group_rows
from ..margin_risks import MarginRisks
from ..problem import ProtectedTable

Floats = NDArray[np.float64]


class ReleasedRisks:
    """Risks of a table's m cells under released keys; missing rule ``observed``.

    Attributes
    ----------
    own : (m,) float64, closed risks of the intact cells
    """

    def __init__(self, table: ProtectedTable, progress: Progress = SILENT) -> None:
        self._table, self._progress = table, progress
        self.own = MarginRisks(table, progress).own()

    def at(self, cells: NDArray[np.integer], size: Floats) -> Floats:
        """The risk of each of `cells` under a key of so many records, (len(cells),)."""
        found: Floats = self._table.cells.f[cells] * self.own[cells] / size
        return found

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
        """The same for each of `cells`, (c,), whose risk has to be below its limit; inf asks for nothing.

        floor(f r / limit) + 1, which is more than f; f r is the chance to be in the sample and no more than 1.
        """
        f, own, need = self._table.cells.f[cells], self.own[cells], np.zeros(len(cells), np.int32)
        unsafe = own >= limits
        f, limits = f[unsafe], limits[unsafe]
        too_few = np.maximum(f, np.minimum(f * own[unsafe], 1.0) / limits)
        need[unsafe] = np.floor(np.minimum(too_few, self._table.cells.records)) + 1
        return need


def released_risks(
    table: ProtectedTable,
    suppressed: Mapping[str, NDArray[np.bool_]],
    unsafe: NDArray[np.bool_],
    progress: Progress = SILENT,
    records: NDArray[np.int64] | None = None,
) -> tuple[Floats, Floats, Floats]:
    """f, F and risk of every record by its released key: of `unsafe` records f_g, f_g F / f and f r / f_g.

    Of others those of their cell.

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
