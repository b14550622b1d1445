"""A column that somebody has to decide on: sign, name, what it holds, and a box of decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from core.base.texts import translate
from gui.shared.choice import ChoiceBox
from gui.shared.labels import ElidedLabel
from gui.shared.layout.by_room import ByRoom
from gui.shared.parts.signs import Sign
from gui.theme import dress_as, muted, scaled, write_as

HEIGHT = 41
_NAME, _BOX = 104, 244
_BESIDE, _LEAST = 600, 348
"""Widths from which name and contents stand side by side, and which a row needs at least."""
_ANY = 16_777_215


class ChecklistRow(QWidget):
    """`<name>Decision` is the box; a row never moves while the list is worked on.

    Signals
    -------
    decided(object)
        The value of the decision that somebody chose.
    """

    decided = Signal(object)

    def __init__(self, name: str, holds: str, decisions: Sequence[tuple[str, Any]]) -> None:
        super().__init__()
        self._sign = Sign("attention", 20)
        self._name = ElidedLabel(name, f"{name}Name")
        write_as(self._name, "section")
        held = ElidedLabel(holds)
        muted(held)
        self.box = ChoiceBox(objectName=f"{name}Decision")
        self.box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.box.setFixedWidth(scaled(_BOX))
        self.box.setAccessibleName(translate("Decision on {column}").format(column=name))
        self._decisions = list(decisions)
        self.setFixedHeight(scaled(HEIGHT))
        self.setMinimumWidth(scaled(_LEAST))
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 10, 0)
        row.setSpacing(10)
        self._words = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._words.addWidget(self._name)
        self._words.addWidget(held, 1)
        row.addWidget(self._sign)
        row.addLayout(self._words, 1)
        row.addWidget(self.box)
        self._set_beside(False)
        ByRoom(self).width(_BESIDE, self._set_beside)
        self.box.activated.connect(self._chosen)
        self.show_decision(None)

    def _set_beside(self, beside: bool) -> None:
        """What the column holds stands beside its name, or under it where there is no room."""
        narrow = not beside
        self._name.setMinimumWidth(0 if narrow else scaled(_NAME))
        self._name.setMaximumWidth(_ANY if narrow else scaled(_NAME))
        self._words.setSpacing(0 if narrow else 10)
        self._words.setContentsMargins(0, 3 * narrow, 0, 3 * narrow)
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._words.setDirection(down if narrow else across)

    @property
    def is_decided(self) -> bool:
        """Whether somebody confirmed a decision."""
        return self._sign.state == "done"

    def show_decision(self, value: Any, proposed: bool = False) -> None:
        """Show what is decided; None: nothing yet. A proposal counts as nothing until it is confirmed."""
        self.box.clear()
        if value is None:
            self.box.addItem(translate("Decide…"), None)
        for text, each in self._decisions:
            said = translate("{decision} (proposed)").format(decision=text) if proposed and each == value else text
            self.box.addItem(said, each)
        self.box.setCurrentIndex(max(self.box.findData(value), 0))
        decided = value is not None and not proposed
        self._sign.set_state("done" if decided else "attention")
        self.box.setAccessibleDescription("" if decided else translate("to be decided"))
        dress_as(self.box, undecided=not decided)

    def _chosen(self, place: int) -> None:
        value = self.box.itemData(place)
        if value is not None:
            self.show_decision(value)
            self.decided.emit(value)
