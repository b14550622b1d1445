"""Demodata as free format without names, in other encodings, with a decimal comma, and as SPSS portable file.

The figures are those of the fixed file, and what nothing changes is written byte for byte.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest

from tests.core import demodata
from tests.core.demodata import USED, check
from tests.rda import read_rda

Rows = list[list[str]]


@pytest.fixture(scope="module")
def rows(shared: Path) -> Rows:
    """The used columns of Demodata as texts, names first."""
    folder = shared / "data" / "demodata"
    metadata = read_rda(folder / "Demodata.rda")
    places = [(metadata[name].start - 1, metadata[name].length) for name in USED]
    lines = (folder / "Demodata.asc").read_text(encoding="latin-1").splitlines()
    return [list(USED), *([line[start : start + length].strip() for start, length in places] for line in lines)]


def joined(rows: Rows, delimiter: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def with_comma(rows: Rows) -> Rows:
    """Weights and amounts with a decimal comma."""
    return [rows[0], *([*row[:4], *(field.replace(".", ",") for field in row[4:])] for row in rows[1:])]


def described(header: bool, delimiter: str = ",") -> str:
    lines = [f'<SEPARATOR> "{delimiter}"', *["<NAMESINFRONT>"] * header]
    for name in USED:
        missing = {"REGION": '"9999" "9998"', "SEX": '"9"', "AGE": '"99"', "MARSTAT": '"9"'}.get(name, "")
        lines += [f"{name} 8 {missing}"]
        lines += {"WEIGHT": ["<NUMERIC>", "<WEIGHT>"], "INCOME": ["<NUMERIC>"]}.get(name, ["<RECODABLE>"])
    return "\n".join(lines)


def protect(folder: Path, data: str, criterion: str, more: str = "", described_by: str = "d.rda") -> dict[str, Any]:
    """The summary of a run; the safe file and its metadata are written beside the data."""
    suffix = Path(data).suffix.replace(".por", ".sav")
    return demodata.protect(folder, data, f"safe{suffix}", described_by, criterion, more, "safe.rds")


FORMS: dict[str, tuple[Callable[[Rows], bytes], bool, str, str]] = {
    "free": (lambda rows: joined(rows[1:]).encode(), False, ",", ""),
    "free, no end of line": (lambda rows: joined(rows[1:]).encode()[:-2], False, ",", ""),
    "free with names": (lambda rows: joined(rows).encode(), True, ",", ""),
    "byte order mark": (lambda rows: codecs.BOM_UTF8 + joined(rows).encode(), True, ",", ""),
    "UTF-16, low byte first": (lambda rows: joined(rows, ";").encode("utf-16"), True, ";", ""),
    "UTF-16, high byte first": (
        lambda rows: codecs.BOM_UTF16_BE + joined(rows, ";").encode("utf-16-be"),
        True,
        ";",
        "",
    ),
    "decimal comma": (lambda rows: joined(with_comma(rows), ";").encode(), True, ";", 'decimal = ","'),
    "decimal comma, detected": (lambda rows: joined(with_comma(rows), ";").encode(), True, ";", ""),
    "tabs": (lambda rows: joined(rows, "\t").encode(), True, "\t", ""),
    "every field in quotes": (
        lambda rows: "".join(",".join(f'"{field}"' for field in row) + "\n" for row in rows).encode(),
        True,
        ",",
        "",
    ),
}


@pytest.mark.parametrize("form", list(FORMS))
def test_demodata_as_delimited_text(rows: Rows, tmp_path: Path, form: str) -> None:
    make, header, delimiter, more = FORMS[form]
    data = make(rows)
    (tmp_path / "d.csv").write_bytes(data)
    (tmp_path / "d.rda").write_text(described(header, delimiter), encoding="utf-8")
    summary = protect(tmp_path, "d.csv", "none", more)
    check(summary)
    assert summary["verified"] is True
    assert (tmp_path / "safe.csv").read_bytes() == data
    summary = protect(tmp_path, "d.csv", "entropy", more)
    check(summary)
    assert summary["suppression"]["total"] == 4274
    assert summary["verified"] is True


def test_demodata_as_spss_portable_file(rows: Rows, tmp_path: Path) -> None:
    frame = pd.DataFrame(rows[1:], columns=rows[0]).astype(float)
    pyreadstat.write_por(frame, str(tmp_path / "d.por"))
    missing = {"REGION": ["9999", "9998"], "SEX": ["9"], "AGE": ["99"], "MARSTAT": ["9"]}
    more = "".join(f"[variables.{name}]\nmissing = {json.dumps(codes)}\n" for name, codes in missing.items())
    more += '[variables.WEIGHT]\nrole = "weight"\n[variables.INCOME]\nnumeric = true\ncategorical = false\n'
    summary = protect(tmp_path, "d.por", "none", more, described_by="")
    check(summary)
    again, _ = pyreadstat.read_sav(tmp_path / "safe.sav")
    assert again.equals(frame)
    summary = protect(tmp_path, "d.por", "entropy", more, described_by="")
    check(summary)
    assert summary["suppression"]["total"] == 4274
