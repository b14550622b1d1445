"""``output.report_pdf``: an output like the others, without which a run goes on where it cannot be made."""

from __future__ import annotations

from pathlib import Path

import pytest
import typst

from core.recipe.toml import parse
from core.release.run import carry_out
from core.report.pdf import render_pdf
from core.session import Session

RECIPE = """
recipe = 1
[input]
data = "a.csv"
delimiter = ";"
header = true
[[combinations]]
variables = ["SEX"]
model = "k-anonymity"
k = 2
[output]
data = "safe/a.csv"
report = "safe/a.html"
report_pdf = "safe/a.pdf"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text("SEX;X\n" + "1;1\n2;2\n" * 5, encoding="utf-8")
    return tmp_path


def test_it_says_what_the_report_says_and_is_named(folder: Path) -> None:
    result = carry_out(Session(), parse(RECIPE, folder))
    assert (folder / "safe/a.pdf").read_bytes() == render_pdf(result.report)
    assert "a.pdf" in (folder / "safe/a.html").read_text(encoding="utf-8")
    assert result.summary["files"]["report_pdf"]["path"] == str(folder / "safe/a.pdf")


def test_without_it_all_else_is_written_and_it_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object, **_named: object) -> bytes:
        raise RuntimeError("out of luck")

    monkeypatch.setattr(typst, "compile", fail)
    result = carry_out(Session(), parse(RECIPE, folder))
    assert sorted(path.name for path in (folder / "safe").iterdir()) == ["a.csv", "a.html"]
    assert "a.pdf" not in (folder / "safe/a.html").read_text(encoding="utf-8").partition("All other files")[0]
    assert "report_pdf" not in result.summary["files"]
    assert folder / "safe/a.pdf" not in result.files
    (notice,) = result.left
    assert notice.id == "pdf-left-out"
    assert "out of luck. All other files were written" in notice.text
    assert "pdf-left-out" in [warning["id"] for warning in result.summary["warnings"]]


def test_what_stood_there_stays_where_it_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "safe").mkdir()
    (folder / "safe/a.pdf").write_bytes(b"before")
    monkeypatch.setattr(typst, "compile", lambda *_given, **_named: 1 / 0)
    carry_out(Session(), parse(RECIPE, folder))
    assert (folder / "safe/a.pdf").read_bytes() == b"before"
