"""Perturb: values changed at random by a method, seen before and after, and done in the order of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QSplitter, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.data.variables import Metadata, Variable
from core.metadata.guess_use import is_nominal
from core.perturbation.registry import REGISTRY
from core.recipe.analyses import with_goal, words_of_analysis
from core.recipe.changes import Changes
from core.recipe.declared import WITHHOLD, Declaration, check_entry
from core.recipe.edits_perturbations import (
    move_perturbation,
    replace_perturbation,
    with_perturbation,
    without_perturbation,
)
from core.recipe.model import Perturbation, Recipe
from core.report.analysis_effects import EFFECTS, effect_of
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.perturb.comparison import PerturbationView
from gui.perturb.draft import PerturbDraft
from gui.perturb.entry_list import PerturbationList, perturbation_name
from gui.perturb.goal_row import GoalRow, analysis_of, told_of_strongest
from gui.perturb.method_form import MethodForm
from gui.perturb.method_texts import kept_by
from gui.perturb.refusals import refusal_in_words
from gui.shared.draft_window import FollowingWindow
from gui.shared.form.declaration_list import DeclarationList
from gui.shared.form.laid_out import assumptions, form_pane, result_pane, share_out, without_marks
from gui.shared.form.parameter_fields import parameter_title
from gui.shared.form.variables_table import Offered, VariablesTable, offered_variables
from gui.shared.goal_texts import share_text
from gui.shared.layout.beside_or_below import BesideOrBelow
from gui.shared.parts.buttons import allow, role_button
from gui.shared.parts.fold_line import FoldLine
from gui.shared.parts.panes import pane
from gui.shared.parts.side_column import SideColumn
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.work_row import WorkRow
from gui.theme import scaled

if TYPE_CHECKING:
    from core.data.columns import EncodedColumn
    from core.whatif.perturbation_preview import PerturbationPreview
    from core.whatif.strongest import Strongest

_SLOT, _TRY_SLOT, _CODES_SLOT, _FIND_SLOT = "perturb", "perturb: try", "perturb: codes", "perturb: find"
_OF_NUMBERS = mark("Numerical variables")
"""The group of methods to which codes mean nothing."""
_WAIT_MS = 250
"""Between the last change and the preview, so that nothing is computed for each key that is typed."""
_LEFT, _RIGHT = 190, 280
_SIZES = 240, 320, 560
_KEYS_HEIGHT, _FORM_HEIGHT = 214, 180
_SEVERAL = 2
FIRST = "pram"
"""The method that is shown at first."""
_GROUPS = (
    mark("Categorical variables"),
    mark("Numerical variables"),
    mark("Households"),
    mark("Synthetic data"),
    mark("Weights"),
)
CUTS = Declaration(
    name="cuts",
    title=mark("Top coding, rounding"),
    group=mark("Without chance"),
    sentence=mark("Large or small numbers become one value, others are rounded, as the safe file is written."),
    has_variables=False,
)
"""What is done elsewhere and looked for here."""


class Perturb(FollowingWindow[PerturbDraft]):
    """`methodList`, `perturbVariables`, `methodParameters`, `perturbPreview`, `applyPerturbation`.

    What stands in the session is a `PerturbationList`; what would come of the draft a `PerturbationView`.
    """

    name = "perturb"
    first = "methodList"
    title = mark("Perturb")
    default_size = (1160, 700)
    drop_question = mark("Drop the perturbation that is not applied?")
    drop_detail = mark("The session stays as it is.")

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.draft = PerturbDraft(document)
        self._declaration: Declaration | None = None
        self._said: dict[str, Perturbation] = {}
        """By method what was typed for a new one and not applied."""
        self._good: tuple[Recipe, Perturbation, int | None] | None = None
        """What was seen on all records last: the file bears it."""
        self._asked_of: dict[tuple[str, tuple[str, ...]], tuple[str | None, str]] = {}
        """By method and variables: groups and goal that were asked for."""
        self._refusals: dict[tuple[Perturbation, int | None], str] = {}
        """By entry and place why the file, as it is, does not bear it."""
        self._loading = False
        self._wait = QTimer(self, singleShot=True, interval=_WAIT_MS)
        for step in (self._make_lists, self._make_form, self._make_view, self._lay_out, self._connect, self.load):
            self.later(step)

    def _make_lists(self) -> None:
        declared = (*REGISTRY.declarations, CUTS)
        self.list = DeclarationList("methodList", translate("Methods"), declared, _GROUPS)
        self.entries = PerturbationList()
        self.keys = VariablesTable("perturbVariables", translate("Variables to change"))

    def _make_form(self) -> None:
        self.heading = WrappedLabel(name="methodTitle", role="head")
        self.keeps = WrappedLabel(name="methodKeeps", is_muted=True)
        self.effect = WrappedLabel(name="methodEffect", is_muted=True)
        self.form = MethodForm()
        self.assumes = WrappedLabel(name="methodAssumes", is_muted=True)
        self.when = FoldLine(translate("What it assumes, what it is not for"), "methodWhen", self.assumes)
        self.guide = role_button(translate("Formula and source in the &guide"), "methodGuide", "quiet")
        self.cuts = role_button(translate("Modify &Numerical Variables"), "openNumericalVariables", "filled")
        self.apply = role_button(translate("&Apply"), "applyPerturbation", "filled")
        self.apply.setDefault(True)
        self.new = role_button(translate("An&other one"), "newPerturbation")
        self.new.setToolTip(translate("Leave this one as it is and begin a new one by the same method"))

    def _make_view(self) -> None:
        self.work = WorkRow(self.document, "perturbWork")
        self.view = PerturbationView(self.show_error)
        self.goal = GoalRow()

    def _lay_out(self) -> None:
        self.keys.setFixedHeight(scaled(_KEYS_HEIGHT))
        self._asked = asked = SideColumn(
            self.heading, self.keeps, self.effect, self.cuts, self.keys, self.form, self.when,
            self.assumes, self.guide, name="methodFormScroll",
        )  # fmt: skip
        asked.setMinimumHeight(scaled(_FORM_HEIGHT))
        # what is moved with all it holds is styled twice: it is laid out from the outside to the inside
        panes = QSplitter(Qt.Orientation.Horizontal, self, objectName="perturbSplitter")
        self.content.addWidget(panes, 1)
        left = pane(panes, self.list, self.entries)
        inner = BesideOrBelow(panes, "perturbInnerSplitter")
        form_pane(inner, asked, self.apply, self.new)
        left.setMinimumWidth(scaled(_LEFT))
        result_pane(inner, (self.view, self.goal), self.work, scaled(_RIGHT))
        share_out(panes, (1, 4), (_SIZES[0], sum(_SIZES[1:])))
        share_out(inner, (1, 3), _SIZES[1:])

    def _connect(self) -> None:
        self.list.chosen.connect(self._choose)
        self.list.activated.connect(lambda _index: self._go_to_form())
        self.keys.changed.connect(self._keys_changed)
        self.form.changed.connect(self._form_changed)
        self.form.typed.connect(self._judge)
        self.form.codes_wanted.connect(self._ask_codes)
        self.form.unfolded.connect(lambda line: QTimer.singleShot(0, line, lambda: self._scroll_to(line)))
        self.cuts.clicked.connect(lambda: self.open_window("numericalVariables"))
        self.guide.clicked.connect(self._open_guide)
        self.apply.clicked.connect(lambda _checked: self._apply())
        self.new.clicked.connect(lambda _checked: self._begin_another())
        self.work.stopped.connect(self._stop)
        self.entries.opened.connect(self._open_entry)
        self.entries.moved.connect(self._move)
        self.entries.removed.connect(self._remove)
        self.view.variable_shown.connect(self.goal.show_figures)
        self.goal.by_changed.connect(self._by_changed)
        self.goal.goal.textEdited.connect(lambda _text: self._remember_goal())
        self.goal.find_wanted.connect(self._find)
        self.goal.keep_wanted.connect(self._keep_goal)
        self.view.all_wanted.connect(lambda: self._preview(everything=True))
        self._wait.timeout.connect(self._preview)

    # What the document says --------------------------------------------------------------------------------------

    def show_for(self, method: str = "", **_: Any) -> None:
        """Choose a method by its name."""
        self.list.choose(method)

    def results_changed(self) -> None:
        """The variables of the file are known, or others."""
        self._refusals.clear()
        self._offer()
        self._judge()
        if self.view.found is None:
            self._wait.start()

    def recipe_changed(self, changes: Any) -> None:
        """An untouched draft follows; what was seen before is of another session."""
        if changes == Changes.all():  # another session
            self._said.clear()
            self.draft.place = None
        self._show_entries()
        self._refusals.clear()
        super().recipe_changed(changes)
        self.view.set_waiting(True)
        self._wait.start()

    def concerns(self, changes: Changes) -> bool:
        """The entry that is changed here may be another one, or gone."""
        return changes.perturbations and self.draft.overtaken

    def is_stale(self) -> bool:
        """The preview is its own: what it is of is seen again by itself."""
        return False

    def load(self) -> None:
        """Show what the session says, with what was left unfinished where something was."""
        self.draft.method = self.draft.method or FIRST
        place = self.draft.place
        if place is not None and self.draft.said(self.document.recipe) == Perturbation(self.draft.method):
            self.draft.place = None  # it is gone
        super().load()

    def keep_mine(self) -> None:
        """Go on with the draft over the session as it is now."""
        super().keep_mine()
        self._show_entries()
        self._judge()

    # Which method, of what ---------------------------------------------------------------------------------------

    @property
    def entry(self) -> Perturbation:
        """The perturbation as it would stand in the recipe."""
        assert self._declaration is not None, "one is chosen from the beginning"
        variables = self.keys.ticked if self._takes_variables else ()
        return Perturbation(self._declaration.name, variables, self.form.values)

    @property
    def _takes_variables(self) -> bool:
        """Whether variables are ticked; else its parameters name them."""
        declaration = self._declaration
        return declaration is not None and declaration.has_variables and not declaration.instead

    def _choose(self, name: str) -> None:
        """Another method: what was typed for it before is there again."""
        if self._loading:
            return
        if name == CUTS.name:
            self._show_cuts()
            return
        if self.touched and self.draft.place is None:
            self._said[self.draft.method] = self.draft.value
        methods = [entry.method for entry in self.document.recipe.perturbations]
        stands = REGISTRY[name].DECLARATION.once and name in methods
        self.draft.turn_to(name, methods.index(name) if stands else None)
        if name in self._said and not stands:
            self.draft.take(self._said.pop(name))
        self.clear_error()
        self.show_draft()
        self._asked.verticalScrollBar().setValue(0)

    def _show_cuts(self) -> None:
        for part in (self.keys, self.form, self.when, self.assumes, self.guide, self.apply, self.new, self.keeps):
            part.hide()
        self.cuts.show()
        self.heading.setText(translate(CUTS.title))
        told = " ".join(translate(EFFECTS[kind]) for kind in ("top", "bottom", "round"))
        self.effect.setText(told.format(names=translate("the variable")))
        self.effect.show()
        self._wait.stop()
        self._declaration = None
        self.view.show_empty(translate("Top and bottom coding and rounding are done on a page of their own."))

    def show_draft(self) -> None:
        """Show the draft in the form."""
        entry = self.draft.value
        declaration = REGISTRY[entry.method].DECLARATION
        self._declaration = declaration
        self._loading = True
        self.goal.say_strongest("")
        self.list.choose(entry.method)
        self.heading.setText(translate(declaration.title))
        self.cuts.hide()
        for part in (self.form, self.guide, self.apply):
            part.show()
        self.keys.setVisible(self._takes_variables)
        self.keys.tick(entry.variables)
        self.form.show_for(declaration)
        guide = declaration.guide
        self.when.setVisible(guide is not None)
        self.when.setChecked(False)
        self.assumes.hide()
        if guide is not None:
            self.assumes.setText(assumptions(guide))
        self._offer()
        self.form.show_values(entry)
        self._loading = False
        self._ask_goal()
        self._show_effect()
        self._show_entries()
        self._judge()
        self._schedule()

    def _offer(self) -> None:
        """What can be ticked."""
        derived = self.document.derived
        if derived is None or self._declaration is None:
            return
        loading, self._loading = self._loading, True
        offered = offered_variables(derived.metadata)
        self.keys.offer(self._changeable(derived.metadata, offered))
        self.keys.tick(self.draft.value.variables)
        self.goal.offer([each for each in offered if derived.metadata[each.name].categorical])
        self.form.say_categorical([each.name for each in derived.metadata.variables if each.categorical])
        self.form.offer(offered, self.keys.ticked, self.document.recipe.scenarios)
        self._loading = loading

    def _changeable(self, metadata: Metadata, offered: Sequence[Offered]) -> list[Offered]:
        """What the method can change: to one of numbers labelled codes mean nothing; what is ticked stays in sight."""
        assert self._declaration is not None, "asked where there is a form"
        if self._declaration.group != _OF_NUMBERS:
            return list(offered)
        said = self.draft.value.variables
        return [each for each in offered if each.name in said or not _is_of_codes(metadata[each.name])]

    def _go_to_form(self) -> None:
        if self._declaration is None:
            self.open_window("numericalVariables")
            return
        first = self.keys.view if self._takes_variables else self.form.findChild(QWidget, self._first_box)
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)

    @property
    def _first_box(self) -> str:
        assert self._declaration is not None, "asked where there is a form"
        return f"parameter_{self._declaration.parameters[0].name}"

    def _scroll_to(self, line: QWidget) -> None:
        """What is opened is in sight, from its line on."""
        column = self._asked.widget()
        if column is not None and line.isVisible():
            self._asked.verticalScrollBar().setValue(line.mapTo(column, line.rect().topLeft()).y())

    def _keys_changed(self) -> None:
        self._form_changed()
        derived = self.document.derived
        if derived is not None:
            self.form.offer(offered_variables(derived.metadata), self.keys.ticked, self.document.recipe.scenarios)
        if self.form.wants_codes:
            self._ask_codes()

    def _form_changed(self) -> None:
        if self._loading or self._declaration is None:
            return
        self.draft.take(self.entry)
        self.goal.say_strongest("")
        self._remember_goal()
        self._show_effect()
        self._judge()
        self._schedule()

    def _schedule(self) -> None:
        self.view.set_waiting(True)
        self._wait.start()

    def _show_effect(self) -> None:
        """What it does to analyses, of the variables that are ticked."""
        derived = self.document.derived
        has_weight = derived is not None and derived.metadata.weight is not None
        kept = kept_by(self.draft.value, has_weight)
        self.keeps.setText(kept)
        self.keeps.setVisible(bool(kept))
        effect = effect_of(self.draft.method, not dict(self.draft.value.parameters).get(WITHHOLD.name))
        names = ", ".join(self.keys.ticked) or translate("the variables")
        self.effect.setText(translate(effect).format(names=names) if effect else "")
        self.effect.setVisible(bool(effect))

    def _judge(self) -> None:
        """Nothing is applied that the session has already, that lacks something, or that the file does not bear."""
        is_new = self.draft.place is None
        why = "" if is_new or self.touched else translate("Nothing is changed.")
        if not why and self._declaration is not None and not self.form.is_typed:
            why = self._lacking() or self._refusals.get((self.entry, self.draft.place), "")
        allow(self.apply, why, translate("Ctrl+Enter"))
        self.apply.setText(translate("&Apply") if is_new else translate("&Apply the change"))
        self.new.setVisible(not is_new and self._declaration is not None and not self._declaration.once)

    def _ask_codes(self) -> None:
        """Have the codes of the one variable listed for a table by code."""
        derived, names = self.document.derived, self.keys.ticked
        if derived is None or len(names) != 1:
            if self.form.wants_codes and not self._loading:
                self.messages.show_text(translate("A table by code is for one variable: tick one."))
            return

        def arrived(column: EncodedColumn) -> None:
            if self.keys.ticked == names:
                labels = derived.labels.get(names[0], {})
                codes = column.codes[: column.n_valid]
                self.form.offer_codes([(code, labels.get(code, "")) for code in codes[:1000]])

        self.document.ask(
            _CODES_SLOT, engine.codes_of, self.document.recipe, names[0], done=arrived, failed=self.show_error
        )

    def _open_guide(self) -> None:
        assert self._declaration is not None, "asked where there is a form"
        self.open_window("help", page="perturbations", heading=self._declaration.title)

    # Before and after --------------------------------------------------------------------------------------------

    def _preview(self, everything: bool = False) -> None:
        """Show what the draft would do; `everything`: on all records."""
        self._wait.stop()
        if self._declaration is None:
            return
        lacking = self._lacking()
        if lacking:
            self.document.tasks.drop(_SLOT)
            self._end()
            self.view.show_empty(lacking)
            return
        entry, place, recipe = self.entry, self.draft.place, self.document.recipe

        def arrived(found: PerturbationPreview) -> None:
            self._end()
            if not found.is_sample:
                self._good = recipe, entry, place
            derived = self.document.derived
            self.view.show_preview(found, derived.labels if derived is not None else {})

        def refused(error: PavoError) -> None:
            self._end()
            self.view.show_empty(str(self._in_words(error)))
            self._note_refusal(entry, place, error)

        def stopped() -> None:
            self._end()
            text = translate("Looking at before and after was stopped.")
            self.view.show_empty(text, translate("Look again"), lambda: self._preview(everything))

        self._begin(translate("Looking at before and after…"))
        self.document.ask(
            _SLOT, engine.preview_perturbation, recipe, entry, place, everything, self.goal.group,
            done=arrived, failed=refused, cancelled=stopped,
        )  # fmt: skip

    def _begin(self, text: str) -> None:
        self.work.begin(text)
        self.work.stop.show()

    def _end(self) -> None:
        self.work.end()
        self.work.stop.hide()

    def _stop(self) -> None:
        for slot in (_SLOT, _TRY_SLOT, _FIND_SLOT):
            self.document.tasks.cancel(slot)

    def _lacking(self) -> str:
        """Why there is nothing to see or to apply yet, in a sentence; empty where there is."""
        assert self._declaration is not None, "asked where there is a form"
        refused, lacking = self.form.refused, self.form.lacking
        if self.document.derived is None:
            return translate("The file is not read yet.")
        if self._takes_variables and not self.keys.names:
            return translate("This method changes numbers, and no variable is one: Specify Metadata says which are.")
        if self._takes_variables and not self.keys.ticked:
            return translate("Tick at least one variable: what is changed is seen here before it is applied.")
        if refused is not None:
            told = translate("“{name}” cannot be taken as it is typed.")
            return told.format(name=parameter_title(refused.parameter.name))
        if lacking is not None:
            told = translate("“{name}” has to be said: {sentence}")
            return told.format(
                name=parameter_title(lacking.parameter.name),
                sentence=without_marks(translate(lacking.parameter.sentence)),
            )
        try:
            check_entry("perturbations", self._own + 1, self.entry)
        except PavoError as error:
            return str(self._in_words(error))
        return ""

    def _note_refusal(self, entry: Perturbation, place: int | None, error: PavoError) -> None:
        """The file does not bear an entry of the form, as long as neither is another one."""
        self._refusals[entry, place] = str(self._in_words(error))
        self._judge()

    def _in_words(self, error: PavoError) -> PavoError:
        return refusal_in_words(error, self.document.recipe, self._own)

    @property
    def _own(self) -> int:
        """The place, from 0, that the draft has or would have."""
        place = self.draft.place
        return len(self.document.recipe.perturbations) if place is None else place

    # Groups and goal ---------------------------------------------------------------------------------------------

    def _ask_goal(self) -> None:
        """Groups and goal as they were asked for of the shown entry, else as the session says them."""
        entry = self.draft.value
        known = self._asked_of.get((entry.method, entry.variables))
        if known is None:
            known = goal_of_session(self.document.recipe, entry.variables)
        if known is not None:
            self.goal.ask(*known)

    def _remember_goal(self) -> None:
        entry = self.draft.value
        self._asked_of[entry.method, entry.variables] = self.goal.group, self.goal.wanted_text

    def _by_changed(self) -> None:
        self._remember_goal()
        self._schedule()

    def _keep_goal(self) -> None:
        """Put the goal of each variable into the session."""
        found, goal = self.view.found, self.goal.wanted
        if found is None or goal is None or not found.groups:
            self.messages.show_text(translate("The goal is put into the session once before and after are seen."))
            return
        recipe = self.document.recipe
        entries = [analysis_of(each, goal) for each in found.groups]
        for each in entries:
            recipe = with_goal(recipe, each)

        def label() -> str:
            what = ", ".join(map(words_of_analysis, entries))
            return translate("Goal of {what}: change at most {share}").format(what=what, share=share_text(goal))

        self.document.commit(label, recipe)

    def _find(self) -> None:
        """Look for the strongest form of the draft that keeps the goal, and show it."""
        goal, by = self.goal.wanted, self.goal.group
        if self._declaration is None or goal is None or by is None:
            return
        self.clear_error()
        if self._takes_variables and not self.keys.ticked:
            self.messages.show_text(self._lacking())
            return
        entry, place, recipe = self.entry, self.draft.place, self.document.recipe

        def arrived(found: Strongest) -> None:
            self._end()
            if (self.document.recipe, self.entry, self.draft.place) != (recipe, entry, place):
                return
            if found.entry is not None:
                self.draft.take(found.entry)
                self._remember_goal()
                self.show_draft()
            else:
                self._preview()
            self.goal.say_strongest(told_of_strongest(found))

        def refused(error: PavoError) -> None:
            self._end()
            self.show_error(self._in_words(error))
            self._preview()

        def stopped() -> None:
            self._end()
            self.messages.show_text(translate("Looking for the strongest was stopped."))
            self._preview()

        self._wait.stop()
        self.document.tasks.drop(_SLOT)
        self._begin(translate("Looking for the strongest that keeps the goal…"))
        self.document.ask(
            _FIND_SLOT, engine.strongest_perturbation, recipe, entry, place, by, goal,
            done=arrived, failed=refused, cancelled=stopped,
        )  # fmt: skip

    # Commit ------------------------------------------------------------------------------------------------------

    def _apply(self) -> None:
        """Put the draft into the session, once the file has been seen to bear it."""
        self.apply.setFocus()  # what is being typed counts
        if self._declaration is None:
            return
        lacking = self._lacking()
        if lacking:  # what was typed last is not taken
            self.messages.show_text(lacking)
        if not self.apply.isEnabled() or lacking:
            return
        self.clear_error()
        recipe, entry, place = self.document.recipe, self.entry, self.draft.place
        if self._good == (recipe, entry, place):
            self._commit()
            return

        def arrived(found: PerturbationPreview) -> None:
            self._end()
            self._good = recipe, entry, place
            self.view.show_preview(found, self.document.derived.labels if self.document.derived is not None else {})
            if (self.document.recipe, self.entry, self.draft.place) == self._good:
                self._commit()

        def refused(error: PavoError) -> None:
            self._end()
            self.show_error(self._in_words(error))
            self._note_refusal(entry, place, error)

        def stopped() -> None:
            self._end()
            text = translate("Nothing is applied: looking whether the file bears it was stopped.")
            self.messages.show_text(text, [(translate("Apply"), self._apply)])

        self._wait.stop()
        self.document.tasks.drop(_SLOT)
        self._begin(translate("Looking whether the file bears it…"))
        self.document.ask(
            _TRY_SLOT, engine.preview_perturbation, recipe, entry, place, True, self.goal.group,
            done=arrived, failed=refused, cancelled=stopped,
        )  # fmt: skip

    def _commit(self) -> None:
        recipe, entry, place = self.document.recipe, self.entry, self.draft.place
        if place is None:
            changed, label = with_perturbation(recipe, entry), mark("Perturb: {name}")
            place = len(recipe.perturbations)
        else:
            changed = replace_perturbation(recipe, place, entry)
            label = mark("Perturbation changed: {name}")
        self.draft.forget()
        self.draft.method, self.draft.place = entry.method, place
        self.document.commit(lambda: translate(label).format(name=perturbation_name(entry)), changed)
        self.entries.list.setFocus(Qt.FocusReason.OtherFocusReason)  # the button is off until something is changed
        self._show_entries()
        self._judge()

    def _begin_another(self) -> None:
        if self.may_drop():
            self.draft.turn_to(self.draft.method)
            self.show_draft()

    def _open_entry(self, place: int) -> None:
        """Show an entry of the session in the form."""
        entry = self.document.recipe.perturbations[place]
        if REGISTRY.declaration(entry.method) is None:
            return
        if place != self.draft.place or self._declaration is None:
            if not self.may_drop():
                self._show_entries()
                return
            self.draft.turn_to(entry.method, place)
        self.show_draft()

    def _move(self, place: int, to: int) -> None:
        recipe = self.document.recipe
        entry = recipe.perturbations[place]
        self._follow(lambda own: to if own == place else place if own == to else own)
        self.document.commit(
            lambda: translate("Order of perturbations: {name}").format(name=perturbation_name(entry)),
            move_perturbation(recipe, place, to),
        )
        self.entries.list.setCurrentRow(to)

    def _remove(self, place: int) -> None:
        recipe = self.document.recipe
        entry = recipe.perturbations[place]
        self._follow(lambda own: None if own == place else own - 1 if own > place else own)
        self.document.commit(
            lambda: translate("Perturbation removed: {name}").format(name=perturbation_name(entry)),
            without_perturbation(recipe, place),
        )

    def _follow(self, moved: Any) -> None:
        """The entry that is changed here is at another place from now on; a touched one that is gone becomes new."""
        if self.draft.place is not None:
            self.draft.place = moved(self.draft.place)

    def _show_entries(self) -> None:
        self.entries.show_entries(self.document.recipe.perturbations, self.draft.place)

    def end(self) -> None:
        super().end()
        self._wait.stop()
        for slot in (_SLOT, _TRY_SLOT, _CODES_SLOT, _FIND_SLOT):
            self.document.tasks.drop(slot)


def _is_of_codes(variable: Variable) -> bool:
    """Whether the values of a variable are codes with labels or names of things, of which no mean can be taken."""
    is_labelled = variable.codelist is not None or bool(variable.labels)
    return (variable.categorical and is_labelled and not variable.numeric) or is_nominal(variable)


def goal_of_session(recipe: Recipe, variables: tuple[str, ...]) -> tuple[str | None, str] | None:
    """Groups and goal, as they are typed, that the session says of one of `variables`; None: it says none."""
    for said in recipe.utility:
        goal = "" if said.goal is None else numbers.format_exact(float(f"{100 * said.goal:.6g}"))
        if said.mean in variables and len(said.by) < _SEVERAL:
            return (said.by[0] if said.by else ""), goal
        if said.goal is not None and said.table[:1] and said.table[0] in variables and len(said.table) <= _SEVERAL:
            return (said.table[1] if len(said.table) == _SEVERAL else ""), goal
    return None
