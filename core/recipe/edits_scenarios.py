"""Other scenarios in a recipe, and what becomes of the measures that name them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from .declared import SCENARIO, declaration_of
from .model import Measure, Recipe, Scenario


def with_scenarios(recipe: Recipe, scenarios: tuple[Scenario, ...], renamed: Mapping[str, str]) -> Recipe:
    """`recipe` with these scenarios; measures follow a name, and one goes with the last scenario that it has.

    Parameters
    ----------
    renamed : old name -> new name, of scenarios that are called otherwise now
    """
    known = {scenario.name for scenario in scenarios}
    gone = {scenario.name for scenario in recipe.scenarios} - (known - set(renamed.values())) - set(renamed)

    def new(name: str) -> str:
        return "" if name in gone else renamed.get(name, name)

    found = (_with_names(measure, new) for measure in recipe.measures)
    return recipe.with_(scenarios=scenarios, measures=tuple(each for each in found if each is not None))


def with_proposed(recipe: Recipe, name: str, variables: tuple[str, ...]) -> Recipe:
    """`recipe` with a scenario of these key variables: new, or another set in the one of that name.

    A scenario that has this set of variables already stays as it is, whatever it is called.
    """
    if any(set(scenario.variables) == set(variables) for scenario in recipe.scenarios):
        return recipe
    there = {scenario.name: scenario for scenario in recipe.scenarios}
    there[name] = replace(there.get(name, Scenario(name, ())), variables=variables)
    return recipe.with_(scenarios=tuple(there.values()))


def _with_names(measure: Measure, new: Callable[[str], str]) -> Measure | None:
    declaration = declaration_of("measures", measure)
    if declaration is None:
        return measure
    types = {parameter.name: parameter.type for parameter in declaration.parameters}
    changed = replace(measure, parameters=tuple(_renamed(measure, types, new)))
    return changed if changed == measure or declaration.is_complete(changed) else None


def _renamed(measure: Measure, types: Mapping[str, str], new: Callable[[str], str]) -> Iterator[tuple[str, Any]]:
    for key, value in measure.parameters:
        if key == SCENARIO.name:
            changed: Any = new(value)
        elif types.get(key) == "scenarios":
            changed = tuple(name for old in value if (name := new(old)))
        else:
            yield key, value
            continue
        if changed:
            yield key, changed
