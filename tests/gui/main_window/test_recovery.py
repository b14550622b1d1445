"""After a crash, beside another Pavo, without the data file: what the main window says and offers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Threshold
from gui import dialogs
from gui.document.autosave import Autosave
from gui.document.document import Document
from gui.main_window.window import MainWindow
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]
LATER = 2
QUESTION = ("Recover the session “survey”?", ["&Recover", "&Delete it", "&Later"])


@pytest.fixture(autouse=True)
def named(open_window: Open) -> None:
    """The application has its name, by which its folders are called, since the first main window was made."""
    open_window().close()


@pytest.fixture
def survey(demo: Path, tmp_path: Path) -> Path:
    return copy_survey(demo, tmp_path)


@pytest.fixture
def crashed(qtbot: QtBot, survey: Path) -> Path:
    """A session with an edit whose process is dead; what it left."""
    document = Document()
    document.open_session(survey)
    wait_idle(qtbot, document)
    keeper = Autosave(document)
    document.commit("Another threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.25)))
    keeper.write()
    keeper._timer.stop()
    keeper._watch.stop()
    keeper._lock.unlock()
    document.shut_down()
    return keeper.file


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, answers: list[int]) -> list[tuple[str, list[str], str]]:
    """Questions with their answers and details; answered from `answers`."""
    told: list[tuple[str, list[str], str]] = []

    def ask(_parent: Any, text: str, detail: str, choices: Any, _default: int = 0) -> int:
        told.append((text, list(choices), detail))
        return answers.pop(0) if answers else len(choices) - 1

    monkeypatch.setattr(dialogs, "ask", ask)
    return told


def offers(window: MainWindow) -> list[QPushButton]:
    return [button for button in window.messages.findChildren(QPushButton) if button.isVisible()]


def press(qtbot: QtBot, window: MainWindow, text: str) -> None:
    qtbot.mouseClick(next(button for button in offers(window) if button.text() == text), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window.document)


def begin(qtbot: QtBot, open_window: Open) -> MainWindow:
    window = open_window()
    qtbot.waitUntil(lambda: bool(window.messages.text), timeout=20_000)
    assert window.messages.text == "Pavo ended unexpectedly with a session open: survey."
    assert [button.text() for button in offers(window)] == ["Recover Session…"]
    return window


def test_a_crashed_session_is_recovered_with_its_edit(
    qtbot: QtBot,
    open_window: Open,
    crashed: Path,
    survey: Path,
    asked: list[tuple[str, list[str], str]],
    answers: list[int],
) -> None:
    window = begin(qtbot, open_window)
    answers[:] = [0]
    press(qtbot, window, "Recover Session…")
    assert [each[:2] for each in asked] == [QUESTION]
    assert asked[0][2].startswith("Pavo ended unexpectedly. The session was kept at 20")
    document = window.document
    assert document.session.path == survey
    assert document.recipe.threshold.individual_risk == 0.25
    assert document.derived is not None
    assert "specifyMetadata" in document.session.looked_at
    assert window.windowTitle() == "survey · modified — Pavo"
    assert window.menu_actions["actionUndo"].text() == "&Undo Another threshold"
    assert window.messages.text == ""
    assert not crashed.exists()
    document.undo()
    wait_idle(qtbot, document)
    assert document.recipe.threshold.individual_risk == 0.05
    assert "0.25" not in survey.read_text("utf-8")


def test_declined_a_session_is_offered_again_next_time(
    qtbot: QtBot, open_window: Open, crashed: Path, asked: list[tuple[str, list[str], str]], answers: list[int]
) -> None:
    window = begin(qtbot, open_window)
    answers[:] = [LATER]
    press(qtbot, window, "Recover Session…")
    assert window.document.recipe.input.data is None
    assert window.windowTitle() == "Pavo"
    assert crashed.exists()
    window.close()
    begin(qtbot, open_window)


def test_deleted_a_session_is_never_offered_again(
    qtbot: QtBot, open_window: Open, crashed: Path, asked: list[tuple[str, list[str], str]], answers: list[int]
) -> None:
    window = begin(qtbot, open_window)
    answers[:] = [1]
    press(qtbot, window, "Recover Session…")
    assert not crashed.exists()
    assert window.document.recipe.input.data is None
    assert window.messages.text == "", "nothing is left to be offered"
    window.close()
    again = open_window()
    qtbot.wait(50)
    assert again.messages.text == ""


def test_the_menu_says_where_nothing_is_left_to_recover(
    qtbot: QtBot, open_window: Open, asked: list[tuple[str, list[str], str]]
) -> None:
    window = open_window()
    window.menu_actions["actionRecoverSession"].trigger()
    assert asked == []
    assert window.messages.text == "No session was left behind by a crash."


# Beside another Pavo -------------------------------------------------------------------------------------------------

_HOLDER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from gui.document.session_files import SessionLock
app = QCoreApplication([])
app.setApplicationName(sys.argv[2])
lock = SessionLock()
print(lock.acquire(Path(sys.argv[1])), flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def opened_elsewhere(survey: Path, repo: Path) -> Iterator[Path]:
    """A session that another process has open."""
    environment = os.environ | {"PYTHONPATH": str(repo)}
    command = [sys.executable, "-c", _HOLDER, str(survey), QCoreApplication.applicationName()]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        yield survey
        process.communicate("end\n", timeout=20)


def test_a_second_pavo_opens_a_session_read_only_and_saves_it_under_another_name(
    qtbot: QtBot, open_window: Open, opened_elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened_elsewhere.read_bytes()
    window = open_window(opened_elsewhere)
    document = window.document
    assert document.session.read_only
    assert document.derived is not None
    assert window.windowTitle() == "survey · read-only — Pavo"
    assert window.messages.text == ("This session is open in another Pavo. Save it under another name to keep changes.")
    document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.25)))
    wait_idle(qtbot, document)
    assert window.windowTitle() == "survey · modified · read-only — Pavo"
    other = opened_elsewhere.with_name("other.pavo")
    proposed: list[Path] = []
    choice = iter((opened_elsewhere, other))

    def save_file(_parent: Any, _title: str, start: Path, _filters: str) -> Path:
        proposed.append(start)
        return next(choice)

    monkeypatch.setattr(dialogs, "save_file", save_file)
    window.menu_actions["actionSave"].trigger()
    assert window.messages.text == "survey.pavo is open in another Pavo. Save under another name."
    assert opened_elsewhere.read_bytes() == before
    window.menu_actions["actionSave"].trigger()
    assert len(proposed) == 2
    assert window.windowTitle() == "other — Pavo"
    assert "0.25" in other.read_text("utf-8")
    assert opened_elsewhere.read_bytes() == before


# Without the data file -----------------------------------------------------------------------------------------------


def test_a_data_file_that_moved_is_located(
    qtbot: QtBot, open_window: Open, survey: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = survey.with_name("survey.asc")
    moved = data.rename(data.with_name("moved.asc"))
    window = open_window(survey)
    assert window.messages.text.startswith(f"There is no file {data}.")
    assert [button.text() for button in offers(window)] == ["Locate…"]
    assert window.document.recipe.recodes and window.document.recipe.combinations
    assert "needs attention" in window.steps.button("Data").accessibleName()
    monkeypatch.setattr(dialogs, "open_file", lambda *_args: None)
    press(qtbot, window, "Locate…")
    assert window.document.derived is None
    assert window.messages.text, "where nothing was located the offer stays"
    monkeypatch.setattr(dialogs, "open_file", lambda *_args: moved)
    press(qtbot, window, "Locate…")
    assert window.document.recipe.input.data == moved
    assert window.document.session.history.undo_label == "Data file moved.asc"
    assert window.document.derived is not None
    assert window.messages.text == ""


def test_a_data_file_that_changed_is_accepted_as_one_step(qtbot: QtBot, open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    window.document.save()
    window.close()
    data = survey.with_name("survey.asc")
    lines = data.read_bytes().splitlines(keepends=True)
    data.write_bytes(b"".join(lines[:-3]))
    window = open_window(survey)
    assert window.document.derived is None
    assert window.messages.text.startswith("survey.asc is not the file that the recipe was saved with")
    assert window.messages.text.endswith("without results, until you accept the file as it is now.")
    assert [button.text() for button in offers(window)] == ["Accept the changed file"]
    assert "needs attention" in window.steps.button("Data").accessibleName()
    press(qtbot, window, "Accept the changed file")
    assert window.document.derived is not None
    assert window.document.derived.records == len(lines) - 3
    assert window.document.session.history.undo_label == "Accept the changed data file"
    assert window.messages.text == ""
    assert "done" in window.steps.button("Data").accessibleName()
