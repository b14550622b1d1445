"""A box for how a file is read: what was detected, or what the user says instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QComboBox

from core.base.texts import translate
from gui.shared.choice import ChoiceBox

_BESIDE_TYPED = 4
"""Pixels of the line to type in at each side of its text."""


class DetectedBox(ChoiceBox):
    """The first item stands for "as detected" and names what that is.

    Parameters
    ----------
    name : object name
    choices : pairs of value and text
    read : for a box in which another value can be typed: text to value; ValueError for nonsense

    Signals
    -------
    chosen()
        Another value holds.
    """

    chosen = Signal()

    def __init__(self, name: str, choices: Sequence[tuple[Any, str]], read: Callable[[str], Any] | None = None) -> None:
        super().__init__(objectName=name)
        self._read = read
        self._choices = dict(choices)
        self._typed: Any = None
        self.addItem(translate("as detected"), None)
        for value, text in choices:
            self.addItem(text, value)
        self.activated.connect(self._on_activated)
        if read is not None:
            self.setEditable(True)
            self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            line: Any = self.lineEdit()
            line.editingFinished.connect(self._on_typed)

    def sizeHint(self) -> QSize:
        """Room for the cursor too, where one can type."""
        room = 2 * _BESIDE_TYPED if self.isEditable() else 0
        return super().sizeHint() + QSize(room, 0)

    @property
    def value(self) -> Any:
        """What the user says; None for "as detected"."""
        return self._typed if self._typed is not None else self.currentData()

    def show_detected(self, value: Any) -> None:
        """Name what was detected."""
        text = self._choices.get(value, str(value)) if value is not None else ""
        self.setItemText(0, translate("{value} (detected)").format(value=text) if text else translate("as detected"))

    def set_value(self, value: Any) -> None:
        """Show a choice, None for "as detected"; nobody is told."""
        place = self.findData(value) if value is not None else 0
        self._typed = value if place < 0 else None
        if place >= 0:
            self.setCurrentIndex(place)
        elif self.isEditable():
            self.setEditText(str(value))

    def _on_activated(self, _place: int) -> None:
        self._typed = None
        self.chosen.emit()

    def _on_typed(self) -> None:
        text = self.currentText()
        if self._read is None or text == self.itemText(self.currentIndex()):
            return
        place = self.findText(text)
        if place >= 0:
            self.setCurrentIndex(place)
            self._typed = None
        else:
            try:
                value = self._read(text)
            except ValueError:
                self.set_value(None)
                self.chosen.emit()
                return
            if value == self._typed:
                return
            self._typed = value
        self.chosen.emit()


def read_character(text: str) -> str:
    """A delimiter as typed; what is none is refused in words where the file is looked at."""
    if not text:
        raise ValueError(text)
    return {r"\t": "\t", "tab": "\t"}.get(text.strip().lower(), text.strip() or text)


def read_word(text: str) -> str:
    """What is typed without blanks around it; ValueError for nothing."""
    if not text.strip():
        raise ValueError(text)
    return text.strip()
