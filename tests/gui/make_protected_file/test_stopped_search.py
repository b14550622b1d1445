"""Make Protected File: a search that is stopped, by hand or by a time limit, keeps the best; or nothing is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Output, Threshold, VariableEdit
from gui.document.engine import protect
from gui.main_window.window import MainWindow
from gui.make_protected_file.window import MakeProtectedFile
from gui.shared.number_box import NumberBox
from tests.gui.held import Held
from tests.gui.make_protected_file.hand import Hands
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


@pytest.fixture
def hands(qtbot: QtBot, open_window: Open, tmp_path: Path) -> Iterator[Hands]:
    """The window on a file whose search does not end by itself for a while."""
    rows = np.minimum(np.random.default_rng(5).geometric(0.35, (240, 3)), 6)
    (tmp_path / "s.csv").write_text("A,B,C\n" + "".join("{},{},{}\n".format(*row) for row in rows), encoding="utf-8")
    main = open_window(tmp_path / "s.csv")
    recipe = main.document.recipe.with_(
        combinations=(Combination(("A", "B", "C")),), threshold=Threshold(individual_risk=0.2),
        variables=tuple(VariableEdit(name, missing=("9",)) for name in "ABC"),
        output=Output(data=tmp_path / "safe.csv"),
    )  # fmt: skip
    suppression = replace(recipe.suppression, mode="released-keys")
    main.document.commit("c", recipe.with_(suppression=suppression))
    wait_idle(qtbot, main.document)
    found = main.windows.open_window("makeProtectedFile")
    assert isinstance(found, MakeProtectedFile)
    qtbot.waitExposed(found)
    wait_idle(qtbot, main.document)
    yield Hands(found, qtbot)
    found.forecasts.stop()


def begin(hands: Hands, held: Held) -> None:
    hands.qtbot.mouseClick(hands.find(QPushButton, "preview"), Qt.MouseButton.LeftButton)
    hands.qtbot.waitUntil(held.begun.is_set, timeout=20_000)


def test_stop_keeps_the_best_and_its_effort(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    document = hands.window.document
    stop, cancel = hands.find(QPushButton, "stop"), hands.find(QPushButton, "cancelPreview")
    assert not stop.isVisible() and not cancel.isVisible()
    held = Held(monkeypatch, document._engine, "ask", protect)
    begin(hands, held)
    assert cancel.isVisible() and "is kept" in stop.toolTip()
    document.progressed.emit(0.3, "Search: loss 8 so far, at least 7, gap 12.5 %")
    assert "at least 7, gap 12.5 %. Stop keeps the best" in hands.text("previewState")
    hands.qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    held.go.set()
    wait_idle(hands.qtbot, document)
    assert hands.window.panel.filled and not stop.isVisible() and not cancel.isVisible()
    assert document.recipe.suppression.effort == 10
    assert "Effort 10" in hands.window.messages.text
    assert "nothing is written yet" in hands.text("previewState")
    assert hands.find(NumberBox, "effort").value == 10
    document.undo()
    assert document.recipe.suppression.effort == 1000


def test_cancel_keeps_nothing(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    document = hands.window.document
    begin(hands, Held(monkeypatch, document._engine, "ask", protect))
    hands.qtbot.mouseClick(hands.find(QPushButton, "cancelPreview"), Qt.MouseButton.LeftButton)
    wait_idle(hands.qtbot, document)
    assert not hands.window.panel.filled and document.recipe.suppression.effort == 1000
    assert "Nothing was written" in hands.window.messages.text


def test_a_time_limit_gives_way_to_the_effort_that_it_allowed(hands: Hands, tmp_path: Path) -> None:
    document = hands.window.document
    hands.find(QToolButton, "moreSettings").click()
    box = hands.find(NumberBox, "timeLimit")
    box.setFocus()
    box.selectAll()
    hands.qtbot.keyClicks(box, "1\r")
    chosen = hands.window.draft_recipe.suppression
    assert chosen.time_limit == 1
    hands.window.suppression.changed.emit(replace(chosen, time_limit=1e-6))
    hands.click("makeFile")
    assert (tmp_path / "safe.csv").is_file()
    asked = document.recipe.suppression
    assert (asked.effort, asked.time_limit) == (10, None)
