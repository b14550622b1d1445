"""A home of its own for every test of the windows, and worlds to test in."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.errors import Notice
from core.microdata.variables import Metadata
from core.progress import Progress
from core.recipe.model import Input, Recipe
from gui import commands, demonstration, dialogs
from gui.document import Document
from gui.settings import settings
from gui.windows import make_protected_file
from gui.windows.main_window import MainWindow

WAIT_MS = 60_000


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """As in the program (gui/garbage.py): nothing of Qt is collected by another thread (the runner has some)."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.enable()


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Settings, locks, autosaves and documents of this test only."""
    folder = tmp_path_factory.mktemp("home")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(folder / name))
    monkeypatch.setenv("PAVO_STATE", str(folder / "state"))
    documents = folder / "Documents"
    documents.mkdir()
    for module in (commands, demonstration, dialogs, make_protected_file):
        monkeypatch.setattr(module, "documents", lambda: documents)
    QLocale.setDefault(QLocale("en_US"))
    settings.forget_file()
    yield folder
    settings.forget_file()


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Answers that questions will get, in order; when they run out, the last answer of each (cancel)."""
    queue: list[int] = []

    def ask(_parent: Any, _text: str, _detail: str, choices: Any, _default: int = 0) -> int:
        return queue.pop(0) if queue else len(choices) - 1

    monkeypatch.setattr(dialogs, "ask", ask)
    return queue


@dataclass
class FakeDerived:
    """Stands for results; recognised by the recipe it came from."""

    recipe: Recipe
    microdata: Any = None
    notices: tuple[Notice, ...] = ()
    metadata: Metadata = field(default_factory=lambda: Metadata("delimited", ()))


@dataclass
class FakeSession:
    """Derives at once, or when allowed; notes what it was asked."""

    derived: list[Recipe] = field(default_factory=list)
    held: bool = False
    error: Exception | None = None

    def renew(self) -> None:
        """No file is kept."""

    def derive(self, recipe: Recipe, progress: Progress) -> FakeDerived:
        self.derived.append(recipe)
        while self.held:
            progress.check()
            time.sleep(0.001)
        if self.error is not None:
            raise self.error
        return FakeDerived(recipe)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeSession:
    """A session without data; unsafe records are none."""
    monkeypatch.setattr("core.derive.unsafe_records.unsafe_counts", lambda _derived, _progress: ({}, {}))
    return FakeSession()


@pytest.fixture
def document(qapp: QApplication, fake: FakeSession) -> Iterator[Document]:
    """A document over the fake session."""
    made = Document(lambda: fake)
    yield made
    fake.held = False
    made.shut_down()


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    """A recipe whose data file exists."""
    data = tmp_path / "survey.csv"
    data.write_text("SEX,AGE\n1,2\n", encoding="utf-8")
    return Recipe(input=Input(data=data))


def wait_idle(qtbot: QtBot, document: Document) -> None:
    """Run the event loop until nothing is computed."""
    qtbot.waitUntil(lambda: not document.busy, timeout=WAIT_MS)


@pytest.fixture
def open_window(qtbot: QtBot, answers: list[int]) -> Iterator[Callable[..., MainWindow]]:
    """Main windows with files opened and results there; closed at the end without saving."""
    from main import build_application

    made: list[MainWindow] = []

    def build(*files: Path) -> MainWindow:
        _, window = build_application(["pavo", *(os.fspath(file) for file in files)])
        made.append(window)
        window.show()
        window.resize(1160, 700)
        qtbot.waitExposed(window)
        wait_idle(qtbot, window.document)
        return window

    yield build
    for window in made:
        answers[:] = [1]
        window.close()
        window.deleteLater()
    QApplication.processEvents()
