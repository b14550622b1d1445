"""Global Recode: what its window says and keeps while one works in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination
from gui import dialogs
from gui.global_recode.window import GlobalRecode
from gui.main_window.window import MainWindow
from tests.gui.global_recode.hand import click_rows, keys, label, opened, press, settle, shown, text, write
from tests.gui.global_recode.test_recode_groups import group, use
from tests.gui.waiting import wait_idle


@pytest.fixture
def window(recode_window: GlobalRecode) -> GlobalRecode:
    """AGE of the demonstration."""
    return recode_window


# Grouping ------------------------------------------------------------------------------------------------------------


def test_the_level_of_a_tree_is_the_one_that_other_codelists_know(qtbot: QtBot, window: GlobalRecode) -> None:
    window.show_for(variable="REGION")
    dialog = group(qtbot, window, "tree")
    offered = [dialog.level_box.itemText(place) for place in range(dialog.level_box.count())]
    assert offered == ["2 characters: 8 categories", "1 character: 1 category"]
    use(qtbot, dialog)
    assert [line.split(":")[0] for line in text(window).splitlines()] == [f"0{number}" for number in range(1, 9)]


def test_one_category_is_named_in_the_singular(qtbot: QtBot, window: GlobalRecode) -> None:
    dialog = group(qtbot, window, "quantiles", quantileGroups="1")
    records = window.codes.table.codes.model.columns[4].values.sum()
    assert dialog.result_text.text() == f"1 category of {records:,} records"


def test_a_step_of_one_category_is_in_the_singular(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-")
    press(qtbot, window, "apply")
    assert window.document.session.history.undo_label == "Recode AGE, 1 category"
    wait_idle(qtbot, window.document)


def test_top_and_bottom_refuse_what_is_no_code(qtbot: QtBot, window: GlobalRecode) -> None:
    dialog = group(qtbot, window, "ends", bottomCode="x")
    assert "x is no code of AGE" in dialog.result_text.text()
    assert not dialog.buttons.buttons()[0].isEnabled()
    dialog.bottom_box.setText("200")
    assert "would take all codes" in dialog.result_text.text()
    assert not dialog.buttons.buttons()[0].isEnabled()
    dialog.bottom_box.setText("17")
    use(qtbot, dialog)
    assert text(window) == "17: -17"


# The table -----------------------------------------------------------------------------------------------------------


def test_another_variable_is_shown_with_nothing_selected_and_from_its_top(qtbot: QtBot, window: GlobalRecode) -> None:
    window.show_for(variable="EDUC")
    click_rows(qtbot, window, "1", "3")
    assert window.codes.table.selected_codes == ["1", "2", "3"]
    window.show_for(variable="AGE")
    assert "2" in shown(window, "Code")
    assert window.codes.table.selected_codes == []
    assert not window.codes.merge.isEnabled()
    click_rows(qtbot, window, "20", "24")
    place = window.codes.table.codes.view.verticalScrollBar().value()
    press(qtbot, window, "merge")
    assert window.codes.table.selected_codes == [str(age) for age in range(20, 25)]
    assert window.codes.table.codes.view.verticalScrollBar().value() == place


def test_text_that_cannot_be_read_leaves_no_figures_of_after(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-14")
    settle(qtbot, window)
    figures = shown(window, "Unsafe after Apply")
    assert set(figures.values()) != {"–"}
    keys(qtbot, window, "\nfoo bar !!")
    settle(qtbot, window)
    assert label(window, "previewAfterUnsafe") == "–"
    assert set(shown(window, "Unsafe after Apply").values()) == {"–"}
    write(qtbot, window, "1: 0-14")
    settle(qtbot, window)
    assert shown(window, "Unsafe after Apply") == figures


def test_after_apply_the_keys_go_on_with_the_codes(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-14")
    for name in ("apply", "undoRecode"):
        window.findChild(QPushButton, name).setFocus()
        press(qtbot, window, name)
        wait_idle(qtbot, window.document)
        settle(qtbot, window)
        assert window.focusWidget() is window.codes.table.codes.view
    window.drop.setFocus()
    press(qtbot, window, "dropDraft")
    assert window.focusWidget() is window.codes.table.codes.view


# Missing codes and files ---------------------------------------------------------------------------------------------


def test_new_missing_codes_that_cannot_be_read_are_refused_at_their_box(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-14")
    box = window.text.missing
    box.setFocus()
    qtbot.keyClicks(box, '98 "9')
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert label(window, "newMissingMessage") == "The quote at position 4 is not closed."
    assert window.messages.text == ""
    assert not window.apply.isEnabled()
    click_rows(qtbot, window, "20", "24")
    press(qtbot, window, "merge")
    assert (box.text(), window.apply.isEnabled()) == ('98 "9', False)
    box.setFocus()
    qtbot.keyClicks(box, '"')
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert label(window, "newMissingMessage") == ""
    assert window.apply.isEnabled()
    assert text(window).endswith("<MISSING> 98 9")


@pytest.mark.parametrize("way", ["drop", "variable", "text"])
def test_missing_codes_that_were_refused_go_with_what_they_were_for(
    qtbot: QtBot, window: GlobalRecode, way: str
) -> None:
    write(qtbot, window, "1: 0-14")
    window.text.missing.setText('"9')
    window.text.missing.editingFinished.emit()
    assert window.text.refused
    if way == "drop":
        press(qtbot, window, "dropDraft")
    elif way == "variable":
        window.show_for(variable="REGION")
    else:
        write(qtbot, window, "")
    assert (window.text.refused, window.text.missing.text()) == (False, "")
    assert label(window, "newMissingMessage") == ""


@pytest.mark.parametrize(
    ("scheme", "said"),
    [
        ("1: 0-14\n<MISSING> 97 98 99", "reads two missing codes only: without 99."),
        ('"x ""y"" z": 0-14', 'cannot read a quoted code that holds a quote: x "y" z.'),
        ("1: 0-14\n<MISSING> 98 99", ""),
    ],
)
def test_a_scheme_that_mu_argus_reads_otherwise_is_written_with_a_warning(
    qtbot: QtBot, window: GlobalRecode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str, said: str
) -> None:
    target = tmp_path / "Age.grc"
    monkeypatch.setattr(dialogs, "save_file", lambda *_: target)
    window.text.edit.setPlainText(scheme)
    press(qtbot, window, "writeRecode")
    assert target.read_text(encoding="utf-8").strip() == scheme
    told = window.messages.text
    assert told.startswith(f"Written: {target}")
    assert told.endswith(said) and ("μ-ARGUS" in told) == bool(said)


# Room ----------------------------------------------------------------------------------------------------------------


def test_the_window_fits_half_of_a_large_screen_and_shows_all_figures_of_variables(
    qtbot: QtBot, window: GlobalRecode
) -> None:
    least = window.minimumSize().expandedTo(window.minimumSizeHint())
    assert least.width() <= 600 and least.height() <= 500
    write(qtbot, window, "1: 0-14")
    settle(qtbot, window)
    window.resize(940, 500)
    qtbot.waitUntil(lambda: window.size().toTuple() == (940, 500))
    header = window.variables.view.horizontalHeader()
    assert header.length() <= window.variables.view.viewport().width()
    window.codes.ways.segments.choose("textWay")
    qtbot.waitUntil(lambda: window.text.isVisible() and not window.variables.isVisible())
    for box in (window.text.missing, window.text.codelist):
        said = box.placeholderText()
        needed = box.fontMetrics().horizontalAdvance(said) + 12
        assert said
        qtbot.waitUntil(lambda box=box, needed=needed: needed <= box.width())


def test_beside_another_page_the_key_is_a_box_and_the_text_a_way(qtbot: QtBot, window: GlobalRecode) -> None:
    window.resize(700, 600)
    qtbot.waitUntil(lambda: not window.variables.isVisible())
    keys, ways = window.keys, window.codes.ways
    assert (keys.currentText(), window.text.isVisible(), window.codes.table.isVisible()) == ("AGE", False, True)
    ways.segments.choose("textWay")
    assert (window.text.isVisible(), window.codes.table.isVisible()) == (True, False)
    keys.setFocus()
    qtbot.keyClick(keys, Qt.Key.Key_Home)
    settle(qtbot, window)
    assert window.subject() == keys.currentText() != "AGE"
    window.resize(1150, 600)
    qtbot.waitUntil(window.variables.isVisible)
    assert window.text.isVisible() and window.codes.table.isVisible()


def test_bands_and_ends_are_made_of_what_the_boxes_say(qtbot: QtBot, window: GlobalRecode) -> None:
    ways = window.codes.ways
    ways.segments.choose("bands")
    for box, typed in ((ways.start, "0"), (ways.width_box, "x")):
        box.setFocus()
        qtbot.keyClicks(box, typed)
    press(qtbot, window, "bandStartTake")
    assert "not a number" in window.messages.text and text(window) == ""
    ways.width_box.clear()
    qtbot.keyClicks(ways.width_box, "20\r")
    settle(qtbot, window)
    assert text(window).splitlines()[1] == "2: 20-39"
    bands = text(window).count(":")
    ways.last.setFocus()
    qtbot.keyClicks(ways.last, "40\r")
    settle(qtbot, window)
    assert "3: 40-" in text(window).splitlines() and text(window).count(":") < bands
    assert window.effect.headline.text().endswith("unsafe records")
    ways.segments.choose("ends")
    press(qtbot, window, "bottomBandTake")
    assert "Give a lower or an upper bound." in window.messages.text
    qtbot.keyClicks(ways.top, "70\r")
    settle(qtbot, window)
    assert text(window).splitlines()[0].endswith("70-")
    press(qtbot, window, "dropDraft")
    settle(qtbot, window)
    assert text(window) == "" and not window.apply.isEnabled()


def test_unsafe_records_are_in_sight_beside_long_names(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    long = "A_VARIABLE_WITH_A_LONG_NAME_INDEED"
    rows = [f"{i % 5},{i % 3}" for i in range(60)]
    (tmp_path / "long.csv").write_text(f"{long},SEX\n" + "\n".join(rows) + "\n", encoding="utf-8")
    main = open_window(tmp_path / "long.csv")
    main.document.commit("keys", main.document.recipe.with_(combinations=(Combination((long, "SEX"), "frequency"),)))
    wait_idle(qtbot, main.document)
    window = opened(qtbot, main, long)
    for size in ((1000, 560), (1600, 700), (1000, 560)):
        window.resize(*size)
        qtbot.waitUntil(lambda size=size: window.size().toTuple() == size)
        view, unsafe = window.variables.view, [c.title for c in window.variables.model.columns].index("unsafe")
        assert view.columnViewportPosition(unsafe) + view.columnWidth(unsafe) <= view.viewport().width()
    assert view.textElideMode() == Qt.TextElideMode.ElideMiddle
    window.drafts.forget()


def test_household_size_is_recoded_like_a_variable_of_the_file(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    main_window = open_window(demo / "survey-households.pavo")
    document = main_window.document
    document.commit("bare", document.recipe.with_(recodes=()))
    wait_idle(qtbot, document)
    window = opened(qtbot, main_window, "HHSIZE")
    assert window.subject() == "HHSIZE"
    write(qtbot, window, "5+: 5-")
    settle(qtbot, window)
    press(qtbot, window, "apply")
    wait_idle(qtbot, document)
    assert document.derived.columns["HHSIZE"].codes == ("1", "2", "3", "4", "5+")
