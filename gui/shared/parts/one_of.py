"""Radio buttons of which one is chosen: the Tab key stops once, the arrow keys go from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QRadioButton

from gui.shared.accessible import OneOfPart

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class SteppingRadio(QRadioButton):
    """One of several; which of them is chosen is kept by their `OneOf`."""

    spoken_as = OneOfPart

    stepped = Signal(int)

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text, objectName=name)
        self.setAutoExclusive(False)

    def nextCheckState(self) -> None:
        """A click chooses; it never leaves nothing chosen."""
        self.setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(step)


class OneOf(QObject):
    """The first is chosen at the beginning, and wherever another one is taken back.

    Signals
    -------
    chosen(int)
        Place of the one that is chosen from now on.
    """

    chosen = Signal(int)

    def __init__(self, radios: Sequence[SteppingRadio], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._radios = list(radios)
        self.current = 0
        for place, radio in enumerate(self._radios):
            radio.setChecked(place == 0)
            radio.toggled.connect(lambda on, place=place: self._toggled(place, on))
            radio.stepped.connect(lambda step, place=place: self._step(place, step))
        self._stop_at_chosen()

    def choose(self, place: int) -> None:
        """Choose one."""
        self._radios[place].setChecked(True)

    def _toggled(self, place: int, on: bool) -> None:
        if not on:
            if place == self.current:
                self.choose(0)
            return
        before, self.current = self.current, place
        for other, radio in enumerate(self._radios):
            radio.setChecked(other == place)
        self._stop_at_chosen()
        if before != place:
            self.chosen.emit(place)

    def _stop_at_chosen(self) -> None:
        for place, radio in enumerate(self._radios):
            stops = place == self.current
            radio.setFocusPolicy(Qt.FocusPolicy.StrongFocus if stops else Qt.FocusPolicy.ClickFocus)

    def _step(self, place: int, step: int) -> None:
        shown = [other for other, radio in enumerate(self._radios) if not radio.isHidden()]
        wanted = shown[(shown.index(place) + step) % len(shown)]
        self.choose(wanted)
        self._radios[wanted].setFocus(Qt.FocusReason.TabFocusReason)
