"""What scrolls down by itself where a page is too low for it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.theme import scaled

_LINE = 2
"""Height of the lines around it that the style gives."""


class ScrolledDown(QScrollArea):
    """What it holds is as wide as its place, stands on the ground of the page, and scrolls where that is too low.

    Parameters
    ----------
    is_whole : it is never narrower than what it holds
    least : height that it has at least, in logical pixels; 0: as much as Qt gives
    tallest : so high it may be, if what it holds is; 0: as high as its place
    """

    def __init__(self, held: QWidget, name: str = "", is_whole: bool = False, least: int = 0, tallest: int = 0) -> None:
        super().__init__(widgetResizable=True, frameShape=QFrame.Shape.NoFrame, objectName=name)
        self._is_whole, self._least, self._tallest = is_whole, least, tallest
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.held = held
        self.setWidget(held)
        held.installEventFilter(self)
        for ground in (held, self.viewport()):
            ground.setAutoFillBackground(False)

    def set_whole(self, is_whole: bool) -> None:
        """Whether it may be narrower than what it holds."""
        if is_whole != self._is_whole:
            self._is_whole = is_whole
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        if not self._tallest:
            return super().sizeHint()
        return QSize(self.held.sizeHint().width(), min(self._held_height() + _LINE, scaled(self._tallest)))

    def minimumSizeHint(self) -> QSize:
        hint, edges = super().minimumSizeHint(), self.contentsMargins()
        beside = self.verticalScrollBar().sizeHint().width() + edges.left() + edges.right()
        width = self.held.minimumSizeHint().width() + beside if self._is_whole else hint.width()
        height = scaled(self._least) if self._least else hint.height()
        return QSize(width, min(self._held_height(), height) if self._tallest else height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What says more may need more width; sentences are as high as they are at theirs, and nothing is cut off."""
        is_asking = event.type() == QEvent.Type.LayoutRequest
        if self._tallest and (is_asking or event.type() == QEvent.Type.Resize):
            self.held.setMinimumHeight(self._held_height())
            self.updateGeometry()
        elif self._is_whole and is_asking:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def _held_height(self) -> int:
        return max(self.held.heightForWidth(self.viewport().width()), 0)


def scrolled(column: QVBoxLayout, name: str) -> ScrolledDown:
    """A column that is as wide as its place and scrolls by itself."""
    place = QWidget()
    column.addStretch(1)
    place.setLayout(column)
    return ScrolledDown(place, name)
