"""Ways of protecting the same file, side by side: the figures by which they are compared."""

from __future__ import annotations

from dataclasses import dataclass

from core.derive.outcome import outcomes
from core.derive.recode_effect import comparable_loss
from core.derive.results import Derived, Protection
from core.errors import PavoError
from core.progress import SILENT, Progress
from core.recipe.model import Recipe
from core.risk.k_anonymity import KAnonymity
from core.risk.staircase import Staircase

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
    rate, unsafe : re-identification rate (a fraction) and unsafe records of that table before suppression
    rate_after : the rate after suppression, the records judged as the mode says
    suppressions, by_variable : newly missing values
    loss : comparable loss in bits, of recoding and suppression together
    violations : records with f < k before suppression, for each k of `PROFILE`
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
    loss: float | None
    violations: dict[int, int]
    problem: str = ""


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
    profile = KAnonymity.from_cells(table.cells.f, table.cells.count) if table is not None else None
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
        unsafe=staircase.unsafe(table.threshold) if staircase is not None and table is not None else None,
        rate_after=after[0].after.rate if after else None,
        suppressions=planned.plan.total if planned is not None else None,
        by_variable=dict(planned.plan.by_variable) if planned is not None else {},
        loss=comparable_loss(derived, _lost(derived, planned)) if planned is not None else None,
        violations={k: profile.violations(k) for k in PROFILE} if profile is not None else {},
        problem="" if planned is not None else str(protection),
    )


def _lost(derived: Derived, planned: Protection) -> dict[str, int]:
    """Newly missing values of every variable that counts: keys, recoded ones, and what is suppressed with them."""
    names = [name for combination in derived.recipe.combinations for name in combination.variables]
    names += [spec.variable for spec in derived.recipe.recodes]
    return {**dict.fromkeys(names, 0), **planned.plan.by_variable}
