"""Every record's risk and frequency in the safe file, for the pictures and the k-anonymity profile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.derive.results import RiskTable
from core.progress import SILENT, Progress
from core.risk.individual import individual_risk
from core.suppression.plan import Plan
from core.tables.frequencies import Margins


@dataclass(frozen=True, eq=False)
class After:
    """Records of the safe file as the mode judges them: `risk` and sample `frequency`, (n,) each."""

    risk: NDArray[np.float64]
    frequency: NDArray[np.float64]


def after_by_original(table: RiskTable, plan: Plan, progress: Progress = SILENT) -> After:
    """Each record by the values that remain, counted in the original (recoded) file (mode original-counts).

    Parameters
    ----------
    table : a risk table under ``observed`` or ``wildcard``
    plan : what becomes missing
    """
    cells = table.cells
    margins, everything = Margins(cells), (1 << len(cells.variables)) - 1
    missing = _missing(table, plan)
    risk, frequency = np.full(cells.records, np.nan), np.full(cells.records, np.nan)
    for pattern in np.unique(missing).tolist():
        progress.check()
        margin = margins.frequencies(everything & ~pattern, progress)
        of_group = individual_risk(margin.f, margin.F, table.combination.estimator, progress)
        rows = np.flatnonzero(missing == pattern)
        group = margin.group_of_cell[cells.cell_of_record[rows]]
        risk[rows], frequency[rows] = of_group[group], margin.f[group]
    return After(risk, frequency)


def _missing(table: RiskTable, plan: Plan) -> NDArray[np.uint64]:
    """Bit j set where key variable j is missing in a record of the safe file, (n,)."""
    missing = table.cells.missing[table.cells.cell_of_record]
    for j, name in enumerate(table.cells.variables):
        newly = plan.suppressed.get(name)
        if newly is not None:
            missing = missing | (newly.astype(np.uint64) << np.uint64(j))
    return missing
