"""Names, codes and labels of a file are shown as they are: Qt would take some of them for HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt

_LONGEST = 1000


def as_tip(text: str) -> str:
    """`text` as a tool tip that shows it letter by letter; the end of a very long one is left out."""
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    if not Qt.mightBeRichText(shown):
        return shown
    return f"<qt>{escape(shown)}</qt>".replace("\n", "<br>")
