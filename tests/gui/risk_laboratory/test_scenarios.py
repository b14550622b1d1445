"""Scenarios described in the window, and measures taken on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from core.recipe.edits_scenarios import with_scenarios
from core.recipe.model import Measure, Recipe, Scenario
from gui.main_window.window import MainWindow
from gui.risk_laboratory.scenarios_dialog import ScenariosDialog
from gui.risk_laboratory.window import RiskLaboratory
from tests.gui.buttons import press
from tests.gui.waiting import wait_idle


@pytest.fixture
def laboratory(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> RiskLaboratory:
    main = open_window(demo / "survey.pavo")
    window = main.windows.open_window("riskLaboratory")
    assert isinstance(window, RiskLaboratory)
    wait_idle(qtbot, main.document)
    return window


def dialog_of(qtbot: QtBot, window: RiskLaboratory) -> ScenariosDialog:
    press(qtbot, window, "editScenarios")
    dialog = window.findChild(ScenariosDialog)
    assert isinstance(dialog, ScenariosDialog)
    return dialog


def may_go(dialog: ScenariosDialog) -> bool:
    return dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def test_a_scenario_is_described_run_and_reported(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    document = laboratory.document
    laboratory._tick(("SEX", "INCOME"))
    dialog = dialog_of(qtbot, laboratory)
    assert not may_go(dialog)
    assert "has no name" in dialog.message.text()
    for box, text in ((dialog.name, "colleague"), (dialog.source, "pay slips"), (dialog.year, "2020")):
        box.setText(text)
        box.textEdited.emit(text)
    dialog.assumptions.setPlainText("knows the income to the euro")
    assert may_go(dialog)
    dialog.buttons.accepted.emit()
    made = Scenario("colleague", ("SEX", "INCOME"), "pay slips", "2020", "", "knows the income to the euro")
    assert document.recipe.scenarios == (made,)
    assert document.session.history.undo_label == "Scenarios"
    wait_idle(qtbot, document)
    laboratory._tick(("AGE",))
    laboratory.scenario.setCurrentIndex(1)
    assert laboratory.keys.ticked == ("SEX", "INCOME")
    assert laboratory.entry == Measure("frequencies", (), (("scenario", "colleague"),))
    laboratory._run()
    wait_idle(qtbot, document)
    assert "are alone" in laboratory.result.headline.text(), "a number that is not categorical is tried, too"
    press(qtbot, laboratory, "addToReport")
    assert "INCOME: not categorical" in laboratory.messages.text
    laboratory._tick(("AGE",))
    assert laboratory.entry == Measure("frequencies", ("AGE",)), "ticks of one's own are no scenario"


def test_keys_are_those_of_a_scenario_and_it_goes_into_the_report(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    document = laboratory.document
    document.commit("Scenarios", document.recipe.with_(scenarios=(Scenario("register", ("REGION", "SEX")),)))
    wait_idle(qtbot, document)
    laboratory.list.choose("suda")
    laboratory._fill_menu()
    offered = {action.text(): action for action in laboratory.menu.actions()}
    offered["register: REGION × SEX"].trigger()
    press(qtbot, laboratory, "addToReport")
    assert document.recipe.measures == (Measure("suda", (), (("dis_fraction", 0.0123), ("scenario", "register"))),)
    assert laboratory.in_report.list.model().index(0, 0).data() == "SUDA: register"
    wait_idle(qtbot, document)
    assert document.session.error is None
    laboratory._tick(("AGE",))
    laboratory.in_report.list.activated.emit(laboratory.in_report.list.model().index(0, 0))
    assert laboratory.entry == document.recipe.measures[0]


def test_two_of_a_name_are_refused_and_one_is_taken_out(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    document = laboratory.document
    both = Scenario("a", ("SEX",)), Scenario("b", ("AGE",))
    measures = Measure("suda", (), (("scenario", "a"),)), Measure("suda", (), (("scenario", "b"),))
    document.commit("Scenarios", document.recipe.with_(scenarios=both, measures=measures))
    wait_idle(qtbot, document)
    dialog = dialog_of(qtbot, laboratory)
    dialog.list.setCurrentRow(1)
    assert dialog.variables.ticked == ("AGE",)
    dialog.name.setText("a")
    dialog.name.textEdited.emit("a")
    assert dialog.message.text() == "There are two scenarios called a."
    dialog.list.setCurrentRow(0)
    press(qtbot, dialog, "removeScenario")
    assert may_go(dialog)
    dialog.buttons.accepted.emit()
    assert document.recipe.scenarios == (Scenario("a", ("AGE",)),)
    assert document.recipe.measures == (Measure("suda", (), (("scenario", "a"),)),), "the one that was called b"


def test_measures_follow_their_scenarios() -> None:
    a, b = Scenario("a", ("X",)), Scenario("b", ("Y",))
    compared = Measure("key-sets", (), (("scenarios", ("a", "b")),))
    recipe = Recipe(scenarios=(a, b), measures=(compared, Measure("suda", (), (("scenario", "b"),))))
    assert with_scenarios(recipe, (a,), {}).measures == (Measure("key-sets", (), (("scenarios", ("a",)),)),)
    swapped = with_scenarios(recipe, (Scenario("b", ("X",)), Scenario("a", ("Y",))), {"a": "b", "b": "a"})
    assert swapped.measures == (
        Measure("key-sets", (), (("scenarios", ("b", "a")),)),
        Measure("suda", (), (("scenario", "a"),)),
    )
    assert with_scenarios(recipe, (), {}).measures == ()
