"""Child processes started from any script."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.base import child_process
from core.base.progress import SILENT
from core.formats.typed.child import Child
from tests.core.base.windows_pipe import PipeOfWindows

ROOT = Path(__file__).parents[3]

SCRIPT = """
import sys
sys.path.insert(0, {root!r})
print("script")
from core.base.child_process import start
process = start(print, "child")
process.join()
print(process.exitcode, sys.modules["__main__"].__dict__["process"] is process)
"""


def test_a_script_without_a_guard_is_not_carried_out_twice(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(root=str(ROOT)))

    done = subprocess.run(
        [sys.executable, "-u", str(script)], capture_output=True, text=True, cwd=ROOT, timeout=120, check=True
    )

    assert done.stdout.split("\n") == ["script", "child", "0 True", ""]
    assert done.stderr == ""


INTERRUPTED = """
import os, signal, sys, time
sys.path.insert(0, {root!r})
from core.base.child_process import start
before = signal.getsignal(signal.SIGINT)
process = start(time.sleep, 60)
os.kill(process.pid, signal.SIGINT)
process.join(2)
print(process.exitcode, signal.getsignal(signal.SIGINT) is before)
process.kill()
process.join()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal tells its processes otherwise there")
def test_the_keyboard_stops_the_one_that_started_it_alone(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED.format(root=str(ROOT)))
    command = [sys.executable, "-u", str(script)]

    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False)

    assert (done.stdout, done.stderr) == ("None True\n", "")


ORPHANED = """
import sys, time
sys.path.insert(0, {root!r})
from core.base.child_process import start
start(exec, {work!r})
time.sleep(600)
"""
READY = "import ctypes, os, time; print(os.getpid(), flush=True);"


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
@pytest.mark.parametrize(
    "work",
    [
        "time.sleep(600)",
        pytest.param(
            "ctypes.PyDLL(None).sleep(600)",  # keeps Python's lock, as libraries do that write files
            marks=pytest.mark.skipif(sys.platform != "linux", reason="nothing ends it elsewhere"),
        ),
    ],
)
def test_a_process_ends_with_the_one_that_started_it_however_that_ends(tmp_path: Path, work: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(ORPHANED.format(root=str(ROOT), work=READY + work))
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
        try:
            parent.communicate(timeout=60)  # the child has this pipe, too: it is closed when both are gone
        except subprocess.TimeoutExpired:
            os.kill(child, signal.SIGKILL)
            pytest.fail("it goes on alone")


class EndedProcess:
    """Stands for a child that has ended."""

    def is_alive(self) -> bool:
        return False

    def kill(self) -> None:
        pass

    join = kill


def test_answer_of_an_ended_child_on_windows_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    context = SimpleNamespace(Pipe=lambda duplex: (PipeOfWindows(), PipeOfWindows()))
    monkeypatch.setattr(child_process, "multiprocessing", SimpleNamespace(get_context=lambda _kind: context))
    monkeypatch.setattr(child_process, "start", lambda *_: EndedProcess())

    assert child_process.answer(print) is None


def test_call_left_by_an_ended_child_on_windows_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was wanted has come, and then the child ends: that is no error of who wanted it."""
    child = Child.__new__(Child)
    monkeypatch.setattr(PipeOfWindows, "recv_bytes", lambda _pipe: b"item", raising=False)
    child._pipe, child._process = PipeOfWindows((1, None)), EndedProcess()  # type: ignore[assignment]
    items = child.run("module:function", (), (), SILENT)

    assert next(items) == b"item"
    items.close()
