"""A home of its own for every test of the windows, and worlds to test in."""

from __future__ import annotations

import gc
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QLocale
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.base.errors import Notice
from core.base.progress import Progress
from core.base.texts import current_language
from core.data.variables import Metadata
from core.recipe.model import Input, Recipe
from core.suppression.search_budget import USUAL_EFFORT, SearchBudget
from gui import dialogs, language
from gui import settings as own_settings
from gui.app import application
from gui.document.document import Document
from gui.global_recode import preview
from gui.global_recode.window import GlobalRecode
from gui.main_window import demonstration
from gui.main_window.window import MainWindow
from gui.settings import settings
from gui.shared import accessible
from gui.specify_metadata import draft as metadata_draft
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.global_recode.hand import keys_chosen
from tests.gui.make_protected_file.hand import Hands, copy_survey, open_protecting
from tests.gui.risk_chart.hand import RISK, Charts, Hand, delimited, session
from tests.gui.specify_metadata.hand import opened
from tests.gui.waiting import wait_idle

DROPPED = [0] * 10
"""Answers to the question whether unfinished input is dropped, for every window there may be."""


HERE = Path(__file__).parent


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """As in the program (gui/app/garbage.py): nothing of Qt is collected by another thread (the runner has some)."""
    if HERE not in item.path.parents:  # pytest calls this of every test, and looking through everything is dear
        return (yield)
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
    monkeypatch.setattr("gui.shared.disk_question.PATIENCE", 10)  # a busy machine is no slow disk
    documents = folder / "Documents"
    documents.mkdir()
    for module in (demonstration, dialogs, own_settings):
        monkeypatch.setattr(module, "documents", lambda: documents)
    if not current_language().startswith("en"):  # a test before opened the program on another desktop
        language.speak("")
    QLocale.setDefault(QLocale("en_US"))
    if not current_language().startswith("en"):
        language.speak("")
    settings.forget_file()
    yield folder
    settings.forget_file()


