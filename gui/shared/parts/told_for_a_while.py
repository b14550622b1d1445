"""What went well, in a line that needs no click: shown for six seconds."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from gui.shared.accessible import announce
from gui.shared.labels import ElidedLabel
from gui.theme import write_as

SHOWN_MS = 6000


class ToldForAWhile(ElidedLabel):
    """For a status line; empty again after six seconds, or as soon as something else is told."""

    def __init__(self, name: str = "toldForAWhile") -> None:
        super().__init__(objectName=name)
        write_as(self, "small")
        self._ends = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._ends.timeout.connect(self.clear)

    def tell(self, text: str) -> None:
        """Show a sentence."""
        self.setText(text)
        self.setAccessibleName(text)
        announce(self, text)
        self._ends.start()
