"""The second opinion in both risk charts, and judging by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.edits import with_estimator
from core.recipe.model import Threshold
from core.session import Session
from gui.document import engine
from gui.main_window.window import MainWindow
from tests.gui.held import Held
from tests.gui.risk_chart.hand import LEFT, Charts, Hand, one_table
from tests.gui.test_nothing_cut_off import cut_off

KEYS = "REGION × SEX × AGE × MARSTAT"


def shown(hand: Hand, name: str) -> bool:
    return bool(hand.find(QWidget, name).isVisible())


def opinion(hand: Hand) -> tuple[str, str, str]:
    """Maximum, expected re-identifications and ratio, once they are known."""
    hand.settle()
    hand.qtbot.waitUntil(lambda: hand.document.tasks.rests, timeout=20_000)
    return tuple(hand.text(f"secondOpinion{name}") for name in ("Maximum", "Expected", "Ratio"))


@pytest.fixture
def demodata(demodata_chart: Hand) -> Hand:
    """Demodata at 0.05, with the second opinion."""
    recipe = demodata_chart.document.recipe.with_(threshold=Threshold(individual_risk=0.05))
    demodata_chart.document.commit("Threshold", recipe)
    opinion(demodata_chart)
    return demodata_chart


def test_demodata_is_riskier_than_the_individual_risk_says(demodata: Hand) -> None:
    assert opinion(demodata) == ("0.98260", "228 (185 to 281)", "2.91")
    text = demodata.text("secondOpinionText")
    assert "228 (185 to 281) expected re-identifications instead of 78." in text
    assert "AGE goes with MARSTAT" in text
    assert shown(demodata, "judgeByThisModel")
    for group in ("secondOpinion", "secondOpinionSentence"):
        assert cut_off(demodata.find(QWidget, group)) == []
    assert demodata.window.width() in (1000, 1012) and demodata.window.height() == 560  # beside a scroll bar, or not
    page = demodata.window.page
    assert page.view.histogram.height() > 130


def test_judged_by_the_model_and_back(demodata: Hand) -> None:
    before, steps = demodata.numbers, demodata.document.session.history.index
    forecast = demodata.text("forecastSuppressions")
    demodata.qtbot.mouseClick(demodata.find(QPushButton, "judgeByThisModel"), LEFT)
    assert opinion(demodata)[1:] == ("78", "0.34")
    history = demodata.document.session.history
    assert history.index == steps + 1
    assert history.steps[-1].label == f"Judge {KEYS} by the model of the whole table"
    assert demodata.document.recipe.combinations[0].estimator == "calibrated"
    assert demodata.text("unsafeRecords") == "1055"
    assert demodata.window.page.view.histogram.unsafe.sum() == 1055
    assert demodata.text("expectedReidentifications") == "228.3"
    assert demodata.text("forecastSuppressions") not in ("–", forecast)
    demodata.window.page.segments.choose("riskiestView")
    asked: list[dict[str, str]] = []
    demodata.window.window_requested.connect(lambda _name, arguments: asked.append(arguments))
    demodata.qtbot.waitUntil(lambda: demodata.window.page.riskiest._page is not None)
    demodata.window.page.riskiest._wanted(1)
    demodata.qtbot.waitUntil(lambda: bool(asked))
    assert asked[0]["variable"] == helps_most(demodata)
    demodata.qtbot.mouseClick(demodata.find(QPushButton, "judgeByThisModel"), LEFT)
    assert opinion(demodata)[1] == "228 (185 to 281)"
    assert demodata.document.session.history.steps[-1].label == f"Judge {KEYS} by the individual risk"
    assert demodata.numbers == before


def helps_most(hand: Hand) -> str:
    """Without which variable the riskiest combination's risk is lowest, from tables without it."""
    derived = hand.document.derived
    (table,) = derived.risk_tables
    worst, names = int(np.nanargmax(table.risk)), table.combination.variables
    record = int(np.flatnonzero(table.cell_index.of_record == worst)[0])
    risks = {}
    for name in names:
        fewer = replace(table.combination, variables=tuple(other for other in names if other != name))
        smaller = Session().derive(derived.recipe.with_(combinations=(fewer,))).risk_tables[0]
        risks[name] = smaller.risk[smaller.cell_index.of_record[record]]
    return min(risks, key=risks.__getitem__)


def test_it_is_computed_behind_the_first_figures(demodata: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch, demodata.document._engine, "ask", engine.second_opinion)
    recipe = demodata.document.recipe
    fewer = replace(recipe.combinations[0], variables=("REGION", "SEX", "AGE"))
    demodata.document.commit("Fewer keys", recipe.with_(combinations=(fewer,)))
    demodata.settle()
    demodata.qtbot.waitUntil(held.begun.is_set)
    assert not demodata.document.busy
    assert demodata.text("secondOpinionExpected") == demodata.text("secondOpinionRatio") == "…"
    assert not shown(demodata, "secondOpinionSentence")
    held.go.set()
    assert "to" in opinion(demodata)[1]
    demodata.key(demodata.window.page.view.slider, Qt.Key.Key_Left)
    assert "to" in demodata.text("secondOpinionExpected"), "another threshold asks nothing"


def test_other_missing_rules_are_not_judged_by_it(demodata: Hand) -> None:
    recipe = demodata.document.recipe
    wildcard = replace(recipe.combinations[0], missing_rule="wildcard")
    demodata.document.commit("Wildcard", recipe.with_(combinations=(wildcard,)))
    opinion(demodata)
    assert "“observed”" in demodata.text("secondOpinionText")
    assert not shown(demodata, "judgeByThisModel")


@pytest.mark.parametrize("weights", [(1,), (0.6, 0.8, 1, 1.2, 1.4)], ids=["census", "normalised"])
def test_nothing_is_said_where_the_weights_tell_no_population(small_chart: Charts, weights: tuple[float, ...]) -> None:
    rows = [(weights[i % len(weights)], i * 7 % 23, i * 11 % 19) for i in range(400)]
    chart = small_chart(rows, one_table())
    refused = len(weights) > 1
    opinion(chart)
    assert shown(chart, "secondOpinion") == shown(chart, "secondOpinionRefused") == refused
    assert not shown(chart, "secondOpinionSentence")
    assert not shown(chart, "secondOpinionExpected")


def test_of_households_too(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> None:
    chart = Hand(qtbot, open_window(demo / "survey-households.pavo"), "householdRiskChart")
    first = opinion(chart)
    assert "to" in first[1]
    assert cut_off(chart.find(QWidget, "secondOpinion")) == []
    assert "records" in chart.window.page.opinion.heading.text()
    recipe, households = chart.document.recipe, chart.text("unsafeHouseholds")
    by_model = with_estimator(recipe, 0, "calibrated")
    chart.document.commit("By the model", by_model)
    assert "to" not in opinion(chart)[1]
    assert chart.text("unsafeHouseholds") != households
    chart.qtbot.mouseClick(chart.find(QPushButton, "judgeByThisModel"), LEFT)
    assert opinion(chart) == first
    assert chart.document.recipe == recipe
