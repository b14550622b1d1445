"""Household size is offered as a key variable where no key variable tells it, whatever a variable is called."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest

from core.recipe.model import Combination, HouseholdKey, Input, Output, Recipe, Recode, Threshold, VariableEdit
from core.session import Session
from core.warnings.unassessed import lacks_household_key


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    """Persons with the number of members, one off now and then, and that number in three classes."""
    rng = random.Random(7)
    rows = []
    for home in range(300):
        size = rng.choice([1, 2, 2, 3, 4, 5])
        said = size + (rng.random() < 0.03)
        kind = "a" if size == 1 else "b" if size < 4 else "c"
        rows += [[home, rng.choice("123"), rng.choice("12"), said, kind] for _ in range(size)]
    with (tmp_path / "d.csv").open("w", newline="") as out:
        csv.writer(out).writerows([["HH", "REG", "SEX", "PERSONS", "KIND"], *rows])
    return Recipe(
        input=Input(data=tmp_path / "d.csv"),
        variables=(VariableEdit("HH", role="household-id"),),
        combinations=(Combination(("REG", "SEX")),),
        threshold=Threshold(household_risk=0.2),
    )


def lacks(recipe: Recipe, *more: str) -> bool:
    table = Combination(("REG", "SEX", *more))
    return lacks_household_key(Session().derive(recipe.with_(combinations=(table,))), 0)


def test_a_size_or_type_of_the_file_is_a_household_key(recipe: Recipe) -> None:
    assert lacks(recipe)
    assert not lacks(recipe, "PERSONS")
    assert not lacks(recipe, "KIND")
    coarse = recipe.with_(recodes=(Recode("PERSONS", scheme="1: 1-3\n2: 4-"),))
    assert not lacks(coarse, "PERSONS")


def test_a_derived_one_is_and_who_cannot_be_counted_needs_none(recipe: Recipe) -> None:
    derived = recipe.with_(derived=(HouseholdKey("SIZE", "household-size"),))
    assert lacks(derived) and not lacks(derived, "SIZE")
    apart = recipe.with_(output=Output(household_id="remove", shuffle=True, keep_households_together=False))
    assert not lacks(apart)
