"""Scenarios of a recipe: what an intruder could know and from where, described, changed and taken out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import translate
from core.recipe.model import Scenario
from gui.shared.form.parameter_fields import refusal_label
from gui.shared.form.variables_table import Offered, VariablesTable
from gui.shared.list_rows import replace_rows
from gui.shared.ordered_dialog import OrderedDialog
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.theme import scaled


@dataclass
class _Draft:
    """A scenario as it is typed; `before`: its name in the recipe, empty for a new one."""

    scenario: Scenario = field(default_factory=lambda: Scenario("", ()))
    before: str = ""


class ScenariosDialog(OrderedDialog):
    """`scenarioList` with `addScenario` and `removeScenario`; `scenarioName` and so on of one.

    Parameters
    ----------
    offered : variables that somebody could know
    ticked : those of a new scenario

    Signals
    -------
    made(tuple, dict)
        The scenarios as they shall be, and old name -> new name of those that are called otherwise.
    """

    made = Signal(tuple, dict)

    def __init__(
        self,
        scenarios: Sequence[Scenario],
        offered: Sequence[Offered],
        ticked: tuple[str, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, objectName="scenariosDialog")
        self.setWindowTitle(translate("Scenarios"))
        self._drafts = [_Draft(scenario, scenario.name) for scenario in scenarios]
        self._ticked = ticked
        self._make_controls()
        self.variables.offer(offered)
        self._lay_out()
        self._connect()
        if not self._drafts:
            self._drafts.append(_Draft(Scenario("", ticked)))
        self._list(0)

    def _make_controls(self) -> None:
        self.explanation = WrappedLabel(
            translate(
                "A scenario is what somebody could know about a person in the file, and where that comes from: a"
                " neighbour, a register, an employer. Measures can be taken on its variables, and the report names it."
            ),
            is_muted=True,
        )
        self.list = QListWidget(objectName="scenarioList")
        self.list.setAccessibleName(translate("Scenarios"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.add = role_button(translate("&Add"), "addScenario")
        self.remove = role_button(translate("&Remove"), "removeScenario")
        self.name = QLineEdit(objectName="scenarioName", placeholderText=translate("neighbour"))
        self.source = QLineEdit(objectName="scenarioSource", placeholderText=translate("what is seen every day"))
        self.year = QLineEdit(objectName="scenarioYear")
        self.release_type = QLineEdit(objectName="scenarioReleaseType", placeholderText=translate("scientific use"))
        self.assumptions = QPlainTextEdit(objectName="scenarioAssumptions", tabChangesFocus=True)
        self.assumptions.setFixedHeight(scaled(64))
        self.variables = VariablesTable("scenarioVariables", translate("Key variables"))
        self.message = refusal_label("scenariosMessage")
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)

    def _lay_out(self) -> None:
        form = QFormLayout(horizontalSpacing=12)
        for text, box in (
            (translate("&Name"), self.name),
            (translate("&Source"), self.source),
            (translate("&Year"), self.year),
            (translate("&Type of release"), self.release_type),
            (translate("Ass&umptions"), self.assumptions),
        ):
            label = QLabel(text)
            label.ensurePolished()  # its width is that of the type in which it is written
            label.setMinimumWidth(label.sizeHint().width())
            label.setBuddy(box)
            form.addRow(label, box)
        self.details = QWidget()
        right = QVBoxLayout(self.details)
        right.setContentsMargins(0, 0, 0, 0)
        right.addLayout(form)
        right.addWidget(self.variables, 1)
        pair = QHBoxLayout()
        pair.addWidget(self.add)
        pair.addWidget(self.remove)
        left = QVBoxLayout()
        left.addWidget(self.list, 1)
        left.addLayout(pair)
        panes = QHBoxLayout()
        panes.addLayout(left, 2)
        panes.addWidget(self.details, 3)
        layout = QVBoxLayout(self)
        layout.addWidget(self.explanation)
        layout.addLayout(panes, 1)
        layout.addWidget(self.message)
        layout.addWidget(self.buttons)
        self.setMinimumSize(600, 460)
        self.resize(760, 580)

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._show)
        for box in (self.name, self.source, self.year, self.release_type):
            box.textEdited.connect(self._typed)
        self.assumptions.textChanged.connect(self._typed)
        self.variables.changed.connect(self._typed)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)

    @property
    def _current(self) -> _Draft | None:
        row = self.list.currentRow()
        return self._drafts[row] if 0 <= row < len(self._drafts) else None

    def _list(self, row: int) -> None:
        """Show all of them, and one in the form."""
        self.list.blockSignals(True)
        unnamed = translate("(no name yet)")
        replace_rows(
            self.list, [{Qt.ItemDataRole.DisplayRole: draft.scenario.name or unnamed} for draft in self._drafts]
        )
        self.list.setCurrentRow(row)
        self.list.blockSignals(False)
        self._show()

    def _show(self, _row: int = 0) -> None:
        draft = self._current
        scenario = draft.scenario if draft is not None else Scenario("", ())
        self.name.setText(scenario.name)
        self.source.setText(scenario.source)
        self.year.setText(scenario.year)
        self.release_type.setText(scenario.release_type)
        self.assumptions.blockSignals(True)
        self.assumptions.setPlainText(scenario.assumptions)
        self.assumptions.blockSignals(False)
        self.variables.tick(scenario.variables)
        self.details.setEnabled(draft is not None)
        self.remove.setEnabled(draft is not None)
        self._judge()

    def _typed(self) -> None:
        draft = self._current
        if draft is None:
            return
        draft.scenario = replace(
            draft.scenario,
            name=self.name.text().strip(),
            # those that are not offered here, a weight say, stay as they were written
            variables=(*self.variables.ticked, *self._not_offered(draft.scenario)),
            source=self.source.text().strip(),
            year=self.year.text().strip(),
            release_type=self.release_type.text().strip(),
            assumptions=self.assumptions.toPlainText().strip(),
        )
        model = self.list.model()
        shown = draft.scenario.name or translate("(no name yet)")
        model.setData(model.index(self.list.currentRow(), 0), shown, Qt.ItemDataRole.DisplayRole)
        self._judge()

    def _not_offered(self, scenario: Scenario) -> tuple[str, ...]:
        return tuple(name for name in scenario.variables if name not in self.variables.names)

    def _add(self) -> None:
        self._drafts.append(_Draft(Scenario("", self._ticked)))
        self._list(len(self._drafts) - 1)
        self.name.setFocus()

    def _remove(self) -> None:
        row = self.list.currentRow()
        del self._drafts[row]
        self._list(min(row, len(self._drafts) - 1))

    def _judge(self) -> None:
        problem = self._problem()
        self.message.setText(problem)
        self.message.setVisible(bool(problem))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)

    def _problem(self) -> str:
        """What is wrong with the scenarios; empty where nothing is."""
        seen: set[str] = set()
        for number, draft in enumerate(self._drafts, 1):
            name = draft.scenario.name
            if not name:
                return translate("Scenario {n} has no name: measures say it by that.").format(n=number)
            if name in seen:
                return translate("There are two scenarios called {name}.").format(name=name)
            if not draft.scenario.variables:
                return translate("{name}: tick at least one variable that somebody could know.").format(name=name)
            seen.add(name)
        return ""

    def _accept(self) -> None:
        renamed = {
            draft.before: draft.scenario.name
            for draft in self._drafts
            if draft.before and draft.before != draft.scenario.name
        }
        self.accept()
        self.made.emit(tuple(draft.scenario for draft in self._drafts), renamed)
