"""Buttons by their role: one filled a page, plain ones, and quiet ones for what leads on or is rarely needed."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy

from gui.shared.parts.cut import CutButton
from gui.theme import dress_as, write_as

Role = Literal["filled", "plain", "quiet"]


def role_button(text: str, name: str, role: Role = "plain") -> QPushButton:
    """A button of a role; Enter presses it where it has the focus, and never by itself."""
    button = CutButton(text, objectName=name)
    button.setAutoDefault(False)
    set_role(button, role)
    return button


def set_role(button: QPushButton, role: Role) -> None:
    """Give a button another role: a filled one becomes plain where something else comes first."""
    write_as(button, "section" if role == "filled" else "body")
    dress_as(button, role=role)
    if role == "quiet":
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
