"""Signs that are painted, and what they say: attention, done, now, to do, later."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from core.base.texts import mark, translate
from gui.shared.accessible import GRAPHIC
from gui.theme import scaled, theme, write_as

SignState = Literal["attention", "done", "now", "open", "later"]
_SAID: dict[SignState, str] = {
    "attention": mark("needs attention"),
    "done": mark("done"),
    "now": mark("now"),
    "open": mark("to do"),
    "later": mark("later"),
}


class Sign(QWidget):
    """A triangle, a check in a ring, or a number in a ring; its accessible name says the state.

    Parameters
    ----------
    state : what it shows
    size : width and height at text of ten points
    number : in the ring of what is now, to do, or later
    """

    spoken_as = GRAPHIC

    def __init__(self, state: SignState = "open", size: int = 20, number: int = 0) -> None:
        super().__init__()
        self._size, self._number = size, number
        self.state: SignState = state
        self.setFixedSize(self.sizeHint())
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        write_as(self, "small")
        theme.changed.connect(self.update)
        self.set_state(state)

    def set_state(self, state: SignState) -> None:
        """Show another state."""
        self.state = state
        self.setAccessibleName(translate(_SAID[state]))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(self._size), scaled(self._size))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.state == "attention":
            paint_triangle(painter, QRectF(self.rect()))
        else:
            self._paint_ring(painter, QRectF(self.rect()).adjusted(1, 1, -1, -1))

    def _paint_ring(self, painter: QPainter, place: QRectF) -> None:
        scheme = theme.scheme
        edge = {"done": scheme.accent, "now": scheme.accent, "open": scheme.outline}.get(self.state, scheme.rule)
        painter.setPen(QPen(QColor(edge), 1.4))
        painter.setBrush(QColor(scheme.accent) if self.state == "now" else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(place)
        if self.state == "done":
            tick = QPen(QColor(scheme.accent), 1.8)
            tick.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(tick)
            points = ((0.29, 0.52), (0.45, 0.67), (0.73, 0.35))
            painter.drawPolyline(QPolygonF([_at(place, *point) for point in points]))
        elif self._number:
            ink = {"now": scheme.on_accent, "open": scheme.text}.get(self.state, scheme.muted)
            painter.setPen(QColor(ink))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(self._number))


def paint_triangle(painter: QPainter, place: QRectF) -> None:
    """The sign that asks for attention: amber with an edge, and an exclamation mark."""
    scheme = theme.scheme
    edge = QPen(QColor(scheme.amber_edge), max(1.0, place.width() / 18))
    edge.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(edge)
    painter.setBrush(QColor(scheme.amber))
    painter.drawPolygon(QPolygonF([_at(place, *point) for point in ((0.5, 0.1), (0.95, 0.9), (0.05, 0.9))]))
    mark_pen = QPen(QColor("#000000"), place.width() / 11)
    mark_pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(mark_pen)
    painter.drawLine(_at(place, 0.5, 0.4), _at(place, 0.5, 0.61))
    painter.drawPoint(_at(place, 0.5, 0.77))


def _at(place: QRectF, x: float, y: float) -> QPointF:
    return QPointF(place.left() + x * place.width(), place.top() + y * place.height())
