"""What a user does in Select Combinations."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.select_combinations.window import SelectCombinations
from tests.gui.buttons import press
from tests.gui.waiting import wait_idle


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


def pick(qtbot: QtBot, window: SelectCombinations, number: int, held: Qt.KeyboardModifier | None = None) -> None:
    """Click on a combination of the list, by its number."""
    list_ = window.combinations
    place = list_.view.visualRect(list_.model.index(list_.model.row_of(number), 1)).center()
    modifier = Qt.KeyboardModifier.NoModifier if held is None else held
    qtbot.mouseClick(list_.view.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def type_into(qtbot: QtBot, box: QLineEdit, text: str, enter: bool = True) -> None:
    """Replace what stands in a box by typing."""
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, text)
    if enter:
        qtbot.keyClick(box, Qt.Key.Key_Return)


def put_away(main_window: MainWindow) -> None:
    """Leave nothing that closing would ask about."""
    window = main_window.window_named("selectCombinations")
    if isinstance(window, SelectCombinations):
        window.builder.set_names()
        window._set_draft(window.draft.base)
