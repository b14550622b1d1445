"""Figures of windows while those of what is current are being computed, and when that is stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from gui.document import engine
from gui.main_window.window import MainWindow
from tests.gui.held import Held
from tests.gui.waiting import wait_idle


def is_greyed(widget: QWidget) -> bool:
    effect = widget.graphicsEffect()
    return (effect is not None and effect.isEnabled()) or bool(widget.property("greyed"))


def test_compare_is_grey_until_its_row_is_of_the_session_as_it_is(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = open_window(demo / "survey.pavo")
    document, window = main.document, main.windows.open_window("compare")
    wait_idle(qtbot, document)
    assert not window.is_stale()
    held = Held(monkeypatch, document._engine, "ask", engine.alternative)
    document.commit(
        "Other", document.recipe.with_(suppression=replace(document.recipe.suppression, criterion="entropy"))
    )
    qtbot.waitUntil(held.begun.is_set)
    assert not document.stale
    assert window.is_stale()
    document.cancel()
    wait_idle(qtbot, document)
    assert window.current_name not in window._found, "the row of the session before is gone"
    assert "stopped" in window._problems[window.current_name]
    held.go.set()
    document.retry()
    wait_idle(qtbot, document)
    assert window._found[window.current_name].recipe == document.recipe
    assert not window.is_stale()


def test_a_stopped_forecast_is_said_to_be_and_comes_with_calculate_again(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = open_window(demo / "survey.pavo")
    document = main.document
    held = Held(monkeypatch, document._engine, "ask", engine.forecast)
    window = main.windows.open_window("riskChart")
    qtbot.waitUntil(held.begun.is_set)
    assert document.stoppable
    document.cancel()
    labels = window.page.forecast_panel.findChildren(QLabel)
    qtbot.waitUntil(lambda: any("The calculation was stopped." in label.text() for label in labels))
    held.go.set()
    wait_idle(qtbot, document)
    assert window._forecast is None
    document.retry()
    wait_idle(qtbot, document)
    assert window._forecast is not None


def test_figures_of_the_rules_before_are_grey_beside_new_ones(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = open_window(demo / "survey.pavo")
    document, window = main.document, main.windows.open_window("numericalVariables")
    window.variables.select("INCOME")
    wait_idle(qtbot, document)
    assert not is_greyed(window.comparison)
    held = Held(monkeypatch, document._engine, "ask", engine.compare_numbers)
    box = window.findChild(QLineEdit, "roundingBase")
    box.setFocus()
    qtbot.keyClicks(box, "100")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(held.begun.is_set)
    assert is_greyed(window.comparison)
    held.go.set()
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: not is_greyed(window.comparison))
