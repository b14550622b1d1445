"""Temporary folders: for the user alone, gone at the end, and after a kill at the next start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.base import temporary
from core.base.temporary import remove_left_behind, remove_temporary, temporary_folder

USER = """
import os, signal, sys
from core.base.temporary import temporary_folder
folder = temporary_folder()
(folder / "report.html").write_text("SECRET")
(folder / "elsewhere").symlink_to(sys.argv[2])
print(folder, flush=True)
if sys.argv[1] == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAVO_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def used(how: str, other: Path, repo: Path) -> Path:
    """The temporary folder of a process that has ended."""
    done = subprocess.run([sys.executable, "-c", USER, how, str(other)], cwd=repo, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.stderr == "" and (done.returncode == 0) == (how == "end")
    return Path(done.stdout.strip())


def test_it_is_for_the_user_alone_and_goes_when_the_program_ends(state: Path) -> None:
    folder = temporary_folder()
    (folder / "report.html").write_text("SECRET")
    assert folder.is_relative_to(state)
    if os.name == "posix":
        assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent, state)] == [0o700] * 3
    assert remove_left_behind() == 0 and (folder / "report.html").is_file(), "its process lives"
    remove_temporary()
    assert list(folder.parent.iterdir()) == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are not killed so here")
def test_after_a_kill_the_next_start_removes_it_and_follows_no_link(tmp_path: Path, repo: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "kept").touch()
    assert not used("end", other, repo).exists()
    left = used("kill", other, repo)
    assert (left / "report.html").read_text() == "SECRET"
    assert remove_left_behind() == 1
    assert list(left.parent.iterdir()) == [] and (other / "kept").is_file()


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_where_others_may_write_the_folder_is_another_private_one(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state.mkdir()
    state.chmod(0o777)
    ended: list[tuple[object, ...]] = []
    monkeypatch.setattr(temporary.atexit, "register", lambda *call, **_: ended.append(call))
    folder = temporary_folder()
    assert not folder.is_relative_to(state) and folder.stat().st_mode & 0o777 == 0o700
    assert [call[1] for call in ended] == [folder]
    folder.rmdir()
