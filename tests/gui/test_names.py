"""Names of controls, for tests and assistive tools: unique within a window, and everything that takes input has one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.settings import settings
from tests.gui.waiting import wait_idle

WINDOWS = {
    "actionSpecifyMetadata": "specifyMetadata",
    "actionSelectCombinations": "selectCombinations",
    "actionReportDetails": "reportDetails",
    "actionHistory": "history",
    "actionSettings": "settings",
    "actionShowTableCollection": "showTables",
    "actionGlobalRecode": "globalRecode",
    "actionRiskChart": "riskChart",
    "actionHouseholdRiskChart": "householdRiskChart",
    "actionRiskLaboratory": "riskLaboratory",
    "actionPerturb": "perturb",
    "actionModifyNumericalVariables": "numericalVariables",
    "actionFindAPlan": "findPlan",
    "actionCompare": "compare",
    "actionMakeProtectedFile": "makeProtectedFile",
    "actionDifferencesToTheLastRelease": "memo",
    "actionCheckAgainstAProfile": "profileCheck",
    "actionUtility": "utility",
    "actionBrowseData": "browseData",
    "actionHelpContents": "help",
}
CONTROLS = QAbstractButton, QLineEdit, QComboBox, QSlider, QAbstractItemView, QTabBar, QPlainTextEdit


def repeated(window: QWidget) -> dict[str, int]:
    """Names that more than one widget of a window has; Qt's own parts apart."""
    names = (widget.objectName() for widget in window.findChildren(QWidget))
    counts = Counter(name for name in names if name and not name.startswith("qt_") and "Scroll" not in name)
    return {name: count for name, count in counts.items() if count > 1}


def nameless(window: QWidget) -> list[str]:
    """Controls that an assistive tool could not call by any name."""
    found = []
    for widget in window.findChildren(QWidget):
        is_control = isinstance(widget, CONTROLS) and not isinstance(widget, QHeaderView)
        if not is_control or widget.window() is not window.window() or widget.objectName().startswith("qt_"):
            continue
        told = QAccessible.queryAccessibleInterface(widget)
        if widget.isVisible() and not told.text(QAccessible.Text.Name):
            found.append(f"{type(widget).__name__} {widget.objectName()}")
    return found


def test_names_in_every_window(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> None:
    main = open_window(demo / "survey-households.pavo")
    assert repeated(main) == {}
    for action, name in WINDOWS.items():
        found = main.findChild(QAction, action)
        assert isinstance(found, QAction), action
        found.trigger()
        wait_idle(qtbot, main.document)
        window = main.window_named(name)
        assert window is not None, name
        assert (name, repeated(window), nameless(window)) == (name, {}, [])


def test_recent_sessions_of_one_name_are_told_apart(
    open_window: Callable[..., MainWindow], tmp_path: Path, demo: Path
) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "same.pavo"
        path.write_bytes((demo / "survey.pavo").read_bytes())
        settings.add_recent_session(path)
    main = open_window()
    assert repeated(main) == {}
    tips = [button.toolTip() for button in main.findChildren(QAbstractButton) if "recentSession" in button.objectName()]
    assert tips == [str(tmp_path / "b" / "same.pavo"), str(tmp_path / "a" / "same.pavo")]
