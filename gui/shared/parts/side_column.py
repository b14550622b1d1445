"""A column of cards at the right of a page: as wide as the page allows, scrolled where it is too low."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.shared.layout.scrolled import ScrolledDown
from gui.theme.tokens import GAP

_LEAST_HEIGHT = 80


class SideColumn(ScrolledDown):
    """Cards below each other; `set_wanted` gives the width, which is never less than the cards need."""

    def __init__(self, *cards: QWidget, name: str) -> None:
        column = QWidget()
        super().__init__(column, name, is_whole=True, least=_LEAST_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Expanding)
        self._wanted = 0
        self._cards = QVBoxLayout(column)
        self._cards.setContentsMargins(0, 0, 0, 0)
        self._cards.setSpacing(GAP)
        self._all = cards
        for card in cards:
            self._cards.addWidget(card)
        self._cards.addStretch(1)

    def set_wanted(self, width: int) -> None:
        """So wide in logical pixels, where the cards do not need more."""
        if width != self._wanted:
            self._wanted = width
            self.updateGeometry()

    def lend(self, grid: QGridLayout) -> None:
        """Let the cards stand in `grid`, two to a row, where a page has no room for a column."""
        alone = len(self._all) - 1 if len(self._all) % 2 else -1
        for place, card in enumerate(self._all):
            grid.addWidget(card, place // 2, place % 2, 1, 2 if place == alone else 1, Qt.AlignmentFlag.AlignTop)
        for column in range(2):
            grid.setColumnStretch(column, 1)
        self.hide()

    def take_back(self) -> None:
        """Let the cards stand in the column again."""
        for place, card in enumerate(self._all):
            self._cards.insertWidget(place, card)
        self.show()

    def sizeHint(self) -> QSize:
        least = self.minimumSizeHint()
        return QSize(max(self._wanted, least.width()), max(super().sizeHint().height(), least.height()))
