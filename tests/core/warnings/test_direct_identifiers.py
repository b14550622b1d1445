"""Released variables that look like direct identifiers."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.recipe.model import Combination, Input, Output, Recipe, Suppression, VariableEdit
from core.session import Session

FIRST = ("Anna", "Bert", "Carla", "Dirk", "Els", "Frank", "Greta")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rows = [f"{FIRST[i % 7]} Person{i},{1 + i},{i % 2},{20 + i * 7 % 60},{1000 + i * 37 % 900}" for i in range(200)]
    path = tmp_path / "people.csv"
    path.write_text("NAME,PERSNR,SEX,AGE,INCOME\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def said(recipe: Recipe) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for notice in Session().protect(recipe).notices:
        found.setdefault(notice.id, []).append(notice.text)
    return found


def recipe_of(data: Path, *variables: VariableEdit) -> Recipe:
    return Recipe(
        input=Input(data=data),
        variables=variables,
        combinations=(Combination(("SEX",), model="frequency"),),
        suppression=Suppression("none"),
        output=Output(data=data.parent / "safe.csv"),
    )


def test_names_and_numbers_of_persons_are_warned_of_and_amounts_are_not(data: Path) -> None:
    warnings = said(recipe_of(data))["released-identifier"]
    assert [text.split()[0] for text in warnings] == ["NAME", "PERSNR"]
    assert "200 different" in warnings[0]
    assert "Declare it a direct identifier" in warnings[0]


def test_declared_and_removed_ones_are_not_released_and_so_not_warned_of(data: Path) -> None:
    edits = (VariableEdit("NAME", role="direct-identifier"), VariableEdit("PERSNR", removed=True))
    assert "released-identifier" not in said(recipe_of(data, *edits))


def test_without_combinations_the_plan_says_that_nothing_is_protected(data: Path) -> None:
    recipe = recipe_of(data)
    assert "no-combinations" not in said(recipe)
    bare = said(recipe.with_(combinations=()))
    assert "not protected" in bare["no-combinations"][0]
    assert len(bare["released-identifier"]) == 2


def test_free_text_is_warned_of_unless_it_is_left_out(tmp_path: Path) -> None:
    rows = [f"{i % 2},{'only dentist in village ' + str(i) if i % 30 == 0 else 'nothing to add'}" for i in range(600)]
    path = tmp_path / "people.csv"
    path.write_text("SEX,REMARKS\n" + "\n".join(rows) + "\n", encoding="utf-8")
    (text,) = said(recipe_of(path))["released-free-text"]
    assert text == (
        "REMARKS is written to the safe file unchanged and looks like free text: what people wrote may tell who they "
        "are. In the first 600 records: It holds 21 different texts in 600 records, 20 of them in one record only. "
        "Leave it out in Specify Metadata, or recode it."
    )
    assert "released-free-text" not in said(recipe_of(path, VariableEdit("REMARKS", removed=True)))


def test_the_demonstration_file_has_no_direct_identifier(shared: Path) -> None:
    folder = shared / "data" / "demodata"
    recipe = recipe_of(folder / "Demodata.asc").with_(
        input=Input(folder / "Demodata.asc", folder / "Demodata.rda"), output=Output()
    )
    assert not said(recipe).keys() & {"released-identifier", "released-free-text"}


def test_a_number_that_may_be_of_a_person_is_to_be_checked(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    rows = (f"{i % 2},{100001 + 7919 * i % 899999}" for i in range(600))
    path.write_text("SEX,Q7\n" + "\n".join(rows) + "\n", encoding="utf-8")
    (text,) = said(recipe_of(path))["released-identifier"]
    assert text.startswith("Q7 is written to the safe file. In the first 600 records: Nearly every record")
    assert "Check whether this is a number of a person; if it is, declare it" in text


def test_numbers_of_persons_are_not_told_because_reports_leave_the_house(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("SEX,Q7\n" + "".join(f"{i % 2},{71000001 + i}\n" for i in range(600)), encoding="utf-8")
    (text,) = said(recipe_of(path))["released-identifier"]
    assert "In the first 600 records: Every record has a number of its own, without gaps. Declare it" in text
    assert "71000" not in text
