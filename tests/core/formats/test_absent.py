"""An absent value (SPSS's system-missing, Stata's ., an empty cell) is missing, whichever codes are declared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from core.batch import run
from core.formats.registry import read
from core.metadata.describe import describe
from core.recipe.model import Input, VariableEdit

N = 100
RECIPE = """recipe = 1
[input]
data = "{data}"
[variables.JOB]
missing = ["{missing}"]
[variables.W]
role = "weight"
[[combinations]]
variables = ["REG", "JOB"]
[threshold]
individual_risk = 0.02
[suppression]
criterion = "weights"
[output]
data = "{out}"
metadata = "safe.rds"
"""


def make(path: Path) -> Path:
    """Record 5 has no JOB, and record 50 one that nobody else has."""
    rng = np.random.default_rng(0)
    jobs = rng.integers(1, 4, N) * 1.0
    jobs[5], jobs[50] = np.nan, 8
    frame = pd.DataFrame({"JOB": jobs, "REG": rng.integers(1, 3, N) * 1.0, "W": rng.integers(20, 30, N) * 1.0})
    if path.suffix == ".sav":
        pyreadstat.write_sav(frame, path, missing_ranges={"JOB": [99]})
    elif path.suffix == ".dta":
        pyreadstat.write_dta(frame, str(path))
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_excel(path, index=False)
    return path


def jobs(path: Path) -> list[Any]:
    if path.suffix == ".sav":
        return pyreadstat.read_sav(path, user_missing=True)[0]["JOB"].tolist()  # type: ignore[no-any-return]
    if path.suffix == ".dta":
        return pyreadstat.read_dta(path, user_missing=True)[0]["JOB"].tolist()  # type: ignore[no-any-return]
    frame = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_excel(path)
    return frame["JOB"].tolist()


@pytest.mark.parametrize(
    ("suffix", "code", "written"), [("sav", "99", 99), ("dta", ".c", "c"), ("parquet", "99", 99), ("xlsx", "99", 99)]
)
def test_it_stays_absent_where_suppression_writes_another_code(
    tmp_path: Path, suffix: str, code: str, written: object
) -> None:
    before = jobs(make(tmp_path / f"a.{suffix}"))
    recipe = RECIPE.format(data=f"a.{suffix}", missing=code, out=f"safe.{suffix}")
    (tmp_path / "r.pavo").write_text(recipe, encoding="utf-8")
    summary = run(tmp_path / "r.pavo")[0]
    assert summary["suppression"]["by_variable"] == {"REG": 0, "JOB": 1}
    assert summary["combinations"][0]["cells"] == 8
    after = jobs(tmp_path / f"safe.{suffix}")
    assert np.isnan(after[5]) and np.isnan(before[5])
    assert after[50] == written
    assert [v for i, v in enumerate(after) if i not in (5, 50)] == [v for i, v in enumerate(before) if i not in (5, 50)]


def test_the_codes_of_a_column_say_so(tmp_path: Path) -> None:
    path = make(tmp_path / "a.dta")
    metadata = describe(Input(path), [VariableEdit("JOB", missing=(".c",)), VariableEdit("REG", missing=())])
    columns = read(path, metadata, ("JOB", "REG")).columns
    assert columns["JOB"].codes[columns["JOB"].n_valid :] == (".c", "")
    assert columns["REG"].codes[columns["REG"].n_valid :] == ()


def test_blank_text_in_spss_is_a_value_unless_it_is_declared(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(pd.DataFrame({"T": ["x", "", "y"], "X": [1.0, np.nan, 2.0]}), path)
    metadata = describe(Input(path), [VariableEdit("T", missing=("y",)), VariableEdit("X", missing=("2",))])
    columns = read(path, metadata, ("T", "X")).columns
    assert set(columns["T"].codes[: columns["T"].n_valid]) == {"x", ""}
    assert columns["X"].codes == ("1", "2", "")


def test_written_as_text_its_metadata_declare_it(tmp_path: Path) -> None:
    make(tmp_path / "a.sav")
    recipe = RECIPE.format(data="a.sav", missing="99", out="safe.csv")
    (tmp_path / "r.pavo").write_text(recipe, encoding="utf-8")
    run(tmp_path / "r.pavo")
    assert (tmp_path / "safe.csv").read_text(encoding="utf-8").split("\n")[6].startswith(",")
    assert 'JOB 2 "99" ""' in (tmp_path / "safe.rds").read_text(encoding="utf-8")
