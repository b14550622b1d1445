"""A label that is cut with … where its text does not fit, and shows all of it as a tool tip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from gui.texts import as_tip

_LEAST = 40


class ElidedLabel(QLabel):
    """`text()` is always the whole text; `widest` limits what the label asks for in points, `least` is kept of it.

    `side` is where it is cut: a sentence at its end, a name in its middle.
    """

    def __init__(
        self, text: str = "", objectName: str = "", widest: int = 0, least: int = _LEAST,
        side: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:  # fmt: skip
        super().__init__(text, objectName=objectName, textFormat=Qt.TextFormat.PlainText)
        self._widest, self._least, self._side = widest, least, side

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(min(hint.width(), self._widest), hint.height()) if self._widest else hint

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), self._least), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), self._side, room.width())
        self.setToolTip(as_tip(self.text()) if shown != self.text() else "")
        painter = QPainter(self)
        self.style().drawItemText(
            painter, room, self.alignment().value, self.palette(), self.isEnabled(), shown, self.foregroundRole()
        )
