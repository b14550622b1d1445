"""What a protected SPSS file does not tell any more: labels of removed codes and variables, notes, missing codes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from core.batch import run

RECIPE = """recipe = 1
[input]
data = "a.sav"
[variables.NAME]
role = "direct-identifier"
[variables.W]
role = "weight"
[variables.SECRET]
removed = true
[[combinations]]
variables = ["REGION", "JOB", "SEX"]
[[recodes]]
variable = "REGION"
scheme = "10: 1-3\\n20: 4-6\\n"
[threshold]
individual_risk = 0.04
[suppression]
criterion = "weights"
[output]
data = "safe.sav"
metadata = "safe.rds"
"""


def test_labels_of_what_was_removed_do_not_come_back(tmp_path: Path) -> None:
    n = 240
    frame = pd.DataFrame(
        {
            "NAME": [f"person {i}" for i in range(n)],
            "REGION": np.arange(n) % 6 + 1.0,
            "JOB": np.where(np.arange(n) == 7, 77.0, np.arange(n) % 2 + 1.0),
            "SEX": np.arange(n) % 2 + 1.0,
            "W": 25.0,
            "SECRET": 1.0,
            "OTHER": np.arange(n) % 3 + 1.0,
        }
    )
    labels = {
        "REGION": {1: "Alpha", 4: "Delta", 9: "unknown region"},
        "JOB": {1: "clerk", 2: "cook", 3: "pilot", 77: "the queen"},
        "SEX": {1: "men", 2: "women"},
        "OTHER": {1: "one", 8: "never seen"},
        "SECRET": {1: "has the illness"},
    }
    pyreadstat.write_sav(
        frame,
        tmp_path / "a.sav",
        variable_value_labels=labels,
        column_labels={"SECRET": "illness of the person", "JOB": "Occupation"},
        missing_ranges={"REGION": [9], "JOB": [99]},
        note="person 7 is the queen",
        file_label="royal survey",
    )
    recipe = tmp_path / "r.pavo"
    recipe.write_text(RECIPE, encoding="utf-8")
    summary, _ = run(recipe)
    assert summary["verified"] is True
    assert summary["suppression"]["by_variable"]["JOB"] == 1
    data, meta = pyreadstat.read_sav(tmp_path / "safe.sav", user_missing=True)
    assert list(data.columns) == ["REGION", "JOB", "SEX", "W", "OTHER"]
    assert meta.variable_value_labels == {
        "REGION": {9.0: "unknown region", 10.0: "1–3", 20.0: "4–6"},
        "JOB": {1.0: "clerk", 2.0: "cook"},  # beside the survey's codelist, "pilot" without "queen" would tell of her
        "SEX": {1.0: "men", 2.0: "women"},
        "OTHER": {1.0: "one"},
    }
    assert np.isnan(data["JOB"][7])
    assert set(data["REGION"]) == {10.0, 20.0}
    assert meta.missing_ranges == {"REGION": [{"lo": 9.0, "hi": 9.0}], "JOB": [{"lo": 99.0, "hi": 99.0}]}
    assert meta.column_names_to_labels["JOB"] == "Occupation"
    assert (meta.notes, meta.file_label) == ([], None)
    raw = (tmp_path / "safe.sav").read_bytes() + (tmp_path / "safe.rds").read_bytes()
    for word in ("queen", "royal", "illness", "Alpha", "Delta", "person"):
        assert word.encode() not in raw, word
    assert json.dumps(summary["warnings"]).count("queen") == 0


def test_the_label_of_a_recoded_code_goes_with_its_last_record(tmp_path: Path) -> None:
    n = 240
    frame = pd.DataFrame({"JOB": np.where(np.arange(n) == 7, 77.0, np.arange(n) % 4 + 1.0), "SEX": 1.0, "W": 25.0})
    names = {1: "clerk", 2: "cook", 3: "pilot", 4: "nurse", 77: "the queen"}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels={"JOB": names})
    recipe = tmp_path / "r.pavo"
    recipe.write_text(
        """recipe = 1
