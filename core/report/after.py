"""Every record's risk and frequency in the safe file, for the pictures and the k-anonymity profile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.derive.results import RiskTable
from core.progress import SILENT, Progress
from core.suppression.leaks import remaining_risks
from core.suppression.plan import Plan
from core.suppression.units import Table


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
    judged = Table(table.cells, table.threshold, table.combination.estimator)
    frequency, _population, risk = remaining_risks(judged, plan.suppressed, progress)
    return After(risk, frequency)
