"""The memo of the differences to the last release: what is new, gone and another, with the figures of both runs."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import typst

from core.memo import main, recipe_in, write_memo
from core.recipe.model import Combination, Measure, NumericEdit, Output, Recipe, Recode, Report, Threshold, VariableEdit
from core.recipe.toml import dumps
from core.report.blocks import ReportData, ReportTable, Section, Text
from core.report.memo import MemoSide, memo
from tests.core.report.pdf_text import page_texts

OLD = Recipe(
    variables=(VariableEdit("AGE", suppression_weight=10), VariableEdit("GONE", removed=True)),
    combinations=(Combination(("AGE", "SEX")), Combination(("A", "B"), "k-anonymity", k=3)),
    recodes=(Recode("AGE", scheme="1: 0-9\n2: 10-"), Recode("OCC", truncate=2)),
    threshold=Threshold(individual_risk=0.05),
)
NEW = replace(
    OLD,
    variables=(VariableEdit("AGE", suppression_weight=30), VariableEdit("NEW", sensitive=True)),
    combinations=(Combination(("AGE", "SEX"), estimator="calibrated"), Combination(("A", "B"), "k-anonymity", k=5)),
    recodes=(Recode("AGE", scheme="1: 0-14\n2: 15-"),),
    numeric=(NumericEdit("INCOME", round=10.0),),
    threshold=Threshold(household_risk=0.1),
    measures=(Measure("suda", ("AGE",)),),
    report=Report("Survey 2026"),
)


def summary(**changes: Any) -> dict[str, Any]:
    table = {
        "variables": ["AGE", "SEX"],
        "individual_risk": {"max": 0.2, "expected_reidentifications": 12.0, "rate": 0.012},
        "after": {"by_mode": {"individual_risk": {"max": 0.05}}},
    }
    suppression = {"total": 100, "by_variable": {"AGE": 60, "SEX": 40}, "records_touched": 90}
    warnings = [{"id": "a", "text": "Kept."}, {"id": "b", "text": "Old."}]
    return {"records": 1000, "combinations": [table], "suppression": suppression, "warnings": warnings} | changes


def made(old: Recipe, new: Recipe, before: Any = None, after: Any = None) -> ReportData:
    schemes = [{r.variable: r.scheme for r in recipe.recodes if r.scheme} for recipe in (old, new)]
    releases = MemoSide("2025", old, before, schemes[0]), MemoSide("2026", new, after, schemes[1])
    return memo(*releases, datetime(2026, 3, 1, tzinfo=UTC), "Pavo 1")


def part(report: ReportData, id: str) -> Section:
    return next(section for section in report.sections if section.id == id)


def rows(report: ReportData, id: str) -> list[list[str]]:
    return [row for block in part(report, id).blocks if isinstance(block, ReportTable) for row in block.cells()]


def test_a_folder_stands_for_its_only_recipe_and_a_profile_is_none(tmp_path: Path) -> None:
    (tmp_path / "profile.toml").touch()
    (tmp_path / "survey.pavo").touch()
    assert recipe_in(tmp_path) == tmp_path / "survey.pavo"
    assert recipe_in(tmp_path / "gone.pavo") == tmp_path / "gone.pavo"


def test_in_short_it_names_what_is_another() -> None:
    told = [line.text for line in made(OLD, NEW).summary]
    assert "Variables: new: NEW; no longer there: GONE; changed: AGE." in told
    assert "Global recodings: no longer there: OCC; changed: AGE." in told
    assert "Numerical variables and perturbations: new: INCOME." in told
    assert "Data: nothing changed." in told


def test_differences_stand_side_by_side() -> None:
    found = made(OLD, NEW)
    assert ["AGE", "suppression weight", "10", "30"] in rows(found, "variables")
    assert ["AGE × SEX", "estimator", "–", "calibrated"] in rows(found, "models")
    assert ["A × B", "k", "3", "5"] in rows(found, "models")
    assert ["Threshold of all", "individual risk", "0.05", "–"] in rows(found, "models")
    assert ["AGE", "scheme", "1: 0-9\n2: 10-", "1: 0-14\n2: 15-"] in rows(found, "recodings")
    assert ["OCC", "", "truncate: 2", "–"] in rows(found, "recodings")
    assert ["suda", "", "–", "variables: AGE"] in rows(found, "scenarios")


def test_of_equal_recipes_nothing_is_said_to_differ() -> None:
    found = made(NEW, NEW, summary(), summary())
    assert all(line.text.endswith(": nothing changed.") for line in found.summary)
    assert not any(rows(found, section.id) for section in found.sections if section.id != "figures")


def test_figures_have_their_difference() -> None:
    later = summary(
        suppression={"total": 80, "by_variable": {"AGE": 80}, "records_touched": 70},
        warnings=[{"id": "a", "text": "Kept."}, {"id": "c", "text": "Fresh."}],
    )
    found = made(OLD, NEW, summary(), later)
    told = rows(found, "figures")
    assert ["Suppressed values", "100", "80", "−20"] in told
    assert ["Largest individual risk, safe file", "0.0500", "0.0500", "0.0000"] in told
    assert ["AGE", "60", "80", "20"] in told
    assert ["SEX", "40", "–", "–"] in told
    said = [block.text for block in part(found, "figures").blocks if isinstance(block, Text)]
    assert said == ["Fresh.", "Old."]


@pytest.mark.parametrize("odd", [{}, {"combinations": 3}, {"combinations": [{}], "warnings": [1], "suppression": []}])
def test_a_summary_of_another_shape_gives_what_it_has(odd: dict[str, Any]) -> None:
    assert made(OLD, NEW, odd, odd).sections[-1].id == "figures"


def test_without_summaries_figures_are_left_out_and_that_is_said() -> None:
    (block,) = part(made(OLD, NEW, summary()), "figures").blocks
    assert isinstance(block, Text)
    assert "no summary of 2026" in block.text


def saved(folder: Path, name: str, recipe: Recipe) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(dumps(recipe, folder), encoding="utf-8")
    return path


def test_the_command_finds_the_summaries_that_the_recipes_name(tmp_path: Path) -> None:
    paths = []
    for year, recipe in (("2025", OLD), ("2026", NEW)):
        folder = tmp_path / year
        path = saved(folder, "survey.pavo", recipe.with_(output=Output(summary=folder / "summary.json")))
        (folder / "summary.json").write_text(json.dumps(summary(records=int(year))), encoding="utf-8")
        paths.append(path)
    out = tmp_path / "memo.html"
    assert main([*map(str, paths), "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert "2,025</td>" in text
    assert "2,026</td>" in text
    assert "survey.pavo" in text, "names that are equal are told with their folders"


def test_variables_are_those_of_the_files_where_these_are_there(tmp_path: Path) -> None:
    text = 'recipe = 1\n[input]\ndata = "a.csv"\ndelimiter = ";"\nheader = true\n'
    for year, head in (("2025", "A;B"), ("2026", "A;C")):
        (tmp_path / year).mkdir()
        (tmp_path / year / f"{year}.pavo").write_text(text, encoding="utf-8")
        (tmp_path / year / "a.csv").write_text(f"{head}\n1;2\n", encoding="utf-8")
    told = write_memo(tmp_path / "2025/2025.pavo", tmp_path / "2026/2026.pavo", tmp_path / "memo.html")
    assert "Variables: new: C; no longer there: B." in [line.text for line in told.summary]


def test_what_cannot_be_done_is_refused_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, out = saved(tmp_path, "old.pavo", OLD), saved(tmp_path, "new.pavo", NEW), tmp_path / "memo.html"
    bad = tmp_path / "bad.json"
    bad.write_text("[]", encoding="utf-8")
    arguments = [str(old), str(new), "--out", str(out)]
    assert main([*arguments, "--summaries", str(bad), str(bad)]) == 1
    assert "bad.json is no summary" in capsys.readouterr().err
    assert main([*arguments, "--summaries", str(bad), str(tmp_path / "none.json")]) == 1
    assert main([str(old), str(tmp_path / "none.pavo"), "--out", str(out)]) == 1
    assert main([str(old), str(new), "--out", str(old)]) == 1, "a recipe is an input"
    assert main([str(old), str(new)]) == 2
    assert not out.exists()


def test_a_memo_is_written_as_pdf_where_its_name_says_so(tmp_path: Path) -> None:
    old, new, out = saved(tmp_path, "old.pavo", OLD), saved(tmp_path, "new.pavo", NEW), tmp_path / "memo.PDF"
    assert main([str(old), str(new), "--out", str(out)]) == 0
    assert "no longer there" in " ".join(page_texts(out.read_bytes())[0].split())


def test_a_memo_that_cannot_be_pdf_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, out = saved(tmp_path, "old.pavo", OLD), saved(tmp_path, "new.pavo", NEW), tmp_path / "memo.pdf"
    monkeypatch.setattr(typst, "compile", lambda *_given, **_named: 1 / 0)
    assert main([str(old), str(new), "--out", str(out)]) == 1
    assert "The report cannot be made as PDF: division by zero." in capsys.readouterr().err
    assert not out.exists()
