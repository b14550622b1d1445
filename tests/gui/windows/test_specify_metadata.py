"""Specify Metadata by mouse and keys, on the demonstration survey: table, form, problems, OK."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Recode, VariableEdit
from gui import dialogs
from gui.models.variables import CODES, LABEL, MISSING, NAME, TYPE, USE, codes_text, parse_codes
from gui.widgets.use_popup import UsePopup
from gui.windows.main_window import MainWindow
from gui.windows.specify_metadata import SpecifyMetadata
from tests.gui.conftest import wait_idle
from tests.gui.windows.metadata_steps import (
    CTRL,
    LEFT,
    accept,
    cell,
    choose_use,
    click,
    click_role,
    examined,
    opened,
    place,
    press,
    select,
    texts,
    type_box,
    type_cell,
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
