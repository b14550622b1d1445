"""A data file that another program changes while a session is open: noticed, said, and read anew when asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.base.errors import PavoError
from gui.document.engine import INPUT_CHANGED
from gui.main_window.window import MainWindow
from tests.core.small_survey import Survey
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    survey = Survey(tmp_path)
    survey.write()
    return survey


@pytest.fixture
def window(open_window: Open, survey: Survey) -> MainWindow:
    return open_window(survey.folder / "survey.pavo")


def records(window: MainWindow) -> int:
    derived = window.document.derived
    assert derived is not None
    assert not window.document.stale
    return int(derived.records)


def one_more(survey: Survey) -> None:
    survey.lines = [*survey.lines, survey.lines[0]]
    survey.write()


def press(qtbot: QtBot, window: MainWindow, text: str) -> None:
    def offers() -> list[QPushButton]:
        buttons = window.messages.findChildren(QPushButton)
        return [b for b in buttons if b.isVisible() and b.text().replace("&", "") == text]

    qtbot.waitUntil(lambda: len(offers()) == 1)
    qtbot.mouseClick(offers()[0], Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window.document)


def refused(qtbot: QtBot, window: MainWindow) -> PavoError:
    """Why no protected file is made."""
    said: list[PavoError] = []
    window.document.make_protected_file(failed=said.append)
    wait_idle(qtbot, window.document)
    assert len(said) == 1
    return said[0]


@pytest.mark.parametrize("way", ["session", "data", "again"])
def test_what_is_opened_again_is_read_again(qtbot: QtBot, window: MainWindow, survey: Survey, way: str) -> None:
    assert records(window) == 60
    one_more(survey)
    if way == "session":
        window.document.open_session(survey.folder / "survey.pavo")
    elif way == "data":
        window.document.open_data(survey.data, survey.folder / "survey.rda")
    else:
        window.menu_actions["actionCalculateAgain"].trigger()
    wait_idle(qtbot, window.document)
    assert records(window) == 61


def test_no_results_stand_once_a_change_is_noticed(qtbot: QtBot, window: MainWindow, survey: Survey) -> None:
    one_more(survey)
    assert refused(qtbot, window).id == "data-changed"
    document = window.document
    assert document.stale
    assert "attention" in window.steps.button("Data").accessibleName()
    assert "has changed since it was read" in window.messages.text
    assert len(document.recipe.combinations) == 1
    press(qtbot, window, "Read it again")
    assert document.session.error is None
    assert records(window) == 61
    assert len(document.recipe.combinations) == 1


def test_a_saved_session_asks_before_it_goes_on_with_another_file(
    qtbot: QtBot, window: MainWindow, survey: Survey
) -> None:
    window.document.save()
    window.document.open_session(survey.folder / "survey.pavo")
    wait_idle(qtbot, window.document)
    one_more(survey)
    assert refused(qtbot, window).id == "data-changed"
    press(qtbot, window, "Read it again")
    assert window.document.session.error is not None
    assert window.document.session.error.id == INPUT_CHANGED
    press(qtbot, window, "Accept the changed file")
    assert records(window) == 61


def test_a_file_that_is_gone_can_be_located(
    qtbot: QtBot, window: MainWindow, survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = survey.data.rename(survey.folder / "moved.asc")
    assert refused(qtbot, window).id == "data-missing"
    assert window.document.stale
    monkeypatch.setattr("gui.dialogs.open_file", lambda *_args: elsewhere)
    press(qtbot, window, "Locate…")
    assert records(window) == 60
    assert window.document.recipe.input.data == elsewhere
