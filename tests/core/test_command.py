"""The command as a process: standard streams that are full, closed or cut off, requests to stop, odd arguments."""

from __future__ import annotations

import ctypes
import errno
import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core import batch
from core.formats.registry import write
from tests.core.small_survey import Survey

pytestmark = pytest.mark.usefixtures("_compiled")
posix = pytest.mark.skipif(sys.platform == "win32", reason="file descriptors and signals as a shell gives them")


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    survey = Survey(tmp_path)
    survey.write()
    return survey


def shell(
    repo: Path, survey: Survey, command: str, buffered: bool = True, arguments: str | None = None
) -> subprocess.CompletedProcess[str]:
    """`command` with PAVO for the command on the survey's recipe, or with other `arguments`, run by a shell.

    `buffered` : whether the interpreter keeps what is written until it is flushed, as it does by itself.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment |= {} if buffered else {"PYTHONUNBUFFERED": "1"}
    what = f"run '{survey.folder / 'survey.pavo'}'" if arguments is None else arguments
    pavo = f"'{sys.executable}' '{repo / 'main.py'}' {what}"
    line = ["/bin/sh", "-c", command.replace("PAVO", pavo)]
    return subprocess.run(line, capture_output=True, text=True, check=False, cwd=survey.folder, env=environment)


full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
buffering = pytest.mark.parametrize("buffered", [True, False])


@full
@buffering
def test_a_summary_that_cannot_be_shown_is_said_and_the_files_stand(repo: Path, survey: Survey, buffered: bool) -> None:
    """What stays in a buffer is tried once more at the interpreter's end, which then has a say in the exit status."""
    done = shell(repo, survey, "PAVO > /dev/full", buffered)
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


@full
@buffering
@pytest.mark.parametrize("arguments", ["--version", "--help", "run --help"])
def test_a_text_that_cannot_be_shown_is_one_sentence(
    repo: Path, survey: Survey, arguments: str, buffered: bool
) -> None:
    done = shell(repo, survey, "PAVO > /dev/full", buffered, arguments)
    assert done.returncode == 1
    assert re.fullmatch(r"pavo: The text cannot be written to standard output: .+\.\n", done.stderr)


@posix
@buffering
@pytest.mark.parametrize("arguments", ["--version", "--help", "run --help"])
@pytest.mark.parametrize("closed", ["PAVO >&-", "PAVO | true"])
def test_a_text_that_nobody_wants_is_nothing_to_complain_of(
    repo: Path, survey: Survey, arguments: str, closed: str, buffered: bool
) -> None:
    done = shell(repo, survey, closed, buffered, arguments)
    assert (done.returncode, done.stderr) == (0, "")


@full
@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize(("arguments", "status"), [("--nonsense", 2), ("run", 2), ("run nowhere.pavo", 1)])
def test_what_cannot_be_said_on_standard_error_is_said_nowhere(
    repo: Path, survey: Survey, arguments: str, status: int, where: str
) -> None:
    done = shell(repo, survey, f"PAVO {where}", arguments=arguments)
    assert (done.returncode, done.stdout) == (status, "")


class Gone(io.StringIO):
    """A terminal that is there no more."""

    def isatty(self) -> bool:
        return True

    def write(self, _text: str) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_progress_on_a_terminal_that_is_gone_ends_nothing(survey: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Gone())
    assert survey.run("--quiet") == 0
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
def test_a_second_request_to_stop_waits_for_no_check_and_is_one_sentence(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def interrupted(*_arguments: object) -> None:
        signal.raise_signal(getattr(signal, name))
        try:
            signal.raise_signal(getattr(signal, name))
        except KeyboardInterrupt:  # as the loading of a module does
            raise RuntimeError("Error calling __set_name__") from None

    monkeypatch.setattr("core.release.run.write", interrupted)
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

    monkeypatch.setattr("core.release.run.write", hung_up)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert survey.run("--quiet") == 0
    finally:
        signal.signal(signal.SIGHUP, before)


class Going:
    """Something that is stopped while it goes."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self.stop = stop

    def __del__(self) -> None:
        self.stop()


def _called_back(stop: Callable[[], None]) -> None:
    """As in a function that compiled code has called back."""
    ctypes.CFUNCTYPE(None)(stop)()


@posix
@pytest.mark.parametrize("within", [lambda stop: stop(), Going, _called_back])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_request_to_stop_interrupts_nothing_and_ends_the_run_at_its_next_check(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, within: Any
) -> None:
    done: list[str] = []
    told: list[object] = []

    def stop() -> None:
        signal.raise_signal(getattr(signal, name))
        done.append("the delicate work")

    def asked(*arguments: Any) -> Any:
        within(stop)
        return write(*arguments)

    monkeypatch.setattr("core.release.run.write", asked)
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    there = survey.files()
    assert survey.run() == 1
    assert capsys.readouterr().err == "pavo: Stopped; nothing was written.\n"
    assert (done, told) == (["the delicate work"], [])
    assert survey.files() == there


@posix
def test_a_request_to_stop_just_before_the_outputs_take_their_places_is_heeded(
    survey: Survey, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.session.Session.check_unchanged", lambda *_: signal.raise_signal(signal.SIGTERM))
    there = survey.files()
    assert survey.run() == 1
    assert capsys.readouterr().err == "pavo: Stopped; nothing was written.\n"
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


def test_it_is_said_once_that_kernels_are_compiled(
    survey: Survey, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[Callable[[], None]] = []
    monkeypatch.setattr("core.kernels.cache.tell_when_compiling", told.append)
    assert batch.main([str(survey.folder / "survey.pavo"), "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    (say,) = told
    say()
    assert capsys.readouterr().err.startswith("pavo: Compiling the calculations for this computer")


def test_prepare_compiles_what_is_not_compiled_yet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert batch.prepare() == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("core.kernels.cache.is_complete", lambda: False)
    monkeypatch.setattr("core.kernels.declare.prepare_all", lambda _package: [(0, 2, "cells"), (2, 2, "")])
    assert batch.prepare() == 0
    assert capsys.readouterr().err.count("Compiling the calculations") == 1


def test_a_word_for_households_is_refused_by_its_line(survey: Survey, capsys: pytest.CaptureFixture[str]) -> None:
    survey.recipe += '[households]\nword = "company"\n'
    survey.write()
    assert survey.run() == 1
    assert 'households.word = "company" is no longer offered. Remove the line.' in capsys.readouterr().err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_without_a_display_it_says_how_to_do_without_windows(repo: Path, survey: Survey) -> None:
    done = shell(repo, survey, "env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM PAVO", arguments="")
    assert done.returncode == 1
    assert done.stderr == ("pavo: There is no display to open windows on. Without windows: main.py run RECIPE\n")
