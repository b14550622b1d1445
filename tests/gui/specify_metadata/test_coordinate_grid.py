"""Coordinates of a survey, rounded to one grid in place of being left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import NumericEdit
from gui.main_window.window import MainWindow
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.specify_metadata.hand import accept, examined, opened, press


@pytest.fixture
def window(qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path) -> SpecifyMetadata:
    rows = [f"{46 + i * 7 % 300 / 777:.5f},{6 + i % 300 / 777:.5f},{i % 2 + 1}" for i in range(600)]
    (tmp_path / "points.csv").write_text("\n".join(["LAT,LON,SEX", *rows]) + "\n", encoding="utf-8")
    found = opened(qtbot, open_window(tmp_path / "points.csv"))
    press(qtbot, found, "suggest")
    examined(qtbot, found)
    return found


def click_grid(qtbot: QtBot, window: SpecifyMetadata, step: str) -> None:
    box = window.findChild(QLineEdit, "gridStep")
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    box.selectAll()
    qtbot.keyClicks(box, step)
    button = window.findChild(QPushButton, "roundToGrid")
    assert button.isVisible()
    button.setFocus()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_coordinates_are_rounded_to_one_grid(qtbot: QtBot, window: SpecifyMetadata) -> None:
    document = window.document
    click_grid(qtbot, window, "0.25")
    examined(qtbot, window)
    assert not window.findChild(QPushButton, "roundToGrid").isVisible(), "neither is proposed to be left out any more"
    accept(qtbot, window)
    recipe = document.recipe
    assert recipe.numeric == (NumericEdit("LAT", round=0.25), NumericEdit("LON", round=0.25))
    assert {edit.name: edit.decision for edit in recipe.variables} == {"LAT": "round", "LON": "round"}
    assert document.derived is not None
    assert not any(document.derived.metadata[name].removed for name in ("LAT", "LON"))


def test_a_grid_without_a_step_is_refused_in_words(qtbot: QtBot, window: SpecifyMetadata) -> None:
    for step in ("", "0", "-1"):
        click_grid(qtbot, window, step)
        assert "above 0" in window.proposals.step.message.text()
    assert window.draft.value.grid == {}
    assert not window.touched


def test_a_coordinate_that_is_left_out_is_not_rounded(qtbot: QtBot, window: SpecifyMetadata) -> None:
    click_grid(qtbot, window, "0.5")
    window.draft.change_each([("LON", [("removed", True)])])
    examined(qtbot, window)
    accept(qtbot, window)
    assert window.document.recipe.numeric == (NumericEdit("LAT", round=0.5),)
