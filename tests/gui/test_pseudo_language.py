"""Every window in a language of strange letters and longer texts: none is English, all can be read whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.base.texts import use_language
from docs.screenshot_scenes import SCENES
from gui.main_window.window import MainWindow
from tests.gui.room import comes_to_rest, cramped
from tests.gui.seen_texts import seen_texts
from tests.gui.test_names import WINDOWS
from tests.gui.waiting import wait_idle
from tests.pseudo import PSEUDO, pseudo_language

_WORD = re.compile(r"[A-Za-z][a-z]{2,}")
_SAME = {
    "pavo", "survey", "households", "saf", "html", "json", "csv", "asc", "utf", "latin",  # names of files, encodings
    "english", "esperanto",
    "population",  # of the recipe
    "samarati", "sweeney",  # literature
    "alt", "down", "ctrl", "enter", "esc",  # keys
    "export", "scroll", "left", "right",  # Qt's and pyqtgraph's own
}  # fmt: skip
"""Words that are the same in every language."""
_OF_DIALOGS = {"cancel", "neighbour"}
"""Qt's own word, which it has in all languages of the program, and a name that is typed."""


def _of_data(demo: Path) -> set[str]:
    files = [path for path in demo.iterdir() if path.suffix in {".rda", ".cdl", ".pavo"}]
    return {word.lower() for path in files for word in _WORD.findall(path.read_text("utf-8"))}


def _english(window: QWidget, known: set[str]) -> dict[str, str]:
    """Texts with words that are neither translated nor of the data, by what says them."""
    found = {}
    for where, text in seen_texts(window):
        told = re.sub(r"(?<!\w)[~.]?/[^\n⟧]+", "", text)  # paths
        if {word.lower() for word in _WORD.findall(told)} - known:
            found[where] = text
    return found


SIZES = (1366, 768), (960, 600)
DIALOGS = [
    scene for scene in SCENES if scene.shown is not None and scene.data in ("demonstration", "households")
]  # fmt: skip


class Look:
    """What is wrong with windows that are looked at: English texts, texts without room, layouts without end."""

    def __init__(self, known: set[str]) -> None:
        self.known = known
        self.english: dict[str, str] = {}
        self.cramped: list[str] = []

    def at(self, name: str, window: QWidget) -> None:
        self.english |= {f"{name}: {where}": text for where, text in _english(window, self.known).items()}
        self.at_room(name, window)

    def at_room(self, name: str, window: QWidget) -> None:
        if not comes_to_rest():
            self.cramped.append(f"{name} {window.width()} x {window.height()} is set without an end")
        self.cramped += [f"{name} {window.width()} x {window.height()}: {found}" for found in cramped(window)]

    def judge(self) -> None:
        assert not self.english, "\n".join(f"{where}: {text[:200]!r}" for where, text in self.english.items())
        assert not self.cramped, "\n".join(dict.fromkeys(self.cramped))


@pytest.fixture
def strange(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    """The main window in that language, with the survey of households."""
    with pseudo_language(tmp_path / "locale", monkeypatch):
        QLocale.setDefault(QLocale(PSEUDO))
        monkeypatch.setattr("gui.app.application.speak", lambda _language: use_language(PSEUDO))
        main = open_window(demo / "survey-households.pavo")
        use_language(PSEUDO)
        main.resize(*SIZES[0])
        yield main


def test_windows_have_no_english_text_and_room_for_longer_ones(qtbot: QtBot, strange: MainWindow, demo: Path) -> None:
    look = Look(_of_data(demo) | _SAME)
    look.at("mainWindow", strange)
    for action, name in WINDOWS.items():
        strange.resize(*SIZES[0])
        found = strange.findChild(QAction, action)
        assert isinstance(found, QAction)
        found.trigger()
        wait_idle(qtbot, strange.document)
        window = strange.window_named(name)
        assert window is not None
        look.at(name, window)
        strange.resize(*SIZES[1])
        look.at_room(name, window)
        window.close()  # else each of them is set at every size of the others
    look.judge()


def test_dialogs_have_no_english_text_and_room_for_longer_ones(qtbot: QtBot, strange: MainWindow, demo: Path) -> None:
    look = Look(_of_data(demo) | _SAME | _OF_DIALOGS)
    assert len(DIALOGS) > 7
    for scene in DIALOGS:
        window = strange.windows.open_window(scene.window, **(scene.arguments or {}))
        wait_idle(qtbot, strange.document)
        assert scene.shown is not None
        if scene.act is not None:
            scene.act(window)
        wait_idle(qtbot, strange.document)
        dialog = scene.shown(window)
        assert dialog is not None, scene.name
        look.at(scene.name, dialog)
        dialog.close()
        window.close()
    look.judge()
