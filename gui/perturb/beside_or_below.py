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
        least = self._least
        is_below = self.orientation() == Qt.Orientation.Vertical
        heights = [each.height() for each in least]
        height = sum(heights) + self.handleWidth() if is_below else max(heights, default=0)
        return QSize(max((each.width() for each in least), default=0), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        beside = sum(each.width() for each in self._least) + self.handleWidth()
        wanted = Qt.Orientation.Horizontal if self.width() >= beside else Qt.Orientation.Vertical
        if wanted != self.orientation():
            self.setOrientation(wanted)
            self.updateGeometry()
        super().resizeEvent(event)

    @property
    def _least(self) -> list[QSize]:
        panes = [pane for place in range(self.count()) if (pane := self.widget(place)) is not None]
        return [pane.minimumSizeHint().expandedTo(pane.minimumSize()) for pane in panes]
