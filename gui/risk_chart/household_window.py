"""The Household Risk Chart: that someone of a household is recognised, and what a threshold on it means, live."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QHBoxLayout, QLabel, QPushButton, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.edits import Kind, has_household_threshold, with_household_key, with_household_threshold
from core.recipe.model import Recipe
from core.risk.distribution import RiskDistribution
from core.risk.household import HouseholdStaircase
from core.risk.linked_numbers import HouseholdNumbers, LinkedNumbers, by_household_risk
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.risk_chart.draft import ThresholdDraft
from gui.risk_chart.file_figures import FileFigures
from gui.risk_chart.household_numbers import HouseholdFigures, HouseholdRiskView, HouseholdThreshold
from gui.risk_chart.linked_numbers import Linked, LinkedThreshold
from gui.risk_chart.page import RiskChartPage
from gui.risk_chart.second_opinion import OpinionFigures
from gui.risk_chart.staying_households import StayingList
from gui.risk_chart.view import RiskView
from gui.risk_chart.window import RiskChart

if TYPE_CHECKING:
    from core.session import Results, RiskTable
    from core.suppression.households.limits import UnprotectableHouseholds

ASK_AFTER_MS = 200
"""Which households stay unsafe is looked up once the threshold rests."""
_ADD_SIZE = mark("Add household si&ze")
_ADD_TYPE = mark("Add household t&ype")


class HouseholdPage(RiskChartPage):
    """The Risk Chart's page with household risks; households that must stay unsafe are named above the chart."""

    captions = (
        mark("risk of a household: found once in so many tries, logarithmic"),
        mark("risk of a household, logarithmic"),
    )

    def __init__(self, document: Document, subject: Callable[[], str]) -> None:
        self.count_records = QCheckBox(translate("C&ount records"), objectName="countRecords")
        self.count_records.setToolTip(translate("Bars count the members of households instead of households."))
        self.stay = StayingList()
        self.undefined = QLabel(objectName="undefinedHouseholds", wordWrap=True)
        self.add_size = QPushButton(translate(_ADD_SIZE), objectName="addHouseholdSize")
        self.add_type = QPushButton(translate(_ADD_TYPE), objectName="addHouseholdType")
        super().__init__(document, subject)

    def lay_out(self) -> None:
        """Put everything where it stands."""
        super().lay_out()
        self._outer.insertWidget(0, self._make_offer())
        for label in (self.undefined, self.stay):
            label.hide()
            self._outer.insertWidget(0, label)

    def _make_offer(self) -> QWidget:
        self.offer = QWidget(objectName="householdKeyOffer")
        said = QLabel(
            translate(
                "Whoever sees the safe file can count the members of a household, but their number is not among the"
                " key variables here."
            ),
            wordWrap=True,
        )
        self.add_size.setToolTip(translate("The number of members in the file, as one more key variable"))
        self.add_type.setToolTip(translate("The number of members in classes: 1, 2, 3-4, 5 and more"))
        row = QHBoxLayout(self.offer)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(said, 1)
        row.addWidget(self.add_size)
        row.addWidget(self.add_type)
        self.offer.hide()
        return self.offer

    def make_view(self, subject: Callable[[], str]) -> RiskView:
        self.households_view = HouseholdRiskView(subject)
        return self.households_view

    def make_threshold(self) -> LinkedThreshold:
        return HouseholdThreshold()

    def make_file(self) -> FileFigures:
        return HouseholdFigures()

    def make_opinion(self) -> OpinionFigures:
        return OpinionFigures(translate("Second opinion on records"))

    def views(self) -> tuple[tuple[str, str], ...]:
        return super().views()[:2]

    def chart_switches(self) -> tuple[QAbstractButton, ...]:
        return self.count_records, self.show_before

    def say_undefined(self, count: int) -> None:
        """Say how many households have no risk."""
        text = translate("{count} households have no risk, because the missing rule leaves out one of their members.")
        self.undefined.setText(text.format(count=numbers.format_count(count)))
        self.undefined.setVisible(count > 0)


class HouseholdDraft(ThresholdDraft):
    """A household threshold that is not in the recipe yet."""

    label = mark("Household threshold {value}")

    def put(self, recipe: Recipe, combination: int, threshold: float) -> Recipe:
        return with_household_threshold(recipe, combination, threshold)


