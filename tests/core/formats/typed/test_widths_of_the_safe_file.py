"""A column of the safe file is as wide as what it holds: its old width or type would tell of what was suppressed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest

from core.batch import run

RECIPE = """recipe = 1
[input]
data = "a.{suffix}"
[variables.T]
categorical = true
[variables.N]
categorical = true
[variables.W]
role = "weight"
[[combinations]]
variables = ["T"]
[[combinations]]
variables = ["N"]
[threshold]
individual_risk = 0.03
[suppression]
criterion = "weights"
[output]
data = "safe.{suffix}"
"""
READERS: dict[str, Any] = {
    "dta": pyreadstat.read_dta,
    "sav": pyreadstat.read_sav,
    "zsav": pyreadstat.read_sav,
    "por": pyreadstat.read_por,
    "xpt": pyreadstat.read_xport,
}


@pytest.mark.parametrize("suffix", list(READERS))
def test_the_width_of_a_suppressed_text_does_not_stay(tmp_path: Path, suffix: str) -> None:
    texts = [*["aa", "bb", " c"] * 20, "a long profession"]
    frame = pd.DataFrame({"T": texts, "N": 1.0, "W": 25.0})
    path = tmp_path / f"a.{suffix}"
    if suffix == "dta":
        frame.to_stata(path, write_index=False, version=118)
    elif suffix == "xpt":
        pyreadstat.write_xport(frame, path)
    elif suffix == "por":
        pyreadstat.write_por(frame, path)
    else:
        pyreadstat.write_sav(frame, path, compress=suffix == "zsav")
    (tmp_path / "r.pavo").write_text(RECIPE.format(suffix=suffix), encoding="utf-8")
    assert run(tmp_path / "r.pavo")[0]["suppression"]["by_variable"]["T"] == 1
    before, after = (READERS[suffix](tmp_path / name) for name in (f"a.{suffix}", f"safe.{suffix}"))
    assert after[0]["T"].tolist() == [*before[0]["T"].tolist()[:60], ""]  # blanks in front of a value stay
    assert before[1].variable_storage_width["T"] > 10
    assert after[1].variable_storage_width["T"] <= 3
    for told in (after[1].original_variable_types["T"], after[1].variable_display_width["T"]):
        assert "17" not in str(told)


def test_the_type_of_a_suppressed_number_does_not_stay(tmp_path: Path) -> None:
    frame = pd.DataFrame({"T": "a", "N": pd.Series([*[1, 2] * 30, 40_000], dtype="int32"), "W": 25.0})
    frame.to_stata(tmp_path / "a.dta", write_index=False, version=118)
    assert pyreadstat.read_dta(tmp_path / "a.dta")[1].original_variable_types["N"] == "%12.0g"
    (tmp_path / "r.pavo").write_text(RECIPE.format(suffix="dta"), encoding="utf-8")
    assert run(tmp_path / "r.pavo")[0]["suppression"]["by_variable"]["N"] == 1
    with pd.io.stata.StataReader(tmp_path / "safe.dta") as reader:
        data = reader.read()
    assert str(data["N"].dtype).startswith("float") or data["N"].dtype == "int8"
    data, meta = pyreadstat.read_dta(tmp_path / "safe.dta")
    assert data["N"].tolist()[:60] == [1, 2] * 30 and pd.isna(data["N"][60])
    assert meta.original_variable_types["N"] == "%8.0g"
    assert meta.readstat_variable_types["N"] == "int8"


TEXTS = """recipe = 1
[input]
data = "a.dta"
[variables.T]
categorical = true
[[combinations]]
variables = ["T"]
[[recodes]]
variable = "T"
scheme = "{scheme}"
{codelist}
[suppression]
criterion = "none"
[output]
data = "safe.dta"
"""


@pytest.mark.parametrize("codelist", ["", 'codelist = "own.cdl"'])
@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("codes", ["A B", "AB CD", "1 2", ".a .b"])
def test_a_recoded_text_of_stata_comes_back(tmp_path: Path, codes: str, long: bool, codelist: str) -> None:
    """Stata labels numbers only, so the new codes have none; long texts (strL) become short ones where they fit."""
    new = codes.split()
    other = "d" * 3000 if long else "dd"
    frame = pd.DataFrame({"T": ["aa", "bb", "cc", other] * 10, "N": 1.0})
    frame.to_stata(tmp_path / "a.dta", write_index=False, version=118, convert_strl=["T"] if long else None)
    (tmp_path / "own.cdl").write_text(f"{new[0]},First\n{new[1]},Second\n", encoding="utf-8")
    scheme = f"{new[0]}: aa, bb\\n{new[1]}: cc"
    (tmp_path / "r.pavo").write_text(TEXTS.format(scheme=scheme, codelist=codelist), encoding="utf-8")
    assert run(tmp_path / "r.pavo")[0]["verified"] is True
    with pd.io.stata.StataReader(tmp_path / "safe.dta") as reader:
        found, labels = reader.read(), reader.value_labels()
    assert found["T"].tolist() == [new[0], new[0], new[1], other] * 10
    assert labels == {}
    shown = pyreadstat.read_dta(tmp_path / "safe.dta")[1].original_variable_types["T"]
    assert shown == ("%9s" if long else "%2s")
