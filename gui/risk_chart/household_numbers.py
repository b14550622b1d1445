"""The linked numbers, file figures and histogram of a household risk chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel

from core.base.texts import mark, mark_plural, translate
from core.risk.distribution import RiskDistribution
from core.risk.household import HouseholdStaircase
from core.risk.linked_numbers import (
    HouseholdNumbers,
    LinkedNumbers,
    by_household_rate,
    by_household_records,
    by_household_risk,
    by_households,
)
from gui import numbers
from gui.risk_chart.file_figures import FileFigures
from gui.risk_chart.linked_numbers import (
    Linked,
    LinkedThreshold,
    check_rate,
    check_records,
    check_risk,
    count_box,
    refusal,
)
from gui.risk_chart.threshold_words import SIDES, SIDES_OF_HOUSEHOLDS
from gui.risk_chart.view import RiskView
from gui.shared.number_box import NumberBox
from gui.texts import HOUSEHOLDS, RECORDS

if TYPE_CHECKING:
    from core.risk.distribution import Histogram

_ABOUT_RISK = mark(
    "An intruder who looks for the members of a household recognises at least one of them with this probability."
    " Households at or above the threshold are unsafe."
)
_ABOUT_RATE = mark(
    "Share of the records whose household intruders can be expected to recognise, at most, once every unsafe household"
    " is brought below the threshold. In the file stands the rate as it is now."
)
_ABOUT_HOUSEHOLDS = mark("Households whose risk is at or above the threshold.")
_ABOUT_RECORDS = mark(
    "Members of unsafe households whose own risk is at least the threshold divided by the number of members."
)


class HouseholdThreshold(LinkedThreshold):
    """Boxes `householdThreshold`, `householdRate`, `unsafeHouseholds` and `unsafeRecords`."""

    names = "householdThreshold", "householdRate"
    goal = mark("No household should be found more often than once in {tries} tries.")
    found = mark_plural(
        "At most {found} record in found households.",
        "At most {found} records in found households.",
    )
    none = mark("No household is unsafe.")
    box_role = "section"
    same = mark("Every threshold in this range makes the same households unsafe.")

    def _rows(self) -> Sequence[tuple[str, NumberBox, QLabel, str]]:
        self.households = count_box("unsafeHouseholds")
        self._of_households = QLabel(self)
        self.households.entered.connect(lambda count: self._entered(self.households, self._by_households, count))
        return (
            (translate("Th&reshold"), self.risk, self._one_in, translate(_ABOUT_RISK)),
            (translate("Ra&te after, at most"), self.rate, QLabel("%", self), translate(_ABOUT_RATE)),
            (translate("&Unsafe households"), self.households, self._of_households, translate(_ABOUT_HOUSEHOLDS)),
            (translate("Unsafe r&ecords"), self.records, self._of, translate(_ABOUT_RECORDS)),
        )

    def sentences_of(self, linked: Linked) -> tuple[str, ...]:
        if not isinstance(linked, HouseholdNumbers) or not isinstance(self._staircase, HouseholdStaircase):
            return ("",) * len(self.boxes)
        share = numbers.format_percent(linked.unsafe_households / self._staircase.households, 1)
        households = translate("{share} of the households.").format(share=share)
        return self._of_tries(linked), self._of_rate(linked), households, self._of_share(linked)

    def set_staircase(self, staircase: RiskDistribution | None) -> None:
        """Work on these household risks from now on."""
        super().set_staircase(staircase)
        if isinstance(staircase, HouseholdStaircase):
            count = numbers.format_count(staircase.households)
            self._of_households.setText(translate("of {count}").format(count=count))

    @property
    def boxes(self) -> tuple[NumberBox, ...]:
        """Threshold, rate, households and records."""
        return self.risk, self.rate, self.households, self.records

    def _values(self, linked: Linked | None) -> tuple[float | None, ...]:
        if not isinstance(linked, HouseholdNumbers):
            return (None,) * len(self.boxes)
        return linked.threshold, linked.rate, float(linked.unsafe_households), float(linked.unsafe_records)

    def _interval_text(self, linked: Linked) -> str:
        shown = self._risk_text
        if linked.low is not None and linked.high is not None:
            low, high = self._told_apart(linked.low, linked.high)
            text = translate("{low}–{high}: the same unsafe households").format(low=low, high=high)
        elif linked.low is not None:
            text = translate("above {low}: the same unsafe households").format(low=shown(linked.low))
        elif linked.high is not None:
            text = translate("up to {high}: the same unsafe households").format(high=shown(linked.high))
        else:
            text = ""
        return text

    def _told_apart(self, low: float, high: float) -> tuple[str, str]:
        """Both ends in the decimals shown, or in as many more as tell them apart."""
        texts = self._risk_text(low), self._risk_text(high)
        for decimals in range(self._decimals + 1, 18):
            if texts[0] != texts[1]:
                break
            texts = numbers.format_number(low, decimals), numbers.format_number(high, decimals)
        return texts

    def _by_risk(self, staircase: RiskDistribution, risk: float) -> Linked:
        check_risk(risk)
        return by_household_risk(_of_homes(staircase), risk)

    def _by_rate(self, staircase: RiskDistribution, rate: float) -> Linked:
        check_rate(rate)
        return by_household_rate(_of_homes(staircase), rate)

    def _by_households(self, staircase: RiskDistribution, count: float) -> Linked:
        homes = _of_homes(staircase)
        if not 0 <= count <= homes.households:
            said = numbers.format_count(homes.households)
            raise refusal(mark("Give a number of households from 0 to {count}."), count=said)
        return by_households(homes, int(count), self._threshold())

    def _by_records(self, staircase: RiskDistribution, count: float) -> Linked:
        check_records(staircase, count)
        return by_household_records(_of_homes(staircase), int(count), self._threshold())

    def _threshold(self) -> float | None:
        return None if self._linked is None else self._linked.threshold


class HouseholdFigures(FileFigures):
    """Labels `maxHouseholdRisk`, `fileRate` and `expectedReidentifications`."""

    max_name = "maxHouseholdRisk"
    texts = (
        (mark("Largest household risk"), mark("The risk of the household easiest to recognise.")),
        (
            mark("Household rate"),
            mark(
                "The mean of the household risks, each counted once a member, as the file is now. Under Threshold"
                " stands what it is at most after suppression."
            ),
        ),
        (
            mark("Expected records of\nre-identified households"),
            mark(
                "The sum of the members' household risks: so many records would stand in a household of which someone"
                " was recognised, if all were looked for."
            ),
        ),
    )


class HouseholdRiskView(RiskView):
    """Histogram of household risks, of households or of their members, and the slider under it."""

    def __init__(self, title: Callable[[], str]) -> None:
        super().__init__(HOUSEHOLDS, title)
        self._records = False
        self._described = ""
        self.histogram.setAccessibleName(translate("Histogram of household risks"))
        self.count(HOUSEHOLDS, RECORDS)

    def describe(self, linked: HouseholdNumbers) -> None:
        """Tell screen readers what the threshold means, whatever the bars count."""
        self._described = translate("{threshold}, unsafe: {households}, {records}").format(
            threshold=numbers.format_exact(linked.threshold),
            households=HOUSEHOLDS.told(linked.unsafe_households),
            records=RECORDS.told(linked.unsafe_records),
        )

    def show_linked(self, linked: LinkedNumbers) -> None:
        """Draw a threshold and put the slider there; unsafe: households, or all members of unsafe ones."""
        super().show_linked(linked)
        self.slider.setAccessibleDescription(self._described)

    def count_records(self, records: bool) -> None:
        """Count records from now on, or households."""
        self._records = records
        self.histogram.set_sides(SIDES_OF_HOUSEHOLDS if records else SIDES)
        self.count(*((RECORDS, HOUSEHOLDS) if records else (HOUSEHOLDS, RECORDS)))

    def _bars(self, staircase: RiskDistribution) -> Histogram:
        bars = super()._bars(staircase)
        return bars if self._records else replace(bars, records=bars.cells, cells=bars.records)


def _of_homes(staircase: RiskDistribution) -> HouseholdStaircase:
    assert isinstance(staircase, HouseholdStaircase)
    return staircase
