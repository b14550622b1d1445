"""Choose for me: a threshold by what it should achieve, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import PavoError
from core.risk.linked import LinkedNumbers, by_rate, by_records, by_risk
from core.risk.staircase import Staircase
from core.texts import translate
from gui import numbers

if TYPE_CHECKING:
    from core.suppression.forecast import Forecast


class ChooseThreshold(QDialog):
    """Three goals, each with the number it takes and the forecast of what it costs.

    Parameters
    ----------
    one_in : the goal that is a threshold, in words

    Signals
    -------
    chosen(LinkedNumbers)
        OK: the threshold that reaches the goal.
    """

    chosen = Signal(object)

    def __init__(
        self, staircase: Staircase, forecast: Forecast | None, parent: QWidget | None = None, one_in: str = ""
    ) -> None:
        super().__init__(parent, objectName="chooseThreshold")
        self.setWindowTitle(translate("Choose a threshold"))
        self._staircase, self._forecast = staircase, forecast
        self._goals: list[tuple[QRadioButton, QLineEdit, QLabel]] = []
        self._linked: list[LinkedNumbers | None] = []
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(translate("What should the released file guarantee?")))
        grid = QGridLayout()
        grid.setColumnStretch(0, 1)
        grid.setVerticalSpacing(4)
        expected = max(1.0, round(staircase.expected_reidentifications / 2))
        self._add(grid, "goalExpected", translate("expected re-identifications: at most"), f"{expected:.0f}")
        self._add(grid, "goalOneIn", one_in or translate("no record's risk above 1 in"), "1000")
        self._add(grid, "goalRecords", translate("unsafe records: at most"), str(max(1, staircase.n // 20)))
        layout.addLayout(grid)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._buttons.accepted.connect(self._accept)
        self._buttons.rejected.connect(self.reject)
        layout.addWidget(self._buttons)
        self._goals[0][0].setChecked(True)
        self.setMinimumWidth(480)
        self._refresh()

    def _add(self, grid: QGridLayout, name: str, text: str, value: str) -> None:
        row = 2 * len(self._goals)
        button = QRadioButton(text, self, objectName=name)
        box = QLineEdit(value, self, objectName=f"{name}Number")
        box.setAccessibleName(text)
        forecast = QLabel(self, objectName=f"{name}Forecast")
        forecast.setWordWrap(True)
        forecast.setIndent(24)
        grid.addWidget(button, row, 0)
        grid.addWidget(box, row, 1)
        grid.addWidget(forecast, row + 1, 0, 1, 2)
        box.textEdited.connect(lambda _text: button.setChecked(True))
        box.textChanged.connect(self._refresh)
        button.toggled.connect(self._refresh)
        self._goals.append((button, box, forecast))

    def _refresh(self) -> None:
        self._linked = []
        for goal, (_button, box, label) in enumerate(self._goals):
            linked = self._reach(goal, box.text())
            self._linked.append(linked)
            label.setText(self._wanted(goal) if linked is None else self._forecast_text(linked))
        ok = any(b.isChecked() and linked for (b, _, _), linked in zip(self._goals, self._linked, strict=True))
        if hasattr(self, "_buttons"):
            self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(ok)

    def _reach(self, goal: int, text: str) -> LinkedNumbers | None:
        """The threshold that reaches a goal; None where the number is none that it can take."""
        try:
            if goal == 0:
                return by_rate(self._staircase, numbers.parse_number(text).value / self._staircase.n)
            if goal == 1:
                return by_risk(self._staircase, 1 / numbers.parse_number(text).value)
            return by_records(self._staircase, int(numbers.parse_count(text).value), None)
        except (PavoError, ValueError, ZeroDivisionError):
            return None

    def _wanted(self, goal: int) -> str:
        """What a goal takes."""
        records = numbers.format_count(self._staircase.n)
        return (
            translate("Type a number above 0 and up to {records}."),
            translate("Type a number from 1 on."),
            translate("Type a whole number from 0 to {records}."),
        )[goal].format(records=records)

    def _forecast_text(self, linked: LinkedNumbers) -> str:
        if linked.threshold is None:
            return translate("The file meets this as it is: no record is unsafe.")
        text = translate("threshold {threshold}, {unsafe} unsafe records").format(
            threshold=numbers.format_exact(float(f"{linked.threshold:.5g}")), unsafe=numbers.format_count(linked.unsafe)
        )
        if self._forecast is None:
            return text
        point = self._forecast.at(linked.threshold)
        if point.unsafe_left:
            return text + "; " + translate("cannot be met for {count} of them").format(count=point.unsafe_left)
        return (
            text
            + "; "
            + translate("{total} suppressions in {records} records").format(
                total=numbers.format_count(point.total), records=numbers.format_count(point.records_touched)
            )
        )

    def _accept(self) -> None:
        for (button, _, _), linked in zip(self._goals, self._linked, strict=True):
            if button.isChecked() and linked is not None:
                self.chosen.emit(linked)
                self.accept()
                return
