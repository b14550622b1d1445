"""Odd surveys carried out as a batch job."""

from __future__ import annotations

import csv
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from core.batch import run
from core.data.variables import Metadata, Variable
from core.formats.formulas import formula_texts, named_like_formulas
from core.metadata.describe import describe
from core.recipe.model import Input
from tests.odd_files import HTML, MAKERS


@pytest.mark.parametrize("name", list(MAKERS))
def test_they_are_protected(tmp_path: Path, name: str) -> None:
    path = MAKERS[name](tmp_path)
    summary = run(path)[0]
    assert summary["verified"] is True
    report = (tmp_path / "out" / "safe.html").read_text(encoding="utf-8")
    assert HTML[0] not in report
    assert "&lt;b&gt;bold&lt;/b&gt;" in report


@pytest.mark.parametrize("missing", ["", 'missing = [""]'])
@pytest.mark.parametrize("parts", [False, True])
def test_as_many_codes_as_a_byte_has_numbers(tmp_path: Path, parts: bool, missing: str) -> None:
    """There is one number more than codes: that of what is missing."""
    lines = ["A,B,G,W", *(f"{i % 256},{i % 2},{i % 257},{1 + i % 256}" for i in range(1024))]
    (tmp_path / "data").mkdir()
    for name in ("a.csv", "b.csv") if parts else ("a.csv",):
        (tmp_path / "data" / name).write_text("\n".join(lines) + "\n")
    path = tmp_path / "recipe.pavo"
    path.write_text(f"""recipe = 1
[input]
data = "data{"" if parts else "/a.csv"}"
[variables.A]
{missing}
[variables.B]
missing = [""]
[variables.G]
missing = [""]
[variables.W]
role = "weight"
[[recodes]]
variable = "G"
scheme = "0: 0-1"
[[combinations]]
variables = ["A", "B"]
[[combinations]]
variables = ["G"]
model = "frequency"
count_threshold = 3
[[perturbations]]
method = "weight-noise"
share = 0.1
[threshold]
individual_risk = 0.004
[output]
data = "safe{"" if parts else ".csv"}"
""")
    assert run(path)[0]["suppression"]["total"] > 0


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_shows_marks_of_html_as_text(tmp_path: Path) -> None:
    run(MAKERS["html"](tmp_path))
    tags = Tags()
    tags.feed((tmp_path / "out" / "safe.html").read_text(encoding="utf-8"))
    assert not tags.found & {"b", "img", "script", "u", "i"}
    assert "onerror" not in tags.attributes
    assert HTML[1] in tags.text


def test_texts_that_look_like_formulas_are_named_once(tmp_path: Path) -> None:
    path = MAKERS["formulas"](tmp_path)
    original = (tmp_path / "formulas.csv").read_bytes()
    path.write_text(path.read_text(encoding="utf-8").replace("[output]", '[suppression]\ncriterion = "none"\n[output]'))
    warnings = [warning for warning in run(path)[0]["warnings"] if warning["id"] == "formula-text"]
    assert len(warnings) == 1
    rows = list(csv.DictReader(original.decode().splitlines()))
    expected = sum(row["A"] in ("=1+1", "@SUM(A1)", "+49 30", "-", "-x") for row in rows) + 1
    assert warnings[0]["text"].startswith(
        f"{expected} values begin with =, +, - or @ and are no numbers, in A, copied:"
    )
    assert (tmp_path / "out" / "safe.csv").read_bytes() == original
    assert warnings[0]["text"] in (tmp_path / "out" / "safe.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_formulas_are_found_where_they_stand(tmp_path: Path, encoding: str, line_end: str) -> None:
    data = tmp_path / "a.csv"
    for text, expected in (
        ("=1;b\n-5;2\n", {"A": 1}),
        ("-5;+2,5\n-3;4\n", {}),
        ('"=1";"-2"\n"a";"b=c"\n', {"A": 1}),
        ('1;"x\n=2"\n', {}),
        ("1;-2-3", {"B": 1}),
        ("1;-", {"B": 1}),
    ):
        data.write_bytes(("A;B\n" + text).replace("\n", line_end).encode(encoding))
        metadata = describe(Input(data, delimiter=";", header=True, format="delimited"))
        assert formula_texts(data, metadata) == expected, text


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_file_without_formulas_is_looked_at_and_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line_end: str
) -> None:
    data = tmp_path / "a.csv"
    data.write_bytes(("A;B\n-5;+2,5\n-3;4\n" + "x;-1\n" * 100).replace("\n", line_end).encode())
    metadata = describe(Input(data, delimiter=";", header=True, format="delimited"))
    monkeypatch.setattr("core.formats.formulas._STEP", 64)
    monkeypatch.delattr("core.formats.convert.code_batches")
    assert formula_texts(data, metadata) == {}
    data.write_bytes(data.read_bytes() + b"-x;1")
    with pytest.raises(ImportError):
        formula_texts(data, metadata)


def test_a_first_value_behind_a_byte_order_mark_is_a_formula(tmp_path: Path) -> None:
    data = tmp_path / "a.csv"
    data.write_bytes("=1+1;b\nx;c\n".encode("utf-8-sig"))
    metadata = describe(Input(data, delimiter=";", header=False, format="delimited"))
    assert sum(formula_texts(data, metadata).values()) == 1


def test_a_name_that_looks_like_a_formula_is_named(tmp_path: Path) -> None:
    path = MAKERS["formulas"](tmp_path)
    data = tmp_path / "formulas.csv"
    data.write_text(data.read_text("utf-8").replace("copied", "=cmd|' /C calc'!A0", 1), "utf-8")
    text = path.read_text("utf-8").replace("[variables.copied]", """[variables."=cmd|' /C calc'!A0"]""")
    path.write_text(text.replace("[output]", '[suppression]\ncriterion = "none"\n[output]'), "utf-8")
    (warning,) = [warning for warning in run(path)[0]["warnings"] if warning["id"] == "formula-name"]
    assert warning["text"].startswith("The names of variables =cmd|' /C calc'!A0 begin with")
    assert "/C calc" in (tmp_path / "out" / "safe.csv").read_text("utf-8").splitlines()[0]


@pytest.mark.parametrize(
    ("layout", "named"),
    [
        (Metadata("delimited", tuple(map(Variable, ("=1+1", "+A", "-1", "@b", "A=")))), "=1+1, +A, @b"),
        (Metadata("delimited", (Variable("A"), Variable("-2,5"))), None),
        (Metadata("delimited", (Variable("=A"),), header=False), None),
        (Metadata("spss", (Variable("@A"),)), None),
    ],
)
def test_names_are_judged_like_values(layout: Metadata, named: str | None) -> None:
    notices = named_like_formulas(layout)
    assert [dict(notice.values)["variables"] for notice in notices] == ([] if named is None else [named])


def test_only_delimited_files_hold_formulas(tmp_path: Path) -> None:
    path = MAKERS["formulas"](tmp_path)
    text = path.read_text(encoding="utf-8").replace("safe.csv", "safe.sav")
    path.write_text(text, encoding="utf-8")
    assert not [warning for warning in run(path)[0]["warnings"] if warning["id"] == "formula-text"]
