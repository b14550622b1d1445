"""A description held against its file, all at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.metadata.description import load_description
from core.metadata.examine import examine
from core.recipe.model import Input


def test_everything_is_told_and_unchanged_variables_are_not_read_again(demo: Path) -> None:
    description = load_description(Input(demo / "survey.asc", demo / "survey.rda"), ())
    first = examine(description)
    assert first.error is None and first.survey is not None
    assert first.labels["SEX"]["1"] == "Male"
    named = [name for finding in first.findings for name in finding.variables if finding.field == "role"]
    assert named == ["PERSONNO", "INCOME", "ILLNESS"]
    sex = description.metadata.variables[3]
    variables = [replace(v, missing=()) if v == sex else v for v in description.metadata.variables]
    second = examine(description.with_variables(variables), first.survey)
    assert second.survey is not None
    assert second.survey.profiles["AGE"] is first.survey.profiles["AGE"]
    assert [p.id for p in second.problems] == ["no-missing-code"]


def test_gaps_are_told_once(shared: Path) -> None:
    folder = shared / "data" / "demodata"
    found = examine(load_description(Input(folder / "Demodata.asc", folder / "Demodata.rda"), ()))
    assert [p.text for p in found.problems] == [
        "No variable describes the positions 58–66, 72–73; they are never copied to the safe file."
    ]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("A,B\n1,2\n3\n", encoding="utf-8")
    found = examine(load_description(Input(path), ()))
    assert found.survey is None and found.findings == ()
    assert found.error is not None and "line 3" in str(found.error)


def test_contradictions_do_not_stop_the_examination(tmp_path: Path) -> None:
    (tmp_path / "x.asc").write_text("12345\n", encoding="utf-8")
    (tmp_path / "x.rda").write_text("A 1 2\nA 3 1\nB 2 2\n", encoding="utf-8")
    found = examine(load_description(Input(tmp_path / "x.asc", tmp_path / "x.rda"), ()))
    assert [p.id for p in found.problems if p.severity == "error"] == ["duplicate-name", "overlap", "overlap"]
    assert found.survey is not None and list(found.survey.profiles) == ["B"]
