"""Modify Numerical Variables by mouse and keys, on the demonstration survey."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.perturbation.weight_noise import NumericWithNoise
from core.recipe.model import Combination, NumericEdit, Perturbation, TopBottomCode, VariableEdit
from gui.main_window.window import MainWindow
from gui.numerical_variables.window import NumericalVariables
from tests.gui.buttons import press
from tests.gui.waiting import wait_idle

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


@pytest.mark.parametrize(
    ("name", "at", "beside", "among", "told"),
    [
        ("top", "5000", "5000.5", "4999.5", "4999.5 is below 5000"),
        ("bottom", "100", "99", "101", "101 is above 100"),
    ],
)
def test_a_replacement_among_values_that_stay_is_taken_with_a_hint(
    qtbot: QtBot, window: NumericalVariables, name: str, at: str, beside: str, among: str, told: str
) -> None:
    hint = window.findChild(QLabel, f"{name}ReplacementHint")
    enter(qtbot, window, f"{name}Value", at)
    assert not hint.isVisible()
    box = enter(qtbot, window, f"{name}Replacement", among)
    assert hint.isVisible()
    assert hint.text() == f"{told}: changed values will stand among those that stay as they are."
    assert box.accessibleDescription() == hint.text()
    assert not window.rules.is_refused
    for fine in (beside, at, "many", "999999"):  # the last one is a missing code
        enter(qtbot, window, f"{name}Replacement", fine)
        assert not hint.isVisible(), fine
        enter(qtbot, window, f"{name}Replacement", among)
        assert hint.isVisible()
    settle(qtbot, window)
    press(qtbot, window, "apply")
    (numeric,) = window.document.recipe.numeric
    assert getattr(numeric, name).replacement == among


def test_numbers_are_changed_and_applied_as_one_step(qtbot: QtBot, window: NumericalVariables) -> None:
    assert list(window._variables) == ["INCOME", "WEIGHT"]
    assert window.current == "INCOME"
    greatest = float(text(window, "beforeGreatest").replace(",", ""))
    assert text(window, "beforeMean") == text(window, "afterMean")
    enter(qtbot, window, "topValue", "5000")
    assert window.rules.top.replacement.text() == "5000"
    enter(qtbot, window, "topReplacement", "5000+")
    enter(qtbot, window, "roundingBase", "100")
    settle(qtbot, window)
    assert float(text(window, "afterGreatest")) < 5000 < greatest
    assert text(window, "changedRecords").endswith("values change.")
    assert not window.document.recipe.numeric
    steps = window.document.session.history.index
    press(qtbot, window, "apply")
    settle(qtbot, window)
    assert window.document.recipe.numeric == (NumericEdit("INCOME", TopBottomCode(5000.0, "5000+"), round=100.0),)
    assert window.document.session.history.undo_label == "Numerical variables: INCOME"
    assert window.document.session.history.index == steps + 1
    assert not window.touched
    window.document.undo()
    settle(qtbot, window)
    assert window.rules.top.at.text() == ""
    assert text(window, "changedRecords").startswith("0 of")


def test_escape_asks_before_it_drops_the_draft_and_never_closes(
    qtbot: QtBot, window: NumericalVariables, answers: list[int]
) -> None:
    enter(qtbot, window, "bottomValue", "300")
    assert window.touched
    qtbot.keyClick(window.variables.view, Qt.Key.Key_Escape)
    assert window.touched, "keep editing"
    assert window.rules.bottom.at.text() == "300"
    answers.append(0)
    qtbot.keyClick(window.variables.view, Qt.Key.Key_Escape)
    assert not window.touched
    assert window.isVisible()
    assert window.rules.bottom.at.text() == ""
    qtbot.keyClick(window.variables.view, Qt.Key.Key_Escape)
    assert window.isVisible()


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


def test_a_value_refused_because_of_another_is_judged_again_when_that_one_goes(
    qtbot: QtBot, window: NumericalVariables
) -> None:
    enter(qtbot, window, "topValue", "lots")
    enter(qtbot, window, "bottomValue", "99999999")
    enter(qtbot, window, "roundingBase", "-5")
    assert not window.apply.isEnabled()
    assert window.apply.toolTip() == "Mend what is refused beside its box first."
    enter(qtbot, window, "topValue", "5000")
    assert text(window, "topValueMessage") == "Must be above the bottom value, 99999999."
    enter(qtbot, window, "roundingBase", "")
    enter(qtbot, window, "bottomValue", "")
    assert (text(window, "topValueMessage"), window.rules.top.replacement.text()) == ("", "5000")
    assert window.draft.value == {"INCOME": NumericWithNoise("INCOME", TopBottomCode(5000.0, "5000"))}
    settle(qtbot, window)
    assert not text(window, "changedRecords").startswith("0 of")
    assert window.apply.isEnabled()


def test_noise_is_for_the_weight_and_an_empty_box_takes_it_back(qtbot: QtBot, window: NumericalVariables) -> None:
    assert not window.rules.weight_noise.isVisibleTo(window)
    window.variables.select("WEIGHT")
    assert window.rules.weight_noise.isVisibleTo(window)
    enter(qtbot, window, "weightNoise", "5 %")
    assert window.draft.value == {"WEIGHT": NumericWithNoise("WEIGHT", noise=0.05)}
    settle(qtbot, window)
    assert not text(window, "changedRecords").startswith("0 of")
    enter(qtbot, window, "weightNoise", "")
    assert not window.touched
    enter(qtbot, window, "weightNoise", "120")
    assert "up to 100 %" in text(window, "weightNoiseMessage")
    settle(qtbot, window)


def test_noise_of_the_box_is_the_perturbation(qtbot: QtBot, window: NumericalVariables) -> None:
    document = window.document
    noise = Perturbation("weight-noise", (), (("share", 0.1),))
    document.commit("by hand", document.recipe.with_(perturbations=(noise,)))
    settle(qtbot, window)
    window.variables.select("WEIGHT")
    assert window.rules.noise.value == 0.1
    enter(qtbot, window, "weightNoise", "5 %")
    settle(qtbot, window)
    press(qtbot, window, "apply")
    settle(qtbot, window)
    assert document.recipe.perturbations == (Perturbation("weight-noise", (), (("share", 0.05),)),)
    assert document.recipe.numeric == ()


def test_an_applied_change_is_taken_back(qtbot: QtBot, window: NumericalVariables) -> None:
    document = window.document
    document.commit("by hand", document.recipe.with_(numeric=(NumericEdit("INCOME", round=50.0),)))
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


def test_a_touched_draft_stays_when_the_session_changes(
    qtbot: QtBot, window: NumericalVariables, answers: list[int]
) -> None:
    enter(qtbot, window, "roundingBase", "10")
    document = window.document
    document.commit(
        "elsewhere", document.recipe.with_(perturbations=(Perturbation("weight-noise", (), (("share", 0.1),)),))
    )
    assert window.messages.text == "The session changed."
    assert list(window.draft.value) == ["INCOME"]
    settle(qtbot, window)
    answers.append(0)
    qtbot.keyClick(window.variables.view, Qt.Key.Key_Escape)
    assert list(window.draft.value) == ["WEIGHT"]
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
    assert not window.apply.isEnabled()
    assert "INCOME is a key variable of SEX × INCOME" in window.apply.toolTip()
    assert document.recipe.numeric == ()
    press(qtbot, window, "clearChanges")
    assert not window.touched
    settle(qtbot, window)


def test_a_base_with_too_many_decimals_is_refused_beside_its_box_and_never_applied(
    qtbot: QtBot, window: NumericalVariables
) -> None:
    box = enter(qtbot, window, "roundingBase", "1e-20")
    assert text(window, "roundingBaseMessage") == "A base may have 15 decimals; this one has 20."
    assert not window.apply.isEnabled()
    qtbot.keyClick(window.variables.view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    assert (window.document.recipe.numeric, window.document.session.error) == ((), None)
    enter(qtbot, window, "topValue", "1e999")
    assert "is not a number" in text(window, "topValueMessage")
    enter(qtbot, window, "topValue", "5000")
    assert window.touched
    assert not window.apply.isEnabled(), "the base is still refused"
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    enter(qtbot, window, "roundingBase", "0.5")
    assert window.apply.isEnabled()
    settle(qtbot, window)


def test_what_would_make_the_weight_no_number_is_refused_beside_its_box(
    qtbot: QtBot, window: NumericalVariables
) -> None:
    window.variables.select("WEIGHT")
    enter(qtbot, window, "topValue", "20")
    enter(qtbot, window, "topReplacement", "20+")
    assert text(window, "topReplacementMessage") == "The weight must stay a number of at least 0."
    assert window.draft.value["WEIGHT"].top == TopBottomCode(20.0, "20")
    assert not window.apply.isEnabled()
    enter(qtbot, window, "topReplacement", "25")
    assert text(window, "topReplacementMessage") == ""
    assert window.apply.isEnabled()
    enter(qtbot, window, "bottomValue", "-1")
    assert text(window, "bottomReplacementMessage") == "The weight must stay a number of at least 0."
    assert window.draft.value["WEIGHT"].bottom is None
    settle(qtbot, window)


def test_what_the_file_does_not_bear_is_not_applied(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path
) -> None:
    """A record holds text where numbers were declared: only the data say so."""
    lines = (demo / "survey.csv").read_text("utf-8").splitlines()
    fields = lines[5].split(",")
    place = lines[0].split(",").index("INCOME")
    fields[place] = "much"
    lines[5] = ",".join(fields)
    (tmp_path / "odd.csv").write_text("\n".join(lines), "utf-8")
    main = open_window(tmp_path / "odd.csv")
    document = main.document
    numeric = VariableEdit("INCOME", numeric=True)
    document.commit("numeric", document.recipe.with_(variables=(numeric,)))
    wait_idle(qtbot, document)
    assert document.session.error is None
    window = main.windows.open_window("numericalVariables")
    assert isinstance(window, NumericalVariables)
    settle(qtbot, window)
    enter(qtbot, window, "roundingBase", "10")
    assert window.touched
    window._apply()  # before the preview has told
    settle(qtbot, window)
    assert "INCOME is not a number in record" in window.messages.text
    assert document.recipe.numeric == ()
    assert document.session.error is None
    assert not window.apply.isEnabled()
    qtbot.keyClick(window.variables.view, Qt.Key.Key_Escape)


@pytest.mark.parametrize("name", ["top", "bottom"])
def test_a_replacement_typed_before_its_value_waits_for_it(qtbot: QtBot, window: NumericalVariables, name: str) -> None:
    box = enter(qtbot, window, f"{name}Replacement", "many")
    assert box.text() == "many"
    assert text(window, f"{name}ReplacementMessage") == "Say also which values become many."
    assert not window.apply.isEnabled()
    enter(qtbot, window, f"{name}Value", "700")
    assert text(window, f"{name}ReplacementMessage") == ""
    assert getattr(window.draft.value["INCOME"], name) == TopBottomCode(700.0, "many")
    assert window.apply.isEnabled()
    settle(qtbot, window)


def test_a_replacement_does_not_bring_back_the_value_that_a_refused_one_took_the_place_of(
    qtbot: QtBot, window: NumericalVariables
) -> None:
    enter(qtbot, window, "topValue", "100000")
    enter(qtbot, window, "topValue", "lots")
    enter(qtbot, window, "topReplacement", "77")
    assert window.findChild(QLineEdit, "topValue").text() == "lots"
    assert "is not a number" in text(window, "topValueMessage")
    assert not window.findChild(QPushButton, "apply").isEnabled()
    enter(qtbot, window, "topValue", "100000")
    assert window.findChild(QLineEdit, "topReplacement").text() == "77"
    settle(qtbot, window)


def test_escape_puts_back_a_replacement_before_it_asks_about_the_window(
    qtbot: QtBot, window: NumericalVariables
) -> None:
    box = enter(qtbot, window, "topReplacement", "many")
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert (box.text(), text(window, "topReplacementMessage"), window.isVisible()) == ("", "", True)
    enter(qtbot, window, "topValue", "5000")
    qtbot.keyClicks(box, "+")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert (box.text(), window.touched, window.isVisible()) == ("5000", True, True)
    settle(qtbot, window)


def test_unfinished_changes_are_kept_against_crashes_and_come_back(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, answers: list[int]
) -> None:
    main = open_window(demo / "survey.asc")
    document, window = main.document, main.windows.open_window("numericalVariables")
    assert isinstance(window, NumericalVariables)
    settle(qtbot, window)
    enter(qtbot, window, "topValue", "5000")
    enter(qtbot, window, "topReplacement", "5000+")
    settle(qtbot, window)
    kept = json.loads(json.dumps(document.session.drafts))
    assert list(kept) == ["numericalVariables"]
    answers.append(0)
    qtbot.keyClick(window.variables.view, Qt.Key.Key_Escape)
    assert document.session.drafts == {}
    window.close()
    document.session.drafts.update(kept)
    again = main.windows.open_window("numericalVariables")
    assert isinstance(again, NumericalVariables)
    settle(qtbot, again)
    assert again.draft.value == {"INCOME": NumericWithNoise("INCOME", TopBottomCode(5000.0, "5000+"))}
    assert again.rules.top.replacement.text() == "5000+"
    assert again.touched
    again.apply.click()
    settle(qtbot, again)
    assert document.session.drafts == {}
    assert document.recipe.numeric == (NumericEdit("INCOME", TopBottomCode(5000.0, "5000+")),)
    enter(qtbot, again, "roundingBase", "10")
    assert document.session.drafts
    answers.append(0)
    again.close()
    assert document.session.drafts == {}
