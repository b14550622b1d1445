"""The Risk Chart by mouse and keys: slider, line, and a threshold that is not in the recipe yet."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton

from core.recipe.model import Recipe, Recode, Suppression
from gui.risk_chart.view import STEPS
from tests.gui.risk_chart.hand import LEFT, MIXED, Charts, Hand, one_table

# Slider and line -----------------------------------------------------------------------------------------------------


def test_the_slider_is_live_while_it_is_held_and_one_undo_step(chart: Hand) -> None:
    before, steps = chart.document.recipe, len(chart.document.session.history.steps)
    commits: list[Recipe] = []
    chart.document.changed.connect(lambda _changes: commits.append(chart.document.recipe))
    seen = chart.drag_slider(0.3, 0.5, 0.2, 0.7)
    assert len(set(seen)) == 4
    assert len(commits) == 1, "nothing is committed before the mouse lets go"
    assert chart.numbers == seen[-1]
    chart.drag_slider(0.6)
    chart.type("riskThreshold", "0.02")
    chart.key(chart.window.page.view.slider, Qt.Key.Key_Right, 3)
    assert len(chart.document.session.history.steps) == steps + 1, "threshold edits join"
    chart.document.undo()
    chart.settle()
    assert chart.document.recipe is before
    assert chart.text("riskThreshold") == "0.05000"
    chart.document.redo()
    chart.settle()
    assert chart.text("riskThreshold") != "0.05000"


def _axis(chart: Hand) -> tuple[float, float]:
    """Smallest and largest risk of the chart's axis."""
    low, high = chart.window.page.view.histogram.axis_range()
    return 10**low, 10**high


