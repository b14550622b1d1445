"""Household size and type put among the key variables of a combination."""

from __future__ import annotations

from core.recipe.edits import has_household_key, with_household_key
from core.recipe.model import Combination, HouseholdKey, Recipe


def recipe(*tables: tuple[str, ...], derived: tuple[HouseholdKey, ...] = ()) -> Recipe:
    return Recipe().with_(combinations=tuple(Combination(names) for names in tables), derived=derived)


def test_a_new_variable_with_a_free_name_joins_the_combination() -> None:
    found = with_household_key(recipe(("A",), ("B",)), 1, "household-size", ["A", "B", "HHSIZE"])
    assert found.derived == (HouseholdKey("HHSIZE2", "household-size"),)
    assert [c.variables for c in found.combinations] == [("A",), ("B", "HHSIZE2")]
    assert [has_household_key(found, i) for i in range(2)] == [False, True]


def test_a_derived_variable_is_taken_unless_another_combination_has_it() -> None:
    there = HouseholdKey("N", "household-size")
    found = with_household_key(recipe(("A",), derived=(there,)), 0, "household-size", ["A"])
    assert found.derived == (there,) and found.combinations[0].variables == ("A", "N")
    found = with_household_key(recipe(("A",), ("B", "N"), derived=(there,)), 0, "household-size", ["A", "B"])
    assert found.derived == (there, HouseholdKey("HHSIZE", "household-size"))
    found = with_household_key(recipe(("A",), derived=(there,)), 0, "household-type", ["A"])
    assert found.combinations[0].variables == ("A", "HHTYPE")
