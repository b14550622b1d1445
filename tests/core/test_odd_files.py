"""Odd surveys carried out as a batch job."""

from __future__ import annotations

import csv
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from core.batch import run
from core.io.formulas import formula_texts
from core.microdata.describe import describe
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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_formulas_are_found_where_they_stand(tmp_path: Path, encoding: str) -> None:
    data = tmp_path / "a.csv"
    for text, expected in (
        ("=1;b\n-5;2\n", {"A": 1}),
        ("-5;+2,5\n-3;4\n", {}),
        ('"=1";"-2"\n"a";"b=c"\n', {"A": 1}),
        ('1;"x\n=2"\n', {}),
        ("1;-2-3", {"B": 1}),
        ("1;-", {"B": 1}),
    ):
        data.write_bytes(("A;B\n" + text).encode(encoding))
        metadata = describe(Input(data, delimiter=";", header=True, format="delimited"))
        assert formula_texts(data, metadata) == expected, text


def test_only_delimited_files_hold_formulas(tmp_path: Path) -> None:
    path = MAKERS["formulas"](tmp_path)
    text = path.read_text(encoding="utf-8").replace("safe.csv", "safe.sav")
    path.write_text(text, encoding="utf-8")
    assert not [warning for warning in run(path)[0]["warnings"] if warning["id"] == "formula-text"]
