"""A disk that answers late holds up nobody: the newest question is asked next, and its answer arrives by itself."""

from __future__ import annotations

import threading
import time

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from gui.shared import disk_question
from gui.shared.disk_question import DiskQuestion


def test_an_answer_that_comes_soon_is_given_at_once(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    monkeypatch.setattr(disk_question, "PATIENCE", 10)
    home = QObject()
    asked: DiskQuestion[int] = DiskQuestion(home)
    with qtbot.assertNotEmitted(asked.answered, wait=50):
        assert asked.ask(lambda: 3) == 3
    with pytest.raises(KeyError):
        asked.ask(lambda: {}["no"])


def test_only_the_newest_of_those_that_waited_is_answered(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_question, "PATIENCE", 0.01)
    home, held, told = QObject(), threading.Event(), list[str]()
    asked: DiskQuestion[str] = DiskQuestion(home)
    asked.answered.connect(told.append)

    def slow() -> str:
        held.wait(20)
        return "old"

    begun = time.perf_counter()
    assert asked.ask(slow) is None
    assert asked.ask(lambda: "between") is None
    assert asked.ask(lambda: "newest") is None
    assert time.perf_counter() - begun < 5
    held.set()
    qtbot.waitUntil(lambda: bool(told), timeout=20_000)
    qtbot.wait(20)
    assert told == ["newest"]
