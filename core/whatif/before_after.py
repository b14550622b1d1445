"""What a plan does to the risk, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.progress import SILENT, Progress
from ..data.risk_figures import RiskFigures, TableState
from ..data.times import Times
from ..recipe.set_keys import columns_of
from ..results.results import Protection, RemainingRisks, Results, RiskTable
from ..results.suppression_problem import rules_of, unsafe_by_any
from ..risk.household import HouseholdStaircase
from ..risk.individual import is_unsafe


@dataclass(frozen=True)
class BeforeAfter:
    """A risk table before and after suppression; a threshold that is None makes nothing unsafe."""

    variables: tuple[str, ...]
    threshold: float | None
    household_threshold: float | None
    before: TableState
    after: TableState


@dataclass(frozen=True)
class Outcome:
    """All risk tables, and the records that are unsafe by any combination, whatever its model, before and after."""

    tables: tuple[BeforeAfter, ...]
    unsafe_before: int
    unsafe_after: int


def outcome(protection: Protection, progress: Progress = SILENT) -> Outcome:
    """What a plan does to the risk, as its mode judges it; the tables in the recipe's order."""
    derived = protection.derived
    return Outcome(outcomes(protection, progress), unsafe_by_any(derived, progress), protection.unsafe_left)


def outcomes(protection: Protection, progress: Progress = SILENT) -> tuple[BeforeAfter, ...]:
    """Each risk table before and after the plan, in the recipe's order."""
    return tuple(_outcome(table, protection, progress) for table in protection.derived.risk_tables)


def state_before(table: RiskTable) -> TableState:
    """A risk table before suppression, at its thresholds."""
    household = None if table.household is None else table.household.staircase.figures(table.household_threshold)
    return TableState(table.staircase.figures(table.threshold), household)


def _outcome(table: RiskTable, protection: Protection, progress: Progress) -> BeforeAfter:
    variables, household, households = table.combination.variables, None, protection.derived.households
    before = after = state_before(table)
    if any(protection.plan.by_variable.get(name) for name in variables):
        left = protection.judged(table, progress)
        if left.household is not None and households is not None:
            own = np.arange(len(left.risk), dtype=np.uint32)
            staircase = HouseholdStaircase.of(left.risk, own, left.household, households, progress)
            household = staircase.figures(table.household_threshold)
        after = TableState(_figures_of(left, table.threshold), household)
    return BeforeAfter(variables, table.threshold, table.household_threshold, before, after)


def _figures_of(left: RemainingRisks, threshold: float | None) -> RiskFigures | None:
    """Figures of the records with a risk, unsafe by what they are judged by."""
    there = ~np.isnan(left.risk)
    if not there.any():
        return None
    unsafe = None if threshold is None else Times(left.records).count(is_unsafe(left.judged, threshold))
    risk, times = left.risk[there], None if left.records is None else left.records[there]
    records = len(risk) if times is None else int(times.sum())
    expected = float(risk.sum() if times is None else risk @ times)
    return RiskFigures(float(risk.max()), expected, expected / records, unsafe)


def suppressible_variables(derived: Results) -> tuple[str, ...]:
    """Variables whose values suppression can take: keys in the recipe's order, then what is suppressed with them.

    In place of a set-valued key stand its columns.
    """
    rules = rules_of(derived)
    chosen = (name for c in derived.recipe.combinations for name in c.variables)
    keys = dict.fromkeys(name for name in columns_of(derived.recipe, chosen) if name in derived.metadata)
    return tuple(dict.fromkeys((*keys, *(name for key in keys for name in rules.closure(key)))))
