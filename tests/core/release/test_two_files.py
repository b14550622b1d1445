"""Measures of the original and a released file, as recipes ask for them."""

from __future__ import annotations

import csv
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.errors import PavoError
from core.recipe.model import (
    Input,
    Measure,
    NumericEdit,
    Output,
    Recipe,
    Recode,
    Suppression,
    TopBottomCode,
    VariableEdit,
)
from core.release.run import carry_out
from core.report.words import headline
from core.risk.measures.shown import CurvePicture
from core.session import Session
from core.whatif.measures import measure

ROWS = [("a", "10", "1.5", "x"), ("b", "20", "2.5", "y"), ("c", "30", "", "x"), ("d", "60", "4.5", "y")]
HEADER = ("ID", "N", "X", "C")


def written(path: Path, rows: list[tuple[str, ...]], header: tuple[str, ...] = HEADER) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def measured(folder: Path, kind: str, names: tuple[str, ...], more: dict[str, Any] | None = None, **said: Any) -> Any:
    data = written(folder / "original.csv", ROWS)
    edits = (VariableEdit("ID", role="direct-identifier"), VariableEdit("N", numeric=True, categorical=False))
    output = Output(report=folder / "r.html", records=folder / "records.csv")
    asked = Measure(kind, names, tuple(sorted(said.items())))
    recipe = Recipe(Input(data), edits, measures=(asked,), output=output, **(more or {}))
    return carry_out(Session(), recipe).summary["measures"][0]


def records(folder: Path) -> list[str]:
    header, *lines = (folder / "records.csv").read_text(encoding="utf-8").splitlines()
    return [header, *(line.split(",")[1] for line in lines)]


def test_a_file_in_another_order_and_smaller_is_joined_by_identifier(tmp_path: Path) -> None:
    """Of four records three are there; the nearest of b is its own, those of a and d are each other's."""
    other = written(tmp_path / "o.csv", [("d", "11"), ("b", "21"), ("a", "58")], ("ID", "N"))
    found = measured(tmp_path, "record-linkage", ("N",), released=other, by="identifier")
    assert found["kind"] == "record-linkage" and found["variables"] == ["N"]
    assert (found["records"], found["linked"], found["alone"]) == (3, 1, 1)
    assert found["share"] == pytest.approx(1 / 3)
    assert found["by_chance"] == 1
    assert found["released_sha256"] == sha256(other.read_bytes()).hexdigest()
    assert found["released"] == str(other)
    assert records(tmp_path) == ["record,linked_m1", "0", "1", "", "0"]
    report = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "takes the nearest or likeliest record" in report


def test_what_the_recipe_makes_is_compared_where_no_file_is_named(tmp_path: Path) -> None:
    """Top coding at 30 makes c and d equal: each is found by one in two, b not moved, a alone."""
    numeric = (NumericEdit("N", top=TopBottomCode(30.0, "30")),)
    found = measured(tmp_path, "record-linkage", ("N",), {"numeric": numeric})
    assert (found["linked"], found["alone"]) == (3, 2)
    assert "released_sha256" not in found
    inside = measured(tmp_path, "interval", ("N",), {"numeric": numeric}, width=0.1)
    assert (inside["inside"], inside["n_inside"], inside["by_variable"]) == (0.75, 3, {"N": 0.75})
    assert records(tmp_path) == ["record,interval_m1", "1", "1", "1", "0"]


def test_categories_and_numbers_together(tmp_path: Path) -> None:
    other = written(tmp_path / "o.csv", [row[:2] + row[2:] for row in ROWS])
    found = measured(
        tmp_path, "record-linkage", ("N", "C"), {"recodes": (Recode("C", scheme="x:x\ny:y"),)},
        released=other, method="probabilistic", classes=4,
    )  # fmt: skip
    assert found["linked"] == 4
    assert [each["variable"] for each in found["agreements"]] == ["N", "C"]
    one = measured(tmp_path, "record-linkage", ("N",), released=other, method="one-to-one")
    assert one["linked"] == 4


