"""Nothing reads as safe before it is counted, and what a safe file has made of unsafe records is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.base.errors import PavoError
from core.recipe.model import Combination, Output, Recipe, Suppression, Threshold
from gui.main_window.status_texts import status_parts
from gui.main_window.window import MainWindow
from gui.main_window.workflow import WorkStep, next_thing, steps
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]
RISK = (Combination(("SEX", "AGE"), "individual-risk"),)
RARE = (Combination(("SEX", "AGE"), "frequency", count_threshold=3),)
OFTEN = (Combination(("SEX",), "frequency"),)


@pytest.fixture
def people(open_window: Open, tmp_path: Path) -> MainWindow:
    """200 persons whose ages few share, opened and nothing chosen."""
    rows = [f"{i % 2 + 1},{20 + i * 7 % 60},{i % 9 + 1}" for i in range(200)]
    (tmp_path / "people.csv").write_text("SEX,AGE,CARS\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return open_window(tmp_path / "people.csv")


def risk_step(window: MainWindow) -> WorkStep:
    return next(step for step in steps(window.document) if step.name == "Risk")


def told(window: MainWindow) -> str:
    """All that the main window says."""
    labels = [label.text() for label in window.findChildren(QLabel) if label.isVisibleTo(window)]
    return "\n".join([*labels, window.steps.button("Risk").accessibleDescription()]).casefold()


@pytest.mark.parametrize("threshold", [Threshold(), Threshold(individual_risk=1.0)])
def test_the_first_count_is_said_to_go_on_and_nothing_is_offered(
    people: MainWindow, qtbot: QtBot, threshold: Threshold, subtests: pytest.Subtests
) -> None:
    document = people.document
    for chosen in (RISK, RARE, OFTEN):
        with subtests.test(model=chosen[0].model):
            document.commit("keys", document.recipe.with_(combinations=chosen, threshold=threshold))
            assert document.stale and document.derived.overview.variables == ()
            step = risk_step(people)
            assert (step.state, step.detail) == ("open", "being counted…")
            assert dict(status_parts(document))["Unsafe"] == "unsafe: being counted…"
            assert next_thing(document).sentence.startswith("Unsafe combinations are being counted")
            assert not next_thing(document).offers
            assert people.findChild(QPushButton, "next_makeProtectedFile") is None
            assert "none unsafe" not in told(people)
            assert "unsafe 0" not in told(people) and "no record" not in told(people)
            assert "unsafe combinations: being counted…" in told(people)
            wait_idle(qtbot, document)
            assert "being counted" not in told(people)
            document.undo()
            wait_idle(qtbot, document)


def test_an_opened_session_says_what_is_counted(qtbot: QtBot, people: MainWindow, demo: Path) -> None:
    people.document.open_session(demo / "survey.pavo")
    assert people.document.derived is None
    assert risk_step(people).detail == "being counted…"
    assert dict(status_parts(people.document))["Unsafe"] == "unsafe: being counted…"
    wait_idle(qtbot, people.document)
    assert risk_step(people).detail.endswith(" unsafe")


@pytest.mark.parametrize("model", ["individual-risk", "frequency"])
def test_figures_of_before_never_say_that_nobody_is_unsafe(people: MainWindow, qtbot: QtBot, model: str) -> None:
    document = people.document
    safe = document.recipe.with_(combinations=OFTEN)
    unsafe = document.recipe.with_(combinations=RARE)
    if model == "individual-risk":
        safe = document.recipe.with_(combinations=RISK, threshold=Threshold(individual_risk=1.0001))
        unsafe = safe.with_(threshold=Threshold(individual_risk=0.01))
    document.commit("safe", safe)
    wait_idle(qtbot, document)
    assert risk_step(people).detail == "none unsafe"
    document.commit("unsafe", unsafe)
    assert risk_step(people).detail == "being counted…" and "none unsafe" not in told(people)
    assert dict(status_parts(document))["Unsafe"] == "unsafe: being counted…"
    assert not next_thing(document).offers
    wait_idle(qtbot, document)
    assert risk_step(people).state == "attention"
    document.commit("safe again", safe)
    assert risk_step(people).state == "attention", "figures of before that warn stay, greyed"
    wait_idle(qtbot, document)
    assert risk_step(people).detail == "none unsafe"


def test_what_was_stopped_is_not_counted(people: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    document = people.document

    def stopped(*_: object, **__: object) -> None:
        raise PavoError("stopped", "Stopped.")

    monkeypatch.setattr(document._engine, "derive_shown", stopped)
    document.commit("keys", document.recipe.with_(combinations=RARE))
    wait_idle(qtbot, document)
    assert (risk_step(people).state, risk_step(people).detail) == ("open", "not counted")
    assert next_thing(document).sentence.startswith("Unsafe combinations are not counted")
    assert "unsafe combinations: not counted" in told(people)


def test_unsafe_records_of_other_models_are_said_where_nobody_is_above_the_threshold(
    people: MainWindow, qtbot: QtBot
) -> None:
    document = people.document
    both = document.recipe.with_(combinations=RISK + RARE, threshold=Threshold(individual_risk=1.0001))
    document.commit("both", both)
    wait_idle(qtbot, document)
    rare = max(document.session.unsafe_records.values())
    assert rare and risk_step(people).detail == f"{rare} unsafe"
    assert dict(status_parts(document))["Unsafe"].startswith(f"unsafe {rare} (")
    assert next_thing(document).sentence.startswith(f"{rare} records are unsafe")


def protect(people: MainWindow, qtbot: QtBot, recipe: Recipe, folder: Path) -> None:
    document = people.document
    document.commit("make", recipe.with_(output=Output(data=folder / "safe.csv")))
    wait_idle(qtbot, document)
    document.make_protected_file()
    wait_idle(qtbot, document)


@pytest.mark.parametrize("model", ["individual-risk", "frequency"])
def test_after_the_safe_file_both_are_said_of_the_original_and_of_the_safe_file(
    people: MainWindow, qtbot: QtBot, tmp_path: Path, model: str
) -> None:
    document = people.document
    recipe = document.recipe.with_(combinations=RARE)
    if model == "individual-risk":
        recipe = document.recipe.with_(combinations=RISK, threshold=Threshold(individual_risk=0.3))
    protect(people, qtbot, recipe, tmp_path)
    unsafe = max(document.session.unsafe_records.values())
    assert unsafe > 0 and document.session.released.protection.unsafe_left == 0
    step = risk_step(people)
    assert (step.state, step.detail) == ("done", f"{unsafe} unsafe,\nsafe file: none")
    assert step.reason.endswith("In the safe file there is none.")
    status = dict(status_parts(document))["Unsafe"]
    assert status.startswith(f"unsafe {unsafe} (") and status.endswith("), in the safe file none")
    document.commit("other", document.recipe.with_(combinations=(*document.recipe.combinations, *OFTEN)))
    wait_idle(qtbot, document)
    assert (risk_step(people).state, risk_step(people).detail) == ("attention", f"{unsafe} unsafe")
    assert "safe file" not in dict(status_parts(document))["Unsafe"]


def test_records_that_the_safe_file_leaves_unsafe_are_counted(people: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    document = people.document
    recipe = document.recipe.with_(combinations=RARE, suppression=Suppression(criterion="none"))
    protect(people, qtbot, recipe, tmp_path)
    left = document.session.released.protection.unsafe_left
    step = risk_step(people)
    assert left > 0 and (step.state, step.detail) == ("attention", f"{left} unsafe,\nsafe file: {left}")
    assert step.reason.endswith(f"In the safe file there are {left}.")
    assert dict(status_parts(document))["Unsafe"].endswith(f", in the safe file {left}")


def test_a_file_that_nobody_judged_is_not_said_to_have_none(people: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    document = people.document
    recipe = document.recipe.with_(combinations=RISK + RARE, suppression=Suppression(criterion="none"))
    protect(people, qtbot, recipe, tmp_path)
    assert "safe file: none" not in told(people) and "safe file none" not in told(people)
