"""The Risk Chart: risks of a table, and what a threshold on them means, live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget

from core.base.texts import mark, translate
from core.recipe.changes import Changes, changes
from core.recipe.edits import risk_combinations, with_exceedance
from core.recipe.model import Input, Mode
from core.risk.linked_numbers import LinkedNumbers
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.risk_chart.before_recode import BeforeRecode
from gui.risk_chart.draft import ThresholdDraft
from gui.risk_chart.forecast import ForecastCurve
from gui.risk_chart.linked_numbers import Linked
from gui.risk_chart.page import RiskChartPage
from gui.risk_chart.point_forecast import PointForecast
from gui.risk_chart.promise import BY_PROMISE, BY_RISK, CHANCE
from gui.risk_chart.risk_kind import WhichRisk
from gui.risk_chart.second_opinion import AskedOpinion
from gui.settings import DECIMALS, settings
from gui.shared.advice import AdviceOnCard, AskedAdvice
from gui.shared.burden import filled_values
from gui.shared.empty_state import EmptyState
from gui.shared.protection_mode import is_searched, nobody_chose, protection_mode

if TYPE_CHECKING:
    from core.results.second_opinions import TableEstimate
    from core.risk.distribution import RiskDistribution
    from core.session import Results, RiskTable
    from core.suppression.forecast import Forecast


class RiskChart(WhichRisk):
    """Histogram, slider, linked numbers, forecast and riskiest combinations of one risk table at a time.

    A chart of another risk of the same tables says what differs, as `WhichRisk` does.
    """

    name = "riskChart"
    first = "riskThreshold"
    title = mark("Risk Chart")
    nothing_yet = mark("How easily each person could be found will be shown here. No combination of key variables is "
                       "judged by individual risk yet.")  # fmt: skip
    default_size = (1080, 720)

    def __init__(self, document: Document) -> None:
        self._index = -1
        self._table: RiskTable | None = None
        self._staircase: RiskDistribution | None = None
        self._of: Results | None = None
        self._proposed: tuple[tuple[Input, int], set[str], float] | None = None
        self._forecast: Forecast | None = None
        self._lacks_forecast = False
        self._is_guidance_old = False
        self._mode: Mode | None = None
        """In which the file will be protected; None where nothing is forecast."""
        super().__init__(document)
        self.setMinimumHeight(360)  # as wide as its figures are
        self.page = self.make_page()
        for step in (*self.page.steps, self._place, self._begin):
            self.later(step)

    def _place(self) -> None:
        self.empty = EmptyState(self.name)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.page)
        self.pages.addWidget(self.empty)
        self.content.addWidget(self.pages)

    def _begin(self) -> None:
        """What works behind the page, and the figures."""
        document = self.document
        self.before = BeforeRecode(document, self, self.by)
        slot = f"{self.name} second opinion"
        self.opinion = AskedOpinion(document, slot, self.page.opinion, self)
        self.point = PointForecast(document, f"{self.name} point", self._is_moving, self)
        self.point.arrived.connect(self._point_arrived)
        self.point.failed.connect(lambda error: self._no_point(str(error)))
        self.draft = self.make_draft()
        self.advice = AskedAdvice(document, f"{self.name} advice", self)
        self.guide = AdviceOnCard(
            self.page.guidance,
            self.advice,
            lambda: self.open_window("makeProtectedFile"),
            lambda name: self.open_window("globalRecode", variable=name),
            own_headline=self.by == "household",
            warns=True,
        )
        self._connect()
        self.curve = ForecastCurve(self.page.forecast_chart, self.subject, self.show_error, self.by == "household")
        self._set_decimals(settings.get(DECIMALS))
        settings.told.changed.connect(self._follow_setting)
        self.results_changed()

    def _connect(self) -> None:
        page = self.page
        page.tables.currentChanged.connect(self._tab_chosen)
        page.show_before.toggled.connect(self._show_before)
        self.before.arrived.connect(self._show_before)
        self.advice.known.connect(self._guide_anew)
        page.view.moved.connect(self._moved)
        page.view.stepped.connect(self._stepped)
        page.view.released.connect(self.draft.commit)
        page.view.refused.connect(self.show_error)
        page.threshold.chosen.connect(self._typed)
        page.file.decimals.currentTextChanged.connect(lambda text: self._set_decimals(int(text)))
        page.choose.clicked.connect(self._choose_for_me)
        page.sorted_risks.clicked.connect(self._show_sorted)
        page.opinion_sentence.judge.clicked.connect(self._judge_otherwise)
        page.promise.chosen.connect(self._judge_by_promise)
        self.opinion.known.connect(self._outline_opinion)
        page.riskiest.recode_wanted.connect(lambda variable: self.open_window("globalRecode", variable=variable))
        page.segments.chosen.connect(lambda _name: self._refresh_riskiest())
        self.draft.committed.connect(self.messages.clear)
        self.draft.refused.connect(self.messages.show_text)
        self.greyed(
            page.view.histogram,
            page.threshold,
            page.file,
            page.opinion,
            page.promise,
            page.forecast_panel,
            page.forecast_chart,
            page.riskiest,
        )
        self.greyed(page.guidance, when=lambda: self.is_stale() or self._is_guidance_old)

    def make_page(self) -> RiskChartPage:
        """What stands where."""
        return RiskChartPage(self.document, self.subject)

    # What the document says --------------------------------------------------------------------------------------

    @property
    def unfinished(self) -> ThresholdDraft:
        """The threshold under the hand."""
        return self.draft

    def recipe_changed(self, changes: Changes) -> None:
        """Ask what becomes of a threshold that is being chosen while somebody else changes what it is about."""
        if self.draft.committing:
            return
        if changes.input or changes.combinations:
            self.draft.forget()
            self.page.threshold.drop_typing()
            self.messages.clear()
        elif (self.draft.touched or self.page.threshold.has_typing) and (changes.tables or changes.threshold):
            self.draft.hold()
            self.ask_which(mark("The session changed while you were choosing a threshold."))

    def results_changed(self) -> None:
        """Show the results of the current recipe; a draft that was not touched follows it."""
        derived = self.document.derived
        if derived is None:
            self._show_nothing(translate("The risks of the key variables will be shown here."))
            return
        if self.document.stale:
            return
        indices = risk_combinations(derived.recipe)
        self._show_tabs(derived, indices)
        if not indices:
            self._show_nothing(
                translate(self.nothing_yet),
                translate("Select combinations…"),
            )
            return
        if self._index not in indices:
            self._index = indices[0]
        self._load(derived)

    def is_stale(self) -> bool:
        """A new threshold alone is no reason to grey: what it means is known at once."""
        derived = self.document.derived
        if not super().is_stale() or derived is None:
            return super().is_stale()
        difference = changes(derived.recipe, self.document.recipe)
        return difference.tables or difference.suppression or (difference.threshold and not self.draft.committing)

    def show_for(self, combination: int = -1, **_: Any) -> None:
        """Turn to one combination of the recipe."""
        derived = self.document.derived
        if derived is not None and combination in risk_combinations(derived.recipe):
            self.page.tables.setCurrentIndex(risk_combinations(derived.recipe).index(combination))

    def subject(self) -> str:
        """The key variables of the table shown."""
        return "" if self._table is None else " × ".join(self._table.combination.variables)

    def _show_tabs(self, derived: Results, indices: tuple[int, ...]) -> None:
        tabs = self.page.tables
        names = [" × ".join(derived.recipe.combinations[i].variables) for i in indices]
        tabs.blockSignals(True)
        while tabs.count() > len(names):
            tabs.removeTab(tabs.count() - 1)
        for position, name in enumerate(names):
            if position == tabs.count():
                tabs.addTab("")
            tabs.setTabText(position, name.replace("&", "&&"))
            tabs.setTabToolTip(position, name)
        if self._index in indices:
            tabs.setCurrentIndex(indices.index(self._index))
        tabs.blockSignals(False)
        tabs.setVisible(len(names) > 1)

    def _tab_chosen(self, position: int) -> None:
        derived = self.document.derived
        if derived is None or position < 0:
            return
        self.draft.commit()
        self.draft.forget()
        self.messages.clear()
        self.advice.forget()
        self._index = risk_combinations(derived.recipe)[position]
        self._load(derived)

    def _load(self, derived: Results) -> None:
        table = derived.tables[self._index]
        assert table is not None
        staircase = self.staircase_of(table)
        same = self._same_forecast(derived, table)
        self._of, self._table, self._staircase = derived, table, staircase
        self._set_title()
        if staircase is None or not staircase.n:
            self._show_nothing(self.nothing_because(staircase))
            return
        self.pages.setCurrentWidget(self.page)
        self.page.name_table(self.subject() if self.page.tables.count() == 1 else "")
        self.page.threshold.set_staircase(staircase)
        self.page.view.set_staircase(staircase)
        self.page.file.set_staircase(staircase)
        self.page.file.set_rate_observed(None if self.by == "household" else table.rate_observed)
        self._show_promise(table)
        self.draft.turn_to(self._index, staircase.max_risk)
        self._take_threshold(derived)
        if not same:
            self._ask_forecast(derived)
        self.before.ask(self._index)
        self.opinion.ask(derived, table)
        self.page.threshold.enter_waiting()

    def _take_threshold(self, derived: Results) -> None:
        """Follow the recipe's threshold, unless another one is under the hand."""
        assert self._table is not None
        assert self._staircase is not None
        staircase = self._staircase
        chosen = self.is_chosen(derived.recipe, self._index)
        self.page.unchosen.setVisible(not chosen)
        self.page.threshold.actual.setVisible(chosen)
        if self.draft.touched and self.draft.value is not None:
            threshold = self.draft.value.threshold
        elif chosen:
            threshold = self.threshold_of(self._table)
        else:
            threshold = self._unchosen(staircase)
        linked = self.link(staircase, threshold)
        self.draft.show(linked)
        self.page.threshold.follow(linked)
        if self.draft.held and not self.draft.touched and not self.page.threshold.has_typing:
            self.draft.forget()  # it was text that no box takes: nothing is left to be asked about
            self.messages.clear()
        self._show_elsewhere(linked)

    def _unchosen(self, staircase: RiskDistribution) -> float:
        """What is shown where no threshold is chosen: what was shown before, as long as the table only became coarser.

        So a recode does to the chart what was promised of it, and does not move what it is held against.
        """
        assert self._table is not None
        assert self._of is not None
        about, names = (self._of.recipe.input, self._index), set(self._table.combination.variables)
        if self._proposed is not None and self._proposed[0] == about and names <= self._proposed[1]:
            threshold = self._proposed[2]
        else:
            threshold = (staircase.min_risk * staircase.max_risk) ** 0.5
        self._proposed = about, names, threshold
        return threshold

    def load(self) -> None:
        """Show the threshold that the session has."""
        self.messages.clear()
        self.page.threshold.drop_typing()
        self.results_changed()

    def keep_mine(self) -> None:
        """Go on with the threshold under the hand: it is committed."""
        self.messages.clear()
        self.draft.keep_mine()

    def _show_nothing(self, text: str, button: str = "") -> None:
        self._table = self._of = self._forecast = self._staircase = None
        self.draft.forget()
        self.draft.begin(None)
        self._set_title()
        self.empty.say(text, button, lambda: self.open_window("selectCombinations"))
        self.pages.setCurrentWidget(self.empty)
        self.page.view.set_staircase(None)
        self.curve.show(None)
        self.point.forget()
        self.opinion.forget()
        self.advice.forget()
        self.page.riskiest.show_for(None, None, None)

    # Showing -----------------------------------------------------------------------------------------------------

    def _show(self, linked: Linked) -> None:
        """Everything that moves with the threshold."""
        self.page.threshold.show_linked(linked)
        self._show_elsewhere(linked)

    def _show_elsewhere(self, linked: Linked) -> None:
        self.page.view.show_linked(self.drawn(linked))
        self.page.file.set_threshold(linked.threshold)
        self.page.promise.show_threshold(linked.threshold)
        self._forecast_at(linked.threshold)
        self.curve.mark(linked.threshold)
        self._guide(linked)
        self._refresh_riskiest()

    def _guide(self, linked: Linked) -> None:
        """Say what comes next: the finding and what would help, once they are counted for this threshold."""
        assert self._staircase is not None
        unsafe, headline = self.unsafe_of(self._staircase, linked)
        if not unsafe:
            self.advice.forget()
            self.page.guidance.show_candidates(())
            self._grey_guidance(False)
            text = translate("Nothing is unsafe at this threshold.")
            self.page.guidance.show_guidance(
                text, translate("The file can be protected as it is."), needs_attention=False,
                other=(translate("Make Protected File…"), lambda: self.open_window("makeProtectedFile")),
            )  # fmt: skip
            return
        if self._of is not None and not self.is_chosen(self._of.recipe, self._index):
            headline = translate("At the threshold shown, not chosen yet: {finding}").format(finding=headline)
        is_true = self._ask_advice(linked)
        self._grey_guidance(not is_true and self.advice.advice is not None)
        if self.advice.advice is not None and (not is_true or self.guide.show(headline)):
            return  # what was said of another threshold stays until the new one is counted: nothing moves meanwhile
        self.page.guidance.show_candidates(())
        blanked = self._blanked_at(linked.threshold)
        sentence = translate("Coarser codes lower the risk; what stays unsafe is blanked.")
        if blanked is not None:
            sentence = translate("With coarser codes less is blanked than the {count} values of now.").format(
                count=numbers.format_count(blanked)
            )
        self.page.guidance.show_guidance(
            headline,
            sentence,
            (translate("Recode…"), lambda: self.open_window("globalRecode")),
            (translate("Make Protected File…"), lambda: self.open_window("makeProtectedFile")),
        )

    def _grey_guidance(self, is_old: bool) -> None:
        """Grey the guidance while what it says is of another threshold."""
        self._is_guidance_old = is_old
        self._grey()

    def _ask_advice(self, linked: Linked) -> bool:
        """Have advice for the threshold shown, once the hand let go of it; whether it is there."""
        if self._of is None or self._of.recipe is not self.document.recipe or self.draft.touched:
            return False
        chosen = self.is_chosen(self._of.recipe, self._index)
        self.advice.ask(self._index, None if chosen else linked.threshold, self.by)
        return self.advice.is_true

    def _guide_anew(self) -> None:
        """Advice came."""
        if self.draft.value is not None and self._staircase is not None:
            self._guide(self.draft.value)

    def _refresh_riskiest(self) -> None:
        if self.page.shows_riskiest and self.draft.value is not None:
            self.page.riskiest.show_for(self._of, self._table, self.draft.value.threshold)

    def _follow_setting(self, key: str) -> None:
        if key == DECIMALS.key:
            self._set_decimals(settings.get(DECIMALS))

    def _set_decimals(self, decimals: int) -> None:
        settings.set(DECIMALS, decimals)
        self.page.file.set_decimals(decimals)
        self.page.opinion.set_decimals(decimals)
        self.page.threshold.set_decimals(decimals)
        self.page.riskiest.set_decimals(decimals)

    # The threshold under the hand --------------------------------------------------------------------------------

    def _moved(self, risk: float, held: bool) -> None:
        if self._staircase is not None:
            self._take(self.link(self._staircase, risk), commit_soon=not held)

    def _stepped(self, steps: int) -> None:
        if self._staircase is None or self.draft.value is None:
            return
        threshold = self.draft.value.threshold
        for _ in range(abs(steps)):
            threshold = self._staircase.step(threshold, 1 if steps > 0 else -1)
        self._take(self.link(self._staircase, threshold), commit_soon=True)

    def _take(self, linked: Linked, commit_soon: bool) -> None:
        self.draft.touch(linked, commit_soon)
        self._show(linked)

    def _typed(self, linked: Linked) -> None:
        """A box took a number and shows it already."""
        self.draft.touch(linked)
        self._show_elsewhere(linked)
        self.page.riskiest.settle()
        self.draft.commit()
        if linked.threshold is None and not self.draft.touched and self._staircase is not None:
            # as the recipe has it; where it had it before, nothing changed that would show it again
            self.page.threshold.follow(self.link(self._staircase, 1.0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc drops a threshold that is not in the recipe yet; without one it closes the window."""
        if event.key() == Qt.Key.Key_Escape and self.draft.touched:
            self.reload()
            return
        super().keyPressEvent(event)

    def may_close(self) -> bool:
        """A draft is committed when the window closes: what it shows is what the session holds."""
        self.draft.commit()
        return True

    def _choose_for_me(self) -> None:
        from gui.risk_chart.choose_threshold_dialog import ChooseThreshold

        if self._staircase is not None:
            forecast = None if self._is_searched else self._forecast  # no figure of another mode
            dialog = ChooseThreshold(self._staircase, forecast, self, self.one_in())
            dialog.chosen.connect(self._chosen_for_me)
            dialog.open()

    def _chosen_for_me(self, linked: LinkedNumbers) -> None:
        if self._staircase is not None:
            self._take(self.link(self._staircase, linked.threshold), commit_soon=False)
            self.draft.commit()

    def _show_sorted(self) -> None:
        from gui.risk_chart.sorted_risks import SortedRisks

        if self._staircase is not None and self.draft.value is not None:
            SortedRisks(self._staircase, self.drawn(self.draft.value), self).open()

    def _judge_otherwise(self) -> None:
        """The table is judged by the other opinion from now on; a threshold under the hand is taken first."""
        if not self.document.stale:
            self.draft.commit()
            self.opinion.judge_otherwise()

    def _show_promise(self, table: RiskTable) -> None:
        """Whether the promise judges, and what the bars then are; households are not judged by it."""
        if self.by != "individual":
            return
        self.page.promise.show_table(table)
        names = RiskChartPage.captions
        if table.promise is not None:
            told = translate("risk reached with a chance of {chance} %, logarithmic")
            names = (told.format(chance=numbers.format_exact(100.0 * table.promise.exceedance)),) * 2
        self.page.name_risk(*names)

    def _judge_by_promise(self, wanted: bool) -> None:
        """The table is judged by the promise from now on, or by the expected risk, at the threshold shown."""
        table, linked = self._table, self.draft.value
        if table is None or linked is None or self.document.stale:
            self.page.promise.box.setChecked(not wanted)
            return
        self.draft.forget()
        recipe = with_exceedance(self.document.recipe, self._index, CHANCE if wanted else None, linked.threshold or 1.0)
        label = BY_PROMISE if wanted else BY_RISK
        self.document.commit(lambda: translate(label).format(combination=self.subject()), recipe)

    def _outline_opinion(self, found: TableEstimate | None) -> None:
        """Outline the other opinion in the chart; it is on the risks of records."""
        other = None if found is None or self.by != "individual" else found.staircase
        self.page.view.set_opinion(other)
        self.page.name_outline(None if other is None or found is None else found.opinion is not None)

    # Forecast and the state before -------------------------------------------------------------------------------

    def _same_forecast(self, derived: Results, table: RiskTable) -> bool:
        """Whether the forecast shown (or asked for) is that of these results too: only the threshold is another."""
        shown, before = self._of, self._table
        if (
            self._lacks_forecast
            or shown is None
            or before is None
            or before.cells is not table.cells
            or before.judged_risk is not table.judged_risk
            or self._mode != protection_mode(self.document, derived.recipe)
        ):
            return False
        if self.other_threshold_of(before) != self.other_threshold_of(table):
            return False
        difference = changes(shown.recipe, derived.recipe)
        return before.index == table.index and not (difference.tables or difference.suppression)

    @property
    def _is_searched(self) -> bool:
        """Whether the figures at a threshold take a search."""
        return self._of is not None and self._mode is not None and is_searched(self._of.recipe, self._mode)

    def _is_moving(self) -> bool:
        return self.page.view.slider.isSliderDown()

    def _ask_forecast(self, derived: Results) -> None:
        self._forecast, self._lacks_forecast, self._mode = None, False, None
        self.point.forget()
        asked, panel = derived.recipe.suppression, self.page.forecast_panel
        if asked.criterion == "none":
            self._no_forecast(translate("The criterion is “none”: nothing is suppressed."))
            return
        self._mode = mode = protection_mode(self.document, derived.recipe)
        panel.set_mode(mode, asked.close_gaps, nobody_chose(self.document, derived.recipe))
        panel.set_sizes(filled_values(derived), derived.records)
        panel.set_weights(asked.criterion == "weights")
        panel.set_forecast(None, translate("Computing…"))
        if self._is_searched:
            self.point.begin(derived.recipe, self._index, mode, self.by)
            if self.draft.value is not None:
                self._forecast_at(self.draft.value.threshold)
        self.document.ask(
            f"{self.name} forecast",
            engine.forecast,
            self.document.recipe,
            self._index,
            "original-counts",  # what is searched for has no curve
            self.by,
            done=self._forecast_arrived,
            failed=lambda error: self._no_forecast(str(error)),
        )

    def _forecast_arrived(self, forecast: Forecast) -> None:
        self._forecast = forecast
        if not self._is_searched:
            self.page.forecast_panel.set_forecast(forecast)
        self._say_other()
        self.curve.show(forecast, None if self._staircase is None else self._staircase.max_risk)
        if self.draft.value is not None:
            self._show_elsewhere(self.draft.value)

    def _forecast_at(self, threshold: float | None) -> None:
        """Show the forecast at a threshold: at once or, where it takes a search, the one before greyed until then."""
        if not self._is_searched:
            self.page.forecast_panel.set_threshold(threshold)
            return
        self.point.move_to(threshold)
        self.page.forecast_panel.show_point(self.point.point, self.point.is_true)

    def _point_arrived(self) -> None:
        self.page.forecast_panel.show_point(self.point.point, self.point.is_true)
        if self.draft.value is not None and self._staircase is not None:
            self._guide(self.draft.value)

    def _no_point(self, why: str) -> None:
        """The search failed at this threshold; at another one it may not."""
        self.page.forecast_panel.set_forecast(None, why)

    def _blanked_at(self, threshold: float | None) -> int | None:
        """Values that protection would suppress; None while that is not known."""
        if self._is_searched:
            return self.point.point.total if self.point.is_true and self.point.point is not None else None
        return None if self._forecast is None else self._forecast.at(threshold).total

    def _say_other(self) -> None:
        """That the threshold of the other kind is met, too, by what the forecast and the curve show."""
        other = None if self._table is None else self.other_threshold_of(self._table)
        text = "" if other is None else self.also_met().format(risk=numbers.format_exact(float(f"{other:.4g}")))
        self.page.forecast_panel.say_also(text)

    def _no_forecast(self, why: str) -> None:
        self._lacks_forecast = True
        if not self._is_searched:
            self.page.forecast_panel.set_forecast(None, why)
        self.curve.show(None)

    def _show_before(self) -> None:
        self.page.show_before_entry(self.before.exists)
        shown, table = self.page.show_before.isChecked(), self.before.table
        self.page.view.set_before(self.staircase_of(table) if shown and table is not None else None)
        self.curve.show_before(self.before.forecast if shown else None, self.before.recoded)
