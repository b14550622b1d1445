"""Text laid out in a width, line by line, as it will stand on paper."""

from __future__ import annotations

from functools import cache
from typing import Literal

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPagedPaintDevice, QPainter, QTextLayout, QTextLine, QTextOption

Face = Literal["plain", "bold", "code"]

_FAMILIES: dict[Face, list[str]] = {
    "plain": ["Segoe UI", "Helvetica Neue", "Arial", "Liberation Sans", "DejaVu Sans"],
    "bold": ["Segoe UI", "Helvetica Neue", "Arial", "Liberation Sans", "DejaVu Sans"],
    "code": ["Consolas", "Menlo", "Liberation Mono", "DejaVu Sans Mono"],
}
_LEADING = 1.22
"""From base line to base line, over the font's own height of a line without leading."""

INK, MUTED, ACCENT, WARNING = "#1f2a30", "#5b6870", "#00546f", "#a84a00"


@cache
def font(face: Face, points: float) -> QFont:
    """A font by what it is for and its size."""
    made = QFont()
    made.setFamilies(_FAMILIES[face])
    made.setPointSizeF(points)
    made.setBold(face == "bold")
    made.setFeature(QFont.Tag("liga"), 0)  # so that words are found and copied letter by letter
    if face == "code":
        made.setStyleHint(QFont.StyleHint.Monospace)
        made.setFixedPitch(True)
    return made


class Words:
    """One text in one font, wrapped to a width.

    Parameters
    ----------
    width : in pixels of `device`
    right : whether it is set right-aligned
    """

    def __init__(
        self,
        text: str,
        face: Face,
        points: float,
        width: float,
        device: QPagedPaintDevice,
        colour: str = INK,
        right: bool = False,
    ) -> None:
        chosen = font(face, points)
        self.line_height = line_height(face, points, device)
        self._colour = QColor(colour)
        self._layout = QTextLayout(text.replace("\r\n", "\n").replace("\n", "\u2028"), chosen, device)
        option = QTextOption(Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        self._lines: list[QTextLine] = []
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, 0))
            self._lines.append(line)
        self._layout.endLayout()
        metrics = QFontMetricsF(chosen, device)
        self._ascent = metrics.ascent() + (self.line_height - metrics.ascent() - metrics.descent()) / 2

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def height(self) -> float:
        """Of all its lines."""
        return len(self) * self.line_height

    def draw_line(self, painter: QPainter, number: int, left: float, top: float) -> None:
        """Draw one line in the place of a line whose top is `top`."""
        if number < len(self):
            line = self._lines[number]
            painter.setPen(self._colour)
            line.draw(painter, QPointF(left, top + self._ascent - line.ascent()))

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw all lines."""
        for number in range(len(self)):
            self.draw_line(painter, number, left, top + number * self.line_height)


def line_height(face: Face, points: float, device: QPagedPaintDevice) -> float:
    """From one line to the next, in pixels of `device`."""
    metrics = QFontMetricsF(font(face, points), device)
    return _LEADING * (metrics.ascent() + metrics.descent())


def widths(text: str, face: Face, points: float, device: QPagedPaintDevice) -> tuple[float, float]:
    """Of the longest word, and of the text on one line."""
    metrics = QFontMetricsF(font(face, points), device)
    lines = text.split("\n")
    longest = max((metrics.horizontalAdvance(word) for line in lines for word in line.split(" ")), default=0.0)
    return longest, max(metrics.horizontalAdvance(line) for line in lines)
