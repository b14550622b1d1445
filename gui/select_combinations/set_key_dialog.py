"""Make one key of several columns: which columns, under which name, and what the most frequent sets would be."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import PavoError
from core.base.texts import plural, translate
from core.metadata.several_columns import free_name, several_columns
from core.recipe.model import MultiResponseKey
from core.recipe.set_keys import set_of_column
from gui import numbers
from gui.document.document import Document
from gui.document.engine import set_preview
from gui.shared.ordered_dialog import OrderedDialog
from gui.shared.table.checked_table import CheckedTable
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.wheel import ComboBox
from gui.theme import muted, theme

if TYPE_CHECKING:
    from core.results.results import RecodedData
    from core.whatif.set_preview import SetPreview

_SLOT = "preview of a key of several columns"
_ASK_AFTER_MS = 250


class SetKeyDialog(OrderedDialog):
    """Edits one set-valued key.

    Parameters
    ----------
    prepared : the file's columns
    key : the key to change; None: a new one

    Signals
    -------
    made(SetKey) : the key as it shall be
    unmade(str) : the name of a key that shall go
    """

    made = Signal(object)
    unmade = Signal(str)

    def __init__(
        self,
        document: Document,
        prepared: RecodedData,
        key: MultiResponseKey | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, objectName="setKeyDialog")
        self.setWindowTitle(translate("One key of several columns"))
        self._document, self._prepared, self._key = document, prepared, key
        recipe = document.recipe
        own = key.columns if key is not None else ()
        self._taken = {name for name in set_of_column(recipe) if name not in own}
        self._others = {spec.name for spec in recipe.derived if key is None or spec.name != key.name}
        self._names = tuple(self._candidates())
        self._named = key is not None
        self._make_controls()
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=_ASK_AFTER_MS)
        self._timer.timeout.connect(self._ask)
        self._connect()
        self._begin()

    def showEvent(self, event: QShowEvent) -> None:
        """The columns have their widths only now that the table has its own."""
        super().showEvent(event)
        self.columns.fit_columns()

    def _candidates(self) -> list[str]:
        columns = self._prepared.columns
        return [
            v.name
            for v in self._prepared.metadata.variables
            if v.name in columns and v.role == "other" and not v.removed and v.name not in self._taken
        ]

    def _make_controls(self) -> None:
        self.explanation = QLabel(
            translate(
                "Where one question has its answers in several columns (languages spoken, say), an outsider knows all"
                " of them, in no order. The key is the set of the values; suppressed, all its columns go missing"
                " together."
            ),
            wordWrap=True,
        )
        muted(self.explanation)
        self.proposals = ComboBox(objectName="setKeyProposals")
        self.columns = CheckedTable("setKeyColumns", translate("Columns"))
        self.columns.stretch(2)
        self.name = QLineEdit(objectName="setKeyName")
        self.separator = QLineEdit(";", objectName="setKeySeparator")
        self.separator.setMaximumWidth(70)
        self.separator.setToolTip(translate("What stands between two values, where one column holds several."))
        self.separator_label = QLabel(translate("&Values separated by"))
        self.separator_label.setBuddy(self.separator)
        self.message = QLabel(objectName="setKeyMessage", wordWrap=True)
        self.preview = DataTable("setKeyPreview", translate("Most frequent sets"))
        self.preview.stretch(0)
        self.counts = QLabel(objectName="setKeyCounts", wordWrap=True)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
        if self._key is not None:
            remove = self.buttons.addButton(translate("&Remove this key"), QDialogButtonBox.ButtonRole.DestructiveRole)
            remove.setObjectName("removeSetKey")
            remove.clicked.connect(self._remove)

    def _lay_out(self) -> None:
        form = QFormLayout()
        self.proposal_label = QLabel(translate("&Proposed"))
        self.proposal_label.setBuddy(self.proposals)
        form.addRow(self.proposal_label, self.proposals)
        name_label = QLabel(translate("&Name of the key"))
        name_label.setBuddy(self.name)
        form.addRow(name_label, self.name)
        form.addRow(self.separator_label, self.separator)
        left, right = QVBoxLayout(), QVBoxLayout()
        left.addWidget(self.columns, 1)
        right.addLayout(form)
        right.addWidget(self.message)
        right.addWidget(self.preview, 1)
        right.addWidget(self.counts)
        panes = QHBoxLayout()
        panes.addLayout(left, 1)
        panes.addLayout(right, 1)
        layout = QVBoxLayout(self)
        layout.addWidget(self.explanation)
        layout.addLayout(panes, 1)
        layout.addWidget(self.buttons)
        self.setMinimumSize(720, 440)
        self.resize(820, 580)

    def _connect(self) -> None:
        self.columns.rows.ticked.connect(self._ticked)
        self.proposals.activated.connect(self._propose)
        self.name.textEdited.connect(self._name_typed)
        self.separator.textChanged.connect(self._refresh)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(lambda _result: self._stop())

    def _begin(self) -> None:
        metadata, columns = self._prepared.metadata, self._prepared.columns
        codes = [columns[name].n_valid for name in self._names]
        self.columns.set_columns(
            [
                Column(translate("Variable"), list(self._names)),
                Column(translate("codes"), codes, numbers.format_count, True),
                Column(translate("Label"), [metadata[name].label for name in self._names]),
            ]
        )
        found = several_columns(metadata, columns, {*self._taken, *self._others})
        for proposal in found if self._key is None else ():
            self.proposals.addItem(", ".join(proposal.columns), proposal)
        has_any = self.proposals.count() > 0
        self.proposals.setVisible(has_any)
        self.proposal_label.setVisible(has_any)
        if self._key is not None:
            self._show(self._key)
            self.name.setReadOnly(True)
        elif has_any:
            self._propose(0)
        else:
            self._refresh()

    def _show(self, key: MultiResponseKey) -> None:
        self.columns.rows.tick([self._names.index(name) for name in key.columns if name in self._names])
        if self.columns.rows.ticks:
            self.columns.select(self.columns.rows.ticks[0])
        self.name.setText(key.name)
        if key.separator:
            self.separator.setText(key.separator)
        self._refresh()

    def _propose(self, place: int) -> None:
        proposal = self.proposals.itemData(place)
        self._named = False
        self._show(MultiResponseKey(proposal.name, tuple(proposal.columns)))

    def _ticked(self) -> None:
        if not self._named:  # the name follows the columns as long as nobody typed one
            names = self._chosen()
            stem = several_columns(self._prepared.metadata, {n: self._prepared.columns[n] for n in names}, self._others)
            taken = {*self._prepared.metadata.names, *self._others}
            first = free_name(f"{names[0]}_SET", taken) if names else ""
            self.name.setText(stem[0].name if stem else first)
        self._refresh()

    def _name_typed(self, text: str) -> None:
        self._named = bool(text)
        self._refresh()

    def _chosen(self) -> tuple[str, ...]:
        return tuple(self._names[place] for place in self.columns.rows.ticks)

    # What it comes to --------------------------------------------------------------------------------------------

    def _wanted(self) -> MultiResponseKey:
        names = self._chosen()
        return MultiResponseKey(self.name.text().strip(), names, self.separator.text() if len(names) == 1 else "")

    def _refresh(self) -> None:
        wanted = self._wanted()
        alone = len(wanted.columns) == 1
        self.separator.setVisible(alone)
        self.separator_label.setVisible(alone)
        problem = self._problem(wanted)
        self.message.setText(problem)
        self.message.setStyleSheet(f"color: {theme.scheme.refused};")
        self.message.setVisible(bool(problem))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)
        self.counts.clear()
        if problem:
            self._stop()
            self.preview.show_empty("")
        else:
            self.preview.show_empty(translate("Counting…"))
            self._timer.start()

    def _problem(self, wanted: MultiResponseKey) -> str:
        """What is wrong with the key; empty where nothing is."""
        if not wanted.columns:
            return translate("Tick the columns that one question has, or one column that holds several values.")
        if len(wanted.columns) == 1 and not wanted.separator:
            return translate("Say what stands between two values, or tick another column.")
        if not wanted.name:
            return translate("Give the key a name.")
        taken: Collection[str] = {name.casefold() for name in (*self._prepared.metadata.names, *self._others)}
        if wanted.name.casefold() in taken:
            return translate("There is already a variable {name}.").format(name=wanted.name)
        homes = [name for name in wanted.columns if self._prepared.metadata[name].household]
        if homes and len(homes) < len(wanted.columns):
            text = translate("{names} are household variables and the others are not; a key has columns of one kind.")
            return text.format(names=", ".join(homes))
        return ""

    def _ask(self) -> None:
        self._document.ask(
            _SLOT, set_preview, self._document.recipe, self._wanted(), done=self._counted, failed=self._not_counted
        )

    def _counted(self, found: SetPreview) -> None:
        texts: Sequence[str] = [text for text, _count in found.frequent]
        counts = [count for _text, count in found.frequent]
        self.preview.set_columns(
            [Column(translate("Set"), texts), Column(translate("Records"), counts, numbers.format_count, True)]
        )
        sets = translate(plural(found.sets, "{n} set", "{n} different sets")).format(n=numbers.format_count(found.sets))
        without = plural(found.without, "{n} record has no value", "{n} records have no value")
        self.counts.setText(f"{sets} · " + translate(without).format(n=numbers.format_count(found.without)))

    def _not_counted(self, error: PavoError) -> None:
        self.preview.show_empty(str(error))

    def _stop(self) -> None:
        self._timer.stop()
        self._document.tasks.drop(_SLOT)

    def _accept(self) -> None:
        self.accept()
        self.made.emit(self._wanted())

    def _remove(self) -> None:
        assert self._key is not None, "the button is there for a key that is there"
        self.accept()
        self.unmade.emit(self._key.name)
