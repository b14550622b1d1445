"""The compute thread: results come to the GUI thread, only the newest of a slot counts."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.base.errors import DataError, PavoError
from core.base.progress import Cancelled, Progress
from core.base.texts import language_in_use, translate
from gui.document.tasks import Tasks


@pytest.fixture
def tasks(qapp: QApplication) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.stop()


def until_cancelled(progress: Progress) -> None:
    while True:
        progress.check()
        time.sleep(0.001)


def test_work_runs_in_one_other_thread_and_its_result_comes_back_to_this_one(tasks: Tasks, qtbot: QtBot) -> None:
    threads: list[threading.Thread] = []
    results: list[tuple[int, threading.Thread]] = []

    def double(number: int, progress: Progress) -> int:
        threads.append(threading.current_thread())
        return 2 * number

    for i in range(4):
        tasks.run(f"slot {i}", double, i, done=lambda r: results.append((r, threading.current_thread())))
    qtbot.waitUntil(lambda: not tasks.busy)
    assert [result for result, _ in results] == [0, 2, 4, 6]
    assert {thread for _, thread in results} == {threading.current_thread()}
    assert len(set(threads)) == 1
    assert threads[0] is not threading.current_thread()


def test_texts_made_by_work_are_in_the_language_of_who_asked_for_it(tasks: Tasks, qtbot: QtBot) -> None:
    told: list[str] = []
    with language_in_use("de"):
        tasks.run("de", lambda progress: translate("Household identifier"), done=told.append)
    tasks.run("en", lambda progress: translate("Household identifier"), done=told.append)
    qtbot.waitUntil(lambda: not tasks.busy)
    assert told == ["Haushaltskennung", "Household identifier"]


def test_a_newer_run_of_a_slot_cancels_the_older_whose_outcome_is_dropped(tasks: Tasks, qtbot: QtBot) -> None:
    outcomes: list[Any] = []

    def report(name: str) -> dict[str, Any]:
        return {
            "done": lambda _r: outcomes.append(f"{name} done"),
            "failed": lambda _e: outcomes.append(f"{name} failed"),
            "cancelled": lambda: outcomes.append(f"{name} cancelled"),
        }

    tasks.run("slot", until_cancelled, **report("old"))
    tasks.run("slot", lambda progress: None, **report("middle"))
    tasks.run("slot", lambda progress: None, **report("new"))
    qtbot.waitUntil(lambda: not tasks.busy)
    assert outcomes == ["new done"]


def test_a_late_result_of_work_that_did_not_notice_is_dropped_too(tasks: Tasks, qtbot: QtBot) -> None:
    go = threading.Event()
    results: list[str] = []

    def deaf(progress: Progress) -> str:
        go.wait(5)
        return "old"

    tasks.run("slot", deaf, done=results.append)
    tasks.run("slot", lambda progress: "new", done=results.append)
    go.set()
    qtbot.waitUntil(lambda: not tasks.busy)
    assert results == ["new"]


def test_cancel_is_told_to_the_one_who_waits(tasks: Tasks, qtbot: QtBot) -> None:
    told: list[str] = []
    tasks.run("slot", until_cancelled, cancelled=lambda: told.append("cancelled"))
    tasks.cancel()
    qtbot.waitUntil(lambda: not tasks.busy)
    assert told == ["cancelled"]


def test_what_waits_behind_other_work_is_cancelled_at_once(tasks: Tasks, qtbot: QtBot) -> None:
    outcomes: list[str] = []
    begun: list[str] = []

    def work(name: str, progress: Progress) -> None:
        begun.append(name)
        until_cancelled(progress)

    tasks.run("preparing", work, "preparing", background=True)
    tasks.run("slot", work, "waiting", cancelled=lambda: outcomes.append("cancelled"))
    qtbot.waitUntil(lambda: begun == ["preparing"])
    tasks.cancel()
    qtbot.waitUntil(lambda: outcomes == ["cancelled"])
    assert not tasks.busy
    tasks.run("slot", lambda progress: None, done=lambda _r: outcomes.append("done"))
    tasks.cancel("preparing")
    qtbot.waitUntil(lambda: outcomes == ["cancelled", "done"])
    assert begun == ["preparing"]


def test_expected_errors_go_to_failed(tasks: Tasks, qtbot: QtBot) -> None:
    errors: list[PavoError] = []

    def fail(progress: Progress) -> None:
        raise DataError("bad-line", "Line {line} is bad.", line=3)

    tasks.run("slot", fail, failed=errors.append)
    qtbot.waitUntil(lambda: not tasks.busy)
    assert [str(error) for error in errors] == ["Line 3 is bad."]


def test_unexpected_errors_also_go_to_the_crash_handler(
    tasks: Tasks, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[PavoError] = []
    crashes: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: crashes.append(kind))
    tasks.run("slot", lambda progress: 1 / 0, failed=errors.append)
    qtbot.waitUntil(lambda: not tasks.busy)
    assert crashes == [ZeroDivisionError]
    assert [error.id for error in errors] == ["unexpected"]


def test_background_work_makes_nobody_wait(tasks: Tasks, qtbot: QtBot) -> None:
    started: list[bool] = []
    tasks.started.connect(lambda: started.append(True))
    results: list[int] = []
    tasks.run("warm-up", lambda progress: 1, done=results.append, background=True)
    assert not tasks.busy
    qtbot.waitUntil(lambda: results == [1])
    assert started == []


def test_busy_between_started_and_idle(tasks: Tasks, qtbot: QtBot) -> None:
    said: list[tuple[str, bool]] = []
    tasks.started.connect(lambda: said.append(("started", tasks.busy)))
    tasks.idle.connect(lambda: said.append(("idle", tasks.busy)))
    tasks.run("a", lambda progress: None, done=lambda _r: said.append(("done", tasks.busy)))
    tasks.run("b", lambda progress: None)
    qtbot.waitUntil(lambda: not tasks.busy)
    assert said == [("started", True), ("done", True), ("idle", False)]


def test_progress_is_passed_on(tasks: Tasks, qtbot: QtBot) -> None:
    seen: list[tuple[float, str]] = []
    tasks.progressed.connect(lambda fraction, text: seen.append((fraction, text)))

    def work(progress: Progress) -> None:
        progress.report(1, 4, "Reading")
        until_cancelled(progress)

    tasks.run("slot", work, cancelled=lambda: None)
    qtbot.waitUntil(lambda: (0.25, "Reading") in seen)
    tasks.cancel()
    qtbot.waitUntil(lambda: not tasks.busy)


def test_stop_ends_what_runs_and_tells_nobody(tasks: Tasks, qtbot: QtBot) -> None:
    told: list[str] = []
    tasks.run("slot", until_cancelled, cancelled=lambda: told.append("cancelled"))
    before = threading.active_count()
    tasks.stop()
    assert threading.active_count() == before - 1
    qtbot.wait(20)
    assert told == []


def test_a_result_for_a_window_that_was_closed_is_dropped(qtbot: QtBot, tasks: Tasks) -> None:
    """Neither a method of the window nor a function that holds it is called; the widgets it would touch are gone."""
    window = QLabel("shown")
    told: list[str] = []
    waiting = threading.Event()

    def slow(progress: Progress) -> str:
        waiting.wait(10)
        return "late"

    tasks.run("method", slow, done=window.setText)
    tasks.run("closure", slow, done=lambda text: told.append(window.text() + text))
    shiboken6.delete(window)
    waiting.set()
    qtbot.waitUntil(lambda: not tasks.busy)
    assert told == []


def test_nothing_is_begun_after_the_end(tasks: Tasks) -> None:
    """A window's timer may still ask for figures while the program is being closed."""
    tasks.stop()
    told: list[int] = []
    task = tasks.run("late", lambda progress: 1, done=told.append)
    assert task.superseded
    assert not tasks.busy
    assert told == []


