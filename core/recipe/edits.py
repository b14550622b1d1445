"""Edits of a recipe that more than one window makes, and what a recipe means where it leaves things unsaid."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import count
from typing import Any, Literal

from .model import Combination, Estimator, HouseholdKey, MultiResponseKey, Recipe, Threshold

_INDIVIDUAL = ("individual_risk", "reidentification_rate", "unsafe_records")
_HOUSEHOLD = ("household_risk", "household_rate", "unsafe_households")


def risk_combinations(recipe: Recipe) -> tuple[int, ...]:
    """Indices of the combinations judged by individual risk."""
    return tuple(i for i, c in enumerate(recipe.combinations) if c.has_risk)


def with_individual_threshold(recipe: Recipe, combination: int, risk: float) -> Recipe:
    """The recipe with an individual-risk threshold for one combination, in place of whatever fixed it before.

    It is written as the default where this is the only risk table and has none of its own, else with the table. A
    household threshold that stands at the same place stays: a released record must then meet both.
    """
    return _with_number(recipe, combination, _INDIVIDUAL, risk)


def with_household_threshold(recipe: Recipe, combination: int, risk: float) -> Recipe:
    """The recipe with a household threshold for one combination, in place of whatever fixed it before.

    It stands where `with_individual_threshold` writes; an individual threshold that stands there stays, but its
    promise does not: that judges records by themselves.
    """
    return _with_number(with_exceedance(recipe, combination, None), combination, _HOUSEHOLD, risk)


def with_estimator(recipe: Recipe, combination: int, estimator: Estimator) -> Recipe:
    """The recipe with one combination's risks by another estimator; one that is not calibrated keeps no promise."""
    if estimator != "calibrated":
        recipe = with_exceedance(recipe, combination, None)
    table = replace(recipe.combinations[combination], estimator=estimator)
    combinations = (*recipe.combinations[:combination], table, *recipe.combinations[combination + 1 :])
    return recipe.with_(combinations=combinations)


def with_exceedance(recipe: Recipe, combination: int, exceedance: float | None, risk: float | None = None) -> Recipe:
    """The recipe with one combination judged by the promise, or (None) by the risk again.

    Parameters
    ----------
    risk : the individual-risk threshold that stands from then on; None: as the recipe says it
    """
    table = recipe.combinations[combination]
    asked = table.threshold or recipe.threshold
    if exceedance is None and asked.exceedance is None:
        return recipe
    linked: dict[str, Any] = {} if risk is None else dict.fromkeys(_INDIVIDUAL) | {"individual_risk": risk}
    new = replace(asked, exceedance=exceedance, **linked)
    if exceedance is None and not table.threshold and risk_combinations(recipe) == (combination,):
        return recipe.with_(threshold=new)
    # With the table, so that no other one comes to need its estimator.
    combinations = list(recipe.combinations)
    combinations[combination] = replace(table, threshold=new)
    return recipe.with_(combinations=tuple(combinations))


def has_individual_threshold(recipe: Recipe, combination: int) -> bool:
    """Whether the recipe fixes this table's individual-risk threshold, by any of its linked numbers."""
    return _has_number(recipe, combination, _INDIVIDUAL)


def has_household_threshold(recipe: Recipe, combination: int) -> bool:
    """Whether the recipe fixes this table's household threshold, by any of its linked numbers."""
    return _has_number(recipe, combination, _HOUSEHOLD)


def is_judged(recipe: Recipe, variable: str) -> bool:
    """Whether the recipe says, for any combination with the variable, from when on a record is unsafe."""
    return any(
        not combination.has_risk or has_individual_threshold(recipe, index) or has_household_threshold(recipe, index)
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


Kind = Literal["household-size", "household-type"]
NAMES: dict[Kind, str] = {"household-size": "HHSIZE", "household-type": "HHTYPE"}


def has_household_key(recipe: Recipe, combination: int) -> bool:
    """Whether a derived household size or type is among the key variables of a combination."""
    derived = {spec.name for spec in recipe.household_keys}
    return not derived.isdisjoint(recipe.combinations[combination].variables)


def with_household_key(
    recipe: Recipe, combination: int, kind: Kind, taken: Iterable[str], members: tuple[str, ...] = ()
) -> Recipe:
    """The recipe with household size or type as one more key variable of a combination.

    A derived variable of this kind that no combination uses is taken, else a new one is made: risk tables have no
    variable in common.

    Parameters
    ----------
    taken : names of the variables in the file
    members : of a type, the variables by which it is told; none: the size in classes
    """
    used = {name for c in recipe.combinations for name in c.variables}
    spec = household_key(recipe.derived, kind, taken, used, members)
    derived = recipe.derived if spec in recipe.derived else (*recipe.derived, spec)
    chosen = recipe.combinations[combination]
    table = replace(chosen, variables=(*chosen.variables, spec.name))
    combinations = (*recipe.combinations[:combination], table, *recipe.combinations[combination + 1 :])
    return recipe.with_(derived=derived, combinations=combinations)


def household_key(
    derived: Iterable[HouseholdKey | MultiResponseKey], kind: Kind, taken: Iterable[str], used: Collection[str] = (),
    members: tuple[str, ...] = (),
) -> HouseholdKey:  # fmt: skip
    """Household size or type as it is derived already under a name that is not `used`, else under a new name.

    Parameters
    ----------
    taken : names of the variables in the file
    """
    there = tuple(derived)
    own = (spec for spec in there if isinstance(spec, HouseholdKey) and spec.name not in used)
    found = next((spec for spec in own if (spec.kind, spec.members) == (kind, members)), None)
    return found or HouseholdKey(_free(NAMES[kind], {*taken, *(spec.name for spec in there)}), kind, members)


def _free(name: str, taken: set[str]) -> str:
    return next(found for number in count(1) if (found := name if number == 1 else f"{name}{number}") not in taken)


def risk_tables(recipe: Recipe) -> tuple[int, ...]:
    """Indices of the combinations judged by individual risk."""
    return tuple(i for i, c in enumerate(recipe.combinations) if c.has_risk)


def searches_jointly(recipe: Recipe) -> bool:
    """Whether suppression is searched for over the whole file: by released keys, or for k-anonymity."""
    if any(c.judges_whole_file for c in recipe.combinations):
        return recipe.suppression.criterion != "none"
    released = recipe.suppression.mode == "released-keys" and bool(risk_tables(recipe))
    return released and recipe.suppression.criterion != "none"


def effective_threshold(recipe: Recipe, combination: Combination) -> Threshold:
    """The combination's own threshold, else the recipe's; empty for models without a risk."""
    if not combination.has_risk:
        return Threshold()
    return combination.threshold or recipe.threshold
