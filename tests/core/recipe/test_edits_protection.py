"""Choices of making a protected file: a draft beside the recipe, and where outputs are proposed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.recipe import available
from core.recipe.edits_protection import (
    Protecting,
    offered_criteria,
    preferred_mode,
    proposed,
    with_suppression_weights,
)
from core.recipe.model import Combination, Input, Output, Recipe, Suppression, Threshold, VariableEdit

HOME = Path("/home/me")
RECIPE = Recipe(
    input=Input(data=HOME / "survey.asc"),
    variables=(VariableEdit("REGION", label="Region", suppression_weight=70), VariableEdit("SEX", label="Sex")),
)


def test_choices_taken_and_put_back_change_nothing() -> None:
    assert Protecting.of(RECIPE).on(RECIPE) == RECIPE


def test_weights_become_edits_of_variables_and_keep_what_else_is_said_of_them() -> None:
    changed = with_suppression_weights(RECIPE, {"SEX": 5, "AGE": 100})
    assert changed.variables == (
        RECIPE.variables[0],
        VariableEdit("SEX", label="Sex", suppression_weight=5),
        VariableEdit("AGE", suppression_weight=100),
    )


def test_a_weight_put_back_is_no_change() -> None:
    choices = Protecting.of(RECIPE).with_weight("SEX", 5, 50).with_weight("AGE", 20, 60)
    assert choices.weights == (("AGE", 20), ("SEX", 5))
    assert choices.with_weight("SEX", 50, 50).with_weight("AGE", 60, 60) == Protecting.of(RECIPE)


def test_a_safe_file_is_proposed_in_the_folder_with_metadata_report_and_summary() -> None:
    output = proposed(RECIPE, Path("/documents")).output
    assert output == Output(
        data=Path("/documents/survey_safe.asc"),
        metadata=Path("/documents/survey_safe.rds"),
        report=Path("/documents/survey_safe.html"),
        summary=Path("/documents/survey_safe.json"),
    )


def test_a_format_that_is_only_read_is_written_in_the_nearest() -> None:
    assert proposed(Recipe(input=Input(data=HOME / "a.SAS7BDAT")), HOME).output.data == HOME / "a_safe.xpt"


def test_what_the_recipe_names_is_not_proposed_otherwise() -> None:
    said = RECIPE.with_(output=Output(data=HOME / "s.saf"), suppression=Suppression("none"))
    assert proposed(said, Path("/documents")) == Protecting.of(said)
    report = Path("/elsewhere/report.html")
    assert proposed(RECIPE.with_(output=Output(report=report)), HOME).output.report == report


def test_files_beside_the_safe_file_follow_it() -> None:
    output = Output(
        data=HOME / "a.saf",
        metadata=HOME / "a.rds",
        summary=HOME / "summary.json",
        report=Path("/elsewhere/a.html"),
    )
    moved = Protecting(Suppression(), output).with_data(Path("/new/b.saf")).output
    assert moved == Output(
        data=Path("/new/b.saf"),
        metadata=Path("/new/b.rds"),
        summary=Path("/new/summary.json"),
        report=Path("/elsewhere/a.html"),
    )


def test_a_path_typed_letter_by_letter_loses_none_of_the_files_beside_it() -> None:
    choices = proposed(RECIPE, HOME)
    beside = choices.output
    for text in ("/", "/n", "", "/new/b.saf"):
        choices = choices.with_data(Path(text) if text else None, beside)
    assert choices.output == Output(
        data=Path("/new/b.saf"),
        metadata=Path("/new/b.rds"),
        report=Path("/new/b.html"),
        summary=Path("/new/b.json"),
    )


def test_files_beside_the_safe_file_are_chosen_one_by_one() -> None:
    choices = Protecting(Suppression(), Output(data=HOME / "a.saf")).with_companion("records", True)
    assert choices.output.records == HOME / "a_records.csv"
    assert choices.with_companion("records", False).output == Output(data=HOME / "a.saf")


def test_only_what_this_version_carries_out_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    risk = Recipe(combinations=(Combination(("A",)),))

    def missing(recipe: Recipe) -> Iterator[str]:
        if recipe.suppression.criterion == "weights":
            yield "this"

    assert offered_criteria(risk) == ("entropy", "weights", "none")
    monkeypatch.setattr(available, "_missing", missing)
    assert offered_criteria(risk) == ("entropy", "none")


def test_what_can_be_suppressed_by_now_is_offered() -> None:
    assert offered_criteria(Recipe(combinations=(Combination(("A",)),))) == ("entropy", "weights", "none")


def test_released_keys_are_proposed_where_they_can_judge_all_tables() -> None:
    risk, other = Combination(("A", "B")), Combination(("C",), model="frequency")
    sharing = Combination(("B", "C"), model="frequency")
    wildcard = Combination(("A", "B"), missing_rule="wildcard")
    assert preferred_mode(Recipe()) == "original-counts"
    assert preferred_mode(Recipe(combinations=(other,))) == "original-counts"
    assert preferred_mode(Recipe(combinations=(risk, other))) == "released-keys"
    assert preferred_mode(Recipe(combinations=(risk, sharing))) == "original-counts"
    assert preferred_mode(Recipe(combinations=(wildcard,))) == "original-counts"
    by_records, by_households = Threshold(individual_risk=0.1), Threshold(household_risk=0.1)
    assert preferred_mode(Recipe(combinations=(risk,), threshold=by_records)) == "released-keys"
    assert preferred_mode(Recipe(combinations=(risk,), threshold=by_households)) == "original-counts"