def test_missing_values_are_not_compared_or_leave_records_out(tmp_path: Path) -> None:
    other = written(tmp_path / "o.csv", [("a", "10", "NA", ""), ("b", "0", "2.5", ""), *ROWS[2:]])
    edits = {"released": other, "width": 0.1}
    with pytest.raises(PavoError, match="X is not a number"):
        measured(tmp_path, "interval", ("N", "X"), **edits)
    other.write_text(other.read_text().replace("NA", ""))
    found = measured(tmp_path, "interval", ("N", "X"), **edits)
    assert (found["records"], found["inside"], found["by_variable"]) == (4, 0.75, {"N": 0.75, "X": 1})
    found = measured(tmp_path, "interval", ("N", "X"), missing_rule="listwise", **edits)
    assert (found["records"], found["n_inside"]) == (2, 1)
    assert records(tmp_path)[1:] == ["", "0", "", "1"]


def test_outliers_are_at_or_beyond_the_percentile(tmp_path: Path) -> None:
    found = measured(tmp_path, "outliers", ("N", "X"), quantile=2 / 3)
    assert (found["outliers"], found["by_variable"], found["share"]) == (2, {"N": 2, "X": 1}, 0.5)
    assert records(tmp_path) == ["record,outlier_m1", "0", "0", "1", "1"]
    found = measured(tmp_path, "outliers", ("N", "X"), quantile=2 / 3, missing_rule="listwise")
    assert (found["records"], found["outliers"]) == (3, 1)


REFUSED = [
    ({"by": "position"}, ROWS[:3], HEADER, "3 records and the original 4"),
    ({}, ROWS, ("ID", "M", "X", "C"), "has no variable N"),
    ({}, [("a", "ten", "", ""), *ROWS[1:]], HEADER, "N is not a number"),
    ({"by": "identifier"}, [ROWS[0], *ROWS[:3]], HEADER, "two records of .*, 1 and 2, have the same identifier"),
    ({"by": "identifier"}, [("z", "1", "", "")], HEADER, "no record of .* has the identifier"),
    ({"by": "identifier"}, [("z", "1")], ("NAME", "N"), "has no variable ID"),
    ({"identifier": ("ID",)}, ROWS, HEADER, 'belongs to by = "identifier" only'),
]


@pytest.mark.parametrize(("said", "rows", "header", "says"), REFUSED)
def test_files_that_do_not_belong_together(
    tmp_path: Path, said: dict[str, Any], rows: list[tuple[str, ...]], header: tuple[str, ...], says: str
) -> None:
    other = written(tmp_path / "o.csv", rows, header)
    with pytest.raises(PavoError, match=says):
        measured(tmp_path, "record-linkage", ("N",), released=other, **said)
    assert not (tmp_path / "r.html").exists()


def test_variables_and_files_that_are_not_there(tmp_path: Path) -> None:
    for names, says in (("Q", "no variable Q"), ("ID", "ID is removed from the safe file")):
        with pytest.raises(PavoError, match=says):
            measured(tmp_path, "interval", (names,))
    with pytest.raises(PavoError, match="nowhere"):
        measured(tmp_path, "interval", ("N",), released=tmp_path / "nowhere.csv")
    with pytest.raises(PavoError, match=r"measures\[1\].variables"):
        measured(tmp_path, "record-linkage", ())


def test_the_released_file_is_an_input_and_never_written(tmp_path: Path) -> None:
    other = written(tmp_path / "records.csv", ROWS)
    before = other.read_bytes()
    with pytest.raises(PavoError, match=r"records\.csv"):
        measured(tmp_path, "interval", ("N",), released=other)
    assert other.read_bytes() == before