[input]
data = "a.sav"
[variables.W]
role = "weight"
[[combinations]]
variables = ["JOB", "SEX"]
[[recodes]]
variable = "JOB"
scheme = "5: 77\\n6: 1-2"
[threshold]
individual_risk = 0.03
[suppression]
criterion = "weights"
[output]
data = "safe.sav"
""",
        encoding="utf-8",
    )
    summary, _ = run(recipe)
    assert summary["suppression"]["by_variable"]["JOB"] == 1
    _, meta = pyreadstat.read_sav(tmp_path / "safe.sav")
    assert meta.variable_value_labels == {"JOB": {3.0: "pilot", 4.0: "nurse", 6.0: "clerk, cook"}}
    assert b"queen" not in (tmp_path / "safe.sav").read_bytes()


JOBS = {1: "clerk", 2: "cook", 3: "pilot", 55: "bishop", 77: "queen", 98: "refused", 99: "unknown"}
LABELS = """recipe = 1
[input]
data = "a.{suffix}"
[variables.W]
role = "weight"
[variables.JOB]
categorical = true
missing = ["99", "98"]
[[combinations]]
variables = ["JOB", "SEX"]
[threshold]
individual_risk = 0.03
[suppression]
criterion = "weights"
mode = "{mode}"
[output]
data = "safe.{to}"
"""


def labelled_survey(folder: Path, suffix: str) -> None:
    """One queen, no pilot and no bishop."""
    n = 240
    jobs = np.where(np.arange(n) == 7, 77.0, np.arange(n) % 2 + 1.0)
    frame = pd.DataFrame({"JOB": jobs, "SEX": np.arange(n) % 2 + 1.0, "W": 25.0})
    if suffix == "sav":
        pyreadstat.write_sav(frame, folder / "a.sav", variable_value_labels={"JOB": JOBS})
    else:
        pyreadstat.write_dta(frame, folder / "a.dta", version=15, variable_value_labels={"JOB": JOBS})


@pytest.mark.parametrize("mode", ["original-counts", "released-keys"])
@pytest.mark.parametrize(("suffix", "to"), [("sav", "sav"), ("sav", "dta"), ("dta", "dta"), ("dta", "sav")])
def test_labels_are_of_codes_in_the_safe_file_and_of_missing_codes(
    tmp_path: Path, suffix: str, to: str, mode: str
) -> None:
    labelled_survey(tmp_path, suffix)
    (tmp_path / "r.pavo").write_text(LABELS.format(suffix=suffix, to=to, mode=mode), encoding="utf-8")
    assert run(tmp_path / "r.pavo")[0]["suppression"]["total"] > 0
    read = pyreadstat.read_sav if to == "sav" else pyreadstat.read_dta
    data, meta = read(tmp_path / f"safe.{to}", user_missing=True)
    there = {*data["JOB"].dropna()} | {98.0, 99.0}
    assert 77.0 not in there
    assert meta.variable_value_labels["JOB"] == {code: label for code, label in JOBS.items() if code in there}


@pytest.mark.parametrize(
    ("scheme", "missing"),
    [
        ("1: 15-29\\n2: 30-95", {"a": "refused", "b": "absent"}),
        ("1: 15-29\\n2: 30-95\\n.a: .b", {"a": "refused"}),
        ("1: 15-29\\n2: 30-95\\n<MISSING> .c", {}),
    ],
)
def test_labels_of_stata_missing_codes_stay_as_long_as_the_codes(
    tmp_path: Path, scheme: str, missing: dict[str, str]
) -> None:
    ages = ["a", "b", *range(20, 60)]
    frame = pd.DataFrame({"AGE": pd.Series(ages, dtype=object), "W": 25.0})
    labels = {20: "twenty", "a": "refused", "b": "absent", "z": "in no record"}
    pyreadstat.write_dta(
        frame,
        tmp_path / "a.dta",
        version=15,
        missing_user_values={"AGE": ["a", "b", "z"]},
        variable_value_labels={"AGE": labels},
    )
    (tmp_path / "r.pavo").write_text(STATA % scheme, encoding="utf-8")
    run(tmp_path / "r.pavo")
    found = pyreadstat.read_dta(tmp_path / "safe.dta", user_missing=True)[1].variable_value_labels["AGE"]
    assert found == {1: "15–29", 2: "30–95"} | missing


STATA = """recipe = 1
[input]
data = "a.dta"
[variables.W]
role = "weight"
[[combinations]]
variables = ["AGE"]
[[recodes]]
variable = "AGE"
scheme = "%s"
[suppression]
criterion = "none"
[output]
data = "safe.dta"
"""
