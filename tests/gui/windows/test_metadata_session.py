"""Specify Metadata within the session: drafts, suggestions, labels, files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, VariableEdit
from gui import dialogs
from gui.models.variables import CODES
from gui.widgets.use_popup import UsePopup
from gui.windows.main_window import MainWindow
from gui.windows.specify_metadata import SpecifyMetadata
from gui.windows.suggestions import Suggestions
from tests.gui.conftest import wait_idle
from tests.gui.windows.metadata_steps import (
    LEFT,
    accept,
    cell,
    opened,
    place,
    press,
    select,
    texts,
    variable,
)


@pytest.fixture
def main_window(open_window: Callable[..., MainWindow], demo: Path) -> MainWindow:
    return open_window(demo / "survey.asc")


@pytest.fixture
def window(qtbot: QtBot, main_window: MainWindow, answers: list[int]) -> Any:
    made = opened(qtbot, main_window)
    yield made
    if main_window.window_named("specifyMetadata") is not None:
        answers[:] = [0]
        made.close()


def test_closing_with_a_touched_draft_asks(
    qtbot: QtBot, main_window: MainWindow, window: SpecifyMetadata, answers: list[int]
) -> None:
    window.draft.change([0], label="x")
    answers.append(1)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.isVisible()
    answers.append(0)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert main_window.window_named("specifyMetadata") is None
    assert main_window.document.recipe.variables == ()


def offer(qtbot: QtBot, window: SpecifyMetadata, text: str) -> None:
    button = next(b for b in window.messages.findChildren(QPushButton) if b.text() == text)
    qtbot.mouseClick(button, LEFT)


def test_a_session_that_changes_under_a_touched_draft_is_said(
    qtbot: QtBot, main_window: MainWindow, window: SpecifyMetadata
) -> None:
    document = main_window.document
    window.draft.change([place(window, "SEX")], label="mine")
    document.commit("elsewhere", document.recipe.with_(variables=(VariableEdit("AGE", label="theirs"),)))
    assert window.messages.text == "The session changed."
    assert variable(window, "SEX").label == "mine"
    offer(qtbot, window, "Keep mine")
    wait_idle(qtbot, document)
    assert variable(window, "SEX").label == "mine"
    assert variable(window, "AGE").label == ""
    document.commit("again", document.recipe.with_(variables=(VariableEdit("AGE", label="other"),)))
    offer(qtbot, window, "Reload")
    wait_idle(qtbot, document)
    assert variable(window, "AGE").label == "other"
    assert variable(window, "SEX").label == ""
    assert not window.draft.touched


def test_an_untouched_draft_follows(qtbot: QtBot, main_window: MainWindow, window: SpecifyMetadata) -> None:
    document = main_window.document
    document.commit("elsewhere", document.recipe.with_(variables=(VariableEdit("AGE", label="theirs"),)))
    wait_idle(qtbot, document)
    assert window.messages.text == ""
    assert variable(window, "AGE").label == "theirs"
    document.commit("combinations", document.recipe.with_(combinations=(Combination(("SEX",), "frequency"),)))
    assert window.messages.text == ""


def test_another_file_drops_the_draft_and_says_so(
    qtbot: QtBot, main_window: MainWindow, window: SpecifyMetadata, demo: Path
) -> None:
    window.draft.change([0], label="x")
    main_window.document.open_data(demo / "survey.csv")
    wait_idle(qtbot, main_window.document)
    assert "the unfinished changes to survey.asc were dropped" in window.messages.text
    assert window.form.name.isReadOnly()


def test_suggestions_are_reviewed(qtbot: QtBot, window: SpecifyMetadata) -> None:
    press(qtbot, window, "suggest")
    dialog = window.findChild(Suggestions)
    assert dialog is not None
    rows = [[dialog.list.topLevelItem(i).text(c) for c in range(3)] for i in range(dialog.list.topLevelItemCount())]
    assert rows[0] == [
        "PERSONNO", "Direct identifier", "It is called PERSONNO, and 5002 records have 5002 different values.",
    ]  # fmt: skip
    assert [row[:2] for row in rows[1:]] == [["INCOME", "Sensitive"], ["ILLNESS", "Sensitive"]]
    assert not window.draft.touched
    dialog.list.topLevelItem(1).setCheckState(0, Qt.CheckState.Unchecked)
    assert dialog.take.text() == "&Take over (2)"
    qtbot.mouseClick(dialog.take, LEFT)
    assert variable(window, "PERSONNO").role == "direct-identifier"
    assert not variable(window, "INCOME").sensitive
    assert variable(window, "ILLNESS").sensitive


def test_what_check_my_file_proposes_is_done_on_request(qtbot: QtBot, window: SpecifyMetadata) -> None:
    press(qtbot, window, "checkFile")
    found = window.problems.check
    assert texts(found)[0].startswith("PERSONNO is likely to identify persons directly.")
    assert not window.problems.apply.isEnabled()
    qtbot.mouseClick(found.viewport(), LEFT, pos=found.visualItemRect(found.item(0)).center())
    assert window.problems.apply.text() == "Make it a direct identifier"
    assert variable(window, "PERSONNO").role == "other"
    qtbot.mouseClick(window.problems.apply, LEFT)
    assert variable(window, "PERSONNO").role == "direct-identifier"


def test_the_profile_shows_codes_with_labels(window: SpecifyMetadata) -> None:
    select(window, "SEX")
    profile = window.profile
    assert profile.summary.text().splitlines() == [
        "2 different codes", "0 of 5002 records missing (0.0 %)", "minimum 1 · mean 1.517193 · maximum 2",
    ]  # fmt: skip
    model = profile.codes.model
    rows = [[model.index(r, c).data() for c in range(4)] for r in range(model.rowCount())]
    assert rows == [["2", "Female", "2587", "51.7"], ["1", "Male", "2415", "48.3"], ["9", "", "0", "0.0"]]
    assert profile.histogram.isVisible()
    select(window, "SEX", "AGE")
    assert profile.summary.text() == "Select one variable to see what it holds."


def test_labels_are_edited_and_saved_as_a_codelist(
    qtbot: QtBot, window: SpecifyMetadata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: list[int]
) -> None:
    select(window, "AGE")
    view = window.profile.codes.view
    view.setFocus()
    view.setCurrentIndex(window.profile.codes.model.index(0, 0))
    code = window.profile.codes.model.key(0)
    qtbot.keyClick(view, Qt.Key.Key_F2)
    editor = next(e for e in view.findChildren(QLineEdit) if e.isVisible())
    qtbot.keyClicks(editor, "a good age")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert window.draft.labels_of("AGE") == {code: "a good age"}
    assert window.profile.save.isVisible()
    answers.append(2)
    accept(qtbot, window)
    assert window.isVisible()
    monkeypatch.setattr(dialogs, "save_file", lambda *_: tmp_path / "ages")
    press(qtbot, window, "saveLabels")
    assert (tmp_path / "ages.cdl").read_text(encoding="utf-8") == f"{code},a good age\n"
    assert variable(window, "AGE").codelist == tmp_path / "ages.cdl"
    assert not window.profile.save.isVisible()
    document = window.document
    accept(qtbot, window)
    assert document.recipe.variables == (VariableEdit("AGE", codelist=tmp_path / "ages.cdl"),)


def test_a_codelist_in_use_is_not_overwritten(
    qtbot: QtBot, window: SpecifyMetadata, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (demo / "Sex.cdl").read_bytes()
    window.draft.label("SEX", "9", "unknown")
    select(window, "SEX")
    monkeypatch.setattr(dialogs, "save_file", lambda *_: demo / "Sex.cdl")
    press(qtbot, window, "saveLabels")
    assert "inputs are never overwritten" in window.messages.text
    assert (demo / "Sex.cdl").read_bytes() == before
    assert window.draft.new_labels == {"SEX": {"9": "unknown"}}


def test_metadata_are_saved_and_read_back(
    qtbot: QtBot, window: SpecifyMetadata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.draft.change([place(window, "SEX")], suppression_weight=11, label="Sex")
    monkeypatch.setattr(dialogs, "save_file", lambda *_: tmp_path / "own")
    press(qtbot, window, "saveMetadataAs")
    assert (tmp_path / "own.rda").is_file()
    assert "written to own.rda. The format has no place for labels of variables" in window.messages.text
    monkeypatch.setattr(dialogs, "open_file", lambda *_: tmp_path / "own.rda")
    press(qtbot, window, "readMetadata")
    wait_idle(qtbot, window.document)
    assert variable(window, "SEX").suppression_weight == 11
    assert variable(window, "SEX").label == ""
    document = window.document
    accept(qtbot, window)
    assert document.recipe.input.metadata == tmp_path / "own.rda"
    assert document.recipe.variables == ()


def test_new_variables_begin_where_the_one_before_ends(qtbot: QtBot, window: SpecifyMetadata) -> None:
    select(window, "SEX")
    press(qtbot, window, "addVariable")
    new = variable(window, "New")
    assert (new.start, new.length, new.categorical) == (20, 1, True)
    assert window.form.name.hasFocus()
    qtbot.keyClicks(window.form.name, "X")
    qtbot.keyClick(window.form.name, Qt.Key.Key_Return)
    assert variable(window, "X").start == 20


def test_the_filter_does_not_hide_a_problem(qtbot: QtBot, window: SpecifyMetadata) -> None:
    window.table.filter.setText("REGION")
    window.go_to("SEX", "start")
    assert [window.draft.variables[i].name for i in window.places] == ["SEX"]


def test_an_unreadable_file_says_why_in_the_profile(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("A,B\n" + "1,2\n" * 200 + "3\n", encoding="utf-8")
    window = opened(qtbot, open_window(path))
    assert "line 202" in window.profile.summary.text()
    assert "line 202" in window.messages.text
    assert cell(window, "A", CODES) == "–"
    window.close()


def test_the_popup_stays_on_the_screen(qtbot: QtBot, window: SpecifyMetadata) -> None:
    popup = UsePopup(("key",), window.table)
    room = popup.screen().availableGeometry()
    popup.open_at(QPoint(room.right(), room.bottom()))
    assert room.contains(popup.geometry())
    qtbot.keyClick(popup, Qt.Key.Key_Escape)


def test_stopping_the_look_leaves_the_window_usable(qtbot: QtBot, window: SpecifyMetadata) -> None:
    document = window.document
    window.draft.change([place(window, "SEX")], missing=("8",))
    assert window.draft.examine_now()
    document.cancel()
    wait_idle(qtbot, document)
    if window.messages.text:  # else it was quicker than the cancelling
        assert window.messages.text.startswith("Looking at the file was stopped.")
    accept(qtbot, window)
    assert document.recipe.variables == (VariableEdit("SEX", missing=("8",)),)


def test_closing_while_the_file_is_read_leaves_nothing_behind(
    qtbot: QtBot, main_window: MainWindow, window: SpecifyMetadata, answers: list[int]
) -> None:
    window.draft.change([place(window, "SEX")], missing=("8",))
    assert window.draft.examine_now()
    answers.append(0)
    window.close()
    wait_idle(qtbot, main_window.document)
    assert main_window.window_named("specifyMetadata") is None


def test_undo_in_a_box_without_typing_is_the_sessions(
    qtbot: QtBot, main_window: MainWindow, window: SpecifyMetadata
) -> None:
    document = main_window.document
    document.commit("elsewhere", document.recipe.with_(variables=(VariableEdit("AGE", label="theirs"),)))
    wait_idle(qtbot, document)
    select(window, "SEX")
    window.form.label.setFocus()
    qtbot.keyClick(window.form.label, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.recipe.variables == ()
