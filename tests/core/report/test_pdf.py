"""The report as PDF says what the HTML file says, figure for figure, and reads nothing of the data as markup."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from html import unescape
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
import typst
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import OutputError
from core.recipe.model import Report
from core.report.blocks import (
    AnswerField,
    Block,
    Code,
    Curve,
    Heading,
    ReportColumn,
    ReportData,
    ReportTable,
    Section,
    Terms,
    Text,
)
from core.report.compose import compose
from core.report.facts import RecodeFacts
from core.report.html import RESOURCES, render_html
from core.report.pdf import characters, render_pdf
from tests.core.report.examples import demodata, empty, table
from tests.core.report.pdf_text import language, outline, page_sizes, page_texts, pictures, read_aloud

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

NASTY = "#$@*_`<>[]{}~=+-/\\\"'^|&;:%\0\x01\x07\x7f\x85\n\r\t\v\f\u2028\u202e\u200f\ufeff\ufffd\ud800é\u0301ßŁőΩЖש中😀"
COMMANDS = (
    "#panic()", '#import "@preview/cetz:0.3.4"', "$x$", "</svg>", "= Heading", "- item", "@ref", "\\u{41}", "/* x",
    "https://a.example/b", "C:\\temp\\#x",
)  # fmt: skip
texts = (
    st.sampled_from(COMMANDS)
    | st.text(st.sampled_from(NASTY + "ab 1"), max_size=30)
    | st.text(st.characters(exclude_categories=[]), max_size=30)
)


def report_of(*blocks: Block) -> ReportData:
    """A short report with one section."""
    return ReportData("Title", "Subtitle", "Created", "en", (), (), (Section("one", "One", blocks),), "Foot")


def figures(text: str) -> Counter[str]:
    return Counter(FIGURE.findall(text))


def html_text(report: ReportData) -> str:
    """What a reader of the HTML file sees, pictures included; contents and invisible descriptions left out."""
    html = re.sub(r"(?s)<style.*?</style>|<nav.*?</nav>|<title.*?</title>|<desc.*?</desc>", " ", render_html(report))
    return unescape(re.sub(r"<[^>]+>", "\n", html))


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.fixture(scope="module")
def long() -> bytes:
    return render_pdf(CASES["long"])


@pytest.mark.parametrize("name", CASES)
def test_every_figure_of_the_html_file_is_in_it(name: str) -> None:
    report = CASES[name]
    pages = page_texts(render_pdf(report))
    missing = figures(html_text(report)) - figures("\n".join(pages))
    assert {figure for figure in missing if len(figure) < 30} == set(), "checksums alone are broken into lines"
    assert f"Page {len(pages)} of {len(pages)}" in pages[-1]
    for section in report.sections:
        assert any(section.title in page for page in pages)


def test_outline_and_contents_name_the_sections(long: bytes) -> None:
    report, pages, marks = CASES["long"], page_texts(long), outline(long)
    sections = [f"{number} {section.title}" for number, section in enumerate(report.sections, 1)]
    assert [title for title, _page in marks] == sections
    assert all(title in pages[page - 1] for title, page in marks)
    contents = [squeezed(text) for role, text in read_aloud(long) if role == "Reference"]
    assert contents == [squeezed(f"{title}{page}") for title, page in marks]


def test_a_wide_table_is_turned_and_its_header_repeated() -> None:
    report = replace(CASES["empty"], sections=(Section("wide", "Wide", (WIDE,)), *CASES["empty"].sections))
    pdf = render_pdf(report)
    pages = page_texts(pdf)
    turned = [number for number, (width, height) in enumerate(page_sizes(pdf)) if width > height]
    assert len(turned) > 1
    assert all(pages[number].count("Variable") == 14 for number in turned)
    assert "Wide" in pages[turned[0]]
    assert "That was a wide table." in pages[turned[-1]]
    assert not figures(html_text(report)) - figures("\n".join(pages))


def test_headings_and_cells_are_read_in_order(long: bytes) -> None:
    report, read = CASES["long"], read_aloud(long)
    assert read[0] == ("H1", report.title)
    headings = [squeezed(text) for role, text in read if role == "H2"]
    sections = [squeezed(f"{number}{section.title}") for number, section in enumerate(report.sections, 1)]
    assert headings == [squeezed(report.summary_title), report.contents_title, *sections]
    cells = [(role, text) for role, text in read if role in ("TH", "TD")]
    at = cells.index(("TD", "1000"))
    assert cells[at - 3 : at + 3] == [
        ("TH", "Code"), ("TH", "Label"), ("TH", "Original codes"), ("TD", "1000"), ("TD", "label 1000"),
        ("TD", "10000-10009"),
    ]  # fmt: skip


def test_headers_said_again_and_the_foot_are_not_read(long: bytes) -> None:
    written, read = squeezed("".join(page_texts(long))), "".join(squeezed(text) for _role, text in read_aloud(long))
    assert written.count("LabelOriginalcodes") > 1
    assert read.count("LabelOriginalcodes") == 1
    assert "Page1of" in written
    assert "Page1of" not in read


def test_the_file_names_its_language_title_and_standard(long: bytes) -> None:
    german = render_pdf(replace(CASES["empty"], language="de_DE"))
    with pypdfium2.PdfDocument(german) as document:
        assert document.get_metadata_value("Title") == CASES["empty"].title
        assert pdfium.FPDFCatalog_IsTagged(document.raw)
    assert (language(german), language(long)) == ("de-DE", "en")
    assert b"<pdfuaid:part>1<" in german


def test_a_picture_says_what_it_shows() -> None:
    assert any("Original file: 3,968 records unsafe" in told for told in pictures(render_pdf(CASES["auditor"])))


@pytest.mark.parametrize("name", ["auditor", "empty"])
def test_another_process_gives_the_same_bytes(name: str, repo: Path) -> None:
    code = (
        "import sys; from core.report.pdf import render_pdf; from tests.core.report.test_pdf import CASES; "
        "sys.stdout.buffer.write(render_pdf(CASES[sys.argv[1]]))"
    )
    again = subprocess.run([sys.executable, "-c", code, name], cwd=repo, capture_output=True, check=True).stdout
    assert render_pdf(CASES[name]) == again


def test_it_needs_no_qt(repo: Path) -> None:
    code = (
        "import sys; from core.report.pdf import render_pdf; from core.report.compose import compose; "
        "from tests.core.report.examples import empty; render_pdf(compose(empty())); "
        "assert not [name for name in sys.modules if name.startswith('PySide6')]"
    )
    subprocess.run([sys.executable, "-c", code], cwd=repo, capture_output=True, check=True)


def test_the_template_takes_nothing_from_elsewhere() -> None:
    template = (RESOURCES / "report.typ").read_text("utf-8")
    assert not re.search(
        r"#import|#include|@preview|\b(import|include|read|eval|plugin|csv|xml|toml|yaml)\b *[\"(]", template
    )
    named = set(re.findall(r'font: \(?"([^)]*)"', template))
    families = {one for each in named for one in each.split('", "')}
    assert families <= set(typst.Fonts(include_system_fonts=False).families())


@given(st.lists(texts, min_size=14, max_size=14))
def test_nothing_of_the_data_is_markup(said: list[str]) -> None:
    a, b, c, d, e, f, g, h, i, j, k, m, n, o = said
    columns = (ReportColumn(a), ReportColumn(b))
    report = replace(
        report_of(
            Heading(c),
            Text(d, "warning"),
            ReportTable(columns, ((e, f), (g, "end")), h, note=i),
            Terms(((j, k, "text"),)),
            Code(m),
            AnswerField(n, o, a, 1),
            Curve(b, ((0.1, 3.0), (0.2, 2.0)), (0.1, 3.0), c, d),
        ),
        title=e,
        details=((f, g),),
    )
    assert render_pdf(report).startswith(b"%PDF-")


@given(st.text(st.sampled_from(sorted(set(NASTY) & characters() - {"ש"})), min_size=1, max_size=30))
def test_markup_in_a_cell_is_shown_as_it_stands(text: str) -> None:
    pdf = render_pdf(report_of(ReportTable((ReportColumn("Code"),), ((f"a{text}z",),))))
    (cell,) = [said for role, said in read_aloud(pdf) if role == "TD"]
    assert cell.startswith("a") and cell.endswith("z")
    assert Counter(squeezed(cell)) == Counter(f"a{text}z")


def test_letters_of_all_languages_and_of_names_are_there() -> None:
    shown = "Straße Ñandú œuvre Łódź Őrség ĳ Ελλάδα Москва “„«»” – … € × ≥ \u202f\u00a0"
    assert set(shown) - {" "} <= characters()
    pages = page_texts(render_pdf(report_of(Text(shown))))
    assert squeezed(shown) in squeezed(pages[0])
    assert "HTML" not in pages[0]


def test_all_characters_that_are_promised_have_glyphs() -> None:
    chosen = sorted(characters() - {" "})
    blocks = [Text(" ".join(chosen[first : first + 200])) for first in range(0, len(chosen), 200)]
    table = ReportTable((ReportColumn(" ".join(chosen)),), (("x",),))
    assert len(chosen) > 3000
    assert len(page_texts(render_pdf(report_of(*blocks, table, Code(" ".join(chosen)))))) > 1


def test_characters_without_a_glyph_are_replaced_and_said() -> None:
    pages = page_texts(render_pdf(report_of(Text("a中b😀c\0d\u202ee"))))
    assert "a\ufffdb\ufffdc\ufffdd\ufffde" in pages[0]
    assert "Characters that the fonts of this file lack are shown as \ufffd" in pages[0]


def test_a_word_wider_than_its_column_is_broken() -> None:
    word = "VARIABLE_NAME_" * 30
    pdf = render_pdf(report_of(ReportTable((ReportColumn("A"), ReportColumn("B")), ((word, word),)), Text(word)))
    with pypdfium2.PdfDocument(pdf) as document:
        text = document[0].get_textpage()
        rights = [text.get_charbox(number)[2] for number in range(text.count_chars())]
    assert squeezed(page_texts(pdf)[0]).count("VARIABLE") > 60, "some are parted by an end of a line"
    assert max(rights) <= (210 - 18) * 72 / 25.4 + 1


def test_where_the_library_fails_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object, **_named: object) -> bytes:
        raise RuntimeError("out of luck")

    monkeypatch.setattr(typst, "compile", fail)
    with pytest.raises(OutputError, match="out of luck") as refused:
        render_pdf(CASES["empty"])
    assert refused.value.id == "pdf-not-made"
