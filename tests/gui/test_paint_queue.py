"""Widgets that are painted apart: one a pass of the event loop, all of them in the end."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QApplication, QGraphicsScene, QGraphicsView, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gui.paint_queue import paint_apart, paint_ground_first
from gui.theme import set_greyed


class Canvas(QWidget):
    """Notes in which order canvases are painted, and how many others still wait then."""

    painted: list[tuple[str, int]]

    def __init__(self, name: str, painted: list[tuple[str, int]]) -> None:
        super().__init__(objectName=name)
        self.painted = painted
        self.inner = QLabel("figures", self)

    def paintEvent(self, _event: QPaintEvent) -> None:
        window = self.window()
        waiting = [c for c in window.findChildren(Canvas) if not c.updatesEnabled()]
        self.painted.append((self.objectName(), len(waiting)))


class Sheet(QWidget):
    """Canvases below each other, each painted once already."""

    def __init__(self, qtbot: QtBot, count: int) -> None:
        super().__init__()
        self.painted: list[tuple[str, int]] = []
        self.canvases = [Canvas(str(number), self.painted) for number in range(count)]
        layout = QVBoxLayout(self)
        for canvas in self.canvases:
            layout.addWidget(canvas)
        self.resize(200, 300)
        qtbot.addWidget(self)
        self.show()
        qtbot.waitUntil(lambda: len(self.painted) >= count)
        QApplication.processEvents()
        self.painted.clear()


def test_each_is_painted_while_the_later_ones_wait(qtbot: QtBot) -> None:
    sheet = Sheet(qtbot, 3)
    canvases, painted = sheet.canvases, sheet.painted
    for canvas in canvases:
        paint_apart(canvas, 0)
        canvas.update()
    assert not any(canvas.updatesEnabled() for canvas in canvases)
    qtbot.waitUntil(lambda: len(painted) >= 3)
    assert painted == [("0", 2), ("1", 1), ("2", 0)]
    assert all(canvas.updatesEnabled() for canvas in canvases)


def test_the_time_asked_for_is_the_order(qtbot: QtBot) -> None:
    sheet = Sheet(qtbot, 2)
    canvases, painted = sheet.canvases, sheet.painted
    paint_apart(canvases[0], 60)
    paint_apart(canvases[1], 0)
    qtbot.waitUntil(lambda: len(painted) >= 2)
    assert [name for name, _ in painted] == ["1", "0"]


def test_a_widget_that_is_gone_keeps_nobody_waiting(qtbot: QtBot) -> None:
    sheet = Sheet(qtbot, 2)
    canvases, painted = sheet.canvases, sheet.painted
    for canvas in canvases:
        paint_apart(canvas, 0)
    delete(canvases[0])
    qtbot.waitUntil(lambda: bool(painted))
    assert painted == [("1", 0)]


def test_what_is_greyed_is_painted_apart_and_a_hidden_widget_is_left_alone(qtbot: QtBot) -> None:
    sheet = Sheet(qtbot, 2)
    canvases, painted = sheet.canvases, sheet.painted
    canvases[1].hide()
    for canvas in canvases:
        set_greyed(canvas, True)
    assert [canvas.updatesEnabled() for canvas in canvases] == [False, True]
    qtbot.waitUntil(canvases[0].updatesEnabled)
    qtbot.waitUntil(lambda: bool(painted))
    assert painted[0][0] == "0"


class Chart(QGraphicsView):
    """A blue square on white; notes how often it was painted itself."""

    def __init__(self) -> None:
        super().__init__()
        self.drawing = QGraphicsScene(-50, -50, 100, 100)
        self.setScene(self.drawing)
        self.setBackgroundBrush(QColor("white"))
        self.drawing.addRect(-40, -40, 80, 80, brush=QColor("blue"))
        self.painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painted += 1
        super().paintEvent(event)


def test_a_chart_comes_into_sight_as_its_ground_and_is_painted_right_after(qtbot: QtBot) -> None:
    page = QWidget()
    page.setPalette(Qt.GlobalColor.red)
    QVBoxLayout(page).addWidget(chart := Chart())
    qtbot.addWidget(page)

    def middle() -> str:
        return page.grab().toImage().pixelColor(page.rect().center()).name()

    paint_ground_first(chart)
    page.resize(200, 200)
    page.show()
    assert middle() == "#ffffff"  # not what stood there before
    assert chart.painted == 0
    qtbot.waitUntil(lambda: chart.painted > 0)
    assert middle() == "#0000ff"
