"""Charts of every window have their figures one key away; columns of numbers stand at the right with equal decimals."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.shared.table.model import ColumnsModel
from tests.gui.waiting import wait_idle

PAGES = "riskChart", "householdRiskChart", "numericalVariables", "compare", "showTables", "globalRecode"
MENU = ["Figures as a &table", "&Copy picture", "&Save picture…"]
NUMBER = re.compile(r"^-?\d+(?:\.(\d+))?(?: %)?$")
MEASURED = {"risk", "Freq", "records", "share", "f", "F"}


@pytest.fixture
def main(open_window: Callable[..., MainWindow], demo: Path) -> MainWindow:
    return open_window(demo / "survey-households.pavo")


def test_figures_and_columns(qtbot: QtBot, main: MainWindow) -> None:
    charts: set[str] = set()
    aligned = 0
    for name in PAGES:
        page = main.windows.open_window(name)
        wait_idle(qtbot, main.document)
        for chart in page.findChildren(pg.PlotWidget):
            charts.add(chart.objectName())
            assert [action.text() for action in chart.actions()][:3] == MENU, (name, chart.objectName())
            assert chart.actions()[0].shortcut().toString() == "F4"
        for view in page.findChildren(QTableView):
            model = view.model()
            if not isinstance(model, ColumnsModel):
                continue
            for place, column in enumerate(model.columns):
                if column.number and model.rowCount():
                    turned = model.index(0, place).data(Qt.ItemDataRole.TextAlignmentRole)
                    assert Qt.AlignmentFlag(turned) & Qt.AlignmentFlag.AlignRight, (name, column.title)
                    aligned += 1
                if column.title in MEASURED:
                    texts = [model.index(row, place).data() for row in range(model.rowCount())]
                    found = [NUMBER.match(text) for text in texts]
                    assert column.title == "F" or len({each[1] and len(each[1]) for each in found if each}) <= 1, (
                        name, column.title,
                    )  # fmt: skip
    assert {"riskHistogram", "forecastChart"} <= charts
    assert aligned > 10
