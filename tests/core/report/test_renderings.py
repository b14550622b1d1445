"""Both renderings say the same, say everything, and let nothing of the user's texts become markup."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.recipe.model import Report
from core.report.blocks import Heading, ReportData, ReportTable, Terms, Text
from core.report.compose import compose
from core.report.facts import Key, NamedFile, RecodeFacts, ReportInput, SafeVariable
from core.report.html import render_html, render_plain
from core.risk.measures.registry import REGISTRY as MEASURES
from tests.core.report.examples import FOLDER, demodata, empty, table

NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
PICTURE = re.compile(r'src="data:image/svg\+xml;base64,([^"]+)"')


class _Words(HTMLParser):
    """The text that a reader sees, without styles, pictures and the title of the window."""

    HIDDEN = ("style", "svg", "title")

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.tags: list[str] = []
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        self.depth += tag in self.HIDDEN

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag in self.HIDDEN

    def handle_data(self, data: str) -> None:
        if not self.depth:
            self.parts.append(data)


def read(html: str) -> _Words:
    words = _Words()
    words.feed(html)
    words.close()
    assert words.depth == 0
    return words


def numbers(html: str) -> list[str]:
    return NUMBER.findall(" ".join(read(html).parts))


def texts(report: ReportData) -> Iterator[str]:
    """Every text and cell that the report has."""
    yield report.title
    if report.verdict is not None:
        yield from (report.verdict.headline, report.verdict.sentence)
    for figure in report.figures:
        yield from (figure.value, figure.beside, figure.meaning)
    yield from (t.text for t in report.summary)
    for section in report.sections:
        yield section.title
        for block in section.blocks:
            if isinstance(block, Heading | Text):
                yield block.text
            elif isinstance(block, Terms):
                yield from (value for _name, value in block.cells())
            elif isinstance(block, ReportTable):
                yield from (column.title for column in block.columns)
                yield from (cell for row in block.cells() for cell in row)


def squeezed(parts: list[str] | str) -> str:
    return re.sub(r"\s+", " ", " ".join(parts) if isinstance(parts, list) else parts).strip()


CASES = {
    "full": demodata(),
    "external": demodata("external"),
    "empty": empty(),
    "no recodes": demodata(recodes=()),
    "no threshold": demodata(tables=(replace(table(), threshold=None),)),
    "nothing unsafe": demodata(tables=(replace(table(), threshold=0.9),)),
    "no suppression": demodata(suppression=None, unsafe_left=397),
    "failed": demodata(verified=False),
}


@pytest.mark.parametrize("name", CASES)
def test_both_renderings_have_the_same_figures_in_the_same_order(name: str) -> None:
    report = compose(CASES[name])
    whole, plain = render_html(report), render_plain(report)
    contents = re.sub(r"(?s)<nav.*?</nav>", "", whole)  # only the file has a table of contents
    assert numbers(contents) == numbers(plain)


@pytest.mark.parametrize("name", CASES)
def test_both_renderings_are_complete(name: str) -> None:
    report = compose(CASES[name])
    for html in (render_html(report), render_plain(report)):
        seen = squeezed(read(html).parts)
        for text in texts(report):
            assert squeezed(text) in seen


@pytest.mark.parametrize("name", CASES)
def test_both_renderings_show_the_same_pictures(name: str) -> None:
    report = compose(CASES[name])
    inline = re.findall(r"(?s)<svg.*?</svg>", render_html(report))
    embedded = [b64decode(data).decode("utf-8") for data in PICTURE.findall(render_plain(report))]
    assert inline == embedded
    for svg in inline:
        ET.fromstring(svg)


def test_the_file_needs_nothing_from_elsewhere() -> None:
    html = render_html(compose(demodata()))
    assert html.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert not re.findall(r"(?i)<(?:link|script|img|iframe|object|base)\b|@import|url\(", html)
    assert set(re.findall(r"https?://[^\s\"<]+", html)) <= {"http://www.w3.org/2000/svg"}


def test_the_same_report_gives_the_same_text() -> None:
    assert render_html(compose(demodata())) == render_html(compose(demodata()))


def test_the_external_variant_has_no_path_no_checksum_and_no_record_level_file() -> None:
    report = compose(demodata("external"))
    for html in (render_html(report), render_plain(report)):
        seen = squeezed(read(html).parts)
        assert "Demodata.saf" in seen
        for secret in (str(FOLDER), "/home", "anna", "records.csv", "9f9f9f", "5e5e5e"):
            assert secret not in seen
    inside = render_html(compose(demodata()))
    assert str(FOLDER / "safe/records.csv") in inside
    assert "9f" * 32 in inside


hostile = st.one_of(
    st.sampled_from(
        [
            "<script>alert(1)</script>",
            "</style><b>",
            '"><img src=x onerror=y>',
            "{{ 7*7 }}",
            "{name}",
            "%s",
            "&lt;",
            "a" * 500,
        ]
    ),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))),
)


def spoilt(text: str) -> ReportInput:
    """A report in which every text of the user is `text`."""
    base = demodata()
    spoilt_table = replace(base.tables[0], variables=(text, text))
    return replace(
        base,
        details=Report(text, text, text, text, text),
        files=tuple(NamedFile(f.role, FOLDER / "x" / (text.replace("/", "") or "x")) for f in base.files),
        keys=(Key(text, text, related=text),),
        tables=(spoilt_table,),
        recodes=(RecodeFacts(text, ((text, text, text),), (text,), text, (text,), text),),
        measures=({"kind": text, "variables": [text], "figures": {text: [text, 1, 0.5]}},),
        warnings=(text,),
        layout=replace(base.layout, variables=(SafeVariable(text, text),), removed=(text,)) if base.layout else None,
        recipe_text=text,
        weight=text,
        household_id=text,
    )


@given(hostile)
def test_no_text_of_the_user_becomes_markup(text: str) -> None:
    report = compose(spoilt(text))
    harmless = compose(spoilt("x"))
    assume(text not in MEASURES.names)  # a measure of that kind says in a sentence what it is
    # Who writes a term of the field has it explained, as anybody.
    explained = [[s for s in each.sections if s.id == "terms"] for each in (report, harmless)]
    assume(explained[0] == explained[1])
    for render in (render_html, render_plain):
        words = read(render(report))
        tags = [t for t in words.tags if t not in ("rect", "text", "line", "path")]
        expected = [t for t in read(render(harmless)).tags if t not in ("rect", "text", "line", "path")]
        if text.strip():
            assert tags == expected
        assert squeezed(text) in squeezed(words.parts)
