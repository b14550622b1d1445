"""SPSS' portable files: written with labels and declared missing values, or refused with the reason."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from core.base.errors import OutputError
from core.batch import run
from tests.typed_files import opened, por, written


def test_declared_missing_values_are_not_taken_for_absent_ones(tmp_path: Path) -> None:
    metadata, microdata = opened(por(tmp_path / "a.por"))
    assert metadata["REGION"].missing == ("", "-9")
    assert metadata["REGION"].missing_ranges == ((90.0, 99.0),)
    column = microdata.columns["REGION"]
    assert column.codes[column.n_valid :] == ("", "-9", "95")


def test_a_whole_run(tmp_path: Path) -> None:
    rows = [(i % 3 + 1.0, 99.0 if i == 6 else 8.0 if i == 50 else i % 2 + 1.0, 20.0) for i in range(100)]
    frame = pd.DataFrame(rows, columns=["REG", "JOB", "W"])
    pyreadstat.write_por(frame, str(tmp_path / "a.por"))
    (tmp_path / "r.pavo").write_text(RECIPE, encoding="utf-8")
    summary = run(tmp_path / "r.pavo")[0]
    assert summary["verified"] is True
    assert summary["suppression"]["by_variable"] == {"REG": 0, "JOB": 1}
    again = opened(tmp_path / "out/safe.por")[0]
    assert again["JOB"].missing == ("", "99")
    after = pyreadstat.read_por(tmp_path / "out/safe.por")[0]
    assert after["JOB"].isna().sum() == 2  # pyreadstat takes the code 99 for an absent value
    assert after.drop([6, 50]).equals(frame.drop([6, 50]))


def test_nothing_of_the_day_it_was_written(tmp_path: Path) -> None:
    written(por(tmp_path / "a.por"), tmp_path / "b.por")
    text = (tmp_path / "b.por").read_bytes().replace(b"\r\n", b"")
    assert text[456:482] == b"SPSSPORTA8/197001016/000000"[:26]


@pytest.mark.parametrize(
    ("frame", "id", "variable"),
    [
        (pd.DataFrame({"TOO_LONG_": [1.0]}), "portable-name", "TOO_LONG_"),
        (pd.DataFrame({"lower": [1.0]}), "portable-name", "lower"),
        (pd.DataFrame({"A": [1.0], "B": ["é"]}), "portable-text", "B"),
    ],
)
def test_what_it_cannot_hold_is_refused(tmp_path: Path, frame: pd.DataFrame, id: str, variable: str) -> None:
    pyreadstat.write_sav(frame, tmp_path / "a.sav")
    recipe = '[input]\ndata = "a.sav"\n[suppression]\ncriterion = "none"\n[output]\ndata = "b.por"\n'
    (tmp_path / "r.pavo").write_text("recipe = 1\n" + recipe, encoding="utf-8")
    with pytest.raises(OutputError) as caught:
        run(tmp_path / "r.pavo")
    assert (caught.value.id, caught.value.values["variable"]) == (id, variable)
    assert not (tmp_path / "b.por").exists()


def test_labels_of_new_codes_are_written_in_plain_signs(tmp_path: Path) -> None:
    frame = pd.DataFrame({"AGE": [float(20 + i % 60) for i in range(120)], "W": [20.0] * 120})
    pyreadstat.write_por(frame, str(tmp_path / "a.por"))
    recode = '[[recodes]]\nvariable = "AGE"\nscheme = "1: 20-39\\n2: 40-59\\n3: 60-\\n"\n'
    text = RECIPE.replace('["REG", "JOB"]', '["AGE"]').replace("JOB", "AGE") + recode
    (tmp_path / "r.pavo").write_text(text, encoding="utf-8")
    run(tmp_path / "r.pavo")
    labels = pyreadstat.read_por(tmp_path / "out/safe.por")[1].variable_value_labels["AGE"]
    assert labels == {1.0: "20-39", 2.0: "40-59", 3.0: "60 and over"}


RECIPE = """recipe = 1
[input]
data = "a.por"
[variables.JOB]
missing = ["99"]
[variables.W]
role = "weight"
[[combinations]]
variables = ["REG", "JOB"]
[threshold]
individual_risk = 0.04
[suppression]
criterion = "weights"
[output]
data = "out/safe.por"
"""
