"""Form of how values are chosen for suppression: criterion, weights, mode, and what the choices would cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, plural, translate
from core.recipe.available import MODES
from core.recipe.model import Criterion, Mode, Recipe, Suppression
from core.suppression.burden import burden
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.document.engine import Answer, Arguments, SessionQuestion
from gui.make_protected_file.mode_cards import ModeCards
from gui.make_protected_file.search_form import SearchSettings
from gui.make_protected_file.weights_table import SuppressionWeights, WeightRow
from gui.shared.accessible import as_heading
from gui.shared.burden import filled_values
from gui.shared.choice import Choice, Option
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import Card
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.protection_mode import is_searched
from gui.theme import muted, theme, write_as
from gui.theme.tokens import GAP

if TYPE_CHECKING:
    from core.session import Results
    from core.suppression.forecast import Forecast, Point
    from core.suppression.households.forecast import By
    from core.suppression.plan import Plan

Prices = tuple[str, str]
"""A sentence on released keys and one on the original file with gaps closed; empty while not known."""

_CRITERIA: tuple[Option[Criterion], ...] = (
    Option(
        "entropy",
        mark("Lose as little information as possible (entropy)"),
        mark("A value costs the information that its variable carries. Variables with few or very unequal codes go"
             " first."),
    ),
    Option(
        "weights",
        mark("Spare the variables I weight highest (weights)"),
        mark("A value costs the weight that you give its variable: 0 goes first, 100 last."),
    ),
    Option(
        "none",
        mark("Suppress nothing (none)"),
        mark("The file is written with its recodings only. Records above a threshold stay as they are."),
    ),
)  # fmt: skip


class SuppressionChoices(QWidget):
    """`mode`, `modePrices`, `closeGaps`, `criterion`, `suppressionWeights`, `suppressionForecast`.

    Signals
    -------
    changed(Suppression)
    weight_entered(name, weight)
    """

    changed = Signal(object)
    weight_entered = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._suppression = Suppression()
        self.criterion = Choice("criterion", translate("Criterion"), _CRITERIA, self)
        self.modes = ModeCards()
        self.mode = self.modes.choice
        self.search = SearchSettings()
        self._by_risk = True
        self._prices: Prices = ("", "")
        self.close_gaps = QCheckBox(translate("Leave no value that the rules tell"), objectName="closeGaps")
        self.gaps_meaning = QLabel(
            translate(
                "A record loses other values where all but one that a blank could stand for are ruled out by what "
                "the safe file shows."
            ),
            objectName="closeGapsMeaning",
        )
        self.gaps_meaning.setWordWrap(True)
        self.gaps_meaning.setTextFormat(Qt.TextFormat.PlainText)
        muted(self.gaps_meaning)
        self.close_gaps.setAccessibleDescription(self.gaps_meaning.text())
        self.prices = WrappedLabel(name="modePrices")
        self.gapless_instead = QPushButton(
            translate("Judge by the original file and close gaps"), objectName="closeGapsInstead"
        )
        self.gapless_instead.hide()
        self.weights = SuppressionWeights()
        self.refusal = QLabel(objectName="suppressionWeightsMessage")
        self.forecast = QLabel(objectName="suppressionForecast")
        self.note = QLabel(objectName="suppressionNote")
        self.burden = QLabel(objectName="suppressionBurden")
        self.recode_first = role_button("", "recodeFirst", "plain")
        self.recode_first.hide()
        for label in (self.refusal, self.forecast, self.note, self.burden):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.hide()
        muted(self.note)
        self._lay_out()
        theme.changed.connect(self._dress)
        for choice in (self.criterion, self.mode):
            choice.box.currentIndexChanged.connect(lambda _index: self._chosen())
        self.search.changed.connect(self.changed)
        self.close_gaps.clicked.connect(lambda _checked: self._chosen())
        self.gapless_instead.clicked.connect(self._close_gaps_instead)
        self.weights.entered.connect(self._weight_entered)
        self.weights.refused.connect(self._refuse)

    def _lay_out(self) -> None:
        self.heading = QLabel(translate("How values are blanked"))
        write_as(self.heading, "section")
        as_heading(self.heading)
        self.below_modes = QVBoxLayout()
        """What else has to be decided before the file can be made."""
        self.costs = Card(translate("What a blank costs"), "costCard")
        for widget in (
            self.criterion.box,
            self.criterion.meaning,
            self.weights,
            self.refusal,
            self.note,
        ):
            self.costs.body.addWidget(widget)
        inset = QHBoxLayout()
        inset.setContentsMargins(14, 0, 14, 0)
        details = QVBoxLayout()
        details.setSpacing(4)
        for widget in (self.search, self.close_gaps, self.gaps_meaning, self.forecast, self.burden):
            details.addWidget(widget)
        details.addWidget(self.recode_first, 0, Qt.AlignmentFlag.AlignLeft)
        details.addWidget(self.prices)
        details.addWidget(self.gapless_instead, 0, Qt.AlignmentFlag.AlignLeft)
        inset.addLayout(details)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.heading)
        layout.addWidget(self.modes)
        layout.addLayout(inset)
        layout.addLayout(self.below_modes)
        layout.addSpacing(GAP - 8)
        layout.addWidget(self.costs)

    def offer(self, criteria: Sequence[Criterion], by_risk: bool = True) -> None:
        """Show only what can be carried out; the rule for households where they have a threshold.

        `by_risk`: whether a table is judged by risk, which alone has modes: others say of what a record is judged.
        """
        self.criterion.offer(criteria)
        self._by_risk = by_risk

    def show_choices(self, suppression: Suppression, weights: Sequence[WeightRow]) -> None:
        """Show what is chosen."""
        self._suppression = suppression
        self.criterion.show_value(suppression.criterion)
        self.modes.show_value(suppression.mode)
        self.weights.set_rows(weights)
        suppressing = suppression.criterion != "none"
        moded = suppressing and self._by_risk
        self.weights.setVisible(suppression.criterion == "weights")
        self.heading.setVisible(moded)
        self.modes.setVisible(moded)
        self.search.show_choices(suppression)
        self.search.setVisible(suppressing and suppression.mode == "released-keys")
        self.close_gaps.setChecked(suppression.close_gaps)
        for widget in (self.close_gaps, self.gaps_meaning):
            widget.setVisible(moded and suppression.mode == "original-counts")
        self._show_prices()
        self._say(self.refusal, "")

    def say_forecast(self, text: str) -> None:
        """What the choices would cost; empty while that is not known."""
        self._say(self.forecast, text)

    def say_burden(self, text: str, recode: str = "") -> None:
        """Say that the choices take much of the file; `recode`: the variable of which fewer codes would help."""
        self._dress()
        self._say(self.burden, text)
        self.recode_first.setText(translate("Recode {name}…").format(name=recode))
        self.recode_first.setVisible(bool(text and recode))

    def _dress(self) -> None:
        self.burden.setStyleSheet(f"color: {theme.scheme.amber_text};")

    def show_costs(self, blanks: dict[Mode, str]) -> None:
        """Values that each mode would blank, as far as that is known."""
        self.modes.show_forecasts(blanks)

    def show_prices(self, prices: Prices) -> None:
        """What the two protections against an intruder who knows the rules would cost, as far as that is known."""
        self._prices = prices
        self._show_prices()

    def _show_prices(self) -> None:
        asked, (released, gapless) = self._suppression, self._prices
        moded = asked.criterion != "none" and self._by_risk
        self.prices.setText("\n".join(text for text in (released, gapless) if text))
        self.prices.setVisible(moded and bool(gapless))
        self.gapless_instead.setVisible(moded and bool(gapless) and asked.mode == "released-keys")

    def _close_gaps_instead(self) -> None:
        self.close_gaps.setChecked(True)
        self.mode.box.setCurrentIndex(self.mode.box.findData("original-counts"))

    def say_note(self, text: str) -> None:
        """Why something is not offered."""
        self._say(self.note, text)

    def _chosen(self) -> None:
        criterion, mode = self.criterion.value, self.mode.value
        if criterion is not None and mode is not None:
            gapless = self.close_gaps.isChecked() and mode == "original-counts"
            chosen = replace(self._suppression, criterion=criterion, mode=mode, close_gaps=gapless)
            if mode != "released-keys":  # which alone has a use for these
                chosen = replace(chosen, least_records=Suppression.least_records, thorough=Suppression.thorough)
            self.changed.emit(chosen)

    def _weight_entered(self, name: str, weight: int) -> None:
        self._say(self.refusal, "")
        self.weight_entered.emit(name, weight)

    def _refuse(self, text: str) -> None:
        self.refusal.setStyleSheet(f"color: {theme.scheme.refused};")
        self._say(self.refusal, text)

    @staticmethod
    def _say(label: QLabel, text: str) -> None:
        label.setText(text)
        label.setVisible(bool(text))


_ASK_AFTER_MS = 150
_NAMED = 4
"""Variables named in one line, those that lose most."""
_GAPLESS = "protection without gaps"
_RARE = -1
"""In place of a risk table: all tables of the threshold rule, whose forecast is their plan."""


class ProtectionForecast(QObject):
    """What the draft asked about last would cost, in its own mode and in the other one that protects.

    Signals
    -------
    said(str) : one line on the draft; empty while there is none.
    counted(dict of Mode, str) : values that each mode blanks, of those that are known.
    priced(Prices) : what either protection against an intruder who knows the rules costs.
    burdened(Burden or None) : how much of the file the draft takes, where that is much.
    """

    said = Signal(str)
    counted = Signal(object)
    priced = Signal(object)
    burdened = Signal(object)

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._recipe: Recipe | None = None
        self._thresholds: dict[int, tuple[By, float | None]] = {}
        self._points: dict[Mode, dict[int, Point | Plan]] = {}
        self._gapless: Plan | None = None
        self._asked: set[str] = set()
        self._filled: dict[str, int] = {}
        self._records = 0
        self._timer = QTimer(self, singleShot=True, interval=_ASK_AFTER_MS)
        self._timer.timeout.connect(self._ask)

    def ask(self, recipe: Recipe, derived: Results | None) -> None:
        """Forecast `recipe`, soon; None: there is nothing to forecast from."""
        thresholds = {} if derived is None else _told_by_forecasts(recipe, derived)
        if (recipe, thresholds) == (self._recipe, self._thresholds):
            return
        before, self._recipe, self._thresholds = self._recipe, recipe, thresholds
        self._filled = {} if derived is None else filled_values(derived)
        self._records = 0 if derived is None else derived.records
        self.burdened.emit(None)
        self._drop()
        if before is None or not _differ_in_mode_alone(before, recipe):
            self._points = {}
            if before is None or not _differ_in_mode_alone(before, _with_gaps_of(recipe, before)):
                self._gapless = None
            self._tell()
        self._timer.stop()
        if thresholds and not self._document.stale:
            self._timer.start()
        else:
            self._recipe = None
            self.said.emit("")

    def give_way(self) -> None:
        """Let what the user asks for go first: what has no answer yet begins again behind it."""
        if self._recipe is not None and self._asked:
            self._drop()
            self._timer.start()

    def stop(self) -> None:
        """Ask nothing any more, and wait for no answer."""
        self._timer.stop()
        self._recipe = None
        self._drop()

    def _drop(self) -> None:
        """Wait for no answer, and let nobody wait behind one."""
        for slot in self._asked:
            self._document.tasks.drop(slot)
        self._asked.clear()

    def _ask(self) -> None:
        recipe = self._recipe
        assert recipe is not None, "asked only with one"
        own = recipe.suppression.mode
        others = () if _RARE in self._thresholds else tuple(mode for mode in MODES if mode != own)
        for mode in (own, *others):
            for index, (by, threshold) in self._thresholds.items():
                slot = f"protection forecast {mode} {index}"
                told = partial(self._arrived, index, mode, recipe)
                failed = self._failed if mode == own else _not_known
                if index == _RARE:
                    self._ask_for(slot, engine.plan_of_rare, recipe, told=told, failed=failed)
                elif is_searched(recipe, mode):
                    at = index, threshold, mode, by
                    self._ask_for(slot, engine.forecast_at, recipe, *at, told=told, failed=failed)
                else:
                    self._ask_for(slot, engine.forecast, recipe, index, mode, by, told=told, failed=failed)
        if _RARE not in self._thresholds and self._gapless is None:
            self._ask_for(
                _GAPLESS, engine.plan_without_gaps, recipe,
                told=partial(self._found_gapless, recipe), failed=_not_known, background=True,
            )  # fmt: skip

    def _ask_for(
        self, slot: str, question: SessionQuestion[*Arguments, Answer], *args: *Arguments,
        told: Callable[[Answer], None], failed: Callable[[PavoError], None], background: bool = False,
    ) -> None:  # fmt: skip
        def done(found: Answer) -> None:
            self._asked.discard(slot)
            told(found)

        def refused(error: PavoError) -> None:
            self._asked.discard(slot)
            failed(error)

        self._asked.add(slot)
        self._document.ask(slot, question, *args, done=done, failed=refused, background=background)

    def _found_gapless(self, asked: Recipe, plan: Plan) -> None:
        if asked is self._recipe:
            self._gapless = plan
            self._tell()

    def _arrived(self, index: int, mode: Mode, asked: Recipe, found: Forecast | Point | Plan) -> None:
        from core.suppression.forecast import Forecast

        if asked is not self._recipe:
            return
        _by, threshold = self._thresholds[index]
        self._points.setdefault(mode, {})[index] = found.at(threshold) if isinstance(found, Forecast) else found
        whole = self._tell()
        if mode == asked.suppression.mode and mode in whole:
            self.said.emit(_sentence(whole[mode]))
            points = whole[mode]
            lost, touched = [point.by_variable for point in points], [point.records_touched for point in points]
            self.burdened.emit(burden(lost, touched, self._filled, self._records))

    def _tell(self) -> dict[Mode, list[Point | Plan]]:
        """Say what the modes cost, as far as all their figures are there."""
        whole: dict[Mode, list[Point | Plan]] = {
            mode: list(points.values()) for mode, points in self._points.items() if len(points) == len(self._thresholds)
        }
        counts = {mode: _blanks(points) for mode, points in whole.items()}
        self.counted.emit(counts)
        self.priced.emit((_price_of_keys(whole.get("released-keys", [])), _price_without_gaps(self._gapless)))
        return whole

    def _failed(self, _error: PavoError) -> None:
        self.said.emit("")


def _not_known(_error: PavoError) -> None:
    """The other mode has no forecast: its card says none."""


def _differ_in_mode_alone(one: Recipe, other: Recipe) -> bool:
    return one.with_(suppression=replace(one.suppression, mode=other.suppression.mode)) == other


def _with_gaps_of(recipe: Recipe, other: Recipe) -> Recipe:
    """`recipe` with gaps closed where those of `other` are."""
    return recipe.with_(suppression=replace(recipe.suppression, close_gaps=other.suppression.close_gaps))


def _price_of_keys(points: list[Point | Plan]) -> str:
    if not points or any(point.unsafe_left for point in points):
        return ""
    total, exact = sum(point.total for point in points), all(point.exact for point in points)
    text = plural(
        total,
        "Judged by what is released: {most}{n} value suppressed, {bits} bits lost.",
        "Judged by what is released: {most}{n} values suppressed, {bits} bits lost.",
    )
    bits = numbers.format_number(sum(point.entropy_loss for point in points), 1)
    return translate(text).format(most="" if exact else "≤ ", n=numbers.format_count(total), bits=bits)


def _price_without_gaps(plan: Plan | None) -> str:
    """Against elimination alone, which is cheaper."""
    if plan is None:
        return ""
    text = plural(
        plan.total,
        "Judged by the original file, no value certain by elimination: {n} value suppressed, {bits} bits lost.",
        "Judged by the original file, no value certain by elimination: {n} values suppressed, {bits} bits lost.",
    )
    return translate(text).format(n=numbers.format_count(plan.total), bits=numbers.format_number(plan.entropy_loss, 1))


def _blanks(points: list[Point | Plan]) -> str:
    sign = "" if all(point.exact for point in points) else "≤ "
    total = sum(point.total for point in points)
    return sign + translate(plural(total, "{n} blank", "{n} blanks")).format(n=numbers.format_count(total))


def _told_by_forecasts(recipe: Recipe, derived: Results) -> dict[int, tuple[By, float | None]]:
    """By place in the recipe, whose threshold is forecast and where it stands; nothing where forecasts do not decide.

    They do where risk judges every combination, or the threshold rule every one.
    """
    asked, tables = recipe.suppression, derived.risk_tables
    if asked.criterion == "none":
        return {}
    if recipe.combinations and all(each.judges_margins for each in recipe.combinations):
        return {_RARE: ("individual", None)}
    if len(tables) != len(recipe.combinations):
        return {}
    return {
        table.index: ("household", table.household.threshold)
        if table.household is not None and table.household.asked
        else ("individual", table.threshold)
        for table in tables
    }


def _sentence(points: list[Point | Plan]) -> str:
    count = numbers.format_count
    left = sum(point.unsafe_left for point in points)
    if left:
        return translate("Forecast: {n} records stay unsafe; the threshold cannot be met.").format(n=count(left))
    by_variable = sorted(((c, n) for point in points for n, c in point.by_variable.items() if c), reverse=True)
    parts = " · ".join(f"{name}\N{NO-BREAK SPACE}{count(number)}" for number, name in by_variable[:_NAMED])
    parts += " · …" if len(by_variable) > _NAMED else ""
    total = sum(point.total for point in points)
    text = translate(plural(total, "Forecast: {n} value suppressed", "Forecast: {n} values suppressed"))
    text = text.format(n=count(total))
    text += f" ({parts})" if parts else ""
    if not all(point.exact for point in points):
        text += translate(", at most")
    return text + "."
