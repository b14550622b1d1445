"""How every chart is drawn: no frame, horizontal gridlines, small muted ticks without marks, only the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QApplication

from gui.theme import body_points, theme
from gui.theme.tokens import TYPE


def pen(colour: str | QColor, width: float, ratio: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A line `width` logical pixels wide, whatever the view's scale; `ratio`: device pixels a logical one."""
    made = QPen(QColor(colour), width * ratio, style)
    made.setCosmetic(True)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    return made


def small_font() -> QFont:
    """The font of ticks, captions and legends."""
    font = QFont(QApplication.font())
    font.setPointSizeF(body_points() * TYPE["small"].size)
    return font


def axis_title(parts: Sequence[str], width: float) -> str:
    """Parts below each other as HTML for an axis, each broken between words where it is wider than `width` pixels."""
    told, lines = QFontMetricsF(QApplication.font()), []
    for part in parts:
        line = ""
        for word in part.split():
            longer = f"{line} {word}".lstrip()
            if line and told.horizontalAdvance(longer) > width > 0:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return "<br>".join(escape(line) for line in lines if line)


class GridLines(pg.GraphicsObject):
    """Horizontal lines at the ticks of a plot's left axis, below all else."""

    def __init__(self, plot: pg.PlotItem) -> None:
        super().__init__()
        self._plot = plot
        self.setZValue(-20)
        plot.addItem(self, ignoreBounds=True)
        plot.vb.sigRangeChanged.connect(lambda *_: self._moved())

    def _moved(self) -> None:
        self.prepareGeometryChange()
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(self._plot.vb.viewRect())

    def paint(self, painter: QPainter, *_: object) -> None:
        height = self._plot.vb.height()
        if height <= 0:  # squeezed while a page is laid out: no ticks can be placed, and an error here ends the program
            return
        (left, right), (low, high) = self._plot.vb.viewRange()
        axis = self._plot.getAxis("left")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(pen(theme.scheme.grid, 1, painter.device().devicePixelRatioF()))
        for _spacing, places in axis.tickValues(low, high, height):
            painter.drawLines([QLineF(left, place, right, place) for place in places if place > low])


def dress_plot(widget: pg.PlotWidget) -> None:
    """Put the colours of the theme in use on a chart's ground and axes."""
    widget.setBackground(QColor(theme.scheme.surface))
    for side in ("left", "bottom"):
        axis = widget.getAxis(side)
        axis.setStyle(tickLength=0, tickAlpha=0, tickFont=small_font(), tickTextOffset=6)
        axis.setPen(pen(theme.scheme.rule, 1, 1) if side == "bottom" else QPen(Qt.PenStyle.NoPen))
        axis.setTextPen(QColor(theme.scheme.muted))
