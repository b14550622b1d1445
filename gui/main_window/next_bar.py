"""The next thing to do, with the buttons that do it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from core.base.texts import mark, translate
from gui.main_window.workflow import Next
from gui.plain import as_tip
from gui.theme import heading


class NextBar(QFrame):
    """`nextBar` with `nextSentence`; its buttons are called ``next_<window>``. `chosen(window)`."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__(objectName="nextBar")
        self._label = QLabel(translate(mark("Next:")))
        heading(self._label, 1.0)
        self._sentence = QLabel(objectName="nextSentence")
        self._sentence.setWordWrap(True)
        self._sentence.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._buttons = QHBoxLayout()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.addWidget(self._label)
        row.addWidget(self._sentence, 1)
        row.addLayout(self._buttons)

    def show_next(self, thing: Next, reason_against: Callable[[str], str]) -> None:
        """Show a sentence and its buttons; those that cannot be used now say why."""
        self.setVisible(bool(thing.sentence))
        self._sentence.setText(thing.sentence)
        had_focus = self.focusWidget() is not None and self.focusWidget().hasFocus()
        while (item := self._buttons.takeAt(0)) is not None:
            _discard(item.widget())
        before: QWidget = self._sentence
        for text, window in thing.offers:
            button = QPushButton(text, objectName=f"next_{window}")
            reason = reason_against(window)
            button.setEnabled(not reason)
            button.setToolTip(as_tip(reason))
            button.clicked.connect(lambda _=False, window=window: self.chosen.emit(window))
            self._buttons.addWidget(button)
            QWidget.setTabOrder(before, button)
            before = button
        if had_focus:
            self.take_focus()

    def take_focus(self) -> bool:
        """Let Enter do the next thing; False where nothing can be done now."""
        for place in range(self._buttons.count()):
            item = self._buttons.itemAt(place)
            button = item.widget() if item is not None else None
            if button is not None and button.isEnabled():
                button.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False


def _discard(widget: QWidget | None) -> None:
    if widget is not None:
        widget.hide()
        widget.deleteLater()
