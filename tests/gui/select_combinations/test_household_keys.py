"""Household size and type among the variables of Select Combinations, and keys that nobody can use as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, HouseholdKey, Recipe
from gui.main_window.window import MainWindow
from gui.select_combinations.draft import CombinationDraft
from gui.select_combinations.household_type_dialog import HouseholdTypeDialog
from gui.select_combinations.window import SelectCombinations
from gui.shared.reading_order import put_in_order
from tests.gui.buttons import press
from tests.gui.select_combinations.hand import choose, open_on, put_away
from tests.gui.waiting import wait_idle

SIZE = HouseholdKey("HHSIZE", "household-size")
BY_SEX = HouseholdKey("HHTYPE", "household-type", ("SEX",))


@pytest.fixture
def window(qtbot: QtBot, survey_window: MainWindow) -> Iterator[SelectCombinations]:
    yield open_on(qtbot, survey_window)
    put_away(survey_window)


def _calculated(qtbot: QtBot, window: SelectCombinations) -> Recipe:
    document = window.document
    press(qtbot, window, "calculateTables")
    wait_idle(qtbot, document)
    assert document.session.error is None
    return document.recipe


def test_size_is_one_click_counted_and_stored(qtbot: QtBot, window: SelectCombinations) -> None:
    choose(qtbot, window, "SEX")
    press(qtbot, window, "addHouseholdSize")
    assert window.builder.names == ("SEX", "HHSIZE")
    qtbot.waitUntil(lambda: "observed" in window.builder.counts.text(), timeout=20_000)
    assert window.variables.model.row_of("HHSIZE") >= 0
    press(qtbot, window, "addCombination")
    recipe = _calculated(qtbot, window)
    assert recipe.derived == (SIZE,)
    assert [c.variables for c in recipe.combinations] == [("SEX", "HHSIZE")]


def test_with_nothing_under_construction_the_only_combination_is_meant(
    qtbot: QtBot, survey_window: MainWindow, window: SelectCombinations
) -> None:
    press(qtbot, window, "recommended")
    keys = window.draft.value[0].variables
    press(qtbot, window, "addHouseholdSize")
    press(qtbot, window, "addHouseholdSize")
    assert [c.variables for c in window.draft.value] == [(*keys, "HHSIZE")]
    assert window.draft.value[0].model == "individual-risk"
    recipe = _calculated(qtbot, window)
    assert recipe.derived == (SIZE,)
    assert survey_window.window_named("householdRiskChart") is not None, "the households' chart is the one that opens"


def test_one_risk_table_of_all_keys_takes_the_size_that_was_chosen_before(
    qtbot: QtBot, window: SelectCombinations
) -> None:
    press(qtbot, window, "addHouseholdSize")
    assert window.builder.names == ("HHSIZE",)
    for _ in range(2):  # the second time nothing is asked: it is there
        press(qtbot, window, "recommended")
        assert window.builder.names == ()
        (table,) = window.draft.value
        assert table.variables[-1] == "HHSIZE" and len(table.variables) > 1
    assert _calculated(qtbot, window).combinations == (table,)


def test_type_shows_its_most_frequent_types_and_is_stored_with_its_members(
    qtbot: QtBot, window: SelectCombinations
) -> None:
    press(qtbot, window, "addHouseholdType")
    dialog = window.findChild(HouseholdTypeDialog)
    assert set(dialog.ticked) == {"SEX", "AGE"}, "age and sex are recommended"
    rows = dialog._names
    dialog.members.rows.tick([rows.index("SEX")])
    dialog.members.rows.ticked.emit()
    qtbot.waitUntil(lambda: "households" in dialog.summary.text() and not dialog._ask_soon.isActive(), timeout=20_000)
    wait_idle(qtbot, window.document)
    households = dialog.frequent.model.columns[1].values
    assert len(households) == 10
    assert households == sorted(households, reverse=True)
    assert dialog.frequent.model.columns[0].values[0].startswith("1 ")
    press(qtbot, dialog, "addType")
    assert window.builder.names == ("HHTYPE",)
    press(qtbot, window, "addCombination")
    assert _calculated(qtbot, window).derived == (BY_SEX,)


def test_a_key_that_no_combination_uses_in_the_end_is_not_stored(qtbot: QtBot, window: SelectCombinations) -> None:
    press(qtbot, window, "addHouseholdSize")
    press(qtbot, window, "clearCombination")
    choose(qtbot, window, "SEX")
    press(qtbot, window, "addCombination")
    assert _calculated(qtbot, window).derived == ()


def test_a_key_made_here_comes_back_after_a_crash(qtbot: QtBot, window: SelectCombinations) -> None:
    press(qtbot, window, "addHouseholdSize")
    plain = window.draft.to_plain()
    kept = CombinationDraft(window.document, window.builder)
    kept.from_plain(plain)
    assert kept.derived == (SIZE,)
    assert kept.from_plain({name: plain[name] for name in plain if name != "derived"}) == ()
    assert kept.derived == (), "a draft of an earlier version has none"


def test_without_an_identifier_no_household_key_is_offered(qtbot: QtBot, people: MainWindow) -> None:
    window = open_on(qtbot, people)
    for name in ("addHouseholdSize", "addHouseholdType"):
        assert not window.findChild(QPushButton, name).isVisible()
    put_away(people)


@pytest.fixture
def people(open_window: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    """Persons with a date of birth, an income, a number and a key of a thousand codes."""
    lines = [
        f"{1930 + n % 70}-0{n % 9 + 1}-1{n % 10},{(n * 7919) % 100_000},P{n:05},c{n % 1200},{n % 2}"
        for n in range(2000)
    ]
    data = tmp_path / "people.csv"
    data.write_text("\n".join(("BORN,INCOME,NUMBER,PLACE,SEX", *lines)) + "\n", encoding="utf-8")
    names = ("BORN", "INCOME", "NUMBER", "PLACE", "SEX")
    body = "".join(f"[variables.{name}]\ncategorical = true\nidentification_level = 3\n" for name in names)
    session = tmp_path / "people.pavo"
    session.write_text(f'recipe = 1\n[input]\ndata = "people.csv"\n{body}', encoding="utf-8")
    return open_window(session)


def _guided(qtbot: QtBot, window: SelectCombinations, button: str) -> None:
    qtbot.waitUntil(lambda: window.guidance.main.isVisible() and window.guidance.main.text() == button, timeout=20_000)
    assert window.guidance.main.isDefault()
    assert not window.calculate.isDefault()


def test_the_page_begins_with_the_usual_choice(qtbot: QtBot, people: MainWindow) -> None:
    window = open_on(qtbot, people)
    _guided(qtbot, window, "Risk table of a scenario")
    choose(qtbot, window, "SEX")
    wait_idle(qtbot, people.document)
    assert window.guidance.isHidden()
    assert window.calculate.isDefault()
    put_away(people)


def test_amounts_and_numbers_are_left_out_in_place(qtbot: QtBot, people: MainWindow) -> None:
    window = open_on(qtbot, people)
    window._set_draft((Combination(("NUMBER",), model="frequency"), Combination(("SEX", "NUMBER"), model="frequency")))
    choose(qtbot, window, "SEX", "INCOME")
    _guided(qtbot, window, "Leave out INCOME")
    assert "amount" in window.guidance.sentence.text()
    press(qtbot, window, "guidanceButton")
    assert window.builder.names == ("SEX",)
    _guided(qtbot, window, "Leave out NUMBER")
    press(qtbot, window, "guidanceButton")
    assert [c.variables for c in window.draft.value] == [("SEX",)]
    wait_idle(qtbot, people.document)
    assert window.guidance.isHidden()
    put_away(people)


def test_a_date_becomes_its_year_and_the_draft_stays(qtbot: QtBot, people: MainWindow) -> None:
    window = open_on(qtbot, people)
    choose(qtbot, window, "BORN", "SEX")
    _guided(qtbot, window, "Use the year")
    press(qtbot, window, "guidanceButton")
    document = people.document
    qtbot.waitUntil(lambda: bool(document.recipe.recodes), timeout=20_000)
    wait_idle(qtbot, document)
    assert window.builder.names == ("BORN", "SEX")
    qtbot.waitUntil(window.guidance.isHidden, timeout=20_000)
    assert window._prepared is not None
    assert window._prepared.columns["BORN"].codes[0] == "1930"
    assert document.session.history.undo_label == "Recode BORN to years"
    put_away(people)


def test_thousands_of_codes_lead_to_the_recode(qtbot: QtBot, people: MainWindow) -> None:
    window = open_on(qtbot, people)
    choose(qtbot, window, "PLACE")
    _guided(qtbot, window, "Recode PLACE…")
    press(qtbot, window, "guidanceButton")
    qtbot.waitUntil(lambda: people.window_named("globalRecode") is not None)
    put_away(people)


def test_the_tab_key_goes_from_the_left_to_the_right(window: SelectCombinations) -> None:
    wanted = [
        "categoricalVariables", "addHouseholdSize", "addHouseholdType", "addVariable", "currentCombination",
        "countThreshold", "addCombination", "combinationList", "recommended", "missingRule", "calculateTables",
    ]  # fmt: skip
    put_in_order(window)  # as the Tab key does
    wanted = [name for name in wanted if window.findChild(QWidget, name).isVisibleTo(window)]
    assert len(wanted) >= 10, "only the list without combinations is not there"
    seen, stop = [], window.variables.view
    while stop.objectName() not in seen:
        seen.append(stop.objectName())
        stop = stop.nextInFocusChain()
        while stop.objectName() not in wanted:
            stop = stop.nextInFocusChain()
    assert seen == wanted
