"""Key variables in no combination stand out above the unsafe combinations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from tests.gui.risk_chart.hand import MIXED, delimited
from tests.gui.waiting import wait_idle

KEYS = "".join(f"[variables.{name}]\nidentification_level = 3\n" for name in "ABCD")
BOTH = '[[combinations]]\nvariables = ["A", "B"]\nmodel = "frequency"\ncount_threshold = 1\n'
ROWS = [(weight, a, b, number % 3, number % 2) for number, (weight, a, b) in enumerate(MIXED)]


def test_keys_in_no_combination_stand_out(qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path) -> None:
    main = open_window(delimited(tmp_path, "W,A,B,C,D", ROWS, KEYS + BOTH))
    line = main.findChild(QFrame, "unassessedKeys")
    qtbot.waitUntil(line.isVisible, timeout=20_000)
    text = line.findChild(QLabel, "unassessedKeysText").text()
    assert text == "Key variables in no combination, not covered by the risk assessment: C, D."
    qtbot.mouseClick(line.findChild(QPushButton, "assessKeys"), Qt.MouseButton.LeftButton)
    assert main.window_named("selectCombinations") is not None
    recipe = main.document.recipe
    (combination,) = recipe.combinations
    more = type(combination)(("C", "D"), model="frequency", count_threshold=1)
    main.document.commit("More", recipe.with_(combinations=(combination, more)))
    wait_idle(qtbot, main.document)
    qtbot.waitUntil(lambda: not line.isVisibleTo(line.parentWidget()), timeout=20_000)
