"""Outputs appear all together or not at all: failures and crashes at every step leave what was there before."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.base import outputs_journal
from core.base.errors import OutputError
from core.base.outputs import Outputs, check_targets, recover


def files(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def write_all(targets: dict[str, Path]) -> None:
    with Outputs(targets, []) as outputs:
        for role in targets:
            outputs.write(role, f"new {role}")
        outputs.commit()


def test_all_appear_and_nothing_else(tmp_path: Path, journals: Path) -> None:
    (tmp_path / "a.txt").write_text("old a")
    targets = {"data": tmp_path / "a.txt", "report": tmp_path / "new" / "deep" / "b.txt"}
    with Outputs(targets, []) as outputs:
        outputs.write("data", "new a")
        outputs.write("report", "new b")
        assert (tmp_path / "a.txt").read_text() == "old a"
        outputs.commit()
    assert files(tmp_path) == {"a.txt": "new a", "new/deep/b.txt": "new b"}
    assert list(journals.iterdir()) == []


def test_without_commit_everything_is_as_before(tmp_path: Path, journals: Path) -> None:
    (tmp_path / "a.txt").write_text("old a")
    with Outputs({"data": tmp_path / "a.txt", "report": tmp_path / "new" / "b.txt"}, []) as outputs:
        outputs.write("data", "new a")
    assert files(tmp_path) == {"a.txt": "old a"}
    assert not (tmp_path / "new").exists()
    assert list(journals.iterdir()) == []


def test_an_output_that_nobody_wrote_does_not_appear(tmp_path: Path) -> None:
    with Outputs({"data": tmp_path / "a.txt", "report": tmp_path / "b.txt"}, []) as outputs:
        outputs.write("data", "a")
        outputs.commit()
    assert files(tmp_path) == {"a.txt": "a"}


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "a.txt").write_text("old")
    (tmp_path / "a.txt").symlink_to(tmp_path / "far" / "a.txt")
    with Outputs({"data": tmp_path / "a.txt"}, []) as outputs:
        outputs.write("data", "new")
        outputs.commit()
    assert (tmp_path / "a.txt").is_symlink()
    assert (tmp_path / "far" / "a.txt").read_text() == "new"


@pytest.mark.parametrize("fails_at", range(4))
def test_a_failing_rename_puts_all_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int) -> None:
    """Two outputs replace two files: four renames, each of which may fail."""
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"old {name}")
    count = iter(range(100))
    honest = os.replace

    def replace(source: Path, target: Path) -> None:
        if next(count) == fails_at:
            raise OSError(errno.EACCES, "refused for the test")
        honest(source, target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(OutputError, match="refused for the test"):
        write_all({"data": tmp_path / "a.txt", "report": tmp_path / "b.txt"})
    assert files(tmp_path) == {"a.txt": "old a.txt", "b.txt": "old b.txt"}


CRASH = """
import os, sys
from pathlib import Path
from core.base.outputs import Outputs
folder, at = Path(sys.argv[1]), int(sys.argv[2])
steps = iter(range(1000))
def step(call):
    def counted(*arguments, **named):
        if next(steps) == at:
            os._exit(9)
        return call(*arguments, **named)
    return counted
for name in ("replace", "unlink", "fsync", "mkdir", "rmdir", "open", "write", "chmod"):
    setattr(os, name, step(getattr(os, name)))
with Outputs({"data": folder / "a.txt", "report": folder / "new" / "b.txt"}, []) as outputs:
    outputs.write("data", "new a")
    outputs.write("report", "new b")
    outputs.commit()
