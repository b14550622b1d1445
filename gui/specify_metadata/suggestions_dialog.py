"""Suggestions to review: each proposal with what it changes, its reason and a check box."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from core.data.variables import Variable
from core.metadata.suggest import UseSuggestion
from gui.shared.over import resize_over
from gui.shared.table.checked_table import CheckedTable
from gui.shared.table.model import Column
from gui.specify_metadata.variable_model import TYPE_NAMES, codes_text, type_of, use_text
from gui.theme import muted

_FACETS = (
    (mark("use"), use_text),
    (mark("level"), lambda v: str(v.identification_level)),
    (mark("type"), lambda v: translate(TYPE_NAMES[type_of(v)])),
    (mark("missing"), lambda v: codes_text(v.missing) or "–"),
    (mark("length"), lambda v: str(v.length or "–")),
    (mark("decimals"), lambda v: str(v.decimals)),
)


def change_text(before: Variable, after: Variable) -> str:
    """What differs, before → after."""
    pairs = ((translate(name), text(before), text(after)) for name, text in _FACETS)
    return "; ".join(f"{name}: {old} → {new}" for name, old, new in pairs if old != new)


def _texts(suggestions: Sequence[UseSuggestion], variables: dict[str, Variable]) -> list[list[str]]:
    """Variable, proposal, what changes and why, of each; a later one of the same variable follows the earlier."""
    texts = []
    for suggestion in suggestions:
        before = variables[suggestion.variable]
        after = suggestion.followed(before)
        if not suggestion.adds:  # one missing code is told by itself: it may be the only one that is taken
            variables[suggestion.variable] = after
        change = change_text(before, after)
        texts.append([suggestion.variable, suggestion.proposal.text, change, suggestion.reason.text])
    return texts


class SuggestionsDialog(QDialog):
    """`suggestionsDialog` with `suggestionList`; lengths and decimals are one row there, unless `eachSize` is ticked.

    Signals
    -------
    taken(list)
        The suggestions that stayed checked.
    """

    taken = Signal(list)

    def __init__(
        self, suggestions: Sequence[UseSuggestion], variables: Sequence[Variable], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, objectName="suggestionsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("Suggestions"))
        text = QLabel(
            translate(
                "Proposed from names and contents. What is ticked will be applied: take the check mark from what is "
                "wrong, and tick what is right among the rest, which only you can know. Nothing counts before OK in "
                "Specify Metadata."
            ),
            wordWrap=True,
        )
        muted(text)
        self._suggestions = list(suggestions)
        self._texts = _texts(suggestions, {variable.name: variable for variable in reversed(variables)})
        self._places: list[tuple[int, ...]] = []
        """The proposals of each row."""
        self.table = CheckedTable("suggestionList", translate("Proposals"))
        self.table.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # long names often differ at their ends
        self.table.stretch(3)  # the reason; a width that it gets with the window is none that the user chose
        self.each = QCheckBox(translate("&One row for the length and decimals of each variable"), objectName="eachSize")
        self.each.setVisible(any(suggestion.kind == "size" for suggestion in suggestions))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.take = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.take.setObjectName("takeSuggestions")
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        self.table.rows.ticked.connect(self._count)
        self.each.toggled.connect(lambda _on: self._fold())
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.each)
        layout.addWidget(self.buttons)
        resize_over(self, 1120, 520)
        self._show(
            [place for place, suggestion in enumerate(suggestions) if suggestion.sure or suggestion.kind == "size"]
        )

    def checked(self) -> list[UseSuggestion]:
        """What would be taken over, in the order proposed."""
        taken = {place for row in self.table.rows.ticks for place in self._places[row]}
        return [suggestion for place, suggestion in enumerate(self._suggestions) if place in taken]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.table.fit_columns()  # its room is known only now
        self.table.view.setFocus()

    def _show(self, taken: Collection[int]) -> None:
        """Show all proposals, lengths and decimals as one where they are folded; `taken` are ticked."""
        one_by_one = [i for i, s in enumerate(self._suggestions) if s.kind != "size" or self.each.isChecked()]
        self._places = [(place,) for place in one_by_one]
        rows = [self._texts[place] for place in one_by_one]
        sizes = tuple(i for i, s in enumerate(self._suggestions) if s.kind == "size")
        if sizes and not self.each.isChecked():
            said = translate("Lengths and decimals ({count})").format(count=len(sizes))
            rows.append([said, "", "", translate("They are needed in the saved metadata (.rda).")])
            self._places.append(sizes)
        heads = (translate("Variable"), translate("Proposal"), translate("Before → after"), translate("Why"))
        columns = [Column(head, [row[i] for row in rows]) for i, head in enumerate(heads)]
        self.table.set_columns(columns)
        self.table.rows.tick([row for row, places in enumerate(self._places) if set(places) <= set(taken)])
        self._count()

    def _fold(self) -> None:
        """Lengths and decimals one by one, or as one; ticks stay, of a part of them none."""
        kept = set(map(id, self.checked()))
        self._show([place for place, suggestion in enumerate(self._suggestions) if id(suggestion) in kept])

    def _count(self) -> None:
        count = len(self.checked())
        self.take.setText(translate("&Apply ({count})").format(count=count))
        self.take.setEnabled(count > 0)

    def _take(self) -> None:
        self.taken.emit(self.checked())
        self.accept()
