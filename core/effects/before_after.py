"""What a plan does to the risk, before anything is written.

Every record's risk and frequency in the safe file, for the pictures and the k-anonymity profile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.households import Households
from core.results.results import Protection, Results, RiskTable
from core.results.suppression_problem import rules_of, unsafe_by_any
from core.risk.household import HouseholdStaircase, household_risk
from core.risk.individual import is_unsafe
from core.suppression.inference.leaks import remaining_risks
from core.suppression.plan import Plan
from core.suppression.problem import ProtectedTable


@dataclass(frozen=True)
class FileRisk:
    """Largest risk (None: no record has one), expected re-identifications, rate (a fraction), unsafe records."""

    max_risk: float | None
    expected_reidentifications: float
    rate: float
    unsafe_records: int


@dataclass(frozen=True)
class HouseholdsRisk:
    """Figures of households.

    Attributes
    ----------
    max_risk : largest household risk; None where no household has one
    rate : re-identification rate, a fraction
    unsafe_households : number of households
    expected_records : expected records of re-identified households: household risks, each counted once a member
    unsafe_records : records of unsafe households that are unsafe
    """

    max_risk: float | None
    rate: float
    unsafe_households: int
    expected_records: float = 0.0
    unsafe_records: int = 0


@dataclass(frozen=True)
class TableOutcome:
    """A risk table before and after suppression; a threshold that is None makes nothing unsafe.

    `households` are the figures of households before and after; None without a household identifier.
    """

    variables: tuple[str, ...]
    threshold: float | None
    before: FileRisk
    after: FileRisk
    household_threshold: float | None = None
    households: tuple[HouseholdsRisk, HouseholdsRisk] | None = None


@dataclass(frozen=True)
class Outcome:
    """All risk tables, and the records that are unsafe by any combination, whatever its model, before and after."""

    tables: tuple[TableOutcome, ...]
    unsafe_before: int
    unsafe_after: int


def outcome(protection: Protection, progress: Progress = SILENT) -> Outcome:
    """What a plan in mode original-counts does to the risk; the tables in the recipe's order."""
    derived = protection.derived
    return Outcome(outcomes(protection, progress), unsafe_by_any(derived, progress), protection.unsafe_left)


def outcomes(protection: Protection, progress: Progress = SILENT) -> tuple[TableOutcome, ...]:
    """Each risk table before and after the plan, in the recipe's order."""
    return tuple(_outcome(table, protection, progress) for table in protection.derived.risk_tables)


def _outcome(table: RiskTable, protection: Protection, progress: Progress) -> TableOutcome:
    staircase, variables, household = table.staircase, table.combination.variables, table.household
    before = FileRisk(
        staircase.max_risk if staircase.n else None,
        staircase.expected_reidentifications,
        staircase.rate,
        staircase.unsafe(table.threshold),
    )
    homes = None if household is None else _households(household.staircase, household.threshold)
    limit = None if household is None else household.threshold
    if not any(protection.plan.by_variable.get(name) for name in variables):
        return TableOutcome(variables, table.threshold, before, before, limit, (homes, homes) if homes else None)
    judged = ProtectedTable(table.cells, table.cell_index, table.threshold, table.combination.estimator)
    _f, _population, risk = remaining_risks(judged, protection.plan.suppressed, progress)
    later = None
    if household is not None and protection.derived.households is not None:
        later = _households(_staircase_of(risk, protection.derived.households, progress), household.threshold)
    risk = risk[~np.isnan(risk)]
    unsafe = 0 if table.threshold is None else int(is_unsafe(risk, table.threshold).sum())
    expected = float(risk.sum())
    after = FileRisk(float(risk.max(initial=0.0)), expected, expected / len(risk) if len(risk) else 0.0, unsafe)
    return TableOutcome(variables, table.threshold, before, after, limit, (homes, later) if homes and later else None)


def _staircase_of(risk: NDArray[np.float64], households: Households, progress: Progress) -> HouseholdStaircase:
    """Household risks from those of the records (n,)."""
    own = np.arange(len(risk), dtype=np.uint32)
    return HouseholdStaircase.of(risk, own, household_risk(risk, own, households, progress), households, progress)


def _households(staircase: HouseholdStaircase, threshold: float | None) -> HouseholdsRisk:
    largest = staircase.max_risk if staircase.n else None
    return HouseholdsRisk(
        largest,
        staircase.rate,
        staircase.unsafe_households(threshold),
        staircase.expected_reidentifications,
        staircase.unsafe(threshold),
    )


def suppressible_variables(derived: Results) -> tuple[str, ...]:
    """Variables whose values suppression can take: keys in the recipe's order, then what is suppressed with them."""
    rules = rules_of(derived)
    chosen = (name for c in derived.recipe.combinations for name in c.variables)
    keys = dict.fromkeys(name for name in chosen if name in derived.metadata)
    return tuple(dict.fromkeys((*keys, *(name for key in keys for name in rules.closure(key)))))


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
    judged = ProtectedTable(table.cells, table.cell_index, table.threshold, table.combination.estimator)
    frequency, _population, risk = remaining_risks(judged, plan.suppressed, progress)
    if households is None:
        return After(risk, frequency)
    of_record = np.arange(len(risk), dtype=np.uint32)
    of_households = household_risk(risk, of_record, households, progress)
    return After(risk, frequency, of_households[households.household_of_record])
