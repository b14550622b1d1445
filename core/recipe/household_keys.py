"""Household size or type as a key variable: what the safe file tells of a household without saying it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from typing import Literal

from core.recipe.model import Derived, Recipe

Kind = Literal["household-size", "household-type"]
NAMES: dict[Kind, str] = {"household-size": "HHSIZE", "household-type": "HHTYPE"}


def has_household_key(recipe: Recipe, combination: int) -> bool:
    """Whether a derived household size or type is among the key variables of a combination."""
    derived = {spec.name for spec in recipe.derived}
    return not derived.isdisjoint(recipe.combinations[combination].variables)


def with_household_key(recipe: Recipe, combination: int, kind: Kind, taken: Iterable[str]) -> Recipe:
    """The recipe with household size or type as one more key variable of a combination.

    A derived variable of this kind that no combination uses is taken, else a new one is made: risk tables have no
    variable in common.

    Parameters
    ----------
    taken : names of the variables in the file
    """
    used = {name for c in recipe.combinations for name in c.variables}
    spec = next((spec for spec in recipe.derived if spec.kind == kind and spec.name not in used), None)
    derived = recipe.derived
    if spec is None:
        spec = Derived(_free(NAMES[kind], {*taken, *(other.name for other in derived)}), kind)
        derived = (*derived, spec)
    chosen = recipe.combinations[combination]
    table = replace(chosen, variables=(*chosen.variables, spec.name))
    combinations = (*recipe.combinations[:combination], table, *recipe.combinations[combination + 1 :])
    return recipe.with_(derived=derived, combinations=combinations)


def _free(name: str, taken: set[str]) -> str:
    return next(found for number in count(1) if (found := name if number == 1 else f"{name}{number}") not in taken)
