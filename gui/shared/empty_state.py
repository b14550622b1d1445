"""Text in place of a table or a chart that has nothing to show."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.theme import muted

_WIDEST = 560
"""A sentence in the middle of a page is read at one glance."""


class EmptyState(QWidget):
    """What will be here and why it is not (`<name>EmptyText`), and the button that fills it (`<name>EmptyButton`)."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._text = QLabel(objectName=f"{name}EmptyText")
        self._text.setWordWrap(True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text.setMaximumWidth(_WIDEST)
        muted(self._text)
        self._button = QPushButton(objectName=f"{name}EmptyButton")
        self._button.clicked.connect(self._do)
        self._action: Callable[[], None] | None = None
        layout = QVBoxLayout(self)
        layout.addStretch(2)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self._text, 1000)  # as wide as it may be
        middle.addStretch(1)
        layout.addLayout(middle)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(3)
        layout.setSpacing(10)
        self._button.hide()

    def say(self, text: str, button: str = "", do: Callable[[], None] | None = None) -> None:
        """Show a sentence, and a button where there is something to do."""
        self._text.setText(text)
        self._button.setText(button)
        self._button.setVisible(bool(button))
        self._action = do

    def _do(self) -> None:
        if self._action is not None:
            self._action()
