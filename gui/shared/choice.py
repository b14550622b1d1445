"""A combo box of a few choices with a sentence under it that says what the chosen one means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QLabel, QStyle, QStyleOptionComboBox

from core.base.texts import translate
from gui.shared.parts.cut import show_whole_as_tip
from gui.shared.wheel import ComboBox
from gui.theme import muted

T = TypeVar("T", bound=str)


@dataclass(frozen=True)
class Option(Generic[T]):
    """A choice as the recipe says it, as the user reads it (marked for translation), and what it means."""

    value: T
    text: str
    meaning: str = ""


class ChoiceBox(ComboBox):
    """A combo box whose tool tip is what is chosen where there is no room for it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        complex_, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(complex_, option, part, self).width()
        needed = self.fontMetrics().horizontalAdvance(self.currentText())
        show_whole_as_tip(self, self.currentText(), needed > room)
        super().paintEvent(event)


class Choice(QObject, Generic[T]):
    """`box` and `meaning` are for a layout; `box` carries the name.

    Options that are not offered are not shown; where only one is, `alone` says so and the box is no choice.
    """

    def __init__(self, name: str, title: str, options: Sequence[Option[T]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._options = {option.value: option for option in options}
        self.box = ChoiceBox(objectName=name)
        self.box.setAccessibleName(title)
        self.box.setMinimumContentsLength(18)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.meaning = QLabel(objectName=f"{name}Meaning")
        self.meaning.setWordWrap(True)
        self.meaning.setTextFormat(Qt.TextFormat.PlainText)
        muted(self.meaning)
        self.box.currentIndexChanged.connect(lambda _index: self._explain())

    @property
    def value(self) -> T | None:
        """The chosen option."""
        value: T | None = self.box.currentData()
        return value

    @property
    def alone(self) -> bool:
        """Whether there is nothing to choose."""
        return self.box.count() < 2

    def offer(self, values: Sequence[T]) -> None:
        """Show these options only."""
        if [self.box.itemData(i) for i in range(self.box.count())] == list(values):
            return
        self.box.blockSignals(True)
        self.box.clear()
        for value in values:
            self.box.addItem(translate(self._options[value].text), value)
        self.box.blockSignals(False)

    def show_value(self, value: T) -> None:
        """Show what is chosen; nothing is emitted."""
        self.box.blockSignals(True)
        self.box.setCurrentIndex(self.box.findData(value))
        self.box.blockSignals(False)
        self._explain()

    def _explain(self) -> None:
        option = self._options.get(self.value) if self.value is not None else None
        self.meaning.setText(translate(option.meaning) if option is not None else "")
        self.meaning.setVisible(bool(self.meaning.text()))
        self.box.setAccessibleDescription(self.meaning.text())
