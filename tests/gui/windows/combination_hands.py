"""What a user does in Select Combinations."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from gui.windows.main_window import MainWindow
from gui.windows.select_combinations import SelectCombinations
from tests.gui.conftest import wait_idle
from tests.gui.windows.buttons import press


def open_on(qtbot: QtBot, main_window: MainWindow, rows: int | None = None) -> SelectCombinations:
    """The window, with its variables there: so many, or any."""
    made = main_window.windows.open_window("selectCombinations")
    assert isinstance(made, SelectCombinations)
    qtbot.waitExposed(made)
    wait_idle(qtbot, main_window.document)
    there = made.variables.model.rowCount
    qtbot.waitUntil(lambda: there() == rows if rows else there() > 0)
    return made


def choose(qtbot: QtBot, window: SelectCombinations, *names: str) -> None:
    """Add variables to the combination that is being built."""
    for name in names:
        assert window.variables.select(name)
        press(qtbot, window, "addVariable")
