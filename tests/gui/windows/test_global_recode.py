"""Global Recode by mouse and keys: Demodata's published recodes, and the bundled demonstration."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Input, Recipe, Recode, Threshold, VariableEdit
from gui import dialogs
from gui.windows.global_recode import GlobalRecode
from gui.windows.group_codes import GroupCodes
from gui.windows.main_window import MainWindow
from gui.windows.suggest_merges import SuggestMerges
from tests.gui.conftest import wait_idle

LEFT = Qt.MouseButton.LeftButton
KEYS = ("REGION", "SEX", "AGE", "MARSTAT")


@pytest.fixture
def survey(demo: Path, tmp_path: Path) -> Path:
    """The demonstration in a folder of its own."""
    folder = tmp_path / "demo"
    shutil.copytree(demo, folder)
    return folder


def opened(qtbot: QtBot, main_window: MainWindow, variable: str) -> GlobalRecode:
    window = main_window.windows.open_window("globalRecode", variable=variable)
    assert isinstance(window, GlobalRecode)
    qtbot.waitExposed(window)
    settle(qtbot, window)
    return window


def settle(qtbot: QtBot, window: GlobalRecode) -> None:
    """Until what is shown is the draft's own outcome."""
    qtbot.waitUntil(lambda: not window.preview.is_waiting and not window.document.busy, timeout=60_000)


@pytest.fixture
def window(qtbot: QtBot, open_window: Callable[..., MainWindow], survey: Path) -> Iterator[GlobalRecode]:
    """AGE and REGION are key variables, nothing is recoded."""
    main_window = open_window(survey / "survey.asc")
    recipe = main_window.document.recipe
    combination = Combination(("REGION", "SEX", "AGE"))
    main_window.document.commit(
        "keys", recipe.with_(combinations=(combination,), threshold=Threshold(individual_risk=0.02))
    )
    wait_idle(qtbot, main_window.document)
    made = opened(qtbot, main_window, "AGE")
    yield made
    made.drafts.forget()


def press(qtbot: QtBot, window: Any, name: str) -> None:
    button = window.findChild(QPushButton, name)
    assert button is not None
    assert button.isEnabled()
    qtbot.mouseClick(button, LEFT)


def write(qtbot: QtBot, window: GlobalRecode, text: str) -> None:
    """Type in place of what is there."""
    edit = window.text.edit
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Backspace)
    keys(qtbot, window, text)


def keys(qtbot: QtBot, window: GlobalRecode, text: str) -> None:
    """Type on, with Enter at the ends of lines."""
    for number, line in enumerate(text.splitlines()):
        if number:
            qtbot.keyClick(window.text.edit, Qt.Key.Key_Return)
        qtbot.keyClicks(window.text.edit, line)


def row_place(view: QTableView, row: int) -> QPoint:
    index = view.model().index(row, 0)
    view.scrollTo(index)
    return view.visualRect(index).center()


def click_rows(qtbot: QtBot, window: GlobalRecode, first: str, last: str = "") -> None:
    """Click a code's row, and with Shift another one."""
    table = window.codes.table.codes
    for code, modifier in ((first, Qt.KeyboardModifier.NoModifier), (last, Qt.KeyboardModifier.ShiftModifier)):
        if code:
            row = table.model.row_of(code)
            qtbot.mouseClick(table.view.viewport(), LEFT, modifier, row_place(table.view, row))


