"""A page that a hand asks for comes in steps, and is whole for whoever asks for it meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLineEdit, QWidget
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


def test_metadata_and_protecting_come_in_steps_too(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    main = open_window(demo / "survey.pavo")
    for name, control in (("specifyMetadata", "variableList"), ("makeProtectedFile", "makeFile")):
        main.windows.visit(name)
        page: Any = main.windows._open[name]
        assert len(page._unmade) > 4 and not page.isVisible()
        qtbot.waitUntil(lambda name=name: main.workspace.current == name)  # type: ignore[misc]
        assert page.is_complete and page.findChild(QWidget, control).isVisible()


def test_the_recipe_may_change_meanwhile(coming: MainWindow) -> None:
    coming.windows.visit("specifyMetadata")
    recipe = coming.document.recipe
    households = replace(recipe.households, single_persons_above=9)
    coming.document.commit("Institutions", replace(recipe, households=households))
    page: Any = coming.windows.window_named("specifyMetadata")
    assert page.is_complete and coming.workspace.current == "specifyMetadata"


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
    assert page.is_complete and page.draft.value is not None
    assert coming.windows.close_all() and coming.windows.names() == []
