"""The risks that every record has by the values that a plan leaves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn, Weights
from core.data.households import Households
from core.results.released_columns import after_suppression
from core.results.results import RemainingRisks, RiskTable
from core.results.suppression_problem import figured_table, judged_table
from core.risk.household import household_risk
from core.risk.individual import individual_risk, is_unsafe
from core.suppression.households.sharing import HouseholdProblem, demand
from core.suppression.inference.leaks import RemainingRows, remaining_risks
from core.suppression.joint.least_sizes import released_risks
from core.suppression.margin_risks import MarginRisks
from core.suppression.plan import Plan
from core.tables.tabulate import tabulate_records

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


def counted_risks_of(
    table: RiskTable,
    plan: Plan,
    columns: Mapping[str, EncodedColumn],
    weights: Weights | None,
    households: Households | None,
    progress: Progress = SILENT,
) -> RemainingRisks:
    """The same as the mode released-counts judges them: counted in the safe file, in which a blank matches anything."""
    released = [after_suppression(columns[name], plan.suppressed) for name in table.combination.variables]
    cells, index = tabulate_records(released, weights, "wildcard", progress=progress)
    risk = individual_risk(cells.f, cells.F, table.combination.estimator, progress)
    return _with_households(RemainingRows(cells.f, cells.F, risk, index.of_record), None, households, progress)


def _with_households(
    rows: RemainingRows, upper: Floats | None, households: Households | None, progress: Progress
) -> RemainingRisks:
    if households is None:
        return RemainingRisks(rows, None, upper)
    of_record = np.arange(len(rows.risk), dtype=np.uint32) if rows.of_record is None else rows.of_record
    return RemainingRisks(rows, household_risk(rows.risk, of_record, households, progress), upper)
