"""Make Protected File: files outside the session's folder are marked, and those of an opened session asked about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from gui import dialogs
from gui.main_window.window import MainWindow
from tests.gui.make_protected_file.hand import Hands, copy_survey, keep_all
from tests.gui.waiting import wait_idle

pytestmark = pytest.mark.usefixtures("hurried")

Open = Callable[..., MainWindow]


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked; every question is answered by no."""
    asked: list[str] = []

    def ask(_parent: object, text: str, detail: str = "", *_rest: object) -> int:
        asked.append(f"{text}\n{detail}")
        return 1

    monkeypatch.setattr(dialogs, "ask", ask)
    return asked


@pytest.fixture
def given(demo: Path, tmp_path: Path, open_window: Open, qtbot: QtBot) -> Hands:
    """The window on a session whose file names a report elsewhere."""
    own = tmp_path / "own"
    own.mkdir()
    session = copy_survey(demo, own)
    text = session.read_text("utf-8")
    assert '"safe/survey.html"' in text
    session.write_text(text.replace("safe/survey.html", "../away/start.html"), encoding="utf-8")
    main = open_window(session)
    keep_all(main, qtbot)
    main.menu_actions["actionMakeProtectedFile"].trigger()
    window = main.window_named("makeProtectedFile")
    assert window is not None
    wait_idle(qtbot, main.document)
    return Hands(window, qtbot)  # type: ignore[arg-type]


def test_a_file_that_an_opened_session_names_elsewhere_is_written_once_confirmed(
    given: Hands, tmp_path: Path, questions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert str(tmp_path / "away") in given.text("outputOutside")
    assert "asks before" in given.text("outputOutside")
    assert given.text("file_report").startswith("Outside: ")
    given.click("makeFile")
    assert len(questions) == 1
    assert str(tmp_path / "away" / "start.html") in questions[0]
    assert "survey.saf" not in questions[0]
    assert not (tmp_path / "away").exists()
    assert not (tmp_path / "own" / "safe").exists()
    monkeypatch.setattr(dialogs, "ask", lambda *_arguments: 0)
    given.click("makeFile")
    assert (tmp_path / "away" / "start.html").is_file()
    assert "asks before" not in given.text("outputOutside")
    (tmp_path / "away" / "start.html").unlink()
    (tmp_path / "own" / "safe" / "survey.saf").unlink()
    asked = list(questions)
    given.click("makeFile")
    assert questions == asked
    assert (tmp_path / "away" / "start.html").is_file()


def test_a_link_of_an_opened_session_is_looked_through(given: Hands, tmp_path: Path, questions: list[str]) -> None:
    assert given.text("outputOutside").startswith("1 file ")
    given.type_path(str(tmp_path / "own" / "safe" / "other.saf"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "own" / "safe").symlink_to(tmp_path / "elsewhere")
    given.type_path(str(tmp_path / "own" / "safe" / "survey.saf"))
    assert given.text("outputOutside").startswith("4 files ")
    assert str(tmp_path / "elsewhere") in given.text("outputOutside")


def test_what_the_user_chooses_elsewhere_is_marked_and_needs_no_leave(
    hands: Hands, tmp_path: Path, questions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    away = tmp_path.parent / f"{tmp_path.name}-away"
    away.mkdir()
    monkeypatch.setattr(dialogs, "save_file", lambda *_args: away / "safe.asc")
    assert not hands.text("outputOutside")
    hands.click("outputPathBrowse")
    assert str(away) in hands.text("outputOutside")
    assert "asks before" not in hands.text("outputOutside")
    hands.click("makeFile")
    assert questions == []
    assert (away / "safe.asc").is_file()


def test_who_chooses_the_same_file_again_is_not_asked(
    given: Hands, tmp_path: Path, questions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = given.window.document.session
    monkeypatch.setattr(dialogs, "save_file", lambda *_args: tmp_path / "own" / "safe" / "survey.saf")
    assert tmp_path / "own" / "safe" / "survey.saf" in session.given_outputs
    given.click("outputPathBrowse")
    assert tmp_path / "own" / "safe" / "survey.saf" not in session.given_outputs
    assert tmp_path / "away" / "start.html" in session.given_outputs


def test_a_session_on_data_that_is_saved_elsewhere_is_not_asked_about_its_own_files(
    demo: Path, tmp_path: Path, open_window: Open, qtbot: QtBot, questions: list[str]
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    copy_survey(demo, folder)
    main = open_window(folder / "survey.asc")
    main.menu_actions["actionMakeProtectedFile"].trigger()
    window = main.window_named("makeProtectedFile")
    assert window is not None
    hands = Hands(window, qtbot)  # type: ignore[arg-type]
    assert not hands.text("outputOutside")
    main.document.commit("files", hands.window.draft_recipe)
    (tmp_path / "sessions").mkdir()
    main.document.save(tmp_path / "sessions" / "session.pavo")
    hands.type_path(hands.find(QLineEdit, "outputPath").text())
    assert hands.text("outputOutside").startswith("4 files ")
    assert "asks before" not in hands.text("outputOutside")
    hands.click("makeFile")
    assert len(questions) == 1
    assert "No key variables" in questions[0]
