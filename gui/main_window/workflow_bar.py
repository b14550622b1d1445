"""The seven steps at the left of the main window; each opens its window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from gui.main_window.workflow import WorkStep
from gui.texts import as_tip
from gui.theme import muted, pixmap, theme

WIDTH = 168
_STATE_TEXT = {
    "later": mark("not yet"),
    "open": mark("to do"),
    "done": mark("done"),
    "attention": mark("needs attention"),
}


class StepButton(QPushButton):
    """Number, title with a short detail below, and a sign: a check, or a warning triangle."""

    def __init__(self, number: int, step: WorkStep) -> None:
        super().__init__(objectName=f"step{step.name}", flat=True)
        self._number = QLabel(str(number))
        self._title = QLabel(step.title)
        self._detail = QLabel()
        self._sign = QLabel()
        self._state = step.state
        muted(self._number)
        muted(self._detail)
        small = self._detail.font()
        small.setPointSizeF(small.pointSizeF() * 0.88)
        self._detail.setFont(small)
        for label in (self._number, self._title, self._detail, self._sign):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(10, 5, 10, 5)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._number, 0, 0)
        grid.addWidget(self._title, 0, 1)
        grid.addWidget(self._detail, 1, 1)
        grid.addWidget(self._sign, 0, 2, 2, 1)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_step(self, step: WorkStep, reason_against: str) -> None:
        """Show the state of a step; `reason_against` says why its window cannot be opened."""
        self._state = step.state
        self._detail.setText(step.detail)
        self._detail.setVisible(bool(step.detail))
        scheme = theme.scheme
        ratio = self.devicePixelRatioF()
        for label in (self._number, self._title):
            label.setEnabled(step.state != "later")
        if step.state in ("later", "open"):
            self._sign.clear()
        elif step.state == "done":
            self._sign.setPixmap(pixmap("check", 16, scheme.accent, ratio))
        else:
            self._sign.setPixmap(pixmap("attention", 16, scheme.attention, ratio))
        self.setEnabled(not reason_against)
        state = translate(_STATE_TEXT[step.state])
        self.setAccessibleName(f"{self._number.text()} {step.title}: {state}")
        self.setAccessibleDescription(" ".join(part for part in (step.detail, step.reason) if part))
        self.setToolTip(as_tip(reason_against or step.reason or f"{step.title}: {state}"))

    def sizeHint(self) -> QSize:
        hint = self._grid.sizeHint()
        return QSize(WIDTH, max(hint.height(), 44))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class WorkflowBar(QWidget):
    """`workflowBar` with `stepData` … `stepReport`; `chosen(window)` when a step is clicked."""

    chosen = Signal(str)

    def __init__(self, steps: Sequence[WorkStep]) -> None:
        super().__init__(objectName="workflowBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(translate(mark("Steps")))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 10, 6, 10)
        layout.setSpacing(2)
        self._buttons: dict[str, StepButton] = {}
        self._windows = {step.name: step.window for step in steps}
        for number, step in enumerate(steps, start=1):
            button = StepButton(number, step)
            button.clicked.connect(lambda _=False, name=step.name: self.chosen.emit(self._windows[name]))
            layout.addWidget(button)
            self._buttons[step.name] = button
        layout.addStretch(1)
        self.setFixedWidth(WIDTH + 12)

    def show_steps(self, steps: Sequence[WorkStep], reasons_against: dict[str, str]) -> None:
        """Show the steps as they stand; reasons by window name."""
        self._windows = {step.name: step.window for step in steps}
        for step in steps:
            self._buttons[step.name].show_step(step, reasons_against.get(step.window, ""))

    def button(self, name: str) -> StepButton:
        """The button of a step, by its English name."""
        return self._buttons[name]
