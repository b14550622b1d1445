"""The windows answer while a million records are computed, and what is cancelled leaves everything as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from tests.big_file import make_file
from tests.gui.waiting import wait_idle

RECORDS = 1_000_000
WORST_MS = 50
"""A longer gap is felt, where a million additions in Python take `ADDITIONS_MS`; a slower machine has longer."""
ADDITIONS_MS = 60
QUIET_MS = 25
"""A run counts where an idle event loop beside it had no longer gap."""
MOST_OTHERS = 0.2
"""And where other programs used no larger share of the machine: a thread that waits for a processor beats late."""
RUNS = 3
JUDGED = ("reading and tabulating", "opening the chart", "forecasting", "sliding", "protecting")


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    """For the programs measured: memory as the screen, settings of this test."""
    return os.environ | {"QT_QPA_PLATFORM": "offscreen", "HOME": str(home)}


@dataclass
class Run:
    """Longest gaps of the program by phase, and of an idle process beside it, in milliseconds."""

    gaps: dict[str, float]
    idle: float
    others: float
    """Share of the machine that other programs used meanwhile; 0 where that is not known."""
    additions: float
    """Milliseconds for a million additions."""

    @property
    def limit(self) -> float:
        """The longest gap that there may be here, in milliseconds."""
        return WORST_MS * max(1.0, self.additions / ADDITIONS_MS)

    @property
    def worst(self) -> str:
        """The phase that is judged and had the longest gap."""
        return max(JUDGED, key=lambda phase: self.gaps[phase])

    @property
    def answers(self) -> bool:
        """No gap is felt."""
        return self.gaps[self.worst] <= self.limit

    @property
    def counts(self) -> bool:
        """The machine had time for the program."""
        return self.idle < QUIET_MS and self.others < MOST_OTHERS

    def __str__(self) -> str:
        told = ", ".join(f"{phase} {gap:.0f}" for phase, gap in self.gaps.items())
        return (
            f"worst gap {self.gaps[self.worst]:.0f} of {self.limit:.0f} ms while {self.worst} ({told}); idle process "
            f"{self.idle:.0f} ms, others {self.others:.0%} of the machine"
        )


def beat(repo: Path, environment: dict[str, str], session: Path) -> Run:
    """Run the program on a session, beside an idle process."""
    command = [sys.executable, "-m", "tests.gui.heartbeat"]
    start, busy, own = time.perf_counter(), seconds_of_all_processors(), os.times()
    with subprocess.Popen(
        [*command, "idle"], cwd=repo, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as control:
        try:
            worked = subprocess.run(
                [*command, str(session)], cwd=repo, env=environment, capture_output=True, text=True, timeout=280,
                check=False,
            )  # fmt: skip
        finally:
            idle, _ = control.communicate(timeout=30)
    assert worked.returncode == 0, worked.stderr[-2000:]
    now = os.times()
    ours = now.children_user + now.children_system - own.children_user - own.children_system
    all_seconds = (time.perf_counter() - start) * (os.cpu_count() or 1)
    others = max(0.0, seconds_of_all_processors() - busy - ours) / all_seconds
    beside = json.loads(idle)
    return Run(json.loads(worked.stdout.splitlines()[-1]), beside["idle"], others, beside["additions"])


def seconds_of_all_processors() -> float:
    """Seconds for which processors were busy since the machine started; 0 where the system does not say."""
    statistics = Path("/proc/stat")
    if not statistics.exists():
        return 0.0
    user, nice, system, _idle, _waiting, *rest = map(int, statistics.read_text().splitlines()[0].split()[1:9])
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


@pytest.mark.alone
def test_the_window_answers_while_a_million_records_are_computed(
    repo: Path, environment: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = make_file(tmp_path, RECORDS, 4, 0.002)
    told, counted = [], 0
    for number in range(1, RUNS + 1):
        run = beat(repo, environment, session)
        told.append(f"run {number}: {run}")
        with capsys.disabled():
            print(f"\n{told[-1]}", end=" ")
        if run.answers:
            return
        counted += run.counts
    if counted < RUNS:
        pytest.skip("\n".join(["other programs needed the machine meanwhile", *told]))
    several = f"too long a gap in {RUNS} runs of {RUNS}, beside an idle process without any"
    pytest.fail("\n".join([several, *told]))


def folder_of(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """A session large enough to be stopped."""
    return make_file(tmp_path, 300_000, 4, 0.002)


def test_cancelled_opening_brings_back_what_was_open(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, big: Path
) -> None:
    window = open_window(demo / "survey.pavo")
    document = window.document
    before, derived = document.recipe, document.derived
    document.open_session(big)
    assert document.recipe is not before
    document.cancel()
    wait_idle(qtbot, document)
    assert document.recipe is before
    assert document.derived is derived
    assert not document.stale
    assert document.session.error is None


def test_cancelled_calculation_goes_back_to_the_recipe_with_results(
    qtbot: QtBot, open_window: Callable[..., MainWindow], big: Path
) -> None:
    document = open_window(big).document
    before, derived = document.recipe, document.derived
    other = before.combinations[0].variables[:2]
    document.commit("Fewer keys", before.with_(combinations=(replace(before.combinations[0], variables=other),)))
    document.cancel()
    wait_idle(qtbot, document)
    assert document.recipe is before
    assert document.derived is derived
    assert not document.stale
    document.redo()
    wait_idle(qtbot, document)
    assert document.derived.tables[0].combination.variables == other


def test_cancelled_protection_writes_nothing(qtbot: QtBot, open_window: Callable[..., MainWindow], big: Path) -> None:
    document = open_window(big).document
    before = folder_of(big.parent)
    told: list[str] = []
    document.make_protected_file(done=lambda _result: told.append("done"), cancelled=lambda: told.append("cancelled"))
    qtbot.waitUntil(lambda: any("Writing" in task.progress.text for task in document.tasks._pending), timeout=20_000)
    document.cancel()
    wait_idle(qtbot, document)
    QApplication.processEvents()
    assert told == ["cancelled"]
    assert document.session.released is None
    assert folder_of(big.parent) == before
    assert not (big.parent / "safe").exists()