def test_what_waited_for_a_result_is_let_go_in_this_thread(tasks: Tasks, qtbot: QtBot) -> None:
    ended: list[str] = []

    class Witness:
        def __call__(self, _result: object) -> None: ...

        def __del__(self) -> None:
            ended.append(threading.current_thread().name)

    for slot in ("first", "second"):
        tasks.run(slot, lambda progress: None, done=Witness())
        qtbot.waitUntil(lambda: tasks.rests)
    tasks.run("last", lambda progress: None)
    qtbot.waitUntil(lambda: tasks.rests)
    assert ended == [threading.current_thread().name] * 2


def test_work_stopped_by_the_progress_of_another_run_failed(
    tasks: Tasks, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody stopped it: who waits must not be told so, and what they entered is not taken back."""
    crashes, told = [], []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, _: crashes.append(error))

    def work(progress: Any) -> None:
        raise Cancelled

    tasks.run("a", work, failed=told.append, cancelled=lambda: told.append("cancelled"))
    qtbot.waitUntil(lambda: bool(crashes))
    assert [getattr(each, "id", each) for each in told] == ["unexpected"]


def test_work_for_times_of_rest_gives_way(tasks: Tasks, qtbot: QtBot) -> None:
    begun, told, rested = threading.Event(), [], []
    tasks.rested.connect(lambda: rested.append(len(told)))

    def idle_work(progress: Any) -> None:
        begun.set()
        while True:
            progress.check()
            time.sleep(0.001)

    tasks.run("rest", idle_work, done=told.append, background=True, gives_way=True)
    qtbot.waitUntil(begun.is_set)
    assert not tasks.busy
    tasks.run("shown", lambda progress: "shown", done=told.append)
    qtbot.waitUntil(lambda: bool(rested))
    assert (told, rested) == (["shown"], [1])


def test_outcomes_that_came_together_are_handed_over_one_a_turn(tasks: Tasks, qtbot: QtBot) -> None:
    """The windows answer between two of them."""
    told: list[str] = []
    for name in "abc":
        tasks.run(name, lambda progress: "", done=lambda _nothing, name=name: told.append(name))
    ended = threading.Event()
    tasks.run("last", lambda progress: ended.set(), done=lambda _nothing: told.append("last"))
    assert ended.wait(10)
    seen: list[tuple[str, ...]] = [()]
    while tasks.busy:
        QApplication.processEvents()
        if seen[-1] != tuple(told):
            seen.append(tuple(told))
    assert told == ["a", "b", "c", "last"]
    assert all(len(after) - len(before) <= 1 for before, after in itertools.pairwise(seen)), seen
