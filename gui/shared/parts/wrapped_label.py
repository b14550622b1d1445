"""A label of several lines that does not ask for the height of its narrowest shape."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from gui.theme import muted, write_as

_LEAST_WIDTH = 80
WIDEST = 760
"""Width of a paragraph; a line of more than ninety characters is read with effort."""


class WrappedLabel(QLabel):
    """Plain text of a role of type that breaks into lines; its least height is one line, whatever its width."""

    def __init__(self, text: str = "", name: str = "", role: str = "body", is_muted: bool = False) -> None:
        super().__init__(text, objectName=name, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._measured, self._heights = text, dict[int, int]()
        """Its heights by width, of this text: layouts ask for them a thousand times before a page is in sight."""
        self.setMaximumWidth(WIDEST)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        if role != "body":
            write_as(self, role)
        if is_muted:
            muted(self)

    def heightForWidth(self, width: int) -> int:
        """It is never wider than a paragraph, whatever room there is."""
        width, text = min(width, self.maximumWidth()), self.text()
        if text != self._measured:
            self._measured = text
            self._heights.clear()
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def changeEvent(self, event: QEvent) -> None:
        """Its font or its style may be another."""
        self._heights.clear()
        super().changeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, self.fontMetrics().height())
