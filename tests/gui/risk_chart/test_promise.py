"""Judging by the promise in the Risk Chart, and the second opinion as an outline in its histogram."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QWidget

from core.recipe.model import Threshold
from core.session import Session
from tests.gui.risk_chart.hand import LEFT, Hand
from tests.gui.risk_chart.test_second_opinion import KEYS, opinion, shown
from tests.gui.test_nothing_cut_off import cut_off


@pytest.fixture
def calibrated(demodata_chart: Hand) -> Hand:
    """Demodata at 0.05, judged by the model of the whole table."""
    recipe = demodata_chart.document.recipe.with_(threshold=Threshold(individual_risk=0.05))
    demodata_chart.document.commit("Threshold", recipe)
    opinion(demodata_chart)
    assert not shown(demodata_chart, "judgeByPromise")
    assert demodata_chart.find(QLabel, "opinionLegend").toolTip() == "by the model of the whole table"
    demodata_chart.qtbot.mouseClick(demodata_chart.find(QPushButton, "judgeByThisModel"), LEFT)
    opinion(demodata_chart)
    return demodata_chart


def test_the_promise_judges_and_the_risk_again(calibrated: Hand) -> None:
    box, document = calibrated.find(QCheckBox, "judgeByPromise"), calibrated.document
    assert box.isVisible()
    assert not box.isChecked()
    assert calibrated.text("promiseSentence") == "At most 5 % chance that somebody stands at 1 in 20 or above."
    assert cut_off(calibrated.find(QWidget, "promise")) == []
    assert calibrated.window.width() in (1000, 1012)  # beside a scroll bar, or not
    assert calibrated.window.page.view.histogram.height() > 110
    before = calibrated.numbers
    calibrated.qtbot.mouseClick(box, LEFT)
    calibrated.settle()
    table = Session().derive(document.recipe).risk_tables[0]
    assert table.asked == Threshold(individual_risk=0.05, exceedance=0.05)
    unsafe = table.staircase.unsafe(0.05)
    assert unsafe > 1055
    assert calibrated.text("unsafeRecords") == str(unsafe)
    assert calibrated.window.page.view.histogram.unsafe.sum() == unsafe
    assert calibrated.text("expectedReidentifications") == "228.3"
    assert calibrated.text("maxRisk").startswith("0.98260")
    assert document.session.history.steps[-1].label == f"Judge {KEYS} by the promise about the population size"
    calibrated.type("riskThreshold", "0.02")
    calibrated.settle()
    assert calibrated.text("promiseSentence") == "At most 5 % chance that somebody stands at 1 in 50 or above."
    assert document.recipe.combinations[0].threshold == Threshold(individual_risk=0.02, exceedance=0.05)
    calibrated.type("riskThreshold", "0.05")
    calibrated.qtbot.mouseClick(box, LEFT)
    calibrated.settle()
    assert calibrated.numbers == before
    calibrated.qtbot.mouseClick(box, LEFT)
    calibrated.settle()
    calibrated.qtbot.mouseClick(calibrated.find(QPushButton, "judgeByThisModel"), LEFT)
    calibrated.settle()
    assert document.recipe.combinations[0].threshold == Threshold(individual_risk=0.05)
    assert not shown(calibrated, "judgeByPromise")


def test_the_second_opinion_is_outlined_and_named(calibrated: Hand) -> None:
    histogram = calibrated.window.page.view.histogram
    assert calibrated.find(QLabel, "opinionLegend").toolTip() == "by the individual risk"
    assert histogram._other.isVisible()
    edges, heights = histogram._opinion
    assert heights.sum() == 4000
    (table,) = calibrated.document.derived.risk_tables
    other = Session().second_opinion(calibrated.document.derived, 0).staircase
    assert other is not None
    place = len(edges) // 2
    below = int(other.cumulative_records[(other.levels < 10 ** edges[place]).sum() - 1])
    assert heights[:place].sum() == below
    assert table.staircase.n == 4000
