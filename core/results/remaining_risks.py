"""The risks that every record has by the values that a plan leaves it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.households import Households
from ..risk.household import household_risk
from ..risk.individual import is_unsafe
from ..suppression.households.sharing import HouseholdProblem, demand
from ..suppression.inference.leaks import RemainingRows, remaining_risks
from ..suppression.joint.least_sizes import released_risks
from ..suppression.margin_risks import MarginRisks
from ..suppression.plan import Plan
from .results import RemainingRisks, RiskTable
from .suppression_problem import figured_table, judged_table

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
    found = remaining_risks(figured_table(table), plan.suppressed, progress)
    upper = None
    if table.promise is not None:
        upper = remaining_risks(judged_table(table), plan.suppressed, progress).risk
    return _with_households(found, upper, households, progress)


def released_risks_of(
    table: RiskTable,
    plan: Plan,
    households: Households | None,
    progress: Progress = SILENT,
    records: NDArray[np.int64] | None = None,
) -> RemainingRisks:
    """The same as the mode released-keys judges them: records of unsafe cells by the size of their released key.

    `records` : how many each row stands for; None: one each.
    """
    unsafe, upper = is_unsafe(table.judged_risk, table.threshold)[table.cell_index.of_record], None
    if table.household is not None and table.household.threshold is not None and households is not None:
        judged = judged_table(table)
        limits = demand((judged,), [MarginRisks(judged, progress)], HouseholdProblem(households), progress).limits[0]
        unsafe = table.judged_risk[table.cell_index.of_record] >= limits
    found = RemainingRows(*released_risks(figured_table(table), plan.suppressed, unsafe, progress, records))
    if table.promise is not None:
        upper = released_risks(judged_table(table), plan.suppressed, unsafe, progress, records)[2]
    return replace(_with_households(found, upper, households, progress), records=records)


def _with_households(
    rows: RemainingRows, upper: Floats | None, households: Households | None, progress: Progress
) -> RemainingRisks:
    if households is None:
        return RemainingRisks(rows, None, upper)
    of_record = np.arange(len(rows.risk), dtype=np.uint32) if rows.of_record is None else rows.of_record
    return RemainingRisks(rows, household_risk(rows.risk, of_record, households, progress), upper)
