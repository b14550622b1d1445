"""What changed between two recipes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from core.recipe.changes import Changes, changes
from core.recipe.model import (
    Accepted,
    Analysis,
    Combination,
    HouseholdKey,
    Input,
    Measure,
    NumericEdit,
    Output,
    Perturbation,
    ProfileFile,
    Recipe,
    Recode,
    Report,
    Scenario,
    Suppression,
    Target,
    Threshold,
    VariableEdit,
)
from tests.core.recipe.strategies import recipes

BASE = Recipe(combinations=(Combination(("A", "B")),))

EDITS = [
    ("input", {"input": Input(data=Path("/d"))}),
    ("metadata", {"variables": (VariableEdit("A", label="x"),)}),
    ("metadata", {"derived": (HouseholdKey("H", "household-size"),)}),
    ("combinations", {"combinations": ()}),
    ("recodes", {"recodes": (Recode("A", truncate=1),)}),
    ("numeric", {"numeric": (NumericEdit("A"),)}),
    ("perturbations", {"perturbations": (Perturbation("pram"),)}),
    ("scenarios", {"scenarios": (Scenario("Register", ("A",)),)}),
    ("threshold", {"threshold": Threshold(individual_risk=0.1)}),
    ("threshold", {"combinations": (Combination(("A", "B"), threshold=Threshold(individual_risk=0.1)),)}),
    ("suppression", {"suppression": Suppression(criterion="none")}),
    ("measures", {"measures": (Measure("suda", ("A",)),)}),
    ("profile", {"profile": ProfileFile(Path("/p.toml"))}),
    ("target", {"target": Target("in-house")}),
    ("target", {"accepted": (Accepted("useful"),)}),
    ("utility", {"utility": (Analysis(table=("A",)),)}),
    ("report", {"report": Report(title="T")}),
    ("output", {"output": Output(shuffle=True)}),
]


@pytest.mark.parametrize(("part", "edit"), EDITS)
def test_an_edit_sets_its_own_flag_and_no_other(part: str, edit: dict[str, object]) -> None:
    assert changes(BASE, replace(BASE, **edit)) == Changes(**{part: True})


@given(recipes, recipes)
def test_nothing_changed_exactly_where_recipes_are_equal(one: Recipe, two: Recipe) -> None:
    assert not changes(one, one)
    assert bool(changes(one, two)) == (one != two)


def test_all_is_every_flag_and_means_new_tables() -> None:
    assert all(vars(Changes.all()).values())
    assert Changes.all().tables
    assert not Changes(threshold=True, output=True).tables
