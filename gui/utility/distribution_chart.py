"""The distribution of one variable before and after: shares of its codes, or of the classes of a number."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from core.base.texts import translate
from core.report.svg import LinearAxis, nice_step
from gui import numbers
from gui.shared.charts.painted_legend import paint_legend
from gui.shared.table.model import Column
from gui.theme.tokens import Colours
from gui.utility.painted_chart import PaintedChart

if TYPE_CHECKING:
    from core.utility.distributions import VariableUtility

MOST_CODES = 200
"""Codes that are drawn: the most frequent; the table has all."""
_WIDEST = 88.0
"""Room of one code, in pixels: few codes make no walls."""


class DistributionChart(PaintedChart):
    """`utilityDistribution`: filled bars of the safe file, and before them the outline of the original."""

    def __init__(self) -> None:
        super().__init__("utilityDistribution", translate("Distribution before and after"), least=(220, 140))
        self._shown: VariableUtility | None = None
        self._drawn: list[int] = []

    def show_variable(self, found: VariableUtility | None) -> None:
        """Show a variable; None: nothing."""
        self._shown = found
        count = len(found.shares[0]) if found is not None else 0
        self._drawn = list(range(count))
        if found is not None and found.codes and count > MOST_CODES:
            most = sorted(self._drawn, key=lambda place: -max(found.shares[0][place], found.shares[1][place]))
            self._drawn = sorted(most[:MOST_CODES])
        title = translate("Distribution before and after")
        self.setAccessibleName(f"{found.name}: {title}" if found is not None else title)
        self.update()

    @property
    def _names(self) -> list[str]:
        assert self._shown is not None
        if self._shown.codes:
            return list(self._shown.codes)
        edges = [_short(edge) for edge in self._shown.edges]
        return [f"{low} – {high}" for low, high in pairwise(edges)]

    @property
    def _drawn_names(self) -> list[str]:
        names = self._names
        return [names[place] for place in self._drawn]

    @property
    def is_empty(self) -> bool:
        return self._shown is None or not self._shown.shares[0]

    def figures(self) -> list[Column]:
        """The share of each code, or class."""
        if self._shown is None or self.is_empty:
            return []
        before, after = self._shown.shares
        title = translate("Code") if self._shown.codes else translate("Values")
        return [
            Column(title, self._names),
            Column(translate("Original"), list(before), _percent, True),
            Column(translate("Safe file"), list(after), _percent, True),
            Column(translate("Change"), [a - b for b, a in zip(before, after, strict=True)], _percent, True),
        ]

    def _plot(self, area: QRectF, line: float) -> QRectF:
        return QRectF(area.left() + 44, area.top() + 1.8 * line, area.width() - 44, area.height() - 3.2 * line)

    def draw(self, painter: QPainter, area: QRectF, colours: Colours) -> None:
        """Legend above, shares upwards, names of codes below where they have room, else the first and the last."""
        assert self._shown is not None
        before, after = ([shares[place] for place in self._drawn] for shares in self._shown.shares)
        metrics = QFontMetricsF(painter.font())
        line = metrics.height()
        _legend(painter, area, colours, line)
        plot = self._plot(area, line)
        highest = max(*before, *after, 1e-9)
        step = nice_step(highest / 4)
        axis = LinearAxis(highest, plot.bottom(), plot.top())
        for value in (step * i for i in range(int(highest / step + 1e-9) + 1)):
            y = axis(value)
            painter.setPen(QPen(QColor(colours.rule if value == 0 else colours.grid), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(QColor(colours.muted))
            label = numbers.format_percent(value, 0 if step >= 0.01 else 1)
            place = QRectF(area.left(), y - line / 2, 38, line)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label)
        width = self._width(plot)
        gap = width * (0.18 if self._shown.codes else 0.04) if width > 4 else 0.0
        outline = QPen(QColor(colours.text), 1.4)
        for i, (b, a) in enumerate(zip(before, after, strict=True)):
            left = plot.left() + i * width + gap
            full = width - 2 * gap
            painter.fillRect(QRectF(left, axis(a), full, plot.bottom() - axis(a)), QColor(colours.accent))
            painter.setPen(outline)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if b > 0:
                painter.drawPolyline([
                    QPointF(left, plot.bottom()), QPointF(left, axis(b)), QPointF(left + full, axis(b)),
                    QPointF(left + full, plot.bottom()),
                ])  # fmt: skip
        self._name_codes(painter, plot, metrics, colours)

    def _name_codes(self, painter: QPainter, plot: QRectF, metrics: QFontMetricsF, colours: Colours) -> None:
        assert self._shown is not None
        painter.setPen(QColor(colours.muted))
        width, foot, names = self._width(plot), plot.bottom() + 4, self._drawn_names
        fits = all(metrics.horizontalAdvance(name) < width - 4 for name in names)
        if self._shown.codes and (fits or len(names) == 1):
            for i, name in enumerate(names):
                place = QRectF(plot.left() + i * width, foot, width, metrics.height())
                painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, name)
            return
        ends = names[0], names[-1]
        if not self._shown.codes:
            ends = _short(self._shown.edges[0]), _short(self._shown.edges[-1])
        used = QRectF(plot.left(), foot, max(width * len(names), 120), metrics.height())
        for text, side in zip(ends, (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight), strict=True):
            painter.drawText(used, side, metrics.elidedText(text, Qt.TextElideMode.ElideRight, used.width() / 2 - 4))

    def _width(self, plot: QRectF) -> float:
        assert self._shown is not None
        count = len(self._drawn)
        return min(plot.width() / count, _WIDEST) if self._shown.codes else plot.width() / count

    def told_at(self, place: QPointF, area: QRectF) -> str:
        """The shares of the code or class under the mouse."""
        assert self._shown is not None
        plot = self._plot(area, self.fontMetrics().height())
        at = int((place.x() - plot.left()) // self._width(plot))
        if not 0 <= at < len(self._drawn):
            return ""
        told = translate("{value}: {before} before, {after} after")
        before, after = (_percent(shares[self._drawn[at]]) for shares in self._shown.shares)
        return told.format(value=self._drawn_names[at], before=before, after=after)


def _legend(painter: QPainter, area: QRectF, colours: Colours, line: float) -> None:
    box = line * 0.7

    def sign(number: int, at: QPointF) -> None:
        place = QRectF(at.x(), at.y() - box / 2, 1.4 * box, box)
        if number == 1:
            painter.fillRect(place, QColor(colours.accent))
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.text), 1.4))
            painter.drawRect(place)

    room = QRectF(area.left() + 44, area.top(), area.width() - 44, line)
    paint_legend(painter, room, [translate("Original"), translate("Safe file")], 1.4 * box, sign, colours.muted)


def _percent(value: float) -> str:
    return numbers.format_percent(value, 2)


def _short(value: float) -> str:
    return numbers.format_exact(float(f"{value:.5g}"))
