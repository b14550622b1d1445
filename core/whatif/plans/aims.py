"""What plans are searched for: the combinations that they code, the goal that these have, and what cannot be one."""

from __future__ import annotations

import math
from dataclasses import replace

from ...base.errors import RecipeError
from ...base.texts import mark
from ...profiles.goals import Goal
from ...recipe.edits import with_individual_threshold
from ...recipe.model import POPULATION_ESTIMATORS, Combination, Output, Recipe
from ...recipe.validate import check

MOST_PLANS = 1 << 20
"""Points of a lattice that is searched."""


def places(recipe: Recipe, index: int | None) -> tuple[int, ...]:
    """The places of the combinations that are coded: that of `index`, or with None all of them."""
    return tuple(range(len(recipe.combinations))) if index is None else (index,)


def keys_of(recipe: Recipe, index: int | None) -> tuple[str, ...]:
    """Their variables, in the order in which they appear first."""
    return tuple(
        dict.fromkeys(name for place in places(recipe, index) for name in recipe.combinations[place].variables)
    )


def fits(goal: Goal, recipe: Recipe, index: int | None) -> bool:
    """Whether a goal can be had for these combinations: it is about risk or records, and on their own keys."""
    if goal.kind == "certain-blanks" or goal.all_identifying:
        return False
    keys = [set(recipe.combinations[place].variables) for place in places(recipe, index)]
    return not goal.variables or keys == [set(goal.variables)]


def aimed(recipe: Recipe, index: int | None, goal: Goal) -> Recipe:
    """The recipe whose combinations of `places` are judged by a goal: their largest risk, or their least records.

    Raises
    ------
    RecipeError
        The goal is about something else.
    """
    for place in places(recipe, index):
        recipe = _aimed(recipe, place, goal)
    return recipe


def _aimed(recipe: Recipe, place: int, goal: Goal) -> Recipe:
    combination = recipe.combinations[place]
    if goal.kind == "largest-risk":
        own = combination if combination.has_risk else Combination(combination.variables)
        return with_individual_threshold(_with_combination(recipe, place, own), place, goal.limit)
    if goal.kind == "least-records":
        by_k = combination.model == "k-anonymity"
        own = combination if by_k else Combination(combination.variables, "k-anonymity", missing_rule="category")
        return _with_combination(recipe, place, replace(own, k=math.ceil(goal.limit)))
    raise RecipeError(
        "no-goal-of-plans",
        mark("A plan cannot be searched for by the goal {goal}."),
        mark("Choose a largest risk or a least number of records."),
        goal=goal.kind,
    )


def _with_combination(recipe: Recipe, index: int, own: Combination) -> Recipe:
    both = enumerate(recipe.combinations)
    return recipe.with_(combinations=tuple(own if place == index else each for place, each in both))


def check_judged(recipe: Recipe, index: int | None) -> None:
    """Refuse combinations whose risk is no sum over their own cells and no risk of households; reads no data.

    Raises
    ------
    RecipeError
        Naming the combination and its model; what contradicts itself once all combinations have the same goal.
    """
    check(recipe.with_(output=Output()))
    for place in places(recipe, index):
        _check(recipe.combinations[place])


def _check(combination: Combination) -> None:
    text, hint = "", mark("Aim at a largest risk or a least number of records instead.")
    if combination.judges_margins:
        text = mark("{combination} is judged by the threshold rule: plans cannot be searched for.")
    elif combination.has_risk and combination.estimator in POPULATION_ESTIMATORS:
        text = mark("{combination} is judged by a model of the whole table: plans cannot be searched for.")
        hint = mark("Choose the estimator exact, or preview recodes instead.")
    if text:
        raise RecipeError("no-plans-by-model", text, hint, combination=" x ".join(combination.variables))
