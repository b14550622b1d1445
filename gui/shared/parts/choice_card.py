"""One of a few ways to go on as a card: name, its forecast at the right, and what it holds against below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel

from gui.shared.parts.one_of import OneOf, SteppingRadio
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.theme import dress_as, write_as


class ChoiceCard(QFrame):
    """All of it can be clicked; `radio` carries the object name and says whether it is chosen."""

    def __init__(self, name: str, title: str, explained: str) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.radio = SteppingRadio(title, name)
        self.radio.setAccessibleDescription(explained)
        write_as(self.radio, "section")
        self.forecast = QLabel(objectName=f"{name}Forecast")
        grid = QGridLayout(self)
        grid.setContentsMargins(14, 8, 14, 8)
        grid.setVerticalSpacing(0)
        grid.setColumnMinimumWidth(0, 26)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.radio, 0, 0, 1, 2)
        grid.addWidget(self.forecast, 0, 2)
        grid.addWidget(WrappedLabel(explained, is_muted=True), 1, 1, 1, 2)
        self.radio.toggled.connect(lambda chosen: dress_as(self, chosen=chosen))
        dress_as(self, chosen=False)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.radio.isEnabled():
            self.radio.setFocus(Qt.FocusReason.MouseFocusReason)
            self.radio.setChecked(True)


class ChoiceCards(OneOf):
    """Cards of which one is chosen; arrow keys go from one to the next."""

    def __init__(self, cards: Sequence[ChoiceCard], parent: QObject | None = None) -> None:
        super().__init__([card.radio for card in cards], parent)
