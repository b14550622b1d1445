"""Select Combinations: which sets of key variables an outsider could know, and how each is judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.metadata.key_scenario import scenario_keys
from core.recipe import edits_combinations
from core.recipe.changes import Changes
from core.recipe.criteria import MissingRule
from core.recipe.edits import Kind, household_key
from core.recipe.edits_metadata import without_key
from core.recipe.model import Combination, MultiResponseKey, Recipe
from core.recipe.set_keys import levels_of_keys, standing_for_columns, with_set_key
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.document.history import Label
from gui.select_combinations.automatic_dialog import AutomaticSpecification
from gui.select_combinations.builder import CombinationBuilder
from gui.select_combinations.checks import (
    agrees_to_remove,
    may_replace_by_one,
    too_many_keys,
    unusable,
)
from gui.select_combinations.combination_list import CombinationList, arrow_button, button_column
from gui.select_combinations.draft import CombinationDraft
from gui.select_combinations.household_type_dialog import HouseholdTypeDialog
from gui.select_combinations.judging import Judging
from gui.select_combinations.key_guidance import KeyGuidance
from gui.select_combinations.missing_rule import MeasuringOnly, MissingRuleBox
from gui.select_combinations.records_answer import RecordsAnswer
from gui.select_combinations.set_key_dialog import SetKeyDialog
from gui.select_combinations.variables_model import variable_columns
from gui.shared.draft_window import FollowingWindow
from gui.shared.layout.by_room import ByRoom
from gui.shared.message_area import Offer
from gui.shared.missing_rules import measuring_only_text
from gui.shared.parts.buttons import allow, role_button
from gui.shared.parts.guidance import GuidanceCard
from gui.shared.shortcuts import on_key
from gui.shared.table.data_table import DataTable
from gui.shared.windows import reason_against
from gui.theme import muted

if TYPE_CHECKING:
    from core.results.results import RecodedData

_WAYS = {
    "recommended": mark(
        "A disclosure scenario: one table of the variables with an identification level that an acquaintance could "
        "know, seven at most. The risk of each person is estimated; set its threshold in the Risk Chart."
    ),
    "automaticSpecification": mark(
        "Makes many small tables at once, of two or three variables each: a combination of values that few records "
        "have is unsafe. It says first how many tables that gives."
    ),
    "setRiskModel": mark(
        "For the combination in the middle, else the one selected in the list: judge records by the chance of being "
        "recognised, not by how many records share their values. Press it once more for the threshold again."
    ),
    "kAnonymity": mark(
        "For all combinations: every record must share its values with at least k others, k being the threshold. "
        "Press it once more for the models as they were."
    ),
    "makeSetKey": mark(
        "Where one question has its answers in several columns, the set of these values is one key: languages spoken,"
        " accounts held. Press it with such a key selected to change or remove that."
    ),
    "addCombination": mark(
        "Add this combination. It is judged by its threshold: values that at most so many records share are unsafe; "
        "“Set table for risk model” judges it by risk instead."
    ),
}
"""What each way to combinations does, by the name of its button."""


_PREPARE = "select combinations"
_YEAR = "use the year"
_LABEL = 3
"""Place of the labels among the columns of variables, where there are any."""
_HIGH = 560
"""Height of the window from which the guidance is more than one line."""
_LATER = mark("The file is still being read; the tables are calculated as soon as it is.")


class SelectCombinations(FollowingWindow[CombinationDraft]):
    """Edits a draft of the recipe's combinations; *Calculate tables* commits it."""

    name = "selectCombinations"
    first = "categoricalVariables"
    title = mark("Select Combinations")
    default_size = (1020, 600)
    drop_question = mark("Drop the changes to the combinations?")
    drop_detail = mark("They were not calculated yet.")

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(760, 440)
        self._make_controls()
        self._lay_out()
        self.draft = CombinationDraft(document, self.builder)
        self.guide = KeyGuidance(self.guidance, document, self._leave_out, self._recode, self._use_year)
        self._prepared: RecodedData | None = None
        self._levels: dict[str, int] = {}
        self._reads = False
        self._selected_next = ""
        """A key that was just made, until it is among the variables."""
        self._records = RecordsAnswer(self)
        """What was answered here about the records of a file without a weight; it goes to the session with the list."""
        self._refusal = ""
        self._chosen_rule: MissingRule = "observed"
        self._before_k: edits_combinations.Draft = ()
        self._connect()
        self.load()

    def _make_controls(self) -> None:
        self.guidance = GuidanceCard()
        self.variables = DataTable("categoricalVariables", translate("Categorical variables"))
        self.variables.wrap(0)
        self.add_size = role_button(translate("Add household si&ze"), "addHouseholdSize", "quiet")
        self.add_size.setToolTip(translate("How many members a household has in the file, as a key variable"))
        self.add_type = role_button(translate("Add household t&ype…"), "addHouseholdType", "quiet")
        self.add_type.setToolTip(translate("What the members of a household are, as a key variable"))
        self.builder = CombinationBuilder(self.document)
        self.combinations = CombinationList()
        self.rule = MissingRuleBox()
        self.only_measured = MeasuringOnly()
        self.judging = Judging()
        self.add_variable = arrow_button("addVariable", "→", translate("Add the selected variables (Enter)"))
        self.remove_variable = arrow_button("removeVariable", "←", translate("Take the selected variables out"))
        self.clear_combination = arrow_button("clearCombination", "≪", translate("Take all variables out"))
        self.add_combination = arrow_button("addCombination", "→", translate("Add this combination"))
        self.remove_combination = arrow_button("removeCombination", "←", translate("Remove, and load for editing"))
        self.automatic = QPushButton(translate("&Automatic specification…"), objectName="automaticSpecification")
        self.set_key = role_button(translate("Key of se&veral columns…"), "makeSetKey", "quiet")
        self.recommended = QPushButton(translate("Risk table of a scenari&o"), objectName="recommended")
        self.risk_model = QPushButton(translate("Set table for &risk model"), objectName="setRiskModel")
        self.k_anonymity = QPushButton(translate("(&k+1)-anonymity"), objectName="kAnonymity", checkable=True)
        for button in (self.recommended, self.automatic, self.risk_model, self.k_anonymity, self.add_combination,
                       self.set_key):  # fmt: skip
            said = translate(_WAYS[button.objectName()])  # in <qt>, else it would be one long line
            button.setToolTip(f"<qt>{escape(said)}</qt>")
            button.setWhatsThis(f"<qt>{escape(said)}</qt>")
        self.ways = QLabel(objectName="waysExplained", wordWrap=True)
        self.ways.setText(translate("Begin with what an intruder could know; point at a button for what it does."))
        muted(self.ways)
        self.clear = role_button(translate("C&lear"), "clearCombinations", "quiet")
        self.clear.setToolTip(translate("Remove all combinations"))
        self.cancel = QPushButton(translate("Cancel"), objectName="cancel")
        self.calculate = QPushButton(translate("&Calculate tables"), objectName="calculateTables")
        self.calculate.setDefault(True)

    def _lay_out(self) -> None:
        ByRoom(self, lambda: self.window().size()).height(_HIGH, lambda is_high: self.guidance.set_low(not is_high))
        self.content.addWidget(self.guidance)
        panes = QHBoxLayout()
        panes.setSpacing(2)  # it fits beside the narrow rail of a window of 960
        left = QVBoxLayout()
        left.setSpacing(2)
        left.addWidget(self.variables, 1)
        left.addWidget(self.set_key)
        left.addWidget(self.add_size)
        left.addWidget(self.add_type)
        panes.addLayout(left, 5)
        panes.addLayout(button_column(self.add_variable, self.remove_variable, self.clear_combination))
        panes.addWidget(self.builder, 4)
        panes.addLayout(button_column(self.add_combination, self.remove_combination))
        panes.addLayout(self._right(), 7)
        self.content.addLayout(panes, 1)
        self.content.addWidget(self.only_measured)
        self.content.addWidget(self.judging)
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
            grid.addWidget(button, 1 + i // 2, i % 2)
        grid.addWidget(self.ways, 0, 0, 1, 2)
        right.addLayout(grid)
        self.combinations.head.addWidget(self.clear)
        return right

    def _lacks_columns(self) -> bool:
        """Whether the variables of the file are not known, which is said then."""
        if self._prepared is not None:
            return False
        if self._reads:
            self._refuse(translate("The file is still being read: its variables are not known yet."))
        else:
            again = (translate("Read again"), self._ask_columns)
            self._refuse(translate("The file was not read, so its variables are not known."), [again])
        return True

    def _refuse(self, text: str, offers: Sequence[Offer] = ()) -> None:
        """Say why something is not done, until something else is chosen."""
        self._refusal = text
        self.messages.show_text(text, offers)

    def _connect(self) -> None:
        self.variables.activated.connect(lambda _name: self._add_selected())
        self.add_variable.clicked.connect(self._add_selected)
        self.remove_variable.clicked.connect(self.builder.take_out)
        self.clear_combination.clicked.connect(lambda _checked: self.builder.set_names())
        self.add_combination.clicked.connect(self._add_combination)
        self.remove_combination.clicked.connect(self._remove_combination)
        self.builder.changed.connect(self._construction_changed)
        self.builder.threshold_changed.connect(self._threshold_typed)
        self.combinations.picked.connect(self._show_threshold)
        self.combinations.activated.connect(lambda _key: self.builder.threshold.setFocus(Qt.FocusReason.TabFocusReason))
        self.only_measured.mend.clicked.connect(
            lambda: self._set_draft(edits_combinations.with_protecting_rules(self.draft.value))
        )
        self.judging.estimator_chosen.connect(
            lambda by: self._set_draft(edits_combinations.with_estimator(self.draft.value, by))
        )
        self.judging.alpha_typed.connect(
            lambda alpha: self._set_draft(edits_combinations.with_alpha(self.draft.value, alpha))
        )
        self.rule.currentIndexChanged.connect(self._rule_chosen)
        self.automatic.clicked.connect(self._specify_automatically)
        self.recommended.clicked.connect(self._recommend)
        self.risk_model.clicked.connect(self._toggle_risk)
        self.k_anonymity.clicked.connect(self._toggle_k_anonymity)
        self.clear.clicked.connect(lambda: self._set_draft(()))
        on_key(self.combinations.view, Qt.Key.Key_Delete, self._remove_combination)
        self.set_key.clicked.connect(self._make_set_key)
        self.add_size.clicked.connect(lambda: self._add_household_key("household-size"))
        self.add_type.clicked.connect(self._choose_type)
        self.guide.changed.connect(self._show_what_is_next)
        for left in (self.cancel, self.recommended, self.automatic, self.set_key):
            left.setAutoDefault(False)
        self.cancel.clicked.connect(self.close)
        self.calculate.clicked.connect(self._calculate)

    def show_for(self, variables: tuple[str, ...] = (), **_: object) -> None:
        """Put a set of variables under construction."""
        if variables:
            self.builder.set_names(variables)

    # The combination under construction --------------------------------------------------------------------------

    def _add_selected(self) -> None:
        chosen = self.variables.selected_keys
        self.builder.add(chosen)
        if len(chosen) == 1:
            row = self.variables.model.row_of(chosen[0])
            following = min(row + 1, self.variables.model.rowCount() - 1)
            self.variables.view.selectRow(following)

    def _choose_type(self) -> None:
        if self._lacks_columns():
            return
        assert self._prepared is not None, "asked above"
        dialog = HouseholdTypeDialog(self.document, self._prepared, self)
        dialog.chosen.connect(lambda members: self._add_household_key("household-type", members))
        dialog.open()

    def _add_household_key(self, kind: Kind, members: tuple[str, ...] = ()) -> None:
        """Put household size or type into what is under construction, else into the combination that is meant."""
        if self._lacks_columns():
            return
        assert self._prepared is not None, "asked above"
        draft, place = self.draft.value, self._place_meant()
        others = (c for i, c in enumerate(draft) if i != place and c.has_risk)
        by_risk = place >= 0 and draft[place].has_risk
        used = {name for c in others for name in c.variables} if by_risk else ()
        key = household_key(self.draft.derived, kind, self._prepared.metadata.names, used, members)
        if key not in self.draft.derived:
            self.draft.made = (*self.draft.made, key)
        if place < 0:
            self.builder.add([key.name])
        elif key.name not in draft[place].variables:
            made = replace(draft[place], variables=(*draft[place].variables, key.name))
            self._set_draft(edits_combinations.put(draft, place, made))
        self._ask_columns()

    def _place_meant(self) -> int:
        """The combination that the user selected, or the only one; -1 where one is under construction, or none is."""
        if self.builder.names:
            return -1
        places = self.combinations.places if self.combinations.is_picked else []
        return places[0] if places else (0 if len(self.draft.value) == 1 else -1)

    def _construction_changed(self) -> None:
        self._take_refusal_back()
        self._look_at_keys()
        self._show_threshold()
        self._may_calculate()
        if self.builder.unused and self.draft.value:
            selected = translate("For the next combination; if none is added, for the one selected in the list.")
            alone = translate("For the next combination. To change others, select them in the list.")
            self.builder.threshold.say(selected if self.combinations.places else alone)
        self.draft.remember()

    def _show_threshold(self) -> None:
        """The box is about what the user selected in the list, as long as nothing is under construction."""
        of_list = self.combinations.is_picked and not self.builder.names
        places = self.combinations.places if of_list else ()
        self.builder.show_threshold_of([self.draft.value[place].count_threshold for place in places])

    def _threshold_typed(self, value: int) -> None:
        self._set_draft(self._with_count(self.combinations.places, value))

    def _with_count(self, places: Iterable[int], count_threshold: int) -> edits_combinations.Draft:
        draft = self.draft.value
        for place in places:
            draft = edits_combinations.put(draft, place, edits_combinations.with_count(draft[place], count_threshold))
        return draft

    # The list ----------------------------------------------------------------------------------------------------

    def _take_refusal_back(self) -> None:
        """What was refused is said no longer once something else was chosen."""
        if self._refusal and self.messages.text == self._refusal:
            self.messages.clear()
        self._refusal = ""

    def _set_draft(self, draft: edits_combinations.Draft) -> None:
        self.draft.take(draft)
        self._take_refusal_back()
        self._look_at_keys()
        self.combinations.show_draft(draft)
        self.k_anonymity.setChecked(bool(draft) and all(c.model == "k-anonymity" for c in draft))
        has_rule = any(c.criterion.has_missing_rule for c in draft)
        self.rule.show_rule(edits_combinations.common_rule(draft) if has_rule else self._chosen_rule)
        self.only_measured.say(measuring_only_text(draft))
        self.judging.show_draft(draft)
        for button in (self.k_anonymity, self.clear, self.remove_combination):
            button.setEnabled(bool(draft))
        self._show_threshold()
        self._may_calculate()

    def _add_combination(self) -> bool:
        """Put what is under construction into the list and select it; False where it is refused, and said why."""
        if not self.builder.names:  # nothing was put together: what is selected at the left is meant
            self.builder.add(self.variables.selected_keys)
        draft = self._with_construction()
        if draft is None:
            return False
        place = edits_combinations.find(draft, self.builder.names)
        self.builder.set_names()
        self._set_draft(draft)
        self.combinations.show_added(place)
        return True

    def _with_construction(self) -> edits_combinations.Draft | None:
        """The draft with what is under construction, with the model it was loaded with; None where it is refused."""
        made = self.builder.combination
        refusal = translate("Choose at least one variable first.") if made is None else too_many_keys([made.variables])
        if made is None or refusal:
            self._refuse(refusal)
            return None
        self.messages.clear()
        draft, place = edits_combinations.place(self.draft.value, made)
        shared = edits_combinations.overlapping(draft, place) if draft[place].has_risk else {}
        if shared and not agrees_to_remove(self, shared):
            return None
        return edits_combinations.without(draft, shared)

    def _remove_combination(self) -> None:
        places = self.combinations.places
        if places:
            gone = self.draft.value[places[-1]]
            self.builder.load(gone, gone)
            self._set_draft(edits_combinations.without(self.draft.value, places))

    def _recommend(self) -> None:
        if self._lacks_columns():
            return
        keys = self._scenario()
        if keys:
            keys += tuple(name for name in self._household_keys_chosen() if name not in keys)
        to_metadata = (translate("Specify Metadata"), lambda: self.open_window("specifyMetadata"))
        if not keys:
            text = translate("No variable has an identification level above 0, so no key variable is known.")
            self.messages.show_text(text, [to_metadata])
            return
        if too_many_keys([keys]):
            lower = translate("Set the identification level of those that nobody could know to 0.")
            self.messages.show_text(f"{too_many_keys([keys])} {lower}", [to_metadata])
            return
        there = edits_combinations.find(self.draft.value, keys)
        new = Combination(keys, model="frequency", count_threshold=self.builder.count_threshold)
        one = (new if there < 0 else self.draft.value[there],)
        gone = self.draft.value if there < 0 else edits_combinations.without(self.draft.value, [there])
        if may_replace_by_one(self, gone) and self._weight_is_settled(one):
            self.messages.clear()
            if set(self.builder.names) <= set(keys):  # what was put together is in that table
                self.builder.set_names()
            self.draft.scenario = keys
            self._set_draft(edits_combinations.with_risk_model(one, 0, self._rule_of_risk()))
            self.combinations.show_added(0)
            if self.guidance.isHidden():  # its button had the focus, which would go to another part of the window
                self.calculate.setFocus(Qt.FocusReason.OtherFocusReason)

    def _scenario(self) -> tuple[str, ...]:
        """The keys that are proposed: what an acquaintance could know."""
        variables = () if self._prepared is None else self._prepared.metadata.variables
        return scenario_keys(variables, self._levels)

    def _household_keys_chosen(self) -> tuple[str, ...]:
        """Household size and types that stand in a combination or are put into one: they are keys as well."""
        chosen = {*self.builder.names, *(name for combination in self.draft.value for name in combination.variables)}
        return tuple(key.name for key in self.draft.derived if key.name in chosen and key.name not in self._levels)

    def _toggle_risk(self) -> None:
        is_new = bool(self.builder.names) or (not self.draft.value and bool(self.variables.selected_keys))
        if is_new and not self._add_combination():
            return
        places = self.combinations.places or ([0] if len(self.draft.value) == 1 else [])
        if not places:
            self.messages.show_text(translate("Select a combination in the list first."))
        elif self.draft.value[places[0]].model != "individual-risk":
            self._make_risk_table(places[0])
        elif not is_new:
            self._set_draft(edits_combinations.with_threshold_rule(self.draft.value, places[0]))

    def _make_risk_table(self, place: int) -> None:
        if not self._weight_is_settled(self.draft.value):
            return
        shared = edits_combinations.overlapping(self.draft.value, place)
        if shared and not agrees_to_remove(self, shared):
            return
        draft = edits_combinations.without(
            edits_combinations.with_risk_model(self.draft.value, place, self._rule_of_risk()), shared
        )
        made = edits_combinations.find(draft, self.draft.value[place].variables)
        self._set_draft(draft)
        if self.combinations.places != [made]:
            self.combinations.show_added(made)

    def _rule_of_risk(self) -> MissingRule:
        """The missing rule of a new risk table: that of the others, else the one chosen."""
        rules = {c.missing_rule for c in self.draft.value if c.has_risk}
        return rules.pop() if len(rules) == 1 else self._chosen_rule

    def _weight_is_settled(self, draft: edits_combinations.Draft) -> bool:
        """Whether risks can be estimated, as `RecordsAnswer` asks; else k-anonymity of `draft` is offered."""
        if self._lacks_columns():
            return False
        assert self._prepared is not None, "asked above"
        return self._records.is_settled(self._prepared.metadata, lambda: self._use_k_anonymity(draft))

    def _use_k_anonymity(self, draft: edits_combinations.Draft) -> None:
        """Judge all by k-anonymity, by the k that was typed for nothing else."""
        self.messages.clear()
        self._before_k = draft
        if self.builder.unused:
            draft = tuple(edits_combinations.with_count(c, self.builder.count_threshold) for c in draft)
            self.builder.set_own_threshold(self.builder.count_threshold)
            self.builder.threshold.say("")
        self._set_draft(edits_combinations.with_k_anonymity(draft))

    def _toggle_k_anonymity(self, checked: bool) -> None:
        """By k-anonymity, or again by what judged each combination before."""
        if checked:
            self._use_k_anonymity(self.draft.value)
        else:
            self._set_draft(edits_combinations.as_before(self.draft.value, self._before_k))

    def _rule_chosen(self) -> None:
        if self.rule.currentIndex() < 0:
            return
        self._chosen_rule = self.rule.rule
        made = self.builder.combination
        if made is not None:
            self.builder.judge_by(edits_combinations.with_missing_rule((made,), self.rule.rule)[0])
        self._set_draft(edits_combinations.with_missing_rule(self.draft.value, self._chosen_rule))

    def _specify_automatically(self) -> None:
        if self._lacks_columns():
            return
        dialog = AutomaticSpecification(list(self._levels), list(self._levels.values()), self.draft.value, self)
        dialog.chosen.connect(self._specified)
        dialog.open()

    def _specified(self, sets: list[tuple[str, ...]], thresholds: list[int], replace: bool) -> None:
        self._set_draft(edits_combinations.add_many(() if replace else self.draft.value, sets, thresholds))

    def _make_set_key(self) -> None:
        """A dialog about the selected key of several columns, or a new one; it commits by itself."""
        if self._lacks_columns():
            return
        assert self._prepared is not None, "asked above"
        selected = self.variables.selected_keys
        there = next((key for key in self.document.recipe.set_keys if key.name in selected), None)
        dialog = SetKeyDialog(self.document, self._prepared, there, self)
        dialog.made.connect(self._set_key_made)
        dialog.unmade.connect(self._set_key_unmade)
        dialog.open()

    def _set_key_made(self, key: MultiResponseKey) -> None:
        mine = standing_for_columns(self.draft.value, key)

        def label() -> str:
            return translate("Key {name}: set of {columns}").format(name=key.name, columns=", ".join(key.columns))

        self._commit_key(label, with_set_key(self.document.recipe, key), mine)
        self._selected_next = key.name

    def _set_key_unmade(self, name: str) -> None:
        mine = without_key(self.document.recipe.with_(combinations=self.draft.value), name).combinations
        label = mark("Key {name} removed")
        self._commit_key(lambda: translate(label).format(name=name), without_key(self.document.recipe, name), mine)

    def _commit_key(self, label: Label, recipe: Recipe, mine: edits_combinations.Draft) -> None:
        """Commit a change of the keys; a list that was edited here stays, by the new keys."""
        touched = self.draft.value != self.draft.base
        self.builder.set_names()  # what is under construction may have lost its variables
        self.document.commit(label, recipe)
        if touched:
            self.keep_mine()
            self._set_draft(mine)

    # What comes next ---------------------------------------------------------------------------------------------

    def _look_at_keys(self) -> None:
        """Say what stands against the keys chosen, or how to begin."""
        if self._prepared is None:
            self.guide.forget()
            return
        chosen = (name for combination in self.draft.value for name in combination.variables)
        names = tuple(dict.fromkeys((*self.builder.names, *chosen)))
        self.guide.look_at(self._prepared.recipe, names)
        if names:
            self.guide.has_begun()
        elif any(self._levels.values()):
            keys, count = self._scenario(), sum(level > 0 for level in self._levels.values())
            sentence = translate("An acquaintance could know: {names}.").format(names=", ".join(keys))
            if len(keys) < count:
                sentence += " " + translate(
                    "These are {number} of {count} key variables; check other sets in further scenarios."
                ).format(number=len(keys), count=numbers.format_count(count))
            step = self.recommended.text().replace("&", ""), self._recommend
            self.guide.begin_with(translate("Begin with a disclosure scenario."), sentence, step)
        else:
            sentence = translate("Say in Specify Metadata which are keys, or choose some of the variables at the left.")
            step = translate("Specify Metadata"), lambda: self.open_window("specifyMetadata", check=True)
            self.guide.begin_with(translate("No variable is described as a key yet."), sentence, step)

    def _show_what_is_next(self) -> None:
        """One button is filled: that of the guidance as long as there is any."""
        is_guided = not self.guidance.isHidden()
        self.calculate.setDefault(not is_guided)
        self.guidance.main.setDefault(is_guided)

    def _leave_out(self, name: str) -> None:
        """Take a variable out of all that was chosen; a combination of nothing else goes."""
        self.builder.set_names(tuple(each for each in self.builder.names if each != name))
        self._set_draft(edits_combinations.without_variable(self.draft.value, name))

    def _recode(self, name: str) -> None:
        """Open Global Recode, which needs combinations: those chosen here where the session has none yet."""
        if not reason_against("globalRecode", self.document) or self._commit():
            self.open_window("globalRecode", variable=name)

    def _use_year(self, name: str) -> None:
        """Recode dates to years, as a step of its own."""
        asked = self.document.recipe

        def made(recipe: Recipe) -> None:
            if self.document.recipe is asked:
                self.document.commit(lambda: translate("Recode {name} to years").format(name=name), recipe)

        self.document.ask(_YEAR, engine.with_years, asked, name, done=made, failed=self.show_error)

    # What the document says --------------------------------------------------------------------------------------

    def recipe_changed(self, changes: Any) -> None:
        """A list that was not edited follows; an edited one stays until the user says which."""
        if changes.input or changes.metadata:
            self._forget_columns()
        if self.touched and self.draft.value == self.draft.base:  # what is under construction stays
            self.keep_mine()
            self._set_draft(self.draft.base)
            return
        if self.touched:
            self._ask_columns()
        super().recipe_changed(changes)

    def concerns(self, changes: Changes) -> bool:
        """The session has another list, or the same variables may be others."""
        return self.draft.overtaken or changes.input or changes.metadata

    def keep_mine(self) -> None:
        """Go on with the draft over the session as it is now."""
        super().keep_mine()
        self._ask_columns()

    def load(self) -> None:
        """Show what the session says, with what was left unfinished where something was."""
        said = self.document.recipe.combinations
        if said and not self.builder.names:
            self.builder.set_own_threshold(said[-1].count_threshold)
        super().load()

    def show_draft(self) -> None:
        """Show the list as it is now."""
        self._set_draft(self.draft.value)
        self._ask_columns()

    def _ask_columns(self) -> None:
        self._take_refusal_back()
        draft = self.document.recipe.with_(combinations=(), derived=self.draft.derived)
        self._reads = draft.input.place is not None
        if not self._reads:  # opening it was stopped
            self.document.tasks.drop(_PREPARE)
            to_open = translate("Open Microdata"), lambda: self.open_window("openMicrodata")
            self.variables.show_empty(translate("Open a microdata file first."), *to_open)
            return
        self._show_variables()
        done, failed = self._prepared_arrived, self._not_read
        self.document.ask(_PREPARE, engine.prepare, draft, done=done, failed=failed, cancelled=self._stopped)

    def _forget_columns(self) -> None:
        self._prepared, self._levels = None, {}
        self.guide.forget()

    def _stopped(self) -> None:
        self._read_no_more(translate("Reading the file was stopped."))

    def _not_read(self, error: PavoError) -> None:
        self._read_no_more(translate("The file could not be read."))
        self._refusal = str(error)
        self.show_error(error)

    def _read_no_more(self, why: str) -> None:
        self._reads = False
        self._take_refusal_back()  # tables that were to be calculated then are not
        self._forget_columns()
        self.variables.show_empty(why, translate("Read again"), self._ask_columns)

    def _prepared_arrived(self, prepared: RecodedData) -> None:
        is_first, self._prepared, self._reads = self._prepared is None, prepared, False
        calculates = self._refusal == self.messages.text == translate(_LATER)  # and nothing was changed since
        self._take_refusal_back()
        self._levels = {
            v.name: v.identification_level
            for v in prepared.metadata.variables
            if v.name in prepared.columns and v.role not in ("household-id", "direct-identifier") and not v.removed
        }
        self._levels = levels_of_keys(self._levels, prepared.recipe)
        self._show_variables()
        if self._selected_next:
            self.variables.select(self._selected_next)
            self._selected_next = ""
        self.builder.set_prepared(prepared)
        self._look_at_keys()
        if not self.asks_which:  # which is to be answered first
            self._say_unusable(self.draft.value)
        if is_first:
            self.begin_by_keyboard()
        if calculates:
            self._calculate()

    def _show_variables(self) -> None:
        if self._prepared is None:
            self.variables.show_empty(translate("Reading the file…"))
            for button in (self.add_size, self.add_type):
                button.hide()
            return
        columns = variable_columns(self._prepared, self._levels)
        self.variables.stretch(_LABEL if len(columns) > _LABEL else 0)
        self.variables.set_columns(columns)
        for button in (self.add_size, self.add_type):
            button.setVisible(self._prepared.metadata.household_id is not None)

    # Commit ------------------------------------------------------------------------------------------------------

    def _wanted(self) -> edits_combinations.Draft | None:
        """The list with what was typed for it; None where that is refused, and said why."""
        if self.builder.edited:  # a set that was only taken out of the list is not meant
            return self._with_construction()
        if self.builder.unused:
            return self._with_count(self.combinations.places, self.builder.count_threshold)
        return self.draft.value

    def _refusal_of(self, draft: edits_combinations.Draft) -> str:
        """Why no tables can be made of a list; empty where they can."""
        nothing = "" if draft or self.draft.base else translate("Choose at least one variable first.")
        return nothing or too_many_keys(c.variables for c in draft)

    def _may_calculate(self) -> None:
        """Nothing is calculated of nothing, nor of more key variables than a table has."""
        made = self.builder.combination if self.builder.edited else None
        allow(self.calculate, self._refusal_of((*self.draft.value, made) if made is not None else self.draft.value))

    def _calculate(self) -> None:
        if self._commit():
            self.close()
            self.go_on()

    def _commit(self) -> bool:
        """Put the list, with what is under construction, into the session; False where it is refused, and said why."""
        if (self.draft.value or self.builder.edited) and self._lacks_columns():
            if self._reads:
                self._refuse(translate(_LATER))
            return False
        draft = self._wanted()
        if draft is None:
            return False
        if reason := self._refusal_of(draft):
            self.messages.show_text(reason)
            return False
        if draft and self._say_unusable(draft):
            return False
        self.draft.value = draft
        recipe = self._records.kept_in(self.draft.applied_to(self.document.recipe))
        self.draft.forget()
        self.builder.set_names()
        count = numbers.format_count(len(draft))
        self.document.commit(lambda: translate("Combinations: {count}").format(count=count), recipe)
        return True

    def _say_unusable(self, draft: edits_combinations.Draft) -> bool:
        """Name variables that no table can be made of, and offer to remove their combinations."""
        assert self._prepared is not None, "read before anything is judged by it"
        made = (spec.name for spec in self.draft.derived)  # they may be being counted
        places, text = unusable(draft, {*self._prepared.columns, *made})
        if text:
            remove = (translate("Remove their combinations"), lambda: self._remove_unusable(draft, places))
            to_metadata = (translate("Specify Metadata"), lambda: self.open_window("specifyMetadata"))
            self.messages.show_text(text, [remove, to_metadata])
        return bool(text)

    def _remove_unusable(self, draft: edits_combinations.Draft, places: tuple[int, ...]) -> None:
        self.messages.clear()
        self._set_draft(edits_combinations.without(draft, places))

    def reload(self) -> None:
        """What the session says, and nothing under construction."""
        self.builder.set_names()
        super().reload()

    def end(self) -> None:
        super().end()
        self.document.tasks.drop(_PREPARE)
        self.document.tasks.drop(_YEAR)
        self.guide.forget()
        self.builder.stop()
