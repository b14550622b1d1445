"""Variables that are declared keys and are in no combination are named wherever warnings stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.batch import main
from core.recipe.model import Combination, Input, Output, Recipe, Suppression, VariableEdit
from core.session import Session

RECIPE = """recipe = 1
[input]
data = "people.csv"
format = "delimited"
[variables.ZIP]
identification_level = 3
[[combinations]]
variables = ["SEX", "AGE"]
model = "frequency"
[output]
data = "safe.csv"
summary = "summary.json"
report = "report.html"
"""
SAID = (
    "ZIP is declared a key but is in no combination: no record was judged by it, no value is suppressed because of it, "
    "and it is written to the safe file all the same. Put it into a combination in Select Combinations, or take the "
    "use Key away in Specify Metadata if it is no key."
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """800 records with 768 codes of ZIP, and six variables of few codes."""
    rows = [f"{i % 2},{20 + i % 5},{1000 + 7 * (i % 768)}" + f",{i % 3}" * 6 for i in range(800)]
    path = tmp_path / "people.csv"
    path.write_text("SEX,AGE,ZIP,A,B,C,D,E,F\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def said(data: Path, *edits: VariableEdit, keys: tuple[str, ...] = ("SEX", "AGE")) -> list[str]:
    recipe = Recipe(
        input=Input(data=data),
        variables=edits,
        combinations=(Combination(keys, model="frequency"),) if keys else (),
        suppression=Suppression("none"),
        output=Output(data=data.parent / "safe.csv"),
    )
    return [notice.text for notice in Session().protect(recipe).notices if notice.id == "keys-not-judged"]


def level(name: str) -> VariableEdit:
    return VariableEdit(name, identification_level=1)


def test_a_key_that_no_combination_has_is_named(data: Path) -> None:
    assert said(data, level("SEX"), level("ZIP")) == [SAID]


@pytest.mark.parametrize(
    "edit",
    [
        VariableEdit("ZIP"),
        VariableEdit("ZIP", identification_level=1, removed=True),
        VariableEdit("ZIP", identification_level=1, role="direct-identifier"),
        VariableEdit("ZIP", identification_level=1, role="household-id", categorical=False),
        VariableEdit("ZIP", identification_level=1, role="weight", categorical=False, numeric=True),
    ],
    ids=["no key", "removed", "direct identifier", "household identifier", "weight"],
)
def test_what_is_no_key_of_the_safe_file_is_not_named(data: Path, edit: VariableEdit) -> None:
    assert said(data, edit) == []


def test_a_key_of_a_combination_is_judged(data: Path) -> None:
    assert said(data, level("ZIP"), keys=("SEX", "ZIP")) == []


def test_without_combinations_another_warning_says_that_nothing_is_judged(data: Path) -> None:
    assert said(data, level("ZIP"), keys=()) == []


def test_five_are_all_named_and_of_more_the_others_are_counted(data: Path) -> None:
    (five,) = said(data, *map(level, "EDCBA"))
    assert five.startswith("A, B, C, D, E are declared keys but are in no combination: no record was judged by them, ")
    (six,) = said(data, *map(level, "FEDCBA"))
    assert six.startswith("A, B, C, D, E and 1 more are declared keys but are in no combination: ")
    assert five.endswith("take the use Key away in Specify Metadata from those that are no keys.")


@pytest.mark.parametrize("variant", ["internal", "external"])
def test_summary_and_report_say_it_the_report_at_its_head_too(data: Path, variant: str) -> None:
    recipe = data.with_name("people.pavo")
    recipe.write_text(RECIPE + f'[report]\nvariant = "{variant}"\n', encoding="utf-8")
    assert main([str(recipe)]) == 0
    summary = json.loads(data.with_name("summary.json").read_text(encoding="utf-8"))
    assert [w["text"] for w in summary["warnings"] if w["id"] == "keys-not-judged"] == [SAID]
    report = data.with_name("report.html").read_text(encoding="utf-8")
    assert report.count(SAID) == 2, "in short, and among the warnings"
