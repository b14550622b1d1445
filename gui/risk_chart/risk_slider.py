"""The slider under a risk histogram: position linear in the logarithm of the threshold."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSlider, QWidget

STEPS = 10_000
_KEY_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
}


class RiskSlider(QSlider):
    """0 is the smallest risk in the file, `STEPS` the largest.

    Signals
    -------
    moved(float)
        A risk, at every move by mouse.
    stepped(int)
        Keys: so many thresholds that change the unsafe records, up or down.
    released()
        The mouse let go, or a key was released.
    """

    moved = Signal(float)
    stepped = Signal(int)
    released = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, STEPS)
        self.setPageStep(STEPS // 20)
        self.setTracking(True)
        self._low, self._high = 1e-3, 1.0
        self.valueChanged.connect(lambda value: self.moved.emit(self.risk_at(value)))
        self.sliderReleased.connect(self.released)

    def set_range_of_risk(self, low: float, high: float) -> None:
        """Smallest and largest risk in the file; equal ones disable the slider."""
        self._low, self._high = low, high
        self.setEnabled(high > low > 0)

    def risk_at(self, position: int) -> float:
        """Threshold at a position, low (high/low)^(position/STEPS); exact at both ends."""
        if position <= 0:
            return self._low
        if position >= STEPS:
            return self._high
        return math.exp(math.log(self._low) + math.log(self._high / self._low) * position / STEPS)

    def show_risk(self, threshold: float | None) -> None:
        """Go to the nearest position without telling anybody: the slider never writes back."""
        if not self.isEnabled():
            return
        with QSignalBlocker(self):
            if threshold is None:
                self.setValue(STEPS)
                return
            share = math.log(threshold / self._low) / math.log(self._high / self._low)
            self.setValue(round(min(max(share, 0.0), 1.0) * STEPS))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow and page keys step along the thresholds that matter; Home and End go to the ends."""
        key = Qt.Key(event.key())
        if key in _KEY_STEPS:
            self.stepped.emit(_KEY_STEPS[key])
            event.accept()
        else:
            super().keyPressEvent(event)
            if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
                self.released.emit()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Letting a step key go ends the draft."""
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat() and Qt.Key(event.key()) in _KEY_STEPS:
            self.released.emit()
