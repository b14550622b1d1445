"""Another file, or the end of the program, while a protected file is being made or previewed: asked about first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

import core.release.verification
from gui import dialogs
from gui.document import engine
from gui.main_window.window import MainWindow
from tests.gui.held import Held
from tests.gui.make_protected_file.hand import Hands, copy_survey, open_protecting
from tests.gui.waiting import wait_idle

Leave = Callable[[MainWindow, Path], None]
GO_ON, STOP = 1, 0


def by_menu(main: MainWindow, other: Path) -> None:
    main.menu_actions["actionOpenSession"].trigger()


def by_drop(main: MainWindow, other: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(other))])
    actions, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(main, QDragEnterEvent(QPoint(50, 50), actions, mime, button, none))
    QApplication.sendEvent(main, QDropEvent(QPointF(50, 50), actions, mime, button, none))
    QTest.qWait(50)  # it is opened once the drop is over


def by_drop_of_data(main: MainWindow, other: Path) -> None:
    by_drop(main, other.with_name("survey.asc"))


def by_demonstration(main: MainWindow, other: Path) -> None:
    main.menu_actions["actionTryTheDemonstrationSurvey"].trigger()


def by_closing_the_program(main: MainWindow, other: Path) -> None:
    main.close()


class Asked:
    """Questions and their answers; what is not saved is given up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: list[str] = []
        self.defaults: list[int] = []
        self.answer = GO_ON
        monkeypatch.setattr(dialogs, "ask", self)

    def __call__(self, _parent: Any, text: str, _detail: str, _answers: Any, default: int = 0) -> int:
        if text.startswith("Save the changes"):
            return 1
        self.texts.append(text)
        self.defaults.append(default)
        return self.answer


@pytest.fixture
def other(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "other").mkdir()
    path = copy_survey(demo, tmp_path / "other").rename(tmp_path / "other" / "another.pavo")
    monkeypatch.setattr(dialogs, "open_file", lambda *_args, **_kwargs: path)
    return path


@pytest.fixture
def hands(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> Hands:
    (tmp_path / "own").mkdir()
    main = open_window(copy_survey(demo, tmp_path / "own"))
    return Hands(open_protecting(main, qtbot), qtbot)


@pytest.fixture
def main(hands: Hands) -> MainWindow:
    found = next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible())
    assert found.document is hands.window.document
    return found


def begin(hands: Hands, held: Held, button: str) -> None:
    hands.qtbot.mouseClick(hands.find(QPushButton, button), Qt.MouseButton.LeftButton)
    hands.qtbot.waitUntil(held.begun.is_set, timeout=20_000)


@pytest.mark.filterwarnings("ignore:.*QDragEnterEvent")  # its only constructor in some versions
@pytest.mark.parametrize("leave", [by_menu, by_drop, by_closing_the_program])
def test_who_goes_on_with_it_gets_the_file(
    hands: Hands, main: MainWindow, other: Path, tmp_path: Path, leave: Leave, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, held, target = Asked(monkeypatch), Held(monkeypatch, core.release.verification, "verify"), tmp_path / "safe"
    hands.type_path(str(target / "survey_safe.asc"))
    begin(hands, held, "makeFile")
    name = main.document.session.name
    leave(main, other)
    assert asked.texts == ["The protected file is still being made; stop it, so that no file is written?"]
    assert asked.defaults == [GO_ON]
    assert main.isVisible() and hands.window.isVisible() and main.document.session.name == name
    held.go.set()
    wait_idle(hands.qtbot, main.document)
    assert (target / "survey_safe.asc").is_file()
    assert main.document.session.released is not None
    assert "written and verified" in hands.window.messages.text


@pytest.mark.filterwarnings("ignore:.*QDragEnterEvent")
@pytest.mark.parametrize("leave", [by_menu, by_drop_of_data, by_demonstration])
def test_who_stops_it_gets_the_other_file_and_nothing_is_left_of_it(
    hands: Hands, main: MainWindow, other: Path, tmp_path: Path, leave: Leave, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, held, target = Asked(monkeypatch), Held(monkeypatch, core.release.verification, "verify"), tmp_path / "safe"
    asked.answer = STOP
    before = sorted(tmp_path.rglob("*"))
    hands.type_path(str(target / "survey_safe.asc"))
    begin(hands, held, "makeFile")
    assert list(target.glob(".pavo-*")), "it is half written"
    leave(main, other)
    assert len(asked.texts) == 1
    assert main.window_named("makeProtectedFile") is None
    wait_idle(hands.qtbot, main.document)
    assert main.document.session.released is None
    assert main.document.recipe.input.data is not None
    assert main.document.recipe.input.data.parent != tmp_path / "own"
    assert sorted(tmp_path.rglob("*")) == before


def test_a_preview_is_asked_about_too_and_who_closes_the_window_alone_is_asked_as_well(
    hands: Hands, main: MainWindow, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, held = Asked(monkeypatch), Held(monkeypatch, main.document._engine, "ask", engine.protect)
    begin(hands, held, "preview")
    hands.qtbot.keyClick(hands.window, Qt.Key.Key_Escape)
    assert hands.window.isVisible()
    by_menu(main, other)
    assert hands.window.isVisible()
    assert asked.texts == ["The preview is still being computed; stop it and lose what it has found?"] * 2
    held.go.set()
    wait_idle(hands.qtbot, main.document)
    assert "332 values suppressed" in hands.text("previewHeadline")


def test_nothing_is_asked_where_nothing_runs_or_it_was_stopped_already(
    hands: Hands, main: MainWindow, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, held = Asked(monkeypatch), Held(monkeypatch, main.document._engine, "ask", engine.protect)
    begin(hands, held, "preview")
    hands.click("stop")
    by_menu(main, other)
    wait_idle(hands.qtbot, main.document)
    assert (asked.texts, main.document.session.name) == ([], "another")


def test_a_file_that_cannot_be_opened_stops_nothing(
    hands: Hands, main: MainWindow, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, held = Asked(monkeypatch), Held(monkeypatch, main.document._engine, "ask", engine.protect)
    other.write_text("no session", encoding="utf-8")
    begin(hands, held, "preview")
    by_menu(main, other)
    assert asked.texts == []
    assert hands.window.work.running
    held.go.set()
    wait_idle(hands.qtbot, main.document)
