"""Scenarios: what an intruder could know, as the key variables of measures."""

from __future__ import annotations

from dataclasses import replace

from ..base.errors import RecipeError
from ..base.texts import mark
from .declared import SCENARIO, declaration_of
from .model import Measure, Recipe


def taken_measures(recipe: Recipe) -> tuple[Measure, ...]:
    """The measures of the recipe as `taken_measure` has them."""
    return tuple(taken_measure(recipe, measure) for measure in recipe.measures)


def taken_measure(recipe: Recipe, measure: Measure) -> Measure:
    """A measure with all variables that it is taken on: those of its scenarios, and of its sets.

    What names an unknown scenario has none of it; `check_scenarios` refuses that.
    """
    known = {scenario.name: scenario.variables for scenario in recipe.scenarios}
    declaration, said = declaration_of("measures", measure), dict(measure.parameters)
    names = measure.variables or known.get(said.get(SCENARIO.name, ""), ())
    for parameter in declaration.parameters if declaration else ():
        if parameter.type == "scenarios" and parameter.name in said:
            # the sets of what a measure says by scenarios stand in its parameter `sets`
            said["sets"] = tuple(known.get(name, ()) for name in said[parameter.name])
    if declaration is not None and any(parameter.type == "sets" for parameter in declaration.parameters):
        names = tuple(dict.fromkeys((*names, *(name for each in said.get("sets", ()) for name in each))))
    if names == measure.variables:
        return measure
    return replace(measure, variables=names, parameters=tuple(sorted(said.items())))


def check_scenarios(recipe: Recipe) -> None:
    """Refuse two scenarios of one name, and measures that name none of them.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    seen: set[str] = set()
    for number, scenario in enumerate(recipe.scenarios, 1):
        if scenario.name in seen:
            raise RecipeError(
                "recipe-contradiction",
                mark("{key}: there are two scenarios called {name}."),
                mark("Give each a name of its own."),
                key=f"scenarios[{number}].name",
                name=scenario.name,
            )
        seen.add(scenario.name)
    for number, measure in enumerate(recipe.measures, 1):
        for key, name in scenarios_of(measure):
            if name not in seen:
                raise RecipeError(
                    "scenario-unknown",
                    mark("{key}: there is no scenario {name}; there are {known}."),
                    mark("Name one of them, or write it into [[scenarios]]."),
                    key=f"measures[{number}].{key}",
                    name=name,
                    known=", ".join(sorted(seen)) or mark("none"),
                )


def scenarios_of(measure: Measure) -> list[tuple[str, str]]:
    """(key, name) of the scenarios that a measure names."""
    declaration, said = declaration_of("measures", measure), dict(measure.parameters)
    found = [(SCENARIO.name, said[SCENARIO.name])] if SCENARIO.name in said else []
    for parameter in declaration.parameters if declaration else ():
        if parameter.type == "scenarios":
            found += [(parameter.name, name) for name in said.get(parameter.name, ())]
    return found
