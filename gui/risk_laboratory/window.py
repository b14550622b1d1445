"""Risk Laboratory: measures of risk beside the one that judges, tried on any key variables."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSplitter, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.declared import SCENARIO, Declaration, check_entry
from core.recipe.edits_scenarios import with_scenarios
from core.recipe.in_parts import OF_CELLS
from core.recipe.model import Measure, Recipe, Report, Scenario
from core.recipe.scenarios import scenarios_of
from core.risk.measures.evaluation import INTRUDERS, POPULATION, RARE, SENSITIVE, TAKES_LONG
from core.risk.measures.registry import REGISTRY
from gui.document import engine
from gui.document.document import Document
from gui.risk_laboratory.measure_form import MeasureForm
from gui.risk_laboratory.questions import Question
from gui.risk_laboratory.report_list import ReportList, measure_name
from gui.risk_laboratory.result_view import ResultView
from gui.risk_laboratory.scenarios_dialog import ScenariosDialog
from gui.shared.choice import ChoiceBox
from gui.shared.form.declaration_list import DeclarationList
from gui.shared.form.laid_out import assumptions, form_pane, result_pane, share_out
from gui.shared.form.parameter_fields import in_words, parameter_title
from gui.shared.form.variables_table import VariablesTable, offered_variables
from gui.shared.in_parts import reason_in_parts, refuse
from gui.shared.parts.buttons import role_button
from gui.shared.parts.fold_line import FoldLine
from gui.shared.parts.panes import pane
from gui.shared.parts.side_column import SideColumn
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.tool_window import ToolWindow
from gui.shared.windows import reason_against
from gui.shared.work_row import WorkRow
from gui.texts import as_tip
from gui.theme import scaled

if TYPE_CHECKING:
    from core.whatif.laboratory import TriedMeasure

_SLOT = "risk laboratory"
_LEFT, _RIGHT = 190, 280
"""Least widths of the list and of what was found; the form says its own."""
PATIENCE = 20.0
"""Seconds up to which a measure is run without a question."""
_SIZES = 230, 300, 600
_MOST_AT_ONCE = 40
"""Variables that a question takes of itself; of more, the user ticks some."""
_KEYS_HEIGHT = 234


def basis(recipe: Recipe, entry: Measure) -> Recipe:
    """All of a recipe on which the figures of a measure depend; of the scenarios those that it names."""
    named = {name for _key, name in scenarios_of(entry)}
    scenarios = tuple(scenario for scenario in recipe.scenarios if scenario.name in named)
    return recipe.with_(measures=(), report=Report(), scenarios=scenarios)


class RiskLaboratory(ToolWindow):
    """`measureList`, `measureVariables`, `keysOf`, `measureParameters`, `runMeasure`, `addToReport`.

    What was found is a `ResultView`; what stands in the recipe is a `ReportList`.
    """

    name = "riskLaboratory"
    first = "measureList"
    title = mark("Risk Laboratory")
    default_size = (1160, 700)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._declaration: Declaration | None = None
        self._said: dict[str, Measure] = {}
        """By measure what was typed for it last."""
        self._found: dict[str, tuple[Measure, TriedMeasure, Recipe]] = {}
        """By measure what it found last, of which entry, and on what."""
        self._keys_known = False
        self._scenario = ""
        """The scenario on whose variables it is taken; empty for those that are ticked."""
        self._make_controls()
        self._lay_out()
        self._connect()
        self.list.choose(REGISTRY.declarations[0].name)
        self.results_changed()
        self._show_scenarios()

    def _make_controls(self) -> None:
        groups = RARE, SENSITIVE, POPULATION, INTRUDERS
        self.list = DeclarationList("measureList", translate("Measures of risk"), REGISTRY.declarations, groups)
        self.in_report = ReportList(REGISTRY)
        self.heading = WrappedLabel(name="measureTitle", role="head")
        self.keys = VariablesTable("measureVariables", translate("Key variables"))
        self.keys.view.setToolTip(translate("What somebody could know about a person"))
        self.keys_of = role_button(translate("&Keys of…"), "keysOf")
        self.keys_of.setToolTip(translate("Tick the key variables of a combination, or take those of a scenario"))
        self.menu = QMenu(self.keys_of)
        self.keys_of.setMenu(self.menu)
        self.scenario = ChoiceBox(objectName="measureScenario", accessibleName=translate("Scenario"))
        self.scenario.setToolTip(translate("On whose variables the measure is taken; the report says it, too"))
        self.scenarios = role_button(translate("S&cenarios…"), "editScenarios", "quiet")
        self.scenarios.setToolTip(translate("What an intruder could know, and from where: lists of key variables"))
        self.about_keys = WrappedLabel(name="measureKeysNote", is_muted=True)
        self.form = MeasureForm()
        self.assumes = WrappedLabel(name="measureAssumes", is_muted=True)
        self.when = FoldLine(translate("What it assumes, what it is not for"), "measureWhen", self.assumes)
        self.guide = role_button(translate("Formula and source in the &guide"), "measureGuide", "quiet")
        self.run = role_button(translate("&Run"), "runMeasure", "filled")
        self.run.setDefault(True)
        self.add = role_button(translate("&Add to report"), "addToReport")
        self.work = WorkRow(self.document, "measureWork")
        self.result = ResultView(self.show_error)

    def _lay_out(self) -> None:
        self.keys.setFixedHeight(scaled(_KEYS_HEIGHT))
        self.keys.foot.addWidget(self.keys_of)
        whose = QWidget()
        row = QHBoxLayout(whose)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.scenario, 1)
        row.addWidget(self.scenarios, 0, Qt.AlignmentFlag.AlignRight)
        self.whose = whose
        parts = self.heading, self.keys, self.whose, self.about_keys, self.form, self.when, self.assumes, self.guide
        asked = SideColumn(*parts, name="measureFormScroll")
        # what is moved with all it holds is styled twice: it is laid out from the outside to the inside
        panes = QSplitter(Qt.Orientation.Horizontal, self, objectName="laboratorySplitter")
        self.content.addWidget(panes, 1)
        left = pane(panes, self.list, self.in_report)
        form_pane(panes, asked, self.run, self.add)
        left.setMinimumWidth(scaled(_LEFT))
        result_pane(panes, (self.result,), self.work, scaled(_RIGHT))
        share_out(panes, (1, 1, 3), _SIZES)

    def _connect(self) -> None:
        self.list.chosen.connect(self._choose)
        self.list.activated.connect(lambda _index: self.keys.view.setFocus(Qt.FocusReason.TabFocusReason))
        self.keys.changed.connect(self._keys_changed)
        self.form.changed.connect(self._form_changed)
        self.scenario.currentIndexChanged.connect(lambda _place: self._take_scenario(self.scenario.currentData()))
        self.scenarios.clicked.connect(self._edit_scenarios)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.guide.clicked.connect(self._open_guide)
        self.run.clicked.connect(lambda _checked: self._run())
        self.add.clicked.connect(self._add)
        self.work.stopped.connect(lambda: self.document.tasks.cancel(_SLOT))
        self.in_report.opened.connect(self._show_entry)
        self.in_report.removed.connect(self._remove)
        self.result.preview_wanted.connect(lambda: self._measure(protects=True))
        self.result.record_wanted.connect(lambda record: self.open_window("browseData", record=record))
        self.result.sets_wanted.connect(self._open_sets)
        self.result.set_wanted.connect(lambda names: self.show_for("frequencies", names))
        self.result.questions.asked.connect(self._answer)

    # What the document says --------------------------------------------------------------------------------------

    def results_changed(self) -> None:
        """The variables of the file are known, or others; what was found may be of another session."""
        derived = self.document.derived
        if derived is not None:
            self.keys.offer(offered_variables(derived.metadata))
            known, self._keys_known = self._keys_known, True
            if not known:
                combinations = derived.recipe.combinations
                self.keys.tick(combinations[0].variables if combinations else ())
            self._offer()
            if not known:
                self._propose()
        self._show_report()
        self._show_found()

    def recipe_changed(self, changes: Any) -> None:
        """Measures and scenarios may stand in it, or no longer."""
        self._show_scenarios()
        self._show_report()
        self._judge()

    def is_stale(self) -> bool:
        """Figures are those that were asked for, until the session is another one."""
        return False

    def show_for(self, measure: str = "", variables: tuple[str, ...] = (), **_: Any) -> None:
        """Choose a measure by its name; with `variables`, run it on these."""
        self.list.choose(measure)
        if variables:
            self._tick(variables)
            self._run()

    # Which measure, and of what ----------------------------------------------------------------------------------

    @property
    def entry(self) -> Measure:
        """The measure as it would stand in the recipe."""
        assert self._declaration is not None, "one is chosen from the beginning"
        said = self.form.values
        if not self._declaration.has_variables or self._declaration.says_keys(dict(said)):
            return Measure(self._declaration.name, (), said)
        if self._scenario:
            return Measure(self._declaration.name, (), tuple(sorted((*said, (SCENARIO.name, self._scenario)))))
        return Measure(self._declaration.name, self.keys.ticked, said)

    def _choose(self, name: str) -> None:
        if self._declaration is not None:
            self._said[self._declaration.name] = self.entry
        declaration = REGISTRY[name].DECLARATION
        self._declaration = declaration
        self.clear_error()
        self.heading.setText(translate(declaration.title))
        for part in (self.keys, self.whose):
            part.setVisible(declaration.has_variables)
        self.form.show_for(declaration)
        self._offer()
        if name in self._said:
            self.form.show_values(self._said[name])
        else:
            self._propose()
        guide = declaration.guide
        self.when.setVisible(guide is not None)
        self.when.setChecked(False)
        if guide is not None:
            self.assumes.setText(assumptions(guide))
        self._show_found()
        self._form_changed()

    def _offer(self) -> None:
        """What the fields of the form choose from."""
        derived, recipe = self.document.derived, self.document.recipe
        if self._declaration is not None:
            in_parts = reason_in_parts(self.document, translate(self._declaration.title))
            refuse(self.run, "" if self._declaration.name in OF_CELLS else in_parts)
        if derived is not None:
            self.form.offer(offered_variables(derived.metadata), self.keys.ticked, recipe.scenarios)

    def _propose(self) -> None:
        """What follows from the file stands in the form of a measure that nobody has filled in."""
        if self.document.derived is not None:
            from core.whatif.laboratory import proposed_parameters

            self.form.propose(proposed_parameters(self.document.derived))

    def _form_changed(self) -> None:
        assert self._declaration is not None, "one is chosen from the beginning"
        elsewhere = self._declaration.has_variables and self._declaration.says_keys(dict(self.form.values))
        told = translate("Taken on what is said below, not on what is ticked here.")
        self.about_keys.setText(told if elsewhere else "")
        self.about_keys.setVisible(elsewhere)
        self._show_added()

    def _keys_changed(self) -> None:
        """What the user ticks is no scenario any more."""
        self._scenario = ""
        self._show_scenarios()

    def _take_scenario(self, name: str) -> None:
        """Take the measure on the variables of a scenario; empty: on those that are ticked."""
        self._scenario = name
        self._show_scenarios()

    def _show_scenarios(self) -> None:
        """Those of the recipe, and the variables of the one that is taken."""
        scenarios = {scenario.name: scenario for scenario in self.document.recipe.scenarios}
        if self._scenario not in scenarios:
            self._scenario = ""
        self.scenario.blockSignals(True)
        self.scenario.clear()
        self.scenario.addItem(translate("as ticked above"), "")
        for name in scenarios:
            self.scenario.addItem(translate("scenario: {name}").format(name=name), name)
        self.scenario.setCurrentIndex(max(self.scenario.findData(self._scenario), 0))
        self.scenario.blockSignals(False)
        self.scenario.setVisible(bool(scenarios))
        if self._scenario:
            self.keys.tick(scenarios[self._scenario].variables)
        self._offer()
        self._form_changed()

    def _edit_scenarios(self) -> None:
        derived = self.document.derived
        if derived is None:
            self.messages.show_text(translate("The file is not read yet."))
            return
        dialog = ScenariosDialog(
            self.document.recipe.scenarios, offered_variables(derived.metadata), self.keys.ticked, self
        )
        dialog.made.connect(self._commit_scenarios)
        dialog.open()

    def _commit_scenarios(self, scenarios: tuple[Scenario, ...], renamed: dict[str, str]) -> None:
        recipe = with_scenarios(self.document.recipe, scenarios, renamed)
        if self._scenario in renamed:
            self._scenario = renamed[self._scenario]
        if recipe != self.document.recipe:
            self.document.commit(lambda: translate("Scenarios"), recipe)

    def _fill_menu(self) -> None:
        self.menu.clear()
        for combination in self.document.recipe.combinations:
            names = combination.variables
            self.menu.addAction(" × ".join(names).replace("&", "&&"), partial(self._tick, names))
        if self.document.recipe.scenarios:
            self.menu.addSection(translate("Scenarios"))
        for scenario in self.document.recipe.scenarios:
            text = f"{scenario.name}: {' × '.join(scenario.variables)}"
            self.menu.addAction(text.replace("&", "&&"), partial(self._take_scenario, scenario.name))
        if self.menu.isEmpty():
            self.menu.addAction(translate("No combination is chosen yet")).setEnabled(False)

    def _tick(self, names: tuple[str, ...]) -> None:
        self.keys.tick(names)
        self._keys_changed()

    def _open_guide(self) -> None:
        assert self._declaration is not None, "one is chosen from the beginning"
        self.open_window("help", page="measures", heading=self._declaration.title)

    # Running it --------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self._measure(protects=False)

    def _measure(self, protects: bool, patience: float = PATIENCE) -> None:
        """Take the measure; `protects`: after protection, too, whatever has to be found for that."""
        self.run.setFocus()  # what is being typed counts
        entry = self._complete()
        if entry is None:
            return
        self.clear_error()
        recipe = self.document.recipe

        def done(tried: TriedMeasure) -> None:
            self._end()
            self._found[entry.kind] = entry, tried, basis(recipe, entry)
            self._show_found()

        def failed(error: PavoError) -> None:
            self._end()
            offers = [(translate("Run all the same"), partial(self._measure, protects, math.inf))]
            self.messages.show_error(in_words(error), offers if error.id == TAKES_LONG else ())

        def cancelled() -> None:
            self._end()
            self.messages.show_text(translate("The measure was stopped."), [(translate("Run again"), self._run)])

        self.work.begin(translate("Measuring…"))
        self.work.stop.show()
        self.document.ask(
            _SLOT, engine.tried_measure, recipe, entry, protects, patience,
            done=done, failed=failed, cancelled=cancelled,
        )  # fmt: skip

    def _end(self) -> None:
        self.work.end()
        self.work.stop.hide()

    def _complete(self) -> Measure | None:
        """The entry; None where something is lacking or contradicts itself, which is said."""
        assert self._declaration is not None, "one is chosen from the beginning"
        entry, refused, lacking = self.entry, self.form.refused, self.form.lacking
        if self.document.derived is None:
            self.messages.show_text(translate("The file is not read yet."))
        elif refused is None and not self._declaration.is_complete(entry) and lacking is None:
            self.messages.show_text(translate("Tick at least one key variable: something that somebody could know."))
            self.keys.view.setFocus(Qt.FocusReason.OtherFocusReason)
        elif refused is not None:
            told = translate("“{name}” cannot be taken as it is typed.")
            self.messages.show_text(told.format(name=parameter_title(refused.parameter.name)))
        elif lacking is not None:
            told = translate("“{name}” has to be chosen first.")
            self.messages.show_text(told.format(name=parameter_title(lacking.parameter.name)))
        else:
            try:
                check_entry("measures", 1, entry)
            except PavoError as error:
                self.show_error(in_words(error))
                return None
            return entry
        return None

    @property
    def _shown_entry(self) -> Measure:
        assert self._declaration is not None, "one is chosen from the beginning"
        return self._found[self._declaration.name][0]

    def _show_found(self) -> None:
        """What the chosen measure found last, or what will be here."""
        assert self._declaration is not None, "one is chosen from the beginning"
        found = self._found.get(self._declaration.name)
        if found is None:
            text = translate("Tick what somebody could know about a person, and run the measure.")
            self.result.show_empty(text, translate("Run"), self._run)
            self._judge()
            return
        entry, tried, made_of = found
        state = translate("after recoding") if made_of.recodes else translate("original file")
        self.result.show_result(self._declaration, entry, tried, state)
        reason = reason_against("makeProtectedFile", self.document)
        self.result.preview.setEnabled(not reason)
        self.result.preview.setToolTip(as_tip(reason))
        self._judge()

    def _judge(self) -> None:
        """Figures of another session are grey, and said to be."""
        found = self._found.get(self._declaration.name) if self._declaration is not None else None
        outdated = found is not None and found[2] != basis(self.document.recipe, found[0])
        self.result.set_outdated(outdated)
        outdated_text = translate("The session has changed since these figures were taken.")
        if outdated:
            self.messages.show_text(outdated_text, [(translate("Run again"), self._run)])
        elif self.messages.text == outdated_text:
            self.clear_error()

    def _answer(self, question: Question) -> None:
        """Run the measure that answers a question."""
        derived = self.document.derived
        if derived is None:
            self.messages.show_text(translate("The file is not read yet."))
            return
        self.list.choose(question.kind)
        self.form.show_values(Measure(question.kind, (), question.parameters))
        names = tuple(each.name for each in offered_variables(derived.metadata))
        if question.of == "all" and len(names) <= _MOST_AT_ONCE:
            self._tick(names)
        self._run()

    def _open_sets(self) -> None:
        assert self._declaration is not None, "one is chosen from the beginning"
        entry, tried, made_of = self._found[self._declaration.name]
        self.open_window("keySets", measure=entry, tried=tried, made_of=made_of)

    # The report --------------------------------------------------------------------------------------------------

    def _show_report(self) -> None:
        self.in_report.show_measures(self.document.recipe.measures)
        self._show_added()

    def _show_added(self) -> None:
        is_added = self.entry in self.document.recipe.measures
        self.add.setEnabled(not is_added)
        self.add.setText(translate("In the report") if is_added else translate("&Add to report"))

    def _add(self) -> None:
        self.add.setFocus()  # what is being typed counts
        entry, derived = self._complete(), self.document.derived
        if entry is None or derived is None:
            return
        from core.whatif.laboratory import uncoded_variables

        uncoded = uncoded_variables(self.document.recipe, derived.metadata, entry)
        if uncoded:
            told = translate("{names}: not categorical. A measure in the report needs that; here it can be tried.")
            offer = (translate("Specify Metadata"), lambda: self.open_window("specifyMetadata"))
            self.messages.show_text(told.format(names=", ".join(uncoded)), [offer])
            return
        self.clear_error()
        declaration, recipe = self._declaration, self.document.recipe
        self.document.commit(
            lambda: translate("Measure in the report: {name}").format(name=measure_name(declaration, entry)),
            recipe.with_(measures=(*recipe.measures, entry)),
        )

    def _remove(self, place: int) -> None:
        recipe = self.document.recipe
        entry = recipe.measures[place]
        declaration = REGISTRY.declaration(entry.kind)
        left = tuple(each for i, each in enumerate(recipe.measures) if i != place)
        self.document.commit(
            lambda: translate("Measure out of the report: {name}").format(name=measure_name(declaration, entry)),
            recipe.with_(measures=left),
        )

    def _show_entry(self, place: int) -> None:
        """Show an entry of the recipe in the form."""
        entry = self.document.recipe.measures[place]
        if REGISTRY.declaration(entry.kind) is None:
            return
        self.list.choose(entry.kind)
        if entry.variables:
            self.keys.tick(entry.variables)
        self.form.show_values(entry)
        self._take_scenario(dict(entry.parameters).get(SCENARIO.name, ""))

    def end(self) -> None:
        super().end()
        self.document.tasks.drop(_SLOT)
