"""Key Sets Side by Side: many sets of variables, measured, sorted, and each a button from Select Combinations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.recipe.model import Measure, Scenario
from core.risk.measures import key_sets
from gui.main_window.window import MainWindow
from gui.risk_laboratory.key_sets import KeySets
from gui.risk_laboratory.window import RiskLaboratory
from gui.select_combinations.window import SelectCombinations
from gui.shared.form.parameter_fields import said_of_fields
from tests.gui.buttons import press
from tests.gui.waiting import wait_idle


@pytest.fixture
def main(open_window: Callable[..., MainWindow], demo: Path) -> MainWindow:
    return open_window(demo / "survey.pavo")


def page_of(qtbot: QtBot, main: MainWindow, measure: Measure) -> KeySets:
    page = main.windows.open_window("keySets", measure=measure)
    assert isinstance(page, KeySets)
    wait_idle(qtbot, main.document)
    return page


def column(page: KeySets, place: int) -> list[str]:
    return [page.table.model.index(row, place).data() for row in range(page.table.model.rowCount())]


def test_a_set_is_used_in_select_combinations(qtbot: QtBot, main: MainWindow) -> None:
    laboratory = main.windows.open_window("riskLaboratory", measure="key-sets")
    assert isinstance(laboratory, RiskLaboratory)
    wait_idle(qtbot, main.document)
    laboratory._tick(("REGION", "SEX", "AGE"))
    press(qtbot, laboratory, "runMeasure")
    wait_idle(qtbot, main.document)
    press(qtbot, laboratory, "openKeySets")
    page = main.windows.window_named("keySets")
    assert isinstance(page, KeySets)
    assert not main.document.busy, "what was found is handed over"
    assert page.table.model.total == 7
    found = [int(each.replace(",", "")) for each in column(page, 1)]
    assert found == sorted(found, reverse=True)
    page.table.view.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    assert column(page, 1)[0] == min(column(page, 1), key=int)
    page.table.filter.setText("SEX")
    assert all("SEX" in name for name in column(page, 0))
    page.table.select("REGION × SEX")
    press(qtbot, page, "useKeySet")
    combinations = main.windows.window_named("selectCombinations")
    assert isinstance(combinations, SelectCombinations)
    assert combinations.builder.names == ("REGION", "SEX")


def test_who_stands_alone_with_a_set_is_shown_in_the_laboratory(qtbot: QtBot, main: MainWindow) -> None:
    page = page_of(qtbot, main, Measure("key-sets", ("SEX", "INCOME"), (("max_size", 1),)))
    page.table.select("INCOME")
    press(qtbot, page, "keySetRecords")
    laboratory = main.windows.window_named("riskLaboratory")
    assert isinstance(laboratory, RiskLaboratory)
    wait_idle(qtbot, main.document)
    assert laboratory._shown_entry == Measure("frequencies", ("INCOME",))
    assert laboratory.result.headline.text().startswith("128 of 5,002 records are alone")


def test_scenarios_are_compared_by_name_and_used_by_their_variables(qtbot: QtBot, main: MainWindow) -> None:
    document = main.document
    scenarios = Scenario("neighbour", ("SEX", "AGE")), Scenario("register", ("REGION",))
    document.commit("Scenarios", document.recipe.with_(scenarios=scenarios))
    wait_idle(qtbot, document)
    page = page_of(qtbot, main, Measure("key-sets", (), (("scenarios", ("neighbour", "register")),)))
    assert page.subject() == "Key sets: neighbour, register"
    assert (column(page, 0), column(page, 1)) == (["SEX × AGE", "REGION"], ["neighbour", "register"])
    page.table.select("SEX × AGE")
    assert page.use.isEnabled()


def test_what_takes_long_is_asked_about_first(qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_sets, "seconds", lambda given: 300.0)
    page = page_of(qtbot, main, Measure("key-sets", ("SEX", "AGE")))
    assert page.messages.text == "This takes about 5 minutes."
    assert page.table.model.total == 0
    press(qtbot, page, "messageOffer1")
    wait_idle(qtbot, main.document)
    assert page.table.model.total == 3


def test_many_sets_are_written_beside_the_thread_that_draws(
    qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.risk_laboratory.key_sets._AT_ONCE", 2)
    page = page_of(qtbot, main, Measure("key-sets", ("SEX", "AGE")))
    wait_idle(qtbot, main.document)
    assert page.table.model.total == 3
    assert page.use.isEnabled()


def test_without_a_measure_the_page_says_what_will_be_there(qtbot: QtBot, main: MainWindow) -> None:
    page = main.windows.open_window("keySets")
    assert isinstance(page, KeySets)
    assert not page.use.isEnabled()
    press(qtbot, page, "keySetsTableEmptyButton")
    laboratory = main.windows.window_named("riskLaboratory")
    assert isinstance(laboratory, RiskLaboratory)
    assert laboratory.list.current == "key-sets"


def test_figures_are_told_by_fields_not_by_keys_of_the_recipe() -> None:
    rows = [row for figure in key_sets.DECLARATION.figures for row in figure.rows]
    (reliable,) = (row.sentence for row in rows if row.name == "reliable")
    assert said_of_fields(reliable).endswith("at least “Least”") and "`" in reliable
