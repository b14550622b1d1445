"""The report as PDF, set by the library ``typst``: tagged as PDF/UA-1 asks, and the same bytes for the same report.

The template ``report.typ`` gets the report as JSON: what the data hold is never read as markup. Only the fonts inside
the library are used, so that a report looks the same everywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import unescape
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from ..base.errors import OutputError
from ..base.texts import language_in_use, mark, translate
from .blocks import AnswerField, Block, Code, Heading, ReportData, ReportTable, Terms, Text
from .html import RESOURCES, Chart, chart_svg, kind
from .svg import FONT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typst import Fonts

_MEASURED = 12
"""Texts of a column that are measured: those of most characters."""
_DESCRIBED = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)
"""What a picture says to those who cannot see it."""

_FONTS_OF_CHARTS = "'Libertinus Serif', 'DejaVu Sans Mono'"
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_LINE_BREAK = re.compile("\r\n|[\r\u2028\u2029]")

PAGE = mark("Page {page} of {pages}")
LACKING = mark("Characters that the fonts of this file lack are shown as {sign}; the HTML report has them.")


def render_pdf(report: ReportData) -> bytes:
    """The report as a PDF file; the same report gives the same bytes.

    Raises
    ------
    OutputError
        ``pdf-not-made``: the library is not there, or cannot set the report.
    """
    with language_in_use(report.language):
        given = _shown(_told(report))
        if _lacks(given):
            given["lacking"] = translate(LACKING).format(sign=_REPLACEMENT)
    try:
        return _compiled(json.dumps(given, ensure_ascii=False))
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # a panic of the library is no Exception
        raise OutputError(
            "pdf-not-made",
            mark("The report cannot be made as PDF: {reason}."),
            mark("Take the HTML report; the web browser prints it and saves it as PDF, too."),
            reason=str(getattr(error, "message", error)).rstrip(".") or type(error).__name__,
        ) from error


def _compiled(given: str) -> bytes:
    import typst

    return typst.compile(
        str(RESOURCES / "report.typ"),
        root=str(RESOURCES),
        font_paths=_fonts(),
        ignore_system_fonts=True,
        format="pdf",
        sys_inputs={"report": given},
        pdf_standards="ua-1",
    )


@cache
def _fonts() -> Fonts:
    """The fonts inside the library."""
    import typst

    return typst.Fonts(include_system_fonts=False)


@cache
def characters() -> frozenset[str]:
    """What the fonts inside the library have, but for combining marks: none stands alone."""
    lines = (RESOURCES / "characters.txt").read_text("ascii").split()
    ranges = (line.split("-") for line in lines)
    return frozenset(chr(code) for first, last in ranges for code in range(int(first, 16), int(last, 16) + 1))


def _shown(given: Any) -> Any:
    """The same with a sign in place of every character that cannot be shown, whatever it would do to the text."""
    if isinstance(given, str):
        text = normalize("NFC", _LINE_BREAK.sub("\n", given).replace("\t", "    "))
        if set(text) <= characters():
            return text
        return "".join(each if each == "\n" or each in characters() else _REPLACEMENT for each in text)
    if isinstance(given, Mapping):
        return {key: _shown(value) for key, value in given.items()}
    return [_shown(value) for value in given] if isinstance(given, list | tuple) else given


def _lacks(given: Any) -> bool:
    """Whether a sign stands in place of any character."""
    if isinstance(given, str):
        return _REPLACEMENT in given
    parts = given.values() if isinstance(given, dict) else given if isinstance(given, list) else ()
    return any(map(_lacks, parts))


def _told(report: ReportData) -> dict[str, Any]:
    """The report as the template takes it."""
    language, _, region = report.language.replace("-", "_").partition("_")
    return {
        "title": report.title if report.title.strip() else "–",
        "lacking": "",
        "subtitle": report.subtitle,
        "created": report.created,
        "lang": language,
        "region": region or None,
        "foot": f"{report.title} · {report.footer}",
        "page": translate(PAGE),
        "details": report.details,
        "verdict": None if report.verdict is None else vars(report.verdict),
        "figures": [vars(figure) for figure in report.figures],
        "summary_title": report.summary_title,
        "summary": [vars(line) for line in report.summary],
        "contents_title": report.contents_title,
        "sections": [
            {"title": section.title, "blocks": [{"kind": kind(block)} | _block(block) for block in section.blocks]}
            for section in report.sections
        ],
    }


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Heading | Text | Code | AnswerField):
        return vars(block)
    if isinstance(block, Terms):
        return {"cells": block.cells()}
    return _table(block) if isinstance(block, ReportTable) else _chart(block)


def _table(table: ReportTable) -> dict[str, Any]:
    rows, head = table.cells(), [column.title for column in table.columns]
    columns = list(zip(*rows, strict=True)) or [()] * len(head)
    return {
        "head": head,
        "rows": rows,
        "right": table.numeric(),
        "total": table.total,
        "caption": table.caption,
        "note": table.note,
        "measured": [
            {"head": _measured([title]), "cells": _measured(cells)} for title, cells in zip(head, columns, strict=True)
        ],
    }


def _measured(texts: Iterable[str]) -> dict[str, Sequence[str]]:
    """By which lines and words a column is measured."""
    lines = {line for text in texts for line in text.split("\n")}
    words = {word for line in lines for word in line.split(" ")}
    return {"lines": _longest(lines), "words": _longest(words)}


def _longest(texts: set[str]) -> list[str]:
    return sorted(texts, key=lambda text: (-len(text), text))[:_MEASURED]


def _chart(block: Chart) -> dict[str, Any]:
    svg = chart_svg(block)
    alt = f"{block.title}. {unescape(told[1])}" if (told := _DESCRIBED.search(svg)) else block.title
    return {"svg": svg.replace(FONT, _FONTS_OF_CHARTS), "alt": alt, "caption": f"{block.title}. {block.caption}"}
