"""Keys of one widget, for example Delete in a list."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget


def on_key(widget: QWidget, key: Qt.Key | str, do: Callable[[], object]) -> None:
    """Do something when a key is pressed while `widget` has the focus."""
    made = QShortcut(QKeySequence(key), widget)
    made.setContext(Qt.ShortcutContext.WidgetShortcut)
    made.activated.connect(do)
