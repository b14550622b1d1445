"""Boxes of a form that edits one variable or several: a value in common, or nothing where they differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from core.base.texts import translate
from gui import dialogs, numbers
from gui.shared.number_box import NumberBox
from gui.specify_metadata.variable_model import EMPTY, code_text, codes_text, parse_codes
from gui.texts import as_tip

SEVERAL = object()
"""Stands for values that differ."""


def common(values: Sequence[Any]) -> Any:
    """The value that all have, else `SEVERAL`."""
    return values[0] if values and all(value == values[0] for value in values) else SEVERAL


class TextBox(QLineEdit):
    """Takes its text on Enter or on leaving; `entered(str)` only where it differs. Esc puts back what was there."""

    entered = Signal(str)

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(objectName=name)
        self._shown = ""
        self.setAccessibleName(accessible)
        self.editingFinished.connect(self.take)

    def show_value(self, value: Any) -> None:
        """Show a text, or that there are several."""
        self._shown = "" if value is SEVERAL else str(value)
        self.setPlaceholderText(translate("several") if value is SEVERAL else "")
        self.setText(self._shown)
        self.setCursorPosition(0)  # of a long text the beginning is seen

    def take(self) -> None:
        """Take what is typed."""
        if self.text() != self._shown:
            self._shown = self.text()
            self.entered.emit(self._shown)

    def event(self, event: QEvent) -> bool:
        """Undo and redo belong to the box only while it holds typing that was not taken."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and any(event.matches(key) for key in (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo))
            and self.text() == self._shown
        ):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text() != self._shown:
            self.setText(self._shown)
            event.accept()
            return
        super().keyPressEvent(event)


class TickBox(QCheckBox):
    """`chosen(bool)` when the user ticks it; half ticked where there are several values."""

    chosen = Signal(bool)

    def __init__(self, name: str, text: str, tip: str = "") -> None:
        super().__init__(text, objectName=name)
        self.setToolTip(as_tip(tip))
        self.clicked.connect(self._on_clicked)

    def show_value(self, value: Any) -> None:
        """Show true, false, or that there are several."""
        self.setTristate(value is SEVERAL)
        state = Qt.CheckState.PartiallyChecked if value is SEVERAL else Qt.CheckState(2 if value else 0)
        self.setCheckState(state)

    def _on_clicked(self) -> None:
        state = self.checkState() != Qt.CheckState.Unchecked
        self.setTristate(False)
        self.setChecked(state)
        self.chosen.emit(state)


class WholeBox(NumberBox):
    """A whole number between two bounds; `chosen(int)` for a good one, the message for another."""

    chosen = Signal(int)

    def __init__(self, name: str, low: int, high: int, accessible: str) -> None:
        super().__init__(name, lambda value: str(int(value)), numbers.parse_count)
        self._low, self._high = low, high
        self.setAccessibleName(accessible)
        self.setMaximumWidth(80)
        self.entered.connect(self._check)

    def show_value(self, value: Any) -> None:
        """Show a number, or that there are several."""
        self.setPlaceholderText(translate("several") if value is SEVERAL else "")
        self.set_value(None if value is SEVERAL else value)

    def _check(self, value: float) -> None:
        if not self._low <= value <= self._high:
            text = translate("A whole number from {low} to {high}.")
            self.refuse(text.format(low=self._low, high=self._high))
            return
        self.set_value(value)
        self.chosen.emit(int(value))


class PathBox(QWidget):
    """A path to type, with a button for the file dialog beside it; `entered(str)`."""

    entered = Signal(str)

    def __init__(self, name: str, accessible: str, title: str, filters: str, start: Callable[[], Path | None]) -> None:
        super().__init__()
        self.box = TextBox(name, accessible)
        self.button = QToolButton(objectName=f"{name}Browse", text="…")
        self.button.setAccessibleName(translate("Choose a file"))
        self.button.setToolTip(translate("Choose a file"))
        self._title, self._filters, self._start = title, filters, start
        self.button.clicked.connect(self._browse)
        self.box.entered.connect(self.entered)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.box, 1)
        row.addWidget(self.button)
        self.setFocusProxy(self.box)

    def show_value(self, value: Any) -> None:
        """Show a path, None for nothing."""
        self.box.show_value("" if value is None else value)

    def _browse(self) -> None:
        path = dialogs.open_file(self, self._title, self._filters, self._start())
        if path is not None:
            self.box.setText(str(path))
            self.box.take()


def show_all(visible: bool, *widgets: QWidget) -> None:
    """Show widgets or hide them."""
    for widget in widgets:
        widget.setVisible(visible)


def add_row(grid: QGridLayout, row: int, text: str, box: QWidget, span: int) -> None:
    """A label and its box over `span` columns."""
    label = QLabel(text)
    label.setBuddy(box)
    box.setAccessibleName(box.accessibleName() or text.replace("&", ""))
    grid.addWidget(label, row, 0)
    grid.addWidget(box, row, 1, 1, span)


def add_pair(grid: QGridLayout, row: int, column: int, text: str, box: QWidget) -> tuple[QWidget, QWidget]:
    """A label and its box beside each other; both."""
    label = QLabel(text)
    label.setBuddy(box)
    grid.addWidget(label, row, column)
    grid.addWidget(box, row, column + 1)
    return label, box


class MissingBoxes(QWidget):
    """`missing1`, `missing2` and `missing3`, the last for all further codes.

    Signals
    -------
    typed(tuple of str)
        The codes as they are to be.
    """

    typed = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self.edits = [TextBox(name, text) for name, text in (
            ("missing1", translate("First missing code")), ("missing2", translate("Second missing code")),
            ("missing3", translate("More missing codes")),
        )]  # fmt: skip
        self.edits[0].setToolTip(translate("What suppression writes"))
        self.edits[2].setToolTip(translate("More missing codes, separated by blanks"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for place, edit in zip(("1", "2", translate("more")), self.edits, strict=True):
            row.addWidget(QLabel(place))
            row.addWidget(edit, 1)
            edit.entered.connect(lambda _text: self.typed.emit(self._codes()))

    def show_codes(self, missing: Any) -> None:
        """Show codes, or that the selected variables have several."""
        if missing is SEVERAL:
            for box in self.edits:
                box.show_value(SEVERAL)
            return
        texts = [code_text(code) for code in missing[:2]] + ["", ""]
        self.edits[0].show_value(texts[0])
        self.edits[1].show_value(texts[1])
        self.edits[2].show_value(codes_text(missing[2:]))

    def _codes(self) -> tuple[str, ...]:
        codes: list[str] = []
        for box in self.edits[:2]:
            text = box.text().strip()
            codes += ["" if text in (EMPTY, translate(EMPTY), '""') else text] if text else []
        codes += parse_codes(self.edits[2].text())
        return tuple(dict.fromkeys(codes))
