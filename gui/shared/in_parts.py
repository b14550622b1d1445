"""What cannot be done with a file in parts, said where it would be chosen."""

from __future__ import annotations

import time

from PySide6.QtWidgets import QWidget

from core.base.texts import translate
from core.recipe.in_parts import NOT_IN_PARTS, Whole, is_in_parts
from core.recipe.model import Input
from gui.document.document import Document
from gui.texts import as_tip

_FRESH_S = 0.5
"""For so long the answer of the disk holds: dozens of controls ask at once, and while one waits for the disk the
compute thread takes Python's lock for some milliseconds."""


class _Answer:
    """Whether the data of a session are in parts, as the disk said last."""

    of: Input | None = None
    until = 0.0
    is_in_parts = False


def _is_in_parts(source: Input) -> bool:
    now = time.monotonic()
    if source != _Answer.of or now > _Answer.until:
        _Answer.of, _Answer.is_in_parts, _Answer.until = source, is_in_parts(source), now + _FRESH_S
    return _Answer.is_in_parts


def reason_in_parts(document: Document, what: str, reason: Whole = "records") -> str:
    """Why `what` (translated) cannot be chosen; empty where the session's data are one file."""
    return translate(NOT_IN_PARTS[reason]).format(key=what) if _is_in_parts(document.recipe.input) else ""


def refuse(widget: QWidget, reason: str, tip: str = "") -> None:
    """Disable a control and say why; without a reason enable it, with its own `tip`."""
    widget.setEnabled(not reason)
    widget.setToolTip(as_tip(reason or tip))
