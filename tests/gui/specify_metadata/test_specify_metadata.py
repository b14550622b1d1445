"""Specify Metadata by mouse and keys, on the demonstration survey: table, form, problems, OK."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Recode, VariableEdit
from gui import dialogs
from gui.main_window.window import MainWindow
from gui.specify_metadata.variable_model import CODES, LABEL, MISSING, NAME, TYPE, USE, codes_text, parse_codes
from gui.specify_metadata.variable_table import UsePopup
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.specify_metadata.hand import (
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
from tests.gui.waiting import wait_idle


def test_the_table_says_what_each_variable_is(metadata: SpecifyMetadata) -> None:
    assert metadata.table.model.rowCount() == 12
    assert [cell(metadata, "REGION", c) for c in (USE, TYPE, CODES, MISSING)] == [
        "Key · Household variable", "Categorical", "40", "9999",
    ]  # fmt: skip
    assert [cell(metadata, "WEIGHT", c) for c in (USE, TYPE, CODES)] == ["Weight", "Numerical", "1,965"]
    assert cell(metadata, "HHID", USE) == "Household identifier"
    assert metadata.problems.tabs.tabText(0) == "No problems"


def test_in_a_low_page_the_profile_is_scrolled_and_nothing_lies_over_its_codes(
    qtbot: QtBot, metadata: SpecifyMetadata
) -> None:
    select(metadata, "EDUC")
    profile = metadata.profile
    qtbot.waitUntil(lambda: profile.codes.isVisible() and profile.note.isVisible())
    metadata.panes.setSizes([120, 2000])
    qtbot.waitUntil(lambda: profile.height() < 300)
    assert not profile.note.geometry().intersects(profile.codes.geometry())
    assert profile.codes.height() >= profile.codes.minimumSizeHint().height()
    assert profile.width() >= profile.minimumSizeHint().width()


def test_a_use_is_chosen_by_a_click_and_a_key_has_level_3(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    assert variable(metadata, "ILLNESS").identification_level == 0
    click(qtbot, metadata, "ILLNESS", USE)
    popup = metadata.table.findChild(UsePopup)
    assert popup is not None
    assert popup.item(0).data(Qt.ItemDataRole.AccessibleTextRole).startswith("Key: An outsider could know this")
    choose_use(qtbot, metadata, "key")
    assert variable(metadata, "ILLNESS").identification_level == 3
    assert cell(metadata, "ILLNESS", USE) == "Key"
    click(qtbot, metadata, "ILLNESS", USE)
    popup = metadata.table.findChild(UsePopup)
    assert popup is not None
    qtbot.keyClick(popup, Qt.Key.Key_Return)  # it is a key: chosen again, no longer
    assert variable(metadata, "ILLNESS").identification_level == 0


def test_several_rows_are_edited_together_by_a_click_on_one(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    click(qtbot, metadata, "SEX", NAME)
    click(qtbot, metadata, "EDUC", NAME, CTRL)
    click(qtbot, metadata, "MARSTAT", NAME, CTRL)
    assert len(metadata.places) == 3
    click(qtbot, metadata, "EDUC", USE)
    choose_use(qtbot, metadata, "sensitive")
    assert [variable(metadata, name).sensitive for name in ("SEX", "EDUC", "MARSTAT", "AGE")] == [
        True,
        True,
        True,
        False,
    ]
    assert len(metadata.places) == 3


def test_missing_codes_are_typed_for_the_selection(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    select(metadata, "SEX", "EDUC")
    type_cell(qtbot, metadata, "SEX", MISSING, "9, 8")
    assert [variable(metadata, name).missing for name in ("SEX", "EDUC", "AGE")] == [("9", "8"), ("9", "8"), ("99",)]
    assert cell(metadata, "EDUC", MISSING) == "9  8"


@pytest.mark.parametrize("codes", [("9",), ("", "9"), ("a b", "x,y"), ("(7)",), ()])
def test_missing_codes_are_read_back(codes: Sequence[str]) -> None:
    assert parse_codes(codes_text(codes)) == tuple(codes)


def test_the_type_is_chosen_in_its_cell(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    click(qtbot, metadata, "INCOME", TYPE)
    editor = next(e for e in metadata.table.view.findChildren(QComboBox) if e.isVisible())
    editor.setCurrentIndex(editor.findText("Both"))
    editor.activated.emit(editor.currentIndex())
    assert (variable(metadata, "INCOME").categorical, variable(metadata, "INCOME").numeric) == (True, True)


def test_the_form_shows_and_edits_the_selected_variable(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    select(metadata, "REGION")
    form = metadata.form
    assert (form.name.text(), form.start.text(), form.length.text()) == ("REGION", "15", "4")
    assert form.level.currentIndex() == 1
    assert form.missing[0].text() == "9999"
    assert form.role_buttons["household"].isChecked()
    assert not form.column.isVisible()
    type_box(qtbot, metadata, "suppressionPriority", "101")
    assert form.priority.message.text() == "A whole number from 0 to 100."
    assert variable(metadata, "REGION").suppression_weight == 70
    press(qtbot, metadata, "accept")
    assert metadata.messages.text == "A whole number from 0 to 100."
    assert metadata.isVisible()
    type_box(qtbot, metadata, "suppressionPriority", "80")
    assert variable(metadata, "REGION").suppression_weight == 80
    type_box(qtbot, metadata, "missing2", "9998")
    assert variable(metadata, "REGION").missing == ("9999", "9998")
    qtbot.mouseClick(form.never, LEFT)
    assert not variable(metadata, "REGION").suppressible


def test_the_form_edits_several_variables(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    select(metadata, "SEX", "AGE")
    assert metadata.form.title.text() == "2 variables"
    assert metadata.form.priority.text() == ""
    assert metadata.form.priority.placeholderText() == "several"
    assert not metadata.form.name.isEnabled()
    type_box(qtbot, metadata, "suppressionPriority", "55")
    assert [variable(metadata, name).suppression_weight for name in ("SEX", "AGE", "EDUC")] == [55, 55, 20]


def test_a_weight_excludes_what_it_cannot_be(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    select(metadata, "SEX")
    click_role(qtbot, metadata, "weight")
    sex = variable(metadata, "SEX")
    assert (sex.role, sex.categorical, sex.numeric, sex.identification_level) == ("weight", False, True, 0)
    assert not metadata.form.categorical.isEnabled()
    assert "WEIGHT is a second weight variable beside SEX." in texts(metadata.problems.list)[0]
    click_role(qtbot, metadata, "keep")
    assert variable(metadata, "SEX").role == "other"


def test_relations_follow_a_new_name(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    metadata.draft.change([place(metadata, "AGE")], related="SEX")
    type_cell(qtbot, metadata, "SEX", NAME, "GENDER")
    assert variable(metadata, "AGE").related == "GENDER"
    select(metadata, "AGE")
    assert metadata.form.related.currentText() == "GENDER"


def test_the_form_says_and_changes_whether_a_variable_is_a_key(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    """Beside what else it is: a household variable can be a key."""
    select(metadata, "REGION")
    key = metadata.form.key
    assert (key.isChecked(), metadata.form.role_buttons["household"].isChecked()) == (True, True)
    qtbot.mouseClick(key, LEFT, pos=QPoint(8, key.height() // 2))
    assert (cell(metadata, "REGION", USE), metadata.form.level.currentIndex()) == ("Household variable", 0)
    select(metadata, "INCOME")
    assert not key.isChecked()
    qtbot.mouseClick(key, LEFT, pos=QPoint(8, key.height() // 2))
    assert (cell(metadata, "INCOME", USE), metadata.form.level.currentIndex()) == ("Key", 3)
    select(metadata, "INCOME", "REGION")
    assert key.checkState() == Qt.CheckState.PartiallyChecked
    select(metadata, "WEIGHT")
    assert not key.isEnabled()


def test_names_that_the_file_gives_cannot_be_edited(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    metadata = opened(qtbot, open_window(demo / "survey.csv"))
    assert not metadata.form.name.isEnabled(), "nor looks as if it could"
    assert metadata.form.name.toolTip() == "The file's own name of this column: it cannot be changed here."
    assert metadata.form.label.isEnabled()
    assert not metadata.new.isVisible()
    assert not metadata.form.start.isVisible()
    assert not metadata.table.variables_model.editable(NAME)
    assert metadata.table.variables_model.editable(LABEL)
    assert metadata.form.missing[0].text() == "(empty)"
    assert metadata.form.missing_note.isVisible()
    metadata.close()


def test_the_form_says_which_code_suppression_writes(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    select(metadata, "SEX")
    note = metadata.form.missing_note
    first = metadata.form.missing[0].text()
    assert first and first in note.text()
    for missing, said in (
        (("7",), "Suppression writes 7"),
        (("", "8"), "put another code first"),
        (("5", ""), "Empty is missing too"),
    ):
        metadata.draft.change([place(metadata, "SEX")], missing=missing)
        select(metadata, "SEX")
        assert said in note.text()
        assert note.isVisible()


def test_ok_commits_one_step_with_the_differences_only(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata
) -> None:
    document = survey_window.document
    select(metadata, "SEX")
    type_box(qtbot, metadata, "suppressionPriority", "10")
    select(metadata, "PERSONNO")
    click_role(qtbot, metadata, "direct-identifier")
    accept(qtbot, metadata)
    assert survey_window.window_named("specifyMetadata") is None
    assert document.recipe.variables == (
        VariableEdit("PERSONNO", role="direct-identifier"),
        VariableEdit("SEX", suppression_weight=10),
    )
    assert document.recipe.input.variables == "from-metadata"
    assert document.session.history.undo_label == "Metadata: PERSONNO, SEX"
    assert document.derived is not None
    assert document.derived.metadata["SEX"].suppression_weight == 10
    document.undo()
    assert document.recipe.variables == ()


def test_ok_without_changes_only_closes(qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata) -> None:
    accept(qtbot, metadata)
    assert survey_window.window_named("specifyMetadata") is None
    assert survey_window.document.session.history.undo_label == ""


def test_what_is_typed_counts_at_ok(qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata) -> None:
    select(metadata, "SEX")
    metadata.form.label.setFocus()
    qtbot.keyClicks(metadata.form.label, "Sex of the person")
    accept(qtbot, metadata)
    assert survey_window.document.recipe.variables == (VariableEdit("SEX", label="Sex of the person"),)


def test_errors_are_listed_lead_to_their_field_and_stop_ok(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    select(metadata, "AGE")
    type_box(qtbot, metadata, "startPosition", "19")
    select(metadata, "SEX")
    type_box(qtbot, metadata, "missing1", "999")
    examined(qtbot, metadata)
    found = texts(metadata.problems.list)
    assert found[:2] == [
        "Error: AGE begins at 19, inside SEX, which reaches to 19. Correct the start or the length of one of them.",
        "Error: The missing code 999 of SEX is longer than its field (1). Correct the code or the length.",
    ]
    assert metadata.problems.tabs.tabText(0).endswith("errors 2)")
    assert "No variable describes the positions 21" in found[-1]
    select(metadata, "REGION")
    item = metadata.problems.list.item(1)
    qtbot.mouseClick(metadata.problems.list.viewport(), LEFT, pos=metadata.problems.list.visualItemRect(item).center())
    assert [metadata.draft.variables[i].name for i in metadata.places] == ["SEX"]
    assert metadata.form.missing[0].hasFocus()
    assert metadata.form.problem.text() == found[1].removeprefix("Error: ")
    accept(qtbot, metadata)
    assert metadata.isVisible()
    assert metadata.messages.text == "2 errors have to be solved first: " + found[0].removeprefix("Error: ")
    assert metadata.form.start.hasFocus()


def test_a_weight_that_is_no_number_is_seen_before_ok(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    metadata.draft.change([place(metadata, "WEIGHT")], start=34, length=7)
    select(metadata, "WEIGHT")
    accept(qtbot, metadata)
    assert metadata.isVisible()
    assert "inside INCOME" in metadata.messages.text


def test_removing_a_used_variable_lists_what_goes_with_it(
    qtbot: QtBot, survey_window: MainWindow, answers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = survey_window.document
    document.commit(
        "combinations",
        document.recipe.with_(
            combinations=(Combination(("REGION", "SEX")), Combination(("AGE", "EDUC"), "frequency")),
            recodes=(Recode("SEX", scheme="1:1-2\n"),),
        ),
    )
    wait_idle(qtbot, document)
    metadata = opened(qtbot, survey_window)
    select(metadata, "SEX")
    press(qtbot, metadata, "removeVariable")
    asked: list[str] = []

    def ask(_parent: Any, _text: str, detail: str, choices: Any, _default: int = 0) -> int:
        asked.append(detail)
        return answers.pop(0) if answers else len(choices) - 1

    monkeypatch.setattr(dialogs, "ask", ask)
    answers.append(1)
    accept(qtbot, metadata)
    assert asked == ["The combination REGION × SEX goes on without SEX.\nThe recode of SEX is removed."]
    assert metadata.isVisible()
    assert len(document.recipe.combinations[0].variables) == 2
    answers.append(0)
    accept(qtbot, metadata)
    recipe = document.recipe
    assert [c.variables for c in recipe.combinations] == [("REGION",), ("AGE", "EDUC")]
    assert recipe.recodes == ()
    assert recipe.input.variables == "here"
    assert "SEX" not in [edit.name for edit in recipe.variables]
    assert document.session.error is None
    document.undo()
    assert document.recipe.recodes


def test_a_new_name_is_followed_by_the_session(qtbot: QtBot, survey_window: MainWindow) -> None:
    document = survey_window.document
    document.commit("c", document.recipe.with_(combinations=(Combination(("REGION", "SEX")),)))
    wait_idle(qtbot, document)
    metadata = opened(qtbot, survey_window)
    select(metadata, "SEX")
    type_box(qtbot, metadata, "variableName", "GENDER")
    accept(qtbot, metadata)
    assert document.recipe.combinations[0].variables == ("REGION", "GENDER")
    assert document.session.error is None


def order(window: SpecifyMetadata) -> list[str]:
    return [v.name for v in window.draft.variables]


def test_selected_variables_move_up_and_down(qtbot: QtBot, metadata: SpecifyMetadata) -> None:
    names = order(metadata)
    metadata.table.select_places([1, 2])
    view = metadata.table.view
    view.setFocus()
    for expected in ([names[1], names[2], names[0]], [names[1], names[2], names[0]]):  # no further than the top
        qtbot.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        assert order(metadata)[:3] == expected
        assert metadata.places == [0, 1]
    view.horizontalHeader().setSortIndicator(NAME, Qt.SortOrder.DescendingOrder)
    qtbot.mouseClick(metadata.down, LEFT)
    assert order(metadata) == names
    assert [metadata.table.model.key(row) for row in range(3)] == [0, 1, 2]
    assert not metadata.draft.touched


def test_a_new_order_is_kept_by_the_session_and_by_the_safe_file(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    main = open_window(demo / "survey.csv")
    window = opened(qtbot, main)
    names = order(window)
    window.table.select_places([1])
    qtbot.mouseClick(window.up, LEFT)
    accept(qtbot, window)
    assert main.document.derived is not None
    assert main.document.derived.metadata.names == (names[1], names[0], *names[2:])
    main.document.undo()
    wait_idle(qtbot, main.document)
    assert main.document.derived.metadata.names == tuple(names)


def test_columns_without_names_keep_their_order(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("1,2\n3,4\n", encoding="utf-8")
    window = opened(qtbot, open_window(path))
    assert not window.up.isVisible()
    assert not window.down.isVisible()
    window.table.select_places([1])
    qtbot.keyClick(window.table.view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert order(window) == ["V1", "V2"]
    window.close()


def test_of_a_long_name_the_beginning_is_seen_and_lengths_can_be_typed(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("municipality_" * 12 + "x,B\na,2\nb,4\n", encoding="utf-8")
    window = opened(qtbot, open_window(path))
    assert window.form.name.cursorPosition() == 0
    assert window.form.length.isVisible()
    assert not window.form.start.isVisible()
    assert window.form.length.text() == ""
    type_box(qtbot, window, "fieldLength", "7")
    assert window.draft.variables[0].length == 7
    window.draft.change([0], length=0)
    window.close()


def test_what_differs_over_a_selection_says_so(metadata: SpecifyMetadata) -> None:
    select(metadata, "REGION", "SEX")
    assert metadata.form.level.currentIndex() == -1
    assert metadata.form.level.placeholderText() == "several"
