"""Every record's risk and frequency in the safe file, for the pictures and the k-anonymity profile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.households import Households
from core.results.results import RiskTable
from core.risk.household import household_risk
from core.suppression.inference.leaks import remaining_risks
from core.suppression.plan import Plan
from core.suppression.problem import Table


@dataclass(frozen=True, eq=False)
class After:
    """Records of the safe file as the mode judges them: `risk` and sample `frequency`, (n,) each.

    `household`: the risk of each record's household; None without households.
    """

    risk: NDArray[np.float64]
    frequency: NDArray[np.float64]
    household: NDArray[np.float64] | None = None


def after_by_original(
    table: RiskTable, plan: Plan, progress: Progress = SILENT, households: Households | None = None
) -> After:
    """Each record by the values that remain, counted in the original (recoded) file (mode original-counts).

    Parameters
    ----------
    table : a risk table under ``observed`` or ``wildcard``
    plan : what becomes missing
    households : of the records, for their households' risks
    """
    judged = Table(table.cells, table.threshold, table.combination.estimator)
    frequency, _population, risk = remaining_risks(judged, plan.suppressed, progress)
    if households is None:
        return After(risk, frequency)
    of_record = np.arange(len(risk), dtype=np.uint32)
    of_households = household_risk(risk, of_record, households, progress)
    return After(risk, frequency, of_households[households.household_of_record])
