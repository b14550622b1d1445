"""Former files that cannot be removed are named, kept in mind, and tried again; who may read an output."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import pytest

from core.base.errors import OutputError
from core.base.outputs import Outputs
from core.base.outputs_journal import recover
from tests.core.small_survey import Survey

posix = pytest.mark.skipif(os.name != "posix", reason="modes")


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    survey = Survey(tmp_path)
    survey.write()
    return survey


def held(monkeypatch: pytest.MonkeyPatch, suffix: str = ".old") -> None:
    """As a program on Windows does that has the file open."""
    unlink = os.unlink

    def refusing(path: object, **named: object) -> None:
        if str(path).endswith(suffix):
            raise PermissionError(errno.EACCES, "Permission denied")
        unlink(path, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "unlink", refusing)


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob(".pavo-*"))


@pytest.mark.parametrize("summary", ["file", "standard output"])
def test_a_former_file_that_cannot_be_removed_is_named_and_tried_again(
    survey: Survey,
    journals: Path,
    summary: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if summary == "file":
        survey.recipe += 'summary = "out/summary.json"\n'
        survey.write()
    survey.out.mkdir()
    (survey.out / "safe.asc").write_text("less protected")
    (survey.out / "records.csv").write_text("less protected")
    with monkeypatch.context() as context:
        held(context)
        assert survey.run() == 0
    names = left_in(survey.out)
    assert len(names) == 2
    said = capsys.readouterr()
    text = (survey.out / "summary.json").read_text("utf-8") if summary == "file" else said.out
    told = [each["text"] for each in json.loads(text)["warnings"] if each["id"] == "former-file-left"]
    assert len(told) == 2
    for name, warning in zip(names, told, strict=True):
        assert name in warning
        assert name in said.err
        assert str(survey.folder) not in warning
    assert len(list(journals.glob("*.journal"))) == 1
    with monkeypatch.context() as context:
        held(context)
        assert survey.run() == 0
    again = capsys.readouterr().err
    assert all(name in again for name in names), "said for as long as it is there"
    assert survey.run() == 0
    assert left_in(survey.out) == []
    assert list(journals.glob("*.journal")) == []
    assert capsys.readouterr().err == ""


def test_a_temporary_file_that_cannot_be_removed_is_named_in_the_refusal(
    tmp_path: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("old")

    def fail() -> None:
        with Outputs({"data": tmp_path / "a.txt"}, []):
            raise OutputError("for-the-test", "It did not work.")

    with monkeypatch.context() as context:
        held(context, ".tmp")
        with pytest.raises(OutputError) as caught:
            fail()
    (name,) = left_in(tmp_path)
    assert "It did not work." in str(caught.value)
    assert name in str(caught.value)
    assert recover() == 1
    assert left_in(tmp_path) == []
    assert list(journals.iterdir()) == []


def test_a_former_file_that_cannot_be_put_back_is_named_and_put_back_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"old {name}")
    replace, count = os.replace, iter(range(100))

    def broken(source: Path, target: Path) -> None:
        if next(count) >= 2:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        replace(source, target)

    outputs = Outputs({"data": tmp_path / "a.txt", "report": tmp_path / "b.txt"}, [])
    with monkeypatch.context() as context, outputs:
        outputs.write("data", "new a")
        outputs.write("report", "new b")
        context.setattr(os, "replace", broken)
        with pytest.raises(OutputError) as caught:
            outputs.commit()
    (aside,) = left_in(tmp_path)
    assert aside in str(caught.value)
    assert recover() == 1
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.txt": "old a.txt", "b.txt": "old b.txt"}


# Who may read ------------------------------------------------------------------------------------------------------


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
@pytest.mark.parametrize("before", [0o600, 0o640, 0o644, 0o660, 0o400])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path, before: int) -> None:
    target = tmp_path / "records.csv"
    target.write_text("old")
    target.chmod(before)
    with Outputs({"records": target}, []) as outputs:
        assert mode(outputs.path("records")) == 0o600
        outputs.write("records", "new")
        assert mode(outputs.path("records")) == 0o600
        outputs.commit()
    assert target.read_text() == "new"
    assert mode(target) == before


@posix
@pytest.mark.parametrize("umask", [0o022, 0o077, 0o027])
def test_a_new_file_has_the_mode_that_the_user_wants(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with Outputs({"records": tmp_path / "records.csv"}, []) as outputs:
            assert mode(outputs.path("records")) == 0o600
            outputs.write("records", "new")
            outputs.commit()
    finally:
        os.umask(before)
    assert mode(tmp_path / "records.csv") == 0o666 & ~umask


@posix
def test_another_group_may_not_read_what_the_former_one_could(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "records.csv"
    target.write_text("old")
    target.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(target, -1, 12345)

    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refused)
    with Outputs({"records": target}, []) as outputs:
        outputs.write("records", "new")
        outputs.commit()
    assert mode(target) == (0o600 if os.geteuid() == 0 else 0o640)


@posix
def test_a_link_put_in_place_of_a_temporary_file_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("theirs")
    outputs = Outputs({"records": tmp_path / "records.csv"}, [])
    with outputs:
        outputs.path("records").unlink()
        outputs.path("records").symlink_to(tmp_path / "theirs")
        with pytest.raises(OutputError):
            outputs.write("records", "persons")
    assert (tmp_path / "theirs").read_text() == "theirs"


# What may be replaced ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["elsewhere", "through a link"])
def test_a_file_elsewhere_is_replaced_only_when_asked_for(
    tmp_path: Path, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    away, own = tmp_path / "away", tmp_path / "own"
    away.mkdir()
    own.mkdir()
    (away / "report.html").write_text("theirs")
    survey = Survey(own)
    if how == "elsewhere":
        survey.recipe = survey.recipe.replace("out/report.html", "../away/report.html")
    else:
        (own / "out").mkdir()
        (own / "out" / "report.html").symlink_to(away / "report.html")
    survey.write()
    before = survey.files()
    assert survey.run() == 1
    said = capsys.readouterr().err
    assert "report.html" in said
    assert "--overwrite" in said
    assert len(said.splitlines()) == 1
    assert survey.files() == before
    assert (away / "report.html").read_text() == "theirs"
    assert survey.run("--overwrite", "--quiet") == 0
    assert (away / "report.html").read_text() != "theirs"


def test_files_of_the_recipes_folder_and_of_out_are_replaced_as_ever(survey: Survey, tmp_path: Path) -> None:
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    for _ in range(2):
        assert survey.run("--quiet") == 0
        assert survey.run("--quiet", "--out", str(elsewhere)) == 0


# Full disks --------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="names of open files")
@pytest.mark.parametrize("at", range(3))
def test_a_full_disk_for_each_word_of_the_journal(
    tmp_path: Path, at: int, monkeypatch: pytest.MonkeyPatch, journals: Path
) -> None:
    """Entries, what moves, done: said as a full disk, and all is as before."""
    (tmp_path / "a.txt").write_text("old")
    fsync, count = os.fsync, iter(range(100))

    def full(handle: int) -> None:
        name = Path(f"/proc/self/fd/{handle}")
        if ".journal" in os.readlink(name) and next(count) == at:  # noqa: PTH115
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", full)

    def write() -> None:
        with Outputs({"data": tmp_path / "a.txt"}, []) as outputs:
            outputs.write("data", "new")
            outputs.commit()

    with pytest.raises(OutputError) as caught:
        write()
    assert caught.value.id == "disk-full"
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.txt": "old"}
    assert list(journals.iterdir()) == []
