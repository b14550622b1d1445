"""The legend of a chart as real labels, each with a swatch: safe, unsafe, and what is outlined."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from gui.shared.layout.by_room import ByRoom
from gui.shared.parts.bars import paint_unsafe
from gui.theme import SAFE, muted, theme, write_as

Drawn = Literal["safe", "unsafe", "dashed", "outlined"]


class Swatch(QWidget):
    """18 × 12: how something is drawn in a chart."""

    def __init__(self, drawn: Drawn) -> None:
        super().__init__()
        self._drawn = drawn
        self.setFixedSize(QSize(18, 12))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = QRectF(self.rect())
        if self._drawn == "safe":
            painter.fillRect(place, SAFE)
        elif self._drawn == "unsafe":
            paint_unsafe(painter, place)
        else:
            is_dashed = self._drawn == "dashed"
            style = Qt.PenStyle.DashLine if is_dashed else Qt.PenStyle.SolidLine
            painter.setPen(QPen(QColor(theme.scheme.text), 1.2 if is_dashed else 1.5, style))
            painter.drawLine(0, self.height() // 2, self.width(), self.height() // 2)


class ChartLegend(QWidget):
    """Entries in a row, small and muted; where there is no room, only those stay that can be switched."""

    def __init__(self) -> None:
        super().__init__()
        self._plain: list[QWidget] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(16)
        self.entries: list[QWidget] = []
        ByRoom(self).width(lambda: self.sizeHint().width(), self._show_plain)

    def add(self, drawn: Drawn, text: str) -> QWidget:
        """Another entry at the right; what is returned can be shown and hidden."""
        label = QLabel(text)
        write_as(label, "small")
        muted(label)
        entry = self.add_widget(drawn, label)
        self._plain.append(entry)
        return entry

    def add_widget(self, drawn: Drawn, widget: QWidget) -> QWidget:
        """An entry whose words are a widget, as a box to tick."""
        entry = QWidget()
        row = QHBoxLayout(entry)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(Swatch(drawn), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(widget)
        self._row.addWidget(entry)
        self.entries.append(entry)
        return entry

    def sizeHint(self) -> QSize:
        entries = [entry for entry in self.entries if entry in self._plain or not entry.isHidden()]
        return self._room_for([entry.sizeHint() for entry in entries])

    def minimumSizeHint(self) -> QSize:
        entries = [entry for entry in self.entries if entry not in self._plain and not entry.isHidden()]
        return self._room_for([entry.minimumSizeHint() for entry in entries])

    def _show_plain(self, has_room: bool) -> None:
        for entry in self._plain:
            entry.setVisible(has_room)

    def _room_for(self, hints: list[QSize]) -> QSize:
        gaps = self._row.spacing() * max(len(hints) - 1, 0)
        return QSize(sum(hint.width() for hint in hints) + gaps, max((hint.height() for hint in hints), default=12))
