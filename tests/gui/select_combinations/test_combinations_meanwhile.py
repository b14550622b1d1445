"""Select Combinations while the file is being read: nothing is said or calculated by what is not known yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.base.errors import DataError
from core.recipe.model import VariableEdit
from gui.document import engine
from gui.main_window.window import MainWindow
from gui.select_combinations.automatic_dialog import AutomaticSpecification
from gui.select_combinations.window import SelectCombinations
from tests.gui.buttons import press
from tests.gui.held import Held
from tests.gui.select_combinations.hand import choose, open_on, put_away
from tests.gui.waiting import wait_idle


@pytest.fixture
def main(survey_window: MainWindow) -> Iterator[MainWindow]:
    yield survey_window
    put_away(survey_window)


def let_go(qtbot: QtBot, main: MainWindow, held: Held) -> None:
    held.go.set()
    wait_idle(qtbot, main.document)


def opened_early(qtbot: QtBot, main: MainWindow) -> SelectCombinations:
    window = main.windows.open_window("selectCombinations")
    assert isinstance(window, SelectCombinations)
    qtbot.waitExposed(window)
    return window


@pytest.mark.parametrize("button", ["recommended", "automaticSpecification"])
def test_ways_by_identification_level_wait_for_the_levels(
    qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch, button: str
) -> None:
    held = Held(monkeypatch, main.document._engine, "ask", engine.prepare)
    window = opened_early(qtbot, main)
    press(qtbot, window, button)
    assert window.messages.text == "The file is still being read: its variables are not known yet."
    assert window.findChild(AutomaticSpecification) is None
    let_go(qtbot, main, held)
    assert window.messages.text == ""
    press(qtbot, window, button)
    dialog = window.findChild(AutomaticSpecification)
    assert dialog.isVisible() if dialog is not None else len(window.draft.value) == 1
    assert window.messages.text == ""
    if dialog is not None:
        dialog.reject()


def test_nothing_is_calculated_by_the_variables_of_before(
    qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_on(qtbot, main)
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    held = Held(monkeypatch, main.document._engine, "ask", engine.prepare)
    edit = VariableEdit("REGION", categorical=False, numeric=True)
    main.document.commit("Number", main.document.recipe.with_(variables=(edit,)))
    press(qtbot, window, "setRiskModel")
    assert "still being read" in window.messages.text
    press(qtbot, window, "calculateTables")
    assert "as soon as it is" in window.messages.text
    let_go(qtbot, main, held)
    assert "not categorical" in window.messages.text and "REGION" in window.messages.text
    assert (window.isVisible(), main.document.recipe.combinations) == (True, ())


@pytest.mark.parametrize("changed_mind", [False, True])
def test_tables_asked_for_early_are_calculated_once_the_file_is_read(
    qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch, changed_mind: bool
) -> None:
    window = open_on(qtbot, main)
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    held = Held(monkeypatch, main.document._engine, "ask", engine.prepare)
    edit = VariableEdit("AGE", suppression_weight=7)
    main.document.commit("Weight", main.document.recipe.with_(variables=(edit,)))
    press(qtbot, window, "calculateTables")
    if changed_mind:
        press(qtbot, window, "clearCombinations")
    let_go(qtbot, main, held)
    assert len(main.document.recipe.combinations) == (0 if changed_mind else 1)
    assert (main.window_named("selectCombinations") is window) == changed_mind


def test_the_offer_to_reload_stays_while_the_file_is_read(
    qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_on(qtbot, main)
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    edit = VariableEdit("REGION", categorical=False, numeric=True)
    main.document.commit("Number", main.document.recipe.with_(variables=(edit,)))
    wait_idle(qtbot, main.document)
    assert window.messages.text == "The session changed."
    assert not window.variables.select("REGION"), "it is no categorical variable any more"
    assert window.variables.select("SEX")


def test_where_opening_the_file_was_stopped_there_is_none(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = open_window()
    held = Held(monkeypatch, main.document._engine, "derive_shown")
    main.commands.open_path(demo / "survey.pavo")
    window = opened_early(qtbot, main)
    qtbot.waitUntil(held.begun.is_set, timeout=60_000)
    main.document.cancel()
    wait_idle(qtbot, main.document)
    assert (main.document.recipe.input.data, window.messages.text) == (None, "")
    texts = [label.text() for label in window.variables.findChildren(QLabel) if label.isVisible()]
    assert "Open a microdata file first." in texts


def test_a_file_that_could_not_be_read_is_not_waited_for(
    qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = main.document._engine.ask

    def fails(*_args: object, **_kwargs: object) -> None:
        raise DataError("gone", "The file is gone.")

    monkeypatch.setattr(main.document._engine, "ask", fails)
    window = opened_early(qtbot, main)
    wait_idle(qtbot, main.document)
    assert "The file is gone." in window.messages.text
    press(qtbot, window, "recommended")
    assert window.messages.text == "The file was not read, so its variables are not known."
    monkeypatch.setattr(main.document._engine, "ask", real)
    qtbot.mouseClick(window.messages.findChild(QPushButton, "messageOffer1"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert (window.messages.text, window.variables.model.rowCount() > 0) == ("", True)
