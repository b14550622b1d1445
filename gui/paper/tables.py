"""Tables on paper: widths of the columns, lines that are never cut, a header on every page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPagedPaintDevice, QPainter

from gui.paper.elements import Element
from gui.paper.pages import Draw, Row
from gui.paper.words import INK, MUTED, Face, Words, widths

_MOST_KEPT = 24
"""Lines of one row of a table that are kept together; a higher row may go on on the next page."""
_WHOLE = 14
"""Lines up to which a table is not cut."""
_LONGEST_WORD = 0.4
"""Part of the room that a word may ask for; a longer one, such as a checksum, is broken."""
_NAMES = 0.37
"""Part of the room that names before facts may ask for."""
_MEASURED = 3000
"""Rows by which columns are measured; of longer tables the others wrap where they have to."""

RULE, STRONG = "#d5dcdf", "#5b6870"


def fitted(least: Sequence[float], whole: Sequence[float], room: float) -> list[float]:
    """Widths of columns in `room`: on one line where that fits, else more for those that would wrap more.

    Parameters
    ----------
    least : of each column the width of its longest word
    whole : its width where nothing wraps
    """
    if sum(whole) <= room:
        return list(whole)
    if sum(least) >= room:
        return [room * width / sum(least) for width in least]
    spare = room - sum(least)
    wanted = [w - m for m, w in zip(least, whole, strict=True)]
    return [m + spare * w / sum(wanted) for m, w in zip(least, wanted, strict=True)]


class TablePainter:
    """Rows for `cells` with columns of the widths that they need.

    Parameters
    ----------
    room, wide_room : width of the text on a page in portrait and in landscape, pixels
    right : of each column whether it is right-aligned
    total : whether the last row is the sum
    faces, colours : of each column
    ruled : whether rows have rules between them
    is_first_firm : whether the first column is as wide as it needs to be, up to a part of the room
    element : what the table is to a screen reader; None: it is read nowhere
    are_names : whether the first column says what the others are
    """

    def __init__(
        self,
        cells: Sequence[Sequence[str]],
        device: QPagedPaintDevice,
        points: float,
        room: float,
        wide_room: float,
        *,
        header: Sequence[str] = (),
        right: Sequence[bool] = (),
        total: bool = False,
        faces: Sequence[Face] = (),
        colours: Sequence[str] = (),
        ruled: bool = True,
        is_first_firm: bool = False,
        element: Element | None = None,
        are_names: bool = False,
    ) -> None:
        self._cells, self._device, self._points, self._total, self._ruled = cells, device, points, total, ruled
        self._header = header
        self.element, self._are_names = element or Element("Table"), are_names
        columns = len(header) or (len(cells[0]) if cells else 0)
        self._faces: Sequence[Face] = faces or ["plain"] * columns
        self._colours = colours
        self._right = right or [False] * columns
        self._gap = points * device.logicalDpiX() / 72 * 1.5
        self._pad = points * device.logicalDpiX() / 72 * 0.3
        least, whole = self._measured(columns, _LONGEST_WORD * room)
        if is_first_firm:
            least[0] = whole[0] = min(whole[0], _NAMES * room)
        gaps = self._gap * max(columns - 1, 0)
        self.wide = sum(least) + gaps > room
        self._room = wide_room if self.wide else room
        self._widths = fitted(least, whole, self._room - gaps)

    def _measured(self, columns: int, longest: float) -> tuple[list[float], list[float]]:
        least, whole = [0.0] * columns, [0.0] * columns
        last = len(self._cells) - 1
        for number, row in enumerate((self._header, *self._cells[:_MEASURED])):
            for column, text in enumerate(row):
                face = self._face(column, strong=number == 0 or (self._total and number == last + 1))
                word, line = widths(text, face, self._points, self._device)
                least[column], whole[column] = max(least[column], word), max(whole[column], line)
        slack = self._points * self._device.logicalDpiX() / 72 * 0.2  # rounding must not wrap what fits
        return [min(width, longest) + slack for width in least], [width + slack for width in whole]

    def _face(self, column: int, strong: bool) -> Face:
        return "bold" if strong else self._faces[column]

    def rows(self) -> list[Row]:
        """Header and rows; the first and the last two stay together, each with what is said above and below."""
        header = self._lines(self._header, strong=True, rule=STRONG) if self._header else []
        header = [replace(row, keep=True) for row in header]
        found = list(header)
        last = len(self._cells) - 1
        for number, cells in enumerate(self._cells):
            strong = self._total and number == last
            before_total = self._total and number == last - 1
            rule = (STRONG if before_total else RULE) if self._ruled else ""
            lines = self._lines(cells, strong, rule)
            if number in (0, last - 1) and last > 0:
                lines[-1] = replace(lines[-1], keep=True)
            found += [replace(line, head=tuple(header)) for line in lines]
        if len(found) <= _WHOLE:
            return [*(replace(line, keep=True) for line in found[:-1]), *found[-1:]]
        return found

    def _lines(self, cells: Sequence[str], strong: bool, rule: str) -> list[Row]:
        """One row of the table as lines."""
        words = [
            Words(
                text,
                self._face(column, strong),
                self._points,
                self._widths[column],
                self._device,
                self._colours[column] if self._colours else INK,
                right=self._right[column],
            )
            for column, text in enumerate(cells)
        ]
        count = max(1, *(len(each) for each in words))
        height = words[0].line_height
        row = self.element.child("TR")
        read = [self._cell(row, column, is_header=cells is self._header) for column in range(len(cells))]
        return [
            Row(
                height + (self._pad if number == 0 else 0) + (self._pad if number == count - 1 else 0),
                together(pieces),
                keep=number < count - 1 and count <= _MOST_KEPT,
                wide=self.wide,
                pieces=pieces,
            )
            for number in range(count)
            if (pieces := tuple(self._drawing(words, read, number, height, rule if number == count - 1 else "")))
        ]

    def _cell(self, row: Element, column: int, is_header: bool) -> Element:
        is_name = self._are_names and column == 0
        scope = "Column" if is_header else "Row" if is_name else ""
        return row.child("TH" if scope else "TD", scope=scope)

    def _drawing(
        self, words: Sequence[Words], read: Sequence[Element], number: int, height: float, rule: str
    ) -> Iterator[tuple[Element | None, Draw]]:
        """One line of a row of the table: its cells, and the rule below it."""
        pad = self._pad if number == 0 else 0.0
        x = 0.0
        for column, each in enumerate(words):
            yield read[column], self._line(each, number, x, pad)
            x += self._widths[column] + self._gap
        if rule:
            total, bottom = x - self._gap, pad + height + self._pad

            def draw(painter: QPainter, left: float, top: float) -> None:
                thickness = self._pad * (0.14 if rule == RULE else 0.24)
                painter.fillRect(QRectF(left, top + bottom, total, thickness), QColor(rule))

            yield None, draw

    @staticmethod
    def _line(words: Words, number: int, shift: float, pad: float) -> Draw:
        return lambda painter, left, top: words.draw_line(painter, number, left + shift, top + pad)


def together(pieces: Sequence[tuple[Element | None, Draw]]) -> Draw:
    """Draws one after the other."""

    def draw(painter: QPainter, left: float, top: float) -> None:
        for _element, each in pieces:
            each(painter, left, top)

    return draw


def terms(
    cells: Sequence[tuple[str, str]], device: QPagedPaintDevice, points: float, room: float, element: Element
) -> list[Row]:
    """Names with what stands beside them; `element`: what they are to a screen reader."""
    painter = TablePainter(
        cells, device, points, room, room, colours=(MUTED, INK), ruled=False, is_first_firm=True,
        element=element, are_names=True,
    )  # fmt: skip
    return painter.rows()
