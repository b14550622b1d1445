"""Buttons as a user presses them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot


def press(qtbot: QtBot, window: QWidget, name: str) -> None:
    """Click the button of this name, enabled or not."""
    button = window.findChild(QPushButton, name)
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
