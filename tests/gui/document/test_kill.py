"""A session that is killed in the middle of anything comes back."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from core.recipe.toml import parse
from gui.document import autosave
from gui.document.document import Document
from gui.main_window.window import MainWindow
from tests.gui.document.killed_windows import DRAFTS, open_all, shown
from tests.gui.waiting import wait_idle

KILLS = 20
_HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no SIGKILL; the test needs a death without warning"
)


Told = tuple[list[str], int]
"""What a session told before it was killed, and how much of that was complete when the signal was sent."""


def heard_until_killed(number: int, output: TextIO, seed: int, enough: Callable[[list[str]], bool]) -> Told:
    """Listen to the process of this number until enough is told, and kill it."""
    told: list[str] = []
    while not enough(told):
        line = output.readline()
        assert line, "the session ended by itself"
        told.append(line)
    complete = max(place for place, line in enumerate(told, start=1) if line.startswith("written"))
    time.sleep(random.Random(seed).uniform(0, 0.05))
    os.kill(number, signal.SIGKILL)
    return told + [line for line in output if line.endswith("\n")], complete


def environment_of(home: Path) -> dict[str, str]:
    """For a process that is killed: settings of this test, memory as the screen."""
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(_HERE.parents[2]), "HOME": str(home)}


@pytest.fixture(scope="module")
def forker() -> Iterator[subprocess.Popen[str]]:
    """A process with the libraries loaded that forks one with a session for every line it gets."""
    command, environment = [sys.executable, str(_HERE / "killed_session.py")], environment_of(Path.home())
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process


def states_of(told: list[str], complete: int) -> list[dict[str, Any]]:
    """The states one of which must have come back: the last one that was complete, and what was begun after it."""
    return [json.loads(line.split(" ", 1)[1]) for line in told[complete - 1 :] if line.startswith("writ")]


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_session_comes_back(
    qtbot: QtBot, forker: subprocess.Popen[str], home: Path, demo: Path, seed: int
) -> None:
    wanted = random.Random(seed).randint(1, 12)

    def enough(told: list[str]) -> bool:
        return sum(line.startswith("written") for line in told) >= wanted

    pipe = home / "told"
    os.mkfifo(pipe)
    assert forker.stdin is not None and forker.stdout is not None
    session = [environment_of(home), str(pipe), str(demo / "survey.pavo"), seed, QCoreApplication.applicationName()]
    print(json.dumps(session), file=forker.stdin, flush=True)
    with pipe.open(encoding="utf-8") as output:
        states = states_of(*heard_until_killed(int(forker.stdout.readline()), output, seed, enough))
    (kept,) = autosave.left_behind()
    document = Document()
    document.restore(kept.sitting)
    wait_idle(qtbot, document)
    try:
        steps = [step.label for step in document.session.history.steps]
        assert (document.recipe, steps) in [(parse(s["recipe"], demo), s["steps"]) for s in states]
        assert document.derived is not None, "the session came back without its results"
        assert document.derived.recipe == document.recipe
        assert document.session.modified
    finally:
        document.shut_down()


@pytest.mark.parametrize(("seed", "held"), [(1, False), (2, True)])
def test_unfinished_input_of_every_window_comes_back(
    qtbot: QtBot,
    open_window: Callable[..., MainWindow],
    answers: list[int],
    home: Path,
    demo: Path,
    seed: int,
    held: bool,
) -> None:
    """`held`: whether the threshold is under the hand when the process dies; else it dies at any moment."""
    main = open_window()

    def enough(told: list[str]) -> bool:
        there = [line for line in told if line.startswith("written") and all(f'"{name}": ' in line for name in DRAFTS)]
        return len(there) > 2 and (not held or told[-1] == "held\n")

    command = [sys.executable, str(_HERE / "killed_windows.py"), str(demo / "survey.pavo"), str(seed)]
    with subprocess.Popen(command, env=environment_of(home), stdout=subprocess.PIPE, text=True, cwd=home) as process:
        assert process.stdout is not None
        states = states_of(*heard_until_killed(process.pid, process.stdout, seed, enough))
    document = main.document
    answers.append(0)
    main.menu_actions["actionRecoverSession"].trigger()
    wait_idle(qtbot, document)
    steps = [step.label for step in document.session.history.steps]
    drafts = json.loads(json.dumps(document.session.drafts))
    known = [(parse(state["recipe"], demo), state["steps"], state["drafts"]) for state in states]
    assert (document.recipe, steps, drafts) in known
    state = states[known.index((document.recipe, steps, drafts))]
    assert document.session.modified
    windows = open_all(main)
    assert shown(windows) == state["shown"]
    assert document.session.drafts == drafts, "still kept"
    for name in DRAFTS:
        assert windows[name].touched, name
    assert autosave.left_behind() == []
    for name in DRAFTS:
        answers[:] = [0]
        windows[name].close()
        assert main.window_named(name) is None
    assert document.session.drafts == {}
