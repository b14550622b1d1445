"""Ways of protecting the same file, side by side: the figures by which they are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.derive.outcome import TableOutcome, outcomes
from core.derive.recode_effect import comparable_loss
from core.derive.results import Derived, Protection, RiskTable
from core.derive.risks import asks_individual
from core.derive.suppressing import unsafe_by_any
from core.errors import PavoError
from core.progress import SILENT, Progress
from core.recipe.model import Recipe
from core.risk.k_anonymity import KAnonymity
from core.risk.staircase import Staircase
from core.tables.cells import Cells
from core.tables.tabulate import tabulate

PROFILE = (2, 3, 5, 10)


@dataclass(frozen=True, eq=False)
class Alternative:
    """The figures of one recipe; those that it does not give are None.

    Attributes
    ----------
    name : str
    recipe : Recipe
    recodes : (variable, categories after recoding) of each recode
    records : n
    staircase : risks of its first risk table after recoding, before suppression
    threshold : that table's threshold
    rate : its re-identification rate before suppression, a fraction
    unsafe : records that are unsafe by any combination before suppression; None where no threshold is chosen
    rate_after : the rate after suppression, the records judged as the mode says
    household_rate, household_rate_after : the same of households; None without a household identifier
    household_max, household_max_after : largest household risk before and after suppression
    by_households : whether its first risk table has a household threshold and no individual one
    suppressions, by_variable : newly missing values
    suppression_loss : what suppression alone takes away, in bits, as preview and report have it
    loss : comparable loss in bits, of recoding and suppression together; of recoding alone where there is no plan
    violations : records with f < k before suppression, for each k of `PROFILE`, in its first risk table or, without
        one, its first combination
    problem : why it cannot be protected; empty where it can
    """

    name: str
    recipe: Recipe
    recodes: tuple[tuple[str, int], ...]
    records: int
    staircase: Staircase | None
    threshold: float | None
    rate: float | None
    unsafe: int | None
    rate_after: float | None
    suppressions: int | None
    by_variable: dict[str, int]
    suppression_loss: float | None
    loss: float
    violations: dict[int, int]
    problem: str = ""
    household_rate: float | None = None
    household_rate_after: float | None = None
    household_max: float | None = None
    household_max_after: float | None = None
    by_households: bool = False

    @property
    def protected(self) -> bool:
        """Whether there is a plan, so that its figures are those of a safe file."""
        return self.suppressions is not None

    def place(self, by_households: bool = False) -> tuple[float, float] | None:
        """Rate (of persons or households) and loss, its place on the risk–utility map.

        As it is protected or, without a plan, as it is now; None where there is no such rate.
        """
        before, after = self.rate, self.rate_after
        if by_households:
            before, after = self.household_rate, self.household_rate_after
        rate = after if self.protected else before
        return None if rate is None else (rate, self.loss)


def alternative(
    name: str, derived: Derived, protection: Protection | PavoError, progress: Progress = SILENT
) -> Alternative:
    """The figures of one recipe.

    Parameters
    ----------
    derived : what follows from the recipe
    protection : its plan, or why there is none
    """
    table = derived.risk_tables[0] if derived.risk_tables else None
    staircase = table.staircase if table is not None and table.staircase.n else None
    cells = _first_cells(derived, progress)
    profile = KAnonymity.from_cells(cells.f, cells.count) if cells is not None else None
    planned = protection if isinstance(protection, Protection) else None
    after = outcomes(planned, progress) if planned is not None else ()
    return Alternative(
        name=name,
        recipe=derived.recipe,
        recodes=tuple((spec.variable, derived.columns[spec.variable].n_valid) for spec in derived.recipe.recodes),
        records=derived.records,
        staircase=staircase,
        threshold=table.threshold if table is not None else None,
        rate=staircase.rate if staircase is not None else None,
        unsafe=unsafe_by_any(derived, progress) if _judges(derived) else None,
        rate_after=after[0].after.rate if after else None,
        suppressions=planned.plan.total if planned is not None else None,
        by_variable=dict(planned.plan.by_variable) if planned is not None else {},
        suppression_loss=planned.plan.entropy_loss if planned is not None else None,
        loss=comparable_loss(derived, _lost(derived, planned)),
        violations={k: profile.violations(k) for k in PROFILE} if profile is not None else {},
        problem="" if planned is not None else str(protection),
        **(_of_households(table, after[0] if after else None) if table is not None else {}),
    )


def _of_households(table: RiskTable, after: TableOutcome | None) -> dict[str, Any]:
    """The figures of households; none without a household identifier or where no household has a risk."""
    household = table.household
    if household is None or not household.staircase.n:
        return {}
    later = after.households[1] if after is not None and after.households else None
    return {
        "household_rate": household.staircase.rate,
        "household_rate_after": later.rate if later is not None else None,
        "household_max": household.staircase.max_risk,
        "household_max_after": later.max_risk if later is not None else None,
        "by_households": household.asked and not asks_individual(table.asked),
    }


def _judges(derived: Derived) -> bool:
    """Whether anything says which records are unsafe."""
    asked = any(bool(table.asked) for table in derived.risk_tables)
    return asked or any(c.model != "individual-risk" for c in derived.recipe.combinations)


def _first_cells(derived: Derived, progress: Progress) -> Cells | None:
    """The cells of the first risk table or, without one, of the first combination."""
    if derived.risk_tables:
        return derived.risk_tables[0].cells
    if not derived.recipe.combinations:
        return None
    first = derived.recipe.combinations[0]
    columns = [derived.columns[name] for name in first.variables]
    rule = "observed" if first.model == "frequency" else first.missing_rule
    return tabulate(columns, None, rule, first.alpha, progress)


def _lost(derived: Derived, planned: Protection | None) -> dict[str, int]:
    """Newly missing values of every variable that counts: keys, recoded ones, and what is suppressed with them."""
    names = [name for combination in derived.recipe.combinations for name in combination.variables]
    names += [spec.variable for spec in derived.recipe.recodes]
    return {**dict.fromkeys(names, 0), **(planned.plan.by_variable if planned is not None else {})}
