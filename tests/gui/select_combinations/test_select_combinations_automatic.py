"""Automatic specification: what it gives is said before, beside combinations that are there, and refusals in place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination
from gui.main_window.window import MainWindow
from gui.select_combinations.automatic_dialog import AutomaticSpecification
from tests.gui.select_combinations.hand import open_on, put_away, type_into

NAMES = ("A", "B", "C", "D")
LEVELS = (1, 2, 3, 0)
KNOWN = (Combination(("B", "A"), "k-anonymity", 1, k=2), Combination(("C", "D")))

Chosen = list[tuple[list[tuple[str, ...]], list[int], bool]]


def dialog_on(qtbot: QtBot, draft: tuple[Combination, ...] = ()) -> tuple[AutomaticSpecification, Chosen]:
    """The dialog on three identifying variables, and what it gives."""
    dialog = AutomaticSpecification(NAMES, LEVELS, draft)
    qtbot.addWidget(dialog)
    chosen: Chosen = []
    dialog.chosen.connect(lambda *given: chosen.append(given))
    dialog.show()
    dialog.by_dimension.click()
    return dialog, chosen


def ok(dialog: AutomaticSpecification) -> QPushButton:
    return dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)


def said(dialog: AutomaticSpecification, name: str) -> str:
    label = dialog.findChild(QLabel, name)
    assert isinstance(label, QLabel)
    return label.text() if label.isVisible() else ""


def test_number_boxes_are_lines_with_a_label_each(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(qtbot)
    for name in ("dimension", "thresholdsByDimension"):
        assert isinstance(dialog.findChild(QLineEdit, name), QLineEdit)
        assert isinstance(dialog.findChild(QLabel, f"{name}Message"), QLabel)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("0", "A dimension is a whole number from 1 to 3."),
        ("4", "A dimension is a whole number from 1 to 3."),
        ("3000000000", "A dimension is a whole number from 1 to 3."),
        ("1.5", "“1.5” is not a whole number."),
        ("x", "“x” is not a number."),
    ],
)
def test_a_dimension_that_cannot_be_is_refused_beside_its_box(qtbot: QtBot, text: str, refusal: str) -> None:
    dialog, chosen = dialog_on(qtbot)
    type_into(qtbot, dialog.dimension, text)
    assert said(dialog, "dimensionMessage") == refusal
    assert not ok(dialog).isEnabled()
    assert (dialog.isVisible(), chosen) == (True, [])
    type_into(qtbot, dialog.dimension, "2")
    assert chosen == [([("A",), ("B",), ("C",), ("A", "B"), ("A", "C"), ("B", "C")], [1], False)]


def test_a_refused_dimension_does_not_stand_against_identification_levels(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(qtbot)
    type_into(qtbot, dialog.dimension, "9", enter=False)
    dialog.by_level.click()
    assert (said(dialog, "dimensionMessage"), dialog.dimension.text()) == ("", "3")
    assert said(dialog, "numberOfTables") == "This gives 1 table of 3 identifying variables."
    assert ok(dialog).isEnabled()


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("1 2 3 4 5 6 7", "7 thresholds, but the tables have at most 3 variables."),
        ("3000000000", "Thresholds are whole numbers from 1 to 1,000,000,000, separated by blanks."),
        ("2 0", "Thresholds are whole numbers from 1 to 1,000,000,000, separated by blanks."),
    ],
)
def test_thresholds_that_cannot_be_are_refused_beside_their_box(qtbot: QtBot, text: str, refusal: str) -> None:
    dialog, _ = dialog_on(qtbot)
    type_into(qtbot, dialog.thresholds, text)
    assert said(dialog, "thresholdsByDimensionMessage") == refusal
    assert (said(dialog, "numberOfTables"), ok(dialog).isEnabled()) == ("", False)
    type_into(qtbot, dialog.thresholds, "1 2 3", enter=False)
    assert said(dialog, "thresholdsByDimensionMessage") == ""
    assert ok(dialog).isEnabled()


def test_levels_that_give_no_combination_are_said(qtbot: QtBot) -> None:
    dialog = AutomaticSpecification(("A", "B"), (3, 3), ())
    qtbot.addWidget(dialog)
    dialog.show()
    assert said(dialog, "numberOfTables") == "This gives 2 tables of 2 identifying variables."
    none = AutomaticSpecification(("A", "B"), (0, 0), ())
    qtbot.addWidget(none)
    none.show()
    assert said(none, "numberOfTables").startswith("No variable has an identification level above 0.")
    assert not ok(none).isEnabled()


def test_tables_that_are_there_already_are_counted_and_what_they_get_is_said(qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(qtbot, KNOWN)
    assert dialog.replace.isChecked()
    assert said(dialog, "numberOfTables") == "This gives 7 tables of 3 identifying variables."
    dialog.replace.click()
    assert said(dialog, "numberOfTables") == (
        "This gives 7 tables of 3 identifying variables. There already: 1; of these 0 get another threshold."
    )
    type_into(qtbot, dialog.thresholds, "5")
    assert chosen[0][1:] == ([5], False)


def test_where_nothing_would_change_nothing_is_offered(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(qtbot, tuple(Combination((name,), "frequency") for name in "ABC"))
    type_into(qtbot, dialog.dimension, "1", enter=False)
    dialog.replace.click()
    assert said(dialog, "numberOfTables").endswith("All are there already, with these thresholds.")
    assert not ok(dialog).isEnabled()


@pytest.fixture
def main(survey_window: MainWindow) -> Iterator[MainWindow]:
    yield survey_window
    put_away(survey_window)


def test_a_threshold_typed_reaches_the_tables_that_are_there(qtbot: QtBot, main: MainWindow) -> None:
    window = open_on(qtbot, main)
    window.automatic.click()
    first = window.findChild(AutomaticSpecification)
    assert isinstance(first, AutomaticSpecification)
    type_into(qtbot, first.dimension, "2", enter=False)
    ok(first).click()
    tables = [c.variables for c in window.draft.value]
    assert len(tables) > 2
    window.automatic.click()
    second = next(d for d in window.findChildren(AutomaticSpecification) if d.isVisible())
    type_into(qtbot, second.dimension, "2", enter=False)
    type_into(qtbot, second.thresholds, "5", enter=False)
    second.replace.click()
    assert said(second, "numberOfTables").endswith(
        f"There already: {len(tables)}; of these {len(tables)} get another threshold."
    )
    ok(second).click()
    assert [c.variables for c in window.draft.value] == tables
    assert {c.count_threshold for c in window.draft.value} == {5}
