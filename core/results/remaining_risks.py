"""The risks that every record has by the values that a plan leaves it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.households import Households
from core.results.results import RemainingRisks, RiskTable
from core.results.suppression_problem import judged_table
from core.risk.household import household_risk
from core.suppression.households.sharing import HouseholdProblem, demand
from core.suppression.inference.leaks import remaining_risks
from core.suppression.joint.least_sizes import released_risks
from core.suppression.margin_risks import MarginRisks
from core.suppression.plan import Plan

Floats = NDArray[np.float64]


def remaining_risks_of(
    table: RiskTable, plan: Plan, households: Households | None, progress: Progress = SILENT
) -> RemainingRisks:
    """Frequencies and risks of each record by what is left of its keys (mode original-counts).

    Parameters
    ----------
    table : a risk table under ``observed`` or ``wildcard``
    plan : what becomes missing
    households : of the records; None where there are none
    """
    return _with_households(*remaining_risks(judged_table(table), plan.suppressed, progress), households, progress)


def released_risks_of(
    table: RiskTable, plan: Plan, households: Households | None, progress: Progress = SILENT
) -> RemainingRisks:
    """The same as the mode released-keys judges them: records of unsafe cells by the size of their released key."""
    judged, limits = judged_table(table), None
    if households is not None:
        risks = [MarginRisks(judged, progress)]
        limits = demand((judged,), risks, HouseholdProblem(households), progress).limits[0]
    found = released_risks(judged, plan.suppressed, limits, progress)
    return _with_households(*found, households, progress)


def _with_households(
    frequency: Floats, population: Floats, risk: Floats, households: Households | None, progress: Progress
) -> RemainingRisks:
    if households is None:
        return RemainingRisks(frequency, population, risk, None)
    of_record = np.arange(len(risk), dtype=np.uint32)
    return RemainingRisks(frequency, population, risk, household_risk(risk, of_record, households, progress))
