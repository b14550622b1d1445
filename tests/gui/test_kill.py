"""A session that is killed in the middle of anything comes back."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from core.recipe.toml_form import parse
from gui import autosave
from gui.document import Document
from tests.gui.conftest import wait_idle

KILLS = 20
_WORKER = Path(__file__).with_name("killed_session.py")


def edited_until_killed(home: Path, session: Path, seed: int) -> tuple[list[str], int]:
    """What a session told before it was killed, and how much of that was complete when the signal was sent."""
    chance = random.Random(seed)
    wanted = chance.randint(1, 12)
    told: list[str] = []
    root = _WORKER.parents[2]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root), "HOME": str(home)}
    command = [sys.executable, str(_WORKER), str(session), str(seed), QCoreApplication.applicationName()]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, cwd=home) as process:
        assert process.stdout is not None
        while sum(line.startswith("written") for line in told) < wanted:
            line = process.stdout.readline()
            assert line, "the session ended by itself"
            told.append(line)
        complete = len(told)
        time.sleep(chance.uniform(0, 0.05))
        os.kill(process.pid, signal.SIGKILL)
        told += [line for line in process.stdout if line.endswith("\n")]
    return told, complete


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL; the test needs a death without warning")
@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_session_comes_back(qtbot: QtBot, home: Path, demo: Path, seed: int) -> None:
    told, complete = edited_until_killed(home, demo / "survey.pavo", seed)
    (kept,) = autosave.left_behind()
    document = Document()
    document.restore(kept.sitting)
    wait_idle(qtbot, document)
    try:
        steps = [step.label for step in document.history]
        states = [json.loads(line.split(" ", 1)[1]) for line in told[complete - 1 :]]
        assert (document.recipe, steps) in [(parse(s["recipe"], demo), s["steps"]) for s in states]
        assert document.derived is not None, "the session came back without its results"
        assert document.derived.recipe == document.recipe
        assert document.modified
    finally:
        document.shut_down()
