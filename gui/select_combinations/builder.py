"""The combination under construction: its variables, its cells counted while it is built, its threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QListWidget, QVBoxLayout, QWidget

from core.base.texts import plural, translate
from core.recipe.edits_combinations import MOST_COUNT, with_count
from core.recipe.model import Combination
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.shared.elision import ElidedTexts
from gui.shared.list_rows import replace_rows
from gui.shared.number_box import NumberBox
from gui.shared.parts.card import Card, add_rule
from gui.shared.shortcuts import on_key
from gui.theme import write_as
from gui.theme.tokens import CARD_PADDING

if TYPE_CHECKING:
    from core.data.columns import EncodedColumn
    from core.results.results import RecodedData

_COUNT_AFTER_MS = 200
_OBSERVED = "observed cells"
_TOO_LONG = 10**12


class CombinationBuilder(QWidget):
    """`currentCombination`, `cellCounts` and `countThreshold`.

    A combination that was loaded keeps its model while its variables are edited, until the last one is taken out. The
    threshold is that of the new combination, or, while `show_threshold_of` says so, of others.

    Signals
    -------
    changed()
        The combination under construction is another one.
    threshold_changed(object)
        A threshold, an int, was typed for the combinations of `show_threshold_of`.
    """

    changed = Signal()
    threshold_changed = Signal(object)  # an int of any size: Qt's has 32 bits

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._prepared: RecodedData | None = None
        self._loaded: Combination | None = None
        self._template: Combination | None = None
        self._own = 1
        self._of_others = False
        self.unused = False
        """Whether a threshold was typed for a new combination that is not there yet."""
        self.list = QListWidget(objectName="currentCombination")
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setAccessibleName(translate("Combination under construction"))
        self.list.setItemDelegate(ElidedTexts(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # long names are cut instead
        self.counts = QLabel(objectName="cellCounts")
        self.counts.setWordWrap(True)
        self.counts.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.counts.setMinimumHeight(2 * self.fontMetrics().lineSpacing())  # nothing moves when a figure grows
        self.threshold = NumberBox("countThreshold", lambda k: str(int(k)), numbers.parse_count)
        self.threshold.set_value(1)
        self.threshold.setMaximumWidth(70)
        self.threshold.setToolTip(translate("A combination that occurs in at most k records is unsafe"))
        self.threshold.entered.connect(self._threshold_typed)
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=_COUNT_AFTER_MS)
        self._timer.timeout.connect(self._count)
        document.destroyed.connect(self._timer.stop)
        on_key(self.list, Qt.Key.Key_Delete, self.take_out)

    def _lay_out(self) -> None:
        title = QLabel(translate("New combination"))
        write_as(title, "section")
        title.setMinimumHeight(self.threshold.sizeHint().height())  # beside tables with a filter box in their head
        card = Card(name="newCombination")
        card.setAccessibleName(title.text())
        card.body.setContentsMargins(1, 4, 1, CARD_PADDING[1])
        card.body.addWidget(self.list, 1)
        add_rule(card.body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(title)
        layout.addWidget(card, 1)
        grid = QGridLayout()
        grid.setContentsMargins(CARD_PADDING[0] - 6, 0, CARD_PADDING[0] - 6, 0)
        label = QLabel(translate("&Threshold  k ="))
        label.setBuddy(self.threshold)
        grid.addWidget(self.counts, 0, 0, 1, 2)
        grid.addWidget(label, 1, 0)
        grid.addWidget(self.threshold, 1, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self.threshold.message, 2, 0, 1, 2)
        card.body.addLayout(grid)

    @property
    def names(self) -> tuple[str, ...]:
        """Variables of the combination, in the order chosen."""
        model = self.list.model()
        return tuple(model.index(row, 0).data() for row in range(model.rowCount()))

    @property
    def count_threshold(self) -> int:
        """The largest unsafe count of the new combination."""
        return self._own

    @property
    def combination(self) -> Combination | None:
        """The combination under construction, with the model that it was loaded with; None while it is empty."""
        names = self.names
        if not names:
            return None
        template = self._template or Combination(names, model="frequency")
        return with_count(replace(template, variables=names), self._own)

    @property
    def edited(self) -> bool:
        """Whether something is under construction that is not as it was loaded."""
        return bool(self.names) and self.combination != self._loaded

    @property
    def loaded(self) -> Combination | None:
        """The combination that was loaded, as it was then."""
        return self._loaded

    def load(self, combination: Combination, loaded: Combination | None) -> None:
        """Put a combination under construction with its model and threshold; `loaded`: as it was before any edit."""
        replace_rows(self.list, ())
        self._template, self._loaded = combination, loaded
        self.set_own_threshold(combination.count_threshold)
        self.set_names(combination.variables)

    def judge_by(self, combination: Combination) -> None:
        """Let the combination under construction have the model of another one, with all that belongs to it."""
        self._template = combination
        self.changed.emit()

    def set_own_threshold(self, count_threshold: int) -> None:
        """Show the threshold of the new combination."""
        self._own, self.unused = count_threshold, False
        self.show_threshold_of(())

    def show_threshold_of(self, counts: Sequence[int]) -> None:
        """Let the box be about combinations with these thresholds; about the new combination where there are none."""
        was_of_others, self._of_others = self._of_others, bool(counts)
        if not counts:
            if was_of_others or self.threshold.value != self._own:
                self.threshold.set_value(self._own)
            return
        same = counts[0] if len(set(counts)) == 1 else None
        if not was_of_others or self.threshold.value != same:
            self.threshold.set_value(same)
        self.threshold.setPlaceholderText("" if same is not None else translate("several"))
        text = plural(
            len(counts),
            "Of the combination selected in the list.",
            "Of the {count} combinations selected in the list.",
        )
        self.threshold.say(translate(text).format(count=numbers.format_count(len(counts))))

    def set_prepared(self, prepared: RecodedData) -> None:
        """Count on these columns from now on."""
        self._prepared = prepared
        self._timer.start()

    def stop(self) -> None:
        """Count no longer: the window is closed."""
        self._timer.stop()
        self._document.tasks.drop(_OBSERVED)

    def set_names(self, names: tuple[str, ...] = ()) -> None:
        """Show another combination."""
        replace_rows(self.list, [{Qt.ItemDataRole.DisplayRole: name} for name in names])
        if not names:
            self._loaded = self._template = None
        elif self.unused:  # the threshold typed before is that of what is built now
            self.unused = False
            self.threshold.say("")
        self._timer.start()
        self.changed.emit()

    def add(self, names: list[str]) -> None:
        """Add variables that are not there yet."""
        known = self.names
        self.set_names((*known, *(name for name in names if name not in known)))

    def take_out(self) -> None:
        """Take the selected variables out."""
        gone = {index.data() for index in self.list.selectedIndexes()}
        self.set_names(tuple(name for name in self.names if name not in gone))

    def _threshold_typed(self, value: float) -> None:
        if value < 1:
            self.threshold.refuse(translate("The threshold is a whole number of at least 1."))
            return
        if value > MOST_COUNT:
            text = translate("The threshold is a whole number of at most {most}.")
            self.threshold.refuse(text.format(most=numbers.format_count(MOST_COUNT)))
            return
        self.threshold.set_value(value)
        if self._of_others:
            self.threshold_changed.emit(int(value))
            return
        self._own, self.unused = int(value), not self.names
        self.changed.emit()

    def _count(self) -> None:
        names, prepared = self.names, self._prepared
        if not names or prepared is None:
            self.counts.setText(translate("Choose the variables that an outsider could know about a person."))
            return
        if any(name not in prepared.columns for name in names):
            self.counts.clear()
            return
        possible = math.prod(_values(prepared.columns[name]) for name in names)
        shown = numbers.format_count(possible) if possible < _TOO_LONG else f"{float(possible):.1e}"
        text = translate("{count} possible cells").format(count=shown)
        self.counts.setText(text)

        def counted(cells: int) -> None:
            observed = translate("{cells} observed in {records} records").format(
                cells=numbers.format_count(cells), records=numbers.format_count(prepared.records)
            )
            self.counts.setText(f"{text}, {observed}")

        recipe = self._document.recipe.with_(derived=prepared.recipe.derived)  # with household keys that are new
        self._document.ask(_OBSERVED, engine.count_cells, recipe, names, done=counted, background=True)


def _values(column: EncodedColumn) -> int:
    """Values that a variable can have in a cell: its codes, and missing where the file has that."""
    return column.n_valid + bool(column.counts[column.n_valid :].any())
