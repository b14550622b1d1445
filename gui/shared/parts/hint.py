"""One sentence on top of a page at its first visit: what to do first; it takes room of its own and covers nothing."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout

from core.base.texts import mark, translate
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import Card
from gui.shared.parts.wrapped_label import WrappedLabel


class Hint(Card):
    """`pageHint` with `pageHintText` and the button `pageHintKnown`, which dismisses it."""

    dismissed = Signal()

    def __init__(self, text: str) -> None:
        super().__init__(name="pageHint", tone="hint")
        self.setAccessibleName(translate(mark("Hint")))
        self.setAccessibleDescription(text)
        self.known = role_button(translate(mark("Got it")), "pageHintKnown", "quiet")
        self.known.setToolTip(translate(mark("Do not show this hint again")))
        self.known.clicked.connect(self.dismissed)
        self.setFocusProxy(self.known)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(WrappedLabel(text, "pageHintText"), 100)
        row.addStretch(1)
        row.addWidget(self.known, 0, Qt.AlignmentFlag.AlignVCenter)
        self.body.setContentsMargins(12, 6, 12, 6)
        self.body.addLayout(row)
