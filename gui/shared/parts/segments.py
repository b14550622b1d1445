"""A few views of one thing in a row, of which one is chosen: radio buttons that look like one bar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.shared.accessible import GROUPING
from gui.shared.parts.cut import CutsText
from gui.shared.parts.one_of import OneOf, SteppingRadio
from gui.theme import dress_as

_PADDING, _DENSE = 13, 7


class SegmentButton(CutsText, SteppingRadio):
    """One of the views."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text, name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def hitButton(self, _place: object) -> bool:
        """All of it can be clicked, not the text alone."""
        return True

    def sizeHint(self) -> QSize:
        padding = _DENSE if self.property("dense") else _PADDING
        width = self.fontMetrics().horizontalAdvance(self.text().replace("&", "")) + 2 * padding + 4
        return QSize(width, super().sizeHint().height())


class Segments(QWidget):
    """Views by name; the first is chosen at the beginning and wherever another one is taken back.

    Parameters
    ----------
    dense : with less room around the words, for a narrow column

    Signals
    -------
    chosen(str)
        Name of the view that is chosen from now on.
    """

    spoken_as = GROUPING
    chosen = Signal(str)

    def __init__(self, name: str, title: str, views: Sequence[tuple[str, str]], dense: bool = False) -> None:
        super().__init__(objectName=name, accessibleName=title)
        self.buttons = {key: SegmentButton(text, key) for key, text in views}
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        last = len(self.buttons) - 1
        for place, button in enumerate(self.buttons.values()):
            row.addWidget(button)
            edge = "first" if place == 0 else "last" if place == last else "middle"
            dress_as(button, edge=edge, dense=dense)
        self._one = OneOf(list(self.buttons.values()), self)
        self._one.chosen.connect(lambda _place: self.chosen.emit(self.current))

    @property
    def current(self) -> str:
        """Name of the chosen view."""
        return list(self.buttons)[self._one.current]

    def choose(self, name: str) -> None:
        """Choose a view."""
        self.buttons[name].setChecked(True)
