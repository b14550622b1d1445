"""Bars below each other, each with its name and its value; as many as there are, scrolled."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.shared.parts.bars import paint_effect
from gui.texts import as_tip
from gui.theme import is_greyed, scaled, theme

_ROW, _GAP = 26, 10
_MOST_NAME = 0.4
"""Share of the width that names may take."""


class BarsView(QWidget):
    """Names at the left, values behind their bars; a name that does not fit is told by a tool tip."""

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self._values: tuple[float, ...] = ()
        self._told: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.setMinimumWidth(160)
        theme.changed.connect(self.update)

    def show_bars(self, names: Sequence[str], values: Sequence[float], told: Sequence[str]) -> None:
        """Show bars and how their values are written."""
        self._names, self._values, self._told = tuple(names), tuple(values), tuple(told)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, scaled(_ROW) * len(self._names) + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, row = self.fontMetrics(), scaled(_ROW)
        names = min(max(map(metrics.horizontalAdvance, self._names), default=0) + 2, int(self.width() * _MOST_NAME))
        told = max(map(metrics.horizontalAdvance, self._told), default=0)
        room = max(self.width() - names - told - 2 * _GAP, 10)
        most = max((value for value in self._values if math.isfinite(value)), default=0.0) or 1.0
        is_stale = is_greyed(self)
        text = QColor(theme.scheme.disabled if is_stale else theme.scheme.text)
        for place, (name, value, written) in enumerate(zip(self._names, self._values, self._told, strict=True)):
            y = place * row
            painter.setPen(text)
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, names)
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, y, names, row), int(Qt.AlignmentFlag.AlignRight | middle), shown)
            width = max(room * value / most, 1.0 if value else 0.0) if math.isfinite(value) else 0.0
            paint_effect(painter, QRectF(names + _GAP, y + row / 2 - 6, width, 12), is_stale)
            painter.setPen(text)
            place_told = QRectF(names + _GAP + width + _GAP / 2, y, told + _GAP, row)
            painter.drawText(place_told, int(Qt.AlignmentFlag.AlignLeft | middle), written)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            place = event.pos().y() // scaled(_ROW)
            if 0 <= place < len(self._names):
                QToolTip.showText(event.globalPos(), as_tip(f"{self._names[place]}: {self._told[place]}"), self)
                return True
        return super().event(event)
