"""Charts and tables are painted in passes of the event loop of their own, one after the other."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsView, QWidget
from shiboken6 import isValid

_NEXT_MS = 1
"""Enough for the event loop to paint one widget before the next is let go."""


def paint_apart(widget: QWidget, after_ms: int) -> None:
    """Paint a widget not before `after_ms` from now, in a pass of its own: all in one pass is a wait that is felt."""
    if widget.isVisible() and widget.updatesEnabled():
        widget.setUpdatesEnabled(False)
        _queue().add(widget, after_ms)


def paint_ground_first(chart: QGraphicsView) -> None:
    """Let a chart come into sight as its bare ground; it is painted itself in a pass of its own right after that."""
    _Ground(chart)


class _Ground(QObject):
    """Takes the first painting of a chart, and no other."""

    def __init__(self, chart: QGraphicsView) -> None:
        super().__init__(chart)
        self._chart = chart
        chart.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Paint:
            return False
        viewport = self._chart.viewport()
        painter = QPainter(viewport)
        painter.fillRect(viewport.rect(), self._chart.backgroundBrush())
        painter.end()
        viewport.removeEventFilter(self)
        self.deleteLater()
        paint_apart(viewport, _NEXT_MS)
        return True


class _Queue(QObject):
    """Widgets that wait to be painted, by when that may be."""

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self._waiting: list[tuple[float, QWidget]] = []
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._paint_next)

    def add(self, widget: QWidget, after_ms: int) -> None:
        self._waiting.append((perf_counter() + after_ms / 1000, widget))
        self._waiting.sort(key=lambda each: each[0])
        if not self._timer.isActive():
            self._timer.start(after_ms)

    def _paint_next(self) -> None:
        self._waiting = [each for each in self._waiting if isValid(each[1])]
        if self._waiting and self._waiting[0][0] <= perf_counter():
            self._waiting.pop(0)[1].setUpdatesEnabled(True)
        if self._waiting:
            left = 1000 * (self._waiting[0][0] - perf_counter())
            self._timer.start(max(_NEXT_MS, round(left)))


_made: list[_Queue] = []


def _queue() -> _Queue:
    """The one queue, made in the GUI thread: a timer belongs to a thread."""
    if not _made or not isValid(_made[0]):
        _made[:] = [_Queue(QCoreApplication.instance())]
    return _made[0]
