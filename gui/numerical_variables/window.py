"""Modify Numerical Variables: top and bottom coding, rounding, noise on the weight, with the distribution after it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.data.variables import Variable
from core.perturbation.weight_noise import NumericWithNoise, with_changes
from core.recipe.changes import Changes
from core.recipe.model import Recipe
from core.recipe.set_keys import set_of_column
from core.results.checks import released_numbers
from gui.document import engine
from gui.document.document import Document
from gui.numerical_variables.comparison import NumericComparison
from gui.numerical_variables.draft import NumericDraft
from gui.numerical_variables.rules import NumericRules
from gui.shared.draft_window import FollowingWindow
from gui.shared.layout.scrolled import ScrolledDown
from gui.shared.parts.buttons import allow
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.theme import heading, muted

if TYPE_CHECKING:
    from core.recoding.numerical import Comparison

_WAIT_MS = 200
_SLOT, _TRY_SLOT = "numerical variables", "numerical variables: try"


class NumericalVariables(FollowingWindow[NumericDraft]):
    """Edits a draft of the recipe's changes to numerical variables; *Apply* commits them all as one step."""

    name = "numericalVariables"
    title = mark("Modify Numerical Variables")
    default_size = (960, 620)
    drop_question = mark("Drop the changes to the numerical variables?")
    drop_detail = mark("They were not applied yet.")

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(720, 440)
        self.draft = NumericDraft(document)
        self._good: dict[str, NumericWithNoise] = {}
        """Changes that the file was seen to bear, the last ones of each variable."""
        self._refusals: dict[str, NumericWithNoise] = {}
        """Changes that the file does not bear."""
        self._variables: dict[str, Variable] = {}
        self._decimal = "."
        self._shown: tuple[Variable, NumericWithNoise] | None = None
        self._is_old = False
        """Whether the comparison is of other changes than those asked for."""
        self.variables = DataTable("numericVariables", translate("Variables"))
        self.variables.stretch(2)  # rows are marked up to the edge
        self.variable = QLabel(objectName="variableName")
        self.reason = QLabel(objectName="variableReason")
        self.rules = NumericRules()
        self.comparison = NumericComparison()
        self.recode = QPushButton(translate("&Recode it…"), objectName="recodeInstead")
        self.clear_changes = QPushButton(translate("&Leave as it is"), objectName="clearChanges")
        self.apply = QPushButton(translate("&Apply"), objectName="apply")
        self.close_button = QPushButton(translate("Close"), objectName="closeWindow")
        self._wait = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._lay_out()
        self._connect()
        self.greyed(self.comparison, when=lambda: self._is_old or self.is_stale())
        self.load()

    # Building ----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        heading(self.variable)
        muted(self.reason)
        self.reason.setWordWrap(True)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 6, 0)
        for widget in (self.variable, self.reason):
            column.addWidget(widget)
        column.addWidget(self.recode, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.rules)
        column.addWidget(self.clear_changes, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
        scroll = ScrolledDown(middle, is_whole=True)
        scroll.setAccessibleName(translate("Changes of the variable"))
        scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # scrolled by the arrows
        panes = QHBoxLayout()
        panes.addWidget(self.variables, 3)
        panes.addWidget(scroll, 4)
        panes.addWidget(self.comparison, 4)
        self.content.addLayout(panes, 1)
        bottom = QHBoxLayout()
        bottom.addStretch()
        bottom.addWidget(self.close_button)
        bottom.addWidget(self.apply)
        self.content.addLayout(bottom)
        self.apply.setDefault(True)
        for button in (self.recode, self.clear_changes, self.close_button):
            button.setAutoDefault(False)

    def _connect(self) -> None:
        self.rules.judged.connect(self._may_apply)
        self.variables.current_changed.connect(lambda _name: self._show_variable())
        self.rules.changed.connect(self._rules_changed)
        self.comparison.refused.connect(self.show_error)
        self.recode.clicked.connect(lambda: self.open_window("globalRecode", variable=self.current))
        self.clear_changes.clicked.connect(self._leave_as_it_is)
        self.apply.clicked.connect(self._apply)
        self.close_button.clicked.connect(self.close)
        self._wait.timeout.connect(self._compare)

    # What the document says --------------------------------------------------------------------------------------

    @property
    def current(self) -> str:
        """The variable shown; empty where there is none."""
        return self.variables.current_key or ""

    def recipe_changed(self, changes: Any) -> None:
        """What the file was seen to bear, it may bear no longer."""
        self._refusals.clear()
        if changes.input or changes.metadata:
            self._good.clear()
        super().recipe_changed(changes)

    def is_updating(self) -> bool:
        """The comparison comes anew by itself, too."""
        return self._is_old or super().is_updating()

    def concerns(self, changes: Changes) -> bool:
        """The same variables may be others, or have other changes."""
        return changes.numeric or changes.perturbations or changes.input or changes.metadata

    def results_changed(self) -> None:
        """The variables are known now, or others."""
        if not self.draft.touched and self.draft.overtaken:  # who is the weight is known now
            self.load()
            return
        self._show_variables()
        self._show_variable()

    def show_for(self, **arguments: Any) -> None:
        """Show the variable named."""
        self.variables.select(arguments.get("variable", ""))

    def keep_mine(self) -> None:
        """Go on with the draft over the session as it is now."""
        super().keep_mine()
        self._may_apply()

    def reload(self) -> None:
        """Give the draft up for what the session says."""
        self.document.tasks.drop(_TRY_SLOT)
        super().reload()

    def show_draft(self) -> None:
        """Show the changes as they are now."""
        self._shown = None
        self._show_variables()
        self._show_variable()

    def _show_variables(self) -> None:
        derived = self.document.derived
        if derived is None:
            self.variables.show_empty(translate("Reading the file…"))
            return
        self._variables = {v.name: v for v in released_numbers(derived.metadata)}
        self._decimal = derived.metadata.decimal
        names = list(self._variables)
        self.variables.set_columns(
            [
                Column(translate("Variable"), names),
                Column(
                    translate("Changes"),
                    [self._in_short(name) for name in names],
                    tooltip=translate("T top coding, B bottom coding, R rounding, N noise; key or recoded: not here"),
                ),
                Column(translate("Label"), [self._variables[name].label for name in names]),
            ]
        )
        if not self.current and names:
            self.variables.select(next((name for name in names if name in self.draft.value), names[0]))
        self._may_apply()

    def _may_apply(self) -> None:
        """Nothing that was refused, beside its box or by the file, can be applied."""
        refused = next((name for name, spec in self.draft.value.items() if self._refusals.get(name) == spec), "")
        barred = filter(None, (_why_not(self.document.recipe, name) for name in self.draft.value))
        why = next(barred, "")  # it became a key while its changes waited here
        if self.rules.is_refused:
            why = translate("Mend what is refused beside its box first.")
        elif refused:
            why = translate("Mend the changes to {name} first: the file does not bear them.").format(name=refused)
        elif not self.touched:
            why = translate("Nothing is changed.")
        allow(self.apply, why)

    # One variable ------------------------------------------------------------------------------------------------

    def _in_short(self, name: str) -> str:
        if name not in self.draft.value and _why_not(self.document.recipe, name):
            recoded = any(recode.variable == name for recode in self.document.recipe.recodes)
            return translate("recoded") if recoded else translate("key")
        return _in_short(self.draft.value.get(name))

    def _show_variable(self) -> None:
        name = self.current
        variable = self._variables.get(name)
        self.variable.setText(name)
        why = _why_not(self.document.recipe, name)
        self.reason.setText(why)
        self.reason.setVisible(bool(why))
        self.recode.setVisible(bool(why))
        self.rules.setEnabled(variable is not None and not why)
        self.clear_changes.setEnabled(name in self.draft.value)
        if variable is None:
            self.comparison.show_nothing()
            self._mark_comparison(is_old=False)
            return
        shown = variable, self.draft.value.get(name) or NumericWithNoise(name)
        if shown != self._shown:  # else what is being typed there stays
            self._shown = shown
            self._show_rules(shown[1])
            self.comparison.show_nothing()
            self._mark_comparison(is_old=True)
        self._compare()

    def _show_rules(self, spec: NumericWithNoise) -> None:
        variable = self._variables[spec.variable]
        self.rules.show_rules(spec, variable.role == "weight", self._decimal, variable.missing)

    def _rules_changed(self, spec: NumericWithNoise) -> None:
        self._shown = self._variables[spec.variable], spec
        self.draft.change(spec)
        self.clear_changes.setEnabled(spec.variable in self.draft.value)
        self._show_variables()
        self._mark_comparison(is_old=True)  # until it is one of these rules
        self._wait.start()

    def _leave_as_it_is(self) -> None:
        name = self.current
        self._show_rules(NumericWithNoise(name))
        self._rules_changed(NumericWithNoise(name))

    def _mark_comparison(self, is_old: bool) -> None:
        """Grey the comparison as long as it is of other changes, or of another recipe."""
        self._is_old = is_old
        self._grey()

    def _compare(self) -> None:
        name = self.current
        if name not in self._variables:
            return
        spec = self.draft.value.get(name) or NumericWithNoise(name)

        def arrived(found: Comparison) -> None:
            self._good[name] = spec
            if self.current == name and spec == (self.draft.value.get(name) or NumericWithNoise(name)):
                self.clear_error()
                self.comparison.show_comparison(found)
                self._mark_comparison(is_old=False)
                self.rules.show_extremes(found.before.least, found.before.greatest)

        self.document.ask(
            _SLOT, engine.compare_numbers, self.document.recipe, spec,
            done=arrived, failed=partial(self._refused, spec), cancelled=self._stopped,
        )  # fmt: skip

    def _stopped(self) -> None:
        self.comparison.show_nothing()
        self._mark_comparison(is_old=False)
        text = translate("Reading the numbers was stopped.")
        self.messages.show_text(text, [(translate("Read again"), self._compare)])

    def _refused(self, spec: NumericWithNoise, error: PavoError) -> None:
        """The file does not bear these changes."""
        self._refusals[spec.variable] = spec
        if self.current == spec.variable:
            self.comparison.show_nothing()
            self._mark_comparison(is_old=False)
        self.show_error(error)
        self._may_apply()

    # Commit ------------------------------------------------------------------------------------------------------

    def _apply(self) -> None:
        if self.rules.is_refused:
            return
        barred = next((name for name in self.draft.value if _why_not(self.document.recipe, name)), None)
        if barred is not None:  # it became a key while its changes waited here
            self.variables.select(barred)
            self.messages.show_text(_why_not(self.document.recipe, barred))
            return
        changed = self.draft.changed_names()
        untried = next((n for n in changed if n in self.draft.value and self._good.get(n) != self.draft.value[n]), None)
        if untried is not None:
            self._try(self.draft.value[untried])
            return
        self.draft.forget()
        self.document.commit(
            lambda: translate("Numerical variables: {names}").format(names=", ".join(changed)),
            with_changes(self.document.recipe, tuple(self.draft.value.values())),
        )
        self._may_apply()

    def _try(self, spec: NumericWithNoise) -> None:
        """Apply once the file has been seen to bear these changes too: nothing refused enters the session."""

        def arrived(_found: Comparison) -> None:
            self._good[spec.variable] = spec
            self._apply()

        def refused(error: PavoError) -> None:
            self.variables.select(spec.variable)
            self._refused(spec, error)

        def stopped() -> None:
            text = translate("Nothing is applied: looking whether the file bears the changes was stopped.")
            self.messages.show_text(text, [(translate("Apply"), self._apply)])

        self.document.ask(
            _TRY_SLOT, engine.compare_numbers, self.document.recipe, spec,
            done=arrived, failed=refused, cancelled=stopped,
        )  # fmt: skip

    def end(self) -> None:
        super().end()
        self._wait.stop()
        self.document.tasks.drop(_TRY_SLOT)


def _why_not(recipe: Recipe, name: str) -> str:
    """Why the numbers of a variable cannot be changed here; empty where they can."""
    if any(recode.variable == name for recode in recipe.recodes):
        return translate(
            "{name} is recoded. A recode works with the original values, so change the recode instead: "
            "it can group, top code and bottom code."
        ).format(name=name)
    if (key := set_of_column(recipe).get(name)) is not None:
        text = translate(
            "{name} is a column of the key {key}, which is made of its original values. Recode it instead."
        )
        return text.format(name=name, key=key)
    for combination in recipe.combinations:
        if name in combination.variables:
            return translate(
                "{name} is a key variable of {combination}, whose risks are those of the original values. "
                "Recode it instead: a recode can group, top code and bottom code."
            ).format(name=name, combination=" × ".join(combination.variables))
    return ""


def _in_short(spec: NumericWithNoise | None) -> str:
    """``T B R N``: which changes a variable has."""
    if spec is None:
        return ""
    letters = (("T", spec.top), ("B", spec.bottom), ("R", spec.round), ("N", spec.noise))
    return " ".join(letter for letter, said in letters if said is not None)
