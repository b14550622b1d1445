"""What a change that is not applied yet would do: unsafe records before and after, what it costs, Drop and Apply."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from core.base.texts import translate
from gui.numbers import format_count
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import Card
from gui.shared.parts.wrapped_label import WrappedLabel


class EffectCard(Card):
    """`effect` with `effectApply` and `effectDrop`; it stands where guidance stands."""

    applied = Signal()
    dropped = Signal()

    def __init__(self, name: str = "effect") -> None:
        super().__init__(name=name, tone="effect")
        self.headline = WrappedLabel(name=f"{name}Headline", role="head")
        self.cost = WrappedLabel(name=f"{name}Cost", is_muted=True)
        self.apply = role_button(translate("A&pply"), f"{name}Apply", "filled")
        self.drop = role_button(translate("D&rop"), f"{name}Drop")
        self.apply.clicked.connect(self.applied)
        self.drop.clicked.connect(self.dropped)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.headline)
        words.addWidget(self.cost)
        row = QHBoxLayout()
        row.addLayout(words, 1)
        for button in (self.drop, self.apply):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.body.addLayout(row)

    def say(self, headline: str, sentence: str) -> None:
        """Say something else, as long as there is no change to tell of."""
        self.headline.setText(headline)
        self.cost.setText(sentence)
        self.setAccessibleName(headline)
        self.setAccessibleDescription(sentence)

    def show_effect(self, before: int, after: int, cost: str) -> None:
        """Unsafe records before and after, and a sentence of what the change costs."""
        text = translate("{before} → {after} unsafe records")
        self.say(text.format(before=format_count(before), after=format_count(after)), cost)
