"""A chart that a hand asks for comes in steps, and is whole for whoever asks for it meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow

NAME = "riskChart"


@pytest.fixture
def coming(open_window: Callable[..., MainWindow], demo: Path) -> MainWindow:
    """The chart was asked for by the menu, and only begun."""
    main = open_window(demo / "survey.pavo")
    main.menu_actions["actionRiskChart"].trigger()
    page: Any = main.windows._open[NAME]
    assert not page.is_complete and not page.isVisible()
    return main


def shown(main: MainWindow) -> str:
    box = main.findChild(QLineEdit, "riskThreshold")
    return box.text() if box is not None and box.isVisible() else ""


def test_it_comes_by_itself(qtbot: QtBot, coming: MainWindow) -> None:
    qtbot.waitUntil(lambda: bool(shown(coming)))
    assert coming.workspace.current == NAME


@pytest.mark.parametrize("ask", ["window_named", "open_window", "visit"])
def test_it_is_whole_for_whoever_asks(coming: MainWindow, ask: str) -> None:
    getattr(coming.windows, ask)(NAME)
    assert shown(coming) and coming.workspace.current == NAME


def test_another_page_asked_for_meanwhile_is_the_one_in_sight(qtbot: QtBot, coming: MainWindow) -> None:
    coming.windows.visit("globalRecode")
    qtbot.wait(20)
    assert coming.workspace.current == "globalRecode" and coming.windows.names() == [NAME, "globalRecode"]


def test_results_that_come_meanwhile_find_it_whole(coming: MainWindow) -> None:
    page: Any = coming.windows._open[NAME]
    page._on_results_changed()
    assert page.is_complete and page.draft.linked is not None
    assert coming.windows.close_all() and coming.windows.names() == []
