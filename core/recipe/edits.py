"""Edits of a recipe that more than one window makes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.recipe.model import Recipe

_INDIVIDUAL = ("individual_risk", "reidentification_rate", "unsafe_records")
_HOUSEHOLD = ("household_risk", "household_rate", "unsafe_households")


def risk_combinations(recipe: Recipe) -> tuple[int, ...]:
    """Indices of the combinations judged by individual risk."""
    return tuple(i for i, c in enumerate(recipe.combinations) if c.model == "individual-risk")


def with_individual_threshold(recipe: Recipe, combination: int, risk: float) -> Recipe:
    """The recipe with an individual-risk threshold for one combination, in place of whatever fixed it before.

    It is written as the default where this is the only risk table and has none of its own, else with the table. A
    household threshold that stands at the same place stays: a released record must then meet both.
    """
    return _with_number(recipe, combination, _INDIVIDUAL, risk)


def with_household_threshold(recipe: Recipe, combination: int, risk: float) -> Recipe:
    """The recipe with a household threshold for one combination, in place of whatever fixed it before.

    It stands where `with_individual_threshold` writes; an individual threshold that stands there stays.
    """
    return _with_number(recipe, combination, _HOUSEHOLD, risk)


def has_individual_threshold(recipe: Recipe, combination: int) -> bool:
    """Whether the recipe fixes this table's individual-risk threshold, by any of its linked numbers."""
    return _has_number(recipe, combination, _INDIVIDUAL)


def has_household_threshold(recipe: Recipe, combination: int) -> bool:
    """Whether the recipe fixes this table's household threshold, by any of its linked numbers."""
    return _has_number(recipe, combination, _HOUSEHOLD)


def is_judged(recipe: Recipe, variable: str) -> bool:
    """Whether the recipe says, for any combination with the variable, from when on a record is unsafe."""
    return any(
        combination.model != "individual-risk"
        or has_individual_threshold(recipe, index)
        or has_household_threshold(recipe, index)
        for index, combination in enumerate(recipe.combinations)
        if variable in combination.variables
    )


def _with_number(recipe: Recipe, combination: int, linked: tuple[str, str, str], risk: float) -> Recipe:
    """With a risk (the first of the linked numbers) in place of all three."""
    own = recipe.combinations[combination].threshold
    changed: dict[str, Any] = dict.fromkeys(linked) | {linked[0]: risk}
    new = replace(own or recipe.threshold, **changed)
    if not own and risk_combinations(recipe) == (combination,):
        return recipe.with_(threshold=new)
    table = replace(recipe.combinations[combination], threshold=new)
    combinations = (*recipe.combinations[:combination], table, *recipe.combinations[combination + 1 :])
    return recipe.with_(combinations=combinations)


def _has_number(recipe: Recipe, combination: int, linked: tuple[str, str, str]) -> bool:
    asked = recipe.combinations[combination].threshold or recipe.threshold
    return any(getattr(asked, name) is not None for name in linked)
