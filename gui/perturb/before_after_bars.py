"""The distribution of a variable before and after a perturbation: filled bars after, their outline before."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.base.texts import translate
from core.report.svg import INK, MUTED, SAFE, document, rect, text
from gui import numbers
from gui.shared.charts.chart_menu import ChartMenu
from gui.shared.charts.painted_legend import paint_legend
from gui.shared.table.model import Column
from gui.texts import as_tip
from gui.theme import GREYED, is_greyed, scaled, theme

_HEIGHT = 132
_PICTURE = (460.0, 240.0)
_NAMED = 14
"""Bars up to which each has its name below it."""


class BeforeAfterBars(QWidget):
    """`perturbationBars`; F4 shows its figures, its menu saves and copies it.

    Signals
    -------
    refused(PavoError)
        A picture could not be written.
    """

    refused = Signal(object)

    def __init__(self) -> None:
        super().__init__(objectName="perturbationBars")
        self._names: tuple[str, ...] = ()
        self._before: tuple[int, ...] = ()
        self._after: tuple[int, ...] = ()
        self._ends = ("", "")
        self._scale = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        ChartMenu(self, "perturbationBars", self._svg, self._columns, self.refused.emit)
        theme.changed.connect(self.update)

    def show_bars(
        self, title: str, names: Sequence[str], before: Sequence[int], after: Sequence[int], ends: tuple[str, str],
        scale: str = "",
    ) -> None:  # fmt: skip
        """Show bars with the name of each (a code, or from–to) and what stands at both ends of the axis.

        `scale` says in words what classes they are, where they are not of equal width.
        """
        self._scale = scale
        self._names, self._before, self._after, self._ends = tuple(names), tuple(before), tuple(after), ends
        self.setAccessibleName(title)
        self.setAccessibleDescription(self._told())
        self.setVisible(bool(names))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, scaled(_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(GREYED if is_greyed(self) else 1.0)
        scheme, metrics = theme.scheme, self.fontMetrics()
        line = metrics.height()
        plot = QRectF(1, line + 8, self.width() - 2, self.height() - 2 * line - 14)
        self._draw_legend(painter, line)
        n = max(len(self._names), 1)
        highest = max((*self._before, *self._after), default=0) or 1
        width = plot.width() / n
        gap = min(width * 0.25, 8.0) if width > 4 else 0.0
        outline = QPolygonF()
        outline.append(plot.bottomLeft())
        for i, (before, after) in enumerate(zip(self._before, self._after, strict=True)):
            left = plot.left() + i * width
            tall = max(plot.height() * after / highest, 1.0 if after else 0.0)
            painter.fillRect(
                QRectF(left + gap / 2, plot.bottom() - tall, max(width - gap, 0.5), tall), QColor(scheme.accent)
            )
            top = plot.bottom() - plot.height() * before / highest
            outline.append(QPointF(left, top))
            outline.append(QPointF(left + width, top))
        outline.append(plot.bottomRight())
        painter.setPen(QColor(scheme.line))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        painter.setPen(QPen(QColor(scheme.text), 1.4))
        painter.drawPolyline(outline)
        painter.setPen(QColor(scheme.muted))
        foot = plot.bottom() + 3
        if len(self._names) <= _NAMED:
            for i, name in enumerate(self._names):
                place = QRectF(plot.left() + i * width + 1, foot, width - 2, line)
                shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(place.width()))
                painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, shown)
        else:
            place, half = QRectF(plot.left(), foot, plot.width(), line), int(plot.width() / 2) - 4
            for end, side in zip(self._ends, (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight), strict=True):
                painter.drawText(place, side, metrics.elidedText(end, Qt.TextElideMode.ElideRight, half))
            sides = max(map(metrics.horizontalAdvance, self._ends)) + 8
            room = int(plot.width()) - 2 * sides
            if self._scale and room > 40:
                said = metrics.elidedText(self._scale, Qt.TextElideMode.ElideRight, room)
                painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, said)
        if self.hasFocus():
            painter.setPen(QColor(scheme.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _draw_legend(self, painter: QPainter, line: int) -> None:
        """Told by shape, not by colour alone: an outline before, filled bars after."""
        scheme = theme.scheme

        def sign(number: int, at: QPointF) -> None:
            box = QRectF(at.x(), at.y() - line * 0.3, line * 0.8, line * 0.6)
            if number == 1:
                painter.fillRect(box, QColor(scheme.accent))
            else:
                painter.setPen(QPen(QColor(scheme.text), 1.4))
                painter.drawRect(box)

        place = QRectF(3, 3, self.width() - 6, line)
        paint_legend(painter, place, [translate("before"), translate("after")], line * 0.8, sign, scheme.muted)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self._names:
            at = int(event.pos().x() * len(self._names) / max(self.width(), 1))
            at = min(max(at, 0), len(self._names) - 1)
            said = translate("{value}: {before} before, {after} after").format(
                value=self._names[at],
                before=numbers.format_count(self._before[at]),
                after=numbers.format_count(self._after[at]),
            )
            QToolTip.showText(event.globalPos(), as_tip(said), self)
            return True
        return super().event(event)

    def _told(self) -> str:
        said = translate("{value}: {before} before, {after} after")
        rows = zip(self._names, self._before, self._after, strict=True)
        bars = "; ".join(said.format(value=name, before=old, after=new) for name, old, new in rows)
        return f"{self._scale}: {bars}" if self._scale else bars

    def _columns(self) -> list[Column]:
        return [
            Column(translate("Value"), list(self._names)),
            Column(translate("before"), list(self._before), numbers.format_count, True),
            Column(translate("after"), list(self._after), numbers.format_count, True),
        ]

    def _svg(self) -> str:
        width, height = _PICTURE
        highest = max((*self._before, *self._after), default=0) or 1
        step = (width - 40) / max(len(self._names), 1)
        parts = [text(20, 22, self.accessibleName(), "start", 13, INK, bold=True)]
        for i, (before, after) in enumerate(zip(self._before, self._after, strict=True)):
            for place, (count, colour) in enumerate(((before, MUTED), (after, SAFE))):
                tall = (height - 84) * count / highest
                wide = max(step * 0.42, 0.4)
                parts.append(rect(20 + i * step + place * wide, height - 34 - tall, wide, tall, colour))
        parts.append(text(20, height - 14, self._ends[0], "start", 12, MUTED))
        parts.append(text(width - 20, height - 14, self._ends[1], "end", 12, MUTED))
        if self._scale:
            parts.append(text(width / 2, height - 14, self._scale, "middle", 12, MUTED))
        parts.append(text(20, 40, translate("before: grey; after: blue"), "start", 12, MUTED))
        return document(width, height, self.accessibleName(), self._told(), parts)
