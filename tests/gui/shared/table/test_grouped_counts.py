"""Counts are grouped where they are read, and plain where they are copied."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.shared.table.model import ColumnsModel
from tests.gui.waiting import wait_idle

EXAMPLE = Path(__file__).parents[4] / "resources" / "examples" / "communes" / "communes.pavo"


def _shown(model: ColumnsModel) -> list[str]:
    return [str(model.index(0, column).data(Qt.ItemDataRole.DisplayRole)) for column in range(model.columnCount())]


def test_counts_of_pages_are_grouped(open_window: Callable[..., MainWindow], qtbot: QtBot) -> None:
    main = open_window(EXAMPLE)
    wait_idle(qtbot, main.document)
    model = main.overview.variables.model
    assert "5,845" in _shown(model)
    assert "5845" not in _shown(model)
    assert "5845" in model.text_of([0], range(model.columnCount())).split("\n")[1].split("\t")
    page = main.windows.open_window("riskChart")
    wait_idle(qtbot, main.document)
    assert "of 6,000" in {label.text() for label in page.findChildren(QLabel)}
