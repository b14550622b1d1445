"""A small histogram of one variable: bars, the smallest and the largest value, figures on demand."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.base.texts import translate
from core.report.svg import INK, MUTED, SAFE, document, rect, text
from gui import numbers
from gui.shared.charts.chart_menu import ChartMenu
from gui.shared.table.model import Column
from gui.texts import RECORDS, as_tip
from gui.theme import theme

_HEIGHT = 84
_PICTURE = (420.0, 200.0)


class SmallHistogram(QWidget):
    """`variableHistogram`; F4 shows its figures, its menu saves and copies it.

    Signals
    -------
    refused(PavoError)
        A picture could not be written.
    """

    refused = Signal(object)

    def __init__(self) -> None:
        super().__init__(objectName="variableHistogram", accessibleName=translate("Histogram"))
        self._names: tuple[str, ...] = ()
        self._counts: tuple[int, ...] = ()
        self._ends = ("", "")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._menu = ChartMenu(self, "variableHistogram", self._svg, self._columns, self.refused.emit)
        theme.changed.connect(self.update)

    def show_bars(self, title: str, names: Sequence[str], counts: Sequence[int], ends: tuple[str, str]) -> None:
        """Show bars with the name of each (a code, or from–to), and what stands at both ends of the axis."""
        self._names, self._counts, self._ends = tuple(names), tuple(counts), ends
        self.setAccessibleName(title)
        self.setVisible(bool(counts))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        scheme = theme.scheme
        line = self.fontMetrics().height()
        plot = QRectF(1, 2, self.width() - 2, self.height() - line - 6)
        highest = max(self._counts, default=0) or 1
        width = plot.width() / max(len(self._counts), 1)
        gap = 1.0 if width > 4 else 0.0
        for i, count in enumerate(self._counts):
            height = max(plot.height() * count / highest, 1.0 if count else 0.0)
            bar = QRectF(plot.left() + i * width, plot.bottom() - height, max(width - gap, 0.5), height)
            painter.fillRect(bar, QColor(scheme.accent))
        painter.setPen(QColor(scheme.line))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        painter.setPen(QColor(scheme.muted))
        foot = QRectF(plot.left(), plot.bottom() + 3, plot.width(), line)
        half = int(plot.width() / 2) - 4
        for end, side in zip(self._ends, (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight), strict=True):
            painter.drawText(foot, side, self.fontMetrics().elidedText(end, Qt.TextElideMode.ElideRight, half))
        if self.hasFocus():
            painter.setPen(QColor(scheme.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self._counts:
            at = int(event.pos().x() * len(self._counts) / max(self.width(), 1))
            at = min(max(at, 0), len(self._counts) - 1)
            told = translate("{value}: {told}").format(value=self._names[at], told=RECORDS.told(self._counts[at]))
            QToolTip.showText(event.globalPos(), as_tip(told), self)
            return True
        return super().event(event)

    def _columns(self) -> list[Column]:
        return [
            Column(translate("Value"), list(self._names)),
            Column(translate("Records"), list(self._counts), numbers.format_count, True),
        ]

    def _svg(self) -> str:
        width, height = _PICTURE
        highest = max(self._counts, default=0) or 1
        step = (width - 40) / max(len(self._counts), 1)
        parts = [text(20, 22, self.accessibleName(), "start", 13, INK, bold=True)]
        for i, count in enumerate(self._counts):
            tall = (height - 70) * count / highest
            parts.append(rect(20 + i * step, height - 34 - tall, max(step - 1, 0.5), tall, SAFE))
        parts.append(text(20, height - 14, self._ends[0], "start", 12, MUTED))
        parts.append(text(width - 20, height - 14, self._ends[1], "end", 12, MUTED))
        told = "; ".join(f"{name}: {count}" for name, count in zip(self._names, self._counts, strict=True))
        return document(width, height, self.accessibleName(), told, parts)
