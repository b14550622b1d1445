"""Edits of the draft of combinations: what is under construction, its threshold, the list, and the models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

from core.base.texts import translate
from core.recipe import edits_combinations
from core.recipe.model import Combination, MissingRule
from gui.document.document import Document
from gui.select_combinations import draft as combination_draft
from gui.select_combinations.automatic_dialog import AutomaticSpecification
from gui.select_combinations.checks import (
    agrees_to_remove,
    may_replace_by_one,
    measuring_only_text,
    too_many_keys,
    what_without_weight,
)
from gui.select_combinations.combination_controls import CombinationControls
from gui.shared.message_area import Offer

if TYPE_CHECKING:
    from core.results.results import Prepared


class CombinationEditing(CombinationControls):
    """Holds the draft and changes it as the controls say; a subclass loads and commits it."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._draft: edits_combinations.Draft = ()
        self._base: edits_combinations.Draft = ()
        self._prepared: Prepared | None = None
        self._levels: dict[str, int] = {}
        self._reads = False
        self._asked_weight = False
        self._refusal = ""
        self._chosen_rule: MissingRule = "observed"
        self._before_k: edits_combinations.Draft = ()
        self._connect_edits()

    def _ask_columns(self) -> None:
        """Read the variables of the file."""
        raise NotImplementedError

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

    @property
    def touched(self) -> bool:
        """Whether the draft differs from the recipe it was made from, or a combination is under construction."""
        return self._draft != self._base or self.builder.edited

    def _connect_edits(self) -> None:
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
            lambda: self._set_draft(edits_combinations.with_protecting_rules(self._draft))
        )
        self.rule.currentIndexChanged.connect(self._rule_chosen)
        self.automatic.clicked.connect(self._specify_automatically)
        self.recommended.clicked.connect(self._recommend)
        self.risk_model.clicked.connect(self._toggle_risk)
        self.k_anonymity.clicked.connect(self._toggle_k_anonymity)
        self.clear.clicked.connect(lambda: self._set_draft(()))
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.combinations.view)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove_combination)
        for left in (self.cancel, self.clear, self.recommended, self.automatic):
            left.setAutoDefault(False)

    # The combination under construction --------------------------------------------------------------------------

    def _add_selected(self) -> None:
        chosen = self.variables.selected_keys
        self.builder.add(chosen)
        if len(chosen) == 1:
            row = self.variables.model.row_of(chosen[0])
            following = min(row + 1, self.variables.model.rowCount() - 1)
            self.variables.view.selectRow(following)

    def _construction_changed(self) -> None:
        self._take_refusal_back()
        self._show_threshold()
        if self.builder.unused and self._draft:
            selected = translate("For the next combination; if none is added, for the one selected in the list.")
            alone = translate("For the next combination. To change others, select them in the list.")
            self.builder.threshold.say(selected if self.combinations.places else alone)
        self._keep_against_crashes()

    def _show_threshold(self) -> None:
        """The box is about what the user selected in the list, as long as nothing is under construction."""
        of_list = self.combinations.is_picked and not self.builder.names
        places = self.combinations.places if of_list else ()
        self.builder.show_threshold_of([self._draft[place].count_threshold for place in places])

    def _threshold_typed(self, value: int) -> None:
        self._set_draft(self._with_count(self.combinations.places, value))

    def _with_count(self, places: Iterable[int], count_threshold: int) -> edits_combinations.Draft:
        draft = self._draft
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
        self._draft = draft
        self._take_refusal_back()
        self.combinations.show_draft(draft)
        self.k_anonymity.setChecked(bool(draft) and all(c.model == "k-anonymity" for c in draft))
        has_rule = any(c.model != "frequency" for c in draft)
        self.rule.show_rule(edits_combinations.common_rule(draft) if has_rule else self._chosen_rule)
        self.only_measured.say(measuring_only_text(draft))
        for button in (self.k_anonymity, self.clear, self.remove_combination):
            button.setEnabled(bool(draft))
        self._show_threshold()
        self._keep_against_crashes()

    def _keep_against_crashes(self) -> None:
        if self.touched:
            self.document.drafts[self.name] = combination_draft.to_plain(self._draft, self.builder)
        else:
            self.document.drafts.pop(self.name, None)

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
        draft, place = edits_combinations.place(self._draft, made)
        shared = edits_combinations.overlapping(draft, place) if draft[place].model == "individual-risk" else {}
        if shared and not agrees_to_remove(self, shared):
            return None
        return edits_combinations.without(draft, shared)

    def _remove_combination(self) -> None:
        places = self.combinations.places
        if places:
            gone = self._draft[places[-1]]
            self.builder.load(gone, gone)
            self._set_draft(edits_combinations.without(self._draft, places))

    def _recommend(self) -> None:
        if self._lacks_columns():
            return
        keys = tuple(name for name, level in self._levels.items() if level > 0)
        to_metadata = (translate("Specify Metadata"), lambda: self.open_window("specifyMetadata"))
        if not keys:
            text = translate("No variable has an identification level above 0, so no key variable is known.")
            self.messages.show_text(text, [to_metadata])
            return
        if too_many_keys([keys]):
            lower = translate("Set the identification level of those that nobody could know to 0.")
            self.messages.show_text(f"{too_many_keys([keys])} {lower}", [to_metadata])
            return
        there = edits_combinations.find(self._draft, keys)
        new = Combination(keys, model="frequency", count_threshold=self.builder.count_threshold)
        one = (new if there < 0 else self._draft[there],)
        gone = self._draft if there < 0 else edits_combinations.without(self._draft, [there])
        if may_replace_by_one(self, gone) and self._weight_is_settled(one):
            self.messages.clear()
            self._set_draft(edits_combinations.with_risk_model(one, 0, self._rule_of_risk()))
            self.combinations.show_added(0)

    def _toggle_risk(self) -> None:
        is_new = bool(self.builder.names) or (not self._draft and bool(self.variables.selected_keys))
        if is_new and not self._add_combination():
            return
        places = self.combinations.places or ([0] if len(self._draft) == 1 else [])
        if not places:
            self.messages.show_text(translate("Select a combination in the list first."))
        elif self._draft[places[0]].model != "individual-risk":
            self._make_risk_table(places[0])
        elif not is_new:
            self._set_draft(edits_combinations.with_threshold_rule(self._draft, places[0]))

    def _make_risk_table(self, place: int) -> None:
        if not self._weight_is_settled(self._draft):
            return
        shared = edits_combinations.overlapping(self._draft, place)
        if shared and not agrees_to_remove(self, shared):
            return
        draft = edits_combinations.without(
            edits_combinations.with_risk_model(self._draft, place, self._rule_of_risk()), shared
        )
        made = edits_combinations.find(draft, self._draft[place].variables)
        self._set_draft(draft)
        if self.combinations.places != [made]:
            self.combinations.show_added(made)

    def _rule_of_risk(self) -> MissingRule:
        """The missing rule of a new risk table: that of the others, else the one chosen."""
        rules = {c.missing_rule for c in self._draft if c.model == "individual-risk"}
        return rules.pop() if len(rules) == 1 else self._chosen_rule

    def _weight_is_settled(self, draft: edits_combinations.Draft) -> bool:
        """Without a weight, risk needs the file to be the whole population: asked once. Else k-anonymity of `draft`."""
        if self._lacks_columns():
            return False
        assert self._prepared is not None, "asked above"
        if self._prepared.metadata.weight is not None or self._asked_weight:
            return True
        answer = what_without_weight(self, self._prepared.metadata.variables)
        self._asked_weight = answer == "all"
        if answer == "weight":
            self.open_window("specifyMetadata")
        elif answer == "sample":
            self.messages.show_text(
                translate("A sample without weights cannot be judged by risk. Use thresholds or k-anonymity instead."),
                [(translate("Use k-anonymity"), lambda: self._use_k_anonymity(draft))],
            )
        return self._asked_weight

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
            self._use_k_anonymity(self._draft)
        else:
            self._set_draft(edits_combinations.as_before(self._draft, self._before_k))

    def _rule_chosen(self) -> None:
        if self.rule.currentIndex() < 0:
            return
        self._chosen_rule = self.rule.rule
        made = self.builder.combination
        if made is not None:
            self.builder.judge_by(edits_combinations.with_missing_rule((made,), self.rule.rule)[0])
        self._set_draft(edits_combinations.with_missing_rule(self._draft, self._chosen_rule))

    def _specify_automatically(self) -> None:
        if self._lacks_columns():
            return
        dialog = AutomaticSpecification(list(self._levels), list(self._levels.values()), self._draft, self)
        dialog.chosen.connect(self._specified)
        dialog.open()

    def _specified(self, sets: list[tuple[str, ...]], thresholds: list[int], replace: bool) -> None:
        self._set_draft(edits_combinations.add_many(() if replace else self._draft, sets, thresholds))
