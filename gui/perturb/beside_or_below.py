"""Two panes beside each other, or below each other where there is little width."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget


class BesideOrBelow(QSplitter):
    """It needs no more width than its widest pane."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent, objectName=name)

    def minimumSizeHint(self) -> QSize:
        least = [self.widget(place).minimumSizeHint().expandedTo(self.widget(place).minimumSize())
                 for place in range(self.count())]  # fmt: skip
        heights = [each.height() for each in least]
        is_below = self.orientation() == Qt.Orientation.Vertical
        height = sum(heights) + self.handleWidth() if is_below else max(heights, default=0)
        return QSize(max((each.width() for each in least), default=0), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        widths = [
            max(self.widget(place).minimumSizeHint().width(), self.widget(place).minimumWidth())
            for place in range(self.count())
        ]
        beside = self.width() >= sum(widths) + self.handleWidth()
        wanted = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if wanted != self.orientation():
            self.setOrientation(wanted)
            self.updateGeometry()
        super().resizeEvent(event)
