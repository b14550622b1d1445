"""Set-valued keys in a recipe: what is read, what is refused, and what becomes of them when variables change."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.base.errors import RecipeError
from core.data.variables import Metadata, Variable
from core.recipe.edits_checklist import judged_variables
from core.recipe.edits_metadata import Variables, follow, without_key
from core.recipe.model import Combination, HouseholdKey, Measure, MultiResponseKey, Recipe, Recode
from core.recipe.set_keys import columns_of, with_set_key
from core.recipe.toml import parse
from core.recipe.validate import check
from core.results.checks import check_variables

S = "[[derived]]\nname = 'S'\nkind = 'set'\n"
AB = S + "set = ['A', 'B']\n"

UNREADABLE = [
    (S, "derived[1].set"),
    (S + "set = ['A']\n", "derived[1].set"),
    (S + "set = ['A', 'A']\n", "derived[1].set"),
    (S + "variable = 'A'\n", "derived[1].separator"),
    (S + "variable = 'A'\nseparator = ''\n", "derived[1].separator"),
    (S + "variable = 'A'\nset = ['A', 'B']\nseparator = ';'\n", "derived[1].set"),
    (AB + "separator = ';'\n", "derived[1].separator"),
    (AB + "members = ['A']\n", "derived[1].members"),
]
CONTRADICTIONS = [
    (AB + AB.replace("'S'", "'T'").replace("'A'", "'C'"), "derived[2].set", "B is a column of S already"),
    (AB + "[[combinations]]\nvariables = ['S', 'B']\n", "combinations[1].variables", "B is a column of the key S"),
    (AB + "[[recodes]]\nvariable = 'S'\ntruncate = 1\n", "recodes[1].variable", "S is a key made of other columns"),
]


@pytest.mark.parametrize(("text", "key"), UNREADABLE)
def test_unreadable(text: str, key: str) -> None:
    with pytest.raises(RecipeError) as error:
        parse("recipe = 1\n" + text, Path.cwd())
    assert error.value.values["key"] == key


@pytest.mark.parametrize(("text", "key", "said"), CONTRADICTIONS)
def test_contradictions(text: str, key: str, said: str) -> None:
    with pytest.raises(RecipeError) as error:
        check(parse("recipe = 1\n" + text, Path.cwd()))
    assert error.value.values["key"] == key
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("changed", "id"),
    [
        (Variable("B", numeric=True, categorical=False), "variable-not-categorical"),
        (Variable("B", categorical=True, removed=True), "variable-removed"),
        (Variable("B", categorical=True, household=True), "set-of-household-and-person"),
        (Variable("B", categorical=True, related="C"), "set-column-related"),
        (Variable("D", categorical=True), "variable-unknown"),
    ],
)
def test_columns_that_make_no_key(changed: Variable, id: str) -> None:
    others = (Variable("A", categorical=True), Variable("C", categorical=True))
    recipe = Recipe(derived=(MultiResponseKey("S", ("A", "B")),))
    with pytest.raises(RecipeError) as error:
        check_variables(recipe, Metadata("delimited", (*others, changed)))
    assert error.value.id == id


def test_a_column_that_another_variable_takes_along_makes_no_key() -> None:
    variables = (Variable("A", categorical=True), Variable("B", categorical=True))
    with pytest.raises(RecipeError) as error:
        check_variables(
            Recipe(derived=(MultiResponseKey("S", ("A", "B")),)),
            Metadata("delimited", (*variables, Variable("C", categorical=True, related="A"))),
        )
    assert error.value.id == "set-column-related"


def test_its_columns_stand_for_it() -> None:
    recipe = Recipe(combinations=(Combination(("C", "S")),))
    recipe = with_set_key(recipe, MultiResponseKey("S", ("A", "B")))
    assert columns_of(recipe, ["C", "S", "A"]) == ("C", "A", "B")
    assert judged_variables(recipe) == {"A", "B", "C", "S"}
    assert with_set_key(recipe, MultiResponseKey("S", ("A", "D"))).derived == (MultiResponseKey("S", ("A", "D")),)
    left = without_key(recipe, "S")
    assert (left.derived, [c.variables for c in left.combinations]) == ((), [("C",)])


def test_it_takes_the_place_of_its_columns() -> None:
    tables = Combination(("B", "C", "A")), Combination(("C", "B"), "frequency"), Combination(("D",), "frequency")
    measures = (Measure("k-anonymity", ("S", "D")), Measure("k-anonymity", ("S",)))
    recipe = with_set_key(Recipe(combinations=tables), MultiResponseKey("S", ("A", "B")))
    assert [c.variables for c in recipe.combinations] == [("S", "C"), ("D",)]
    left = without_key(recipe.with_(measures=measures), "S")
    assert [c.variables for c in left.combinations] == [("C",), ("D",)]
    assert left.measures == (Measure("k-anonymity", ("D",)),)


def test_it_follows_its_columns() -> None:
    keys = (
        MultiResponseKey("S", ("A", "B", "C")),
        MultiResponseKey("T", ("D", "E")),
        HouseholdKey("N", "household-size"),
    )
    recipe = Recipe(derived=keys, combinations=(Combination(("S", "T", "N")),), recodes=(Recode("A", truncate=1),))
    names = ["A1", "B", "D"]
    new, said = follow(recipe, Variables({"A": "A1", "C": "", "E": ""}, names, names))
    assert new.derived == (MultiResponseKey("S", ("A1", "B")), keys[2])
    assert new.combinations[0].variables == ("S", "N")
    assert new.recodes[0].variable == "A1"
    assert [notice.id for notice in said] == ["derived-shrinks", "derived-goes", "combination-shrinks"]
