"""What scrolls down by itself where a page is too low for it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget


class WideEnough(QScrollArea):
    """Scrolls down alone: never narrower than what it holds."""

    def __init__(self, held: QWidget, accessible_name: str) -> None:
        super().__init__(widgetResizable=True, frameShape=QFrame.Shape.NoFrame, accessibleName=accessible_name)
        self._held = held
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(held)
        held.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        beside = self.verticalScrollBar().sizeHint().width()
        return QSize(self._held.minimumSizeHint().width() + beside, super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What says more may need more width."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def scrolled(column: QVBoxLayout, name: str, grows: bool = False) -> QScrollArea:
    """A column that is as wide as its place and scrolls by itself; `grows`: something in it takes what room is left."""
    place = QWidget()
    column.addStretch(0 if grows else 1)
    place.setLayout(column)
    area = QScrollArea(widgetResizable=True, frameShape=QFrame.Shape.NoFrame, objectName=name)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(place)
    for ground in (place, area.viewport()):
        ground.setAutoFillBackground(False)
    return area
