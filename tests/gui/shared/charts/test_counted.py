"""What charts tell under the mouse is said of one and of many."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from gui.shared.charts.small_histogram import SmallHistogram


def test_a_bar_of_one_record_is_told_so(qtbot: QtBot) -> None:
    chart = SmallHistogram()
    qtbot.addWidget(chart)
    chart.resize(200, 84)
    chart.show_bars("Codes", ["a", "b"], [1, 1200], ("a", "b"))
    chart.show()
    for x, told in ((50, "a: 1 record"), (150, "b: 1,200 records")):
        place = QPoint(x, 20)
        QApplication.sendEvent(chart, QHelpEvent(QEvent.Type.ToolTip, place, chart.mapToGlobal(place)))
        assert QToolTip.text() == told
