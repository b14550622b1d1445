"""A file in which nothing is suppressed by choice, although records are unsafe, never looks protected."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTextBrowser
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Suppression, Threshold
from gui.main_window.window import MainWindow
from gui.main_window.workflow import next_thing, steps
from tests.gui.make_protected_file.hand import Hands, keep_all, open_protecting
from tests.gui.waiting import wait_idle

pytestmark = pytest.mark.usefixtures("hurried")

Open = Callable[..., MainWindow]
SUPPRESS_NOTHING = Suppression(criterion="none")
NONE = Threshold()


@pytest.fixture
def people(open_window: Open, tmp_path: Path) -> MainWindow:
    """A file of 200 persons whose ages few share."""
    rows = [f"{i % 2 + 1},{20 + i * 7 % 60},{i % 9 + 1}" for i in range(200)]
    (tmp_path / "people.csv").write_text("SEX,AGE,CARS\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return open_window(tmp_path / "people.csv")


def made(main: MainWindow, qtbot: QtBot, model: Combination, threshold: Threshold = NONE) -> Hands:
    """The file as Make Protected File writes it without suppression."""
    document = main.document
    recipe = document.recipe.with_(combinations=(model,), threshold=threshold, suppression=SUPPRESS_NOTHING)
    document.commit("nothing is suppressed", recipe)
    wait_idle(qtbot, document)
    keep_all(main, qtbot)
    hands = Hands(open_protecting(main, qtbot), qtbot)
    hands.click("makeFile")
    return hands


@pytest.mark.parametrize(
    ("model", "threshold"),
    [
        (Combination(("SEX", "AGE"), "k-anonymity", k=4, missing_rule="wildcard"), Threshold()),
        (Combination(("SEX", "AGE"), "frequency", count_threshold=3), Threshold()),
        (Combination(("SEX", "AGE"), "individual-risk"), Threshold(individual_risk=0.3)),
    ],
)
def test_unsafe_records_that_were_left_are_said_everywhere(
    people: MainWindow, qtbot: QtBot, model: Combination, threshold: Threshold
) -> None:
    hands = made(people, qtbot, model, threshold)
    summary = people.document.session.released.summary
    left = summary["unsafe_left"]
    assert 0 < left <= 200
    sentence = (
        f"{left} records remain unsafe (at or above a threshold, or below k): by choice, no value was suppressed."
    )
    assert sentence in hands.window.messages.text and "no protected file" in hands.window.messages.text
    assert "verified" not in hands.window.messages.text + hands.text("previewState")
    assert sentence in hands.text("previewState")
    written = json.loads(people.document.recipe.output.summary.read_text("utf-8"))
    assert sentence in {w["id"]: w["text"] for w in written["warnings"]}["unsafe-by-choice"]
    found = {step.name: step for step in steps(people.document)}
    assert [(found[n].state, found[n].detail) for n in ("Protect", "Report")] == [("attention", "not protected")] * 2
    assert next_thing(people.document).sentence.startswith(sentence)
    shown = people.windows.open_window("report").findChild(QTextBrowser, "reportView").toPlainText()
    assert sentence in shown and "The file is not protected." in shown


def test_a_file_that_was_never_judged_is_no_protected_one(people: MainWindow, qtbot: QtBot) -> None:
    hands = made(people, qtbot, Combination(("SEX", "AGE"), "individual-risk"))
    assert "No threshold is chosen for SEX × AGE" in hands.window.messages.text
    assert "verified" not in hands.text("previewState")
    assert next(s for s in steps(people.document) if s.name == "Protect").state == "attention"


def test_where_nobody_is_unsafe_nothing_has_to_be_suppressed(people: MainWindow, qtbot: QtBot) -> None:
    hands = made(people, qtbot, Combination(("SEX",), "k-anonymity", k=3))
    choices = hands.window.suppression
    hands.choose("criterion", "entropy")
    shown = [each.isVisibleTo(choices) for each in (choices.mode.box, choices.mode.meaning, choices.close_gaps)]
    assert not any(shown), "records are not judged by the original file here"
    hands.choose("criterion", "none")
    assert "written and verified" in hands.window.messages.text
    assert next(s for s in steps(people.document) if s.name == "Protect").state == "done"
