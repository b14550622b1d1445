"""A dialog that Tab key and screen readers go through as one reads it."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QShowEvent
from PySide6.QtWidgets import QDialog

from gui.shared.reading_order import put_in_order


class OrderedDialog(QDialog):
    """Base of the program's dialogs."""

    def showEvent(self, event: QShowEvent) -> None:
        """Assistive tools are told of it as one reads it; nobody waits for that where none listens."""
        super().showEvent(event)
        if QAccessible.isActive():
            put_in_order(self)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes as one reads, whenever a control was made."""
        put_in_order(self)
        return super().focusNextPrevChild(forward)
