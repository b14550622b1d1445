"""Household type as a key: the variables that tell its members apart, and the types that these make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.edits import household_key
from core.recipe.model import Recipe
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.shared.ordered_dialog import OrderedDialog
from gui.shared.over import resize_over
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.table.checked_table import CheckedTable
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column

if TYPE_CHECKING:
    from core.results.results import RecodedData
    from core.whatif.household_type_preview import HouseholdTypePreview

_SLOT = "household type"
_ASK_AFTER_MS = 150
_ABOUT = mark(
    "Households whose members have the same values are of one type. Age and sex are recommended, recoded into few "
    "classes; without any variable the type is the number of members in classes."
)


class HouseholdTypeDialog(OrderedDialog):
    """`typeMembers` (rows with a check box), `typePreview`, `typeSummary`, `addType`.

    Signals
    -------
    chosen(tuple)
        The names of the member variables; none: the size in classes.
    """

    chosen = Signal(tuple)

    def __init__(self, document: Document, prepared: RecodedData, parent: object = None) -> None:
        super().__init__(parent, objectName="householdTypeDialog")  # type: ignore[arg-type]
        self.setWindowTitle(translate("Household type"))
        self._document, self._prepared = document, prepared
        self._names = member_candidates(prepared)
        self._make_controls()
        self._lay_out()
        self._ask_soon = QTimer(self, singleShot=True, interval=_ASK_AFTER_MS)
        self._ask_soon.timeout.connect(self._ask)
        self.members.rows.ticked.connect(self._ask_soon.start)
        self.add.clicked.connect(self._accept)
        self.cancel.clicked.connect(self.reject)
        self.finished.connect(lambda _result: document.tasks.drop(_SLOT))
        self._fill()
        resize_over(self, 800, 520)
        self.members.view.setFocus()
        self._ask()

    @property
    def ticked(self) -> tuple[str, ...]:
        """The member variables chosen, in file order."""
        return tuple(self._names[row] for row in self.members.rows.ticks)

    def _make_controls(self) -> None:
        self.members = CheckedTable("typeMembers", translate("Variables"))
        self.members.stretch(2)
        self.frequent = DataTable("typePreview", translate("Most frequent types"))
        self.frequent.stretch(0)
        self.frequent.wrap(0)
        self.summary = WrappedLabel(name="typeSummary")
        self.add = role_button(translate("&Add household type"), "addType", "filled")
        self.add.setDefault(True)
        self.cancel = role_button(translate("Cancel"), "cancelType")

    def _lay_out(self) -> None:
        tables = QHBoxLayout()
        tables.setSpacing(16)
        tables.addWidget(self.members, 4)
        tables.addWidget(self.frequent, 5)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addWidget(WrappedLabel(translate(_ABOUT), is_muted=True))
        column.addLayout(tables, 1)
        column.addWidget(self.summary)
        column.addLayout(buttons)

    def _fill(self) -> None:
        """The candidates, with age and sex ticked."""
        from core.metadata.guess_use import tells_members

        metadata, columns = self._prepared.metadata, self._prepared.columns
        codes = [columns[name].n_valid for name in self._names]
        self.members.set_columns(
            [
                Column(translate("Variable"), self._names),
                Column(translate("codes"), codes, numbers.format_count, True, translate("As it is recoded now")),
                Column(translate("Label"), [metadata[name].label for name in self._names]),
            ]
        )
        self.members.rows.tick([row for row, name in enumerate(self._names) if tells_members(metadata[name])])

    def _ask(self) -> None:
        recipe, name = with_type(self._prepared, self._document.recipe, self.ticked)
        self.summary.setText(translate("The types are being counted …"))
        self._document.ask(_SLOT, engine.household_type, recipe, name, done=self._show, failed=self._failed)

    def _failed(self, error: PavoError) -> None:
        self.frequent.show_empty(translate("The most frequent types will be here."))
        self.summary.setText(str(error))

    def _show(self, found: HouseholdTypePreview) -> None:
        shown = found.frequent
        self.frequent.set_columns(
            [
                Column(translate("Type"), [each.label for each in shown]),
                Column(translate("households"), [each.households for each in shown], numbers.format_count, True),
                Column(translate("records"), [each.records for each in shown], numbers.format_count, True),
            ]
        )
        text = translate("{types} types of {households} households.").format(
            types=numbers.format_count(found.types), households=numbers.format_count(found.households)
        )
        if found.alone:
            alone = translate("{alone} households are alone with theirs: fewer classes of the variables help.")
            text += " " + alone.format(alone=numbers.format_count(found.alone))
        self.summary.setText(text)

    def _accept(self) -> None:
        self.chosen.emit(self.ticked)
        self.accept()


def member_candidates(prepared: RecodedData) -> list[str]:
    """Variables of the file that may tell members apart, in file order: not those that all members share."""
    return [
        v.name
        for v in prepared.metadata.variables
        if v.categorical and v.name in prepared.columns and not v.removed and not v.household and v.role == "other"
    ]


def with_type(prepared: RecodedData, recipe: Recipe, members: tuple[str, ...]) -> tuple[Recipe, str]:
    """The recipe with nothing but a household type by these members beside its own keys, and the name of that type."""
    spec = household_key(prepared.recipe.derived, "household-type", prepared.metadata.names, (), members)
    others = tuple(each for each in prepared.recipe.derived if each != spec)
    return recipe.with_(combinations=(), derived=(*others, spec)), spec.name
