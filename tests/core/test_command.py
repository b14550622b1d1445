"""The command as a process: standard streams that are full, closed or cut off, requests to stop, odd arguments."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.io.files import write
from tests.core.small_survey import Survey

posix = pytest.mark.skipif(sys.platform == "win32", reason="file descriptors and signals as a shell gives them")


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    survey = Survey(tmp_path)
    survey.write()
    return survey


def shell(repo: Path, survey: Survey, command: str) -> subprocess.CompletedProcess[str]:
    """`command` with PAVO for the command on the survey's recipe, run by a shell."""
    pavo = f"'{sys.executable}' '{repo / 'main.py'}' run '{survey.folder / 'survey.pavo'}'"
    return subprocess.run(
        ["/bin/sh", "-c", command.replace("PAVO", pavo)], capture_output=True, text=True, check=False, cwd=survey.folder
    )


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_summary_that_cannot_be_shown_is_said_and_the_files_stand(repo: Path, survey: Survey) -> None:
    done = shell(repo, survey, "PAVO > /dev/full")
    assert done.returncode == 1
    assert "standard output" in done.stderr
    assert "files were written" in done.stderr
    assert "Nothing was written" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (survey.out / "safe.asc").is_file()


@posix
@pytest.mark.parametrize("closed", ["PAVO >&-", "PAVO --quiet 2>&-", "PAVO | true"])
def test_closed_streams_are_nothing_to_complain_of(repo: Path, survey: Survey, closed: str) -> None:
    done = shell(repo, survey, closed)
    assert (done.returncode, done.stderr) == (0, "")
    assert (survey.out / "safe.asc").is_file()


@posix
def test_a_refusal_is_never_written_to_standard_output(repo: Path, survey: Survey) -> None:
    survey.data.unlink()
    done = shell(repo, survey, "PAVO 2>&-")
    assert (done.returncode, done.stdout) == (1, "")


def test_a_folder_without_a_name_is_wrong_usage(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    there = survey.files()
    assert survey.run("--out", "") == 2
    assert "--out" in capsys.readouterr().err
    assert survey.files() == there


@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_request_to_stop_that_an_import_turns_into_another_error(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def interrupted(*_arguments: object) -> None:
        try:
            signal.raise_signal(getattr(signal, name))
        except KeyboardInterrupt:
            raise RuntimeError("Error calling __set_name__") from None

    monkeypatch.setattr("core.protect.write", interrupted)
    there = survey.files()
    before = signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGINT)
    assert survey.run() == 1
    assert capsys.readouterr().err == "pavo: Stopped; nothing was written.\n"
    assert survey.files() == there
    assert (signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGINT)) == before


@posix
def test_a_hang_up_that_is_ignored_stays_ignored(survey: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    def hung_up(*arguments: Any) -> Any:
        os.kill(os.getpid(), signal.SIGHUP)
        return write(*arguments)

    monkeypatch.setattr("core.protect.write", hung_up)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert survey.run("--quiet") == 0
    finally:
        signal.signal(signal.SIGHUP, before)


@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_request_to_stop_that_is_swallowed_is_heeded_at_the_next_check(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def swallowed(*arguments: Any) -> Any:
        with contextlib.suppress(KeyboardInterrupt):  # as an interruption inside a finaliser is
            signal.raise_signal(getattr(signal, name))
        return write(*arguments)

    monkeypatch.setattr("core.protect.write", swallowed)
    there = survey.files()
    assert survey.run() == 1
    assert capsys.readouterr().err == "pavo: Stopped; nothing was written.\n"
    assert survey.files() == there


class Going:
    """Something that is stopped while it goes."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self.stop = stop

    def __del__(self) -> None:
        self.stop()


def _within_the_compiler(stop: Callable[[], None]) -> None:
    """As in a function of numba that compiled code has called back."""
    there: dict[str, Any] = {"__name__": "numba.core.codegen", "stop": stop}
    exec("def call_back():\n    stop()", there)
    ctypes.CFUNCTYPE(None)(there["call_back"])()


@posix
@pytest.mark.parametrize("within", [Going, _within_the_compiler])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_stop_waits_until_what_must_not_be_interrupted_ends_and_no_longer(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, within: Any
) -> None:
    done: list[str] = []
    told: list[object] = []

    def stop() -> None:
        signal.raise_signal(getattr(signal, name))
        done.append("the delicate work")

    def interrupted(*_arguments: object) -> None:
        within(stop)
        done.append("the next line")

    monkeypatch.setattr("core.protect.write", interrupted)
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    there, tracing = survey.files(), sys.gettrace()
    assert survey.run() == 1
    assert capsys.readouterr().err == "pavo: Stopped; nothing was written.\n"
    assert (done, told, sys.gettrace()) == (["the delicate work"], [], tracing)
    assert survey.files() == there


@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_stop_while_the_program_is_loaded_is_one_sentence(repo: Path, survey: Survey, name: str) -> None:
    code = (
        "import builtins, os, signal, sys; sys.path.insert(0, sys.argv[1]); import main\n"
        "real = builtins.__import__\n"
        "def load(name, *rest):\n"
        "    if name == 'core.batch': os.kill(os.getpid(), signal." + name + ")\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = load\n"
        "sys.exit(main.main(['main.py', 'run', sys.argv[2]]))\n"
    )
    command = [sys.executable, "-c", code, str(repo), str(survey.folder / "survey.pavo")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "pavo: Stopped; nothing was written.\n")
