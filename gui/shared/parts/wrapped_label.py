"""A label of several lines that does not ask for the height of its narrowest shape."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from gui.theme import muted, write_as

_LEAST_WIDTH = 80
WIDEST = 760
"""Width of a paragraph; a line of more than ninety characters is read with effort."""


class WrappedLabel(QLabel):
    """Plain text of a role of type that breaks into lines; its least height is one line, whatever its width."""

    def __init__(self, text: str = "", name: str = "", role: str = "body", is_muted: bool = False) -> None:
        super().__init__(text, objectName=name, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
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
        return super().heightForWidth(min(width, self.maximumWidth()))

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, self.fontMetrics().height())
