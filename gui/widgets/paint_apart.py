"""Charts are painted in a pass of the event loop of their own."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget


def paint_apart(chart: QWidget, after_ms: int) -> None:
    """Paint a chart `after_ms` from now: new figures also fill tables, and all in one pass is a wait that is felt."""
    if chart.isVisible() and chart.updatesEnabled():
        chart.setUpdatesEnabled(False)
        QTimer.singleShot(after_ms, chart, lambda: chart.setUpdatesEnabled(True))
