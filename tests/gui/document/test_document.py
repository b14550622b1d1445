"""The document over a session that does nothing: edits, results that follow, files, locks."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.base.errors import DataError, PavoError
from core.base.progress import Progress
from core.recipe.model import Combination, Recipe, Threshold
from gui.document.document import Document
from gui.document.tasks import STOPPED
from tests.gui.conftest import FakeSession
from tests.gui.waiting import wait_idle


def another(folder: Path, name: str = "other") -> Path:
    path = folder / f"{name}.csv"
    path.write_text("A\n1\n", encoding="utf-8")
    return path


def with_threshold(recipe: Recipe, risk: float) -> Recipe:
    return recipe.with_(threshold=Threshold(individual_risk=risk))


def test_an_edit_is_told_at_once_and_its_results_follow(qtbot: QtBot, document: Document, recipe: Recipe) -> None:
    document.start("Open", recipe)
    wait_idle(qtbot, document)
    told: list[Any] = []
    document.changed.connect(lambda changes: told.append((changes, document.stale)))
    document.results_changed.connect(lambda: told.append(document.stale))
    edited = with_threshold(recipe, 0.01)
    assert document.commit("Threshold 0.01", edited)
    assert document.stale
    assert document.busy
    wait_idle(qtbot, document)
    assert document.derived.recipe is edited
    assert not document.stale
    changes, stale = told[0]
    assert stale
    assert (changes.threshold, changes.recodes, changes.input) == (True, False, False)
    assert told[-1] is False


def test_committing_what_is_there_is_no_step(document: Document, recipe: Recipe) -> None:
    document.start("Open", recipe)
    assert not document.commit("Nothing", replace(recipe))
    assert len(document.session.history.steps) == 1


def test_only_the_results_of_the_last_edit_are_shown(
    qtbot: QtBot, document: Document, recipe: Recipe, fake: FakeSession
) -> None:
    fake.held = True
    document.start("Open", recipe)
    shown: list[Any] = []
    document.results_changed.connect(lambda: shown.append(getattr(document.derived, "recipe", None)))
    for risk in (0.1, 0.2, 0.3):
        document.commit(f"Threshold {risk}", with_threshold(recipe, risk))
    fake.held = False
    wait_idle(qtbot, document)
    assert [r for r in shown if r is not None] == [with_threshold(recipe, 0.3)]


def test_cancel_goes_back_to_the_recipe_that_has_results_and_redo_has_the_other(
    qtbot: QtBot, document: Document, recipe: Recipe, fake: FakeSession
) -> None:
    document.start("Open", recipe)
    wait_idle(qtbot, document)
    fake.held = True
    document.commit("Slow edit", with_threshold(recipe, 0.1))
    qtbot.waitUntil(lambda: len(fake.derived) == 2)
    document.cancel()
    wait_idle(qtbot, document)
    assert document.recipe is recipe
    assert not document.stale
    assert document.session.history.redo_label == "Slow edit"


def test_cancelling_the_opening_of_a_file_leaves_what_was_open(
    qtbot: QtBot, document: Document, recipe: Recipe, fake: FakeSession, tmp_path: Path
) -> None:
    document.start("Open", recipe)
    wait_idle(qtbot, document)
    document.commit("Edit", with_threshold(recipe, 0.1))
    wait_idle(qtbot, document)
    fake.slow_to_read = True
    document.open_data(another(tmp_path))
    qtbot.waitUntil(lambda: len(fake.read) == 2)
    document.cancel()
    wait_idle(qtbot, document)
    assert document.recipe == with_threshold(recipe, 0.1)
    assert document.session.history.undo_label == "Edit"
    assert not document.stale


def test_cancel_of_one_opening_after_another_leaves_what_was_seen_last(
    qtbot: QtBot, document: Document, recipe: Recipe, fake: FakeSession, tmp_path: Path
) -> None:
    document.start("Open", recipe)
    wait_idle(qtbot, document)
    fake.slow_to_read = True
    document.open_data(another(tmp_path, "never read"))
    qtbot.waitUntil(lambda: len(fake.read) == 2)
    document.open_data(another(tmp_path))
    qtbot.waitUntil(lambda: len(fake.read) == 3)
    document.cancel()
    wait_idle(qtbot, document)
    assert document.recipe is recipe
    assert not document.stale


def test_cancel_once_a_file_is_read_stops_its_figures_and_keeps_it_open(
    qtbot: QtBot, document: Document, recipe: Recipe, fake: FakeSession, tmp_path: Path
) -> None:
    document.start("Open", recipe)
    wait_idle(qtbot, document)
    fake.held = True
    document.open_data(other := another(tmp_path))
    qtbot.waitUntil(lambda: len(fake.derived) == 2)
    QApplication.processEvents()
    document.cancel()
    wait_idle(qtbot, document)
    assert document.recipe.input.data == other
    assert document.session.error is not None and document.session.error.id == STOPPED
    fake.held = False
    document.retry()
    wait_idle(qtbot, document)
    assert not document.stale


def test_another_session_ends_all_work_on_the_one_before(
    qtbot: QtBot, document: Document, recipe: Recipe, tmp_path: Path
) -> None:
    document.start("Open", recipe)
    wait_idle(qtbot, document)
    begun, told = threading.Event(), []

    def work(progress: Progress) -> None:
        begun.set()
        while True:
            progress.check()
            time.sleep(0.001)

    for slot, background in (("curve", False), ("advice", False), ("warnings", True)):
        call = {"done": told.append, "failed": told.append, "cancelled": lambda: told.append("cancelled")}
        document.compute(slot, work, background=background, **call)
    qtbot.waitUntil(begun.is_set)
    start = time.monotonic()
    document.open_data(other := another(tmp_path))
    wait_idle(qtbot, document)
    assert time.monotonic() - start < 1
    assert document.derived.recipe.input.data == other
    assert not told


def test_work_of_the_program_goes_on_in_another_session(qtbot: QtBot, document: Document, recipe: Recipe) -> None:
    go, told = threading.Event(), []

    def work(progress: Progress) -> str:
        go.wait(10)
        progress.check()
        return "ready"

    document.compute("warm-up", work, done=told.append, lasting=True)
    document.start("Open", recipe)
    go.set()
    wait_idle(qtbot, document)
    assert told == ["ready"]


def test_an_edit_that_was_stopped_is_told_of_and_redone(
    qtbot: QtBot, document: Document, recipe: Recipe, fake: FakeSession
) -> None:
    document.start("Open", recipe)
    wait_idle(qtbot, document)
    told: list[str] = []
    document.edit_stopped.connect(told.append)
    fake.held = True
    document.commit("Slow edit", with_threshold(recipe, 0.1))
    qtbot.waitUntil(lambda: len(fake.derived) == 2)
    document.cancel()
    wait_idle(qtbot, document)
    assert told == ["Slow edit"]
    fake.held = False
    document.redo()
    wait_idle(qtbot, document)
    assert document.recipe == with_threshold(recipe, 0.1)
    assert not document.stale


def test_an_edit_that_cannot_be_derived_keeps_the_old_results_greyed_and_can_be_undone(
    qtbot: QtBot, document: Document, recipe: Recipe, fake: FakeSession
) -> None:
    document.start("Open", recipe)
    wait_idle(qtbot, document)
    errors: list[PavoError] = []
    document.failed.connect(errors.append)
    fake.error = DataError("bad", "It is bad.")
    document.commit("Bad edit", with_threshold(recipe, 0.1))
    wait_idle(qtbot, document)
    assert [error.id for error in errors] == ["bad"]
    assert document.session.error is errors[0]
    assert document.stale
    assert document.derived.recipe is recipe
    document.undo()
    wait_idle(qtbot, document)
    assert document.session.error is None
    assert not document.stale


edits = st.lists(
    st.tuples(st.sampled_from(["threshold", "criterion", "combination", "undo", "redo", "jump"]), st.integers(0, 3)),
    max_size=25,
)


def edited(recipe: Recipe, what: str, value: int) -> Recipe:
    if what == "threshold":
        return with_threshold(recipe, (value + 1) / 10)
    if what == "criterion":
        return recipe.with_(suppression=replace(recipe.suppression, seed=value))
    return recipe.with_(combinations=(Combination(("SEX", "AGE")[: 1 + value % 2]),))


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(todo=edits)
def test_whatever_is_done_the_results_are_those_of_the_current_recipe(
    qtbot: QtBot, document: Document, recipe: Recipe, todo: list[tuple[str, int]]
) -> None:
    document.start("Open", recipe)
    model, place = [recipe], 0
    for what, value in todo:
        if what in ("undo", "redo", "jump"):
            goal = {"undo": place - 1, "redo": place + 1, "jump": value}[what]
            if 0 <= goal < len(model):
                place = goal
            {"undo": document.undo, "redo": document.redo, "jump": lambda value=value: document.jump(value)}[what]()
        else:
            new = edited(model[place], what, value)
            if new != model[place]:
                model = [*model[: place + 1], new]
                place += 1
            document.commit(what, new)
        assert document.recipe == model[place]
    wait_idle(qtbot, document)
    assert document.derived.recipe == model[place]
    assert not document.stale
    while document.undo():
        pass
    wait_idle(qtbot, document)
    assert document.derived.recipe == recipe
    assert not document.session.modified


def test_a_saved_session_is_opened_as_it_was(qtbot: QtBot, document: Document, recipe: Recipe, tmp_path: Path) -> None:
    document.start("Open", recipe)
    assert document.session.name == "survey"
    document.commit("Threshold", with_threshold(recipe, 0.00125190354))
    assert document.session.modified
    file = tmp_path / "work.pavo"
    document.save(file)
    assert not document.session.modified
    assert document.session.name == "work"
    document.commit("Threshold", with_threshold(recipe, 0.5))
    document.open_session(file)
    wait_idle(qtbot, document)
    assert document.recipe.threshold.individual_risk == 0.00125190354
    assert document.recipe.input.data == recipe.input.data
    assert not document.session.modified


def test_undoing_back_to_what_was_saved_is_not_modified(document: Document, recipe: Recipe, tmp_path: Path) -> None:
    document.start("Open", recipe)
    document.save(tmp_path / "work.pavo")
    document.commit("Edit", with_threshold(recipe, 0.1))
    assert document.session.modified
    document.undo()
    assert not document.session.modified


def test_a_session_that_is_open_elsewhere_is_read_only(
    qtbot: QtBot, document: Document, recipe: Recipe, tmp_path: Path, fake: FakeSession
) -> None:
    file = tmp_path / "work.pavo"
    document.start("Open", recipe)
    document.save(file)
    second = Document(lambda: fake)
    second.open_session(file)
    assert second.session.read_only
    with pytest.raises(PavoError, match=r"work\.pavo is open in another Pavo"):
        second.save(file)
    second.save(tmp_path / "copy.pavo")
    assert not second.session.read_only
    second.shut_down()
    document.close()
    third = Document(lambda: fake)
    third.open_session(file)
    assert not third.session.read_only
    third.shut_down()


def test_a_session_that_cannot_be_read_leaves_what_is_open(document: Document, recipe: Recipe, tmp_path: Path) -> None:
    document.start("Open", recipe)
    with pytest.raises(PavoError, match="no session file"):
        document.open_session(tmp_path / "absent.pavo")
    broken = tmp_path / "broken.pavo"
    broken.write_text("recipe = 1\nnonsense = 2\n", encoding="utf-8")
    with pytest.raises(PavoError, match="nonsense"):
        document.open_session(broken)
    assert document.recipe is recipe


def test_an_input_is_never_written_over(document: Document, recipe: Recipe) -> None:
    document.start("Open", recipe)
    data = recipe.input.data
    before = data.read_bytes()
    with pytest.raises(PavoError, match="inputs are never overwritten"):
        document.save(data)
    assert data.read_bytes() == before


def test_a_folder_that_is_a_file_cannot_be_saved_to(document: Document, recipe: Recipe) -> None:
    document.start("Open", recipe)
    with pytest.raises(PavoError, match="cannot be written"):
        document.save(recipe.input.data / "below.pavo")
    assert document.session.path is None


def test_metadata_beside_the_data_is_found_in_any_case_of_letters(document: Document, tmp_path: Path) -> None:
    data = tmp_path / "Demodata.asc"
    data.write_text("1\n", encoding="utf-8")
    metadata = tmp_path / "DEMODATA.RDA"
    metadata.write_text("A 1 1\n", encoding="utf-8")
    document.open_data(data)
    assert document.recipe.input.metadata == metadata


def test_new_session_has_a_secret_of_its_own_that_stays(qtbot: QtBot, document: Document, tmp_path: Path) -> None:
    """Undone, changed, saved and opened again; of a recipe without one nothing is made up."""
    data = tmp_path / "survey.csv"
    data.write_text("A,B\n1,2\n")
    secrets = []
    for _ in range(2):
        document.open_data(data)
        wait_idle(qtbot, document)
        secrets.append(document.recipe.suppression.secret)
    assert len(set(secrets)) == 2 and all(secret and len(secret) == 32 for secret in secrets)
    assert not document.session.modified and not document.undo()
    document.commit("Threshold", with_threshold(document.recipe, 0.1))
    document.undo()
    assert document.recipe.suppression.secret == secrets[1]
    assert secrets[1] not in repr(document.recipe)
    document.save(tmp_path / "s.pavo")
    document.open_session(tmp_path / "s.pavo")
    wait_idle(qtbot, document)
    assert document.recipe.suppression.secret == secrets[1]
    (tmp_path / "old.pavo").write_text('recipe = 1\n[input]\ndata = "survey.csv"\n')
    document.open_session(tmp_path / "old.pavo")
    wait_idle(qtbot, document)
    assert document.recipe.suppression.secret is None
