"""Buttons by their role: one filled a page, plain ones, and quiet ones for what leads on or is rarely needed."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy

from gui.shared.parts.cut import CutButton
from gui.texts import as_tip
from gui.theme import dress_as, write_as

Role = Literal["filled", "plain", "quiet"]


def role_button(text: str, name: str, role: Role = "plain") -> QPushButton:
    """A button of a role; Enter presses it where it has the focus, and never by itself."""
    button = CutButton(text, objectName=name)
    button.setAutoDefault(False)
    set_role(button, role)
    return button


def allow(button: QAbstractButton, reason: str, tip: str = "") -> None:
    """Enable a button, or disable it and say why; `tip` : what it says where it is enabled."""
    button.setEnabled(not reason)
    button.setToolTip(as_tip(reason or tip))


def set_role(button: QPushButton, role: Role) -> None:
    """Give a button another role: a filled one becomes plain where something else comes first."""
    write_as(button, "section" if role == "filled" else "body")
    dress_as(button, role=role)
    if role == "quiet":
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
