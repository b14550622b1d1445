"""What the guidance says of a combination, and which button it fills."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Input, Recipe, Threshold, VariableEdit
from core.session import Session
from core.whatif.advice import Advice, Remedy
from core.whatif.price import Price
from gui.document import engine
from gui.document.document import Document
from gui.shared.advice import AdviceOnCard, AskedAdvice, finding
from gui.shared.parts.guidance import GuidanceCard
from tests.gui.buttons import press


@pytest.fixture
def born(tmp_path: Path) -> Recipe:
    """Of forty people, each born on a day of their own."""
    born = [f"{1950 + n}-0{n % 9 + 1}-11;{n % 2};{n % 3 + 5}" for n in range(40)]
    (tmp_path / "born.csv").write_text("\n".join(["BORN;SEX;W", *born]) + "\n", encoding="utf-8")
    keys = [VariableEdit(name, categorical=True) for name in ("BORN", "SEX")]
    return Recipe(
        input=Input(data=tmp_path / "born.csv"),
        variables=(*keys, VariableEdit("W", role="weight")),
        combinations=(Combination(("BORN", "SEX")),),
        threshold=Threshold(individual_risk=0.1),
    )


@pytest.fixture
def told(born: Recipe) -> Advice:
    """Advice on them."""
    found = engine.advice(Session(), born, 0)
    assert found is not None
    return found


def test_pages_that_ask_for_the_same_are_told_what_was_found(born: Recipe) -> None:
    session = Session()
    first = engine.advice(session, born, 0)
    assert first is not None
    assert engine.advice(session, replace(born), 0) is first
    assert engine.advice(session, born, 0, 0.5) is not first
    assert engine.advice(session, born.with_(threshold=Threshold(individual_risk=0.2)), 0) is not first
    data = born.input.data
    assert data is not None
    data.write_text("".join(data.read_text("utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")
    session.renew()
    again = engine.advice(session, born, 0)
    assert again is not None
    assert (first.records, again.records) == (40, 39)


def test_a_date_is_warned_of_and_its_decades_are_proposed(told: Advice) -> None:
    assert finding(told) == "Almost all records are unsafe, mainly through BORN (40 dates)."
    assert [notice.where for notice in told.unwieldy] == ["BORN"]
    assert (told.candidates[0].variable, told.candidates[0].codes) == ("BORN", (40, 4))


def shown(
    qtbot: QtBot, document: Document, advice: Advice, warns: bool
) -> tuple[GuidanceCard, AdviceOnCard, list[str]]:
    card, asked, recoded = GuidanceCard(), AskedAdvice(document, "test", document), []
    qtbot.addWidget(card)
    asked.advice = advice
    on_card = AdviceOnCard(card, asked, lambda: None, recoded.append, warns=warns)
    assert on_card.show()
    card.show()
    return card, on_card, recoded


def test_no_sentence_of_the_card_is_said_twice(qtbot: QtBot, document: Document, told: Advice) -> None:
    card, _on_card, _recoded = shown(qtbot, document, told, warns=False)
    best = told.candidates[0]
    assert card.sentence.text() == (
        f"BORN by decade: 40 → {best.unsafe[1]} unsafe, {told.price.values} → {best.price.values} values to blank."
    )
    press(qtbot, card, "guidanceOther")
    assert card.sentence.text().startswith(f"Without a recode {told.price.values} values are to be blanked")
    assert "BORN by decade" not in card.sentence.text()
    assert card.main.isHidden()


def test_a_key_for_which_nothing_can_be_proposed_is_recoded_by_hand(
    qtbot: QtBot, document: Document, told: Advice
) -> None:
    out = Remedy("SEX", None, (2, 0), (40, 30), 40.0, 1.0, price=Price(7, 9.0, exact=False))
    advice = Advice(0, 40, 40, {"SEX": 30}, told.codes, (out,), 200.0, unwieldy=told.unwieldy)
    card, on_card, recoded = shown(qtbot, document, advice, warns=True)
    assert card.sentence.text().startswith("The key BORN is a date: nearly everybody is alone with it.")
    press(qtbot, card, "guidanceOther")
    assert card.findChild(QPushButton, "guidanceCandidate1").property("role") == "plain"
    press(qtbot, card, "guidanceButton")
    assert recoded == ["BORN"]
    assert on_card.parent() is card


def test_what_is_estimated_says_so(qtbot: QtBot, document: Document) -> None:
    ways = tuple(Remedy(name, None, (9, 0), (40, 30), 40.0, 1.0, exact=False) for name in ("A", "B"))
    advice = Advice(0, 40, 40, {}, {"A": 9, "B": 9}, ways)
    card, _on_card, _recoded = shown(qtbot, document, advice, warns=True)
    assert "at least 30 unsafe" in card.sentence.text()
