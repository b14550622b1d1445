"""What the lists of Select Combinations show, and that its buttons write what they say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QTableView
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination
from gui.main_window.window import MainWindow
from gui.select_combinations.window import SelectCombinations
from tests.gui.buttons import press
from tests.gui.select_combinations.hand import choose, open_on, pick, put_away, type_into
from tests.gui.waiting import wait_idle


@pytest.fixture
def window(qtbot: QtBot, survey_window: MainWindow) -> Iterator[SelectCombinations]:
    yield open_on(qtbot, survey_window)
    put_away(survey_window)


def table(window: SelectCombinations, name: str) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of a table as they are read."""
    model = window.findChild(QTableView, name).model()
    columns = range(model.columnCount())
    heads = [model.headerData(column, Qt.Orientation.Horizontal) for column in columns]
    return heads, [[model.index(row, column).data() for column in columns] for row in range(model.rowCount())]


def test_variables_have_their_codes_and_levels(window: SelectCombinations) -> None:
    heads, rows = table(window, "categoricalVariables")
    assert heads[:3] == ["Variable", "codes", "level"]
    shown = {row[0]: row[1:3] for row in rows}
    metadata = window.document.derived.metadata
    assert shown["SEX"] == ["2", str(metadata["SEX"].identification_level)]
    assert set(shown) >= {"REGION", "SEX", "AGE", "MARSTAT"}


def test_combinations_have_model_threshold_and_variables(qtbot: QtBot, window: SelectCombinations) -> None:
    for names in (("REGION", "SEX"), ("AGE", "MARSTAT"), ("EDUC", "OCCUP")):
        choose(qtbot, window, *names)
        press(qtbot, window, "addCombination")
    pick(qtbot, window, 2)
    press(qtbot, window, "setRiskModel")
    pick(qtbot, window, 3)
    type_into(qtbot, window.findChild(QLineEdit, "countThreshold"), "4")
    heads, rows = table(window, "combinationList")
    assert heads[1:] == ["Model", "Thres.", "Variables"]
    assert {tuple(row[1:]) for row in rows} == {
        ("Threshold", "1", "REGION × SEX"), ("Risk", "1", "AGE × MARSTAT"), ("Threshold", "4", "EDUC × OCCUP"),
    }  # fmt: skip
    press(qtbot, window, "kAnonymity")
    assert {row[1] for row in table(window, "combinationList")[1]} == {"2-anonymity", "5-anonymity"}
    assert {(each.count_threshold, each.k) for each in window.draft.value} == {(1, 2), (4, 5)}, "one more than it"


def test_calculate_commits_one_step_and_closes(qtbot: QtBot, survey_window: MainWindow) -> None:
    window = open_on(qtbot, survey_window)
    document = survey_window.document
    press(qtbot, window, "recommended")
    press(qtbot, window, "calculateTables")
    wait_idle(qtbot, document)
    assert survey_window.window_named("selectCombinations") is None
    (made,) = document.recipe.combinations
    assert isinstance(made, Combination) and made.model == "individual-risk"
    assert document.undo()
    assert document.recipe.combinations == ()
