"""Estimates before and after with their 95 % intervals: a pair of lines for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from core.base.texts import mark, translate
from gui import numbers
from gui.shared.charts.painted_legend import paint_legend
from gui.shared.charts.plot_style import small_font
from gui.shared.table.model import Column
from gui.theme.tokens import Colours
from gui.utility.painted_chart import PaintedChart

if TYPE_CHECKING:
    from core.utility.intervals import Estimate

MOST_DRAWN = 40
"""Estimates that are drawn; the table has all."""
_REACH = 2.5
"""Half lengths of the interval before that are drawn to either side of its estimate."""


@dataclass(frozen=True)
class EstimatePair:
    """A mean or a coefficient before and after, and the overlap of its intervals."""

    name: str
    before: Estimate | None
    after: Estimate | None
    overlap: float | None


class IntervalChart(PaintedChart):
    """`utilityIntervals`: every row on the scale of its interval before, so that all of them can be compared."""

    def __init__(self) -> None:
        super().__init__("utilityIntervals", translate("Estimates with 95 % intervals"), least=(220, 100))
        self._pairs: tuple[EstimatePair, ...] = ()

    def show_pairs(self, pairs: Sequence[EstimatePair]) -> None:
        """Show estimates, in this order."""
        self._pairs = tuple(pairs)
        self.setMinimumHeight(self._height())
        self.update()

    def _height(self) -> int:
        return round((min(len(self._pairs), MOST_DRAWN) + 1.5) * self._row(QFontMetricsF(small_font()))) + 16

    @staticmethod
    def _row(metrics: QFontMetricsF) -> float:
        return metrics.height() * 1.7

    def picture_size(self) -> QSize:
        return QSize(720, max(self._height() + 30, 140))

    @property
    def is_empty(self) -> bool:
        return not self._pairs

    def figures(self) -> list[Column]:
        """Estimates, limits and overlaps."""
        if self.is_empty:
            return []

        def part(side: str, name: str) -> list[float | None]:
            found = [getattr(pair, side) for pair in self._pairs]
            return [None if each is None else getattr(each, name) for each in found]

        columns = [Column(translate("Estimate"), [pair.name for pair in self._pairs])]
        for side, title in (("before", translate("Original")), ("after", translate("Safe file"))):
            parts = (("value", ""), ("low", translate("lower limit")), ("high", translate("upper limit")))
            for name, what in parts:
                heading = f"{title}, {what}" if what else title
                columns.append(Column(heading, part(side, name), figure, True))
        overlaps = [pair.overlap for pair in self._pairs]
        return [*columns, Column(translate("Overlap"), overlaps, lambda v: numbers.format_number(v, 2), True)]

    def _parts(self, area: QRectF) -> tuple[QRectF, QRectF, QRectF]:
        """Where names, lines and overlaps stand."""
        names, overlaps = area.width() * 0.44, 62.0
        lines = QRectF(area.left() + names + 8, area.top(), area.width() - names - overlaps - 16, area.height())
        left = QRectF(area.left(), area.top(), names, area.height())
        return left, lines, QRectF(lines.right() + 8, area.top(), overlaps, area.height())

    def draw(self, painter: QPainter, area: QRectF, colours: Colours) -> None:
        """A heading, then a row each: name, estimates, the interval before above the one after, overlap."""
        metrics = QFontMetricsF(painter.font())
        row, line = self._row(metrics), metrics.height()
        left, middle, right = self._parts(area)
        painter.setPen(QColor(colours.muted))
        overlap = metrics.elidedText(translate("Overlap"), Qt.TextElideMode.ElideRight, right.width())
        painter.drawText(QRectF(right.left(), area.top(), right.width(), line), _RIGHT, overlap)
        self._legend(painter, QRectF(area.left(), area.top(), middle.right() - area.left(), line), colours)
        for place, pair in enumerate(self._pairs[:MOST_DRAWN]):
            top = area.top() + (place + 1) * row
            painter.setPen(QPen(QColor(colours.grid), 1))
            painter.drawLine(QPointF(area.left(), top), QPointF(area.right(), top))
            painter.setPen(QColor(colours.text))
            said = " → ".join(figure(each.value if each else None) for each in (pair.before, pair.after))
            room = left.width() - metrics.horizontalAdvance(said) - 12
            name = metrics.elidedText(pair.name, Qt.TextElideMode.ElideMiddle, room)
            place_of_name = QRectF(left.left(), top, left.width(), row)
            painter.drawText(place_of_name, _LEFT, name)
            painter.setPen(QColor(colours.muted))
            painter.drawText(place_of_name, _RIGHT, said)
            painter.setPen(QColor(colours.text))
            shared = numbers.format_number(pair.overlap, 2)
            painter.drawText(QRectF(right.left(), top, right.width(), row), _RIGHT, shared)
            self._lines(painter, QRectF(middle.left(), top, middle.width(), row), pair, colours)

    def _legend(self, painter: QPainter, place: QRectF, colours: Colours) -> None:
        def sign(number: int, at: QPointF) -> None:
            _text, colour, width = _SIDES[number]
            painter.setPen(_pen(getattr(colours, colour), width))
            painter.drawLine(at, at + QPointF(18, 0))

        paint_legend(painter, place, [translate(text) for text, *_ in _SIDES], 18, sign, colours.muted)

    def _lines(self, painter: QPainter, place: QRectF, pair: EstimatePair, colours: Colours) -> None:
        before = pair.before
        if before is None or before.low is None or before.high is None or before.high <= before.low:
            return
        centre, half = before.value, (before.high - before.low) / 2

        def x(value: float) -> float:
            units = min(max((value - centre) / half, -_REACH), _REACH)
            return place.center().x() + units / _REACH * place.width() / 2

        for number, each in enumerate((before, pair.after)):
            if each is None or each.low is None or each.high is None:
                continue
            y = place.top() + place.height() * (0.36 + 0.28 * number)
            _text, colour, width = _SIDES[number]
            painter.setPen(_pen(getattr(colours, colour), width))
            low, high = x(each.low), x(each.high)
            painter.drawLine(QPointF(low, y), QPointF(max(high, low + 2), y))
            painter.setBrush(QColor(getattr(colours, colour)))
            painter.drawEllipse(QPointF(x(each.value), y), 2.5, 2.5)

    def told_at(self, place: QPointF, area: QRectF) -> str:
        """Both estimates of the row under the mouse."""
        at = int((place.y() - area.top()) // self._row(QFontMetricsF(small_font()))) - 1
        if not 0 <= at < min(len(self._pairs), MOST_DRAWN):
            return ""
        pair = self._pairs[at]
        told = translate("{name}: {before} before, {after} after")
        return told.format(name=pair.name, before=with_interval(pair.before), after=with_interval(pair.after))


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SIDES = (mark("Original"), "text", 1.4), (mark("Safe file"), "accent", 3.0)
"""What each side is called, its colour and the width of its line."""


def _pen(colour: str, width: float) -> QPen:
    made = QPen(QColor(colour), width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    return made


def figure(value: float | None) -> str:
    """A number with the digits that say something."""
    return numbers.MISSING if value is None else numbers.format_exact(float(f"{value:.5g}"))


def with_interval(estimate: Estimate | None) -> str:
    """An estimate and, in brackets, its interval."""
    if estimate is None or estimate.low is None:
        return figure(estimate.value if estimate is not None else None)
    return f"{figure(estimate.value)} ({figure(estimate.low)}; {figure(estimate.high)})"
