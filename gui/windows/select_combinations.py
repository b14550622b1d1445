"""Select Combinations: which sets of key variables an outsider could know, and how each is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
)

from core.recipe import combining
from core.recipe.model import Combination
from core.texts import mark, translate
from gui import dialogs, numbers
from gui.document import Document
from gui.models.columns import Column
from gui.widgets.arrow_buttons import arrow_button, button_column
from gui.widgets.combination_builder import CombinationBuilder
from gui.widgets.combination_list import CombinationList
from gui.widgets.combination_rule import MissingRuleBox
from gui.widgets.data_table import DataTable
from gui.windows.automatic_specification import AutomaticSpecification
from gui.windows.base import ToolWindow
from gui.windows.combination_checks import agrees_to_remove, too_many_keys, unusable, what_without_weight

if TYPE_CHECKING:
    from core.derive.results import Prepared

_PREPARE = "select combinations"


class SelectCombinations(ToolWindow):
    """Edits a draft of the recipe's combinations; *Calculate tables* commits it."""

    name = "selectCombinations"
    first = "categoricalVariables"
    title = mark("Select Combinations")
    default_size = (1020, 600)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(760, 440)
        self._draft: combining.Draft = ()
        self._base: combining.Draft = ()
        self._prepared: Prepared | None = None
        self._levels: dict[str, int] = {}
        self._asked_weight = False
        self._make_controls()
        self._lay_out()
        self._connect()
        self._load()

    # Building ----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.variables = DataTable("categoricalVariables", translate("Categorical variables"))
        self.variables.stretch(3)
        self.builder = CombinationBuilder(self.document)
        self.combinations = CombinationList()
        self.rule = MissingRuleBox()
        self.add_variable = arrow_button("addVariable", "→", translate("Add the selected variables (Enter)"))
        self.remove_variable = arrow_button("removeVariable", "←", translate("Take the selected variables out"))
        self.clear_combination = arrow_button("clearCombination", "≪", translate("Take all variables out"))
        self.add_combination = arrow_button("addCombination", "→", translate("Add this combination"))
        self.remove_combination = arrow_button("removeCombination", "←", translate("Remove, and load for editing"))
        self.automatic = QPushButton(translate("&Automatic specification…"), objectName="automaticSpecification")
        self.recommended = QPushButton(translate("&One risk table of all keys"), objectName="recommended")
        self.recommended.setToolTip(translate("Recommended: every variable with an identification level, in one table"))
        self.risk_model = QPushButton(translate("Set table for &risk model"), objectName="setRiskModel")
        self.risk_model.setToolTip(
            translate("Judge the new combination, else the selected one, by individual risk; once more: by threshold")
        )
        self.k_anonymity = QPushButton(translate("(&k+1)-anonymity"), objectName="kAnonymity", checkable=True)
        self.clear = QPushButton(translate("C&lear"), objectName="clearCombinations")
        self.cancel = QPushButton(translate("Cancel"), objectName="cancel")
        self.calculate = QPushButton(translate("&Calculate tables"), objectName="calculateTables")
        self.calculate.setDefault(True)

    def _lay_out(self) -> None:
        panes = QHBoxLayout()
        panes.addWidget(self.variables, 4)
        panes.addLayout(button_column(self.add_variable, self.remove_variable, self.clear_combination))
        panes.addWidget(self.builder, 3)
        panes.addLayout(button_column(self.add_combination, self.remove_combination))
        panes.addLayout(self._right(), 5)
        self.content.addLayout(panes, 1)
        bottom = QHBoxLayout()
        rule = QLabel(translate("&Missing values"))
        rule.setBuddy(self.rule)
        bottom.addWidget(rule)
        bottom.addWidget(self.rule)
        bottom.addWidget(self.rule.meaning, 1)
        bottom.addWidget(self.cancel)
        bottom.addWidget(self.calculate)
        self.content.addLayout(bottom)

    def _right(self) -> QVBoxLayout:
        right = QVBoxLayout()
        right.addWidget(self.combinations, 1)
        grid = QGridLayout()
        for i, button in enumerate((self.recommended, self.automatic, self.risk_model, self.k_anonymity)):
            grid.addWidget(button, i // 2, i % 2)
        grid.addWidget(self.clear, 2, 1)
        right.addLayout(grid)
        return right

    def _connect(self) -> None:
        self.variables.activated.connect(lambda _name: self._add_selected())
        self.add_variable.clicked.connect(self._add_selected)
        self.remove_variable.clicked.connect(self.builder.take_out)
        self.clear_combination.clicked.connect(lambda _checked: self.builder.set_names())
        self.add_combination.clicked.connect(self._add_combination)
        self.remove_combination.clicked.connect(self._remove_combination)
        self.builder.threshold_changed.connect(self._threshold_typed)
        self.rule.currentIndexChanged.connect(self._rule_chosen)
        self.automatic.clicked.connect(self._specify_automatically)
        self.recommended.clicked.connect(self._recommend)
        self.risk_model.clicked.connect(self._toggle_risk)
        self.k_anonymity.clicked.connect(self._toggle_k_anonymity)
        self.clear.clicked.connect(lambda: self._set_draft(()))
        self.cancel.clicked.connect(self.close)
        self.calculate.clicked.connect(self._calculate)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.combinations.view)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove_combination)
        for left in (self.cancel, self.clear, self.recommended, self.automatic):
            left.setAutoDefault(False)

    # What the document says --------------------------------------------------------------------------------------

    @property
    def touched(self) -> bool:
        """Whether the draft differs from the recipe it was made from."""
        return self._draft != self._base

    def recipe_changed(self, changes: Any) -> None:
        """An untouched draft follows; a touched one stays until the user says which."""
        if not self.touched:
            self._load()
        elif self.document.recipe.combinations != self._base or changes.input or changes.metadata:
            self.messages.show_text(
                translate("The session changed."),
                [(translate("Reload"), self._reload), (translate("Keep mine"), self._keep_mine)],
            )

    def _reload(self) -> None:
        self.document.drafts.pop(self.name, None)
        self._load()

    def _keep_mine(self) -> None:
        self._base = self.document.recipe.combinations
        self.messages.clear()
        self._ask_columns()

    def _load(self) -> None:
        self._base = self.document.recipe.combinations
        self.messages.clear()
        kept = self.document.drafts.get(self.name)
        self._set_draft(self._base if kept is None else combining.from_plain(kept))
        if self._base:
            self.builder.threshold.set_value(self._base[-1].count_threshold)
        self._show_variables()
        self._ask_columns()

    def _ask_columns(self) -> None:
        draft = self.document.recipe.with_(combinations=())
        self.document.prepare(_PREPARE, draft, self._prepared_arrived, self.show_error)

    def _prepared_arrived(self, prepared: Prepared) -> None:
        is_first, self._prepared = self._prepared is None, prepared
        self._levels = {
            v.name: v.identification_level
            for v in prepared.metadata.variables
            if v.name in prepared.columns and v.role not in ("household-id", "direct-identifier") and not v.removed
        }
        self._show_variables()
        self.builder.set_prepared(prepared)
        self._say_unusable(self._draft)
        if is_first:
            self.begin_by_keyboard()

    def _show_variables(self) -> None:
        if self._prepared is None:
            self.variables.show_empty(translate("Reading the file…"))
            return
        names = list(self._levels)
        prepared = self._prepared
        self.variables.set_columns(
            [
                Column(translate("Variable"), names),
                Column(
                    translate("codes"), [prepared.columns[name].n_valid for name in names], numbers.format_count, True
                ),
                Column(translate("level"), list(self._levels.values()), numbers.format_count, True,
                       translate("Identification level: 0 does not identify, 1 identifies most")),
                Column(translate("Label"), [prepared.metadata[name].label for name in names]),
            ]
        )  # fmt: skip

    # The combination under construction --------------------------------------------------------------------------

    def _add_selected(self) -> None:
        chosen = self.variables.selected_keys
        self.builder.add(chosen)
        if len(chosen) == 1:
            row = self.variables.model.row_of(chosen[0])
            following = min(row + 1, self.variables.model.rowCount() - 1)
            self.variables.view.selectRow(following)

    def _threshold_typed(self, value: int) -> None:
        draft = self._draft
        for place in self._selected_places():
            draft, _ = combining.add(draft, draft[place].variables, value)
        self._set_draft(draft)

    # The list ----------------------------------------------------------------------------------------------------

    def _set_draft(self, draft: combining.Draft) -> None:
        self._draft = draft
        self._keep_against_crashes()
        self.combinations.show_draft(draft)
        self.k_anonymity.setChecked(bool(draft) and all(c.model == "k-anonymity" for c in draft))
        self.rule.show_rule(combining.common_rule(draft))
        for button in (self.k_anonymity, self.clear, self.remove_combination):
            button.setEnabled(bool(draft))

    def _keep_against_crashes(self) -> None:
        if self.touched:
            self.document.drafts[self.name] = combining.to_plain(self._draft)
        else:
            self.document.drafts.pop(self.name, None)

    def _selected_places(self) -> list[int]:
        return [int(number) - 1 for number in self.combinations.selected_keys]

    def _add_combination(self) -> None:
        if not self.builder.names:  # nothing was put together: what is selected at the left is meant
            self.builder.add(self.variables.selected_keys)
        names = self.builder.names
        if not names or too_many_keys([names]):
            self.messages.show_text(too_many_keys([names]) or translate("Choose at least one variable first."))
            return
        self.messages.clear()
        draft, place = combining.add(self._draft, names, self.builder.count_threshold)
        self._set_draft(draft)
        self.builder.set_names()
        self.combinations.select(place + 1)

    def _remove_combination(self) -> None:
        places = self._selected_places()
        if places:
            self.builder.set_names(self._draft[places[-1]].variables)
            self._set_draft(combining.without(self._draft, places))

    def _recommend(self) -> None:
        keys = tuple(name for name, level in self._levels.items() if level > 0)
        if not keys:
            self.messages.show_text(
                translate("No variable has an identification level above 0, so no key variable is known."),
                [(translate("Specify Metadata"), lambda: self.open_window("specifyMetadata"))],
            )
            return
        if too_many_keys([keys]):
            lower = translate("Set the identification level of those that nobody could know to 0.")
            self.messages.show_text(
                f"{too_many_keys([keys])} {lower}",
                [(translate("Specify Metadata"), lambda: self.open_window("specifyMetadata"))],
            )
            return
        self._set_draft((Combination(keys, model="frequency", count_threshold=self.builder.count_threshold),))
        self._make_risk_table(0)

    def _toggle_risk(self) -> None:
        if self.builder.names or (not self._draft and self.variables.selected_keys):
            self._add_combination()
            if self.builder.names:  # refused, and said why
                return
        places = self._selected_places() or ([0] if len(self._draft) == 1 else [])
        if not places:
            self.messages.show_text(translate("Select a combination in the list first."))
            return
        if self._draft[places[0]].model == "individual-risk":
            self._set_draft(combining.with_threshold_rule(self._draft, places[0]))
        else:
            self._make_risk_table(places[0])
        self.combinations.select(places[0] + 1)

    def _make_risk_table(self, place: int) -> None:
        if not self._weight_is_settled():
            return
        shared = combining.overlapping(self._draft, place)
        if shared and not agrees_to_remove(self, shared):
            return
        draft = combining.with_risk_model(self._draft, place, self.rule.rule)
        self._set_draft(combining.without(draft, shared))

    def _weight_is_settled(self) -> bool:
        """Without a weight, risk needs the file to be the whole population: asked once."""
        if self._prepared is None or self._prepared.metadata.weight is not None or self._asked_weight:
            return True
        answer = what_without_weight(self, self._prepared.metadata.variables)
        self._asked_weight = answer == "all"
        if answer == "weight":
            self.open_window("specifyMetadata")
        elif answer == "sample":
            self.messages.show_text(
                translate("A sample without weights cannot be judged by risk. Use thresholds or k-anonymity instead."),
                [(translate("Use k-anonymity"), self._use_k_anonymity)],
            )
        return self._asked_weight

    def _use_k_anonymity(self) -> None:
        self.messages.clear()
        self._set_draft(combining.with_k_anonymity(self._draft, self.rule.rule))

    def _toggle_k_anonymity(self, checked: bool) -> None:
        if checked:
            self._use_k_anonymity()
            return
        draft = self._draft
        for place in range(len(draft)):
            draft = combining.with_threshold_rule(draft, place)
        self._set_draft(draft)

    def _rule_chosen(self) -> None:
        if self.rule.currentIndex() >= 0:
            self._set_draft(combining.with_missing_rule(self._draft, self.rule.rule))

    def _specify_automatically(self) -> None:
        dialog = AutomaticSpecification(list(self._levels), list(self._levels.values()), bool(self._draft), self)
        dialog.chosen.connect(self._specified)
        dialog.open()

    def _specified(self, sets: list[tuple[str, ...]], thresholds: list[int], replace: bool) -> None:
        self._set_draft(combining.add_many(() if replace else self._draft, sets, thresholds))

    # Commit ------------------------------------------------------------------------------------------------------

    def _calculate(self) -> None:
        names = self.builder.names
        draft = self._draft
        if names and combining.find(draft, names) < 0:
            draft, _ = combining.add(draft, names, self.builder.count_threshold)
        nothing = "" if draft or self._base else translate("Choose at least one variable first.")
        reason = nothing or too_many_keys(c.variables for c in draft)
        if reason:
            self.messages.show_text(reason)
            return
        if self._say_unusable(draft):
            return
        recipe = self.document.recipe.with_(combinations=draft)
        label = translate("Combinations: {count}").format(count=len(draft))
        self._base = self._draft = draft
        self._keep_against_crashes()
        self.document.commit(label, recipe)
        self.close()
        self.go_on()

    def _say_unusable(self, draft: combining.Draft) -> bool:
        """Name variables that no table can be made of, and offer to remove their combinations."""
        places, text = unusable(draft, self._prepared.columns) if self._prepared is not None else ((), "")
        if text:
            remove = (translate("Remove their combinations"), lambda: self._remove_unusable(draft, places))
            to_metadata = (translate("Specify Metadata"), lambda: self.open_window("specifyMetadata"))
            self.messages.show_text(text, [remove, to_metadata])
        return bool(text)

    def _remove_unusable(self, draft: combining.Draft, places: tuple[int, ...]) -> None:
        self.messages.clear()
        self._set_draft(combining.without(draft, places))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if event.isAccepted():
            self.document.tasks.drop(_PREPARE)
            self.builder.stop()

    def may_close(self) -> bool:
        """A touched draft is dropped only with the user's consent."""
        if not self.touched:
            return True
        answer = dialogs.ask(
            self,
            translate("Drop the changes to the combinations?"),
            translate("They were not calculated yet."),
            [translate("&Drop"), translate("Keep &editing")],
            1,
        )
        if answer == 0:
            self.document.drafts.pop(self.name, None)
        return answer == 0
