"""What is said where users of the safe file see who lives together, and no threshold is on the household risk."""

from __future__ import annotations

import numpy as np

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.results.households import members_apart
from core.results.results import Derived
from core.risk.household import household_risk
from core.risk.individual import is_unsafe
from core.suppression.inference.leaks import remaining_risks
from core.suppression.plan import Plan
from core.suppression.problem import Table

UNJUDGED = "household-risk-not-judged"


def unjudged_households(derived: Derived, plan: Plan, progress: Progress = SILENT) -> tuple[Notice, ...]:
    """A warning for every risk table of whose safe file a household reaches the threshold of the individual risk."""
    households = derived.households
    if households is None or members_apart(derived.recipe) or derived.recipe.suppression.criterion == "none":
        return ()
    found = []
    for table in derived.risk_tables:
        if table.threshold is None or table.household is None or table.household.asked:
            continue
        judged = Table(table.cells, table.threshold, table.combination.estimator)
        risk = remaining_risks(judged, plan.suppressed, progress)[2]
        of_households = household_risk(risk, np.arange(len(risk), dtype=np.uint32), households, progress)
        largest = float(np.nanmax(of_households, initial=0.0))
        if is_unsafe(np.array([largest]), table.threshold)[0]:
            found.append(_notice(" x ".join(table.combination.variables), largest, table.threshold))
    return tuple(found)


def _notice(combination: str, largest: float, threshold: float) -> Notice:
    return Notice.of(
        UNJUDGED,
        mark(
            "Households were not judged by {combination}: users of the safe file can see who lives together, and the "
            "largest household risk in it is {largest:.3g}; the threshold {threshold:.6g} is one of the individual "
            "risk. Choose a threshold in the Household Risk Chart, too, or remove the household identifier and let "
            "the members stand apart, in random order."
        ),
        combination=combination,
        largest=largest,
        threshold=threshold,
    )
