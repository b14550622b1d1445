"""The household forecast where an individual threshold stands beside the household threshold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Threshold
from gui.main_window.window import MainWindow
from tests.gui.risk_chart.hand import RISK, Hand, delimited


@pytest.fixture
def homes(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> Hand:
    """A strict individual threshold and none on the household risk."""
    hand = Hand(qtbot, open_window(demo / "survey-households.pavo"), "householdRiskChart")
    hand.document.commit("Individual", hand.document.recipe.with_(threshold=Threshold(individual_risk=0.01)))
    hand.settle()
    return hand


def test_the_individual_threshold_is_said_and_the_curve_goes_on_above_its_last_step(homes: Hand) -> None:
    also = homes.find(QLabel, "forecastAlso")
    assert also.isVisible() and also.text() == "Also meets the individual threshold 0.01, at every threshold."
    forecast, staircase = homes.window._forecast, homes.window._staircase
    remaining = forecast.remaining()
    assert remaining == pytest.approx(forecast.at(1.0).loss) and remaining > 0
    homes.type("householdThreshold", "0.07")
    chart = homes.window.page.forecast_chart
    positions, costs = chart._curve.getData()
    assert 10 ** positions[-1] == pytest.approx(staircase.max_risk)
    earlier, recoded = homes.window.before.forecast, homes.window.before.recoded
    assert costs[-1] == pytest.approx(forecast.remaining(by_entropy=True) + recoded[1])
    assert 10 ** chart._line.value() == pytest.approx(0.07), "the marker is not held back at the end of the axis"
    before, kept = chart._before.getData()
    assert 10 ** before[-1] == pytest.approx(staircase.max_risk)
    assert kept[-1] == pytest.approx(earlier.remaining(by_entropy=True) + recoded[0])
    figures = homes.window.curve._figures()
    assert figures[1].values[-1] == pytest.approx(remaining)
    assert "threshold of the household risk" in homes.window.curve._picture()


def test_alone_a_household_threshold_takes_nothing_above_the_last_step(homes: Hand) -> None:
    homes.document.commit("Household", homes.document.recipe.with_(threshold=Threshold(household_risk=0.1)))
    homes.settle()
    assert not homes.find(QLabel, "forecastAlso").isVisible()
    assert homes.window._forecast.remaining() == 0
    assert homes.window.page.forecast_chart._curve.getData()[1][-1] == homes.window.before.recoded[1] > 0


def test_the_risk_chart_says_that_the_household_threshold_is_met(homes: Hand) -> None:
    both = Threshold(individual_risk=0.05, household_risk=0.1)
    homes.document.commit("Both", homes.document.recipe.with_(threshold=both))
    chart = homes.main.windows.open_window("riskChart")
    homes.settle()
    said = chart.findChild(QLabel, "forecastAlso").text()
    assert said == "Also meets the household threshold 0.1, at every threshold."


def test_household_size_is_not_offered_where_the_file_has_it_among_the_keys(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    """Whatever the variable is called, and whichever table is turned to."""
    sizes = [1 + home % 4 for home in range(60)]
    rows = [(home, home % 3, 1 + member % 2, size, 20) for home, size in enumerate(sizes) for member in range(size)]
    body = '[variables.HH]\nrole = "household-id"\n'
    for names in ('["REG", "PERSONS"]', '["SEX"]'):
        body += f"[[combinations]]\nvariables = {names}\n{RISK}"
    main = open_window(delimited(tmp_path, "HH,REG,SEX,PERSONS,W", rows, body + "[threshold]\nhousehold_risk = 0.2\n"))
    hand = Hand(qtbot, main, "householdRiskChart")
    offer = hand.find(QWidget, "householdKeyOffer")
    assert not offer.isVisible()
    hand.window.show_for(combination=1)
    hand.settle()
    assert offer.isVisible()
    hand.window.show_for(combination=0)
    hand.settle()
    assert not offer.isVisible()
