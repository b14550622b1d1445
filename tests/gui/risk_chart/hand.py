"""A hand on the Risk Chart: what a person does there with mouse and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QSlider, QStyle, QStyleOptionSlider, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.risk_chart.window import RiskChart
from tests.gui.waiting import wait_idle

LEFT = Qt.MouseButton.LeftButton
RISK = 'model = "individual-risk"\n'
MIXED = [(10, 1, 1), *[(40, 1, 2)] * 3, *[(90, 2, 1)] * 5, *[(25, 2, 2)] * 8, (200, 3, 1)]
"""Records (W, A, B) in five cells, each with a risk of its own."""


def handle_of(slider: QSlider) -> QPoint:
    """Middle of a slider's handle."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    handle = QStyle.SubControl.SC_SliderHandle
    return QPoint(slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, handle, slider).center())


class Hand:
    """Does things and waits until their results are there."""

    def __init__(self, qtbot: QtBot, main: MainWindow, name: str = "riskChart") -> None:
        self.qtbot, self.main, self.document = qtbot, main, main.document
        window = main.windows.open_window(name)
        assert isinstance(window, RiskChart)
        self.window = window
        window.resize(1000, 560)
        window.activateWindow()
        qtbot.waitActive(window)
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is computed, and what was computed is shown."""
        wait_idle(self.qtbot, self.document)
        self.qtbot.wait(1)
        wait_idle(self.qtbot, self.document)

    def find(self, kind: type[Any], name: str) -> Any:
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def text(self, name: str) -> str:
        """Text of a box or a label."""
        return str(self.find(QWidget, name).text())

    def message(self, box: str) -> str:
        """What is said beside a box, where it can be seen."""
        label = self.find(QLabel, f"{box}Message")
        return str(label.text()) if label.isVisible() else ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """The linked numbers as they are shown."""
        return tuple(box.text() for box in self.window.page.threshold.boxes)

    @property
    def threshold(self) -> float | None:
        """The threshold in the recipe."""
        return self.document.recipe.threshold.individual_risk

    def type(self, box: str, text: str, key: Qt.Key | None = Qt.Key.Key_Return) -> None:
        """Click into a box, replace its text key by key, and press a key."""
        widget = self.find(QLineEdit, box)
        self.qtbot.mouseClick(widget, LEFT)
        widget.selectAll()
        self.qtbot.keyClicks(widget, text)
        if key is not None:
            self.qtbot.keyClick(widget, key)
            self.settle()

    def handle(self) -> QPoint:
        """Middle of the slider's handle."""
        return handle_of(self.window.page.view.slider)

    def drag_slider(self, *shares: float) -> list[tuple[str, ...]]:
        """Take the handle to these shares of the way from left to right and let go; the numbers on the way."""
        slider = self.window.page.view.slider
        start, seen = self.handle(), []
        QTest.mousePress(slider, LEFT, pos=start)
        for share in shares:
            QTest.mouseMove(slider, QPoint(round(share * (slider.width() - 1)), start.y()))
            self.qtbot.wait(20)
            seen.append(self.numbers)
        QTest.mouseRelease(slider, LEFT, pos=QPoint(round(shares[-1] * (slider.width() - 1)), start.y()))
        self.settle()
        return seen

    def pixel_of_line(self, risk_log10: float) -> QPoint:
        """Where a threshold stands in the histogram's viewport, halfway up."""
        view = self.window.page.view.histogram.getPlotItem().vb
        middle = view.viewRange()[1][1] / 2
        return QPoint(self.window.page.view.histogram.mapFromScene(view.mapViewToScene(QPointF(risk_log10, middle))))

    def key(self, widget: QWidget, key: Qt.Key, times: int = 1) -> None:
        """Press a key on a widget that has the focus."""
        widget.setFocus()
        for _ in range(times):
            self.qtbot.keyClick(widget, key)
        self.settle()


Charts = Callable[..., Hand]
"""Makes a chart on a small file."""


def session(folder: Path, data: Path, metadata: Path | None, body: str) -> Path:
    """Write a session on a data file."""
    path = folder / "session.pavo"
    head = f'recipe = 1\n[input]\ndata = "{data.as_posix()}"\n'
    head += f'metadata = "{metadata.as_posix()}"\n' if metadata else ""
    path.write_text(head + body, encoding="utf-8")
    return path


def delimited(folder: Path, header: str, rows: list[tuple[Any, ...]], body: str) -> Path:
    """Write a small delimited file with the weight W, and a session on it."""
    data = folder / "small.csv"
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return session(folder, data, None, '[variables.W]\nrole = "weight"\n' + body)


def one_table(names: str = '"A", "B"', threshold: str = "") -> str:
    """A risk table in a recipe."""
    return f"[[combinations]]\nvariables = [{names}]\n{RISK}{threshold}"


def risks_of_records(hand: Hand) -> np.ndarray:
    """Risk of each record of the one risk table."""
    (table,) = hand.document.derived.risk_tables
    return np.asarray(table.risk[table.cell_index.of_record])


def counts_of(risks: np.ndarray) -> set[int]:
    """Every number of unsafe records that some threshold gives."""
    return {0} | {int(np.count_nonzero(risks >= r * (1 - 1e-12))) for r in np.unique(risks)}
