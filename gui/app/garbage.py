"""Cyclic garbage is collected by the event loop, between events, and nowhere else.

Python collects wherever something is allocated: in the compute thread, where no widget may be destroyed, or while Qt
delivers an event to an object that is garbage itself. The binding does not survive the latter: looking up the object's
handler allocates, and nothing but the garbage holds the object meanwhile.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

EVERY_MS = 200
"""Often enough that closed windows do not heap up, too seldom to cost anything."""


class GarbageCollector(QObject):
    """Takes over from Python's automatic collection for as long as the program runs; `parent` is the application."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    @Slot()
    def collect(self) -> None:
        """Collect the oldest generation that is due by Python's own thresholds."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [generation for generation in (0, 1, 2) if counts[generation] > thresholds[generation] > 0]
        if due:
            gc.collect(due[-1])
