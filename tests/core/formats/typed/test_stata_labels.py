"""Labels in Stata files that name no encoding (of Stata 13 and earlier), and those that the program makes for them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from core.base.errors import OutputError
from core.batch import run
from tests.typed_files import opened, written

OLD = (8, 10, 12, 13)
RECIPE = """recipe = 1
[input]
data = "a.dta"
[[combinations]]
variables = ["AGE"]
[[recodes]]
variable = "AGE"
scheme = "{scheme}"
[suppression]
criterion = "none"
[output]
data = "b.dta"
"""


def recoded(folder: Path, scheme: str, version: int, labels: dict[int, str] | None = None) -> dict[float, str]:
    frame = pd.DataFrame({"AGE": [float(age) for age in range(15, 96)]})
    given = {"AGE": labels} if labels else None
    pyreadstat.write_dta(frame, folder / "a.dta", version=version, variable_value_labels=given)
    (folder / "r.pavo").write_text(RECIPE.format(scheme=scheme), encoding="utf-8")
    assert run(folder / "r.pavo")[0]["verified"] is True
    found: dict[float, str] = pyreadstat.read_dta(folder / "b.dta")[1].variable_value_labels.get("AGE", {})
    return found


@pytest.mark.parametrize("version", OLD)
def test_labels_of_new_codes_are_in_plain_signs_where_no_encoding_is_said(tmp_path: Path, version: int) -> None:
    assert recoded(tmp_path, "1: 15-29\\n2: 30-95", version) == {1: "15-29", 2: "30-95"}


def test_labels_of_new_codes_are_as_they_are_shown_in_unicode(tmp_path: Path) -> None:
    assert recoded(tmp_path, "1: 15-29\\n2: 30-95", 14) == {1: "15–29", 2: "30–95"}


@pytest.mark.parametrize(("version", "dots"), [(12, "..."), (14, "…")])
def test_many_labels_in_one_are_cut_with_dots_that_can_be_written(tmp_path: Path, version: int, dots: str) -> None:
    labels = {age: f"{age} years" for age in range(15, 96)}
    found = recoded(tmp_path, "1: 15-95", version, labels)
    assert found == {1: f"15 years, 16 years, 17 years, 18 years{dots}"}


@pytest.mark.parametrize("version", [13, 15])
def test_a_code_that_stata_cannot_label_has_no_made_label(tmp_path: Path, version: int) -> None:
    dash = "-" if version == 13 else "–"
    assert recoded(tmp_path, "0.5: 15-29\\n2: 30-94\\n3000000000: 95", version) == {2: f"30{dash}94"}


def windows(path: Path, version: int) -> Path:
    """A file as Stata on Windows wrote it: signs that Latin-1 lacks in labels, texts and a long text."""
    frame = pd.DataFrame({"AGE": [1, 2, 1], "TEXT": ["a#b", "c", "\xe9"]})
    given = {"value_labels": {"AGE": {1: "18#29", 2: "\xe9"}}, "variable_labels": {"AGE": "Age # of all"}}
    frame["LONG"] = ["x" * 3000 + "#", "", "\xe9" * 2050] if version == 117 else "y"
    frame.to_stata(path, version=version, write_index=False, **given)  # type: ignore[call-overload]
    path.write_bytes(path.read_bytes().replace(b"#", b"\x96"))
    return path


@pytest.mark.parametrize("version", [114, 117])
def test_signs_of_windows_are_read_and_come_back(tmp_path: Path, version: int) -> None:
    path, out = windows(tmp_path / "a.dta", version), tmp_path / "b.dta"
    metadata, microdata = opened(path)
    assert metadata["AGE"].label == "Age – of all"
    assert metadata["AGE"].labels == (("1", "18–29"), ("2", "é"))
    assert "a–b" in microdata.columns["TEXT"].codes
    assert version == 114 or "x" * 3000 + "–" in microdata.columns["LONG"].codes
    written(path, out)
    assert opened(out)[0] == metadata
    assert opened(out)[1].columns["LONG"].codes == microdata.columns["LONG"].codes
    assert out.read_bytes().count(b"\x96") == path.read_bytes().count(b"\x96")


def test_the_users_own_labels_are_written_as_they_are_or_refused(tmp_path: Path) -> None:
    codelist = tmp_path / "age.cdl"
    codelist.write_text("1,15–29\n2,30 €\n", encoding="utf-8")
    scheme = '1: 15-29\\n2: 30-95\\n<CODELIST> \\"age.cdl\\"'
    assert recoded(tmp_path, scheme, 13) == {1: "15–29", 2: "30 €"}
    codelist.write_text("1,żak\n", encoding="utf-8")
    with pytest.raises(OutputError, match="a label of a value is too long, or the file cannot hold its characters"):
        recoded(tmp_path, scheme, 13)
