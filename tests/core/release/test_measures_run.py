"""Measures of a recipe that is carried out: summary, report and record file."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from core.base.errors import RecipeError
from core.recipe.model import Input, Measure, Output, Recipe, Recode, VariableEdit
from core.release.run import carry_out
from core.session import Session

ILLNESS = 'Größe, "1"'
RECORDS = [("a", "x", "1"), ("a", "x", "2"), ("a", "x", "1"), ("b", "x", "3"), ("b", "y", "3"), ("b", "y", "4")]


def recipe_of(folder: Path, *measures: Measure, **more: Any) -> Recipe:
    with (folder / "d.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("A", "B", ILLNESS, "N"), *((*record, "7.5") for record in RECORDS)])
    edits = (VariableEdit(ILLNESS, categorical=True), VariableEdit("N", numeric=True, categorical=False))
    output = Output(report=folder / "report.html", records=folder / "records.csv")
    return Recipe(input=Input(data=folder / "d.csv"), variables=edits, measures=measures, output=output, **more)


def sensitive(kind: str, *names: str, **said: Any) -> Measure:
    return Measure(kind, ("A", "B"), tuple(sorted({"sensitive": names, **said}.items())))


def test_sensitive_values_are_measured_after_recoding(tmp_path: Path) -> None:
    measures = (sensitive("l-diversity", ILLNESS), sensitive("t-closeness", ILLNESS), Measure("frequencies", ("A",)))
    recipe = recipe_of(tmp_path, *measures, recodes=(Recode(ILLNESS, scheme="1:1-2\n3:3\n4:4"),))
    first, second, _third = carry_out(Session(), recipe).summary["measures"]
    assert first == {
        "kind": "l-diversity",
        "variables": ["A", "B"],
        "missing_rule": "observed",
        "sensitive": (ILLNESS,),
        "l": 2,
        "c": 2.0,
        "beyond": 1.0,
        "distinct": {ILLNESS: {"min": 1.0, "violations": 4}},
        "entropy": {ILLNESS: {"min": 1.0, "violations": 4}},
        "recursive": {ILLNESS: {"min": 1.0, "violations": 4}},
        "disclosed": {ILLNESS: {"records": 4, "share": 4 / 6}},
    }
    # the file: 3, 2, 1 of 6; of (b, x) all are 3
    assert second["max"] == {ILLNESS: pytest.approx(2 / 3)}
    assert second["mean"] == {ILLNESS: pytest.approx((3 * 1 / 2 + 2 / 3 + 2 * 1 / 2) / 6)}
    with (tmp_path / "records.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    names = [f"l_{kind}_m1_{ILLNESS}" for kind in ("distinct", "entropy", "recursive")]
    assert header == ["record", *names, "f_m3", "F_m3"]
    assert [row[1] for row in rows] == ["1", "1", "1", "1", "2", "2"]
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "How many different values of a sensitive variable the records have that share a key." in report
    assert "The keys of 4 of 6 records give their value of" in report
    assert "<figcaption>l-diversity. Records whose key gives it away, by sensitive variable.</figcaption>" in report


WRONG = [
    (sensitive("l-diversity", "A"), "measures[1].sensitive", "A is also in measures[1].variables"),
    (sensitive("l-diversity", "N"), "measures[1].sensitive", "N is not categorical"),
    (sensitive("t-closeness", "X"), "measures[1].sensitive", "the file has no variable X"),
    (Measure("l-diversity", ("A",)), "measures[1].sensitive", "does not say"),
]


@pytest.mark.parametrize(("wrong", "key", "says"), WRONG)
def test_sensitive_variables_that_cannot_be_are_refused(tmp_path: Path, wrong: Measure, key: str, says: str) -> None:
    with pytest.raises(RecipeError) as caught:
        Session().derive(recipe_of(tmp_path, wrong))
    assert caught.value.values["key"] == key
    assert says in str(caught.value)


def test_risks_of_single_records_and_of_their_households(tmp_path: Path) -> None:
    """Keys of 2, 2 and 1 records that weigh 1 each: risks 1/2, 1/2 and 1."""
    (tmp_path / "d.csv").write_text("A,H\nx,1\nx,2\ny,2\ny,3\nz,4\n", encoding="utf-8")
    edits = (VariableEdit("H", role="household-id"),)
    output = Output(records=tmp_path / "records.csv")
    carry_out(
        Session(),
        Recipe(
            Input(tmp_path / "d.csv"),
            edits,
            measures=(Measure("frequencies", ("A",), (("risks", True),)),),
            output=output,
        ),
    )
    header, *lines = (tmp_path / "records.csv").read_text(encoding="utf-8").splitlines()
    assert header == "record,f_m1,F_m1,risk_m1,household_risk_m1"
    assert lines == ["1,2,2,0.5,0.5", "2,2,2,0.5,0.75", "3,2,2,0.5,0.75", "4,2,2,0.5,0.5", "5,1,1,1,1"]
