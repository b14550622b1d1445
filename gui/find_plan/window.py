"""Find a Plan: the codings of the keys that no other beats in loss and risk, searched for while one looks on."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.progress import Enough
from core.base.texts import mark, translate
from core.recipe.edits import effective_threshold
from core.recipe.model import Recipe
from gui import numbers
from gui.document.document import Document
from gui.document.engine import found_plans, plan_hierarchies, plan_opinion, profile_goals
from gui.find_plan.aim_fields import AimFields
from gui.find_plan.levels_tree import LevelsTree, level_told
from gui.find_plan.plan_map import NOW, PlanMap, PlanPoint
from gui.shared.choice import ChoiceBox
from gui.shared.labels import ElidedLabel
from gui.shared.parts.buttons import allow
from gui.shared.parts.panes import BELOW, BESIDE, pane, panes
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.tool_window import ToolWindow
from gui.shared.work_row import WorkRow
from gui.theme import muted
from gui.theme.tokens import GAP

if TYPE_CHECKING:
    from core.profiles.goals import Goal
    from core.whatif.plans.hierarchies import Hierarchy
    from core.whatif.plans.opinions import PlanEstimate
    from core.whatif.plans.plan_figures import RecodingPlan
    from core.whatif.plans.search import ParetoFront

_SEARCH, _LEVELS, _GOALS, _OPINIONS = "find plan", "plan levels", "plan goals", "plan opinions"
_LOOK_MS = 200


class _Heard:
    """The front as the compute thread tells it; looked at by the window."""

    def __init__(self) -> None:
        self.front: ParetoFront | None = None

    def __call__(self, front: ParetoFront) -> None:
        self.front = front


class FindPlan(ToolWindow):
    """`planCombination`, `planAim`, `planLevels`, `planMap`, `planFront`, `planCompare`, `planUse`, `planSearch`."""

    name = "findPlan"
    title = mark("Find a Plan")
    first = "planAim"
    default_size = (1100, 620)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(460, 320)
        self._front: ParetoFront | None = None
        self._front_for: Recipe | None = None
        self._aimed: Recipe | None = None
        self._index: int | None = 0
        self._searched: tuple[Hierarchy, ...] = ()
        self._goals: tuple[Goal, ...] = ()
        self._said = ""
        self._opinions: dict[tuple[int, ...], PlanEstimate | None] = {}
        self._heard, self._enough = _Heard(), Enough()
        self._look = QTimer(self, interval=_LOOK_MS)
        self._make_controls()
        self._lay_out()
        self._connect()
        self._say_what_comes()
        self._say_legend(estimated=False)
        self._offer_combinations()
        self._ask_goals()
        self._ask_levels()

    # Building ----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.combination = ChoiceBox(objectName="planCombination")
        self.combination.setAccessibleName(translate("Combination"))
        self.combination.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combination.setMinimumContentsLength(16)
        self.aims = AimFields()
        self.levels = LevelsTree()
        self.number = QLabel(objectName="planNumber", wordWrap=True)
        muted(self.number)
        self.map = PlanMap(self.show_error)
        self.map.setMinimumSize(260, 180)
        self.legend = ElidedLabel("", "planLegend")
        muted(self.legend)
        self.table = DataTable("planFront", translate("Plans that no other beats"))
        self.summary = QLabel(objectName="planSummary", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.work = WorkRow(self.document, "planWork")
        self.work.stop.setToolTip(translate("End the search; what it has found stays."))
        self.compare = QPushButton(translate("Show in &Compare"), objectName="planCompare")
        self.use = QPushButton(translate("&Use This Plan"), objectName="planUse")
        self.search = QPushButton(translate("&Search"), objectName="planSearch")
        self.search.setDefault(True)

    def _lay_out(self) -> None:
        left, right = QWidget(), QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (self.combination, self.aims):
            column.addWidget(widget)
        column.addWidget(self.levels, 1)
        column.addWidget(self.number)
        pictures = QVBoxLayout(right)
        pictures.setContentsMargins(0, 0, 0, 0)
        pictures.addWidget(panes(BELOW, (pane(None, self.map, self.legend), self.table), (340, 260)), 1)
        bottom = QHBoxLayout()
        bottom.addWidget(self.summary, 1)
        bottom.addWidget(self.work, 1)
        for button in (self.work.stop, self.compare, self.use, self.search):
            bottom.addWidget(button)
        self.content.addWidget(panes(BESIDE, (left, right), (384, 656), GAP), 1)
        self.content.addLayout(bottom)

    def _connect(self) -> None:
        self.combination.activated.connect(lambda _index: self._combination_chosen())
        self.aims.changed.connect(self._allow)
        self.levels.chosen_changed.connect(self._count)
        self.map.chosen.connect(self.table.select)
        self.table.current_changed.connect(lambda _key: self._selected())
        self.table.activated.connect(lambda _key: self._show_in_compare())
        self.search.clicked.connect(self._search)
        self.compare.clicked.connect(self._show_in_compare)
        self.use.clicked.connect(self._use)
        self.work.stopped.connect(self._stop)
        self._look.timeout.connect(self._grow)
        self.closed.connect(lambda _name: self._drop())
        self.greyed(self.table, self.map, self.summary)
        self.greyed(self.levels, self.number, when=super().is_stale)

    # What the document says --------------------------------------------------------------------------------------

    def recipe_changed(self, changes: Any) -> None:
        """Another file or other keys have other plans."""
        if changes.input:
            self._forget()
        if changes.profile:
            self._ask_goals()
        self._allow()

    def results_changed(self) -> None:
        """Levels follow the codes of the session."""
        if self._front is None and not self.work.running:
            self._say_what_comes()
        if not self.document.stale:
            self._offer_combinations()
            self._ask_levels()
        self._allow()

    def is_stale(self) -> bool:
        """Plans were searched for one recipe."""
        return super().is_stale() or (self._front_for is not None and self._front_for != self.document.recipe)

    def is_updating(self) -> bool:
        """They are searched for again where the user asks for it."""
        return False

    def _offer_combinations(self) -> None:
        """All combinations together first, where there are several; what was chosen stays."""
        before = self.combination.currentText()
        names = [" × ".join(each.variables) for each in self.document.recipe.combinations]
        self.combination.clear()
        if len(names) > 1:
            self.combination.addItem(translate("All combinations together"), None)
        for place, name in enumerate(names):
            self.combination.addItem(name, place)
        self.combination.setCurrentIndex(max(0, self.combination.findText(before)))
        self.combination.setVisible(len(names) > 1)

    @property
    def _place(self) -> int | None:
        """The place of the chosen combination; None: all of them."""
        chosen: int | None = self.combination.currentData()
        return chosen

    def _combination_chosen(self) -> None:
        self._forget()
        self._offer_goals()
        self._ask_levels()

    def _ask_goals(self) -> None:
        """The goals of the session's release profile, if it names one."""

        def arrived(found: tuple[Goal, ...]) -> None:
            self._goals = found
            self._offer_goals()

        file = self.document.recipe.profile.file
        if file is None:
            arrived(())
        else:
            self.document.compute(_GOALS, profile_goals, file, done=arrived, failed=self.show_error)

    def _offer_goals(self) -> None:
        """Those that the chosen combinations can have."""
        from core.whatif.plans.aims import fits

        recipe = self.document.recipe
        if recipe.combinations:
            self.aims.offer([goal for goal in self._goals if fits(goal, recipe, self._place)], judged=True)

    def _ask_levels(self) -> None:
        if self.document.derived is None or not self.document.recipe.combinations:
            return
        recipe, index = self.document.recipe, self._place
        done = self.levels.set_hierarchies
        self.document.ask(_LEVELS, plan_hierarchies, recipe, index, done=done, failed=self.show_error)

    def _count(self) -> None:
        plans = self.levels.plans
        told = translate("{n} plans in all. Click a level away, and no plan has it.")
        self.number.setText(told.format(n=numbers.format_count(plans)) if self.levels.chosen else "")
        self._allow()

    # The search --------------------------------------------------------------------------------------------------

    def _asked(self) -> Recipe:
        """The session with the chosen goal."""
        from core.whatif.plans.aims import aimed

        recipe, goal = self.document.recipe, self.aims.goal
        return recipe if goal is None else aimed(recipe, self._place, goal)

    def _reason(self) -> str:
        """Why no plan can be searched for now; empty where one can, or there is nothing to search in yet."""
        from core.whatif.plans.aims import MOST_PLANS, check_judged

        if self.document.derived is None or not self.document.recipe.combinations:
            return ""
        try:
            check_judged(self._asked(), self._place)
        except PavoError as error:
            return str(error)
        if self.levels.plans > MOST_PLANS:
            told = translate("The chosen levels make {n} plans, and at most {most} are searched: click levels away.")
            return told.format(n=numbers.format_count(self.levels.plans), most=numbers.format_count(MOST_PLANS))
        return ""

    def _search(self) -> None:
        if not self.search.isEnabled():
            return
        self.clear_error()
        self._forget()
        recipe, self._aimed = self.document.recipe, self._asked()
        self._index, self._searched = self._place, self.levels.chosen
        self._heard, self._enough = _Heard(), Enough()
        self.work.begin(translate("Counting plans"))
        seconds = self.aims.seconds.value or 1.0
        self.document.ask(
            _SEARCH, found_plans, self._aimed, self._index, self._searched, seconds, self.aims.most_suppressions,
            self._heard, self._enough, done=lambda front: self._done(front, recipe), failed=self._failed,
            cancelled=self._cancelled,
        )  # fmt: skip
        self._front_for = recipe
        self._look.start()
        self._allow()

    def _grow(self) -> None:
        """Show what was found since the last look."""
        front = self._heard.front
        if front is not None and front is not self._front:
            self._show(front)

    def _done(self, front: ParetoFront, recipe: Recipe) -> None:
        self._end()
        self._front_for = recipe
        self._show(front)
        if front.best is not None and self.table.current_key is None:
            self.table.select(self._number_of(front.best))
        self._ask_opinions(front)
        self._grey()
        self._allow()

    def _ask_opinions(self, front: ParetoFront) -> None:
        """The second opinion on the plans of the front, one after the other, so that other work comes between them."""
        waiting = [plan for plan in self._listed(front) if plan.levels not in self._opinions]
        recipe = self._recipe_of(waiting[0]) if waiting and not math.isnan(waiting[0].rate) else None
        if recipe is None:
            return

        def arrived(found: PlanEstimate | None) -> None:
            if self._front is front:
                self._opinions[waiting[0].levels] = found
                if len(waiting) == 1:
                    self._show(front)
                self._ask_opinions(front)

        self.document.ask(_OPINIONS, plan_opinion, recipe, done=arrived, failed=lambda _error: arrived(None))

    def _failed(self, error: PavoError) -> None:
        self._end()
        self._front_for = None
        self.show_error(error)
        self._allow()

    def _cancelled(self) -> None:
        self._end()
        self.messages.show_text(translate("The search was stopped."), [(translate("Search again"), self._search)])
        self._allow()

    def _stop(self) -> None:
        self._enough.said = True
        self.work.stop.setEnabled(False)

    def _end(self) -> None:
        self._look.stop()
        self.work.end()

    def _drop(self) -> None:
        self._look.stop()
        for slot in (_SEARCH, _LEVELS, _GOALS, _OPINIONS):
            self.document.tasks.drop(slot)

    def _forget(self) -> None:
        for slot in (_SEARCH, _OPINIONS):
            self.document.tasks.drop(slot)
        self._opinions = {}
        self._end()
        self._front = self._front_for = self._aimed = None
        self.summary.clear()
        self.map.set_points((), "")
        self._say_what_comes()
        self._allow()

    # Showing -----------------------------------------------------------------------------------------------------

    def _say_what_comes(self) -> None:
        text = translate("Plans will be here that no other beats: codings of the keys, what they and the suppression "
                         "that is still needed lose, and the risk that stays.")  # fmt: skip
        if self.document.recipe.combinations:
            self.table.show_empty(text, translate("Search"), self.search.click)
            return
        no_keys = translate("Plans will be here once combinations of key variables are chosen.")
        self.table.show_empty(
            no_keys, translate("Select Combinations…"), lambda: self.open_window("selectCombinations")
        )

    def _number_of(self, plan: RecodingPlan | None) -> int:
        """The number of a plan in the table; -1 where it has none."""
        if plan is None or self._front is None:
            return -1
        return next((i for i, each in enumerate(self._listed(self._front), 1) if each.levels == plan.levels), -1)

    def _listed(self, front: ParetoFront) -> list[RecodingPlan]:
        """The front, and the plan that was asked for where a plan of equal figures stands for it there."""
        plans = list(front.plans)
        if front.best is not None and all(each.levels != front.best.levels for each in plans):
            plans.append(front.best)
        return sorted(plans, key=lambda each: (each.loss, each.levels))

    def _show(self, front: ParetoFront) -> None:
        self._front = front
        plans, records = self._listed(front), self._records()
        if not plans:
            self._say_what_comes()
        else:
            self.table.set_columns(self._columns(plans, front))
        by_risk = any(not math.isnan(each.rate) for each in plans)
        title = (
            translate("rate after suppression (%)") if by_risk else translate("unsafe records before suppression (%)")
        )
        drawn = [*enumerate(plans, 1), *([(NOW, front.now)] if front.now is not None else [])]
        points = [
            PlanPoint(
                i, front.share(each.loss), each.rate if by_risk else each.unsafe / records, each.suppressions,
                not each.exact,
            )
            for i, each in drawn
        ]  # fmt: skip
        self.map.set_points(points, title, self._number_of(front.best))
        self._say_legend(any(each.estimated for each in points))
        self.summary.setText(self._told(front))

    def _say_legend(self, estimated: bool) -> None:
        self.legend.setText(
            translate("Down and to the left is better. ◆ best for the goal · ▲ the session now · ○ with suppression · "
                      "dotted: estimated")
            if estimated
            else translate("Down and to the left is better. ◆ best for the goal · ▲ the session now · "
                           "○ with suppression")
        )  # fmt: skip

    def _records(self) -> int:
        derived = self.document.derived
        return max(1, derived.records if derived is not None else 1)

    def _columns(self, plans: list[RecodingPlan], front: ParetoFront) -> list[Column]:
        marks = ["" if each.exact else translate("Estimated: what the session really suppresses was not counted")
                 for each in plans]  # fmt: skip
        tips = marks if any(marks) else ()

        def about(of: Callable[[RecodingPlan], float], text: Callable[[Any], str]) -> Callable[[Any], str]:
            """The text of a figure, with a sign where it is that of an estimated plan."""
            estimated = {of(each) for each in plans if not each.exact} - {of(each) for each in plans if each.exact}
            return lambda value: f"≈ {text(value)}" if value in estimated else text(value)

        def lost(plan: RecodingPlan) -> float:
            return front.share(plan.loss)

        found = [
            Column(translate("No."), list(range(1, len(plans) + 1)), number=True),
            Column(translate("Lost"), [lost(each) for each in plans], about(lost, _percent), number=True, tips=tips,
                   tooltip=translate("Share of the detail of the keys that codings and suppressions take")),
            Column(translate("Suppressions"), [each.suppressions for each in plans],
                   about(lambda each: each.suppressions, numbers.format_count), number=True, tips=tips,
                   tooltip=translate("≈: estimated by records that are each judged by the original file. The session "
                                     "suppresses more, by k-anonymity often several times as many; plans without the "
                                     "sign were counted in full")),
            Column(translate("Unsafe"), [each.unsafe for each in plans], numbers.format_count, number=True,
                   tooltip=translate("Records that are unsafe before suppression")),
        ]  # fmt: skip
        if any(not math.isnan(each.rate) for each in plans):
            rates = [each.rate for each in plans]
            found.insert(2, Column(translate("Rate"), rates, about(lambda each: each.rate, numbers.format_percent),
                                   number=True, tips=tips,
                                   tooltip=translate("Re-identification rate after suppression")))  # fmt: skip
        opinions = [self._opinions.get(each.levels) for each in plans]
        if any(each is not None for each in opinions):
            low = {each.ratio for each in opinions if each is not None and each.verdict == "too low"}
            found.append(
                Column(translate("Second opinion"), [math.nan if each is None else each.ratio for each in opinions],
                       _times, number=True, tips=[_opinion_told(each) for each in opinions], emphasis=low.__contains__,
                       tooltip=translate("Re-identifications that are expected before suppression by a model of the "
                                         "whole table, as a multiple of those by the individual risk; coloured where "
                                         "the individual risk is too low"))
            )  # fmt: skip
        for key, hierarchy in enumerate(self._searched):
            told = [level_told(hierarchy.variable, level) for level in hierarchy.levels]
            found.append(Column(hierarchy.variable, [told[each.levels[key]] for each in plans]))
        return found

    def _told(self, front: ParetoFront) -> str:
        counted, total = (numbers.format_count(n) for n in (front.counted, front.total))
        estimates = front.finals or not front.is_counted
        said = (
            translate("{counted} of {total} plans estimated, {finals} counted in full.")
            if estimates
            else translate("{counted} of {total} plans counted.")
        )
        parts = [said.format(counted=counted, total=total, finals=numbers.format_count(front.finals))]
        if self._judges_nobody():
            parts.append(
                translate("No threshold is chosen yet, so that nobody counts as unsafe and nothing is asked of a plan: "
                          "choose one in the Risk Chart, or another goal.")
            )  # fmt: skip
        elif front.best is not None:
            lost = numbers.format_percent(front.share(front.best.loss), 1)
            if not front.best.exact:
                said = translate("Plan {n} loses least by the estimate, {lost}: it may well be more (≈).")
            elif front.is_best_proven:
                said = translate("Plan {n} loses {lost}, and none that does what was asked loses less.")
            else:
                said = translate("Plan {n} loses {lost}, the least so far.")
            parts.append(said.format(n=self._number_of(front.best), lost=lost))
        else:
            parts.append(translate("No plan so far does what was asked."))
        if not front.is_complete:
            bound = numbers.format_percent(front.share(front.bound), 1)
            parts.append(translate("Those not counted lose at least {bound}.").format(bound=bound))
        return " ".join(parts)

    def _judges_nobody(self) -> bool:
        """Whether the plans were aimed at a threshold that the session does not have yet."""
        from core.whatif.plans.aims import places

        aimed = self._aimed
        if aimed is None:
            return False
        judged = [aimed.combinations[place] for place in places(aimed, self._index)]
        return all(each.has_risk and not effective_threshold(aimed, each) for each in judged)

    def _selected(self) -> None:
        self.map.select(self.table.current_key or -1)
        self._allow()

    def _allow(self) -> None:
        running = self.work.running
        ready = self.document.derived is not None and bool(self.levels.chosen) and not self.document.stale
        refused = any(box.is_refused for box in (self.aims.limit, self.aims.most, self.aims.seconds))
        reason = "" if running else self._reason()
        mend = translate("Mend what is refused beside its box first.") if refused else ""
        wait = "" if ready and not running else translate("Computing…")
        if not self.document.recipe.combinations:
            wait = translate("Choose at least one combination of key variables first.")
        allow(self.search, reason or mend or wait)
        if reason != self._said:
            self._said = reason
            self.summary.setText(reason or (self._told(self._front) if self._front is not None else ""))
        why = wait if running else ""
        if not why and self.is_stale():
            why = translate("The session changed since: search again.")
        if not why and self._plan() is None:
            why = translate("Search first, and choose a plan.")
        allow(self.compare, why)
        allow(self.use, why, translate("Code the keys as the plan does, as one step to undo"))
        self.work.setVisible(running)
        self.work.stop.setVisible(running)
        self.summary.setVisible(not running)

    # What is done with a plan ------------------------------------------------------------------------------------

    def _plan(self) -> RecodingPlan | None:
        """The plan in the current row."""
        key = self.table.current_key
        return None if self._front is None or key is None else self._listed(self._front)[key - 1]

    def _recipe(self) -> Recipe | None:
        """The session with the current plan."""
        plan = self._plan()
        return None if plan is None else self._recipe_of(plan)

    def _recipe_of(self, plan: RecodingPlan) -> Recipe | None:
        from core.whatif.plans.plan_figures import recipe_of

        return None if self._aimed is None else recipe_of(self._aimed, self._index, self._searched, plan)

    def _show_in_compare(self) -> None:
        recipe = self._recipe()
        if recipe is not None and self.compare.isEnabled():
            name = translate("Plan {n}").format(n=self.table.current_key)
            self.open_window("compare", alternative=name, recipe=recipe)

    def _use(self) -> None:
        recipe = self._recipe()
        if recipe is not None and self.use.isEnabled():
            number = self.table.current_key
            self.document.commit(lambda: translate("Use plan {n}").format(n=number), recipe)


def _percent(share: float) -> str:
    return numbers.format_percent(share, 1)


def _times(ratio: float) -> str:
    return "" if math.isnan(ratio) else f"× {numbers.format_number(ratio, 2)}"


def _opinion_told(opinion: PlanEstimate | None) -> str:
    """A second opinion in a sentence."""
    if opinion is None:
        return translate("There is no second opinion on this plan.")
    low, high = opinion.interval
    own, model, least, most = (numbers.format_number(n, 1) for n in (opinion.expected, opinion.by_model, low, high))
    told = translate("Before suppression {own} re-identifications are expected on {keys}; by a model that also uses "
                     "how these go together, {model} ({least} to {most}).")  # fmt: skip
    return told.format(own=own, model=model, least=least, most=most, keys=" × ".join(opinion.variables))