class HouseholdRiskChart(RiskChart):
    """Histogram, slider, linked numbers and forecast of the household risks of one risk table at a time."""

    name = "householdRiskChart"
    first = "householdThreshold"
    title = mark("Household Risk Chart")
    nothing_yet = mark("How easily each household could be found will be shown here. No combination of key variables "
                       "is judged by individual risk yet.")  # fmt: skip
    by = "household"
    page: HouseholdPage

    def _begin(self) -> None:
        super()._begin()
        self.page.count_records.toggled.connect(self._count_records)
        self.page.add_size.clicked.connect(lambda: self._add_key("household-size", _ADD_SIZE))
        self.page.add_type.clicked.connect(lambda: self._add_key("household-type", _ADD_TYPE))
        self.greyed(self.page.stay)

    def make_page(self) -> RiskChartPage:
        self._ask = QTimer(self, singleShot=True, interval=ASK_AFTER_MS)
        self._ask.timeout.connect(self._ask_stay)
        return HouseholdPage(self.document, self.subject)

    def make_draft(self) -> ThresholdDraft:
        return HouseholdDraft(self.document, self)

    def staircase_of(self, table: RiskTable) -> RiskDistribution | None:
        return None if table.household is None else table.household.staircase

    def threshold_of(self, table: RiskTable) -> float | None:
        return None if table.household is None else table.household.threshold

    def other_threshold_of(self, table: RiskTable) -> float | None:
        return table.threshold

    def also_met(self) -> str:
        return translate("Also meets the individual threshold {risk}, at every threshold.")

    def is_chosen(self, recipe: Recipe, combination: int) -> bool:
        return has_household_threshold(recipe, combination)

    def unsafe_of(self, staircase: RiskDistribution, linked: Any) -> tuple[int, str]:
        assert isinstance(staircase, HouseholdStaircase)
        found: HouseholdNumbers = linked
        text = translate("{unsafe} of {count} households are unsafe.").format(
            unsafe=numbers.format_count(found.unsafe_households), count=numbers.format_count(staircase.households)
        )
        return found.unsafe_households, text

    def link(self, staircase: RiskDistribution, threshold: float | None) -> Linked:
        assert isinstance(staircase, HouseholdStaircase)
        return by_household_risk(staircase, threshold)

    def drawn(self, linked: Any) -> LinkedNumbers:
        found: HouseholdNumbers = linked
        assert isinstance(self._staircase, HouseholdStaircase)
        members = RiskDistribution.unsafe(
            self._staircase, found.threshold
        )  # bars hold all members of unsafe households
        unsafe = members if self.page.count_records.isChecked() else found.unsafe_households
        return LinkedNumbers(found.threshold, found.rate, unsafe, found.low, found.high)

    def one_in(self) -> str:
        return translate("no household's risk above 1 in")

    def nothing_because(self, staircase: RiskDistribution | None) -> str:
        if staircase is None:
            return translate("The metadata name no household identifier.")
        return translate("No household has a risk: the missing rule leaves out a member of each.")

    # Showing -----------------------------------------------------------------------------------------------------

    def _load(self, derived: Results) -> None:
        super()._load(derived)
        if isinstance(self._staircase, HouseholdStaircase):
            self.page.say_undefined(self._staircase.undefined)
            self._ask_offer(derived)

    def _ask_offer(self, derived: Results) -> None:
        """Look up whether household size is among the key variables; the file may have it under any name."""
        from core.warnings.unassessed import lacks_household_key

        index = self._index

        def arrived(lacks: bool) -> None:
            if self._of is derived and self._index == index:
                self.page.offer.setVisible(lacks)

        self.document.compute("householdKeyOffer", lacks_household_key, derived, index, done=arrived)

    def _add_key(self, kind: Kind, label: str) -> None:
        """Make household size or type a key variable of the table shown."""
        if self._of is not None and not self.document.stale:
            recipe = with_household_key(self.document.recipe, self._index, kind, self._of.metadata.names)
            self.document.commit(lambda: translate(label).replace("&", ""), recipe)

    def _show_elsewhere(self, linked: Linked) -> None:
        assert isinstance(linked, HouseholdNumbers)
        self.page.households_view.describe(linked)
        super()._show_elsewhere(linked)
        self._ask.start()

    def _refresh_riskiest(self) -> None:
        """Cells have no household risk: there is no such list here."""

    def _count_records(self, records: bool) -> None:
        self.page.households_view.count_records(records)
        if self.draft.value is not None:
            self.page.view.show_linked(self.drawn(self.draft.value))

    def _ask_stay(self) -> None:
        """Look up which households no suppression makes safe at the threshold shown, once the hand let go of it."""
        linked = self.draft.value
        if self.page.view.slider.isSliderDown():
            self._ask.start()  # a sentence that comes or goes would move the chart under the hand
            return
        left = 0 if self._forecast is None or linked is None else self._forecast.at(linked.threshold).unsafe_left
        if self._of is None or linked is None or linked.threshold is None or not left:
            self.page.stay.say("")
            return
        threshold = linked.threshold
        recipe = with_household_threshold(self._of.recipe, self._index, threshold)

        def is_shown() -> bool:
            return self.draft.value is not None and self.draft.value.threshold == threshold

        def arrived(found: UnprotectableHouseholds | None) -> None:
            if is_shown():
                self.page.stay.show_households(found)

        def failed(error: PavoError) -> None:
            if is_shown():
                self.page.stay.say(str(error))

        self.document.ask("unprotectable", engine.unprotectable, recipe, self._index, done=arrived, failed=failed)
