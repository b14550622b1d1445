"""The whole work without a mouse: every step by keys that go to the window that has the focus."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from tests.gui.waiting import wait_idle

pytestmark = pytest.mark.xvfb

Key, Modifier = Qt.Key, Qt.KeyboardModifier
MOST_TABS = 30
PRESSED_MS = 100
"""So long Qt shows a button pressed by its key before it is clicked."""


class Keyboard:
    """Sends keys as the keyboard does: to the window with the focus, never to a widget."""

    def __init__(self, qtbot: QtBot, main_window: MainWindow) -> None:
        self.qtbot, self.main_window = qtbot, main_window

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Modifier.NoModifier) -> None:
        wait_idle(self.qtbot, self.main_window.document)
        QTest.keyClick(self._place(), key, modifiers)
        QApplication.processEvents()

    def write(self, text: str) -> None:
        for character in text:
            QTest.keyClick(self._place(), character)

    def control(self, key: Qt.Key) -> None:
        self.press(key, Modifier.ControlModifier)

    def mnemonic(self, key: Qt.Key) -> None:
        self.press(key, Modifier.AltModifier)
        self.qtbot.wait(2 * PRESSED_MS)

    def in_window(self, name: str) -> QWidget:
        """Wait until a window has come forward by itself."""
        windows = self.main_window
        self.qtbot.waitUntil(lambda: _has_focus(windows.window_named(name)), timeout=60_000)
        wait_idle(self.qtbot, windows.document)
        found = windows.window_named(name)
        assert found is not None
        return found

    def tab_to(self, name: str, key: Qt.Key = Key.Key_Tab) -> None:
        for _ in range(MOST_TABS):
            if self.focus_name == name:
                return
            self.press(key)
        raise AssertionError(f"{name} is not reached by Tab")

    @property
    def focus_name(self) -> str:
        focus = QApplication.focusWidget()
        return focus.objectName() if focus is not None else ""

    def _place(self) -> QWindow:
        self.qtbot.waitUntil(lambda: QGuiApplication.focusWindow() is not None, timeout=20_000)
        window = QGuiApplication.focusWindow()
        assert window is not None
        return window


def _has_focus(window: QWidget | None) -> bool:
    return window is not None and window.isVisible() and window.isActiveWindow()


@pytest.fixture
def keyboard(qtbot: QtBot, open_window: Callable[..., MainWindow]) -> Keyboard:
    main_window = open_window()
    main_window.activateWindow()  # as a window manager does with a new window
    return Keyboard(qtbot, main_window)


def test_demodata_without_a_mouse(keyboard: Keyboard, shared: Path, tmp_path: Path) -> None:
    for source in (shared / "data" / "demodata").iterdir():
        shutil.copyfile(source, tmp_path / source.name)
    document = keyboard.main_window.document

    keyboard.in_window("mainWindow")
    assert keyboard.focus_name == "openMicrodataButton"
    keyboard.press(Key.Key_Return)

    keyboard.in_window("openMicrodata")
    assert keyboard.focus_name == "dataPath"
    keyboard.write(str(tmp_path / "Demodata.asc"))
    keyboard.press(Key.Key_Return)

    metadata = keyboard.in_window("specifyMetadata")
    assert metadata.isAncestorOf(QApplication.focusWidget())
    assert keyboard.focus_name in ("variableList", "suggestionList")
    keyboard.control(Key.Key_Return)

    choosing = keyboard.in_window("selectCombinations")
    variables = choosing.findChild(QAbstractItemView, "categoricalVariables")
    assert variables is not None
    assert variables.hasFocus()
    keyboard.qtbot.waitUntil(lambda: variables.model().rowCount() > 0)
    for _ in range(3):
        keyboard.press(Key.Key_Down, Modifier.ShiftModifier)
    keyboard.mnemonic(Key.Key_R)
    keyboard.control(Key.Key_Return)

    chart = keyboard.in_window("riskChart")
    assert keyboard.focus_name == "riskThreshold"
    keyboard.write("0.00125")
    keyboard.press(Key.Key_Return)
    wait_idle(keyboard.qtbot, document)
    unsafe = chart.findChild(QLineEdit, "unsafeRecords")
    assert unsafe is not None
    assert unsafe.text() == "3968"
    keyboard.press(Key.Key_E, Modifier.ControlModifier | Modifier.ShiftModifier)

    keyboard.in_window("makeProtectedFile")
    keyboard.control(Key.Key_Return)

    report = keyboard.in_window("report").findChild(QTextBrowser, "reportView")
    assert report is not None
    assert "Checked: by" in report.toPlainText()
    assert [c.variables for c in document.recipe.combinations] == [("REGION", "SEX", "AGE", "MARSTAT")]
    assert document.session.released is not None
    assert document.session.released.summary["verified"] is True


OTHERS = {  # the letters of menu and item are looked up; what is reached there by Tab
    "actionPerturb": ("perturb", "methodList"),
    "actionUtility": ("utility", "utilityEmptyButton"),
    "actionFindAPlan": ("findPlan", "planSearch"),
    "actionRiskLaboratory": ("riskLaboratory", "runMeasure"),
    "actionCompare": ("compare", "keepAlternative"),
}


def test_other_windows_without_a_mouse(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> None:
    main = open_window(demo / "survey.pavo")
    main.activateWindow()
    keyboard = Keyboard(qtbot, main)
    for action, (name, control) in OTHERS.items():
        item = main.menu_actions[action]
        menu = next(each for each in main.menuBar().actions() if each.menu() and item in each.menu().actions())
        keyboard.press(_letter(menu.text()), Modifier.AltModifier)
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
        QTest.keyClick(QApplication.activePopupWidget(), _letter(item.text()))
        keyboard.in_window(name)
        keyboard.tab_to(control)
    keyboard.press(Key.Key_Escape)


def _letter(text: str) -> Qt.Key:
    """The key of the letter behind the ampersand."""
    return Qt.Key(ord(text[text.index("&") + 1].upper()))
