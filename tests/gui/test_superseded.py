"""Work that is stopped or superseded takes nothing back that was typed, and stops no work but itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

import core.pipeline.risks
from gui.document import engine
from gui.global_recode.window import GlobalRecode
from gui.main_window.window import MainWindow
from gui.numerical_variables.window import NumericalVariables
from tests.gui.global_recode import hand as recoding
from tests.gui.held import Held
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]
LEFT = Qt.MouseButton.LeftButton
GROUPS = "1: 15 - 44\n2: 45 - 99"


def offered(window: object, text: str) -> QPushButton:
    return next(b for b in window.findChildren(QPushButton) if b.text() == text and b.isVisible())  # type: ignore[attr-defined]


def test_a_recode_whose_results_are_stopped_stays_and_is_applied_again(
    recode_window: GlobalRecode, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, document = recode_window, recode_window.document
    before = document.recipe
    recoding.write(qtbot, window, GROUPS)
    recoding.settle(qtbot, window)
    held = Held(monkeypatch, engine.Engine, "derive_shown")
    qtbot.mouseClick(window.apply, LEFT)
    qtbot.waitUntil(held.begun.is_set, timeout=20_000)
    assert document.recipe.recodes
    document.cancel()
    wait_idle(qtbot, document)
    held.go.set()
    assert document.recipe == before
    assert recoding.text(window) == GROUPS
    assert window.touched
    assert window.messages.text.startswith("The calculation was stopped. Your changes are kept here")
    assert window.apply.isEnabled()
    qtbot.mouseClick(window.apply, LEFT)
    wait_idle(qtbot, document)
    assert [recode.variable for recode in document.recipe.recodes] == ["AGE"]
    assert not window.touched


def test_what_was_applied_from_a_page_that_closed_can_be_applied_again(
    main: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = main.document
    kept = document.recipe
    held = Held(monkeypatch, engine.Engine, "derive_shown")
    changed = kept.with_(combinations=kept.combinations * 2)
    document.commit("Combinations: 2", changed)
    qtbot.waitUntil(held.begun.is_set, timeout=20_000)
    document.cancel()
    wait_idle(qtbot, document)
    held.go.set()
    assert document.recipe == kept
    assert main.messages.text == "The calculation was stopped, so “Combinations: 2” is not applied."
    qtbot.mouseClick(offered(main.messages, "Apply it again"), LEFT)
    wait_idle(qtbot, document)
    assert document.recipe == changed


def test_changes_of_numbers_whose_results_are_stopped_stay(
    main: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = main.document
    window = main.windows.open_window("numericalVariables")
    assert isinstance(window, NumericalVariables)
    wait_idle(qtbot, document)
    window.variables.select("INCOME")
    box = window.findChild(QLineEdit, "topValue")
    box.setFocus()
    qtbot.keyClicks(box, "60000")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    wait_idle(qtbot, document)
    held = Held(monkeypatch, engine.Engine, "derive_shown")
    qtbot.mouseClick(window.apply, LEFT)
    qtbot.waitUntil(held.begun.is_set, timeout=20_000)
    document.cancel()
    wait_idle(qtbot, document)
    held.go.set()
    assert not document.recipe.numeric
    assert window.touched
    assert window.messages.text.startswith("The calculation was stopped. Your changes are kept here")
    qtbot.mouseClick(window.apply, LEFT)
    wait_idle(qtbot, document)
    assert [spec.variable for spec in document.recipe.numeric] == ["INCOME"]


def test_a_population_model_of_a_superseded_run_serves_the_next_one(
    recode_window: GlobalRecode, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The preview of a recode has made the model when Apply supersedes it: what is typed is applied all the same."""
    window, document = recode_window, recode_window.document
    first = replace(document.recipe.combinations[0], estimator="calibrated")
    document.commit("By the model", document.recipe.with_(combinations=(first,)))
    wait_idle(qtbot, document)
    made, waiting, real = threading.Event(), [None], core.pipeline.risks.risks_of

    def held(cells: Any, combination: Any, progress: Any, model: Any = None) -> Any:
        while (model is not None and not made.is_set()) or progress is waiting[-1]:
            made.set()
            waiting.append(progress)
            progress.check()
            time.sleep(0.001)
        return real(cells, combination, progress, model)

    monkeypatch.setattr(core.pipeline.risks, "risks_of", held)
    recoding.write(qtbot, window, GROUPS)
    qtbot.waitUntil(made.is_set, timeout=20_000)
    qtbot.mouseClick(window.apply, LEFT)
    wait_idle(qtbot, document)
    assert [recode.variable for recode in document.recipe.recodes] == ["AGE"]
    assert recoding.text(window) == GROUPS
    assert not document.stale
    assert document.session.error is None
