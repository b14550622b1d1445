"""What scrolls down by itself where a page is too low for it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget


class ScrolledDown(QScrollArea):
    """What it holds is as wide as its place, stands on the ground of the page, and scrolls where that is too low."""

    def __init__(self, held: QWidget, name: str = "") -> None:
        super().__init__(widgetResizable=True, frameShape=QFrame.Shape.NoFrame, objectName=name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.held = held
        self.setWidget(held)
        for ground in (held, self.viewport()):
            ground.setAutoFillBackground(False)


class WideEnough(ScrolledDown):
    """Never narrower than what it holds."""

    def __init__(self, held: QWidget, name: str = "") -> None:
        super().__init__(held, name)
        held.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        edges = self.contentsMargins()
        beside = self.verticalScrollBar().sizeHint().width() + edges.left() + edges.right()
        return QSize(self.held.minimumSizeHint().width() + beside, super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What says more may need more width."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def scrolled(column: QVBoxLayout, name: str) -> ScrolledDown:
    """A column that is as wide as its place and scrolls by itself."""
    place = QWidget()
    column.addStretch(1)
    place.setLayout(column)
    return ScrolledDown(place, name)
