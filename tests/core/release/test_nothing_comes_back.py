"""What a file tells beside its values does not come back in the safe file, nor what was recoded or suppressed."""

from __future__ import annotations

from pathlib import Path

import pyreadstat
import pytest

from core.batch import run
from core.metadata.describe import describe
from core.recipe.model import Input
from tests.secretive_files import MAKERS, found, frame

RECIPE = """recipe = 1
[input]
data = "a.{suffix}"
[variables.SECRETID]
{name}
[variables.W]
role = "weight"
[variables.JOB]
categorical = true
missing = ["{missing}"]
[variables.REGION]
categorical = true
[[combinations]]
variables = ["REGION", "JOB"]
[[combinations]]
variables = ["KIND"]
[[recodes]]
variable = "REGION"
scheme = "10: 1-3\\n20: 4-6\\n"
[threshold]
individual_risk = 0.03
[suppression]
criterion = "weights"
[output]
data = "safe.{to}"
metadata = "safe.rds"
report = "safe.html"
summary = "safe.json"
[report]
variant = "external"
"""

MISSING = {"sav": "99", "zsav": "99", "por": "99"}


@pytest.mark.parametrize("to", list(MAKERS))
@pytest.mark.parametrize("suffix", list(MAKERS))
def test_nothing_comes_back(tmp_path: Path, suffix: str, to: str) -> None:
    if to not in (suffix, "csv", "sav", "dta"):
        pytest.skip("these are written by the same code from whatever was read")
    MAKERS[suffix](tmp_path / f"a.{suffix}")
    assert found(tmp_path / f"a.{suffix}"), "the original tells nothing: the test has no sense"
    text = RECIPE.format(
        suffix=suffix,
        to=to,
        missing=MISSING.get(suffix, ""),
        name="removed = true" if suffix in MISSING else 'role = "direct-identifier"',
    )
    (tmp_path / "r.pavo").write_text(text, encoding="utf-8")
    summary = run(tmp_path / "r.pavo")[0]
    assert summary["verified"] is True
    assert summary["suppression"]["by_variable"]["KIND"] == 1
    assert summary["suppression"]["by_variable"]["JOB"] == 1
    for name in (f"safe.{to}", "safe.rds"):
        assert not found(tmp_path / name), name
    told = [text for text in found(tmp_path / "safe.html") if "SECRETID" not in text]
    assert not told, "the report says which variables are left out, and nothing else"


REGIONS = {1: "SECRET Alpha", 2: "SECRET Beta", 3: "SECRET C", 4: "SECRET Delta", 5: "SECRET E", 6: "SECRET F"}


@pytest.mark.parametrize("suffix", ["sav", "dta"])
@pytest.mark.parametrize("codelist", [False, True])
def test_of_a_labelled_group_the_joined_label_alone_comes_back(tmp_path: Path, suffix: str, codelist: bool) -> None:
    """A category says what it holds, unless the recode names labels of its own."""
    data = frame().drop(columns="SECRETID").assign(KIND="even")
    path = tmp_path / f"a.{suffix}"
    if suffix == "sav":
        pyreadstat.write_sav(data, path, variable_value_labels={"REGION": REGIONS})
    else:
        data.to_stata(path, write_index=False, version=118, value_labels={"REGION": REGIONS})
    text = RECIPE.format(suffix=suffix, to=suffix, missing="", name="").replace("[variables.SECRETID]\n", "")
    if codelist:
        (tmp_path / "own.cdl").write_text("10,North\n20,South\n", encoding="utf-8")
        text = text.replace('4-6\\n"\n', '4-6\\n"\ncodelist = "own.cdl"\n')
    (tmp_path / "r.pavo").write_text(text, encoding="utf-8")
    assert run(tmp_path / "r.pavo")[0]["verified"] is True
    labels = dict(describe(Input(tmp_path / f"safe.{suffix}"))["REGION"].labels)
    joined = {"10": "SECRET Alpha, SECRET Beta, SECRET C", "20": "SECRET Delta, SECRET E, SECRET F"}
    assert labels == ({"10": "North", "20": "South"} if codelist else joined)
    assert len(found(tmp_path / f"safe.{suffix}")) == (0 if codelist else 6)
    assert not codelist or not found(tmp_path / "safe.rds")
