"""Narrow buttons between two lists."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget


def arrow_button(name: str, text: str, tip: str) -> QPushButton:
    """A narrow button with an arrow for its text; `tip` says what it does."""
    button = QPushButton(text, objectName=name)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setFixedWidth(36)
    button.setAutoDefault(False)
    return button


def button_column(*buttons: QWidget) -> QVBoxLayout:
    """Buttons under each other, in the middle of the height."""
    column = QVBoxLayout()
    column.addStretch()
    for button in buttons:
        column.addWidget(button)
    column.addStretch()
    return column
