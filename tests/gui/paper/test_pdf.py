"""The report as PDF says what the HTML file says, figure for figure; no display is needed, and no column is cut."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication

from core.base.errors import OutputError
from core.recipe.model import Report
from core.report.blocks import ReportColumn, ReportData, ReportTable, Section
from core.report.compose import compose
from core.report.facts import RecodeFacts
from core.report.html import render_html
from gui.paper.pdf import render_pdf
from gui.paper.tables import fitted
from tests.core.report.examples import demodata, empty, table
from tests.gui.paper.pdf_text import page_texts

FIGURE = re.compile(r"\d(?:[\d.,]*\d)?")
"""Groups of thousands count one by one: which space is between them is not told by every font."""

WIDE = ReportTable(
    tuple(ReportColumn(f"Variable {j} of many", "count") for j in range(14)),
    tuple(tuple(1000 * i + j for j in range(14)) for i in range(90)),
    "A wide table",
    note="That was a wide table.",
)

CASES = {
    "auditor": compose(demodata(details=Report("Survey", answers=(("geography", "At least 1234 people."),)))),
    "outsiders": compose(demodata("external")),
    "users": compose(demodata(details=Report("Survey", audience="users"))),
    "empty": compose(empty()),
    "long": compose(
        demodata(recodes=(RecodeFacts("X", tuple((str(i), f"label {i}", f"{i}0-{i}9") for i in range(1000, 1400))),))
    ),
    "second opinion": compose(demodata(tables=(replace(table(), rate_observed=0.0123),))),
}


def figures(text: str) -> Counter[str]:
    return Counter(FIGURE.findall(text))


def html_text(report: ReportData) -> str:
    """What a reader of the HTML file sees, pictures included; contents and invisible descriptions left out."""
    html = re.sub(r"(?s)<style.*?</style>|<nav.*?</nav>|<title.*?</title>|<desc.*?</desc>", " ", render_html(report))
    return unescape(re.sub(r"<[^>]+>", "\n", html))


@pytest.mark.parametrize("name", CASES)
def test_every_figure_of_the_html_file_is_in_it(name: str, qapp: QApplication) -> None:
    report = CASES[name]
    pages = page_texts(render_pdf(report))
    missing = figures(html_text(report)) - figures("\n".join(pages))
    assert {figure for figure in missing if len(figure) < 30} == set(), "checksums alone are broken into lines"
    assert f"Page {len(pages)} of {len(pages)}" in pages[-1]
    for section in report.sections:
        assert any(section.title in page for page in pages)


def test_contents_name_the_pages_on_which_sections_begin(qapp: QApplication) -> None:
    report = CASES["long"]
    pages = page_texts(render_pdf(report))
    for number, section in enumerate(report.sections, 1):
        title = f"{number}   {section.title}"
        found = [place for place, page in enumerate(pages, 1) if title in page]
        contents = next(page for page in pages if title in page)
        assert f"{title}\n{found[-1]}\n" in contents


def test_a_wide_table_is_turned_and_its_header_repeated(qapp: QApplication) -> None:
    report = replace(CASES["empty"], sections=(Section("wide", "Wide", (WIDE,)), *CASES["empty"].sections))
    pdf = render_pdf(report)
    pages = page_texts(pdf)
    turned = [number for number, box in enumerate(re.findall(rb"/MediaBox \[0 0 (\d+)[\d.]* ", pdf)) if int(box) > 800]
    assert len(turned) > 1
    assert all(pages[number].count("Variable") == 14 for number in turned)
    assert "Wide" in pages[turned[0]]
    assert "That was a wide table." in pages[turned[-1]]
    assert not figures(html_text(report)) - figures("\n".join(pages))


@pytest.mark.parametrize(
    ("least", "whole", "expected"),
    [
        ([10, 10], [20, 30], [20, 30]),
        ([10, 10], [60, 110], [36.6, 63.4]),
        ([100, 300], [500, 500], [25, 75]),
    ],
)
def test_columns_share_the_room(least: list[float], whole: list[float], expected: list[float]) -> None:
    assert fitted(least, whole, 100.0) == pytest.approx(expected, abs=4)
    assert sum(fitted(least, whole, 100.0)) <= 100.0 + 1e-9


def test_without_fonts_it_is_refused(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFontDatabase, "families", list)
    with pytest.raises(OutputError) as refused:
        render_pdf(CASES["empty"])
    assert refused.value.id == "no-fonts"


def test_it_needs_no_display(repo: Path, tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from gui.paper.pdf import render_pdf; from core.report.compose import compose; "
        "from tests.core.report.examples import empty; pdf = render_pdf(compose(empty())); "
        "pathlib.Path(sys.argv[1]).write_bytes(pdf)"
    )
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in hidden} | {"PYTHONPATH": str(repo)}
    target = tmp_path / "report.pdf"
    done = subprocess.run(
        [sys.executable, "-c", code, str(target)],
        cwd=repo,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert target.read_bytes().startswith(b"%PDF-")
