"""Specify Metadata within the session: drafts, suggestions, labels, files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

import core.metadata.examine
import gui.specify_metadata.draft
from core.recipe.model import Combination, VariableEdit
from gui import dialogs
from gui.main_window.window import MainWindow
from gui.specify_metadata.variable_model import CODES, USE
from gui.specify_metadata.variable_table import UsePopup
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.held import Held
from tests.gui.specify_metadata.hand import (
    LEFT,
    accept,
    cell,
    choose_use,
    click,
    examined,
    offer,
    opened,
    place,
    press,
    select,
    variable,
)
from tests.gui.waiting import wait_idle


def test_escape_and_closing_with_a_touched_draft_ask(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, answers: list[int]
) -> None:
    metadata.draft.change([0], label="x")
    answers.append(1)
    qtbot.keyClick(metadata, Qt.Key.Key_Escape)
    assert metadata.isVisible()
    assert metadata.draft.touched
    answers.append(0)
    qtbot.keyClick(metadata, Qt.Key.Key_Escape)
    assert metadata.isVisible() and not metadata.draft.touched
    metadata.draft.change([0], label="x")
    answers.append(0)
    metadata.close()
    assert survey_window.window_named("specifyMetadata") is None
    assert survey_window.document.recipe.variables == ()


def test_a_session_that_changes_under_a_touched_draft_is_said(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata
) -> None:
    document = survey_window.document
    metadata.draft.change([place(metadata, "SEX")], label="mine")
    document.commit("elsewhere", document.recipe.with_(variables=(VariableEdit("AGE", label="theirs"),)))
    assert metadata.messages.text == "The session changed."
    assert variable(metadata, "SEX").label == "mine"
    metadata.messages.clear()
    accept(qtbot, metadata)  # nothing of either is lost before the user says so
    assert metadata.isVisible()
    assert metadata.messages.text == "The session changed."
    assert document.recipe.variables == (VariableEdit("AGE", label="theirs"),)
    offer(qtbot, metadata, "Keep mine")
    wait_idle(qtbot, document)
    assert variable(metadata, "SEX").label == "mine"
    assert variable(metadata, "AGE").label == ""
    document.commit("again", document.recipe.with_(variables=(VariableEdit("AGE", label="other"),)))
    offer(qtbot, metadata, "Reload")
    wait_idle(qtbot, document)
    assert variable(metadata, "AGE").label == "other"
    assert variable(metadata, "SEX").label == ""
    assert not metadata.draft.touched


def test_an_untouched_draft_follows(qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata) -> None:
    document = survey_window.document
    document.commit("elsewhere", document.recipe.with_(variables=(VariableEdit("AGE", label="theirs"),)))
    wait_idle(qtbot, document)
    assert metadata.messages.text == ""
    assert variable(metadata, "AGE").label == "theirs"
    document.commit("combinations", document.recipe.with_(combinations=(Combination(("SEX",), "frequency"),)))
    assert metadata.messages.text == ""


def test_another_file_drops_the_draft_and_says_so(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, demo: Path
) -> None:
    metadata.draft.change([0], label="x")
    survey_window.document.open_data(demo / "survey.csv")
    wait_idle(qtbot, survey_window.document)
    assert "the unfinished changes to survey.asc were dropped" in metadata.messages.text
    assert not metadata.form.name.isEnabled()


def test_a_click_on_a_proposal_leads_to_its_field(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    table = metadata.proposals.table
    press(qtbot, metadata, "suggest")
    assert metadata.problems.tabs.currentIndex() == 1
    assert metadata.problems.tabs.tabText(1) == f"Check my file ({table.rows.total})"
    qtbot.mouseClick(table.view.viewport(), LEFT, pos=table.view.visualRect(table.model.index(0, 1)).center())
    assert [metadata.draft.variables[i].name for i in metadata.places] == ["PERSONNO"]
    assert variable(metadata, "PERSONNO").role == "other"


def test_a_variable_is_left_out_by_its_use_and_comes_back_as_it_was(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    click(qtbot, metadata, "REGION", USE)
    choose_use(qtbot, metadata, "leave-out")
    assert cell(metadata, "REGION", USE) == "Leave out"
    assert metadata.form.removed.isChecked() and metadata.form.key.isChecked()
    examined(qtbot, metadata)
    assert not any("REGION" in row[0].split(", ") for row in metadata.proposals._texts)
    metadata.form.removed.click()
    assert cell(metadata, "REGION", USE) == "Key · Household variable"


def test_the_profile_shows_codes_with_labels(metadata: SpecifyMetadata) -> None:
    select(metadata, "SEX")
    profile = metadata.profile
    assert profile.summary.text().splitlines() == [
        "2 different codes", "0 missing (0.0 %)", "1 to 2, mean 1.517193",
    ]  # fmt: skip
    model = profile.codes.model
    rows = [[model.index(r, c).data() for c in range(4)] for r in range(model.rowCount())]
    assert rows == [["2", "Female", "2,587", "51.7"], ["1", "Male", "2,415", "48.3"], ["9", "", "0", "0.0"]]
    assert profile.histogram.isVisible()
    select(metadata, "SEX", "AGE")
    assert profile.summary.text() == "Select one variable to see what it holds."


def test_labels_are_edited_and_saved_as_a_codelist(
    qtbot: QtBot, metadata: SpecifyMetadata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: list[int]
) -> None:
    select(metadata, "AGE")
    view = metadata.profile.codes.view
    view.setFocus()
    view.setCurrentIndex(metadata.profile.codes.model.index(0, 0))
    code = metadata.profile.codes.model.key(0)
    qtbot.keyClick(view, Qt.Key.Key_F2)
    editor = next(e for e in view.findChildren(QLineEdit) if e.isVisible())
    qtbot.keyClicks(editor, "a good age")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert metadata.draft.labels_of("AGE") == {code: "a good age"}
    assert metadata.profile.save.isVisible()
    answers.append(2)
    accept(qtbot, metadata)
    assert metadata.isVisible()
    monkeypatch.setattr(dialogs, "save_file", lambda *_: tmp_path / "ages")
    press(qtbot, metadata, "saveLabels")
    assert (tmp_path / "ages.cdl").read_text(encoding="utf-8") == f"{code},a good age\n"
    assert variable(metadata, "AGE").codelist == tmp_path / "ages.cdl"
    assert not metadata.profile.save.isVisible()
    document = metadata.document
    accept(qtbot, metadata)
    assert document.recipe.variables == (VariableEdit("AGE", codelist=tmp_path / "ages.cdl"),)


def test_a_codelist_in_use_is_not_overwritten(
    qtbot: QtBot, metadata: SpecifyMetadata, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (demo / "Sex.cdl").read_bytes()
    metadata.draft.label("SEX", "9", "unknown")
    select(metadata, "SEX")
    monkeypatch.setattr(dialogs, "save_file", lambda *_: demo / "Sex.cdl")
    press(qtbot, metadata, "saveLabels")
    assert "inputs are never overwritten" in metadata.messages.text
    assert (demo / "Sex.cdl").read_bytes() == before
    assert metadata.draft.value.labels == {"SEX": {"9": "unknown"}}


def test_metadata_are_saved_and_read_back(
    qtbot: QtBot, metadata: SpecifyMetadata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata.draft.change([place(metadata, "SEX")], suppression_weight=11, label="Sex")
    monkeypatch.setattr(dialogs, "save_file", lambda *_: tmp_path / "own")
    press(qtbot, metadata, "saveMetadataAs")
    assert (tmp_path / "own.rda").is_file()
    assert "written to own.rda. The format has no place for labels of variables" in metadata.messages.text
    monkeypatch.setattr(dialogs, "open_file", lambda *_: tmp_path / "own.rda")
    press(qtbot, metadata, "readMetadata")
    wait_idle(qtbot, metadata.document)
    assert variable(metadata, "SEX").suppression_weight == 11
    assert variable(metadata, "SEX").label == ""
    document = metadata.document
    accept(qtbot, metadata)
    assert document.recipe.input.metadata == tmp_path / "own.rda"
    assert document.recipe.variables == ()


def test_new_variables_begin_where_the_one_before_ends(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    select(metadata, "SEX")
    press(qtbot, metadata, "addVariable")
    new = variable(metadata, "New")
    assert (new.start, new.length, new.categorical) == (20, 1, True)
    assert metadata.form.name.hasFocus()
    qtbot.keyClicks(metadata.form.name, "X")
    qtbot.keyClick(metadata.form.name, Qt.Key.Key_Return)
    assert variable(metadata, "X").start == 20


def test_the_filter_does_not_hide_a_problem(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    metadata.table.filter.setText("REGION")
    metadata.go_to("SEX", "start")
    assert [metadata.draft.variables[i].name for i in metadata.places] == ["SEX"]


def test_an_unreadable_file_says_why_in_the_profile(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("A,B\n" + "1,2\n" * 200 + "3\n", encoding="utf-8")
    metadata = opened(qtbot, open_window(path))
    assert "line 202" in metadata.profile.summary.text()
    assert "line 202" in metadata.messages.text
    assert cell(metadata, "A", CODES) == "–"
    state = metadata.findChild(QLabel, "fileCheckState")
    assert state is not None and "could not be looked at" in state.text() and "line 202" in state.text()
    metadata.close()


def test_the_popup_stays_on_the_screen(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    popup = UsePopup(("key",), metadata.table)
    room = popup.screen().availableGeometry()
    popup.open_at(QPoint(room.right(), room.bottom()))
    assert room.contains(popup.geometry())
    qtbot.keyClick(popup, Qt.Key.Key_Escape)


def test_stopping_the_look_leaves_the_window_usable(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    document = metadata.document
    metadata.draft.change([place(metadata, "SEX")], missing=("8",))
    assert metadata.draft.examine_now()
    document.cancel()
    wait_idle(qtbot, document)
    if metadata.messages.text:  # else it was quicker than the cancelling
        assert metadata.messages.text == "Reading the file was stopped."
    accept(qtbot, metadata)
    assert document.recipe.variables == (VariableEdit("SEX", missing=("8",)),)


def says(window: SpecifyMetadata, text: str) -> list[str]:
    return [label.objectName() for label in window.findChildren(QLabel) if label.text() == text]


@pytest.mark.parametrize("again", ["readAgain", "messageOffer1"])
def test_reading_that_is_stopped_can_be_begun_again(
    qtbot: QtBot, survey_window: MainWindow, monkeypatch: pytest.MonkeyPatch, again: str
) -> None:
    held = Held(monkeypatch, core.metadata.examine, "examine")
    metadata = survey_window.windows.open_window("specifyMetadata")
    qtbot.waitUntil(held.begun.is_set, timeout=20_000)
    survey_window.document.cancel()
    wait_idle(qtbot, survey_window.document)
    held.go.set()
    assert says(metadata, "Reading the file was stopped.") == ["messageText", "fileCheckState", "profileSummary"]
    assert not says(metadata, "The file is being read…")
    press(qtbot, metadata, again)
    assert not says(metadata, "Reading the file was stopped.")
    examined(qtbot, metadata)
    assert metadata.profile.title.text().startswith("Profile of")
    assert not metadata.profile.again.isVisible()
    metadata.close()


def test_a_description_whose_reading_is_stopped_can_be_read_again(
    qtbot: QtBot, survey_window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch, gui.specify_metadata.draft, "load_kept")
    metadata = survey_window.windows.open_window("specifyMetadata")
    qtbot.waitUntil(held.begun.is_set, timeout=20_000)
    survey_window.document.cancel()
    wait_idle(qtbot, survey_window.document)
    held.go.set()
    assert metadata.messages.text == "Reading the file was stopped."
    offer(qtbot, metadata, "Read again")
    examined(qtbot, metadata)
    assert metadata.pages.currentIndex() == 0 and not metadata.messages.text
    metadata.close()


def test_closing_while_the_file_is_read_leaves_nothing_behind(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, answers: list[int]
) -> None:
    metadata.draft.change([place(metadata, "SEX")], missing=("8",))
    assert metadata.draft.examine_now()
    answers.append(0)
    metadata.close()
    wait_idle(qtbot, survey_window.document)
    assert survey_window.window_named("specifyMetadata") is None


def test_undo_in_a_box_without_typing_is_the_sessions(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata
) -> None:
    document = survey_window.document
    document.commit("elsewhere", document.recipe.with_(variables=(VariableEdit("AGE", label="theirs"),)))
    wait_idle(qtbot, document)
    select(metadata, "SEX")
    metadata.form.label.setFocus()
    qtbot.keyClick(metadata.form.label, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.recipe.variables == ()
