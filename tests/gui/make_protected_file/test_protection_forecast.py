"""The line that says what protection would cost, before anybody asks for the plan."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.session import Session
from gui.main_window.window import MainWindow
from tests.gui.held import Held
from tests.gui.make_protected_file.hand import Hands, open_protecting
from tests.gui.risk_chart.hand import MIXED, delimited, one_table

RULE = '[[combinations]]\nvariables = ["A", "B"]\nmodel = "frequency"\ncount_threshold = {at}\n'
ANONYMITY = '[[combinations]]\nvariables = ["A", "B"]\nmodel = "k-anonymity"\nk = 5\nmissing_rule = "category"\n'
HOMES = '[variables.H]\nrole = "household-id"\n'
ROWS = [(weight, a, b, number // 2) for number, (weight, a, b) in enumerate(MIXED)]

Opened = Callable[[str], Hands]


@pytest.fixture
def protecting(qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path) -> Opened:
    """Make Protected File of a small file with weight W, keys A and B, and the household identifier H."""

    def build(body: str) -> Hands:
        main = open_window(delimited(tmp_path, "W,A,B,H", ROWS, body))
        return Hands(open_protecting(main, qtbot), qtbot)

    return build


def planned(hands: Hands) -> int:
    """Values that the plan of the preview suppresses."""
    hands.click("preview")
    total = int(hands.text("previewHeadline").split()[0])
    assert total > 0
    return total


def test_the_threshold_rule_is_forecast_by_its_plan(protecting: Opened, qtbot: QtBot) -> None:
    hands = protecting(RULE.format(at=3))
    qtbot.waitUntil(lambda: hands.find(QLabel, "suppressionForecast").isVisible())
    said = hands.text("suppressionForecast")
    assert said.startswith(f"Forecast: {planned(hands)} values suppressed (")


def test_a_household_threshold_is_forecast_with_the_individual_one(protecting: Opened, qtbot: QtBot) -> None:
    for asked in ("household_risk = 0.02", "individual_risk = 0.03\nhousehold_risk = 0.05"):
        hands = protecting(one_table() + f"[threshold]\n{asked}\n" + HOMES)
        qtbot.waitUntil(lambda hands=hands: hands.find(QLabel, "suppressionForecast").isVisible())
        said = hands.text("suppressionForecast")
        total = planned(hands)
        values, blanks = ("value", "blank") if total == 1 else ("values", "blanks")
        assert said.startswith(f"Forecast: {total} {values} suppressed ("), asked
        costs = {mode: card.forecast.text() for mode, card in hands.window.suppression.modes.cards.items()}
        assert costs["original-counts"].removeprefix("≤ ") == f"{total} {blanks}"


@pytest.mark.parametrize(
    ("threshold", "said"), [(0.03, "The only blank"), (0.02, "1 of 2 blanks"), (0.012, "None of the blanks")]
)
def test_blanks_that_the_rules_tell_are_counted_beside(protecting: Opened, threshold: float, said: str) -> None:
    hands = protecting(one_table() + f"[threshold]\nindividual_risk = {threshold}\n")
    blanks = planned(hands)
    (told,) = Session().protect(hands.window.document.recipe).inferences.values()
    assert (told.blanks, told.certain) == (blanks, {0.03: 1, 0.02: 1, 0.012: 0}[threshold])
    expected = f"{said} can be filled in with certainty by somebody who knows the rules."
    assert hands.text("certainBlanks") == expected


def test_released_keys_show_the_cheaper_protection_and_both_prices(protecting: Opened, qtbot: QtBot) -> None:
    hands = protecting(one_table() + "[threshold]\nindividual_risk = 0.02\n")
    prices, instead = hands.find(QLabel, "modePrices"), hands.find(QPushButton, "closeGapsInstead")
    hands.choose("mode", "released-keys")
    qtbot.waitUntil(lambda: prices.isVisible() and len(prices.text().splitlines()) == 2)
    keys, gapless = prices.text().splitlines()
    assert instead.isVisible()
    recipe = hands.window.draft_recipe
    plan = Session().plan_without_gaps(recipe)
    assert plan.total > 0
    assert gapless.endswith(f": {plan.total} values suppressed, {plan.entropy_loss:.1f} bits lost.")
    said = re.fullmatch(r"Judged by what is released: (≤ )?(\d+) values suppressed, ([\d.]+) bits lost\.", keys)
    released = Session().protect(recipe).plan
    assert said is not None and int(said[2]) >= plan.total
    assert float(said[3]) >= released.lower_bound * released.entropy_loss / released.loss - 0.05
    hands.click("closeGapsInstead")
    chosen = hands.window.draft_recipe.suppression
    assert (chosen.mode, chosen.close_gaps) == ("original-counts", True)
    assert not instead.isVisible()
    assert planned(hands) == plan.total


def test_models_other_than_risk_say_nothing_of_the_original_file(protecting: Opened) -> None:
    for body in (ANONYMITY, RULE.format(at=1)):
        hands = protecting(body)
        seen = [label.text() for label in hands.window.findChildren(QLabel) if label.isVisible()]
        assert not [text for text in seen if "original file" in text]
        assert not hands.window.suppression.modes.isVisible()


@pytest.mark.parametrize("kind", ["individual", "household"])
def test_no_threshold_is_never_shown_as_a_risk_of_one(protecting: Opened, kind: str) -> None:
    hands = protecting(one_table() + f"[threshold]\n{kind}_risk = 1.0\n" + HOMES)
    hands.click("preview")
    shown = hands.table("previewRisk")
    title = "Unsafe records (no threshold)" if kind == "individual" else "Unsafe households (no threshold)"
    assert shown[title] == ["0", "0"]
    told = [*shown, *(cell for row in shown.values() for cell in row)]
    assert not [text for text in told if "none" in text or text.startswith("1.000")]


def test_a_plan_that_takes_much_says_so_before_the_button(protecting: Opened, qtbot: QtBot) -> None:
    hands = protecting(one_table() + "[threshold]\nindividual_risk = 0.01\n")
    said = hands.find(QLabel, "suppressionBurden")
    qtbot.waitUntil(said.isVisible)
    assert "of the values of" in said.text() and "%" in said.text()
    button = hands.find(QPushButton, "recodeFirst")
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_plan_that_takes_little_says_nothing(protecting: Opened, qtbot: QtBot) -> None:
    hands = protecting(one_table() + "[threshold]\nindividual_risk = 0.09\n")
    qtbot.waitUntil(lambda: hands.find(QLabel, "suppressionForecast").isVisible())
    assert not hands.find(QLabel, "suppressionBurden").isVisible()


def test_no_forecast_holds_up_the_preview(protecting: Opened, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = protecting(one_table() + "[threshold]\nindividual_risk = 0.02\n")
    held = Held(monkeypatch, Session, "forecast_at")
    hands.choose("mode", "released-keys")
    qtbot.waitUntil(held.begun.is_set)
    qtbot.mouseClick(hands.find(QPushButton, "preview"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(hands.text("previewHeadline").split()) and not hands.window.work.running)
    held.go.set()  # asked again behind the preview
    qtbot.waitUntil(lambda: hands.find(QLabel, "suppressionForecast").isVisible())


def test_a_forecast_nobody_wants_any_more_is_stopped(
    protecting: Opened, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = protecting(one_table() + "[threshold]\nindividual_risk = 0.02\n")
    held = Held(monkeypatch, Session, "forecast_at")
    hands.choose("mode", "released-keys")
    qtbot.waitUntil(held.begun.is_set)
    document = hands.window.document
    recipe = document.recipe.with_(threshold=replace(document.recipe.threshold, individual_risk=0.03))
    document.commit("Threshold", recipe)
    qtbot.waitUntil(lambda: not document.stale)  # derived while the old forecast would have gone on
    held.go.set()