"""


def test_a_crash_at_any_step_is_cleaned_up_at_the_next_start(tmp_path: Path, journals: Path) -> None:
    old, new = {"a.txt": "old a"}, {"a.txt": "new a", "new/b.txt": "new b"}
    outcomes = []
    for at in range(200):
        folder = tmp_path / str(at)
        folder.mkdir()
        (folder / "a.txt").write_text("old a")
        done = subprocess.run([sys.executable, "-c", CRASH, str(folder), str(at)], check=False)
        recover()
        found = files(folder)
        assert found in (old, new)
        assert (folder / "new").exists() == (found == new)
        assert list(journals.iterdir()) == []
        outcomes.append(found == new)
        if done.returncode == 0:
            break
    assert outcomes == sorted(outcomes)
    assert outcomes[0] is False
    assert outcomes[-1] is True


def test_a_run_that_goes_on_is_left_alone(tmp_path: Path) -> None:
    with Outputs({"data": tmp_path / "a.txt"}, []) as outputs:
        outputs.write("data", "new a")
        code = "from core.base.outputs import recover; print(recover())"
        said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        assert said.strip() == "0"
        outputs.commit()
    assert files(tmp_path) == {"a.txt": "new a"}


def test_without_a_folder_for_journals_the_run_says_so_and_does_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PAVO_STATE", str(tmp_path / "file" / "state"))
    with Outputs({"data": tmp_path / "out" / "a.txt"}, []) as outputs:
        (notice,) = outputs.notices
        assert notice.id == "no-recovery"
        assert not list((tmp_path / "out").glob("*.journal"))
        outputs.write("data", "a")
        outputs.commit()
    assert files(tmp_path / "out") == {"a.txt": "a"}
    with Outputs({"data": tmp_path / "out" / "a.txt"}, []) as outputs:
        outputs.write("data", "b")
    assert files(tmp_path / "out") == {"a.txt": "a"}


def test_a_full_disk_while_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    honest, count = os.fsync, iter(range(100))
    monkeypatch.setattr(os, "fsync", lambda handle: honest(handle) if next(count) == 0 else full(handle))
    with pytest.raises(OutputError, match="no room to write"):
        write_all({"data": tmp_path / "new" / "a.txt"})
    assert files(tmp_path) == {}
    assert not (tmp_path / "new").exists()


def test_a_full_disk_for_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, journals: Path) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(outputs_journal.os, "fsync", full)
    with pytest.raises(OutputError, match="no room"):
        write_all({"data": tmp_path / "new" / "a.txt"})
    assert files(tmp_path) == {}
    assert not (tmp_path / "new").exists()
    assert list(journals.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_device_or_pipe_is_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OutputError, match="device or a pipe"):
        check_targets({"data": pipe}, [])


def test_names_that_differ_only_in_case_are_one_output(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="same file"):
        check_targets({"data": tmp_path / "a.csv", "records": tmp_path / "A.csv"}, [])


@pytest.mark.parametrize("name", ["x" * 300, "x" * 300 + "/a.txt"])
def test_a_name_that_the_system_cannot_take_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError) as caught, Outputs({"data": tmp_path / name}, []):
        pass
    assert caught.value.id == "output-unwritable"
    assert list(tmp_path.iterdir()) == []


def test_a_request_to_stop_comes_too_late_while_outputs_take_their_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("old a")
    finish = outputs_journal.Journal.finish

    def stopped(self: outputs_journal.Journal) -> tuple[outputs_journal.Left, ...]:
        signal.raise_signal(signal.SIGINT)
        return finish(self)

    monkeypatch.setattr(outputs_journal.Journal, "finish", stopped)
    write_all({"data": tmp_path / "a.txt", "report": tmp_path / "b.txt"})
    assert files(tmp_path) == {"a.txt": "new data", "b.txt": "new report"}
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_journal_that_cannot_be_removed_undoes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("old a")
    unlink = Path.unlink

    def refusing(self: Path, missing_ok: bool = False) -> None:
        if self.suffix == ".journal":
            raise PermissionError(errno.EACCES, "Permission denied")
        unlink(self, missing_ok)

    monkeypatch.setattr(Path, "unlink", refusing)
    write_all({"data": tmp_path / "a.txt", "report": tmp_path / "b.txt"})
    assert files(tmp_path) == {"a.txt": "new data", "b.txt": "new report"}
