"""A chart that shows where the focus is: in a frame of its own, because it fills its place."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPen

from gui.theme import theme


class FramedPlot(pg.PlotWidget):
    """A plot in a frame while it has the focus."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(QColor(theme.scheme.accent), 2))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))
            painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
