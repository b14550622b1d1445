"""Python's cyclic garbage while windows are there."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app.garbage import GarbageCollector
from gui.document.tasks import Tasks
from gui.main_window.window import MainWindow


@pytest.fixture
def phases() -> Iterator[list[str]]:
    """Names of the threads in which garbage was collected, in order."""
    where: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        where.append(threading.current_thread().name)

    thresholds = gc.get_threshold()
    gc.callbacks.append(note)
    gc.set_threshold(1, 1000, 1000)
    yield where
    gc.set_threshold(*thresholds)
    gc.callbacks.remove(note)


def test_garbage_is_collected_in_this_thread_only(qtbot: QtBot, phases: list[str]) -> None:
    collector, tasks = GarbageCollector(), Tasks()
    for _ in range(30):
        tasks.run("many", lambda progress: [[i] for i in range(1000)])
        qtbot.waitUntil(lambda: tasks.rests)
    qtbot.waitUntil(lambda: bool(phases))
    assert set(phases) == {threading.current_thread().name}
    tasks.stop()
    collector.deleteLater()


def test_nothing_is_collected_while_an_event_is_delivered(qtbot: QtBot, phases: list[str]) -> None:
    """The event's receiver may be garbage; the binding would go on using what the collection took away."""
    collector = GarbageCollector()
    during: list[int] = []

    def receive() -> None:
        before = len(phases)
        assert [[i] for i in range(1000)]
        during.append(len(phases) - before)

    timer = QTimer(interval=0)
    timer.timeout.connect(receive)
    timer.start()
    qtbot.waitUntil(lambda: len(during) > 20 and bool(phases))
    assert set(during) == {0}
    collector.deleteLater()


def test_a_closed_window_with_a_running_timer_is_taken_away_by_the_event_loop(qtbot: QtBot, qapp: QApplication) -> None:
    ended: list[str] = []

    class Ring:
        def __init__(self) -> None:
            self.timer = QTimer(interval=1)
            self.timer.timeout.connect(self.tick)
            self.timer.start()
            self.itself = self

        def tick(self) -> None: ...

        def __del__(self) -> None:
            ended.append(threading.current_thread().name)

    collector = GarbageCollector()
    thresholds = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    try:
        for _ in range(20):
            Ring()
        qtbot.waitUntil(lambda: len(ended) == 20)
    finally:
        gc.set_threshold(*thresholds)
    assert set(ended) == {threading.current_thread().name}
    collector.deleteLater()


def test_the_program_takes_over_from_the_automatic_collection(
    open_window: Callable[..., MainWindow], demo: Path
) -> None:
    gc.enable()
    QApplication.instance().setProperty("pavo", None)
    window = open_window(demo / "survey.pavo")
    assert window.document.derived is not None
    assert not gc.isenabled()
