"""Key Sets Side by Side: the rows of a measure that compares sets of variables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.recipe.model import Measure
from core.risk.measures import k_anonymity
from core.risk.measures.evaluation import Evaluation, MeasureInput
from core.risk.measures.shown import Listed, Listing
from gui.main_window.window import MainWindow
from gui.risk_laboratory.key_sets import KeySets
from gui.risk_laboratory.window import RiskLaboratory
from gui.select_combinations.window import SelectCombinations
from tests.gui.buttons import press
from tests.gui.waiting import wait_idle

SETS = ("SEX × AGE", "REGION", "something else")


@pytest.fixture
def main(open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """k-anonymity lists sets of variables here, whatever it was asked."""
    taken = k_anonymity.evaluate
    uniques = Listed("uniques", "count", np.array([7, 3, 5]))
    listing = Listing("Sets", (Listed("set", "text", np.array(SETS, object)), uniques), 3)

    def compare(given: MeasureInput) -> Evaluation:
        return replace(taken(given), behind=listing)

    monkeypatch.setattr(k_anonymity, "evaluate", compare)
    return open_window(demo / "survey.pavo")


def test_a_set_is_used_in_select_combinations(qtbot: QtBot, main: MainWindow) -> None:
    laboratory = main.windows.open_window("riskLaboratory", measure="k-anonymity")
    assert isinstance(laboratory, RiskLaboratory)
    press(qtbot, laboratory, "runMeasure")
    wait_idle(qtbot, main.document)
    laboratory.result.views.setCurrentIndex(laboratory.result.views.count() - 1)
    press(qtbot, laboratory, "openKeySets")
    page = main.windows.window_named("keySets")
    assert isinstance(page, KeySets)
    wait_idle(qtbot, main.document)
    page.table.view.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    shown = [page.table.model.index(row, 0).data() for row in range(3)]
    assert shown == ["REGION", "something else", "SEX × AGE"]
    page.table.select("something else")
    assert not page.use.isEnabled(), "no variables of the file"
    page.table.select("SEX × AGE")
    press(qtbot, page, "useKeySet")
    combinations = main.windows.window_named("selectCombinations")
    assert isinstance(combinations, SelectCombinations)
    assert combinations.builder.names == ("SEX", "AGE")


def test_without_a_measure_the_page_says_what_will_be_there(qtbot: QtBot, main: MainWindow) -> None:
    page = main.windows.open_window("keySets")
    assert isinstance(page, KeySets)
    assert not page.use.isEnabled()
    press(qtbot, page, "keySetsTableEmptyButton")
    assert "riskLaboratory" in main.windows.names()
    page.show_for(measure=Measure("k-anonymity", ("SEX",)))
    wait_idle(qtbot, main.document)
    assert page.table.model.total == 3
    assert page.subject() == "k-anonymity: SEX"
