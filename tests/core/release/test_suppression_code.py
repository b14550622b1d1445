"""What suppression writes into files with labels: empty, never an answer that the file declares as user-missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from core.batch import run

RECIPE = """recipe = 1
[input]
data = "a.sav"
[variables.W]
role = "weight"
{more}
[[combinations]]
variables = ["EDUC", "TOWN"]
[threshold]
individual_risk = 0.04
[suppression]
criterion = "weights"
[output]
data = "{out}"
report = "report.html"
"""


def protected(tmp_path: Path, more: str = "", out: str = "safe.sav") -> tuple[pd.DataFrame, object, str]:
    n = 240
    frame = pd.DataFrame(
        {
            "EDUC": np.where(np.arange(n) == 7, 5.0, np.arange(n) % 2 + 1.0),
            "TOWN": ["A" if i % 2 else "B" for i in range(n)],
            "W": 25.0,
        }
    )
    frame.loc[[3, 4], "EDUC"] = [98.0, 99.0]
    frame.loc[5, "TOWN"] = "ZZ"
    frame.loc[9, "TOWN"] = "C"
    pyreadstat.write_sav(
        frame,
        tmp_path / "a.sav",
        variable_value_labels={"EDUC": {1: "low", 98: "Don't know", 99: "Refused"}},
        missing_ranges={"EDUC": [98, 99], "TOWN": ["ZZ"]},
    )
    recipe = tmp_path / "r.pavo"
    recipe.write_text(RECIPE.format(more=more, out=out), encoding="utf-8")
    summary, _ = run(recipe)
    assert summary["verified"] is True
    assert summary["suppression"]["total"] == 2
    reader = {"sav": pyreadstat.read_sav, "dta": pyreadstat.read_dta, "xpt": pyreadstat.read_xport}[out[-3:]]
    options = {"user_missing": True} if out.endswith("sav") else {}
    data, meta = reader(tmp_path / out, **options)
    return data, meta, (tmp_path / "report.html").read_text(encoding="utf-8")


def test_suppressed_is_empty_and_declared_answers_stay(tmp_path: Path) -> None:
    data, meta, report = protected(tmp_path)
    assert np.isnan(data["EDUC"][7])
    assert data["EDUC"][[3, 4]].tolist() == [98.0, 99.0]
    assert data["TOWN"][[5, 9]].tolist() == ["ZZ", ""]
    ranges = meta.missing_ranges  # type: ignore[attr-defined]
    assert ranges["EDUC"] == [{"lo": 98.0, "hi": 98.0}, {"lo": 99.0, "hi": 99.0}]
    assert ranges["TOWN"] == [{"lo": "ZZ", "hi": "ZZ"}]
    assert "Written as" in report
    assert "(empty)" in report


def test_the_recipe_chooses_another_code(tmp_path: Path) -> None:
    data, _, report = protected(tmp_path, '[variables.EDUC]\nmissing = ["99", "98", ""]')
    assert data["EDUC"][7] == 99.0
    assert data["EDUC"][3] == 98.0
    assert ">99<" in report


@pytest.mark.parametrize("out", ["safe.dta", "safe.xpt"])
def test_other_formats_with_labels_get_empty_too(tmp_path: Path, out: str) -> None:
    data, _, _ = protected(tmp_path, out=out)
    assert np.isnan(data["EDUC"][7])
    assert data["EDUC"][3] == 98.0
