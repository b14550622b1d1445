"""A first start, where nothing is compiled: the window answers, says what is prepared, and what waits can stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from core.base.progress import SILENT
from core.kernels import cache, declare
from gui.app import warm_up
from gui.main_window.window import MainWindow
from main import build_application
from tests.core.base.windows_pipe import PipeOfWindows
from tests.gui.heartbeat import Heart
from tests.gui.waiting import wait_idle

STEPS = 20
RUNS = 3
WORST_MS = 50
"""A longer gap is felt."""


def compile_slowly(told: Connection) -> None:
    """Stands for the compilation of all kernels: as busy, shorter."""
    for step in range(STEPS):
        told.send((step, STEPS))
        until = time.perf_counter() + 0.1
        while time.perf_counter() < until:
            pass


def compile_until_ended(told: Connection) -> None:
    told.send((1, 4))
    time.sleep(60)


def test_first_start_ends_quietly_where_the_child_ended_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child closes its end of the pipe a moment before it is seen to have ended."""
    lives = [True, True, False]
    child = SimpleNamespace(is_alive=lambda: lives.pop(0) if lives else False, join=lambda _seconds=None: None)
    pipe = PipeOfWindows((1, 1))
    monkeypatch.setattr(warm_up, "Pipe", lambda duplex: (pipe, PipeOfWindows()))
    monkeypatch.setattr(warm_up, "start", lambda *_: child)

    warm_up._follow(SILENT)

    assert pipe.closed


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Connection], None]], MainWindow]:
    """A main window whose kernels are compiled by a stand-in; that any is compiled or loaded here is an error."""

    def start(stand_in: Callable[[Connection], None]) -> MainWindow:
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "empty"))
        monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
        monkeypatch.setattr(warm_up, "compile_kernels", stand_in)
        _, window = build_application(["pavo"])
        window.show()
        return window

    return start


@pytest.fixture
def started(
    cold: Callable[[Callable[[Connection], None]], MainWindow], answers: list[int]
) -> Iterator[Callable[[Callable[[Connection], None]], MainWindow]]:
    """`cold`, with windows closed at the end."""
    made: list[MainWindow] = []

    def start(stand_in: Callable[[Connection], None]) -> MainWindow:
        made.append(cold(stand_in))
        return made[-1]

    yield start
    for window in made:
        answers[:] = [1]
        window.close()
        window.deleteLater()


def said(window: MainWindow) -> str:
    label = window.findChild(QLabel, "workText")
    assert isinstance(label, QLabel)
    return label.text() if label.isVisible() else ""


def test_the_window_answers_while_kernels_are_compiled_and_says_so(
    started: Callable[[Callable[[Connection], None]], MainWindow], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[str] = []
    monkeypatch.setattr(declare.Kernel, "prepare", lambda kernel: prepared.append(kernel.py_func.__name__))
    gaps = []
    for _ in range(RUNS):  # other programs may take the processors
        window = started(compile_slowly)
        qtbot.waitUntil(lambda window=window: "You can begin" in said(window), timeout=20_000)
        bar = window.findChild(QProgressBar, "workBar")
        cancel = window.findChild(QPushButton, "workCancel")
        heart = Heart()
        heart.begin("preparing")
        qtbot.waitUntil(lambda bar=bar: bar.isVisible() and bar.maximum() > 0 and bar.value() >= 500, timeout=20_000)
        heart.stop()
        assert not cancel.isVisible()  # nobody waits
        window.document.tasks.cancel("warm-up")
        qtbot.waitUntil(lambda window=window: window.document.tasks.rests, timeout=20_000)
        qtbot.waitUntil(lambda window=window: said(window) == "")
        gaps.append(heart.gaps["preparing"])
        if gaps[-1] < WORST_MS:
            break
    assert min(gaps) < WORST_MS
    assert prepared == []


def test_what_waits_for_the_preparation_can_be_stopped_at_once(
    started: Callable[[Callable[[Connection], None]], MainWindow], qtbot: QtBot, demo: Path
) -> None:
    window = started(compile_until_ended)
    qtbot.waitUntil(lambda: "You can begin" in said(window), timeout=20_000)
    window.commands.open_path(demo / "survey.pavo")
    cancel = window.findChild(QPushButton, "workCancel")
    qtbot.waitUntil(cancel.isVisible, timeout=5_000)
    assert "Preparing the calculations" in said(window)
    begun = time.perf_counter()
    QTimer.singleShot(0, cancel.click)
    qtbot.waitUntil(lambda: not window.document.busy)
    assert time.perf_counter() - begun < 2
    assert window.document.recipe.input.data is None
    window.document.tasks.cancel("warm-up")
    qtbot.waitUntil(lambda: window.document.tasks.rests, timeout=20_000)


def test_figures_come_once_kernels_are_compiled(
    open_window: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, demo: Path
) -> None:
    """The compilation fails here, or there is no room for what it makes: kernels are compiled as they are called."""
    monkeypatch.setattr(cache, "is_complete", lambda: False)
    monkeypatch.setattr(warm_up, "compile_kernels", print)
    window = open_window(demo / "survey.pavo")
    wait_idle(qtbot, window.document)
    assert window.document.derived is not None
