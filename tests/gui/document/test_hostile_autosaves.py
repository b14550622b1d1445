"""What a crash, a full disk, another version or another user left in the folder of kept sessions."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from core.recipe.model import Recipe, Threshold
from gui.document import autosave
from gui.document.autosave import Autosave
from gui.document.document import Document
from gui.main_window.window import MainWindow
from tests.gui.conftest import FakeSession
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle

posix = pytest.mark.skipif(sys.platform == "win32", reason="owners and permissions of POSIX")
Open = Callable[..., MainWindow]


def leave(document: Document) -> Path:
    """What a process leaves that dies now."""
    keeper = Autosave(document)
    keeper.write()
    keeper._timer.stop()
    keeper._watch.stop()
    keeper._lock.unlock()
    return keeper.file


@pytest.fixture
def sound(document: Document, recipe: Recipe) -> Path:
    document.start("Open", recipe)
    document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.25)))
    document.session.drafts["reportDetails"] = {"title": "Unfinished", "variant": "internal"}
    return leave(document)


def changed(sound: Path, **changes: Any) -> bytes:
    return json.dumps(json.loads(sound.read_text("utf-8")) | changes).encode()


DEEP = b"[" * 200_000
BAD: dict[str, Callable[[Path], bytes]] = {
    "nothing": lambda sound: b"",
    "cut off": lambda sound: sound.read_bytes()[:-20],
    "zeros": lambda sound: bytes(4096),
    "not text": lambda sound: b'{"version": 1, "name": "\xff\xfe"}',
    "UTF-16": lambda sound: sound.read_text("utf-8").encode("utf-16"),
    "deep": lambda sound: DEEP,
    "deep drafts": lambda sound: b'{"version": 1, "drafts": ' + DEEP,
    "a list": lambda sound: b"[]",
    "a number": lambda sound: b"1",
    "nothing in it": lambda sound: b"{}",
    "a newer version": lambda sound: changed(sound, version=2),
    "infinite place": lambda sound: changed(sound, index=0).replace(b'"index": 0', b'"index": Infinity'),
    "very large place": lambda sound: changed(sound, index=0).replace(b'"index": 0', b'"index": 1e999'),
    "no number": lambda sound: changed(sound, index=0).replace(b'"index": 0', b'"index": NaN'),
    "many digits": lambda sound: changed(sound, index=0).replace(b'"index": 0', b'"index": ' + b"9" * 5000),
    "place beyond": lambda sound: changed(sound, index=2),
    "place before": lambda sound: changed(sound, index=-1),
    "place as text": lambda sound: changed(sound, index="0"),
    "place as a half": lambda sound: changed(sound, index=0.5),
    "no steps": lambda sound: changed(sound, steps=[]),
    "steps as text": lambda sound: changed(sound, steps="ab"),
    "recipe as number": lambda sound: changed(sound, steps=[{"label": "a", "recipe": 5}], index=0),
    "label as list": lambda sound: changed(sound, steps=[{"label": [], "recipe": "recipe = 1"}], index=0),
    "recipe that is none": lambda sound: changed(sound, steps=[{"label": "a", "recipe": "recipe = ["}], index=0),
    "deep recipe": lambda sound: changed(
        sound, steps=[{"label": "a", "recipe": "recipe = 1\nx = " + "[" * 5000}], index=0
    ),
    "recipe of the future": lambda sound: changed(sound, steps=[{"label": "a", "recipe": "recipe = 99"}], index=0),
    "name as list": lambda sound: changed(sound, name=["a"]),
    "half a character": lambda sound: changed(sound, name="\ud800"),
    "path as number": lambda sound: changed(sound, path=5),
    "path with a zero": lambda sound: changed(sound, path="a\0b"),
    "drafts as list": lambda sound: changed(sound, drafts=["a"]),
    "a draft without a number": lambda sound: changed(sound, drafts={"globalRecode": float("nan")}),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_one_is_set_aside_and_named_and_the_sound_one_is_offered(sound: Path, kind: str) -> None:
    bad = sound.with_name("0-bad.json")
    content = BAD[kind](sound)
    bad.write_bytes(content)
    (kept,), (aside,) = autosave.look_back()
    assert kept.file == sound
    assert kept.sitting.recipe.threshold.individual_risk == 0.25
    assert not bad.exists()
    assert aside.parent == bad.parent
    assert aside.read_bytes() == content
    assert str(aside) in autosave.said_of([aside])
    (kept,), none = autosave.look_back()
    assert (kept.file, none) == (sound, [])


def test_what_is_too_large_is_not_even_read(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = sound.with_name("0-bad.json")
    with bad.open("wb") as file:
        file.truncate(autosave.LARGEST_BYTES + 1)
    honest = Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda path, *a: pytest.fail("read") if path == bad else honest(path, *a))
    (kept,), (aside,) = autosave.look_back()
    assert kept.file == sound
    assert aside.name.startswith(bad.name)


DRAFTS: dict[str, Any] = {
    "aWindowThatIsNoMore": {"a": 1},
    "specifyMetadata": [1],
    "selectCombinations": {"combinations": [{"variables": [5]}], "construction": [], "loaded": []},
    "globalRecode": {"REGION": 5},
    "numericalVariables": {"recipe": 5},
    "makeProtectedFile": "recipe = 1",
    "reportDetails": {"title": 5},
}


@pytest.mark.parametrize("window", DRAFTS)
def test_a_draft_that_no_window_understands_is_left_out_alone(sound: Path, window: str) -> None:
    good = {"globalRecode": {"REGION": {"text": "1: 1-3", "truncate": None, "folder": None}}}
    good = {"reportDetails": {"title": "Unfinished"}} if window == "globalRecode" else good
    sound.write_bytes(changed(sound, drafts=good | {window: DRAFTS[window]}))
    (kept,), aside = autosave.look_back()
    assert aside == []
    assert kept.sitting.drafts == good
    assert kept.sitting.recipe.threshold.individual_risk == 0.25


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["recipe = 1", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every part of a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_stands_in_one_part_the_sound_one_is_offered_and_can_be_gone_on_with(
    data: st.DataObject, sound: Path, fake: FakeSession
) -> None:
    bad = sound.with_name("0-bad.json")
    content = json.loads(sound.read_text("utf-8"))
    drafts = {name: kept for name, kept in DRAFTS.items() if name != "aWindowThatIsNoMore"}
    content["drafts"] |= copy.deepcopy(
        data.draw(st.sampled_from([{}, *({name: kept} for name, kept in drafts.items())]))
    )
    place = data.draw(st.sampled_from(places(content)[1:]))
    part = content
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = data.draw(values)
    bad.write_text(json.dumps(content), "utf-8")
    found, aside = autosave.look_back()
    assert sound in [kept.file for kept in found]
    assert (bad in [kept.file for kept in found]) != bool(aside)
    for kept in found:
        document = Document(lambda: fake)
        document.restore(kept.sitting)
        assert isinstance(document.session.history.undo_label + document.session.history.redo_label, str)
        document.undo()
        document.shut_down()
    for file in aside:
        file.unlink()


@given(st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bytes_of_any_kind_hide_nothing(sound: Path, content: bytes) -> None:
    sound.with_name("0-bad.json").write_bytes(content)
    (kept,), (aside,) = autosave.look_back()
    assert kept.file == sound
    aside.unlink()


# Locks ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"\0" * 64, b"nonsense\n", b"\xff\xfe\n\n\n", b"-1\n"])
def test_a_lock_that_names_nobody_hides_no_session(sound: Path, content: bytes) -> None:
    sound.with_suffix(".lock").write_bytes(content)
    (kept,) = autosave.left_behind()
    assert kept.file == sound


@posix
def test_a_lock_that_is_held_is_believed_whatever_stands_in_it(document: Document, recipe: Recipe) -> None:
    document.start("Open", recipe)
    document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.25)))
    keeper = Autosave(document)
    keeper.write()
    keeper.file.with_suffix(".lock").write_bytes(b"")
    assert autosave.look_back() == ([], [])
    keeper.finish()


# Whom to believe -----------------------------------------------------------------------------------------------------


@posix
def test_the_folder_is_the_users_alone(sound: Path, document: Document, recipe: Recipe) -> None:
    assert sound.parent.stat().st_mode & 0o777 == 0o700
    sound.parent.chmod(0o777)
    (kept,) = autosave.left_behind()
    assert kept.file == sound
    assert sound.parent.stat().st_mode & 0o777 == 0o700


@posix
def test_a_link_is_no_session(sound: Path, tmp_path: Path) -> None:
    elsewhere = sound.replace(tmp_path / "elsewhere.json")
    sound.symlink_to(elsewhere)
    os.mkfifo(sound.with_name("0-pipe.json"))
    assert autosave.look_back() == ([], [])
    assert elsewhere.exists()


@posix
def test_what_belongs_to_another_user_is_not_believed_and_nothing_is_put_there(
    sound: Path, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: sound.stat().st_uid + 1)
    assert autosave.look_back() == ([], [])
    there = sorted(sound.parent.iterdir())
    keeper = Autosave(document)
    keeper.write()
    keeper.finish()
    assert sorted(sound.parent.iterdir()) == there


@posix
def test_without_a_folder_of_its_own_the_program_works_on(
    document: Document, recipe: Recipe, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("in the way")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "file"))
    document.start("Open", recipe)
    document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.25)))
    leave(document)
    assert autosave.look_back() == ([], [])
    document.save(home / "a.pavo")
    assert (home / "a.pavo").is_file()


# In the windows ------------------------------------------------------------------------------------------------------


@pytest.fixture
def named(open_window: Open) -> None:
    """The application has its name, by which its folders are called, since the first main window was made."""
    open_window().close()


def test_the_main_window_names_a_bad_one_once_and_offers_the_sound_one(
    qtbot: QtBot, named: None, open_window: Open, document: Document, recipe: Recipe
) -> None:
    document.start("Open", recipe)
    document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.25)))
    sound = leave(document)
    sound.with_name("0-bad.json").write_bytes(DEEP)
    window = open_window()
    qtbot.waitUntil(lambda: "with a session open" in window.messages.text, timeout=20_000)
    assert f"set aside as {sound.with_name('0-bad.json')}" in window.messages.text
    window.close()
    again = open_window()
    qtbot.waitUntil(lambda: "with a session open" in again.messages.text, timeout=20_000)
    assert "set aside" not in again.messages.text


_CRASH = """
import os, sys
from pathlib import Path
from core.base.outputs import Outputs
with Outputs({"data": Path(sys.argv[1])}, []) as outputs:
    outputs.write("data", "new")
    os._exit(9)
"""


@pytest.mark.parametrize("with_a_session", [False, True])
def test_outputs_that_a_crash_left_half_written_are_put_back_at_the_start(
    qtbot: QtBot, named: None, open_window: Open, demo: Path, tmp_path: Path, repo: Path, with_a_session: bool
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "safe.csv").write_text("old", "utf-8")
    survey = copy_survey(demo, tmp_path)
    environment = os.environ | {"PYTHONPATH": str(repo)}
    done = subprocess.run([sys.executable, "-c", _CRASH, str(out / "safe.csv")], env=environment, check=False)
    assert done.returncode == 9
    assert len(list(out.iterdir())) > 1
    window = open_window(*[survey] * with_a_session)
    qtbot.waitUntil(lambda: "Files were being written when Pavo" in window.messages.text, timeout=20_000)
    assert [(file.name, file.read_text("utf-8")) for file in out.iterdir()] == [("safe.csv", "old")]
    wait_idle(qtbot, window.document)
    assert "(1 times)" in window.messages.text
