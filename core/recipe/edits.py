"""Edits of a recipe that more than one window makes."""

from __future__ import annotations

from dataclasses import replace

from core.recipe.model import Recipe, Threshold


def risk_combinations(recipe: Recipe) -> tuple[int, ...]:
    """Indices of the combinations judged by individual risk."""
    return tuple(i for i, c in enumerate(recipe.combinations) if c.model == "individual-risk")


def with_individual_threshold(recipe: Recipe, combination: int, risk: float) -> Recipe:
    """The recipe with an individual-risk threshold for one combination, in place of whatever fixed it before.

    It is written as the default where this is the only risk table and has none of its own, else with the table. A
    household threshold that stands at the same place stays: a released record must then meet both.
    """
    own = recipe.combinations[combination].threshold
    alone = risk_combinations(recipe) == (combination,)
    kept = own if own or not alone else recipe.threshold
    new = replace(kept, individual_risk=risk, reidentification_rate=None, unsafe_records=None)
    if kept is recipe.threshold and alone and not own:
        return recipe.with_(threshold=new)
    changed = replace(recipe.combinations[combination], threshold=new)
    combinations = (*recipe.combinations[:combination], changed, *recipe.combinations[combination + 1 :])
    return recipe.with_(combinations=combinations)


def has_individual_threshold(recipe: Recipe, combination: int) -> bool:
    """Whether the recipe fixes this table's individual-risk threshold, by any of its linked numbers."""

    def fixes(threshold: Threshold) -> bool:
        numbers = (threshold.individual_risk, threshold.reidentification_rate, threshold.unsafe_records)
        return any(number is not None for number in numbers)

    own = recipe.combinations[combination].threshold
    return fixes(own) if own else fixes(recipe.threshold)
