"""Journals of crashed runs are believed only where nobody else can put one, and only in the program's own words."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.base import state_folder
from core.base.outputs import Outputs
from core.base.outputs_journal import parts_of, recover
from core.base.outputs_journal_text import OutputEntry
from tests.core.small_survey import Survey

posix = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes")

TOKEN = "0123456789abcdef"


class Scene:
    """A folder with what an attacker wants gone or replaced, and a journal about it."""

    def __init__(self, folder: Path, journals: Path) -> None:
        self.folder, self.journals = folder, journals
        self.target = folder / "out" / "safe.csv"
        self.entry = OutputEntry.of(self.target, TOKEN, 0)
        self.journal = journals / f".pavo-{TOKEN}.journal"
        (folder / "theirs" / "deep").mkdir(parents=True)
        (folder / "theirs" / "deep" / "precious.txt").write_text("precious")
        (folder / "theirs" / ".profile").write_text("start-up")
        (folder / "evil").write_text("evil")
        (folder / "empty").mkdir()
        (folder / "out").mkdir()
        self.target.write_text("here")

    def say(self, *lines: Any, end: str = "\n") -> None:
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + end
        self.journal.write_text(text, encoding="utf-8")
        self.journal.chmod(0o600)

    def first(self, *names: object, folders: tuple[object, ...] = ()) -> dict[str, Any]:
        entry = names or (self.entry.target, self.entry.temporary, self.entry.aside)
        return {"entries": [list(map(str, entry))], "folders": list(map(str, folders))}

    def moved(self) -> None:
        """As a crash leaves it between the two renames of an output."""
        self.target.replace(self.entry.aside)
        self.entry.temporary.write_text("half")

    def everything(self) -> dict[str, str]:
        return {
            str(path.relative_to(self.folder)): path.read_text() if path.is_file() else "folder"
            for path in sorted(self.folder.rglob("*"))
        }


@pytest.fixture
def scene(tmp_path: Path, journals: Path) -> Scene:
    return Scene(tmp_path, journals)


def test_what_the_program_itself_says_is_believed(scene: Scene) -> None:
    scene.moved()
    parts = parts_of(scene.entry.temporary)
    parts.mkdir()
    (parts / "data").write_text("half")
    (parts / "data.rows").write_text("half")
    (scene.folder / "out" / "new").mkdir()
    scene.say(scene.first(), {"moving": [[True, 4, 0]]}, '{"do', end="")
    before = scene.everything()
    assert recover() == 1
    gone = {str(path.relative_to(scene.folder)) for path in (scene.entry.temporary, scene.entry.aside, parts)}
    kept = {name: text for name, text in before.items() if not any(name.startswith(each) for each in gone)}
    assert scene.everything() == {**kept, "out/safe.csv": "here"}
    assert not scene.journal.exists()


def names(change: Callable[[Scene], tuple[object, ...]]) -> Callable[[Scene], None]:
    return lambda scene: scene.say(scene.first(*change(scene)), {"moving": [[True, 4, 0]]})


def lines(change: Callable[[Scene], list[Any]]) -> Callable[[Scene], None]:
    return lambda scene: scene.say(*change(scene))


def linked(scene: Scene) -> None:
    scene.target.unlink()
    scene.target.symlink_to(scene.folder / "theirs" / ".profile")
    scene.entry.aside.write_text("evil")
    scene.say(scene.first(), {"moving": [[True, 8, 0]]})


def linked_folder(scene: Scene) -> None:
    (scene.folder / "out").rename(scene.folder / "elsewhere")
    (scene.folder / "out").symlink_to(scene.folder / "theirs")
    (scene.folder / "theirs" / scene.entry.temporary.name).write_text("theirs")
    scene.say(scene.first(), {"moving": [[True, 4, 0]]})


HOSTILE: dict[str, Callable[[Scene], None]] = {
    "a start-up file overwritten": names(
        lambda s: (s.folder / "theirs" / ".profile", s.folder / "evil", s.folder / "evil")
    ),
    "a foreign aside": names(lambda s: (s.target, s.entry.temporary, s.folder / "evil")),
    "a foreign temporary file": names(lambda s: (s.target, s.folder / "evil", s.entry.aside)),
    "another token": names(lambda s: (s.target, *_of(OutputEntry.of(s.target, "f" * 16, 0)))),
    "another number": names(lambda s: (s.target, *_of(OutputEntry.of(s.target, TOKEN, 1)))),
    "another folder": names(lambda s: (s.target, *_of(OutputEntry.of(s.folder / "theirs" / "x", TOKEN, 0)))),
    "a detour": names(lambda s: (*_via(s, s.entry),)),
    "a relative path": names(lambda s: ("safe.csv", s.entry.temporary.name, s.entry.aside.name)),
    "a path with a zero": names(lambda s: (f"{s.target}\0", s.entry.temporary, s.entry.aside)),
    "done with a foreign aside": lines(
        lambda s: [
            s.first(s.target, s.entry.temporary, s.folder / "evil"), {"moving": [[True, 4, 0]]}, {"done": True}
        ]
    ),
    "a stranger's folder": lines(lambda s: [s.first(folders=(s.folder / "empty",))]),
    "a folder that is a target": lines(lambda s: [s.first(folders=(s.target,))]),
    "folders of the wrong type": lines(lambda s: [s.first() | {"folders": {str(s.folder / "empty"): 1}}]),
    "moving shorter than entries": lines(lambda s: [s.first(), {"moving": []}]),
    "moving longer than entries": lines(lambda s: [s.first(), {"moving": [None, None]}]),
    "moving of the wrong type": lines(lambda s: [s.first(), {"moving": [[1, 4, 0]]}]),
    "moving with numbers that are none": lines(lambda s: [s.first(), {"moving": [[True, 4.5, 0]]}]),
    "moving with endless numbers": lines(lambda s: [s.first(), {"moving": [[True, 10**300, 0]]}]),
    "moving that is text": lines(lambda s: [s.first(), {"moving": "abc"}]),
    "done without moving": lines(lambda s: [s.first(), {"done": True}]),
    "done that is no truth": lines(lambda s: [s.first(), {"moving": [[True, 4, 0]]}, {"done": "yes"}]),
    "an unknown word": lines(lambda s: [s.first() | {"run": "rm"}]),
    "words twice": lines(lambda s: [s.first(), s.first()]),
    "too much": lines(lambda s: [s.first(), {"moving": [None]}, {"done": True}, {"done": True}]),
    "an output twice": lines(
        lambda s: [{"entries": s.first()["entries"] * 2, "folders": []}, {"moving": [[True, 4, 0]] * 2}]
    ),
    "entries that are words": lines(lambda _s: [{"entries": ["abc"], "folders": []}]),
    "entries with numbers": lines(lambda _s: [{"entries": [[1, 2, 3]], "folders": []}]),
    "no entries": lines(lambda _s: [{"entries": [], "folders": []}]),
    "a number for all": lines(lambda _s: ["7"]),
    "no JSON": lines(lambda _s: ["rm -rf"]),
    "deep nesting": lines(lambda _s: ["[" * 200_000 + "]" * 200_000]),
    "a huge one": lines(lambda s: [json.dumps(s.first()) + " " * (1 << 24), {"moving": [[True, 4, 0]]}]),
    "a target that is a link by now": linked,
    "a folder that is a link by now": linked_folder,
}  # fmt: skip


def _of(entry: OutputEntry) -> tuple[Path, Path]:
    return entry.temporary, entry.aside


def _via(scene: Scene, entry: OutputEntry) -> tuple[str, ...]:
    around = f"{scene.folder}/theirs/../out/"
    return tuple(around + path.name for path in (entry.target, entry.temporary, entry.aside))


@posix
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_journal_that_says_anything_else_is_refused_whole_and_left_alone(scene: Scene, kind: str) -> None:
    HOSTILE[kind](scene)
    before, said = scene.everything(), scene.journal.read_bytes()
    assert recover() == 0
    assert scene.everything() == before
    assert scene.journal.read_bytes() == said


@posix
@pytest.mark.parametrize("how", ["link to a journal", "others may write", "folder that others may write", "pipe"])
def test_a_journal_that_others_could_have_put_there_is_not_believed(
    scene: Scene, how: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    scene.moved()
    scene.say(scene.first(), {"moving": [[True, 4, 0]]})
    if how == "link to a journal":
        away = tmp_path_factory.mktemp("away") / scene.journal.name
        scene.journal.rename(away)
        scene.journal.symlink_to(away)
    elif how == "others may write":
        scene.journal.chmod(0o620)
    elif how == "folder that others may write":
        scene.journals.chmod(0o770)
    else:
        scene.journal.unlink()
        os.mkfifo(scene.journal)
    before = scene.everything()
    assert recover() == 0
    assert scene.everything() == before
    monkeypatch.undo()


@posix
def test_a_link_in_place_of_the_programs_folder_is_not_believed(
    scene: Scene, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.moved()
    scene.say(scene.first(), {"moving": [[True, 4, 0]]})
    link = tmp_path_factory.mktemp("link") / "state"
    link.symlink_to(scene.journals)
    monkeypatch.setenv("PAVO_STATE", str(link))
    before = scene.everything()
    assert recover() == 0
    assert scene.everything() == before


@posix
@pytest.mark.parametrize("what", ["folder", "journal"])
def test_what_belongs_to_another_user_is_not_believed(scene: Scene, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0:
        os.chown(scene.journals if what == "folder" else _said(scene), 12345, 12345)
    else:
        monkeypatch.setattr(state_folder.os, "geteuid", lambda: 12345)
    scene.moved()
    _said(scene)
    before = scene.everything()
    if os.geteuid() == 0 and what == "journal":
        os.chown(scene.journal, 12345, 12345)
    assert recover() == 0
    assert scene.everything() == before


def _said(scene: Scene) -> Path:
    scene.say(scene.first(), {"moving": [[True, 4, 0]]})
    return scene.journal


@posix
def test_the_programs_folder_and_its_journals_are_for_the_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "deep" / "state"
    monkeypatch.setenv("PAVO_STATE", str(folder))
    with Outputs({"data": tmp_path / "out" / "a.txt"}, []) as outputs:
        assert not outputs.notices
        (journal,) = folder.glob("*.journal")
        assert folder.stat().st_mode & 0o777 == 0o700
        assert journal.stat().st_mode & 0o777 == 0o600
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("lacking", [True, False])
def test_a_journal_beside_the_outputs_is_data(survey: Survey, journals: Path, lacking: bool) -> None:
    """As somebody else could put it into a folder that is shared, or send it along with a recipe."""
    survey.write()
    scene = Scene(survey.folder, journals)
    scene.moved()
    scene.journal = survey.out / ".pavo-x.journal"
    for name in (".pavo-x.journal", f".pavo-{TOKEN}.journal"):
        scene.journal = survey.out / name
        victim = survey.folder / "theirs"
        entry = [str(victim / ".profile"), str(victim / "deep"), str(survey.folder / "evil")]
        scene.say({"entries": [entry], "folders": [str(survey.folder / "empty")]}, {"existed": [True]})
    if lacking:
        scene.say(scene.first(), {"moving": [[True, 4, 0]]})
    before = scene.everything()
    assert survey.run("--quiet") == 0
    after = scene.everything()
    assert {name: after.get(name) for name in before} == before


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    return Survey(tmp_path)


def test_a_folder_of_parts_loses_only_what_the_program_makes_there(scene: Scene) -> None:
    parts = parts_of(scene.entry.temporary)
    parts.mkdir()
    (parts / "data").symlink_to(scene.folder / "theirs" / ".profile")
    (parts / "theirs.txt").write_text("theirs")
    (parts / "data.more").mkdir()
    scene.say(scene.first(), {"moving": [None]})
    recover()
    assert sorted(path.name for path in parts.iterdir()) == ["data.more", "theirs.txt"]
    assert (scene.folder / "theirs" / ".profile").read_text() == "start-up"
    assert scene.journal.exists(), "what is left is tried again"


@posix
def test_a_link_in_place_of_a_folder_of_parts_is_not_followed(scene: Scene) -> None:
    theirs = scene.folder / "theirs"
    (theirs / "data").write_text("theirs")
    parts_of(scene.entry.temporary).symlink_to(theirs)
    scene.say(scene.first(), {"moving": [None]})
    recover()
    assert (theirs / "data").read_text() == "theirs"


def test_a_folder_with_something_in_it_is_never_removed(scene: Scene) -> None:
    scene.say(scene.first(folders=(scene.folder / "out",)), {"moving": [None]})
    with contextlib.suppress(FileNotFoundError):
        scene.entry.temporary.unlink()
    assert recover() == 1
    assert scene.target.read_text() == "here"


def test_what_somebody_else_wrote_since_the_crash_is_not_replaced(scene: Scene) -> None:
    scene.moved()
    scene.target.write_text("written since")
    scene.say(scene.first(), {"moving": [[True, 4, 0]]})
    assert recover() == 0
    assert scene.target.read_text() == "written since"
    assert scene.entry.aside.read_text() == "here"
    assert scene.journal.exists()
