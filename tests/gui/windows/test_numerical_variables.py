"""Modify Numerical Variables by mouse and keys, on the demonstration survey."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Cut, Numeric, VariableEdit
from gui.windows.main_window import MainWindow
from gui.windows.numerical_variables import NumericalVariables
from tests.gui.conftest import wait_idle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> NumericalVariables:
    main = open_window(demo / "survey.asc")
    made = main.windows.open_window("numericalVariables")
    assert isinstance(made, NumericalVariables)
    qtbot.waitExposed(made)
    settle(qtbot, made)
    return made


def settle(qtbot: QtBot, window: NumericalVariables) -> None:
    """Until the preview of the draft is there."""
    qtbot.waitUntil(lambda: not window._wait.isActive(), timeout=5000)
    wait_idle(qtbot, window.document)


def press(qtbot: QtBot, window: NumericalVariables, name: str) -> None:
    button = window.findChild(QPushButton, name)
    assert button is not None
    qtbot.mouseClick(button, LEFT)


def enter(qtbot: QtBot, window: NumericalVariables, name: str, text: str) -> QLineEdit:
    box = window.findChild(QLineEdit, name)
    assert box is not None
    box.setFocus()
    box.selectAll()
    qtbot.keyClick(box, Qt.Key.Key_Delete)
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    return box


def text(window: NumericalVariables, name: str) -> str:
    label = window.findChild(QLabel, name)
    assert label is not None
    return label.text()


def test_numbers_are_changed_and_applied_as_one_step(qtbot: QtBot, window: NumericalVariables) -> None:
    assert list(window._variables) == ["INCOME", "WEIGHT"]
    assert window.current == "INCOME"
    greatest = float(text(window, "beforeGreatest"))
    assert text(window, "beforeMean") == text(window, "afterMean")
    enter(qtbot, window, "topValue", "5000")
    assert window.rules.top.replacement.text() == "5000"
    enter(qtbot, window, "topReplacement", "5000+")
    enter(qtbot, window, "roundingBase", "100")
    settle(qtbot, window)
    assert float(text(window, "afterGreatest")) < 5000 < greatest
    assert text(window, "changedRecords").endswith("values change.")
    assert not window.document.recipe.numeric
    steps = window.document.history_index
    press(qtbot, window, "apply")
    settle(qtbot, window)
    assert window.document.recipe.numeric == (Numeric("INCOME", Cut(5000.0, "5000+"), round=100.0),)
    assert window.document.undo_label == "Numerical variables: INCOME"
    assert window.document.history_index == steps + 1
    assert not window.touched
    window.document.undo()
    settle(qtbot, window)
    assert window.rules.top.at.text() == ""
    assert text(window, "changedRecords").startswith("0 of")


def test_escape_drops_the_draft_and_then_closes(qtbot: QtBot, window: NumericalVariables) -> None:
    enter(qtbot, window, "bottomValue", "300")
    assert window.touched
    qtbot.keyClick(window.variables.view, Qt.Key.Key_Escape)
    assert not window.touched
    assert window.isVisible()
    assert window.rules.bottom.at.text() == ""
    with qtbot.waitSignal(window.closed):
        qtbot.keyClick(window.variables.view, Qt.Key.Key_Escape)


def test_impossible_numbers_are_refused_beside_their_box(qtbot: QtBot, window: NumericalVariables) -> None:
    enter(qtbot, window, "topValue", "1000")
    enter(qtbot, window, "bottomValue", "1000")
    assert text(window, "bottomValueMessage") == "Must be below the top value, 1000."
    enter(qtbot, window, "roundingBase", "0")
    assert text(window, "roundingBaseMessage") == "The base must be above 0."
    enter(qtbot, window, "topValue", "much")
    assert "is not a number" in text(window, "topValueMessage")
    press(qtbot, window, "apply")
    assert not window.document.recipe.numeric
    assert window.touched
    settle(qtbot, window)


def test_noise_is_for_the_weight_and_an_empty_box_takes_it_back(qtbot: QtBot, window: NumericalVariables) -> None:
    assert not window.rules.weight_noise.isVisibleTo(window)
    window.variables.select("WEIGHT")
    assert window.rules.weight_noise.isVisibleTo(window)
    enter(qtbot, window, "weightNoise", "5 %")
    assert window._draft == {"WEIGHT": Numeric("WEIGHT", noise=0.05)}
    settle(qtbot, window)
    assert not text(window, "changedRecords").startswith("0 of")
    enter(qtbot, window, "weightNoise", "")
    assert not window.touched
    enter(qtbot, window, "weightNoise", "120")
    assert "up to 100 %" in text(window, "weightNoiseMessage")
    settle(qtbot, window)


def test_an_applied_change_is_taken_back(qtbot: QtBot, window: NumericalVariables) -> None:
    document = window.document
    document.commit("by hand", document.recipe.with_(numeric=(Numeric("INCOME", round=50.0),)))
    settle(qtbot, window)
    assert window.rules.base.value == 50
    press(qtbot, window, "clearChanges")
    assert window.rules.base.text() == ""
    press(qtbot, window, "apply")
    settle(qtbot, window)
    assert document.recipe.numeric == ()


def test_key_variables_are_recoded_instead(qtbot: QtBot, window: NumericalVariables) -> None:
    document = window.document
    reason = window.reason
    both = VariableEdit("INCOME", categorical=True)
    keys = (Combination(("SEX", "INCOME"), model="frequency"),)
    assert window.rules.isEnabled()
    document.commit("keys", document.recipe.with_(variables=(both,), combinations=keys))
    settle(qtbot, window)
    assert not window.rules.isEnabled()
    assert reason.text().startswith("INCOME is a key variable of SEX × INCOME, whose risks are those of the original")
    asked: list[str] = []
    window.window_requested.connect(lambda name, arguments: asked.append(f"{name} {arguments['variable']}"))
    press(qtbot, window, "recodeInstead")
    assert asked == ["globalRecode INCOME"]
    window.variables.select("WEIGHT")
    assert window.rules.isEnabled()
    assert not reason.isVisibleTo(window)
    settle(qtbot, window)


def test_a_touched_draft_stays_when_the_session_changes(qtbot: QtBot, window: NumericalVariables) -> None:
    enter(qtbot, window, "roundingBase", "10")
    document = window.document
    document.commit("elsewhere", document.recipe.with_(numeric=(Numeric("WEIGHT", noise=0.1),)))
    assert window.messages.text == "The session changed."
    assert list(window._draft) == ["INCOME"]
    settle(qtbot, window)
    qtbot.keyClick(window.variables.view, Qt.Key.Key_Escape)
    assert list(window._draft) == ["WEIGHT"]
    settle(qtbot, window)


def test_a_variable_that_became_a_key_while_its_draft_waited_is_not_applied(
    qtbot: QtBot, window: NumericalVariables
) -> None:
    enter(qtbot, window, "roundingBase", "10")
    document = window.document
    both = VariableEdit("INCOME", categorical=True)
    keys = (Combination(("SEX", "INCOME"), model="frequency"),)
    document.commit("keys", document.recipe.with_(variables=(both,), combinations=keys))
    settle(qtbot, window)
    press(qtbot, window, "apply")
    assert "INCOME is a key variable of SEX × INCOME" in window.messages.text
    assert document.recipe.numeric == ()
    press(qtbot, window, "clearChanges")
    assert not window.touched
    settle(qtbot, window)
