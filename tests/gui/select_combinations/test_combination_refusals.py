"""Select Combinations: what it refuses, asks and warns of, and where it says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, VariableEdit
from gui import dialogs
from gui.main_window.window import MainWindow
from gui.select_combinations.automatic_dialog import AutomaticSpecification
from gui.select_combinations.window import SelectCombinations
from tests.gui.buttons import press
from tests.gui.select_combinations.hand import choose, open_on, put_away, type_into
from tests.gui.waiting import wait_idle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot: QtBot, survey_window: MainWindow) -> Iterator[SelectCombinations]:
    yield open_on(qtbot, survey_window)
    put_away(survey_window)


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, tuple[str, ...]]]:
    """Every question asked: its text, its detail, its answers; the last one is given."""
    asked: list[tuple[str, str, tuple[str, ...]]] = []

    def ask(_parent: Any, text: str, detail: str, choices: Any, _default: int = 0) -> int:
        asked.append((text, detail, tuple(choices)))
        return len(choices) - 1

    monkeypatch.setattr(dialogs, "ask", ask)
    return asked


def offers(window: SelectCombinations) -> list[str]:
    return [button.text() for button in window.messages.findChildren(QPushButton) if button.isVisible()]


def press_offer(qtbot: QtBot, window: SelectCombinations, text: str) -> None:
    found = next(b for b in window.messages.findChildren(QPushButton) if b.isVisible() and b.text() == text)
    qtbot.mouseClick(found, LEFT)


@pytest.fixture
def many(qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path) -> Iterator[SelectCombinations]:
    """A file of thirty categorical variables, all identifying."""
    names = [f"V{i:02d}" for i in range(30)]
    lines = [",".join(str((row * (i + 1)) % 3) for i in range(30)) for row in range(40)]
    data = tmp_path / "many.csv"
    data.write_text(",".join(names) + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    main_window = open_window(data)
    document = main_window.document
    edits = tuple(VariableEdit(name, categorical=True, identification_level=3) for name in names)
    document.commit("levels", document.recipe.with_(variables=edits))
    wait_idle(qtbot, document)
    yield open_on(qtbot, main_window, 30)
    put_away(main_window)


def test_the_question_about_overlap_names_what_is_in_common(
    qtbot: QtBot, window: SelectCombinations, questions: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    for names in (("REGION", "SEX"), ("AGE", "SEX", "REGION")):
        choose(qtbot, window, *names)
        press(qtbot, window, "setRiskModel")
    assert questions == [
        (
            "Risk tables must not share variables.",
            "In common with other risk tables: REGION, SEX.",
            ("Remove the other tables", "Cancel"),
        )
    ]
    assert [c.model for c in window.draft.value] == ["individual-risk", "frequency"]


def test_the_question_about_weights_is_asked_once_and_leads_to_k_anonymity(
    qtbot: QtBot,
    open_window: Callable[..., MainWindow],
    tmp_path: Path,
    questions: list[tuple[str, str, tuple[str, ...]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = tmp_path / "plain.csv"
    data.write_text("REGION,SEX\n" + "".join(f"{i % 3},{i % 2}\n" for i in range(30)), encoding="utf-8")
    window = open_on(qtbot, open_window(data), 2)
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "setRiskModel")
    assert questions == [
        (
            "The file has no weight variable. What is it?",
            "The risk model estimates from weights how many people of the population share a combination.",
            ("The &whole population", "A &sample without weights", "&Choose the weight…", "Cancel"),
        )
    ]
    assert (window.draft.value[0].model, window.messages.text) == ("frequency", "")
    monkeypatch.setattr(dialogs, "ask", lambda *_asked: 1)
    press(qtbot, window, "setRiskModel")
    assert window.messages.text == (
        "A sample without weights cannot be judged by risk. Use thresholds or k-anonymity instead."
    )
    assert offers(window) == ["Use k-anonymity", "It is the whole population"]
    press_offer(qtbot, window, "Use k-anonymity")
    assert [(c.model, c.k) for c in window.draft.value] == [("k-anonymity", 2)]
    assert window.messages.text == ""
    asked: list[Any] = []
    monkeypatch.setattr(dialogs, "ask", lambda *question: asked.append(question) or 1)
    press(qtbot, window, "kAnonymity")
    press(qtbot, window, "setRiskModel")
    press_offer(qtbot, window, "It is the whole population")
    press(qtbot, window, "setRiskModel")
    assert len(asked) == 1
    document = window.document
    press(qtbot, window, "calculateTables")
    assert document.recipe.input.units == "population"
    assert document.recipe.combinations[0].model == "individual-risk"


def test_a_weight_that_was_forgotten_can_be_chosen_and_enter_answers_nothing(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "plain.csv"
    data.write_text("REGION,SEX,WEIGHT\n" + "".join(f"{i % 3},{i % 2},{i + 5}\n" for i in range(30)), encoding="utf-8")
    main_window = open_window(data)
    window = open_on(qtbot, main_window, 3)
    asked: list[tuple[str, int]] = []

    def ask(_parent: Any, _text: str, detail: str, choices: Any, default: int = 0) -> int:
        asked.append((detail, default))
        return [choice.replace("&", "") for choice in choices].index("Choose the weight…")

    monkeypatch.setattr(dialogs, "ask", ask)
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "setRiskModel")
    ((detail, default),) = asked
    assert detail.endswith("WEIGHT looks like a weight, by its name.")
    assert default == 3
    assert main_window.window_named("specifyMetadata") is not None
    assert [c.model for c in window.draft.value] == ["frequency"]
    window._set_draft(())


def test_more_than_twenty_keys_are_refused_wherever_they_come_from(qtbot: QtBot, many: SelectCombinations) -> None:
    assert len(many._scenario()) == 7, "what is proposed is no table of all 30"
    refusal = "A combination has at most 20 variables; this one has 30."
    many.variables.view.selectAll()
    press(qtbot, many, "addVariable")
    assert not many.calculate.isEnabled()
    assert many.calculate.toolTip() == refusal
    for name in ("addCombination", "setRiskModel"):
        many.messages.clear()
        press(qtbot, many, name)
        assert many.messages.text == refusal
        assert many.draft.value == ()
        assert many.isVisible()
        assert len(many.builder.names) == 30


def test_a_variable_that_is_not_categorical_is_named_and_its_combination_removed_on_request(
    qtbot: QtBot, survey_window: MainWindow
) -> None:
    document = survey_window.document
    sets = (Combination(("REGION", "SEX"), "frequency"), Combination(("SEX", "INCOME"), "frequency"))
    document.commit("impossible", document.recipe.with_(combinations=sets))
    wait_idle(qtbot, document)
    window = survey_window.windows.open_window("selectCombinations")
    assert isinstance(window, SelectCombinations)
    qtbot.waitUntil(lambda: bool(window.messages.text), timeout=20_000)
    refusal = "No table can be made of variables that are not categorical, or not in the file: INCOME."
    assert window.messages.text == refusal
    assert offers(window) == ["Remove their combinations", "Specify Metadata"]
    window.messages.clear()
    press(qtbot, window, "calculateTables")
    assert window.isVisible()
    assert window.messages.text == refusal
    press_offer(qtbot, window, "Remove their combinations")
    assert window.messages.text == ""
    press(qtbot, window, "calculateTables")
    wait_idle(qtbot, document)
    assert [c.variables for c in document.recipe.combinations] == [("REGION", "SEX")]
    assert document.session.error is None


def test_a_threshold_that_makes_no_sense_is_refused_beside_its_box(
    qtbot: QtBot, window: SelectCombinations, subtests: pytest.Subtests
) -> None:
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    box = window.builder.threshold
    for text, said in (
        ("0", "The threshold is a whole number of at least 1."),
        ("-2", "The threshold is a whole number of at least 1."),
        ("a few", "“a few” is not a number."),
        ("1.5", "“1.5” is not a whole number."),
    ):
        with subtests.test(text=text):
            box.setFocus()
            box.selectAll()
            qtbot.keyClicks(box, text)
            qtbot.keyClick(box, Qt.Key.Key_Return)
            assert box.message.isVisible()
            assert box.message.text() == said
            assert box.text() == text
            assert window.draft.value[0].count_threshold == 1


def test_thousands_of_tables_are_said_before_and_too_many_refused(qtbot: QtBot, many: SelectCombinations) -> None:
    press(qtbot, many, "automaticSpecification")
    dialog = many.findChild(AutomaticSpecification, "automaticSpecificationDialog")
    assert dialog is not None
    accept = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    dialog.by_dimension.click()
    type_into(qtbot, dialog.dimension, "3", enter=False)
    assert dialog.number.text() == "This gives 4,525 tables of 30 identifying variables."
    assert accept.isEnabled()
    type_into(qtbot, dialog.dimension, "4", enter=False)
    assert dialog.number.text() == "31,930 tables are too many; choose a lower dimension, or fewer variables."
    assert not accept.isEnabled()
    type_into(qtbot, dialog.dimension, "2", enter=False)
    for text in ("", "0", "1 -1", "two"):
        dialog.thresholds.setText(text)
        assert dialog.refusal.text() == "Thresholds are whole numbers from 1 to 1,000,000,000, separated by blanks."
        assert not accept.isEnabled()
    dialog.thresholds.setText("3")
    qtbot.mouseClick(accept, LEFT)
    assert len(many.draft.value) == 30 + 435


def test_nothing_chosen_is_said(qtbot: QtBot, window: SelectCombinations) -> None:
    window.variables.view.clearSelection()
    for name, said in (
        ("addCombination", "Choose at least one variable first."),
        ("setRiskModel", "Select a combination in the list first."),
    ):
        window.messages.clear()
        press(qtbot, window, name)
        assert window.messages.text == said
    assert not window.calculate.isEnabled()
    assert window.calculate.toolTip() == "Choose at least one variable first."
    choose(qtbot, window, "REGION")
    assert window.calculate.isEnabled()
    window.builder.set_names()


def test_what_is_selected_at_the_left_becomes_the_risk_table(qtbot: QtBot, window: SelectCombinations) -> None:
    view = window.variables.view
    view.setFocus()
    view.selectRow(0)
    qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    chosen = tuple(window.variables.selected_keys)
    assert len(chosen) == 2
    press(qtbot, window, "setRiskModel")
    assert [(c.variables, c.model) for c in window.draft.value] == [(chosen, "individual-risk")]


def test_closing_ends_what_the_window_asked_for(qtbot: QtBot, survey_window: MainWindow, answers: list[int]) -> None:
    window = survey_window.windows.open_window("selectCombinations")
    assert isinstance(window, SelectCombinations)
    tasks = survey_window.document.tasks
    window.builder.set_names(("REGION", "SEX"))
    window.builder._prepared = window._prepared
    window.builder._timer.start()
    answers.append(0)
    window.close()
    waited_for = [task.slot for task in tasks._pending if not task.superseded]
    assert not {"select combinations", "observed cells"} & set(waited_for)
    assert not window.builder._timer.isActive()
    wait_idle(qtbot, survey_window.document)


def test_enter_does_not_drop_a_draft(qtbot: QtBot, window: SelectCombinations, monkeypatch: pytest.MonkeyPatch) -> None:
    defaults: list[str] = []

    def ask(_parent: Any, _text: str, _detail: str, choices: Any, default: int = 0) -> int:
        defaults.append(choices[default])
        return default

    monkeypatch.setattr(dialogs, "ask", ask)
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    assert not window.close()
    assert defaults == ["Keep &editing"]
    window._set_draft(())
