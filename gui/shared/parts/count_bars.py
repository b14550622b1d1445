"""Names with a bar and a number each: where most of a count is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from gui.numbers import format_count
from gui.shared.elision import MIDDLE
from gui.shared.labels import ElidedLabel
from gui.shared.parts.bars import EffectBar

_LEAST_NAME = 104


class CountBars(QWidget):
    """A grid of name, bar and number; rows stay where they are as long as the names do."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(5)
        self._grid.setHorizontalSpacing(12)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[ElidedLabel, EffectBar, QLabel]] = []

    def set_counts(self, counts: Sequence[tuple[str, int]], most: int = 0) -> None:
        """Show these; a bar of full length is `most`, or the largest of them."""
        while len(self._rows) < len(counts):
            self._add_row()
        longest = max(most, *(count for _, count in counts), 1) if counts else 1
        for place, (name, bar, number) in enumerate(self._rows):
            for widget in (name, bar, number):
                widget.setVisible(place < len(counts))
            if place < len(counts):
                text, count = counts[place]
                name.setText(text)
                bar.set_share(count / longest)
                number.setText(format_count(count))

    def _add_row(self) -> None:
        row = ElidedLabel(widest=_LEAST_NAME * 2, side=MIDDLE), EffectBar(), QLabel()
        row[0].setMinimumWidth(_LEAST_NAME)
        row[2].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column, widget in enumerate(row):
            self._grid.addWidget(widget, len(self._rows), column)
        self._rows.append(row)
