"""Global Recode: groupings, suggestions, and the published recodes of Demodata through the window's controls."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Input, Recipe, Recode, Threshold
from gui.global_recode.group_codes_dialog import GroupCodes
from gui.global_recode.suggest_merges_dialog import SuggestMerges
from gui.global_recode.window import GlobalRecode
from gui.main_window.window import MainWindow
from tests.gui.global_recode.hand import (
    KEYS,
    LEFT,
    click_rows,
    label,
    opened,
    press,
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
    assert window.document.session.history.undo_label.startswith("Recode REGION, ")
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
    rows = dialog.table.model.rowCount()
    assert dialog.accepted_rows == list(range(rows))
    promised = dialog.total.text()
    item = dialog.table.view.visualRect(dialog.table.model.index(0, 0))
    qtbot.mouseClick(dialog.table.view.viewport(), LEFT, pos=QPoint(item.left() + 12, item.center().y()))
    assert dialog.accepted_rows == list(range(1, rows))
    assert dialog.total.text() != promised
    unsafe = dialog.total.text().split(" categories, ")[1].split(" unsafe")[0]
    categories = dialog.total.text().removeprefix("Ticked: ").split(" ")[0]
    qtbot.mouseClick(dialog.use, LEFT)
    settle(qtbot, window)
    assert label(window, "previewAfterCategories") == categories
    assert label(window, "previewAfterUnsafe").split(" ")[0] == unsafe


def test_a_promise_at_a_number_of_unsafe_records_is_kept(qtbot: QtBot, window: GlobalRecode) -> None:
    document = window.document
    numbered = document.recipe.with_(threshold=Threshold(unsafe_records=300))
    document.commit("300 unsafe records", numbered)
    wait_idle(qtbot, document)
    window.show_for(variable="AGE")
    settle(qtbot, window)
    press(qtbot, window, "suggest")
    dialog = window.findChildren(SuggestMerges)[-1]
    qtbot.waitUntil(dialog.use.isEnabled, timeout=60_000)
    assert "as a rate or a number" in dialog.judged.text()
    dialog.slider.setValue(dialog.slider.maximum())
    assert dialog.table.model.rowCount() > 1
    dialog.table.view.selectRow(0)
    qtbot.keyClick(dialog.table.view, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.total.text().startswith("Ticked"), timeout=60_000)
    unsafe = dialog.total.text().split(" categories, ")[1].split(" unsafe")[0]
    qtbot.mouseClick(dialog.use, LEFT)
    settle(qtbot, window)
    assert label(window, "previewAfterUnsafe").split(" ")[0] == unsafe


def test_missing_values_that_agree_with_any_get_no_merges(qtbot: QtBot, window: GlobalRecode) -> None:
    document = window.document
    counted = Combination(KEYS, missing_rule="wildcard")
    document.commit("Missing agrees with any", document.recipe.with_(combinations=(counted,)))
    wait_idle(qtbot, document)
    window.show_for(variable="AGE")
    settle(qtbot, window)
    press(qtbot, window, "suggest")
    dialog = window.findChildren(SuggestMerges)[-1]
    qtbot.waitUntil(lambda: "agree with any (wildcard)" in dialog.state.text(), timeout=60_000)
    assert "Preview a recode instead" in dialog.state.text() and not dialog.use.isEnabled()


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
    steps = [step.label for step in window.document.session.history.steps]
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
