"""The combinations of a draft as a table (model, threshold, variables), and the narrow buttons beside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from core.base.texts import translate
from core.recipe.model import Combination
from gui import numbers
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.texts import as_tip


class CombinationList(DataTable):
    """`combinationList`; the key of a row is its place in the draft, from 1.

    Signals
    -------
    picked()
        The user selected other rows, or none.
    """

    picked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("combinationList", translate("Combinations"), parent)
        self.stretch(3)
        self.wrap(3)
        self._by_program = False
        self.is_picked = False
        """Whether the user selected what is selected, not the program what was added last."""
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._on_selection())
        self.view.pressed.connect(lambda _index: self._on_selection())  # also the row that the program selected
        self.activated.connect(lambda _key: self._on_selection())

    @property
    def places(self) -> list[int]:
        """Places of the selected combinations in the draft, from 0."""
        return [int(number) - 1 for number in self.selected_keys]

    def show_added(self, place: int) -> None:
        """Select the combination in this place, from 0, for what the user may do with it next."""
        self._by_program, self.is_picked = True, False
        self.select(place + 1)
        self._by_program = False
        self.picked.emit()

    def show_draft(self, draft: Sequence[Combination]) -> None:
        """Show these combinations; those that are selected stay so, by their places."""
        selected = self.selected_keys
        self._by_program = True
        self._fill(draft)
        chosen = QItemSelection()
        for row in self.model.rows_of(selected):
            chosen.select(self.model.index(row, 0), self.model.index(row, 0))
        flags = QItemSelectionModel.SelectionFlag
        self.view.selectionModel().select(chosen, flags.Select | flags.Rows)
        self._by_program = False
        self.is_picked = self.is_picked and bool(self.selected_keys)

    def _on_selection(self) -> None:
        if not self._by_program:
            self.is_picked = bool(self.selected_keys)
            self.picked.emit()

    def _restore_current(self) -> None:
        was, self._by_program = self._by_program, True
        super()._restore_current()
        self._by_program = was

    def _fill(self, draft: Sequence[Combination]) -> None:
        self.set_title(translate("Combinations ({count})").format(count=numbers.format_count(len(draft))))
        if not draft:
            text = translate("The combinations that you add stand here: what somebody could know about a person at the "
                             "same time. None is there yet.")  # fmt: skip
            self.show_empty(text)
            return
        self.set_columns(
            [
                Column("#", list(range(1, len(draft) + 1)), numbers.format_count, True),
                Column(translate("Model"), [model_name(c) for c in draft]),
                Column(translate("Thres."), [c.count_threshold for c in draft], numbers.format_count, True,
                       translate("A combination that occurs in at most so many records is unsafe")),
                Column(translate("Variables"), [" × ".join(c.variables) for c in draft]),
            ]
        )  # fmt: skip


def model_name(combination: Combination) -> str:
    """The model in a word or two."""
    if combination.has_risk:
        return translate("Risk")
    if combination.model == "k-anonymity":
        return translate("{k}-anonymity").format(k=combination.k)
    if combination.sensitive is not None:
        return translate("{l}-diversity of {variable}").format(l=combination.l, variable=combination.sensitive)
    return translate("Threshold")


def arrow_button(name: str, text: str, tip: str) -> QPushButton:
    """A narrow button with an arrow for its text; `tip` says what it does."""
    button = QPushButton(text, objectName=name)
    button.setToolTip(as_tip(tip))
    button.setAccessibleName(tip)
    button.setFixedWidth(32)
    button.setProperty("role", "short")
    button.setAutoDefault(False)
    return button


def button_column(*buttons: QWidget) -> QVBoxLayout:
    """Buttons under each other, in the middle of the height."""
    column = QVBoxLayout()
    column.addStretch()
    for button in buttons:
        column.addWidget(button)
    column.addStretch()
    return column
