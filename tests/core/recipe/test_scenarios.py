"""Scenarios in a recipe: what is read, what is refused, and what becomes of them when variables change."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.base.errors import RecipeError
from core.data.variables import Metadata, Variable
from core.recipe.edits_metadata import Variables, follow, without_key
from core.recipe.model import HouseholdKey, Measure, Recipe, Scenario
from core.recipe.scenarios import taken_measures
from core.recipe.toml import dumps, parse
from core.recipe.validate import check
from core.results.checks import check_variables
from core.results.needed_columns import needed_columns

S = "[[scenarios]]\nname = 'Register'\nvariables = ['A', 'B']\n"
M = "[[measures]]\nkind = 'k-anonymity'\nscenario = 'Register'\n"

REFUSED = [
    ("[[scenarios]]\nvariables = ['A']\n", "scenarios[1].name"),
    ("[[scenarios]]\nname = ' '\nvariables = ['A']\n", "scenarios[1].name"),
    ("[[scenarios]]\nname = 'Register'\n", "scenarios[1].variables"),
    (S + "variable = 'A'\n", "scenarios[1].variable"),
    (S + "year = 20.5\n", "scenarios[1].year"),
    (S + S, "scenarios[2].name"),
    (M, "measures[1].scenario"),
    (S + M + "variables = ['A']\n", "measures[1]"),
    (S + "[[measures]]\nkind = 'key-sets'\nscenarios = ['Registry']\n", "measures[1].scenarios"),
    (S + "[[measures]]\nkind = 'key-sets'\nscenarios = ['Register']\nsets = [['A']]\n", "measures[1]"),
    (S + "[[measures]]\nkind = 'key-sets'\n", "measures[1].variables"),
]


@pytest.mark.parametrize(("text", "key"), REFUSED)
def test_what_cannot_be_is_refused_by_its_key(text: str, key: str) -> None:
    with pytest.raises(RecipeError) as caught:
        check(parse(f"recipe = 1\n{text}", Path.cwd()))
    assert caught.value.values["key"] == key


def test_a_measure_is_taken_on_the_variables_of_its_scenario() -> None:
    text = (
        f"recipe = 1\n{S}year = 2024\n{M}[[measures]]\nkind = 'key-sets'\nscenarios = ['Register']\n"
        "[[measures]]\nkind = 'key-sets'\nsets = [['C'], ['C', 'D']]\n"
    )
    recipe = parse(text, Path.cwd())
    check(recipe)
    assert recipe.scenarios == (Scenario("Register", ("A", "B"), year="2024"),)
    assert parse(dumps(recipe, Path.cwd()), Path.cwd()) == recipe
    taken = taken_measures(recipe)
    assert [measure.variables for measure in taken] == [("A", "B"), ("A", "B"), ("C", "D")]
    assert dict(taken[1].parameters)["sets"] == (("A", "B"),)
    assert taken_measures(recipe.with_(measures=taken)) == taken
    metadata = Metadata("delimited", tuple(Variable(name, categorical=True) for name in "ABCDE"))
    assert needed_columns(recipe, metadata, "keys") == ("A", "B", "C", "D")


def test_a_scenario_may_know_of_what_is_not_released_but_of_nothing_else() -> None:
    metadata = Metadata("delimited", (Variable("A", categorical=True), Variable("NAME", role="direct-identifier")))
    recipe = Recipe(scenarios=(Scenario("Register", ("A", "NAME", "HHSIZE")),))
    with pytest.raises(RecipeError) as caught:
        check_variables(recipe, metadata)
    assert caught.value.values["key"] == "scenarios[1].variables"
    check_variables(recipe.with_(scenarios=(Scenario("Register", ("A", "NAME")),)), metadata)
    measured = recipe.with_(
        scenarios=(Scenario("Register", ("A", "NAME")),), measures=(Measure("suda", (), (("scenario", "Register"),)),)
    )
    with pytest.raises(RecipeError) as caught:
        check_variables(measured, metadata)
    assert caught.value.values["key"] == "measures[1].variables"


def test_new_names_and_lost_variables() -> None:
    of_it, of_them = ("scenario", "Register"), ("sets", (("A", "B"), ("B",), ("A",)))
    recipe = Recipe(
        scenarios=(Scenario("Register", ("A", "B")), Scenario("Shop", ("B",))),
        measures=(
            Measure("suda", (), (of_it,)),
            Measure("suda", (), (("scenario", "Shop"),)),
            Measure("key-sets", (), (of_them,)),
        ),
    )
    new, said = follow(recipe, Variables({"A": "X", "B": "Y"}, ("X", "Y"), ("X", "Y")))
    assert not said
    assert [scenario.variables for scenario in new.scenarios] == [("X", "Y"), ("Y",)]
    assert dict(new.measures[2].parameters)["sets"] == (("X", "Y"), ("Y",), ("X",))
    new, said = follow(recipe, Variables({"B": ""}, ("A",), ("A",)))
    assert new.scenarios == (Scenario("Register", ("A",)),)
    assert new.measures == (Measure("suda", (), (of_it,)), Measure("key-sets", (), (("sets", (("A",),)),)))
    assert [notice.text for notice in said][:2] == [
        "The scenario Register goes on without B.",
        "The scenario Shop is removed.",
    ]


def test_a_derived_key_that_goes_leaves_the_scenario() -> None:
    recipe = Recipe(
        derived=(HouseholdKey("HHSIZE", "household-size"),), scenarios=(Scenario("Register", ("A", "HHSIZE")),)
    )
    assert without_key(recipe, "HHSIZE").scenarios == (Scenario("Register", ("A",)),)