def drag(view: QTableView, start: QPoint, end: QPoint) -> None:
    port = view.viewport()
    QTest.mousePress(port, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for part in (0.3, 0.7, 1.0):
        QTest.mouseMove(port, start + (end - start) * part)
        QApplication.processEvents()
    QTest.mouseRelease(port, LEFT, Qt.KeyboardModifier.NoModifier, end)


def text(window: GlobalRecode) -> str:
    return window.text.edit.toPlainText().strip()


def label(window: GlobalRecode, name: str) -> str:
    found = window.findChild(QLabel, name)
    assert found is not None
    return found.text()


def offer(qtbot: QtBot, window: GlobalRecode, name: str) -> None:
    buttons = window.messages.findChildren(QPushButton)
    qtbot.mouseClick(next(button for button in buttons if button.text() == name), LEFT)


def shown(window: GlobalRecode, column: str) -> dict[str, str]:
    """A column of the code table as text, by code."""
    model = window.codes.table.codes.model
    place = next(i for i, c in enumerate(model.columns) if c.title == column)
    return {model.key(row): model.data(model.index(row, place)) for row in range(model.rowCount())}


# The table -----------------------------------------------------------------------------------------------------------


def test_codes_are_merged_with_mouse_and_key_and_the_text_follows(qtbot: QtBot, window: GlobalRecode) -> None:
    click_rows(qtbot, window, "20", "24")
    press(qtbot, window, "merge")
    assert text(window) == "20: 20-24"
    assert shown(window, "New code")["22"] == "20"
    click_rows(qtbot, window, "24", "26")
    qtbot.keyClick(window.codes.table.codes.view, Qt.Key.Key_M)
    assert text(window) == "20: 20-26"
    assert window.codes.table.selected_codes == [str(age) for age in range(20, 27)]


def test_a_selection_is_dragged_onto_a_code(qtbot: QtBot, window: GlobalRecode) -> None:
    view = window.codes.table.codes.view
    click_rows(qtbot, window, "3", "4")
    rows = [window.codes.table.codes.model.row_of(code) for code in ("3", "7")]
    drag(view, row_place(view, rows[0]), row_place(view, rows[1]))
    assert text(window) == "7: 3-4, 7"


def test_a_category_is_dragged_onto_another(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-14\n2: 15-24\n3: 25-34\n4: 35-")
    window.codes.table.tabs.setCurrentIndex(1)
    view = window.codes.table.categories.view
    qtbot.mouseClick(view.viewport(), LEFT, pos=row_place(view, 2))
    drag(view, row_place(view, 2), row_place(view, 0))
    assert text(window) == "1: 0-14, 25-34\n2: 15-24\n4: 35-"


def test_a_drag_that_ends_on_itself_or_outside_changes_nothing(qtbot: QtBot, window: GlobalRecode) -> None:
    view = window.codes.table.codes.view
    click_rows(qtbot, window, "3", "6")
    rows = [window.codes.table.codes.model.row_of(code) for code in ("3", "5")]
    drag(view, row_place(view, rows[0]), row_place(view, rows[1]))
    drag(view, row_place(view, rows[0]), QPoint(-40, -40))
    assert text(window) == ""
    click_rows(qtbot, window, "5")
    assert window.codes.table.selected_codes == ["5"]


def test_codes_leave_categories_and_categories_are_renamed(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-14\n2: 15-")
    click_rows(qtbot, window, "10")
    box = window.findChild(QLineEdit, "categoryCode")
    assert box.text() == "1"
    qtbot.mouseClick(box, LEFT)
    box.selectAll()
    qtbot.keyClicks(box, "child")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert text(window) == "child: 0-14\n2: 15-"
    click_rows(qtbot, window, "14")
    press(qtbot, window, "takeApart")
    assert text(window) == "child: 0-13\n2: 15-"


def test_typing_sorting_and_filtering_leave_the_selection_to_the_codes(qtbot: QtBot, window: GlobalRecode) -> None:
    table = window.codes.table.codes
    qtbot.keyClicks(table.filter, "9")
    click_rows(qtbot, window, "9", "19")
    press(qtbot, window, "merge")
    assert text(window) == "9: 9, 19"


# The text ------------------------------------------------------------------------------------------------------------


def test_typed_text_becomes_the_table_and_a_slip_leaves_it(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-14\n2: 15-24")
    assert shown(window, "New code")["20"] == "2"
    assert "are not recoded" in label(window, "recodeWarnings")
    keys(qtbot, window, "\n3: 30-25")
    assert "line 3, position 4" in label(window, "recodeError")
    marks = window.text.edit.extraSelections()
    assert marks[-1].cursor.blockNumber() == 2
    assert marks[-1].cursor.selectedText().startswith("30")
    assert shown(window, "New code")["20"] == "2"
    assert not window.apply.isEnabled()
    for _ in range(2):
        qtbot.keyClick(window.text.edit, Qt.Key.Key_Backspace)
    qtbot.keyClicks(window.text.edit, "49")
    assert label(window, "recodeError") == ""
    assert window.text.edit.extraSelections() == []
    assert shown(window, "New code")["40"] == "3"
    assert window.apply.isEnabled()


def test_warnings_name_what_is_untouched_twice_or_not_there(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-50\n2: 40-60, 98")
    said = label(window, "recodeWarnings")
    assert "not recoded" in said
    assert "recoded more than once" in said
    assert "fit no code of the file: 98" in said


def test_undo_takes_back_steps_of_the_draft_before_steps_of_the_session(qtbot: QtBot, window: GlobalRecode) -> None:
    click_rows(qtbot, window, "20", "24")
    press(qtbot, window, "merge")
    click_rows(qtbot, window, "30", "34")
    press(qtbot, window, "merge")
    view = window.codes.table.codes.view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert text(window) == "20: 20-24"
    assert shown(window, "New code")["30"] == ""
    qtbot.keyClick(view, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert "30: 30-34" in text(window)
    assert window.document.undo_label == "keys"


def test_missing_codes_and_codelist_are_lines_of_the_text(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-14\n2: 15-")
    missing, codelist = window.text.missing, window.text.codelist
    for box, typed in ((missing, "98, 97"), (codelist, "agegroup.cdl")):
        qtbot.mouseClick(box, LEFT)
        qtbot.keyClicks(box, typed)
        qtbot.keyClick(box, Qt.Key.Key_Return)
    assert text(window) == '1: 0-14\n2: 15-\n<MISSING> 98 97\n<CODELIST> "agegroup.cdl"'
    assert shown(window, "New label")["3"]
    categories = window.codes.table.categories.model
    assert [categories.key(row) for row in range(categories.rowCount())] == ["1", "2", "98", "97"]
    press(qtbot, window, "apply")
    recode = window.document.recipe.recodes[0]
    assert recode.codelist is not None
    assert recode.codelist.name == "AgeGroup.cdl"


# What it changes, and the session ------------------------------------------------------------------------------------


def test_the_preview_is_what_the_session_finds_after_apply(qtbot: QtBot, window: GlobalRecode) -> None:
    before = label(window, "previewNowUnsafe")
    assert label(window, "previewAfterUnsafe") == "–"
    write(qtbot, window, "1: 0-14\n2: 15-24\n3: 25-44\n4: 45-")
    assert window.preview.after.labels["Unsafe"].property("greyed")
    settle(qtbot, window)
    names = ("Categories", "Unsafe", "Rate", "Suppressions", "Loss")
    promised = [label(window, f"previewAfter{name}") for name in names]
    assert promised[0] == "4"
    assert "–" not in promised
    assert label(window, "previewNowUnsafe") == before != promised[1]
    by_code = shown(window, "Unsafe")
    steps = len(window.document.history)
    press(qtbot, window, "apply")
    settle(qtbot, window)
    assert [label(window, f"previewNow{name}") for name in names] == promised
    assert shown(window, "Unsafe") == by_code
    assert window.document.undo_label == "Recode AGE, 4 categories"
    assert len(window.document.history) == steps + 1
    assert not window.apply.isEnabled()
    assert shown_variable(window, "AGE") == ["AGE", "R", "4", promised[1].split(" ")[0]]


def shown_variable(window: GlobalRecode, name: str) -> list[str]:
    model = window.variables.model
    row = model.row_of(name)
    return [model.data(model.index(row, column)) for column in range(model.columnCount())]


def test_undo_recode_removes_it_and_leaves_the_text(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-49\n2: 50-")
    press(qtbot, window, "apply")
    wait_idle(qtbot, window.document)
    press(qtbot, window, "undoRecode")
    wait_idle(qtbot, window.document)
    assert window.document.recipe.recodes == ()
    assert text(window) == "1: 0-49\n2: 50-"
    assert shown_variable(window, "AGE")[1] == "•"
    press(qtbot, window, "dropDraft")
    assert text(window) == ""
    window.document.undo()
    assert text(window) == "1: 0-49\n2: 50-"
    assert not window.undo_recode.isEnabled() or window.document.recipe.recodes


def test_drafts_are_kept_by_variable_and_marked(qtbot: QtBot, window: GlobalRecode, answers: list[int]) -> None:
    write(qtbot, window, "1: 0-49\n2: 50-")
    view = window.variables.view
    qtbot.mouseClick(view.viewport(), LEFT, pos=row_place(view, window.variables.model.row_of("REGION")))
    assert window.subject() == "REGION"
    assert text(window) == ""
    assert shown_variable(window, "AGE")[1] == "•"
    assert window.document.drafts["globalRecode"]["AGE"]["text"].startswith("1: 0-49")
    window.show_for(variable="AGE")
    assert text(window) == "1: 0-49\n2: 50-"
    answers.append(1)
    window.close()
    assert window.isVisible()
    answers.append(0)
    window.close()
    assert not window.isVisible()
    assert window.document.drafts == {}


def test_a_session_that_changes_under_a_touched_draft_is_said(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-49\n2: 50-")
    document = window.document
    document.commit("elsewhere", document.recipe.with_(recodes=(Recode("SEX", scheme="1: 1-2"),)))
    assert window.messages.text == ""
    theirs = Recode("AGE", scheme="7: 0-70\n8: 71-\n")
    document.commit("elsewhere", document.recipe.with_(recodes=(theirs,)))
    assert window.messages.text == "The session changed."
    assert text(window) == "1: 0-49\n2: 50-"
    offer(qtbot, window, "Keep mine")
    assert window.messages.text == ""
    document.commit("again", document.recipe.with_(recodes=(Recode("AGE", scheme="7: 0-60\n8: 61-\n"),)))
    offer(qtbot, window, "Reload")
    assert text(window) == "7: 0-60\n8: 61-"


def test_an_untouched_draft_follows_the_session(qtbot: QtBot, window: GlobalRecode) -> None:
    document = window.document
    document.commit("elsewhere", document.recipe.with_(recodes=(Recode("AGE", scheme="7: 0-70\n8: 71-\n"),)))
    assert text(window) == "7: 0-70\n8: 71-"
    document.undo()
    assert text(window) == ""


def test_a_change_of_the_metadata_keeps_drafts(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-49\n2: 50-")
    document = window.document
    label = VariableEdit("SEX", label="Sex of the person")
    document.commit("metadata", document.recipe.with_(variables=(*document.recipe.variables, label)))
    settle(qtbot, window)
    assert window.subject() == "AGE"
    assert text(window) == "1: 0-49\n2: 50-"
    assert window.apply.isEnabled()


def test_another_session_takes_its_own_drafts(
    qtbot: QtBot, window: GlobalRecode, open_window: Callable[..., MainWindow], survey: Path
) -> None:
    write(qtbot, window, "1: 0-49\n2: 50-")
    window.document.open_session(survey / "survey.pavo")
    wait_idle(qtbot, window.document)
    settle(qtbot, window)
    assert window.text.source.text() == "applied, from Age.grc"
    assert window.drafts.all_touched() == []


def test_schemes_are_read_and_written_by_file(
    qtbot: QtBot, window: GlobalRecode, survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "open_file", lambda *_: survey / "Age.grc")
    press(qtbot, window, "readRecode")
    assert text(window).endswith('<CODELIST> "AgeGroup.cdl"')
    assert shown(window, "New label")["3"]
    target = tmp_path / "elsewhere" / "mine"
    target.parent.mkdir()
    monkeypatch.setattr(dialogs, "save_file", lambda *_: target)
    press(qtbot, window, "writeRecode")
    written = target.with_suffix(".grc").read_text(encoding="utf-8")
    assert f'<CODELIST> "{survey / "AgeGroup.cdl"}"' in written
    monkeypatch.setattr(dialogs, "save_file", lambda *_: survey / "survey.rda")
    before = (survey / "survey.rda").read_bytes()
    press(qtbot, window, "writeRecode")
    assert "inputs are never overwritten" in window.messages.text
    assert (survey / "survey.rda").read_bytes() == before
    press(qtbot, window, "apply")
    recode = window.document.recipe.recodes[0]
    assert (recode.scheme_file, recode.codelist) == (None, survey / "AgeGroup.cdl")


def test_a_file_with_a_slip_is_shown_with_its_error(
    qtbot: QtBot, window: GlobalRecode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slip = tmp_path / "slip.grc"
    slip.write_text("1: 0-14\n2 15-\n", encoding="utf-8")
    monkeypatch.setattr(dialogs, "open_file", lambda *_: slip)
    press(qtbot, window, "readRecode")
    assert text(window) == "1: 0-14\n2 15-"
    assert "line 2, position 3" in label(window, "recodeError")


# Grouping and suggestions --------------------------------------------------------------------------------------------


def group(qtbot: QtBot, window: GlobalRecode, method: str, **boxes: str) -> GroupCodes:
    action = next(a for a in window.codes.group.menu().actions() if a.objectName() == f"group_{method}")
    action.trigger()
    dialog = window.findChildren(GroupCodes)[-1]
    qtbot.waitExposed(dialog)
    for name, value in boxes.items():
        box = dialog.findChild(QLineEdit, name)
        box.selectAll()
        qtbot.keyClicks(box, value)
    return dialog


def use(qtbot: QtBot, dialog: GroupCodes) -> None:
    qtbot.mouseClick(dialog.buttons.buttons()[0], LEFT)


def test_intervals_breaks_and_ends(qtbot: QtBot, window: GlobalRecode) -> None:
    use(qtbot, group(qtbot, window, "width", intervalWidth="30"))
    assert text(window).startswith("1: -29\n2: 30-59\n3: 60-")
    use(qtbot, group(qtbot, window, "breaks", ownBreaks="15, 25, 65"))
    assert text(window) == "1: -14\n2: 15-24\n3: 25-64\n4: 65-"
    use(qtbot, group(qtbot, window, "ends", bottomCode="17", topCode="75"))
    assert text(window) == "17: -17\n75: 75-"
    dialog = group(qtbot, window, "quantiles", quantileGroups="4")
    assert dialog.result_text.text().startswith("4 categories")
    use(qtbot, dialog)
    assert len(text(window).splitlines()) == 4


def test_a_grouping_that_cannot_be_made_says_why(qtbot: QtBot, window: GlobalRecode) -> None:
    dialog = group(qtbot, window, "width", intervalWidth="x")
    assert "“x” is not a number" in dialog.result_text.text()
    assert not dialog.buttons.buttons()[0].isEnabled()
    dialog.reject()
    assert text(window) == ""


def test_truncation_is_a_truncation_in_the_recipe(qtbot: QtBot, window: GlobalRecode) -> None:
    window.show_for(variable="REGION")
    use(qtbot, group(qtbot, window, "truncate", truncateDigits="2"))
    settle(qtbot, window)
    press(qtbot, window, "apply")
    wait_idle(qtbot, window.document)
    assert window.document.recipe.recodes == (Recode("REGION", truncate=2),)
    assert shown_variable(window, "REGION")[1] == "T"
    assert window.document.undo_label.startswith("Recode REGION, ")
    assert text(window).startswith("01: 0101-")


def test_levels_of_a_codelist_are_offered_where_codes_are_a_tree(qtbot: QtBot, window: GlobalRecode) -> None:
    window.show_for(variable="OCCUP")
    dialog = group(qtbot, window, "tree")
    dialog.level_box.setCurrentIndex(dialog.level_box.count() - 1)
    use(qtbot, dialog)
    assert all(len(line.split(":")[0]) == 1 for line in text(window).splitlines())
    assert not window.codes.suggest.isEnabled()


def test_suggested_merges_are_accepted_by_tick(qtbot: QtBot, window: GlobalRecode) -> None:
    press(qtbot, window, "suggest")
    dialog = window.findChildren(SuggestMerges)[-1]
    qtbot.waitUntil(dialog.use.isEnabled, timeout=60_000)
    qtbot.keyClick(dialog.slider, Qt.Key.Key_PageUp)
    rows = dialog.table.rowCount()
    assert dialog.accepted_rows == list(range(rows))
    promised = dialog.total.text()
    item = dialog.table.visualItemRect(dialog.table.item(0, 0))
    qtbot.mouseClick(dialog.table.viewport(), LEFT, pos=QPoint(item.left() + 12, item.center().y()))
    assert dialog.accepted_rows == list(range(1, rows))
    assert dialog.total.text() != promised
    unsafe = dialog.total.text().split(" categories, ")[1].split(" unsafe")[0]
    categories = dialog.total.text().removeprefix("Ticked: ").split(" ")[0]
    qtbot.mouseClick(dialog.use, LEFT)
    settle(qtbot, window)
    assert label(window, "previewAfterCategories") == categories
    assert label(window, "previewAfterUnsafe").split(" ")[0] == unsafe


# Published figures ---------------------------------------------------------------------------------------------------


@pytest.fixture
def demodata(qtbot: QtBot, open_window: Callable[..., MainWindow], shared: Path, tmp_path: Path) -> GlobalRecode:
    folder = tmp_path / "demodata"
    shutil.copytree(shared / "data" / "demodata", folder)
    main_window = open_window(folder / "Demodata.asc")
    recipe = Recipe(
        input=Input(data=folder / "Demodata.asc", metadata=folder / "Demodata.rda"),
        combinations=(Combination(KEYS),),
        threshold=Threshold(individual_risk=0.00125),
    )
    main_window.document.start("Demodata", recipe)
    wait_idle(qtbot, main_window.document)
    return opened(qtbot, main_window, "REGION")


def check_published(qtbot: QtBot, window: GlobalRecode) -> None:
    settle(qtbot, window)
    derived = window.document.derived
    assert derived is not None
    assert [derived.columns[name].n_valid for name in KEYS] == [18, 2, 6, 4]
    assert len(derived.tables[0].cells) == 499
    assert label(window, "previewNowUnsafe").startswith("397 ")
    assert label(window, "previewNowRate") == "0.125 %"
    steps = [step.label for step in window.document.history]
    assert steps[-2:] == ["Recode REGION, 18 categories", "Recode AGE, 6 categories"]


def test_demodata_by_text(qtbot: QtBot, demodata: GlobalRecode, shared: Path) -> None:
    for name, file in (("REGION", "Region.grc"), ("AGE", "Age.grc")):
        demodata.show_for(variable=name)
        write(qtbot, demodata, (shared / "data" / "demodata" / file).read_text(encoding="utf-8"))
        press(qtbot, demodata, "apply")
        wait_idle(qtbot, demodata.document)
    check_published(qtbot, demodata)
    missing = [demodata.document.derived.columns[name].codes[-2:] for name in ("REGION", "AGE")]
    assert missing == [("98", "99"), ("8", "9")]


def test_demodata_by_the_controls(qtbot: QtBot, demodata: GlobalRecode) -> None:
    for first in range(1, 182, 10):
        last = first + 9 if first < 171 else 182
        if first <= 171:
            click_rows(qtbot, demodata, str(first), str(last))
            press(qtbot, demodata, "merge")
    next(a for a in demodata.codes.group.menu().actions() if a.objectName() == "group_number").trigger()
    lines = text(demodata).splitlines()
    assert (len(lines), lines[0], lines[-1]) == (18, "1: 1-10", "18: 171-182")
    press(qtbot, demodata, "apply")
    demodata.show_for(variable="AGE")
    use(qtbot, group(qtbot, demodata, "breaks", ownBreaks="21 31 41 51 61"))
    press(qtbot, demodata, "apply")
    check_published(qtbot, demodata)


def test_the_bundled_session_shows_its_recodes(
    qtbot: QtBot, open_window: Callable[..., MainWindow], survey: Path
) -> None:
    window = opened(qtbot, open_window(survey / "survey.pavo"), "REGION")
    assert window.text.source.text() == "applied, from Region.grc"
    assert shown_variable(window, "REGION")[1:3] == ["R", "8"]
    assert shown_variable(window, "OCCUP")[1] == "T"
    assert shown(window, "New label")["0101"]
    assert not window.apply.isEnabled()
    window.show_for(variable="OCCUP")
    assert window.text.source.text() == "applied: truncated by 3"
    assert window.text.codelist.text().endswith("MajorGroup.cdl")
