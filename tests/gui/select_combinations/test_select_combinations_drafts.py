"""What stands under construction in Select Combinations: whose model and threshold it has, and when it is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.recipe import edits_combinations
from core.recipe.model import Combination, Threshold
from gui.document import autosave
from gui.document.autosave import Autosave
from gui.main_window.window import MainWindow
from gui.make_protected_file.window import MakeProtectedFile
from gui.select_combinations.window import SelectCombinations
from tests.gui.buttons import press
from tests.gui.select_combinations.hand import choose, open_on, pick, put_away, type_into
from tests.gui.waiting import wait_idle

PLACE = Combination(("REGION", "SEX"), missing_rule="wildcard", alpha=0.5, threshold=Threshold(individual_risk=0.01))
PERSON = Combination(("AGE", "EDUC"), count_threshold=4, threshold=Threshold(individual_risk=0.02))


@pytest.fixture
def window(qtbot: QtBot, survey_window: MainWindow) -> Iterator[SelectCombinations]:
    yield open_on(qtbot, survey_window)
    put_away(survey_window)


@pytest.fixture
def two(qtbot: QtBot, survey_window: MainWindow) -> Iterator[SelectCombinations]:
    """A session with two risk tables, each with its own threshold and missing rule."""
    document = survey_window.document
    document.commit("two", document.recipe.with_(combinations=(PLACE, PERSON)))
    wait_idle(qtbot, document)
    yield open_on(qtbot, survey_window)
    put_away(survey_window)


def thresholds(window: SelectCombinations) -> list[int]:
    return [c.count_threshold for c in window.draft.value]


# What is taken out of the list stays out, and keeps what belongs to it ----------------------------------------------


@pytest.mark.parametrize("by_key", [False, True])
def test_what_was_removed_is_not_put_back_by_calculating(qtbot: QtBot, two: SelectCombinations, by_key: bool) -> None:
    pick(qtbot, two, 2)
    if by_key:
        qtbot.keyClick(two.combinations.view, Qt.Key.Key_Delete)
    else:
        press(qtbot, two, "removeCombination")
    assert two.builder.names == ("AGE", "EDUC")
    document = two.document
    press(qtbot, two, "calculateTables")
    wait_idle(qtbot, document)
    assert document.recipe.combinations == (PLACE,)
    assert document.session.drafts == {}


def test_the_only_table_can_be_removed(qtbot: QtBot, two: SelectCombinations) -> None:
    for _ in range(2):
        pick(qtbot, two, 1)
        press(qtbot, two, "removeCombination")
    document = two.document
    press(qtbot, two, "calculateTables")
    wait_idle(qtbot, document)
    assert document.recipe.combinations == ()


def test_what_was_removed_comes_back_as_it_was(qtbot: QtBot, two: SelectCombinations) -> None:
    pick(qtbot, two, 1)
    press(qtbot, two, "removeCombination")
    press(qtbot, two, "addCombination")
    assert two.draft.value == (PERSON, PLACE)
    pick(qtbot, two, 1)
    press(qtbot, two, "removeCombination")
    press(qtbot, two, "setRiskModel")
    assert two.draft.value == (PLACE, PERSON), "it is a risk table already"


def test_a_removed_table_that_is_edited_keeps_its_model_and_is_meant(qtbot: QtBot, two: SelectCombinations) -> None:
    pick(qtbot, two, 1)
    press(qtbot, two, "removeCombination")
    choose(qtbot, two, "MARSTAT")
    document = two.document
    press(qtbot, two, "calculateTables")
    wait_idle(qtbot, document)
    changed = Combination(
        ("REGION", "SEX", "MARSTAT"), missing_rule="wildcard", alpha=0.5, threshold=PLACE.threshold
    )  # fmt: skip
    assert document.recipe.combinations == (PERSON, changed)


def test_an_edited_risk_table_that_overlaps_another_is_asked_about(
    qtbot: QtBot, two: SelectCombinations, answers: list[int]
) -> None:
    pick(qtbot, two, 1)
    press(qtbot, two, "removeCombination")
    choose(qtbot, two, "AGE")
    press(qtbot, two, "calculateTables")
    assert two.isVisible()
    assert (two.draft.value, two.builder.names) == ((PERSON,), ("REGION", "SEX", "AGE"))
    answers.append(0)
    press(qtbot, two, "addCombination")
    assert [c.variables for c in two.draft.value] == [("REGION", "SEX", "AGE")]
    assert two.draft.value[0].threshold == PLACE.threshold


def test_another_set_after_emptying_has_nothing_of_the_one_before(qtbot: QtBot, two: SelectCombinations) -> None:
    pick(qtbot, two, 1)
    press(qtbot, two, "removeCombination")
    press(qtbot, two, "clearCombination")
    choose(qtbot, two, "MARSTAT")
    press(qtbot, two, "addCombination")
    assert (two.draft.value[1].model, bool(two.draft.value[1].threshold)) == ("frequency", False)


# Whose threshold is typed -------------------------------------------------------------------------------------------


def test_a_threshold_typed_for_the_next_combination_leaves_the_last_one(
    qtbot: QtBot, window: SelectCombinations
) -> None:
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    type_into(qtbot, window.builder.threshold, "5")
    assert window.builder.threshold.message.text().startswith("For the next combination;")
    choose(qtbot, window, "AGE", "EDUC")
    assert window.builder.threshold.message.text() == ""
    press(qtbot, window, "addCombination")
    assert thresholds(window) == [1, 5]


def test_the_threshold_of_what_the_user_selects_is_shown_and_typed(qtbot: QtBot, window: SelectCombinations) -> None:
    box = window.builder.threshold
    for k, names in ((2, ("REGION", "SEX")), (7, ("AGE",)), (9, ("EDUC",))):
        choose(qtbot, window, *names)
        type_into(qtbot, box, str(k))
        press(qtbot, window, "addCombination")
    pick(qtbot, window, 1)
    assert (box.text(), box.message.text()) == ("2", "Of the combination selected in the list.")
    pick(qtbot, window, 2, Qt.KeyboardModifier.ControlModifier)
    assert (box.text(), box.message.text()) == ("", "Of the 2 combinations selected in the list.")
    type_into(qtbot, box, "4")
    assert thresholds(window) == [4, 4, 9]
    assert window.combinations.places == [0, 1]
    choose(qtbot, window, "MARSTAT")
    assert (box.text(), box.message.text()) == ("9", "")
    press(qtbot, window, "addCombination")
    assert thresholds(window) == [4, 4, 9, 9]


def test_enter_on_a_combination_leads_to_its_threshold(qtbot: QtBot, window: SelectCombinations) -> None:
    choose(qtbot, window, "REGION")
    press(qtbot, window, "addCombination")
    window.combinations.view.setFocus()
    qtbot.keyClick(window.combinations.view, Qt.Key.Key_Return)
    assert window.focusWidget() is window.builder.threshold
    assert "selected in the list" in window.builder.threshold.message.text()
    type_into(qtbot, window.builder.threshold, "3")
    assert thresholds(window) == [3]


def test_a_threshold_typed_for_nothing_else_is_used_as_it_says(qtbot: QtBot, window: SelectCombinations) -> None:
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    type_into(qtbot, window.builder.threshold, "5")
    said = "For the next combination; if none is added, for the one selected in the list."
    assert window.builder.threshold.message.text() == said
    document = window.document
    press(qtbot, window, "calculateTables")
    wait_idle(qtbot, document)
    assert [c.count_threshold for c in document.recipe.combinations] == [5]


def test_k_typed_before_its_button_is_the_k_of_all(qtbot: QtBot, window: SelectCombinations) -> None:
    press(qtbot, window, "recommended")
    type_into(qtbot, window.builder.threshold, "2")
    press(qtbot, window, "kAnonymity")
    assert [(c.model, c.k, c.missing_rule) for c in window.draft.value] == [("k-anonymity", 3, "category")]
    assert window.only_measured.isHidden()


@pytest.mark.parametrize("text", ["3000000000", "1000000001", "1" + "0" * 30, "1e300"])
def test_a_threshold_beyond_any_file_is_refused_beside_its_box(
    qtbot: QtBot, window: SelectCombinations, text: str
) -> None:
    box = window.builder.threshold
    choose(qtbot, window, "REGION", "SEX")
    type_into(qtbot, box, text)
    assert box.message.text() == "The threshold is a whole number of at most 1,000,000,000."
    press(qtbot, window, "addCombination")
    assert thresholds(window) == [1]
    pick(qtbot, window, 1)
    type_into(qtbot, box, text)
    assert box.is_refused
    type_into(qtbot, box, "1000000000")
    assert thresholds(window) == [1_000_000_000]


# What is under construction is not lost -----------------------------------------------------------------------------


def test_closing_asks_about_what_is_under_construction(
    qtbot: QtBot, window: SelectCombinations, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str, str]] = []

    def ask(_parent: Any, text: str, detail: str, choices: Any, default: int = 0) -> int:
        asked.append((text, detail, choices[default]))
        return default if len(asked) == 1 else 0

    monkeypatch.setattr("gui.dialogs.ask", ask)
    choose(qtbot, window, "REGION", "SEX")
    assert window.touched
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.isVisible()
    assert asked == [("Drop the changes to the combinations?", "They were not calculated yet.", "Keep &editing")]
    assert window.document.session.drafts["selectCombinations"]
    document = window.document
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert (len(asked), document.session.drafts) == (2, {})


def test_an_emptied_construction_and_a_removed_table_that_is_back_ask_nothing(
    qtbot: QtBot, two: SelectCombinations
) -> None:
    choose(qtbot, two, "MARSTAT")
    press(qtbot, two, "clearCombination")
    assert (two.touched, two.document.session.drafts) == (False, {})
    pick(qtbot, two, 2)
    press(qtbot, two, "removeCombination")
    assert two.touched
    press(qtbot, two, "addCombination")
    assert (two.touched, two.document.session.drafts) == (False, {})


def test_what_is_under_construction_comes_back_after_a_crash(
    qtbot: QtBot, two: SelectCombinations, answers: list[int]
) -> None:
    pick(qtbot, two, 1)
    press(qtbot, two, "removeCombination")
    choose(qtbot, two, "MARSTAT")
    made, document = two.builder.combination, two.document
    assert made is not None
    assert made.alpha == 0.5
    keeper = Autosave(document)
    qtbot.waitUntil(keeper.file.exists, timeout=4000)
    keeper._lock.unlock()  # as if the process had died
    kept = next(kept for kept in autosave.left_behind() if kept.file == keeper.file)
    answers.append(0)
    two.close()
    document.restore(kept.sitting)
    wait_idle(qtbot, document)
    again = SelectCombinations(document)
    assert again.draft.value == (PERSON,)
    assert (again.builder.combination, again.builder.loaded) == (made, PLACE)
    press(qtbot, again, "calculateTables")
    wait_idle(qtbot, document)
    assert document.recipe.combinations == (PERSON, made)
    keeper.finish()


def test_a_list_kept_by_an_earlier_version_is_understood(qtbot: QtBot, survey_window: MainWindow) -> None:
    survey_window.document.session.drafts["selectCombinations"] = edits_combinations.to_plain((PLACE,))
    window = open_on(qtbot, survey_window)
    assert (window.draft.value, window.touched, window.builder.names) == ((PLACE,), True, ())
    put_away(survey_window)


def test_a_list_that_follows_the_session_leaves_what_is_under_construction(
    qtbot: QtBot, window: SelectCombinations
) -> None:
    choose(qtbot, window, "MARSTAT")
    document = window.document
    document.commit("elsewhere", document.recipe.with_(combinations=(PERSON,)))
    assert (window.draft.value, window.builder.names, window.messages.text) == ((PERSON,), ("MARSTAT",), "")
    assert document.session.drafts["selectCombinations"]["combinations"]


# Missing rules that only measure ------------------------------------------------------------------------------------


def test_k_anonymity_by_its_button_can_be_protected_and_goes_back(qtbot: QtBot, two: SelectCombinations) -> None:
    press(qtbot, two, "kAnonymity")
    assert [(c.model, c.missing_rule) for c in two.draft.value] == [("k-anonymity", "category")] * 2
    assert two.rule.rule == "category"
    press(qtbot, two, "kAnonymity")
    assert two.draft.value == (PLACE, PERSON)


def test_a_rule_that_only_measures_is_said_at_once_and_mended_by_a_button(
    qtbot: QtBot, window: SelectCombinations
) -> None:
    press(qtbot, window, "recommended")
    names = " × ".join(window.draft.value[0].variables)
    for rule, title in (("category", "Category"), ("listwise", "Listwise")):
        window.rule.setCurrentIndex(window.rule.findData(rule))
        assert window.only_measured.label.text() == (
            f"{names}: under the missing rule {title} individual risk can only be measured."
            " To protect, choose Observed or Wildcard."
        )
        assert window.only_measured.isVisible()
    press(qtbot, window, "protectingRules")
    assert (window.draft.value[0].missing_rule, window.rule.rule) == ("observed", "observed")
    assert window.only_measured.isHidden()
    press(qtbot, window, "kAnonymity")
    window.rule.setCurrentIndex(window.rule.findData("observed"))
    assert window.only_measured.label.text().endswith("k-anonymity can only be measured. To protect, choose Category.")


def test_a_rule_chosen_before_there_is_a_table_is_that_of_the_next(qtbot: QtBot, window: SelectCombinations) -> None:
    window.rule.setCurrentIndex(window.rule.findData("wildcard"))
    choose(qtbot, window, "REGION", "SEX")
    press(qtbot, window, "addCombination")
    assert window.rule.rule == "wildcard"
    press(qtbot, window, "setRiskModel")
    assert window.draft.value[0].missing_rule == "wildcard"


@pytest.mark.parametrize(
    ("combination", "said", "possible"),
    [
        (
            Combination(("REGION", "SEX"), "k-anonymity", 1, k=2),
            "REGION × SEX: under the missing rule Observed k-anonymity can only be measured.",
            "Category",
        ),
        (
            Combination(("REGION", "SEX"), missing_rule="listwise", threshold=Threshold(individual_risk=0.01)),
            "REGION × SEX: under the missing rule Listwise individual risk can only be measured.",
            "Observed or Wildcard",
        ),
    ],
)
def test_make_protected_file_refuses_in_words_and_leads_to_the_combinations(
    qtbot: QtBot, survey_window: MainWindow, combination: Combination, said: str, possible: str
) -> None:
    document = survey_window.document
    document.commit("measured", document.recipe.with_(combinations=(combination,)))
    wait_idle(qtbot, document)
    protect = survey_window.windows.open_window("makeProtectedFile")
    assert isinstance(protect, MakeProtectedFile)
    wait_idle(qtbot, document)
    assert protect.guidance.headline.text() == f"{said} To protect, choose {possible}."
    assert not protect.make.isEnabled()
    press(qtbot, protect, "guidanceButton")
    window = survey_window.window_named("selectCombinations")
    assert isinstance(window, SelectCombinations)
    press(qtbot, window, "protectingRules")
    press(qtbot, window, "calculateTables")
    wait_idle(qtbot, document)
    assert said not in protect.guidance.headline.text()


def test_without_a_risk_table_the_risk_step_leads_to_the_unsafe_cells(qtbot: QtBot, survey_window: MainWindow) -> None:
    document = survey_window.document
    anonymous = Combination(("REGION", "AGE"), "k-anonymity", 1, k=2, missing_rule="category")
    document.commit("anonymous", document.recipe.with_(combinations=(anonymous,)))
    wait_idle(qtbot, document)
    step = survey_window.steps.button("Risk")
    assert step.isEnabled()
    qtbot.mouseClick(step, Qt.MouseButton.LeftButton)
    assert survey_window.window_named("showTables") is not None


# Risk table of a scenario -----------------------------------------------------------------------------------------


def test_one_table_of_all_keys_asks_before_it_replaces_others(
    qtbot: QtBot, two: SelectCombinations, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str, str]] = []
    answers = [1, 0]

    def ask(_parent: Any, text: str, detail: str, choices: Any, default: int = 0) -> int:
        asked.append((text, detail, choices[default]))
        return answers.pop(0) if answers else 1

    monkeypatch.setattr("gui.dialogs.ask", ask)
    press(qtbot, two, "recommended")
    question = "Replace the 2 combinations chosen so far by one table of a scenario?"
    assert asked == [(question, "REGION × SEX\nAGE × EDUC", "&Cancel")]
    assert two.draft.value == (PLACE, PERSON)
    press(qtbot, two, "recommended")
    assert [c.model for c in two.draft.value] == ["individual-risk"]
    chosen = two.draft.value
    press(qtbot, two, "recommended")
    assert (two.draft.value, len(asked)) == (chosen, 2), "it is there already"
