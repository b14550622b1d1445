"""Two runs to the same files: one wins, the other says so and changes nothing, wherever they meet."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.base import outputs as module
from core.base.errors import OutputError
from core.base.outputs import Outputs
from core.base.outputs_journal import recover
from tests.core.small_survey import Survey

ROOT = Path(__file__).parents[3]

RUNS = """
import os, sys
from pathlib import Path
from core.base.errors import OutputError
from core.base.outputs import Outputs

def carry_out(folder, who, pauses):
    steps = 0
    def step(call):
        def counted(*arguments, **named):
            nonlocal steps
            steps += 1
            if steps == pauses:
                print("paused", flush=True)
                sys.stdin.readline()
            return call(*arguments, **named)
        return counted

    targets = {role: folder / f"{role}.txt" for role in ("data", "report", "summary")}
    try:
        for name in ("replace", "unlink", "fsync", "chmod"):
            setattr(os, name, step(getattr(os, name)))
        with Outputs(targets, []) as outputs:
            for role in targets:
                outputs.write(role, who)
            outputs.commit()
    except OutputError:
        return "refused"
    return "done"

for line in sys.stdin:
    folder, pauses = line.rstrip().rsplit(" ", 1)
    process = os.fork()
    if not process:
        print(carry_out(Path(folder), "first", int(pauses)), flush=True)
        os._exit(0)
    os.waitpid(process, 0)
"""
"""Carries out a run for every line it gets, each in a process of its own; the libraries are loaded once for all."""


def starter(state: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", RUNS],
        cwd=ROOT,
        env={**os.environ, "PAVO_STATE": str(state)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


class Second(threading.Thread):
    """The second run, from its beginning to its end."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder, self.said = folder, ""

    def run(self) -> None:
        targets = {role: self.folder / f"{role}.txt" for role in ("data", "report", "summary")}
        try:
            with Outputs(targets, []) as outputs:
                for role in targets:
                    outputs.write(role, "second")
                outputs.commit()
            self.said = "done"
        except OutputError as error:
            self.said = error.id


def texts(folder: Path) -> set[str]:
    return {path.read_text() for path in folder.glob("*.txt")}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the first runs are forked")
@pytest.mark.parametrize("users", ["one user", "two users"])
@pytest.mark.parametrize("old", [True, False])
def test_wherever_one_run_stands_the_other_does_not_mix_in(
    tmp_path: Path, users: str, old: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is stopped before each of its steps in turn, and goes on when the second has ended or waits for it."""
    monkeypatch.setenv("PAVO_STATE", str(tmp_path / ("state" if users == "one user" else "other")))
    said = []
    with starter(tmp_path / "state") as runs:
        assert runs.stdin is not None and runs.stdout is not None
        for at in range(1, 60):
            folder = tmp_path / str(at)
            folder.mkdir()
            if old:
                for role in ("data", "report", "summary"):
                    (folder / f"{role}.txt").write_text("old")
            runs.stdin.write(f"{folder} {at}\n")
            first = runs.stdout.readline().strip()
            paused = first == "paused"
            second = Second(folder)
            second.start()
            second.join(0.3)
            if paused:
                runs.stdin.write("\n")
                first = runs.stdout.readline().strip()
            second.join(60)
            winners = {"first"} if first == "done" else set()
            winners |= {"second"} if second.said == "done" else set()
            assert winners, (at, second.said)
            assert len(texts(folder)) == 1, (at, winners)
            assert texts(folder) <= winners, at
            assert not list(folder.glob(".pavo-*"))
            said.append(second.said)
            if not paused:
                break
        runs.stdin.close()
    assert len(said) > 10
    assert set(said) <= {"done", "output-in-use", "output-changed"}
    assert len(set(said)) > 1


@pytest.mark.parametrize("written_as", ["the same", "through a link", "in capitals"])
def test_the_second_run_is_refused_at_once_and_changes_nothing(tmp_path: Path, written_as: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "out")
    names = {"the same": "out/a.txt", "through a link": "link/a.txt", "in capitals": "out/A.TXT"}
    with Outputs({"data": tmp_path / "out" / "a.txt"}, []) as first:
        first.write("data", "first")
        there = sorted((tmp_path / "out").iterdir())
        again = Outputs({"report": tmp_path / names[written_as], "data": tmp_path / "new" / "b.txt"}, [])
        with pytest.raises(OutputError, match="Another run of the program"):
            again.__enter__()
        assert sorted((tmp_path / "out").iterdir()) == there
        assert not (tmp_path / "new").exists()
        first.commit()
    assert (tmp_path / "out" / "a.txt").read_text() == "first"


def test_other_files_of_the_same_folder_may_be_written_meanwhile(tmp_path: Path) -> None:
    with Outputs({"data": tmp_path / "a.txt"}, []) as first, Outputs({"data": tmp_path / "b.txt"}, []) as second:
        for outputs in (first, second):
            outputs.write("data", "new")
            outputs.commit()
    assert texts(tmp_path) == {"new"}


@pytest.mark.parametrize("how", ["written", "made", "removed"])
def test_what_somebody_else_wrote_meanwhile_stays(tmp_path: Path, how: str) -> None:
    """As another user's run does, which this one cannot see."""
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_text("old a")
    if how != "made":
        b.write_text("old b")
    outputs = Outputs({"data": a, "report": b}, [])
    with outputs:
        outputs.write("data", "new a")
        outputs.write("report", "new b")
        if how == "removed":
            b.unlink()
        else:
            b.write_text("theirs")
        with pytest.raises(OutputError, match="somebody else"):
            outputs.commit()
    assert a.read_text() == "old a"
    assert not b.exists() if how == "removed" else b.read_text() == "theirs"
    assert not list(tmp_path.glob(".pavo-*"))


def test_the_command_says_it_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    survey = Survey(tmp_path)
    survey.write()
    with Outputs({"report": survey.out / "report.html"}, []):
        before = survey.files()
        assert survey.run() == 1
        assert survey.files() == before
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("pavo: Another run of the program is about to write ")
    assert "report.html" in said.err


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.1)


@pytest.mark.skipif(os.name != "posix", reason="folders are locked there only")
@pytest.mark.usefixtures("patient")
def test_whoever_locks_a_folder_for_ever_stops_nobody(tmp_path: Path) -> None:
    import fcntl

    handle = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with Outputs({"data": tmp_path / "a.txt"}, []) as outputs:
            outputs.write("data", "new")
            outputs.commit()
    finally:
        os.close(handle)
    assert texts(tmp_path) == {"new"}
    assert recover() == 0
