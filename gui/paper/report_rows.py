"""The rows of a report on paper, from the same values as its other renderings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import unescape

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QPagedPaintDevice, QPainter

from core.base.texts import mark, translate
from core.report.blocks import (
    Blank,
    Block,
    Code,
    Curve,
    Heading,
    MeasurePicture,
    ReportData,
    ReportTable,
    RiskHistograms,
    Section,
    Terms,
    Text,
    Verdict,
)
from core.report.html import Chart, chart_svg
from gui.paper.elements import Element
from gui.paper.pages import Draw, Row
from gui.paper.tables import TablePainter, terms, together
from gui.paper.words import ACCENT, INK, MUTED, WARNING, Face, Words

BODY, SMALL, CODE, TITLE, SECTION, PART = 9.5, 8.5, 8.0, 20.0, 13.0, 10.5
"""Sizes of type, points."""
_KEPT_LINES = 12
"""A paragraph of no more lines is not cut."""
_DESCRIBED = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)
"""What a picture says to those who cannot see it."""
_TONES = {"plain": INK, "note": MUTED, "good": ACCENT, "warning": INK}
_MARKS = {"good": ("✓", ACCENT), "warning": ("▲", WARNING)}
_BOXES = {"good": ("#e9f4f3", ACCENT, "✓"), "warning": ("#fff7e3", WARNING, "▲")}


class ReportRows:
    """Makes the rows of one report for one device.

    Parameters
    ----------
    width, wide_width, height : of the text in portrait and landscape, and its height in portrait, pixels
    page_of : of each section the number of its page, filled in before anything is drawn
    """

    def __init__(
        self, device: QPagedPaintDevice, width: float, wide_width: float, height: float, page_of: Mapping[str, int]
    ) -> None:
        self._device, self._width, self._wide, self._height, self._page_of = device, width, wide_width, height, page_of
        self._point = device.logicalDpiX() / 72
        self.document = Element("Document")
        """What the rows are to a screen reader, in the order of reading."""
        self._part = self.document
        """That to which the next row belongs."""

    def rows(self, report: ReportData) -> list[Row]:
        """All of the report, in its order."""
        found = list(self._head(report))
        for number, section in enumerate(report.sections, 1):
            found += self._section(section, number)
        return found

    def _head(self, report: ReportData) -> Iterator[Row]:
        yield from self._paragraph(report.title, "bold", TITLE, ACCENT, keep=True, role="H1")
        yield from self._paragraph(report.subtitle, points=11, space=3, keep=True)
        yield from self._paragraph(report.created, points=SMALL, colour=MUTED, space=1, keep=True)
        if report.details:
            yield from _spaced(self._names(report.details), 6 * self._point)
        if report.verdict is not None:
            yield self._verdict(report.verdict)
        if report.figures:
            yield self._figures(report)
        yield from self._heading(report.summary_title, SECTION, 12)
        for line in report.summary:
            yield from self._toned(line)
        yield from self._contents(report)

    def _contents(self, report: ReportData) -> Iterator[Row]:
        """Titles of the sections with their pages, in two columns."""
        yield from self._heading(report.contents_title, SECTION, 12)
        gap = 24 * self._point
        width = (self._width - gap) / 2
        names = [
            Words(f"{number}   {section.title}", "plain", SMALL, 0.88 * width, self._device)
            for number, section in enumerate(report.sections, 1)
        ]
        half = (len(names) + 1) // 2
        columns = (range(half), range(half, len(names)))
        height = max(sum(names[i].height for i in column) for column in columns)
        contents = self._part.child("TOC")
        pieces: list[tuple[Element | None, Draw]] = []
        for shift, column in zip((0.0, width + gap), columns, strict=True):
            y = 0.0
            for i in column:
                entry = self._entry(names[i], report.sections[i].id, width, (shift, y))
                pieces.append((contents.child("TOCI"), entry))
                y += names[i].height
        yield Row(height, together(pieces), pieces=tuple(pieces))

    def _entry(self, name: Words, section: str, width: float, at: tuple[float, float]) -> Draw:
        """A line of the contents, with the page that is known once all rows are placed."""

        def draw(painter: QPainter, left: float, top: float) -> None:
            name.draw(painter, left + at[0], top + at[1])
            page = Words(str(self._page_of[section]), "plain", SMALL, width, self._device, MUTED, right=True)
            page.draw(painter, left + at[0], top + at[1])

        return draw

    def _section(self, section: Section, number: int) -> list[Row]:
        self._part = self.document.child("Sect", title=section.title)
        found = list(self._heading(f"{number}   {section.title}", SECTION, 18, anchor=section.id))
        for block in section.blocks:
            found += self._block(block)
        if any(row.wide for row in found):
            found = list(_headings_turned(found))
        return found

    def _block(self, block: Block) -> list[Row]:
        if isinstance(block, Heading):
            return list(self._heading(block.text, PART, 11, role="H3"))
        if isinstance(block, Text):
            return list(self._toned(block))
        if isinstance(block, ReportTable):
            return self._table(block)
        if isinstance(block, Terms):
            return self._terms(block)
        if isinstance(block, Code):
            return list(self._code(block))
        if isinstance(block, Blank):
            return list(self._blank(block))
        assert isinstance(block, RiskHistograms | Curve | MeasurePicture)
        return list(self._chart(block))

    def _heading(self, text: str, points: float, space: float, anchor: str = "", role: str = "H2") -> Iterator[Row]:
        rows = list(self._paragraph(text, "bold", points, space=space, keep=True, role=role))
        yield from (replace(rows[0], anchor=anchor), *rows[1:])

    def _paragraph(
        self,
        text: str,
        face: Face = "plain",
        points: float = BODY,
        colour: str = INK,
        *,
        space: float = 4,
        keep: bool = False,
        indent: float = 0,
        sign: tuple[str, str] | None = None,
        role: str = "P",
    ) -> Iterator[Row]:
        """A paragraph as lines. No line of it stands alone on a page; `keep`: nor does all of it, without the next.

        `space`, `indent` in points; `sign` a sign and its colour before the first line; `role` as `Element` has it.
        """
        element = self._part.child(role)
        words = Words(text, face, points, self._width - indent * self._point, self._device, colour)
        count = len(words)
        before = sign and Words(sign[0], "bold", points, self._width, self._device, sign[1])
        for number in range(count):
            together = count <= _KEPT_LINES or number in (0, count - 2)

            def draw(painter: QPainter, left: float, top: float, number: int = number) -> None:
                words.draw_line(painter, number, left + indent * self._point, top)
                if before and number == 0:
                    before.draw(painter, left, top)

            yield Row(
                words.line_height,
                draw,
                space=space * self._point if number == 0 else 0.0,
                keep=(together and number < count - 1) or (keep and number == count - 1),
                element=element,
            )

    def _toned(self, text: Text) -> Iterator[Row]:
        sign = _MARKS.get(text.tone)
        return self._paragraph(text.text, colour=_TONES[text.tone], indent=12 if sign else 0, sign=sign)

    def _verdict(self, verdict: Verdict) -> Row:
        ground, colour, sign = _BOXES[verdict.tone]
        pad, inside = 8 * self._point, self._width - 30 * self._point
        mark_ = Words(sign, "bold", 14, inside, self._device, colour)
        headline = Words(verdict.headline, "bold", 11.5, inside - pad, self._device)
        sentence = Words(verdict.sentence, "plain", BODY, inside - pad, self._device)
        height = headline.height + sentence.height + 2 * pad

        def draw(painter: QPainter, left: float, top: float) -> None:
            painter.fillRect(QRectF(left, top, self._width, height), QColor(ground))
            mark_.draw(painter, left + pad, top + pad)
            headline.draw(painter, left + 30 * self._point, top + pad)
            sentence.draw(painter, left + 30 * self._point, top + pad + headline.height)

        return Row(height, draw, space=10 * self._point, element=self._part.child("P"))

    def _figures(self, report: ReportData) -> Row:
        gap = 14 * self._point
        width = (self._width - gap * (len(report.figures) - 1)) / len(report.figures)
        columns = [
            (
                Words(figure.value, "bold", 16, width, self._device),
                Words(figure.beside, "plain", SMALL, width, self._device, MUTED),
                Words(figure.meaning, "plain", SMALL, width, self._device),
            )
            for figure in report.figures
        ]

        def draw_column(number: int) -> Draw:
            def draw(painter: QPainter, left: float, top: float) -> None:
                y = top
                for words in columns[number]:
                    words.draw(painter, left + number * (width + gap), y)
                    y += words.height

            return draw

        pieces = tuple((self._part.child("P"), draw_column(number)) for number in range(len(columns)))
        height = max(sum(w.height for w in column) for column in columns)
        return Row(height, together(pieces), space=10 * self._point, pieces=pieces)

    def _table(self, table: ReportTable) -> list[Row]:
        painter = TablePainter(
            table.cells(),
            self._device,
            SMALL,
            self._width,
            self._wide,
            header=[column.title for column in table.columns],
            right=table.numeric(),
            total=table.total,
            element=Element("Table"),
        )
        found = list(self._paragraph(table.caption, "bold", BODY, space=8, keep=True)) if table.caption else []
        self._part.kids.append(painter.element)
        rows = painter.rows()
        if rows and not found:
            rows[0] = replace(rows[0], space=6 * self._point)
        if table.note and rows:
            rows[-1] = replace(rows[-1], keep=True)
        found += rows
        found += list(self._paragraph(table.note, points=SMALL, colour=MUTED)) if table.note else []
        return [replace(row, wide=True) for row in found] if painter.wide else found

    def _terms(self, block: Terms) -> list[Row]:
        cells = block.cells()
        return _spaced(self._names(cells), 5 * self._point) if cells else []

    def _names(self, cells: Sequence[tuple[str, str]]) -> list[Row]:
        return terms(cells, self._device, BODY, self._width, self._part.child("Table"))

    def _code(self, block: Code) -> Iterator[Row]:
        pad = 6 * self._point
        lines = block.text.rstrip("\n").split("\n")
        words = [Words(line or " ", "code", CODE, self._width - 2 * pad, self._device) for line in lines]
        parts = [(each, number) for each in words for number in range(len(each))]
        read = self._part.child("P")
        for place, (each, number) in enumerate(parts):
            first, last = place == 0, place == len(parts) - 1
            height = each.line_height + (pad if first else 0) + (pad if last else 0)
            yield Row(
                height,
                self._on_grey(each, number, height, pad, pad if first else 0.0),
                space=6 * self._point if first else 0.0,
                keep=place in (0, 1, len(parts) - 2) and not last,
                element=read,
            )

    def _on_grey(self, words: Words, number: int, height: float, pad: float, above: float) -> Draw:
        def draw(painter: QPainter, left: float, top: float) -> None:
            # a little more than its height: no white line between two of them
            painter.fillRect(QRectF(left, top, self._width, height + 0.2 * self._point), QColor("#f4f6f7"))
            words.draw_line(painter, number, left + pad, top + above)

        return draw

    def _blank(self, block: Blank) -> Iterator[Row]:
        yield from self._paragraph(
            block.title, "bold", BODY, space=9, keep=bool(block.known or block.answer or block.lines)
        )
        if block.known:
            keep = bool(block.answer or block.lines)
            yield from self._paragraph(block.known, colour=MUTED, space=1, keep=keep)
        if block.answer:
            yield from self._paragraph(block.answer, space=1, keep=bool(block.lines))
        for number in range(block.lines):
            height = 21 * self._point

            def draw(painter: QPainter, left: float, top: float, height: float = height) -> None:
                rule = QRectF(left, top + height, self._width, 0.5 * self._point)
                painter.fillRect(rule, QColor("#8b979d"))

            yield Row(height, draw, keep=number < block.lines - 1)

    def _chart(self, block: Chart) -> Iterator[Row]:
        from PySide6.QtSvg import QSvgRenderer

        svg = chart_svg(block)
        renderer = QSvgRenderer(QByteArray(svg.encode("utf-8")))
        size = renderer.viewBoxF().size()
        width = min(self._width, 0.6 * self._height * size.width() / size.height())
        height = width * size.height() / size.width()

        def draw(painter: QPainter, left: float, top: float) -> None:
            renderer.render(painter, QRectF(left, top, width, height))

        alt = f"{block.title}. {unescape(told[1])}" if (told := _DESCRIBED.search(svg)) else block.title
        yield Row(height, draw, space=8 * self._point, keep=True, element=self._part.child("Figure", alt))
        yield from self._paragraph(f"{block.title}. {block.caption}", points=SMALL, colour=MUTED, space=2)


def _spaced(rows: list[Row], space: float) -> list[Row]:
    return [replace(rows[0], space=space), *rows[1:]] if rows else []


def _headings_turned(rows: list[Row]) -> Iterator[Row]:
    """What is kept with a row in landscape is in landscape itself."""
    turned: list[Row] = []
    is_wide = False
    for row in reversed(rows):
        is_wide = row.wide or (is_wide and row.keep)
        turned.append(replace(row, wide=is_wide))
    yield from reversed(turned)


PAGE = mark("Page {page} of {pages}")


def page_text(page: int, pages: int) -> str:
    """What stands at the foot of a page."""
    return translate(PAGE).format(page=page, pages=pages)
