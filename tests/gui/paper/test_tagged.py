"""The PDF is read aloud in its order: headings, paragraphs, cells; rules and what is said once more are skipped."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from core.report.compose import compose
from gui.paper.elements import Element, Marks
from gui.paper.pdf import render_pdf
from gui.paper.tagged import tagged
from tests.core.report.examples import demodata
from tests.gui.paper.pdf_text import page_texts, read_aloud
from tests.gui.paper.test_pdf import CASES


@pytest.fixture(scope="module")
def pdf(qapp: QApplication) -> bytes:
    return render_pdf(CASES["long"])


def test_headings_and_cells_are_read_in_the_order_of_the_report(pdf: bytes) -> None:
    report, read = CASES["long"], read_aloud(pdf)
    assert read[0] == ("H1", report.title)
    headings = [" ".join(text.split()) for role, text in read if role == "H2"]
    sections = [f"{number} {section.title}" for number, section in enumerate(report.sections, 1)]
    assert headings == [report.summary_title, report.contents_title, *sections]
    cells = [(role, text) for role, text in read if role in ("TH", "TD")]
    at = cells.index(("TD", "1000"))
    assert cells[at - 3 : at + 3] == [
        ("TH", "Code"), ("TH", "Label"), ("TH", "Original codes"), ("TD", "1000"), ("TD", "label 1000"),
        ("TD", "10000-10009"),
    ]  # fmt: skip


def test_every_text_is_read_once_but_for_headers_said_again_and_the_foot(pdf: bytes) -> None:
    written = "".join("".join(page_texts(pdf)).split())
    read = "".join("".join(text for _role, text in read_aloud(pdf)).split())
    pages = len(page_texts(pdf))
    again = written.count("CodeLabelOriginalcodes") - read.count("CodeLabelOriginalcodes")
    assert again == pages - 1 - [("CodeLabelOriginalcodes" in "".join(p.split())) for p in page_texts(pdf)].count(False)
    foot = f"{CASES['long'].title}·{CASES['long'].footer}".replace(" ", "")
    assert foot in written
    assert foot not in read
    assert read.count("Page1of") == 0


def test_the_file_names_its_language_its_title_and_its_sections(pdf: bytes) -> None:
    assert b"/MarkInfo << /Marked true >>" in pdf
    assert b"/Lang <FEFF0065006E>" in pdf
    assert b"/DisplayDocTitle true" in pdf
    titles = [bytes.fromhex(t.decode()).decode("utf-16") for t in re.findall(rb"/Title <(\w+)> /Parent", pdf)]
    assert titles == [f"{number} {section.title}" for number, section in enumerate(CASES["long"].sections, 1)]
    assert b'pdfaid:part="1" pdfaid:conformance="B"' in pdf


def test_the_table_of_objects_says_where_each_of_them_is(pdf: bytes) -> None:
    place = int(pdf[pdf.rindex(b"startxref") + 9 :].split()[0])
    rows = pdf[place : pdf.rindex(b"trailer")].split(b"\n")[2:-1]
    for number, row in enumerate(rows):
        if row[17:18] == b"n":
            assert pdf[int(row[:10]) :].startswith(b"%d 0 obj" % number)


def test_tags_are_never_inside_each_other_and_all_that_is_painted_is_in_one(pdf: bytes) -> None:
    contents = [zlib.decompress(part) for part in re.findall(rb"(?s)/FlateDecode >>\nstream\n(.*?)\nendstream", pdf)]
    assert len(contents) == len(page_texts(pdf))
    for content in contents:
        is_open = False
        for word in re.findall(rb"\b(BDC|BMC|EMC|Tj|BT)\b", content):
            if word in (b"BDC", b"BMC"):
                assert not is_open
                is_open = True
            elif word == b"EMC":
                assert is_open
                is_open = False
            else:
                assert is_open, "every text is somebody's, or skipped"
        assert not is_open


def test_a_picture_says_what_it_shows(qapp: QApplication) -> None:
    made = render_pdf(replace(compose(demodata()), language="de_DE"))
    told = [bytes.fromhex(text.decode()).decode("utf-16") for text in re.findall(rb"/Alt <(\w+)>", made)]
    assert any("Original file: 3968 records unsafe" in text for text in told)
    assert b"/Lang <FEFF00640065002D00440045>" in made


def test_a_file_of_another_make_is_refused(pdf: bytes) -> None:
    marks = Marks()
    marks.begin_page()
    with pytest.raises(ValueError, match="as many pages"):
        tagged(pdf, Element("Document"), marks, "en", ())
