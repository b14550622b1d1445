"""Messages, windows and buttons do not outlive what they are about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.base.errors import DataError
from gui.main_window.window import MainWindow
from gui.make_protected_file.window import MakeProtectedFile
from gui.select_combinations.window import SelectCombinations
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


@pytest.fixture
def main(open_window: Open, demo: Path, tmp_path: Path) -> MainWindow:
    for source in demo.iterdir():
        if source.is_file() and source.suffix != ".py":
            (tmp_path / source.name).write_bytes(source.read_bytes())
    return open_window(tmp_path / "survey.pavo")


@pytest.mark.parametrize("choice", ["construction", "list"])
def test_a_refusal_is_gone_once_variables_are_chosen(main: MainWindow, qtbot: QtBot, choice: str) -> None:
    window = main.windows.open_window("selectCombinations")
    assert isinstance(window, SelectCombinations)
    wait_idle(qtbot, main.document)
    window.clear.click()
    window.variables.view.clearSelection()
    window.add_combination.click()
    assert "at least one variable" in window.messages.text
    if choice == "construction":
        window.builder.add(["REGION"])
    else:
        window.recommended.click()
    assert window.messages.text == ""
    window.load()


def protecting(main: MainWindow, qtbot: QtBot) -> MakeProtectedFile:
    window = main.windows.open_window("makeProtectedFile")
    assert isinstance(window, MakeProtectedFile)
    wait_idle(qtbot, main.document)
    return window


def test_a_failure_to_write_takes_the_word_of_verified_away(
    main: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = protecting(main, qtbot)
    state = window.panel.findChild(QLabel, "previewState")
    assert state is not None
    window.make.click()
    wait_idle(qtbot, main.document)
    qtbot.waitUntil(lambda: "verified" in state.text())
    monkeypatch.setattr("gui.make_protected_file.window.may_replace", lambda *_: True)

    def fails(_made: Any, failed: Callable[[DataError], None], _cancelled: Any) -> None:
        failed(DataError("disk-full", "The disk is full."))

    monkeypatch.setattr(main.document, "make_protected_file", fails)
    window.make.click()
    assert window.messages.text == "The disk is full."
    assert state.text().startswith("Not written")


def test_no_button_comes_where_stop_was(main: MainWindow, qtbot: QtBot) -> None:
    window = protecting(main, qtbot)
    window.work.begin("Working")
    window._show_state(window.draft_recipe)
    qtbot.wait(30)
    place = window.work.stop.mapTo(window, window.work.stop.rect().center())
    assert window.childAt(place) is window.work.stop
    window.work.end()
    offers = [("View Report", lambda: None), ("Browse Safe File", lambda: None)]
    window._show_state(window.draft_recipe)
    window.messages.show_good("The protected file survey_safe.asc is written and verified.", offers)
    qtbot.wait(30)
    around = [place + QPoint(x, y) for x in range(-40, 41, 8) for y in range(-10, 11, 5)]
    assert not [window.childAt(point) for point in around if isinstance(window.childAt(point), QPushButton)]


def test_windows_of_the_session_close_when_another_file_is_opened(
    main: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    for name in ("riskChart", "makeProtectedFile", "help"):
        main.windows.open_window(name)
    wait_idle(qtbot, main.document)
    main.commands.open_path(tmp_path / "survey.csv", checked=False)
    wait_idle(qtbot, main.document)
    assert main.windows.names() == ["help"]


def test_no_window_closes_for_a_file_that_cannot_be_opened(main: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    main.windows.open_window("riskChart")
    main.commands.open_path(tmp_path / "none.csv")
    assert main.windows.names() == ["riskChart"]
    assert main.messages.text


def test_a_window_gives_the_focus_back_to_the_one_it_was_opened_from(main: MainWindow, qtbot: QtBot) -> None:
    window = protecting(main, qtbot)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    details = main.windows.open_window("reportDetails")
    details.activateWindow()
    qtbot.waitUntil(details.isActiveWindow)
    details.close()
    qtbot.waitUntil(window.isActiveWindow, timeout=2000)
