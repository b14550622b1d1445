"""Plans counted in full: by the suppressions that the recipe's own protection makes, in place of the estimate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from ...base.progress import Cancelled, Progress
from ...recipe.model import Recipe
from ..alternatives import Alternative
from .plan_figures import PlanProblem, RecodingPlan, recipe_of

Figures = Callable[[Recipe, Progress], Alternative]
"""The figures of a recipe as Compare has them; `Cancelled` goes through."""


class _Ended(Cancelled):
    """Time is up, or what was found will do."""


class _Asking:
    """Progress of one plan: tells nothing, and asks whether to go on."""

    def __init__(self, progress: Progress, ends: Callable[[], bool]) -> None:
        self._progress, self._ends = progress, ends

    def report(self, done: float, total: float, text: str) -> None:
        """Plans are told of, not what each is made of."""

    def check(self) -> None:
        """Raise where the user asked to stop, or it was said that what was found will do."""
        self._progress.check()
        if self._ends():
            raise _Ended


def counted(
    problem: PlanProblem, plan: RecodingPlan, figures: Figures, ends: Callable[[], bool] = lambda: False
) -> RecodingPlan | None:
    """A plan with the figures of its recipe; None where counting ended before it was done.

    One that protection refuses has records `left`.
    """
    recipe = recipe_of(problem.derived.recipe, problem.index, problem.hierarchies, plan)
    try:
        found = figures(recipe, _Asking(problem.progress, ends))
    except _Ended:
        return None
    if not found.protected or found.suppressions is None:
        return replace(plan, left=max(plan.unsafe, 1), exact=True)
    gone = math.fsum(
        each.levels[i].lost
        for each, i in zip(problem.hierarchies, plan.levels, strict=True)
        if each.levels[i].is_left_out
    )
    own = found.all if problem.index is None else found.tables[problem.index][2]
    after = own.after.household if problem.by_households else own.after.individual
    rate = after.rate if after is not None else 0.0 if problem.by_risk else math.nan
    return replace(
        plan,
        loss=found.loss + gone,
        rate=rate,
        suppressions=found.suppressions,
        by_variable={name: number for name, number in found.by_variable.items() if number},
        left=0,
        exact=True,
    )
