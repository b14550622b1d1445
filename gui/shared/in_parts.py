"""What cannot be done with a file in parts, said where it would be chosen."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.base.texts import translate
from core.recipe.in_parts import NOT_IN_PARTS, is_in_parts
from gui.document.document import Document
from gui.texts import as_tip


def reason_in_parts(document: Document, what: str) -> str:
    """Why `what` (translated) cannot be chosen; empty where the session's data are one file."""
    return translate(NOT_IN_PARTS).format(key=what) if is_in_parts(document.recipe.input) else ""


def refuse(widget: QWidget, reason: str, tip: str = "") -> None:
    """Disable a control and say why; without a reason enable it, with its own `tip`."""
    widget.setEnabled(not reason)
    widget.setToolTip(as_tip(reason or tip))
