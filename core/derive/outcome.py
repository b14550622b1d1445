"""What a plan does to the risk, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.derive.results import Derived, Protection, RiskTable
from core.progress import SILENT, Progress
from core.risk.individual import is_unsafe
from core.suppression.leaks import remaining_risks
from core.suppression.rules import Rules
from core.suppression.units import Table


@dataclass(frozen=True)
class FileRisk:
    """Largest risk (None: no record has one), expected re-identifications, rate (a fraction), unsafe records."""

    max_risk: float | None
    expected_reidentifications: float
    rate: float
    unsafe_records: int


@dataclass(frozen=True)
class TableOutcome:
    """A risk table before and after suppression; `threshold` None: nothing is unsafe."""

    variables: tuple[str, ...]
    threshold: float | None
    before: FileRisk
    after: FileRisk


def outcomes(protection: Protection, progress: Progress = SILENT) -> tuple[TableOutcome, ...]:
    """Each risk table before and after the plan, the records judged as the mode says.

    Parameters
    ----------
    protection : a plan in mode original-counts

    Returns
    -------
    one per risk table, in the recipe's order
    """
    return tuple(_outcome(table, protection, progress) for table in protection.derived.risk_tables)


def _outcome(table: RiskTable, protection: Protection, progress: Progress) -> TableOutcome:
    staircase, variables = table.staircase, table.combination.variables
    before = FileRisk(
        staircase.max_risk if staircase.n else None,
        staircase.expected_reidentifications,
        staircase.rate,
        staircase.unsafe(table.threshold),
    )
    if not any(protection.plan.by_variable.get(name) for name in variables):
        return TableOutcome(variables, table.threshold, before, before)
    judged = Table(table.cells, table.threshold, table.combination.estimator)
    _f, _population, risk = remaining_risks(judged, protection.plan.suppressed, progress)
    risk = risk[~np.isnan(risk)]
    unsafe = 0 if table.threshold is None else int(is_unsafe(risk, table.threshold).sum())
    expected = float(risk.sum())
    after = FileRisk(float(risk.max(initial=0.0)), expected, expected / len(risk) if len(risk) else 0.0, unsafe)
    return TableOutcome(variables, table.threshold, before, after)


def suppressible_variables(derived: Derived) -> tuple[str, ...]:
    """Variables whose values suppression can take: keys in the recipe's order, then what is suppressed with them."""
    rules = Rules.of(derived.metadata)
    keys = dict.fromkeys(name for c in derived.recipe.combinations for name in c.variables)
    return tuple(dict.fromkeys((*keys, *(name for key in keys for name in rules.closure(key)))))
