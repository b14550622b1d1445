"""Hands for the tests of Global Recode: what a user does, and what a user sees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Threshold
from gui.global_recode.window import GlobalRecode
from gui.main_window.window import MainWindow
from tests.gui.waiting import wait_idle

LEFT = Qt.MouseButton.LeftButton
KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


def opened(qtbot: QtBot, main_window: MainWindow, variable: str) -> GlobalRecode:
    window = main_window.windows.open_window("globalRecode", variable=variable)
    assert isinstance(window, GlobalRecode)
    qtbot.waitExposed(window)
    settle(qtbot, window)
    return window


def keys_chosen(qtbot: QtBot, main_window: MainWindow) -> GlobalRecode:
    """The demonstration with REGION, SEX and AGE as key variables and nothing recoded; AGE is shown.

    Forecasts search with little effort: what they cost here is compared with nothing, and the usual effort takes
    seconds before anything can be done in the window.
    """
    document = main_window.document
    recipe = document.recipe
    changed = recipe.with_(
        combinations=(Combination(("REGION", "SEX", "AGE")),),
        threshold=Threshold(individual_risk=0.02),
        suppression=replace(recipe.suppression, effort=1),
    )
    document.commit("keys", changed)
    wait_idle(qtbot, document)
    return opened(qtbot, main_window, "AGE")


def settle(qtbot: QtBot, window: GlobalRecode) -> None:
    """Until what is shown is the draft's own outcome."""
    qtbot.waitUntil(lambda: not window.preview.is_waiting and not window.document.busy, timeout=60_000)


def press(qtbot: QtBot, window: Any, name: str) -> None:
    button = window.findChild(QPushButton, name)
    assert button is not None
    assert button.isEnabled()
    qtbot.mouseClick(button, LEFT)


def write(qtbot: QtBot, window: GlobalRecode, text: str) -> None:
    """Type in place of what is there."""
    edit = window.text.edit
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Backspace)
    keys(qtbot, window, text)


def keys(qtbot: QtBot, window: GlobalRecode, text: str) -> None:
    """Type on, with Enter at the ends of lines."""
    for number, line in enumerate(text.splitlines()):
        if number:
            qtbot.keyClick(window.text.edit, Qt.Key.Key_Return)
        qtbot.keyClicks(window.text.edit, line)


def row_place(view: QTableView, row: int) -> QPoint:
    index = view.model().index(row, 0)
    view.scrollTo(index)
    return view.visualRect(index).center()


def click_rows(qtbot: QtBot, window: GlobalRecode, first: str, last: str = "") -> None:
    """Click a code's row, and with Shift another one."""
    table = window.codes.table.codes
    for code, modifier in ((first, Qt.KeyboardModifier.NoModifier), (last, Qt.KeyboardModifier.ShiftModifier)):
        if code:
            row = table.model.row_of(code)
            qtbot.mouseClick(table.view.viewport(), LEFT, modifier, row_place(table.view, row))


def drag(view: QTableView, start: QPoint, end: QPoint) -> None:
    port = view.viewport()
    QTest.mousePress(port, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for part in (0.3, 0.7, 1.0):
        QTest.mouseMove(port, start + (end - start) * part)
        QApplication.processEvents()
    QTest.mouseRelease(port, LEFT, Qt.KeyboardModifier.NoModifier, end)


def text(window: GlobalRecode) -> str:
    return window.text.edit.toPlainText().strip()


def label(window: GlobalRecode, name: str) -> str:
    found = window.findChild(QLabel, name)
    assert found is not None
    return found.text()


def offer(qtbot: QtBot, window: GlobalRecode, name: str) -> None:
    buttons = window.messages.findChildren(QPushButton)
    qtbot.mouseClick(next(button for button in buttons if button.text() == name), LEFT)


def shown(window: GlobalRecode, column: str) -> dict[str, str]:
    """A column of the code table as text, by code."""
    model = window.codes.table.codes.model
    place = next(i for i, c in enumerate(model.columns) if c.title == column)
    return {model.key(row): model.data(model.index(row, place)) for row in range(model.rowCount())}


def shown_variable(window: GlobalRecode, name: str) -> list[str]:
    model = window.variables.model
    row = model.row_of(name)
    return [model.data(model.index(row, column)) for column in range(model.columnCount())]
