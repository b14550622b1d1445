"""Nothing typed in Specify Metadata is lost while the file is read, read again, or taken over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from core.recipe.model import VariableEdit
from gui import dialogs
from gui.document.document import Document
from gui.main_window.window import MainWindow
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.specify_metadata.hand import examined, offer, place, press, select, type_box, variable
from tests.gui.waiting import wait_idle

Hold = Callable[[], threading.Event]


@pytest.fixture
def hold(survey_window: MainWindow) -> Iterator[Hold]:
    """Keeps the compute thread busy until the event is set."""
    made: list[threading.Event] = []

    def begin() -> threading.Event:
        free = threading.Event()

        def wait(progress: object) -> None:
            free.wait(60)

        survey_window.document.compute(f"test: busy {len(made)}", wait)
        made.append(free)
        return free

    yield begin
    for free in made:
        free.set()


def relabel(document: Document, label: str) -> None:
    """Another window gives AGE a label."""
    document.commit(label, document.recipe.with_(variables=(VariableEdit("AGE", label=label),)))


def labels(document: Document) -> dict[str, str | None]:
    return {edit.name: edit.label for edit in document.recipe.variables}


def test_what_ok_takes_over_is_not_edited_meanwhile(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, hold: Hold
) -> None:
    metadata.draft.change([place(metadata, "SEX")], label="mine")
    examined(qtbot, metadata)
    free = hold()
    press(qtbot, metadata, "accept")
    boxes = [box for box in metadata.pages.findChildren(QLineEdit) if box.isVisible()]
    assert boxes and not any(box.isEnabled() for box in boxes)
    assert not any(b.isEnabled() for b in (metadata.accept, metadata.suggest, metadata.read, metadata.save))
    assert metadata.cancel.isEnabled()
    free.set()
    wait_idle(qtbot, survey_window.document)
    assert labels(survey_window.document) == {"SEX": "mine"}
    assert survey_window.window_named("specifyMetadata") is None


def test_ok_reverts_no_step_of_another_window(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, hold: Hold
) -> None:
    document = survey_window.document
    metadata.draft.change([place(metadata, "SEX")], label="mine")
    examined(qtbot, metadata)
    free = hold()
    press(qtbot, metadata, "accept")
    seed = document.recipe.output.seed + 1
    document.commit("elsewhere", document.recipe.with_(output=replace(document.recipe.output, seed=seed)))
    free.set()
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: survey_window.window_named("specifyMetadata") is None)
    wait_idle(qtbot, document)
    assert document.recipe.output.seed == seed
    assert labels(document) == {"SEX": "mine"}


def test_ok_asks_where_another_window_changed_the_metadata_meanwhile(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, hold: Hold
) -> None:
    document = survey_window.document
    metadata.draft.change([place(metadata, "SEX")], label="mine")
    examined(qtbot, metadata)
    free = hold()
    press(qtbot, metadata, "accept")
    relabel(document, "theirs")
    free.set()
    wait_idle(qtbot, document)
    assert labels(document) == {"AGE": "theirs"}
    assert metadata.messages.text == "The session changed."
    assert metadata.accept.isEnabled() and metadata.pages.isEnabled()


def test_ok_that_is_stopped_can_be_pressed_again(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, hold: Hold
) -> None:
    document = survey_window.document
    metadata.draft.change([place(metadata, "SEX")], label="mine")
    examined(qtbot, metadata)
    free = hold()
    press(qtbot, metadata, "accept")
    document.cancel()
    free.set()
    wait_idle(qtbot, document)
    assert "Press OK again." in metadata.messages.text
    assert variable(metadata, "SEX").label == "mine"
    press(qtbot, metadata, "accept")
    wait_idle(qtbot, document)
    assert labels(document) == {"SEX": "mine"}


def test_edits_typed_while_the_variables_are_read_again_stay(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, hold: Hold
) -> None:
    document, free = survey_window.document, hold()
    relabel(document, "theirs")
    assert not metadata.accept.isEnabled()
    select(metadata, "SEX")
    type_box(qtbot, metadata, "variableLabel", "mine")
    free.set()
    wait_idle(qtbot, document)
    assert variable(metadata, "SEX").label == "mine"
    assert metadata.messages.text == "The session changed."
    offer(qtbot, metadata, "Reload")
    wait_idle(qtbot, document)
    assert (variable(metadata, "SEX").label, variable(metadata, "AGE").label) == ("", "theirs")
    assert metadata.accept.isEnabled()


def test_reading_again_that_is_stopped_costs_no_edit(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, hold: Hold
) -> None:
    document, free = survey_window.document, hold()
    relabel(document, "theirs")
    metadata.draft.change([place(metadata, "SEX")], label="mine")
    document.tasks.cancel("specify metadata: load")
    free.set()
    wait_idle(qtbot, document)
    assert variable(metadata, "SEX").label == "mine"
    assert metadata.draft.held


@pytest.mark.parametrize("stopped", [False, True])
def test_metadata_that_cannot_be_read_leave_the_variables(
    qtbot: QtBot,
    survey_window: MainWindow,
    metadata: SpecifyMetadata,
    hold: Hold,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    stopped: bool,
) -> None:
    metadata.draft.change([place(metadata, "SEX")], label="mine")
    examined(qtbot, metadata)
    monkeypatch.setattr(dialogs, "open_file", lambda *_: tmp_path / "none.rda")
    free = hold()
    press(qtbot, metadata, "readMetadata")
    if stopped:
        survey_window.document.cancel()
    free.set()
    wait_idle(qtbot, survey_window.document)
    assert ("Choose Read metadata again" if stopped else "none.rda") in metadata.messages.text
    assert metadata.pages.currentIndex() == 0
    assert variable(metadata, "SEX").label == "mine"
    assert "specifyMetadata" in survey_window.document.session.drafts
    press(qtbot, metadata, "accept")
    wait_idle(qtbot, survey_window.document)
    assert labels(survey_window.document) == {"SEX": "mine"}


def test_keep_mine_that_is_stopped_is_asked_again(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, hold: Hold
) -> None:
    document = survey_window.document
    metadata.draft.change([place(metadata, "SEX")], label="mine")
    relabel(document, "theirs")
    wait_idle(qtbot, document)
    free = hold()
    offer(qtbot, metadata, "Keep mine")
    document.cancel()
    free.set()
    wait_idle(qtbot, document)
    assert "Looking at the file was stopped." in metadata.messages.text
    assert variable(metadata, "SEX").label == "mine"
    press(qtbot, metadata, "accept")
    wait_idle(qtbot, document)
    assert labels(document) == {"AGE": "theirs"}
    offer(qtbot, metadata, "Keep mine")
    wait_idle(qtbot, document)
    press(qtbot, metadata, "accept")
    wait_idle(qtbot, document)
    assert labels(document) == {"SEX": "mine"}


def test_nothing_can_be_edited_before_anything_is_there(qtbot: QtBot, survey_window: MainWindow, hold: Hold) -> None:
    free = hold()
    window = survey_window.windows.open_window("specifyMetadata")
    assert isinstance(window, SpecifyMetadata)
    assert not window.form.name.isEnabled()
    assert not any(button.isEnabled() for button in (window.new, window.accept, window.suggest))
    window.form.changed.emit({"label": "x"})  # as typing that ends late
    window.form.use_chosen.emit("key", True)
    free.set()
    wait_idle(qtbot, survey_window.document)
    qtbot.waitUntil(lambda: window.draft.result is not None)
    assert window.form.name.isEnabled()
    assert not window.draft.touched
    window.close()


def test_what_is_filtered_out_cannot_be_edited(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    select(metadata, "SEX")
    name = metadata.findChild(QLineEdit, "variableName")
    assert name is not None and name.isEnabled()
    name.setFocus()
    name.setText("QQ")
    metadata.table.filter.setText("zzzzqq")
    assert metadata.places == []
    assert not name.isEnabled()
    qtbot.keyClick(name, Qt.Key.Key_Return)
    metadata.form.changed.emit({"name": "QQ"})
    assert not metadata.draft.touched
    metadata.table.filter.clear()
    select(metadata, "SEX")
    assert name.isEnabled() and name.text() == "SEX"
