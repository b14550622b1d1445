"""Buttons whose text is cut with … where they have less room than it needs, and is whole in the tool tip then."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QStyleOptionButton

from gui.texts import as_tip


def show_whole_as_tip(widget: Any, text: str, is_cut: bool) -> None:
    """Have the whole text as the tool tip of a widget that cuts it; a tool tip of its own stays."""
    tip, mine = widget.toolTip(), widget.property("wholeText") or ""
    wanted = text if is_cut else ""
    if tip in ("", as_tip(mine)) and tip != as_tip(wanted):
        widget.setProperty("wholeText", wanted)
        widget.setToolTip(as_tip(wanted))


class CutsText:
    """For a button: its text is cut while it is drawn in less width than it asks for."""

    _drawn = ""

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)  # type: ignore[misc]
        if self._drawn:
            option.text = self._drawn  # type: ignore[attr-defined]

    def paintEvent(self, event: QPaintEvent) -> None:
        button: Any = self
        needed = button.sizeHint().width()
        is_cut = button.width() < needed
        show_whole_as_tip(button, button.text().replace("&", ""), is_cut)
        self._drawn = cut_text(button, needed) if is_cut else ""
        super().paintEvent(event)  # type: ignore[misc]
        self._drawn = ""  # what it asks for is measured with all of it


class CutButton(CutsText, QPushButton):
    """A button that may be made narrower than its text."""


def cut_text(button: QAbstractButton, needed: int) -> str:
    """The text of a button as it fits into its width; `needed`: the width in which it is whole."""
    whole, flag = button.text(), Qt.TextFlag.TextShowMnemonic.value
    text = button.fontMetrics().size(flag, whole).width()
    room = max(text - (needed - button.width()), 0)
    return button.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, room, flag)
