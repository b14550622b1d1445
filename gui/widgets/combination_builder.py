"""The combination under construction: its variables, its cells counted while it is built, its threshold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QLabel, QListWidget, QVBoxLayout, QWidget

from core.texts import translate
from gui import numbers
from gui.document import Document
from gui.theme import heading
from gui.widgets.number_box import NumberBox

if TYPE_CHECKING:
    from core.derive.results import Prepared

_COUNT_AFTER_MS = 200
_OBSERVED = "observed cells"
_TOO_LONG = 10**12


class CombinationBuilder(QWidget):
    """`currentCombination`, `cellCounts` and `countThreshold`.

    Signals
    -------
    threshold_changed(int)
        A threshold was typed.
    """

    threshold_changed = Signal(int)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._prepared: Prepared | None = None
        self.list = QListWidget(objectName="currentCombination")
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setAccessibleName(translate("Combination under construction"))
        self.counts = QLabel(objectName="cellCounts")
        self.counts.setWordWrap(True)
        self.threshold = NumberBox("countThreshold", lambda k: str(int(k)), numbers.parse_count)
        self.threshold.set_value(1)
        self.threshold.setMaximumWidth(70)
        self.threshold.setToolTip(translate("A combination that occurs in at most k records is unsafe"))
        self.threshold.entered.connect(self._threshold_typed)
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=_COUNT_AFTER_MS)
        self._timer.timeout.connect(self._count)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self.take_out)

    def _lay_out(self) -> None:
        title = QLabel(translate("New combination"))
        heading(title, 1.05)
        title.setMinimumHeight(self.threshold.sizeHint().height())  # beside tables with a filter box in their head
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(title)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.counts)
        grid = QGridLayout()
        label = QLabel(translate("&Threshold  k ="))
        label.setBuddy(self.threshold)
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.threshold, 0, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self.threshold.message, 1, 0, 1, 2)
        layout.addLayout(grid)

    @property
    def names(self) -> tuple[str, ...]:
        """Variables of the combination, in the order chosen."""
        return tuple(self.list.item(i).text() for i in range(self.list.count()))

    @property
    def count_threshold(self) -> int:
        """The largest unsafe count."""
        return int(self.threshold.value or 1)

    def set_prepared(self, prepared: Prepared) -> None:
        """Count on these columns from now on."""
        self._prepared = prepared
        self._timer.start()

    def stop(self) -> None:
        """Count no longer: the window is closed."""
        self._timer.stop()
        self._document.tasks.drop(_OBSERVED)

    def set_names(self, names: tuple[str, ...] = ()) -> None:
        """Show another combination."""
        self.list.clear()
        self.list.addItems(names)
        self._timer.start()

    def add(self, names: list[str]) -> None:
        """Add variables that are not there yet."""
        known = self.names
        self.set_names((*known, *(name for name in names if name not in known)))

    def take_out(self) -> None:
        """Take the selected variables out."""
        gone = {item.text() for item in self.list.selectedItems()}
        self.set_names(tuple(name for name in self.names if name not in gone))

    def _threshold_typed(self, value: float) -> None:
        if value < 1:
            self.threshold.refuse(translate("The threshold is a whole number of at least 1."))
            return
        self.threshold.set_value(value)
        self.threshold_changed.emit(int(value))

    def _count(self) -> None:
        names, prepared = self.names, self._prepared
        if not names or prepared is None:
            self.counts.setText(translate("Choose the variables that an outsider could know about a person."))
            return
        if any(name not in prepared.columns for name in names):
            self.counts.clear()
            return
        possible = math.prod(prepared.columns[name].n_valid for name in names)
        shown = numbers.format_count(possible) if possible < _TOO_LONG else f"{float(possible):.1e}"
        text = translate("{count} possible cells").format(count=shown)
        self.counts.setText(text)

        def counted(cells: int) -> None:
            observed = translate("{cells} observed in {records} records").format(
                cells=numbers.format_count(cells), records=numbers.format_count(prepared.records)
            )
            self.counts.setText(f"{text}, {observed}")

        self._document.count_cells(_OBSERVED, names, counted)
