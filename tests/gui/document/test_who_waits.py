"""Whom results reach: windows that are there still; and what the program notes whoever waits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.base.progress import Progress
from core.recipe.model import Recipe
from gui.document.document import Document
from gui.document.tasks import Tasks
from tests.gui.waiting import wait_idle


@pytest.fixture
def tasks(qapp: QApplication) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.stop()


class Held:
    """Work that ends when it is let go, deaf to cancelling."""

    def __init__(self, result: Any = "late") -> None:
        self.go = threading.Event()
        self.result = result

    def __call__(self, *_args: Any, progress: Progress) -> Any:
        self.go.wait(10)
        return self.result


def test_functions_around_methods_of_a_closed_window_are_not_called(qtbot: QtBot, tasks: Tasks) -> None:
    window, here, work = QLabel("shown"), QLabel(), Held()
    told: list[str] = []

    def around(done: Callable[[str], None], name: str) -> Callable[[str], None]:
        def called(result: str) -> None:
            told.append(name)
            done(result)

        return called

    tasks.run("closure", work, done=around(window.setText, "closure"))
    tasks.run("two closures", work, done=around(around(window.setText, "inner"), "outer"))
    tasks.run("partial", work, done=partial(around, window.setText))
    tasks.run("partial in a closure", work, done=around(partial(QLabel.setText, window), "partial"))
    tasks.run("there still", work, done=around(here.setText, "there still"))
    shiboken6.delete(window)
    work.go.set()
    qtbot.waitUntil(lambda: not tasks.busy)
    assert told == ["there still"]
    assert here.text() == "late"


def test_a_file_made_for_a_window_that_was_closed_is_known_of(
    qtbot: QtBot, document: Document, recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window is gone just before its file is done: the session knows the file, nobody touches the window."""
    document.start("Open", recipe)
    wait_idle(qtbot, document)
    work, window = Held("written"), QLabel()
    monkeypatch.setattr(document._engine, "carry_out", work)
    document.make_protected_file(done=window.setText)
    shiboken6.delete(window)
    work.go.set()
    wait_idle(qtbot, document)
    assert document.session.released == "written"


def test_a_function_that_refers_to_itself_is_called(qtbot: QtBot, tasks: Tasks) -> None:
    told: list[str] = []

    def again(result: str) -> None:
        told.append(result)
        if len(told) < 2:
            tasks.run("slot", lambda progress: "second", done=again)

    tasks.run("slot", lambda progress: "first", done=again)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told == ["first", "second"]