@pytest.fixture
def listening(qapp: QApplication) -> Iterator[None]:
    """As while an assistive tool is there."""
    accessible.install()
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Answers that questions will get, in order; when they run out, the last answer of each (cancel)."""
    queue: list[int] = []

    def ask(_parent: Any, _text: str, _detail: str, choices: Any, _default: int = 0) -> int:
        return queue.pop(0) if queue else len(choices) - 1

    monkeypatch.setattr(dialogs, "ask", ask)
    return queue


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every search makes a fiftieth of the effort that it is asked for: how few values are enough no such test says."""
    begun = SearchBudget.__init__

    def begin(reach: SearchBudget, effort: int = USUAL_EFFORT, *more: Any, **named: Any) -> None:
        begun(reach, max(effort // 50, 1), *more, **named)

    monkeypatch.setattr(SearchBudget, "__init__", begin)


@dataclass
class FakeDerived:
    """Stands for results; recognised by the recipe it came from."""

    recipe: Recipe
    microdata: Any = None
    notices: tuple[Notice, ...] = ()
    metadata: Metadata = field(default_factory=lambda: Metadata("delimited", ()))
    overview: Any = field(default_factory=lambda: SimpleNamespace(is_whole=True))


@dataclass
class FakeSession:
    """Derives at once, or when allowed; notes what it was asked."""

    derived: list[Recipe] = field(default_factory=list)
    held: bool = False
    read: list[Recipe] = field(default_factory=list)
    slow_to_read: bool = False
    error: Exception | None = None

    def renew(self) -> None:
        """No file is kept."""

    def checksums(self, _files: Mapping[Path, Path], _progress: Progress) -> tuple[tuple[Path, str], ...]:
        """No file is read."""
        return ()

    def known_overview(self, derived: FakeDerived) -> Any:
        return derived.overview

    def prepare(self, recipe: Recipe, progress: Progress, columns: str) -> None:
        """Reads at once, or when allowed."""
        self.read.append(recipe)
        while self.slow_to_read:
            progress.check()
            time.sleep(0.001)

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
    monkeypatch.setattr("core.results.unsafe_records.unsafe_counts", lambda _derived, _progress: ({}, {}))
    monkeypatch.setattr("core.release.pinned_inputs.inputs_of", lambda _derived: {})
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


@pytest.fixture
def open_window(
    qtbot: QtBot, answers: list[int], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., MainWindow]]:
    """Main windows with files opened and results there; closed at the end without saving."""
    from main import build_application

    monkeypatch.setattr(application, "WARM_UP_AFTER_MS", 0)  # nobody looks at what is drawn first
    monkeypatch.setattr(preview, "_WAIT_MS", 25)  # and nobody types, or fast
    monkeypatch.setattr(metadata_draft, "_EXAMINE_AFTER_MS", 25)
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
        answers[:] = [1, *DROPPED]
        if not window.close():  # nothing to save, and the first question was about unfinished input
            answers[:] = DROPPED
            window.close()
        window.deleteLater()
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # else a later change of theme styles them all


@pytest.fixture
def chart(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> Hand:
    """The demonstration survey: five keys after recoding, threshold 0.05, criterion weights."""
    return Hand(qtbot, open_window(demo / "survey.pavo"))


@pytest.fixture
def demodata_chart(qtbot: QtBot, open_window: Callable[..., MainWindow], shared: Path, tmp_path: Path) -> Hand:
    """Demodata with its published threshold."""
    folder = shared / "data" / "demodata"
    body = f'[[combinations]]\nvariables = ["REGION", "SEX", "AGE", "MARSTAT"]\n{RISK}'
    body += "[threshold]\nindividual_risk = 0.00125\n"
    return Hand(qtbot, open_window(session(tmp_path, folder / "Demodata.asc", folder / "Demodata.rda", body)))


@pytest.fixture
def small_chart(qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path) -> Charts:
    """A small delimited file of the test's own with variables A and B (or others)."""

    def build(rows: list[tuple[int, ...]], body: str, header: str = "W,A,B") -> Hand:
        return Hand(qtbot, open_window(delimited(tmp_path, header, rows, body)))

    return build


@pytest.fixture
def survey_window(open_window: Callable[..., MainWindow], demo: Path) -> MainWindow:
    """The main window with the demonstration survey as a fixed file."""
    return open_window(demo / "survey.asc")


@pytest.fixture
def metadata(qtbot: QtBot, survey_window: MainWindow, answers: list[int]) -> Iterator[SpecifyMetadata]:
    """Specify Metadata of the demonstration survey, examined; closed at the end without taking anything over."""
    made = opened(qtbot, survey_window)
    yield made
    if survey_window.window_named("specifyMetadata") is not None:
        answers[:] = [0]
        made.close()


@pytest.fixture
def survey(demo: Path, tmp_path: Path) -> Path:
    """The demonstration in a folder of its own."""
    folder = tmp_path / "demo"
    shutil.copytree(demo, folder)
    return folder


@pytest.fixture
def recode_window(qtbot: QtBot, open_window: Callable[..., MainWindow], survey: Path) -> Iterator[GlobalRecode]:
    """Global Recode of the demonstration's AGE, with three keys chosen; its draft is dropped at the end."""
    made = keys_chosen(qtbot, open_window(survey / "survey.asc"))
    yield made
    made.drafts.forget()


@pytest.fixture
def main(open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> MainWindow:
    """The main window with the demonstration survey in the test's own folder."""
    return open_window(copy_survey(demo, tmp_path))


@pytest.fixture
def hands(main: MainWindow, qtbot: QtBot) -> Iterator[Hands]:
    """Make Protected File of that survey; what was not taken over is dropped at the end."""
    window = open_protecting(main, qtbot)
    yield Hands(window, qtbot)
    if main.window_named("makeProtectedFile") is window:
        window.reload()
        window.close()