def test_a_robust_interval_is_wider_for_those_far_out(tmp_path: Path) -> None:
    """All records are moved by the same: the bulk is not inside, the far ones are."""
    draw = np.random.default_rng(2)
    values = np.concatenate([draw.normal(0, 1, (90, 2)), draw.normal(60, 1, (10, 2))])
    rows = [tuple(f"{value:.6f}" for value in row) for row in values]
    moved = [tuple(f"{value + 0.5:.6f}" for value in row) for row in values]
    data, other = written(tmp_path / "d.csv", rows, ("A", "B")), written(tmp_path / "o.csv", moved, ("A", "B"))
    asked = Measure("interval", ("A", "B"), (("released", other), ("robust", True), ("width", 0.05)))
    recipe = Recipe(Input(data), measures=(asked,), output=Output(records=tmp_path / "records.csv"))
    (found,) = carry_out(Session(), recipe).summary["measures"]
    inside = records(tmp_path)[1:]
    assert set(inside[90:]) == {"1"} and found["n_inside"] == 10 + inside[:90].count("1") < 15


def test_a_file_in_fixed_format_is_described_beside_it_or_as_the_original(tmp_path: Path) -> None:
    (tmp_path / "d.asc").write_text("A 1\nB 5\nC 9\n")
    (tmp_path / "d.rda").write_text("ID 1 1\n  <RECODEABLE>\nN 2 2\n  <NUMERIC>\n")
    safe = tmp_path / "safe.asc"
    source = Input(tmp_path / "d.asc", tmp_path / "d.rda")
    edits = (VariableEdit("ID", removed=True),)
    output = Output(data=safe, metadata=tmp_path / "safe.rds")
    recipe = Recipe(
        source, edits, numeric=(NumericEdit("N", round=5.0),), suppression=Suppression("none"), output=output
    )
    carry_out(Session(), recipe)
    asked = Recipe(source, measures=(Measure("interval", ("N",), (("released", safe), ("width", 0.1))),))
    for _layout in ("its own", "the original's"):
        (found,) = carry_out(Session(), asked).summary["measures"]
        assert found["n_inside"] == 1
        (tmp_path / "safe.rds").unlink(missing_ok=True)
        safe.write_text("A 0\nB 5\nC10\n")


SAID = [
    ("record-linkage", {}, "3.0 of 4 records are linked rightly; 1.0 would be by chance.", [0, 1, 2, 3]),
    (
        "interval",
        {"width": 0.1},
        "3 of 4 records are disclosed: all their values are within 0.1 standard deviations of the released ones.",
        [0, 1, 2],
    ),
    ("outliers", {"quantile": 0.9}, "1 of 4 records is an outlier in one of the variables or more.", [3]),
]


@pytest.mark.parametrize(("kind", "said", "sentence", "behind"), SAID)
def test_what_they_show(tmp_path: Path, kind: str, said: dict[str, Any], sentence: str, behind: list[int]) -> None:
    """As above, top coding at 30."""
    asked = Measure(kind, ("N",), tuple(said.items()))
    numeric = (NumericEdit("N", top=TopBottomCode(30.0, "30")),)
    recipe = Recipe(Input(written(tmp_path / "d.csv", ROWS)), numeric=numeric, measures=(asked,))
    evaluation = measure(Session().derive(recipe), asked).evaluation
    assert evaluation.headline is not None and evaluation.behind is not None
    assert headline(evaluation.headline) == sentence
    assert evaluation.behind.records is not None and evaluation.behind.records.tolist() == behind
    assert evaluation.picture is not None
    shown = evaluation.picture
    assert (shown.y[-1] if isinstance(shown, CurvePicture) else shown.values.sum()) in (0.75, 1, 4)  # type: ignore[union-attr]


def test_the_description_beside_a_released_file_is_an_input(tmp_path: Path) -> None:
    released = written(tmp_path / "released.csv", ROWS)
    beside = released.with_suffix(".rds")
    beside.write_text("<SEPARATOR> ,", encoding="utf-8")
    output = Output(data=tmp_path / "safe.csv", metadata=beside)
    asked = Measure("record-linkage", ("N",), (("released", released),))
    data = written(tmp_path / "original.csv", ROWS)
    edits = (VariableEdit("N", numeric=True, categorical=False),)
    recipe = Recipe(Input(data), edits, measures=(asked,), output=output, suppression=Suppression("none"))
    with pytest.raises(PavoError) as refused:
        carry_out(Session(), recipe)
    assert refused.value.id == "output-is-input"
    assert beside.read_text(encoding="utf-8") == "<SEPARATOR> ,"
