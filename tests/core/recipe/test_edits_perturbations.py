"""Perturbations are added, replaced, moved and taken away; what could not be read is refused."""

from __future__ import annotations

import pytest

from core.base.errors import RecipeError
from core.recipe.edits_perturbations import (
    move_perturbation,
    replace_perturbation,
    with_perturbation,
    without_perturbation,
)
from core.recipe.model import Perturbation, Recipe


def entry(name: str, share: float = 0.1) -> Perturbation:
    return Perturbation("noise", (name,), (("share", share),))


def names(recipe: Recipe) -> str:
    return "".join(each.variables[0] for each in recipe.perturbations)


def test_the_order_is_that_of_the_list() -> None:
    recipe = with_perturbation(with_perturbation(Recipe(), entry("A")), entry("B"))
    recipe = with_perturbation(recipe, entry("C"), 0)
    assert names(recipe) == "CAB"
    assert names(move_perturbation(recipe, 0, 2)) == "ABC"
    assert names(move_perturbation(recipe, 2, 0)) == "BCA"
    assert names(without_perturbation(recipe, 1)) == "CB"
    assert names(replace_perturbation(recipe, 1, entry("D"))) == "CDB"
    assert names(recipe) == "CAB"


def test_what_could_not_be_read_is_refused_by_its_place() -> None:
    recipe = with_perturbation(Recipe(), entry("A"))
    for edit, key in (
        (lambda: with_perturbation(recipe, entry("B", 0.0)), "perturbations[2].share"),
        (lambda: replace_perturbation(recipe, 0, Perturbation("noise", ("B",))), "perturbations[1].share"),
        (
            lambda: with_perturbation(recipe, Perturbation("noise", (), (("share", 0.1),)), 0),
            "perturbations[1].variables",
        ),
    ):
        with pytest.raises(RecipeError) as caught:
            edit()
        assert caught.value.values["key"] == key
