"""A few views of one thing in a row, of which one is chosen: radio buttons that look like one bar."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QRadioButton, QSizePolicy, QWidget

from gui.theme import dress_as

_PADDING = 13
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class SegmentButton(QRadioButton):
    """One of the views; which of them is chosen is kept by their `Segments`."""

    stepped = Signal(int)

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text, objectName=name)
        self.setAutoExclusive(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def nextCheckState(self) -> None:
        """A click chooses; it never leaves nothing chosen."""
        self.setChecked(True)

    def hitButton(self, _place: object) -> bool:
        """All of it can be clicked, not the text alone."""
        return True

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text().replace("&", "")) + 2 * _PADDING + 4
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(step)


class Segments(QWidget):
    """Views by name; the first is chosen at the beginning and wherever another one is taken back.

    Signals
    -------
    chosen(str)
        Name of the view that is chosen from now on.
    """

    chosen = Signal(str)

    def __init__(self, name: str, title: str, views: Sequence[tuple[str, str]]) -> None:
        super().__init__(objectName=name, accessibleName=title)
        self.buttons = {key: SegmentButton(text, key) for key, text in views}
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for key, button in self.buttons.items():
            row.addWidget(button)
            button.toggled.connect(lambda checked, key=key: self._toggled(key, checked))
            button.stepped.connect(lambda step, key=key: self._step(key, step))
        self._current = views[0][0]
        self._stop_at_chosen()
        self.buttons[self._current].setChecked(True)
        self._round_ends()

    @property
    def current(self) -> str:
        """Name of the chosen view."""
        return self._current

    def choose(self, name: str) -> None:
        """Choose a view."""
        self.buttons[name].setChecked(True)

    def offer(self, name: str, offered: bool) -> None:
        """Show a view among the others, or not."""
        self.buttons[name].setVisible(offered)
        if not offered and name == self._current:
            self.choose(next(iter(self.buttons)))
        self._round_ends()

    def _toggled(self, name: str, checked: bool) -> None:
        if not checked:
            if name == self._current:
                self.choose(next(iter(self.buttons)))
            return
        before, self._current = self._current, name
        for key, button in self.buttons.items():
            button.setChecked(key == name)
        self._stop_at_chosen()
        if before != name:
            self.chosen.emit(name)

    def _stop_at_chosen(self) -> None:
        """The Tab key stops once; the arrow keys go on from there."""
        for key, button in self.buttons.items():
            stops = key == self._current
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if stops else Qt.FocusPolicy.ClickFocus)

    def _step(self, name: str, step: int) -> None:
        shown = [key for key, button in self.buttons.items() if not button.isHidden()]
        wanted = shown[(shown.index(name) + step) % len(shown)]
        self.choose(wanted)
        self.buttons[wanted].setFocus(Qt.FocusReason.TabFocusReason)

    def _round_ends(self) -> None:
        shown = [button for button in self.buttons.values() if not button.isHidden()]
        for place, button in enumerate(shown):
            edge = "first" if place == 0 else "last" if place == len(shown) - 1 else "middle"
            dress_as(button, edge=edge)
