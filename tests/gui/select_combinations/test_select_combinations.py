"""Select Combinations by mouse and keys, on the demonstration survey."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QListWidget, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination
from gui.document import autosave
from gui.document.autosave import Autosave
from gui.main_window.window import MainWindow
from gui.select_combinations.automatic_dialog import AutomaticSpecification
from gui.select_combinations.window import SelectCombinations
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.buttons import press
from tests.gui.select_combinations.hand import choose, open_on, pick, put_away, type_into
from tests.gui.waiting import wait_idle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot: QtBot, survey_window: MainWindow) -> Iterator[SelectCombinations]:
    yield open_on(qtbot, survey_window)
    put_away(survey_window)


def combinations(window: Any) -> list[tuple[str, ...]]:
    return [c.variables for c in window.document.recipe.combinations]


def test_every_way_to_combinations_and_every_missing_rule_is_explained(
    qtbot: QtBot, window: SelectCombinations
) -> None:
    for name, said in (
        ("recommended", "an acquaintance could"),
        ("automaticSpecification", "many small tables"),
        ("setRiskModel", "by the chance of being recognised"),
        ("kAnonymity", "at least k others"),
        ("addCombination", "judged by its threshold"),
    ):
        button = window.findChild(QPushButton, name) or window.findChild(QToolButton, name)
        assert said in button.toolTip()
        assert button.whatsThis() == button.toolTip()
    label = window.findChild(QLabel, "waysExplained")
    assert label.isVisible()
    assert "what an intruder could know" in label.text()
    window.resize(window.minimumSize())
    QApplication.processEvents()
    assert label.height() >= label.heightForWidth(label.width()), "nothing is cut off at the smallest size"
    for place in range(window.rule.count()):
        window.rule.setCurrentIndex(place)
        assert window.rule.meaning.text() == window.rule.itemData(place, Qt.ItemDataRole.ToolTipRole) != ""
    window.rule.setCurrentIndex(0)
    assert "makes no other safer" in window.rule.meaning.text()


def test_a_combination_is_built_counted_and_calculated(qtbot: QtBot, window: SelectCombinations) -> None:
    choose(qtbot, window, "REGION", "SEX", "AGE")
    qtbot.waitUntil(lambda: "observed" in window.builder.counts.text(), timeout=20_000)
    assert window.builder.counts.text().startswith(f"{_possible(window):,} possible cells, ")
    press(qtbot, window, "addCombination")
    assert window.findChild(QListWidget, "currentCombination").count() == 0
    press(qtbot, window, "setRiskModel")
    document = window.document
    press(qtbot, window, "calculateTables")
    wait_idle(qtbot, document)
    assert combinations(_Of(document)) == [("REGION", "SEX", "AGE")]
    assert document.recipe.combinations[0].model == "individual-risk"
    assert document.derived is not None
    assert document.derived.tables[0] is not None
    assert document.session.history.undo_label == "Combinations: 1"


class _Of:
    def __init__(self, document: Any) -> None:
        self.document = document


def _possible(window: SelectCombinations) -> int:
    assert window._prepared is not None
    columns = [window._prepared.columns[name] for name in ("REGION", "SEX", "AGE")]
    return math.prod(len({min(int(value), c.n_valid) for value in c.values}) for c in columns)


def test_observed_cells_are_those_of_the_table(qtbot: QtBot, window: SelectCombinations) -> None:
    choose(qtbot, window, "REGION", "SEX")
    qtbot.waitUntil(lambda: "observed" in window.builder.counts.text(), timeout=20_000)
    said = int(window.builder.counts.text().split(", ")[1].split()[0].replace(",", ""))
    assert window._prepared is not None
    columns = window._prepared.columns
    pairs = {
        (min(int(r), columns["REGION"].n_valid), min(int(s), columns["SEX"].n_valid))
        for r, s in zip(columns["REGION"].values, columns["SEX"].values, strict=True)
    }
    assert said == len(pairs)


def test_one_click_makes_the_risk_table_of_all_keys(qtbot: QtBot, window: SelectCombinations) -> None:
    press(qtbot, window, "recommended")
    keys = tuple(name for name, level in window._levels.items() if level > 0)
    assert [c.variables for c in window.draft.value] == [keys]
    assert window.draft.value[0].model == "individual-risk"


def test_enter_calculates_after_the_scenario_is_taken(qtbot: QtBot, survey_window: MainWindow) -> None:
    """The guidance, whose button was pressed, is gone: the focus is where the work goes on."""
    window = open_on(qtbot, survey_window)
    window.activateWindow()
    begin = window.guidance.main
    qtbot.waitUntil(begin.isVisible)
    qtbot.mouseClick(begin, LEFT)
    assert QApplication.focusWidget() is window.calculate
    qtbot.keyClick(window.calculate, Qt.Key.Key_Return)
    wait_idle(qtbot, survey_window.document)
    assert len(combinations(window)) == 1


def test_no_key_described_leads_to_what_is_proposed(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("SEX,REGION\n" + "1,2\n2,3\n" * 50, encoding="utf-8")
    main = open_window(path)
    window = open_on(qtbot, main)
    qtbot.waitUntil(window.guidance.main.isVisible)
    qtbot.mouseClick(window.guidance.main, LEFT)
    metadata = main.window_named("specifyMetadata")
    assert isinstance(metadata, SpecifyMetadata)
    qtbot.waitUntil(metadata.proposals.table.isVisible, timeout=20_000)


def test_an_accepted_scenario_is_written_into_the_recipe(qtbot: QtBot, survey_window: MainWindow) -> None:
    """Only where its keys are the combination still."""
    document, window = survey_window.document, open_on(qtbot, survey_window)
    press(qtbot, window, "recommended")
    keys = window.draft.value[0].variables
    press(qtbot, window, "calculateTables")
    assert [(each.name, each.variables) for each in document.recipe.scenarios] == [("Acquaintance", keys)]
    document.undo()
    assert document.recipe.scenarios == ()
    again = open_on(qtbot, survey_window)
    press(qtbot, again, "recommended")
    press(qtbot, again, "removeCombination")
    again.builder.list.setCurrentRow(0)
    press(qtbot, again, "removeVariable")
    press(qtbot, again, "calculateTables")
    assert combinations(again) == [keys[1:]]
    assert document.recipe.scenarios == ()


def test_variables_are_taken_out_by_button_and_key(qtbot: QtBot, window: SelectCombinations) -> None:
    choose(qtbot, window, "REGION", "SEX", "AGE")
    box = window.builder.list
    box.setCurrentRow(1)
    press(qtbot, window, "removeVariable")
    assert window.builder.names == ("REGION", "AGE")
    box.setCurrentRow(0)
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Delete)
    assert window.builder.names == ("AGE",)
    press(qtbot, window, "clearCombination")
    assert window.builder.names == ()


def test_removing_a_combination_loads_it_for_editing(qtbot: QtBot, window: SelectCombinations) -> None:
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    press(qtbot, window, "removeCombination")
    assert window.draft.value == ()
    assert window.builder.names == ("REGION", "SEX")


def test_overlapping_risk_tables_are_named_and_removed_on_request(
    qtbot: QtBot, window: SelectCombinations, answers: list[int]
) -> None:
    for names in (("REGION", "SEX"), ("SEX", "AGE")):
        choose(qtbot, window, *names)
        press(qtbot, window, "addCombination")
    window.combinations.select(1)
    press(qtbot, window, "setRiskModel")
    window.combinations.select(2)
    press(qtbot, window, "setRiskModel")
    assert [c.model for c in window.draft.value] == ["individual-risk", "frequency"]
    answers.append(0)
    press(qtbot, window, "setRiskModel")
    assert [c.variables for c in window.draft.value] == [("SEX", "AGE")]
    assert window.draft.value[0].model == "individual-risk"


def test_a_threshold_below_one_is_refused_beside_its_box(qtbot: QtBot, window: SelectCombinations) -> None:
    box = window.builder.threshold
    box.selectAll()
    qtbot.keyClicks(box, "0")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert "at least 1" in box.message.text()
    assert window.builder.count_threshold == 1


def test_the_threshold_holds_for_the_selected_combinations(qtbot: QtBot, window: SelectCombinations) -> None:
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    pick(qtbot, window, 1)
    box = window.builder.threshold
    box.selectAll()
    qtbot.keyClicks(box, "3")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert window.draft.value[0].count_threshold == 3
    press(qtbot, window, "kAnonymity")
    assert (window.draft.value[0].model, window.draft.value[0].k) == ("k-anonymity", 4)
    press(qtbot, window, "kAnonymity")
    assert window.draft.value[0].model == "frequency"


def test_closing_with_a_touched_draft_asks(qtbot: QtBot, window: SelectCombinations, answers: list[int]) -> None:
    choose(qtbot, window, "REGION")
    press(qtbot, window, "addCombination")
    answers.append(1)
    press(qtbot, window, "cancel")
    assert window.isVisible()
    answers.append(0)
    press(qtbot, window, "cancel")
    assert not window.isVisible()
    assert combinations(window) == []


def test_a_session_that_changes_under_a_touched_draft_is_said(qtbot: QtBot, window: SelectCombinations) -> None:
    choose(qtbot, window, "REGION")
    press(qtbot, window, "addCombination")
    recipe = window.document.recipe

    window.document.commit("elsewhere", recipe.with_(combinations=(Combination(("SEX",), "frequency"),)))
    assert window.messages.text == "The session changed."
    assert [c.variables for c in window.draft.value] == [("REGION",)]
    offers = window.messages.findChildren(QPushButton)
    qtbot.mouseClick(next(b for b in offers if b.text() == "Reload"), LEFT)
    assert [c.variables for c in window.draft.value] == [("SEX",)]


def test_automatic_specification_says_the_number_first(qtbot: QtBot, window: SelectCombinations) -> None:
    press(qtbot, window, "automaticSpecification")
    dialog = window.findChild(AutomaticSpecification)
    assert dialog is not None
    qtbot.waitExposed(dialog)
    keys = sum(1 for level in window._levels.values() if level > 0)
    type_into(qtbot, dialog.dimension, "2", enter=False)
    assert dialog.by_dimension.isChecked()
    assert dialog.number.text().startswith(f"This gives {keys + keys * (keys - 1) // 2} tables")
    dialog.thresholds.setText("1 x")
    assert "whole numbers" in dialog.refusal.text()
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    dialog.thresholds.setText("2 5")
    qtbot.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), LEFT)
    assert len(window.draft.value) == keys + keys * (keys - 1) // 2
    assert {(len(c.variables), c.count_threshold) for c in window.draft.value} == {(1, 2), (2, 5)}


def test_without_weight_the_window_asks_what_the_file_is(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, answers: list[int]
) -> None:
    data = tmp_path / "plain.csv"
    data.write_text("REGION,SEX\n" + "".join(f"{i % 3},{i % 2}\n" for i in range(30)), encoding="utf-8")
    window = open_on(qtbot, open_window(data), 2)
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    answers.append(1)
    press(qtbot, window, "setRiskModel")
    assert "sample without weights cannot be judged by risk" in window.messages.text
    assert window.draft.value[0].model == "frequency"
    answers.append(0)
    press(qtbot, window, "setRiskModel")
    assert window.draft.value[0].model == "individual-risk"
    answers.append(0)
    window.close()


def test_an_unfinished_draft_comes_back_after_a_crash(qtbot: QtBot, window: SelectCombinations) -> None:
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    keeper = Autosave(window.document)
    qtbot.waitUntil(keeper.file.exists, timeout=4000)
    keeper._lock.unlock()  # as if the process had died
    kept = next(kept for kept in autosave.left_behind() if kept.file == keeper.file)
    document = window.document
    document.session.drafts.clear()
    window._set_draft(())
    window.close()
    document.restore(kept.sitting)
    wait_idle(qtbot, document)
    again = SelectCombinations(document)
    assert [c.variables for c in again.draft.value] == [("REGION", "SEX")]
    assert again.touched
    press(qtbot, again, "calculateTables")
    wait_idle(qtbot, document)
    assert document.session.drafts == {}
    keeper.finish()
