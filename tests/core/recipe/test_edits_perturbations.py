"""Perturbations are added, replaced, moved and taken away; what could not be read is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.base.errors import RecipeError
from core.recipe.edits_checklist import ColumnDecision, decide
from core.recipe.edits_perturbations import (
    move_perturbation,
    replace_perturbation,
    unperturbed,
    variables_changed,
    with_perturbation,
    without_perturbation,
)
from core.recipe.model import ByCode, Perturbation, Recipe
from core.whatif.advice import with_removed


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


def test_a_variable_that_is_left_out_is_perturbed_no_more() -> None:
    both = Perturbation("noise", ("A", "B"), (("share", 0.1), ("within", ("R",))))
    weight = Perturbation("weight-noise", (), (("share", 0.1),))
    recipe = Recipe(perturbations=(both, entry("A"), weight))
    left = (replace(both, variables=("B",)), weight)
    assert unperturbed(recipe, "A").perturbations == left
    assert decide(recipe, ColumnDecision("A", "leave-out")).perturbations == left
    assert decide(recipe, ColumnDecision("A", "perturb")).perturbations == recipe.perturbations
    assert with_removed(recipe, "A").perturbations == left


def test_geography_that_is_decided_on_is_swapped_no_more_and_the_rest_goes_on() -> None:
    swap = Perturbation(
        "record-swapping", ("X",), (("geography", ("R", "TOWN")), ("rate", 0.1), ("similar", (("SIZE",),)))
    )
    recipe = Recipe(perturbations=(swap,))
    assert variables_changed(swap) == ("X", "R", "TOWN")
    assert unperturbed(recipe, "X").perturbations == (replace(swap, variables=()),), "it swaps geography all the same"
    without = tuple((key, ("R",) if key == "geography" else value) for key, value in swap.parameters)
    assert unperturbed(recipe, "TOWN").perturbations == (replace(swap, parameters=without),)
    assert unperturbed(unperturbed(recipe, "TOWN"), "R").perturbations == ()
    assert unperturbed(recipe, "SIZE") == recipe, "it is read and not changed"


def test_tables_and_alphas_of_a_variable_that_is_left_out_go_with_it() -> None:
    tables = Perturbation(
        "synthetic", ("A", "B", "C"), (("kind", "margins"), ("margins", (("A", "B"), ("A",), ("C",))))
    )
    recipe = Recipe(perturbations=(tables,))
    left = (("kind", "margins"), ("margins", (("A",), ("C",))))
    assert unperturbed(recipe, "B").perturbations == (replace(tables, variables=("A", "C"), parameters=left),)
    one = replace(tables, parameters=(("kind", "margins"), ("margins", (("A",),))))
    without = replace(one, variables=("B", "C"), parameters=(("kind", "margins"), ("margins", (("B",),))))
    assert unperturbed(Recipe(perturbations=(one,)), "A").perturbations == (without,), "it has one by itself"
    numbers = Perturbation("synthetic", ("A", "B"), (("alpha", ByCode({"A": 0.5, "B": 0.2})), ("predictors", ("R",))))
    (found,) = unperturbed(Recipe(perturbations=(numbers,)), "B").perturbations
    assert found.parameters == (("alpha", ByCode({"A": 0.5})), ("predictors", ("R",)))
