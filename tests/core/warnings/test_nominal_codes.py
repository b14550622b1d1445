"""Codes without order that a recipe takes for numbers."""

from __future__ import annotations

from pathlib import Path

from core.recipe.model import Combination, Input, NumericEdit, Perturbation, Recipe, Recode, TopBottomCode, VariableEdit
from core.session import Session

IDS = ("codes-as-numbers", "truncated-numbering")


def said(folder: Path, recipe: Recipe, **ordered: bool) -> list[tuple[str, str]]:
    path = folder / "people.csv"
    lines = [f"{n % 40 + 1},{n % 50},{n % 40 + 100},{n % 2}" for n in range(400)]
    path.write_text("\n".join(("CITIZENSHIP,AGE,INCOME,SEX", *lines)) + "\n", encoding="utf-8")
    edits = [VariableEdit("INCOME", numeric=True), VariableEdit("CITIZENSHIP", numeric=not recipe.recodes, **ordered)]
    if recipe.recodes:
        edits[1:] = [VariableEdit(name, categorical=True) for name in ("CITIZENSHIP", "AGE", "SEX")]
    derived = Session().derive(recipe.with_(input=Input(data=path), variables=tuple(edits)))
    return [(notice.id, notice.where) for notice in derived.notices if notice.id in IDS]


def test_top_coding_and_means_of_countries_are_warned_of(tmp_path: Path) -> None:
    cut = TopBottomCode(30, "30")
    recipe = Recipe(numeric=(NumericEdit("CITIZENSHIP", top=cut), NumericEdit("INCOME", top=TopBottomCode(130, "130"))))
    assert said(tmp_path, recipe) == [("codes-as-numbers", "CITIZENSHIP")]
    assert not said(tmp_path, recipe, ordered=True)
    both = Recipe(perturbations=(Perturbation("microaggregation", ("CITIZENSHIP", "INCOME")),))
    assert said(tmp_path, both) == [("codes-as-numbers", "CITIZENSHIP")]


def test_truncated_numbers_of_a_list_are_warned_of_and_ages_are_not(tmp_path: Path) -> None:
    keys = (Combination(("CITIZENSHIP", "AGE", "SEX"), model="k-anonymity", k=2),)
    recipe = Recipe(combinations=keys, recodes=(Recode("CITIZENSHIP", truncate=1), Recode("AGE", truncate=1)))
    assert said(tmp_path, recipe) == [("truncated-numbering", "CITIZENSHIP")]
