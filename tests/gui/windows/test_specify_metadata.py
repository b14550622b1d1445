"""Specify Metadata by mouse and keys, on the demonstration survey."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.microdata.uses import USES
from core.recipe.model import Combination, Recode, VariableEdit
from gui import dialogs
from gui.models.variables import CODES, LABEL, MISSING, NAME, TYPE, USE, codes_text, parse_codes
from gui.widgets.use_popup import UsePopup
from gui.windows.main_window import MainWindow
from gui.windows.specify_metadata import SpecifyMetadata
from gui.windows.suggestions import Suggestions
from tests.gui.conftest import wait_idle

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


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


def opened(qtbot: QtBot, main_window: MainWindow) -> SpecifyMetadata:
    made = main_window.windows.open_window("specifyMetadata")
    assert isinstance(made, SpecifyMetadata)
    qtbot.waitExposed(made)
    wait_idle(qtbot, main_window.document)
    qtbot.waitUntil(lambda: made.draft.result is not None, timeout=20_000)
    return made


def examined(qtbot: QtBot, window: SpecifyMetadata) -> None:
    draft = window.draft
    qtbot.waitUntil(lambda: draft.result is not None and draft.result.description is draft.description, timeout=20_000)


def press(qtbot: QtBot, window: QWidget, name: str) -> None:
    button = window.findChild(QPushButton, name)
    assert button is not None
    assert button.isEnabled()
    qtbot.mouseClick(button, LEFT)


def accept(qtbot: QtBot, window: SpecifyMetadata) -> None:
    document = window.document
    press(qtbot, window, "accept")
    wait_idle(qtbot, document)


def place(window: SpecifyMetadata, name: str) -> int:
    return next(i for i, v in enumerate(window.draft.variables) if v.name == name)


def select(window: SpecifyMetadata, *names: str) -> None:
    window.table.select_places([place(window, name) for name in names])


def click(qtbot: QtBot, window: SpecifyMetadata, name: str, column: int, keys: Any = None) -> None:
    view = window.table.view
    index = window.table.model.index(window.table.model.row_of(place(window, name)), column)
    view.scrollTo(index)
    centre = view.visualRect(index).center()
    qtbot.mouseClick(view.viewport(), LEFT, keys or Qt.KeyboardModifier.NoModifier, centre)


def cell(window: SpecifyMetadata, name: str, column: int) -> str:
    model = window.table.model
    return str(model.index(model.row_of(place(window, name)), column).data())


def type_cell(qtbot: QtBot, window: SpecifyMetadata, name: str, column: int, text: str) -> None:
    view = window.table.view
    kept = [window.draft.variables[i].name for i in window.places]
    index = window.table.model.index(window.table.model.row_of(place(window, name)), column)
    view.setCurrentIndex(index)
    if name in kept:
        select(window, name, *kept)
    qtbot.keyClick(view, Qt.Key.Key_F2)
    editor = next(e for e in view.findChildren(QLineEdit) if e.isVisible())
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()


def type_box(qtbot: QtBot, window: SpecifyMetadata, name: str, text: str) -> QLineEdit:
    edit = window.findChild(QLineEdit, name)
    assert edit is not None and edit.isEnabled()
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    return edit


def choose_use(qtbot: QtBot, window: SpecifyMetadata, use: str) -> None:
    popup = window.table.findChild(UsePopup)
    assert popup is not None
    item = popup.item(USES.index(use))  # type: ignore[arg-type]
    qtbot.mouseClick(popup.viewport(), LEFT, pos=popup.visualItemRect(item).center())
    qtbot.waitUntil(lambda: window.table.findChild(UsePopup) is None)


def click_role(qtbot: QtBot, window: SpecifyMetadata, use: str) -> None:
    button = window.form.role_buttons[use]
    qtbot.mouseClick(button, LEFT, pos=QPoint(8, button.height() // 2))


def texts(found: QListWidget) -> list[str]:
    return [found.item(i).text() for i in range(found.count())]


def variable(window: SpecifyMetadata, name: str) -> Any:
    return window.draft.variables[place(window, name)]


def test_the_table_says_what_each_variable_is(window: SpecifyMetadata) -> None:
    assert window.table.model.rowCount() == 12
    assert [cell(window, "REGION", c) for c in (USE, TYPE, CODES, MISSING)] == [
        "Key · Household variable", "Categorical", "40", "9999",
    ]  # fmt: skip
    assert [cell(window, "WEIGHT", c) for c in (USE, TYPE, CODES)] == ["Weight", "Numerical", "1965"]
    assert cell(window, "HHID", USE) == "Household identifier"
    assert window.problems.tabs.tabText(0) == "No problems"


def test_a_use_is_chosen_by_a_click_and_a_key_has_level_3(qtbot: QtBot, window: SpecifyMetadata) -> None:
    assert variable(window, "ILLNESS").identification_level == 0
    click(qtbot, window, "ILLNESS", USE)
    popup = window.table.findChild(UsePopup)
    assert popup is not None
    assert popup.item(0).data(Qt.ItemDataRole.AccessibleTextRole).startswith("Key: An outsider could know this")
    choose_use(qtbot, window, "key")
    assert variable(window, "ILLNESS").identification_level == 3
    assert cell(window, "ILLNESS", USE) == "Key"
    click(qtbot, window, "ILLNESS", USE)
    popup = window.table.findChild(UsePopup)
    assert popup is not None
    qtbot.keyClick(popup, Qt.Key.Key_Return)  # it is a key: chosen again, no longer
    assert variable(window, "ILLNESS").identification_level == 0


def test_several_rows_are_edited_together_by_a_click_on_one(qtbot: QtBot, window: SpecifyMetadata) -> None:
    click(qtbot, window, "SEX", NAME)
    click(qtbot, window, "EDUC", NAME, CTRL)
    click(qtbot, window, "MARSTAT", NAME, CTRL)
    assert len(window.places) == 3
    click(qtbot, window, "EDUC", USE)
    choose_use(qtbot, window, "sensitive")
    assert [variable(window, name).sensitive for name in ("SEX", "EDUC", "MARSTAT", "AGE")] == [True, True, True, False]
    assert len(window.places) == 3


def test_missing_codes_are_typed_for_the_selection(qtbot: QtBot, window: SpecifyMetadata) -> None:
    select(window, "SEX", "EDUC")
    type_cell(qtbot, window, "SEX", MISSING, "9, 8")
    assert [variable(window, name).missing for name in ("SEX", "EDUC", "AGE")] == [("9", "8"), ("9", "8"), ("99",)]
    assert cell(window, "EDUC", MISSING) == "9  8"


@pytest.mark.parametrize("codes", [("9",), ("", "9"), ("a b", "x,y"), ("(7)",), ()])
def test_missing_codes_are_read_back(codes: Sequence[str]) -> None:
    assert parse_codes(codes_text(codes)) == tuple(codes)


def test_the_type_is_chosen_in_its_cell(qtbot: QtBot, window: SpecifyMetadata) -> None:
    click(qtbot, window, "INCOME", TYPE)
    editor = next(e for e in window.table.view.findChildren(QComboBox) if e.isVisible())
    editor.setCurrentIndex(editor.findText("Both"))
    editor.activated.emit(editor.currentIndex())
    assert (variable(window, "INCOME").categorical, variable(window, "INCOME").numeric) == (True, True)


def test_the_form_shows_and_edits_the_selected_variable(qtbot: QtBot, window: SpecifyMetadata) -> None:
    select(window, "REGION")
    form = window.form
    assert (form.name.text(), form.start.text(), form.length.text()) == ("REGION", "15", "4")
    assert form.level.currentIndex() == 1
    assert form.missing[0].text() == "9999"
    assert form.role_buttons["household"].isChecked()
    assert not form.column.isVisible()
    type_box(qtbot, window, "suppressionPriority", "101")
    assert form.priority.message.text() == "A whole number from 0 to 100."
    assert variable(window, "REGION").suppression_weight == 70
    press(qtbot, window, "accept")
    assert window.messages.text == "A whole number from 0 to 100."
    assert window.isVisible()
    type_box(qtbot, window, "suppressionPriority", "80")
    assert variable(window, "REGION").suppression_weight == 80
    type_box(qtbot, window, "missing2", "9998")
    assert variable(window, "REGION").missing == ("9999", "9998")
    qtbot.mouseClick(form.never, LEFT)
    assert not variable(window, "REGION").suppressible


def test_the_form_edits_several_variables(qtbot: QtBot, window: SpecifyMetadata) -> None:
    select(window, "SEX", "AGE")
    assert window.form.title.text() == "2 variables"
    assert window.form.priority.text() == ""
    assert window.form.priority.placeholderText() == "several"
    assert not window.form.name.isEnabled()
    type_box(qtbot, window, "suppressionPriority", "55")
    assert [variable(window, name).suppression_weight for name in ("SEX", "AGE", "EDUC")] == [55, 55, 20]


def test_a_weight_excludes_what_it_cannot_be(qtbot: QtBot, window: SpecifyMetadata) -> None:
    select(window, "SEX")
    click_role(qtbot, window, "weight")
    sex = variable(window, "SEX")
    assert (sex.role, sex.categorical, sex.numeric, sex.identification_level) == ("weight", False, True, 0)
    assert not window.form.categorical.isEnabled()
    assert "WEIGHT is a second weight variable beside SEX." in texts(window.problems.list)[0]
    click_role(qtbot, window, "keep")
    assert variable(window, "SEX").role == "other"


def test_relations_follow_a_new_name(qtbot: QtBot, window: SpecifyMetadata) -> None:
    window.draft.change([place(window, "AGE")], related="SEX")
    type_cell(qtbot, window, "SEX", NAME, "GENDER")
    assert variable(window, "AGE").related == "GENDER"
    select(window, "AGE")
    assert window.form.related.currentText() == "GENDER"


def test_names_that_the_file_gives_cannot_be_edited(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    window = opened(qtbot, open_window(demo / "survey.csv"))
    assert window.form.name.isReadOnly()
    assert not window.new.isVisible()
    assert not window.form.start.isVisible()
    assert not window.table.variables_model.editable(NAME)
    assert window.table.variables_model.editable(LABEL)
    assert window.form.missing[0].text() == "(empty)"
    assert window.form.missing_note.isVisible()
    window.close()


def test_ok_commits_one_step_with_the_differences_only(
    qtbot: QtBot, main_window: MainWindow, window: SpecifyMetadata
) -> None:
    document = main_window.document
    select(window, "SEX")
    type_box(qtbot, window, "suppressionPriority", "10")
    select(window, "PERSONNO")
    click_role(qtbot, window, "direct-identifier")
    accept(qtbot, window)
    assert main_window.window_named("specifyMetadata") is None
    assert document.recipe.variables == (
        VariableEdit("PERSONNO", role="direct-identifier"),
        VariableEdit("SEX", suppression_weight=10),
    )
    assert document.recipe.input.variables == "from-metadata"
    assert document.undo_label == "Metadata: PERSONNO, SEX"
    assert document.derived is not None
    assert document.derived.metadata["SEX"].suppression_weight == 10
    document.undo()
    assert document.recipe.variables == ()


def test_ok_without_changes_only_closes(qtbot: QtBot, main_window: MainWindow, window: SpecifyMetadata) -> None:
    accept(qtbot, window)
    assert main_window.window_named("specifyMetadata") is None
    assert main_window.document.undo_label == ""


def test_what_is_typed_counts_at_ok(qtbot: QtBot, main_window: MainWindow, window: SpecifyMetadata) -> None:
    select(window, "SEX")
    window.form.label.setFocus()
    qtbot.keyClicks(window.form.label, "Sex of the person")
    accept(qtbot, window)
    assert main_window.document.recipe.variables == (VariableEdit("SEX", label="Sex of the person"),)


def test_errors_are_listed_lead_to_their_field_and_stop_ok(qtbot: QtBot, window: SpecifyMetadata) -> None:
    select(window, "AGE")
    type_box(qtbot, window, "startPosition", "19")
    select(window, "SEX")
    type_box(qtbot, window, "missing1", "999")
    examined(qtbot, window)
    found = texts(window.problems.list)
    assert found[:2] == [
        "Error: AGE begins at 19, inside SEX, which reaches to 19. Correct the start or the length of one of them.",
        "Error: The missing code 999 of SEX is longer than its field (1). Correct the code or the length.",
    ]
    assert window.problems.tabs.tabText(0).endswith("errors 2)")
    assert "No variable describes the positions 21" in found[-1]
    select(window, "REGION")
    item = window.problems.list.item(1)
    qtbot.mouseClick(window.problems.list.viewport(), LEFT, pos=window.problems.list.visualItemRect(item).center())
    assert [window.draft.variables[i].name for i in window.places] == ["SEX"]
    assert window.form.missing[0].hasFocus()
    assert window.form.problem.text() == found[1].removeprefix("Error: ")
    accept(qtbot, window)
    assert window.isVisible()
    assert window.messages.text == "2 errors have to be solved first: " + found[0].removeprefix("Error: ")
    assert window.form.start.hasFocus()


def test_a_weight_that_is_no_number_is_seen_before_ok(qtbot: QtBot, window: SpecifyMetadata) -> None:
    window.draft.change([place(window, "WEIGHT")], start=34, length=7)
    select(window, "WEIGHT")
    accept(qtbot, window)
    assert window.isVisible()
    assert "inside INCOME" in window.messages.text


def test_removing_a_used_variable_lists_what_goes_with_it(
    qtbot: QtBot, main_window: MainWindow, answers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = main_window.document
    document.commit(
        "combinations",
        document.recipe.with_(
            combinations=(Combination(("REGION", "SEX")), Combination(("AGE", "EDUC"), "frequency")),
            recodes=(Recode("SEX", scheme="1:1-2\n"),),
        ),
    )
    wait_idle(qtbot, document)
    window = opened(qtbot, main_window)
    select(window, "SEX")
    press(qtbot, window, "removeVariable")
    asked: list[str] = []

    def ask(_parent: Any, _text: str, detail: str, choices: Any, _default: int = 0) -> int:
        asked.append(detail)
        return answers.pop(0) if answers else len(choices) - 1

    monkeypatch.setattr(dialogs, "ask", ask)
    answers.append(1)
    accept(qtbot, window)
    assert asked == ["The combination REGION × SEX goes on without SEX.\nThe recode of SEX is removed."]
    assert window.isVisible()
    assert len(document.recipe.combinations[0].variables) == 2
    answers.append(0)
    accept(qtbot, window)
    recipe = document.recipe
    assert [c.variables for c in recipe.combinations] == [("REGION",), ("AGE", "EDUC")]
    assert recipe.recodes == ()
    assert recipe.input.variables == "here"
    assert "SEX" not in [edit.name for edit in recipe.variables]
    assert document.error is None
    document.undo()
    assert document.recipe.recodes


def test_a_new_name_is_followed_by_the_session(qtbot: QtBot, main_window: MainWindow) -> None:
    document = main_window.document
    document.commit("c", document.recipe.with_(combinations=(Combination(("REGION", "SEX")),)))
    wait_idle(qtbot, document)
    window = opened(qtbot, main_window)
    select(window, "SEX")
    type_box(qtbot, window, "variableName", "GENDER")
    accept(qtbot, window)
    assert document.recipe.combinations[0].variables == ("REGION", "GENDER")
    assert document.error is None


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
