"""Global Recode by mouse and keys: Demodata's published recodes, and the bundled demonstration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from core.recipe.model import Recode, Threshold, VariableEdit
from gui import dialogs
from gui.global_recode import code_table, edits
from gui.global_recode.suggest_merges_dialog import SuggestMerges
from gui.global_recode.window import GlobalRecode
from gui.main_window.window import MainWindow
from tests.gui.global_recode.hand import (
    LEFT,
    click_rows,
    drag,
    keys,
    label,
    offer,
    press,
    row_place,
    settle,
    shown,
    shown_variable,
    text,
    write,
)
from tests.gui.waiting import wait_idle


@pytest.fixture
def window(recode_window: GlobalRecode) -> GlobalRecode:
    """AGE of the demonstration."""
    return recode_window


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
    settle(qtbot, window)
    assert label(window, "previewAfterUnsafe") != "–"
    keys(qtbot, window, "\n3: 30-25")
    settle(qtbot, window)
    figures = [
        label(window, f"previewAfter{name}") for name in ("Categories", "Unsafe", "Rate", "Suppressions", "Loss")
    ]
    assert figures == ["–"] * 5
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
    assert "1 item fits no code of the file: 98" in said


def test_undo_takes_back_steps_of_the_draft_before_steps_of_the_session(qtbot: QtBot, window: GlobalRecode) -> None:
    click_rows(qtbot, window, "20", "24")
    press(qtbot, window, "merge")
    click_rows(qtbot, window, "30", "34")
    press(qtbot, window, "merge")
    view = window.codes.table.codes.view
    view.setFocus()
    qtbot.keySequence(view, QKeySequence(QKeySequence.StandardKey.Undo))
    assert text(window) == "20: 20-24"
    assert shown(window, "New code")["30"] == ""
    qtbot.keySequence(view, QKeySequence(QKeySequence.StandardKey.Redo))
    assert "30: 30-34" in text(window)
    assert window.document.session.history.undo_label == "keys"


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
    by_code = shown(window, "Unsafe after Apply")
    steps = len(window.document.session.history.steps)
    press(qtbot, window, "apply")
    settle(qtbot, window)
    assert [label(window, f"previewNow{name}") for name in names] == promised
    assert shown(window, "Unsafe") == by_code
    assert window.document.session.history.undo_label == "Recode AGE, 4 categories"
    assert len(window.document.session.history.steps) == steps + 1
    assert not window.apply.isEnabled()
    assert shown_variable(window, "AGE") == ["AGE", "R", "4", promised[1].split(" ")[0]]


def test_without_a_threshold_nothing_is_called_unsafe_and_suggest_asks_for_one(
    qtbot: QtBot, window: GlobalRecode, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, opened = window.document, []
    monkeypatch.setattr(window, "open_window", opened.append)
    document.commit("No threshold", document.recipe.with_(threshold=Threshold()))
    settle(qtbot, window)
    assert shown_variable(window, "AGE")[3] == "–"
    press(qtbot, window, "suggest")
    assert window.findChildren(SuggestMerges) == []
    assert window.messages.text.startswith("Choose a threshold first")
    offer(qtbot, window, "Open Risk Chart")
    assert opened == ["riskChart"]
    document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.02)))
    settle(qtbot, window)
    assert not window.messages.isVisible()
    assert int(shown_variable(window, "AGE")[3].replace(",", "")) > 0


def test_losses_are_told_apart(window: GlobalRecode) -> None:
    heads = {head.text(): head.toolTip() for head in window.preview.findChildren(QLabel)}
    assert "the loss by suppression alone" in heads["loss by recoding and suppression"]


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
    assert window.document.session.drafts["globalRecode"]["AGE"]["text"].startswith("1: 0-49")
    window.show_for(variable="AGE")
    assert text(window) == "1: 0-49\n2: 50-"
    answers.append(1)
    window.close()
    assert window.isVisible()
    answers.append(0)
    window.close()
    assert not window.isVisible()
    assert window.document.session.drafts == {}


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


def test_a_long_list_of_codes_is_filled_when_it_is_seen(
    qtbot: QtBot, window: GlobalRecode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_table, "FEW_CODES", 0)
    table = window.codes.table
    write(qtbot, window, "1: 0-14\n2: 15-")
    settle(qtbot, window)
    table.select_codes(["20"])
    table.tabs.setCurrentIndex(1)
    model = table.categories.model
    assert [model.key(row) for row in range(model.rowCount())][:2] == ["1", "2"]
    assert table.categories.selected_keys == ["2"]
    assert sum(int(model.data(model.index(row, 5))) for row in range(model.rowCount())) == int(
        label(window, "previewAfterUnsafe").split(" ")[0]
    )


def test_edits_of_many_codes_are_worked_out_apart_and_in_order(
    qtbot: QtBot, window: GlobalRecode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edits, "FEW_CODES", 0)
    click_rows(qtbot, window, "20", "22")
    press(qtbot, window, "merge")
    assert (text(window), window.document.busy) == ("", True)
    settle(qtbot, window)
    assert (text(window), window.codes.table.selected_codes) == ("20: 20-22", ["20", "21", "22"])
    click_rows(qtbot, window, "30", "31")
    press(qtbot, window, "merge")
    click_rows(qtbot, window, "40", "41")
    press(qtbot, window, "merge")
    window.apply.click()  # nothing of what was clicked is left out
    wait_idle(qtbot, window.document)
    (recode,) = window.document.recipe.recodes
    assert recode.scheme == "20: 20-22\n30: 30-31\n40: 40-41\n"


def test_typing_goes_on_while_many_codes_are_worked_out(
    qtbot: QtBot, window: GlobalRecode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edits, "FEW_CODES", 0)
    write(qtbot, window, "1: 0-14\n2: 15-")
    assert window.text.edit.toPlainText() == "1: 0-14\n2: 15-"
    settle(qtbot, window)
    assert (text(window), label(window, "previewAfterCategories")) == ("1: 0-14\n2: 15-", "2")
    write(qtbot, window, "1: 0-14")
    press(qtbot, window, "dropDraft")
    settle(qtbot, window)
    assert (text(window), window.drafts.all_touched()) == ("", [])
