"""The Risk Chart by mouse and keys: published figures and the linked numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Recode, Suppression, Threshold
from core.session import Session
from core.whatif.recode_effect import comparable_loss
from gui.main_window.status_texts import status_parts
from gui.main_window.window import MainWindow
from gui.risk_chart.histogram import _Bars
from gui.risk_chart.sorted_risks import SortedRisks
from gui.risk_chart.view import STEPS
from tests.gui.risk_chart.hand import LEFT, MIXED, RISK, Charts, Hand, counts_of, one_table, risks_of_records

# Published figures ---------------------------------------------------------------------------------------------------


def test_published_figures_of_demodata(demodata_chart: Hand) -> None:
    assert demodata_chart.numbers == ("0.00125", "0.125", "3968")
    assert demodata_chart.text("actualLevel") == "actual level 0.00119, rate 0.119 %"
    assert demodata_chart.text("sameRecordsInterval") == "0.00119–0.00141: the same unsafe records"
    assert demodata_chart.text("maxRisk") == "0.04230"
    assert demodata_chart.text("fileRate") == "1.956 %"
    assert demodata_chart.text("expectedReidentifications") == "78.3"


def test_by_released_keys_the_forecast_is_that_of_the_plan(small_chart: Charts) -> None:
    hand = small_chart(MIXED, one_table(threshold="[threshold]\nindividual_risk = 0.02\n"))
    exact = hand.text("forecastSuppressions"), hand.text("forecastLoss")
    hand.document.commit("Mode", hand.document.recipe.with_(suppression=Suppression(mode="released-keys")))
    hand.settle()
    plan = Session().protect(hand.document.recipe).plan
    shown = hand.text("forecastSuppressions"), hand.text("forecastLoss")
    assert shown == (f"{plan.total}", f"{plan.loss:.1f} bits") != exact
    assert hand.text("forecastMode") == "Mode: risk on the released file"
    hand.document.undo()
    hand.settle()
    assert (hand.text("forecastSuppressions"), hand.text("forecastLoss")) == exact
    assert hand.text("forecastMode") == "Mode: risk on original frequencies"


@pytest.mark.usefixtures("hurried")
def test_a_new_session_is_forecast_in_the_mode_that_protect_preselects(
    qtbot: QtBot, open_window: Callable[..., MainWindow], shared: Path
) -> None:
    main = open_window(shared / "data" / "demodata" / "Demodata.asc")
    names = ("REGION", "AGE", "MARSTAT")
    folder = shared / "data" / "demodata"
    recodes = tuple(Recode(name, scheme_file=folder / f"{name.title()}.grc") for name in ("REGION", "AGE"))
    recipe = main.document.recipe.with_(
        combinations=(Combination(names, model="individual-risk"),),
        threshold=Threshold(individual_risk=0.00125),
        recodes=recodes,
    )
    main.document.commit("Keys", recipe)
    hand = Hand(qtbot, main)
    assert hand.text("forecastMode") == "Mode: risk on the released file, preselected in Make Protected File"
    assert "risk on original frequencies" in hand.text("forecastCurveMode")
    chosen = recipe.with_(suppression=Suppression(mode="released-keys"))
    plan = Session().protect(chosen).plan
    assert hand.text("forecastSuppressions") == f"at most {plan.total}"  # and not the 247 by the original file
    assert plan.total > 247
    hand.window.page.forecast_panel.show_point(hand.window.point.point, False)
    total = hand.find(QLabel, "forecastSuppressions")
    assert total.property("greyed")
    hand.type("riskThreshold", "0.003")
    qtbot.waitUntil(lambda: not total.property("greyed"))
    plan = Session().protect(chosen.with_(threshold=Threshold(individual_risk=0.003))).plan
    assert hand.text("forecastSuppressions") == f"at most {plan.total}"
    assert hand.window._forecast.at(0.003).total < plan.total  # what the curve shows


def test_the_forecast_follows_closed_gaps(small_chart: Charts) -> None:
    asked = "[threshold]\nindividual_risk = 0.02\n[suppression]\nclose_gaps = true\n"
    hand = small_chart(MIXED, one_table(threshold=asked))
    plan = Session().protect(hand.document.recipe).plan
    assert hand.text("forecastSuppressions").removeprefix("at most ") == str(plan.total)
    assert hand.text("forecastMode") == "Mode: risk on original frequencies, no inferable suppressed values"


def test_arrow_keys_step_to_the_next_threshold_that_changes_the_unsafe_records(demodata_chart: Hand) -> None:
    slider = demodata_chart.window.page.view.slider
    demodata_chart.window.page.file.decimals.setCurrentText("7")
    demodata_chart.key(slider, Qt.Key.Key_Right)
    assert demodata_chart.numbers[::2] == ("0.0014873", "3961")
    assert demodata_chart.threshold == pytest.approx(0.00148731, abs=5e-9)
    demodata_chart.type("riskThreshold", "0.00125")
    demodata_chart.key(slider, Qt.Key.Key_Left)
    assert demodata_chart.numbers[::2] == ("0.0011942", "3971")
    assert demodata_chart.threshold == pytest.approx(0.00119423, abs=5e-9)


def test_sorted_risks_stand_against_their_rank_with_the_interval_of_the_threshold(demodata_chart: Hand) -> None:
    demodata_chart.qtbot.mouseClick(demodata_chart.find(QPushButton, "sortedRisks"), LEFT)
    dialog = demodata_chart.find(SortedRisks, "sortedRisksDialog")
    ranks, heights = dialog.steps.getData()
    assert (len(heights), ranks[0], ranks[-1]) == (38, 0, 4000)
    assert 10 ** heights[-1] == pytest.approx(0.0422983833576)
    assert 10 ** np.array(dialog.band.getRegion()) == pytest.approx([0.00119422833, 0.00140647572])
    above, up_to, records, unsafe = dialog.table.model.columns
    at = up_to.values.tolist().index(pytest.approx(0.00140647572))
    assert (above.text(above.values[at]), up_to.text(up_to.values[at])) == ("0.00119", "0.00141")
    assert (unsafe.values[at], records.values.sum(), unsafe.values[0]) == (3968, 4000, 4000)
    dialog.close()


def test_recodes_lower_the_risk_and_the_state_before_is_outlined(demodata_chart: Hand, shared: Path) -> None:
    folder = shared / "data" / "demodata"
    recipe = demodata_chart.document.recipe
    recodes = tuple(Recode(name, scheme_file=folder / f"{name.title()}.grc") for name in ("REGION", "AGE"))
    demodata_chart.document.commit("Recode", recipe.with_(recodes=recodes))
    demodata_chart.settle()
    assert demodata_chart.numbers[2] == "397"
    assert demodata_chart.text("fileRate") == "0.125 %"
    assert demodata_chart.text("forecastSuppressions") == "397"
    assert demodata_chart.text("forecastLoss") == "473.7 bits"
    before = demodata_chart.window.before
    assert before.table is not None
    assert before.table.staircase.unsafe(0.00125) == 3968
    point = demodata_chart.window._forecast.at(0.00125)
    lost = comparable_loss(demodata_chart.document.derived, point.by_variable)
    chart = demodata_chart.window.page.forecast_chart
    assert chart._point.pos().y() == pytest.approx(lost) and lost > 473.7
    assert chart._curve.getData()[1][-1] == pytest.approx(lost - point.entropy_loss), "a recode is not free"
    assert chart._before.getData()[1][-1] == pytest.approx(0, abs=1e-6)
    assert "recoding" in chart.getAxis("left").labelText
    histogram = demodata_chart.window.page.view.histogram
    assert histogram._before.isVisible()
    demodata_chart.qtbot.mouseClick(demodata_chart.window.page.show_before, LEFT, pos=QPoint(8, 8))
    assert not histogram._before.isVisible()
    assert chart._point.pos().y() == pytest.approx(point.loss) and chart.getAxis("left").labelText == "loss (bits)"
    demodata_chart.document.undo()
    demodata_chart.settle()
    assert demodata_chart.numbers[2] == "3968"
    assert not demodata_chart.window.page.show_before.isVisible()  # nothing is recoded: there is no state before


# Linked numbers ------------------------------------------------------------------------------------------------------


def test_each_number_can_be_typed_and_the_others_follow(chart: Hand) -> None:
    risks = risks_of_records(chart)
    chart.type("riskThreshold", "0.02")
    assert chart.numbers == (
        "0.02000",
        f"{100 * np.minimum(risks, 0.02).mean():.3f}",
        str(np.count_nonzero(risks >= 0.02)),
    )
    chart.type("reidentificationRate", "0.5", Qt.Key.Key_Tab)
    threshold = chart.threshold
    assert np.minimum(risks, threshold).mean() == pytest.approx(0.005, rel=1e-12)
    assert chart.text("unsafeRecords") == str(np.count_nonzero(risks >= threshold))
    wanted = int(chart.text("unsafeRecords")) // 2
    chart.type("unsafeRecords", str(wanted))
    reached = int(chart.text("unsafeRecords"))
    assert reached <= wanted
    assert reached == np.count_nonzero(risks >= chart.threshold)
    assert reached == max(n for n in counts_of(risks) if n <= wanted)


def test_a_number_that_cannot_be_reached_is_rounded_and_the_message_stays(small_chart: Charts) -> None:
    hand = small_chart(MIXED, one_table(threshold="threshold = { individual_risk = 0.02 }\n"))
    risks = risks_of_records(hand)
    assert sorted(counts_of(risks)) == [0, 1, 2, 5, 13, 18]
    hand.type("unsafeRecords", "11")
    assert hand.text("unsafeRecords") == "5"
    assert hand.message("unsafeRecords") == "11 cannot be reached; 5 can."
    hand.type("unsafeRecords", "13")
    assert hand.message("unsafeRecords") == ""


REFUSED = [
    ("riskThreshold", "abc", "“abc” is not a number."),
    ("riskThreshold", "0", "A risk lies above 0 and is at most 1."),
    ("riskThreshold", "1.5", "A risk lies above 0 and is at most 1."),
    ("riskThreshold", "-0.1", "A risk lies above 0 and is at most 1."),
    ("reidentificationRate", "0", "A rate lies above 0 % and is at most 100 %."),
    ("reidentificationRate", "120", "A rate lies above 0 % and is at most 100 %."),
    ("reidentificationRate", "1,956,000", "“1,956,000” is not a number."),
    ("unsafeRecords", "-1", "Give a number of records from 0 to 18."),
    ("unsafeRecords", "19", "Give a number of records from 0 to 18."),
    ("unsafeRecords", "2.5", "“2.5” is not a whole number."),
    ("unsafeRecords", "", "Type a number."),
]
"""What is typed into which box, and what is said beside it."""


def test_nonsense_is_refused_beside_the_box(small_chart: Charts, subtests: pytest.Subtests) -> None:
    hand = small_chart(MIXED, one_table(threshold="threshold = { individual_risk = 0.02 }\n"))
    recipe, numbers = hand.document.recipe, hand.numbers
    slider = hand.window.page.view.slider.value()
    for box, text, said in REFUSED:
        with subtests.test(box, text=text):
            widget = hand.find(QLineEdit, box)
            hand.type(box, text, None)
            if not text:
                widget.clear()
            hand.key(widget, Qt.Key.Key_Return)
            assert hand.message(box) == said
            assert hand.document.recipe is recipe
            assert hand.window.page.view.slider.value() == slider
            hand.key(widget, Qt.Key.Key_Escape)
            assert hand.numbers == numbers
            assert hand.message(box) == ""
            assert hand.window.isVisible(), "Esc drops the typing before it closes the window"


def test_a_typed_threshold_is_kept_exactly_and_the_slider_never_writes_back(chart: Hand) -> None:
    chart.type("riskThreshold", "0.0123456789012345")
    assert chart.threshold == 0.0123456789012345
    assert chart.text("riskThreshold") == "0.01235"
    chart.type("riskThreshold", "0.01235")
    assert chart.threshold == 0.01235, "typed anew, although it is what was shown of the number before"
    slider, (low, high) = chart.window.page.view.slider, chart.window.page.view.histogram.axis_range()
    share = (math.log10(0.01235) - low) / (high - low)
    assert slider.value() == round(share * STEPS)


def test_leaving_a_box_untouched_changes_nothing(chart: Hand) -> None:
    chart.type("riskThreshold", "0.0123456789012345")
    recipe = chart.document.recipe
    for box in ("riskThreshold", "reidentificationRate", "unsafeRecords"):
        chart.key(chart.find(QLineEdit, box), Qt.Key.Key_Tab)
        chart.key(chart.find(QLineEdit, box), Qt.Key.Key_Return)
    assert chart.document.recipe is recipe


def test_decimals_change_nothing_but_what_is_shown(chart: Hand) -> None:
    chart.type("riskThreshold", "0.0123456789")
    recipe = chart.document.recipe
    unsafe = chart.text("unsafeRecords")
    for decimals, shown in ((3, "0.012"), (7, "0.0123457"), (5, "0.01235")):
        chart.window.page.file.decimals.setCurrentText(str(decimals))
        chart.settle()
        assert chart.text("riskThreshold") == shown
        assert len(chart.text("maxRisk").partition(".")[2]) == decimals
    assert chart.document.recipe is recipe
    assert chart.text("unsafeRecords") == unsafe


def test_a_threshold_too_small_for_the_decimals_is_not_shown_as_zero(chart: Hand) -> None:
    chart.type("riskThreshold", "0.0000012")
    assert chart.text("riskThreshold") == "0.0000012"
    assert chart.text("unsafeRecords") == str(chart.document.derived.records)


def test_per_cent_and_other_locales_are_understood(chart: Hand) -> None:
    chart.type("riskThreshold", "5 %")
    assert chart.threshold == 0.05
    chart.type("reidentificationRate", "0.5 %")
    half = chart.threshold
    QLocale.setDefault(QLocale("de_DE"))
    chart.type("riskThreshold", "0,01")
    assert chart.threshold == 0.01
    assert chart.text("riskThreshold") == "0,01000"
    chart.type("reidentificationRate", "0.5")
    assert chart.threshold == half
    assert chart.message("reidentificationRate") == "Understood as 0,500."


# Where thresholds stand ----------------------------------------------------------------------------------------------


def test_without_a_threshold_a_draft_is_shown_and_marked(small_chart: Charts) -> None:
    hand = small_chart(MIXED, one_table())
    staircase = hand.document.derived.tables[0].staircase
    assert hand.find(QLabel, "notChosenYet").isVisible()
    assert hand.window.draft.value.threshold == math.sqrt(staircase.min_risk * staircase.max_risk)
    assert hand.document.recipe.threshold == Threshold()
    assert not hand.document.session.modified
    hand.drag_slider(0.4)
    assert not hand.find(QLabel, "notChosenYet").isVisible()
    assert hand.threshold is not None


def test_a_threshold_above_every_risk_and_none(small_chart: Charts) -> None:
    hand = small_chart(MIXED, one_table())
    hand.type("riskThreshold", "0.9")
    assert hand.threshold == 0.9
    assert hand.text("unsafeRecords") == "0"
    assert hand.message("riskThreshold") == "Above every risk in the file: no record is unsafe."
    assert hand.text("forecastSuppressions") == "0"
    assert hand.window.page.view.slider.value() == STEPS
    hand.type("unsafeRecords", "5")
    hand.type("unsafeRecords", "0")
    assert hand.threshold == 1.0
    assert hand.text("riskThreshold") == "none"
    assert dict(status_parts(hand.document))["Thresholds"] == "r* none"
    hand.type("riskThreshold", "0.9")
    hand.type("riskThreshold", "None")
    assert (hand.threshold, hand.text("riskThreshold")) == (1.0, "none")
    hand.type("reidentificationRate", "50")
    assert "no record is unsafe" in hand.message("reidentificationRate")
    hand.key(hand.window.page.view.slider, Qt.Key.Key_Left)
    assert hand.text("unsafeRecords") == "1"


def test_a_file_in_which_no_threshold_leaves_all_safe(small_chart: Charts) -> None:
    hand = small_chart([(1, i, i) for i in range(5)], one_table(threshold="threshold = { individual_risk = 0.5 }\n"))
    assert hand.numbers == ("0.50000", "50.000", "5")
    assert not hand.window.page.view.slider.isEnabled(), "one risk: there is nothing to slide along"
    hand.type("unsafeRecords", "0")
    assert "no threshold leaves every record safe" in hand.window.messages.text
    assert hand.document.recipe.combinations[0].threshold.individual_risk == 0.5
    hand.type("riskThreshold", "0.25")
    assert not hand.window.messages.isVisible()
    assert hand.document.recipe.combinations[0].threshold.individual_risk == 0.25


def test_a_file_with_one_level_has_one_bar(small_chart: Charts) -> None:
    hand = small_chart([(50, 1, i % 2) for i in range(40)], one_table())
    histogram = hand.window.page.view.histogram
    assert histogram._bars.heights.tolist() == [40.0]
    assert hand.numbers[2] == "40"
    assert histogram._bars.unsafe.tolist() == [40.0]
    hand.type("riskThreshold", "0.9")
    assert histogram._bars.unsafe.tolist() == [0.0]


def test_rates_and_counts_in_the_recipe_are_shown_as_thresholds(small_chart: Charts) -> None:
    hand = small_chart(MIXED, one_table(threshold="threshold = { unsafe_records = 13 }\n"))
    assert hand.text("unsafeRecords") == "13"
    assert not hand.find(QLabel, "notChosenYet").isVisible()
    hand.drag_slider(0.5)
    threshold = hand.document.recipe.combinations[0].threshold
    assert threshold.unsafe_records is None
    assert threshold.individual_risk == hand.window.draft.value.threshold


def test_several_risk_tables_share_one_set_of_controls(small_chart: Charts) -> None:
    rows = [(w, a, b, a * b) for w, a, b in MIXED]
    hand = small_chart(rows, one_table('"A"') + one_table('"B", "C"'), "W,A,B,C")
    tabs = hand.window.page.tables
    assert [tabs.tabText(i) for i in range(tabs.count())] == ["A", "B × C"]
    assert tabs.isVisible()
    hand.type("riskThreshold", "0.011")
    tabs.setCurrentIndex(1)
    hand.settle()
    assert "B × C" in hand.window.windowTitle()
    assert hand.find(QLabel, "notChosenYet").isVisible()
    hand.window.page.view.slider.setValue(STEPS // 4)
    second = hand.window.draft.value.threshold
    tabs.setCurrentIndex(0)
    hand.settle()
    assert hand.text("riskThreshold") == "0.01100"
    found = [c.threshold.individual_risk for c in hand.document.recipe.combinations]
    assert found == [0.011, second], "leaving a tab commits its draft"
    hand.window.show_for(combination=1)
    assert tabs.currentIndex() == 1


def test_nothing_to_show_says_what_will_be_here_and_offers_it(chart: Hand) -> None:
    asked: list[str] = []
    chart.window.window_requested.connect(lambda name, _arguments: asked.append(name))
    chart.document.commit("No tables", chart.document.recipe.with_(combinations=(), threshold=Threshold()))
    chart.settle()
    empty = chart.window.empty.findChild(QLabel, "riskChartEmptyText")
    assert "judged by individual risk" in empty.text()
    assert empty.isVisible()
    chart.qtbot.mouseClick(chart.window.empty.findChild(QPushButton, "riskChartEmptyButton"), LEFT)
    assert asked == ["selectCombinations"]
    chart.document.undo()
    chart.settle()
    assert chart.text("riskThreshold") == "0.05000"
    chart.window.show()
    assert chart.find(QLineEdit, "riskThreshold").isVisible()
    chart.document.close()
    assert "will be shown here" in empty.text()


@given(st.lists(st.integers(0, 30), min_size=1, max_size=8), st.integers(0, 240))
def test_bars_show_so_many_unsafe_records_as_there_are(heights: list[int], unsafe: int) -> None:
    total = sum(heights)
    unsafe = min(unsafe, total)
    records = [bar for bar, height in enumerate(heights) for _ in range(height)]
    expected = [records[total - unsafe :].count(bar) for bar in range(len(heights))]
    bars = _Bars()
    bars.set_bars(np.arange(len(heights) + 1.0), np.array(heights, float))
    bars.set_unsafe(unsafe)
    assert bars.unsafe.tolist() == expected
    bars.set_bars(np.arange(len(heights) + 1.0), np.cumsum(heights).astype(float), running=True)
    assert bars.unsafe.tolist() == np.cumsum(expected).tolist()


@pytest.mark.parametrize("box", ["riskThreshold", "reidentificationRate", "unsafeRecords"])
def test_undo_replaces_what_was_refused(small_chart: Charts, box: str) -> None:
    body = f'[[combinations]]\nvariables = ["A", "B"]\n{RISK}[threshold]\nindividual_risk = 0.02\n'
    chart = small_chart(MIXED, body)
    before = chart.numbers
    chart.type("riskThreshold", "0.05")
    chart.type(box, "abc")
    assert chart.message(box)
    chart.document.undo()
    chart.settle()
    assert chart.numbers == before
    assert chart.message(box) == ""


def test_a_recode_does_not_move_a_threshold_that_is_shown_and_not_chosen(small_chart: Charts) -> None:
    hand = small_chart(MIXED, one_table())
    shown = hand.window.draft.value.threshold
    recipe = hand.document.recipe
    hand.document.commit("Recode B", recipe.with_(recodes=(Recode("B", scheme="1:1-2"),)))
    hand.settle()
    after = hand.document.derived.tables[0].staircase
    assert math.sqrt(after.min_risk * after.max_risk) != shown == hand.window.draft.value.threshold
    assert hand.find(QLabel, "notChosenYet").isVisible()
    hand.document.commit("Other keys", recipe.with_(combinations=(replace(recipe.combinations[0], variables=("B",)),)))
    hand.settle()
    assert hand.window.draft.value.threshold == shown, "fewer keys are coarser, too"
    hand.document.commit("A alone", recipe.with_(combinations=(replace(recipe.combinations[0], variables=("A",)),)))
    hand.settle()
    after = hand.document.derived.tables[0].staircase
    assert hand.window.draft.value.threshold == math.sqrt(after.min_risk * after.max_risk), "other keys, proposed anew"
