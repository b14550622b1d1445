"""``output.report_pdf``: an output like the others, drawn by whoever can."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.base.errors import OutputError, RecipeError
from core.recipe.toml import parse
from core.release.run import carry_out
from core.report.blocks import ReportData
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


def test_it_is_drawn_from_the_same_report_and_named_in_it(folder: Path) -> None:
    drawn: list[ReportData] = []

    def draw(report: ReportData) -> bytes:
        drawn.append(report)
        return b"%PDF-1.4 drawn"

    result = carry_out(Session(), parse(RECIPE, folder), pdf=draw)
    assert (folder / "safe/a.pdf").read_bytes() == b"%PDF-1.4 drawn"
    assert drawn == [result.report]
    assert "a.pdf" in (folder / "safe/a.html").read_text(encoding="utf-8")
    assert result.summary["files"]["report_pdf"]["path"] == str(folder / "safe/a.pdf")


def test_where_it_cannot_be_drawn_nothing_is_written(folder: Path) -> None:
    def fail(_report: ReportData) -> bytes:
        raise OutputError("no-fonts", "no fonts")

    with pytest.raises(OutputError, match="no fonts"):
        carry_out(Session(), parse(RECIPE, folder), pdf=fail)
    assert not (folder / "safe").exists()


def test_where_nobody_can_draw_it_is_refused_by_name(folder: Path) -> None:
    with pytest.raises(RecipeError, match=r"output\.report_pdf"):
        carry_out(Session(), parse(RECIPE, folder))
    assert not (folder / "safe").exists()
