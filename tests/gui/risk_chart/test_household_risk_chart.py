"""The Household Risk Chart by mouse and keys, on the demonstration survey by households."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QLabel, QLineEdit, QPushButton, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Recode, Threshold
from core.risk.household import HouseholdStaircase
from gui.document import engine
from gui.main_window.status_texts import status_parts
from gui.main_window.window import MainWindow
from gui.numbers import format_percent
from gui.risk_chart.choose_threshold_dialog import ChooseThreshold
from gui.shared.table.data_table import DataTable
from tests.gui.risk_chart.hand import LEFT, Hand

BOXES = ("householdThreshold", "householdRate", "unsafeHouseholds", "unsafeRecords")


@pytest.fixture
def homes(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> Hand:
    """Household threshold 0.1 under the rule ``exact``; household size is a key."""
    return Hand(qtbot, open_window(demo / "survey-households.pavo"), "householdRiskChart")


def numbers_of(hand: Hand) -> tuple[str, ...]:
    return tuple(hand.text(box) for box in BOXES)


def staircase_of(hand: Hand) -> HouseholdStaircase:
    (table,) = hand.document.derived.risk_tables
    return table.household.staircase


def threshold_of(hand: Hand) -> float | None:
    return hand.document.recipe.threshold.household_risk


def by_hand(hand: Hand, threshold: float) -> tuple[int, int]:
    """Unsafe households and records, from the risks of the members."""
    (table,) = hand.document.derived.risk_tables
    risks = table.risk[table.cell_index.of_record]
    home = hand.document.derived.households.household_of_record
    size = np.bincount(home)
    safe = np.ones(len(size))
    np.multiply.at(safe, home, 1 - risks)
    unsafe = 1 - safe >= threshold * (1 - 1e-9)
    return int(unsafe.sum()), int((unsafe[home] & (risks >= threshold / size[home] * (1 - 1e-9))).sum())


def test_opens_on_the_threshold_of_the_recipe_with_the_figures_of_core(homes: Hand) -> None:
    staircase = staircase_of(homes)
    households, records = by_hand(homes, 0.1)
    assert 0 < households < records
    rate = f"{100 * staircase.rate_at(0.1):.3f}"
    assert numbers_of(homes) == ("0.10000", rate, str(households), str(records))
    assert not homes.find(QLabel, "notChosenYet").isVisible()
    assert homes.text("maxHouseholdRisk") == f"{staircase.max_risk:.5f}"
    assert homes.text("fileRate") == f"{100 * staircase.rate:.3f} %"
    assert homes.text("expectedReidentifications") == f"{staircase.expected_reidentifications:.1f}"
    interval = staircase.interval(0.1)
    assert homes.text("sameRecordsInterval") == f"{interval.low:.5f}–{interval.high:.5f}: the same unsafe households"
    told = f"actual level {interval.low:.5f}, rate {100 * staircase_of(homes).rate_at(interval.low):.3f} %"
    assert homes.text("actualLevel") == told
    page, records = homes.window.page, staircase.n
    found = math.ceil(records * staircase.rate_at(0.1))  # members of these households: not all are found themselves
    said = page.threshold.sentences[page.threshold.rate].text()
    assert said == f"At most {found} records in found households."
    assert "AGE" in homes.window.windowTitle()
    assert "riskiestView" not in homes.window.page.segments.buttons
    assert not homes.document.session.modified


def test_each_of_the_four_numbers_can_be_typed_and_the_others_follow(homes: Hand) -> None:
    staircase = staircase_of(homes)
    homes.type("householdThreshold", "0.0512345678901234")
    assert threshold_of(homes) == 0.0512345678901234
    assert tuple(map(int, numbers_of(homes)[2:])) == by_hand(homes, 0.0512345678901234)
    homes.type("householdRate", "1.2", Qt.Key.Key_Tab)
    assert staircase.rate_at(threshold_of(homes)) == pytest.approx(0.012, rel=1e-12)
    assert tuple(map(int, numbers_of(homes)[2:])) == by_hand(homes, threshold_of(homes))
    homes.type("unsafeHouseholds", "30")
    assert staircase.unsafe_households(threshold_of(homes)) == int(homes.text("unsafeHouseholds")) <= 30
    homes.type("unsafeRecords", "100")
    assert staircase.unsafe(threshold_of(homes)) == int(homes.text("unsafeRecords")) <= 100
    assert tuple(map(int, numbers_of(homes)[2:])) == by_hand(homes, threshold_of(homes))


def test_a_number_that_cannot_be_reached_is_rounded_and_said(homes: Hand) -> None:
    staircase = staircase_of(homes)
    reachable = {staircase.unsafe_households(float(level)) for level in staircase.levels}
    wanted = next(n for n in range(2, staircase.households) if n not in reachable)
    homes.type("unsafeHouseholds", str(wanted))
    reached = max(n for n in reachable if n < wanted)
    assert homes.text("unsafeHouseholds") == str(reached)
    assert homes.message("unsafeHouseholds") == f"{wanted} cannot be reached; {reached} can."


REFUSED = [
    ("householdThreshold", "1.5", "A risk lies above 0 and is at most 1."),
    ("householdRate", "0", "A rate lies above 0 % and is at most 100 %."),
    ("unsafeHouseholds", "99999", "Give a number of households from 0 to"),
    ("unsafeRecords", "99999", "Give a number of records from 0 to"),
]
"""What is typed into which box, and how what is said beside it begins."""


def test_nonsense_is_refused_beside_the_box(homes: Hand, subtests: pytest.Subtests) -> None:
    recipe = homes.document.recipe
    for box, text, said in REFUSED:
        with subtests.test(box):
            homes.type(box, text)
            assert homes.message(box).startswith(said)
            assert homes.document.recipe is recipe
            homes.key(homes.find(QLineEdit, box), Qt.Key.Key_Escape)
            assert homes.message(box) == ""
            assert homes.window.isVisible()


def test_arrow_keys_step_to_the_next_threshold_that_changes_the_unsafe_households(homes: Hand) -> None:
    staircase, slider = staircase_of(homes), homes.window.page.view.slider
    homes.key(slider, Qt.Key.Key_Right)
    assert threshold_of(homes) == staircase.step(0.1, 1)
    assert staircase.unsafe_households(threshold_of(homes)) < staircase.unsafe_households(0.1)
    homes.type("householdThreshold", "0.1")
    homes.key(slider, Qt.Key.Key_Left)
    assert threshold_of(homes) == staircase.step(0.1, -1)
    assert int(homes.text("unsafeHouseholds")) == staircase.unsafe_households(threshold_of(homes))


def test_the_slider_is_linked_at_every_move_and_undo_goes_back(homes: Hand) -> None:
    before = homes.document.recipe
    seen = homes.drag_slider(0.9, 0.6, 0.3)
    assert threshold_of(homes) < 0.1
    assert by_hand(homes, threshold_of(homes)) == tuple(map(int, numbers_of(homes)[2:]))
    assert len(set(seen)) == 3
    homes.document.undo()
    homes.settle()
    assert homes.document.recipe == before
    assert homes.text("householdThreshold") == "0.10000"


def test_the_outline_counts_what_the_bars_count_in_their_classes(homes: Hand) -> None:
    before = staircase_of(homes)
    merged = Recode("SEX", scheme="1: 1-2")
    homes.document.commit("Recode", homes.document.recipe.with_(recodes=(*homes.document.recipe.recodes, merged)))
    homes.settle()
    histogram = homes.window.page.view.histogram
    for count, every in ((False, before.households), (True, before.n)):
        homes.window.page.count_records.setChecked(count)
        for cumulative in (False, True):
            homes.window.page.cumulative.setChecked(cumulative)
            assert histogram._outline is not None
            places, heights = histogram._outline
            assert set(histogram._bars.edges) <= set(places)
            assert (heights[-1] if cumulative else heights.sum()) == every


def test_bars_count_households_or_their_members(homes: Hand) -> None:
    staircase, histogram = staircase_of(homes), homes.window.page.view.histogram
    assert histogram._bars.heights.sum() == staircase.households
    assert histogram._bars.unsafe.sum() == staircase.unsafe_households(0.1)
    recipe = homes.document.recipe
    homes.qtbot.mouseClick(homes.find(QCheckBox, "countRecords"), LEFT, pos=QPoint(8, 8))
    assert histogram._bars.heights.sum() == staircase.n == homes.document.derived.records
    assert histogram._counted.toPlainText() == "records"
    members = sum(histogram._bars.unsafe)
    assert members > int(homes.text("unsafeRecords")), "members of unsafe households who are none themselves"
    assert histogram._words.items[1].toPlainText() == f"{members:.0f} in unsafe households ▸"
    homes.qtbot.mouseClick(homes.find(QRadioButton, "cumulative"), LEFT, pos=QPoint(8, 8))
    assert histogram._bars.heights[-1] == staircase.n
    assert histogram.getAxis("left").tickValues(0, 1.2 * staircase.n, 200)[0][1][-1] == staircase.n
    homes.qtbot.mouseClick(homes.find(QCheckBox, "countRecords"), LEFT, pos=QPoint(8, 8))
    assert histogram._bars.heights[-1] == staircase.households
    assert histogram._words.items[1].toPlainText() == f"{staircase.unsafe_households(0.1)} unsafe ▸"
    assert homes.document.recipe is recipe


def test_the_forecast_over_household_thresholds_is_the_plan(homes: Hand) -> None:
    assert homes.window._forecast.exact
    assert not homes.find(QLabel, "forecastNote").isVisible()
    protection = homes.document._engine.ask(engine.protect, homes.document.recipe)
    assert protection.plan.total == homes.window._forecast.at(0.1).total


def test_households_that_no_suppression_makes_safe_are_named_above_the_chart(homes: Hand) -> None:
    label = homes.find(QLabel, "unprotectableHouseholds")
    assert not label.isVisible()
    homes.type("householdThreshold", "0.0001")
    homes.qtbot.waitUntil(label.isVisible, timeout=10_000)
    assert "cannot be brought below the household threshold" in label.text()
    assert "identifier" not in label.text()
    homes.qtbot.mouseClick(homes.find(QPushButton, "listUnprotectable"), LEFT)
    dialog = homes.window.window().findChild(QDialog, "unprotectableList")
    identifiers, members = dialog.findChild(DataTable).model.columns
    count, records = re.match(r"(\d+) households with (\d+) records", label.text()).groups()
    assert (len(set(identifiers.values)), sum(members.values)) == (int(count), int(records)) and int(count) > 10
    dialog.close()
    homes.type("householdThreshold", "0.1")
    homes.qtbot.waitUntil(lambda: not label.isVisible(), timeout=10_000)


def test_the_ends_of_a_narrow_interval_are_told_apart(homes: Hand) -> None:
    levels = staircase_of(homes).levels
    narrow = int(np.argmin(np.diff(levels) / levels[1:]))
    homes.type("householdThreshold", repr(float(levels[narrow + 1])))
    ends = homes.text("sameRecordsInterval").removesuffix(": the same unsafe households").split("–")
    low, high = levels[narrow : narrow + 2].tolist()
    assert ends[0] != ends[1] and float(ends[0]) == pytest.approx(low, rel=1e-3)
    assert float(ends[1]) == pytest.approx(high, rel=1e-3)


@pytest.mark.parametrize(("button", "name"), [("addHouseholdSize", "HHSIZE"), ("addHouseholdType", "HHTYPE")])
def test_household_size_is_offered_as_a_key_variable_where_it_is_none(homes: Hand, button: str, name: str) -> None:
    offer = homes.find(QWidget, "householdKeyOffer")
    assert not offer.isVisible()
    recipe = homes.document.recipe
    (table,) = recipe.combinations
    without = replace(table, variables=tuple(v for v in table.variables if v != "HHSIZE"))
    recodes = tuple(recode for recode in recipe.recodes if recode.variable != "HHSIZE")
    homes.document.commit("Without", recipe.with_(combinations=(without,), derived=(), recodes=recodes))
    homes.settle()
    assert offer.isVisible() and homes.find(QPushButton, button).isVisible()
    homes.qtbot.mouseClick(homes.find(QPushButton, button), LEFT)
    homes.settle()
    assert not offer.isVisible()
    assert homes.document.recipe.combinations[0].variables[-1] == name
    assert name in homes.window.windowTitle()
    homes.document.undo()
    homes.settle()
    assert offer.isVisible()
    apart = replace(homes.document.recipe.output, household_id="remove", shuffle=True, keep_households_together=False)
    homes.document.commit("Apart", homes.document.recipe.with_(output=apart))
    homes.settle()
    assert not offer.isVisible()


def test_an_individual_threshold_stays_and_the_forecast_follows_it(homes: Hand) -> None:
    both = Threshold(individual_risk=0.08, household_rate=0.01)
    homes.document.commit("Both", homes.document.recipe.with_(threshold=both))
    homes.settle()
    assert not homes.find(QLabel, "notChosenYet").isVisible()
    before = homes.window._forecast
    homes.type("householdThreshold", "0.2")
    assert homes.document.recipe.threshold == Threshold(individual_risk=0.08, household_risk=0.2)
    assert homes.window._forecast is before
    homes.document.commit(
        "Stricter", homes.document.recipe.with_(threshold=Threshold(individual_risk=0.01, household_risk=0.2))
    )
    homes.settle()
    assert homes.window._forecast is not before
    assert homes.window._forecast.at(0.2).total > before.at(0.2).total


def test_without_a_household_threshold_a_draft_is_shown_and_marked(homes: Hand) -> None:
    only = Threshold(individual_risk=0.05)
    homes.document.commit("Individual", homes.document.recipe.with_(threshold=only))
    homes.settle()
    staircase = staircase_of(homes)
    assert homes.find(QLabel, "notChosenYet").isVisible()
    assert homes.window.draft.value.threshold == math.sqrt(staircase.min_risk * staircase.max_risk)
    assert homes.document.recipe.threshold == only
    headline = homes.window.page.guidance.headline
    assert headline.text().startswith("At the threshold shown, not chosen yet: ")
    assert dict(status_parts(homes.document))["Rate"].startswith("rate ")
    homes.document.commit("None", homes.document.recipe.with_(threshold=Threshold()))
    homes.settle()
    assert dict(status_parts(homes.document))["Rate"] == f"household rate {format_percent(staircase.rate)}"
    homes.type("householdThreshold", "0.01")
    assert "not chosen yet" not in headline.text()


def test_cards_go_below_the_chart_before_captions_are_cut(homes: Hand) -> None:
    page = homes.window.page
    homes.window.resize(920, 700)
    homes.qtbot.waitUntil(lambda: page.threshold.width() >= page.threshold.minimumSizeHint().width())
    homes.window.resize(1400, 700)
    homes.qtbot.waitUntil(page._side.isVisible)
    assert page.threshold.width() >= page.threshold.minimumSizeHint().width()


def test_both_charts_are_open_at_once(homes: Hand) -> None:
    chart = homes.main.windows.open_window("riskChart")
    homes.settle()
    assert chart._forecast is not None
    assert homes.window._forecast is not None
    assert chart.draft._combination == homes.window.draft._combination
    assert chart.before.table is not None
    assert homes.window.before.table is not None


def test_choose_for_me_counts_the_records_that_suppression_touches(homes: Hand) -> None:
    """Members who lose a household variable with an unsafe one are touched, too."""
    homes.qtbot.mouseClick(homes.find(QPushButton, "chooseForMe"), LEFT)
    dialog = homes.find(ChooseThreshold, "chooseThreshold")
    assert dialog.findChild(QRadioButton, "goalRecords").text() == "records touched: at most"
    levels, forecast = homes.window._staircase.levels, homes.window._forecast
    most = forecast.at(float(levels[len(levels) // 2])).records_touched
    box = dialog.findChild(QLineEdit, "goalRecordsNumber")
    box.setFocus()
    box.selectAll()
    homes.qtbot.keyClicks(box, str(most))
    homes.qtbot.keyClick(box, Qt.Key.Key_Return)
    homes.settle()
    touched = [forecast.at(float(level)).records_touched for level in levels]
    place = levels.tolist().index(threshold_of(homes))
    assert max(touched[place:]) <= most < touched[place - 1]
    assert any(forecast.at(float(t)).records_touched != homes.window._staircase.unsafe(float(t)) for t in levels)


def test_choose_for_me_by_one_in(homes: Hand) -> None:
    homes.qtbot.mouseClick(homes.find(QPushButton, "chooseForMe"), LEFT)
    dialog = homes.find(ChooseThreshold, "chooseThreshold")
    assert "household" in dialog.findChild(QRadioButton, "goalOneIn").text()
    box = dialog.findChild(QLineEdit, "goalOneInNumber")
    box.setFocus()
    box.selectAll()
    homes.qtbot.keyClicks(box, "25")
    homes.qtbot.keyClick(box, Qt.Key.Key_Return)
    homes.settle()
    assert threshold_of(homes) == 1 / 25
    assert tuple(map(int, numbers_of(homes)[2:])) == by_hand(homes, 1 / 25)