def test_slider_positions_are_linear_in_the_logarithm_of_risk(chart: Hand) -> None:
    slider, staircase = chart.window.page.view.slider, chart.document.derived.tables[0].staircase
    low, high = _axis(chart)
    assert low <= staircase.min_risk < staircase.max_risk <= high
    chart.key(slider, Qt.Key.Key_Home)
    assert chart.threshold == pytest.approx(low, rel=1e-12)
    assert chart.text("unsafeRecords") == str(staircase.n)
    slider.setValue(STEPS // 2)
    chart.qtbot.waitUntil(lambda: chart.threshold != pytest.approx(low, rel=1e-12))
    assert chart.threshold == pytest.approx(math.sqrt(low * high), rel=1e-12)
    chart.key(slider, Qt.Key.Key_End)
    assert slider.risk_at(STEPS) == pytest.approx(high, rel=1e-12)


def distances(chart: Hand) -> list[int]:
    """Pixels between the slider's handle and the place of its risk in the chart, at some positions."""
    found = []
    view = chart.window.page.view
    low, high = view.histogram.axis_range()
    for share in (0.0, 0.25, 0.5, 1.0):
        view.slider.setValue(round(share * STEPS))
        line = view.histogram.viewport().mapTo(chart.window, chart.pixel_of_line(low + share * (high - low)))
        handle = view.slider.mapTo(chart.window, chart.handle())
        found.append(abs(line.x() - handle.x()))
    return found


def assert_slider_under_bars(chart: Hand) -> None:
    """Once the axes were painted, which take the room that their numbers need."""
    chart.qtbot.waitUntil(lambda: max(distances(chart)) <= 1)


@pytest.mark.parametrize("size", [(1000, 560), (1366, 768), (780, 500)])
def test_the_slider_lies_under_the_bars(chart: Hand, size: tuple[int, int]) -> None:
    chart.window.resize(*size)
    assert_slider_under_bars(chart)


def test_the_slider_lies_under_the_bars_where_the_outline_before_a_recode_is_wider(small_chart: Charts) -> None:
    hand = small_chart(MIXED, one_table())
    alone = hand.window.page.view.histogram.axis_range()
    recoded = hand.document.recipe.with_(recodes=(Recode("A", scheme="1: 1-3"),))
    hand.document.commit("Recode", recoded)
    hand.settle()
    histogram = hand.window.page.view.histogram
    assert histogram.axis_range()[1] >= alone[1]
    assert histogram._high < alone[1]
    assert_slider_under_bars(hand)


def test_the_line_in_the_chart_can_be_dragged(chart: Hand) -> None:
    view = chart.window.page.view
    viewport = view.histogram.viewport()
    start = chart.pixel_of_line(math.log10(0.05))
    steps = len(chart.document.session.history.steps)
    QTest.mouseMove(viewport, start)
    QTest.mousePress(viewport, LEFT, pos=start)
    for distance in (4, 20, 60, 90):
        QTest.mouseMove(viewport, start - QPoint(distance, 0))
        chart.qtbot.wait(20)
        assert chart.threshold == 0.05
    shown = chart.numbers
    QTest.mouseRelease(viewport, LEFT, pos=start - QPoint(90, 0))
    chart.settle()
    assert chart.numbers == shown
    assert abs(chart.pixel_of_line(math.log10(chart.threshold)).x() - start.x() + 90) <= 1
    assert len(chart.document.session.history.steps) == steps + 1


def test_escape_drops_a_threshold_under_the_hand_and_never_closes_the_page(chart: Hand) -> None:
    slider = chart.window.page.view.slider
    recipe = chart.document.recipe
    QTest.mousePress(slider, LEFT, pos=chart.handle())
    QTest.mouseMove(slider, QPoint(20, chart.handle().y()))
    chart.qtbot.wait(20)
    assert chart.text("riskThreshold") != "0.05000"
    chart.qtbot.keyClick(slider, Qt.Key.Key_Escape)
    assert chart.text("riskThreshold") == "0.05000"
    QTest.mouseRelease(slider, LEFT, pos=QPoint(20, 5))
    chart.settle()
    assert chart.document.recipe is recipe
    chart.qtbot.keyClick(slider, Qt.Key.Key_Escape)
    assert chart.main.windows.window_named("riskChart") is chart.window
    assert chart.window.isVisible()


def test_closing_keeps_what_is_shown(chart: Hand) -> None:
    chart.window.page.view.slider.setValue(STEPS // 3)
    shown = chart.window.draft.value.threshold
    assert chart.threshold == 0.05
    chart.window.close()
    assert chart.threshold == shown


# Drafts while others change the session ------------------------------------------------------------------------------


def test_a_touched_draft_stays_when_the_session_changes_and_can_be_kept(chart: Hand) -> None:
    chart.window.page.view.slider.setValue(STEPS // 3)
    mine = chart.window.draft.value.threshold
    chart.document.commit("Recode", chart.document.recipe.with_(recodes=()))
    chart.settle()
    assert chart.window.messages.text == "The session changed while you were choosing a threshold."
    chart.qtbot.wait(500)
    assert chart.threshold == 0.05, "nothing is committed while the question is open"
    assert chart.window.draft.value.threshold == mine
    chart.qtbot.mouseClick(chart.find(QPushButton, "messageOffer2"), LEFT)
    chart.settle()
    assert chart.threshold == mine
    assert not chart.window.messages.isVisible()


def test_a_touched_draft_can_be_dropped_for_the_session(chart: Hand) -> None:
    box = chart.find(QLineEdit, "reidentificationRate")
    chart.type("reidentificationRate", "0.7", None)
    other = replace(chart.document.recipe.threshold, individual_risk=0.03)
    chart.document.commit("Other", chart.document.recipe.with_(threshold=other))
    chart.settle()
    assert box.text() == "0.7"
    assert chart.text("riskThreshold") == "0.03000", "boxes that were not touched follow"
    chart.qtbot.mouseClick(chart.find(QPushButton, "messageOffer1"), LEFT)
    chart.settle()
    assert box.text() not in ("0.7", "")
    assert chart.threshold == 0.03


def test_an_untouched_chart_follows(chart: Hand) -> None:
    other = replace(chart.document.recipe.threshold, individual_risk=0.03)
    chart.document.commit("Other", chart.document.recipe.with_(threshold=other))
    chart.settle()
    assert chart.text("riskThreshold") == "0.03000"
    assert not chart.window.messages.isVisible()


def test_a_changed_setting_elsewhere_asks_nothing(chart: Hand) -> None:
    chart.type("riskThreshold", "0.07", None)
    chart.document.commit("Seed", chart.document.recipe.with_(suppression=Suppression(criterion="entropy")))
    chart.settle()
    assert not chart.window.messages.isVisible()
    assert chart.text("riskThreshold") == "0.07"


def test_text_that_no_box_takes_holds_nothing_back_once_it_is_gone(chart: Hand) -> None:
    before = chart.text("riskThreshold")
    chart.type("riskThreshold", "0.02")
    chart.type("riskThreshold", "abc")
    chart.document.undo()
    chart.settle()
    assert chart.text("riskThreshold") == before
    assert not chart.window.draft.held
    chart.type("riskThreshold", "0.03")
    assert chart.document.recipe.threshold.individual_risk == 0.03
