"""Every window in a language of strange letters: none of its texts is English."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.base.texts import use_language
from gui.main_window.window import MainWindow
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


def test_no_text_is_english(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = _of_data(demo) | _SAME
    with pseudo_language(tmp_path / "locale", monkeypatch):
        QLocale.setDefault(QLocale(PSEUDO))
        monkeypatch.setattr("gui.app.application.speak", lambda _language: use_language(PSEUDO))
        main = open_window(demo / "survey-households.pavo")
        use_language(PSEUDO)
        main.resize(1366, 768)
        english = _english(main, known)
        for action, name in WINDOWS.items():
            found = main.findChild(QAction, action)
            assert isinstance(found, QAction)
            found.trigger()
            wait_idle(qtbot, main.document)
            window = main.window_named(name)
            assert window is not None
            QApplication.processEvents()
            english |= {f"{name}: {where}": text for where, text in _english(window, known).items()}
        assert not english, "\n".join(f"{where}: {text[:200]!r}" for where, text in english.items())
