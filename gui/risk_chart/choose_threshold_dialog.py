"""Choose for me: a threshold by what it should achieve, in plain words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import PavoError
from core.base.texts import plural, translate
from core.risk.distribution import RiskDistribution
from core.risk.household import HouseholdStaircase
from core.risk.linked_numbers import LinkedNumbers, by_rate, by_records, by_risk
from gui import numbers
from gui.shared.ordered_dialog import OrderedDialog
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.theme import heading

if TYPE_CHECKING:
    from core.suppression.forecast import Forecast


class ChooseThreshold(OrderedDialog):
    """Two guarantees and a limit of the work, each with the number it takes and the forecast of what it costs.

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
        self, staircase: RiskDistribution, forecast: Forecast | None, parent: QWidget | None = None, one_in: str = ""
    ) -> None:
        super().__init__(parent, objectName="chooseThreshold")
        self.setWindowTitle(translate("Choose a threshold"))
        self._staircase, self._forecast = staircase, forecast
        self._goals: list[tuple[QRadioButton, QLineEdit, QLabel]] = []
        self._linked: list[LinkedNumbers | None] = []
        layout = QVBoxLayout(self)
        expected = translate("expected re-identifications: at most")
        if isinstance(staircase, HouseholdStaircase):
            expected = translate("expected records of re-identified households: at most")
        half = max(1.0, round(staircase.expected_reidentifications / 2))
        grid = _titled(layout, "guarantees", translate("What should the released file guarantee?"))
        self._add(grid, "goalExpected", expected, f"{half:.0f}")
        middle = _middle(staircase)
        self._add(grid, "goalOneIn", one_in or translate("no record's risk above 1 in"), f"{middle}")
        self._add_note(
            layout,
            "proposedOneIn",
            translate("1 in {middle} lies midway between the smallest and the largest risk of this file.").format(
                middle=numbers.format_count(middle)
            ),
        )
        layout.addSpacing(10)
        grid = _titled(layout, "limits", translate("Or limit the work"))
        limited = translate("unsafe records: at most") if forecast is None else translate("records touched: at most")
        self._add(grid, "goalRecords", limited, str(max(1, staircase.n // 20)))
        self._add_note(
            layout,
            "limitsMeaning",
            translate("This is no protection goal: it limits how many records change, whatever risk is left."),
        )
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._buttons.accepted.connect(self._accept)
        self._buttons.rejected.connect(self.reject)
        layout.addWidget(self._buttons)
        self._goals[0][0].setChecked(True)
        self.setMinimumWidth(max(480, layout.minimumSize().width()))
        self._refresh()

    def sizeHint(self) -> QSize:
        """As high as its sentences need in its least width; a screen may have no room for them in one line."""
        width, layout = self.minimumWidth(), self.layout()
        assert layout is not None, "it was just made"
        return QSize(width, layout.totalHeightForWidth(width))

    def _add_note(self, layout: QVBoxLayout, name: str, text: str) -> None:
        layout.addWidget(WrappedLabel(text, name, is_muted=True))
        layout.addSpacing(6)

    def _add(self, grid: QGridLayout, name: str, text: str, value: str) -> None:
        row = 2 * len(self._goals)
        button = QRadioButton(text, self, objectName=name)
        box = QLineEdit(value, self, objectName=f"{name}Number")
        box.setAccessibleName(text)
        forecast = WrappedLabel(name=f"{name}Forecast")
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
            return self._by_touched(int(numbers.parse_count(text).value))
        except (PavoError, ValueError, ZeroDivisionError):
            return None

    def _by_touched(self, most: int) -> LinkedNumbers:
        """The lowest threshold at which at most so many records lose a value; without a forecast: are unsafe."""
        if self._forecast is None:
            return by_records(self._staircase, most, None)
        if most < 0:
            raise ValueError
        return by_risk(self._staircase, self._forecast.threshold_for_touched(self._staircase.levels, most))

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
        text = plural(
            linked.unsafe, "threshold {threshold}, {n} unsafe record", "threshold {threshold}, {n} unsafe records"
        )
        threshold = numbers.format_exact(float(f"{linked.threshold:.5g}"))
        parts = [translate(text).format(threshold=threshold, n=numbers.format_count(linked.unsafe))]
        if self._forecast is not None:
            parts.append(_cost(self._forecast, linked.threshold))
        return "; ".join(parts)

    def _accept(self) -> None:
        for (button, _, _), linked in zip(self._goals, self._linked, strict=True):
            if button.isChecked() and linked is not None:
                self.chosen.emit(linked)
                self.accept()
                return


def _titled(layout: QVBoxLayout, name: str, title: str) -> QGridLayout:
    """A heading and, under it, a grid for goals."""
    label = QLabel(title, objectName=name)
    heading(label, 1.0)
    layout.addWidget(label)
    grid = QGridLayout()
    grid.setColumnStretch(0, 1)
    grid.setVerticalSpacing(4)
    layout.addLayout(grid)
    return grid


def _middle(staircase: RiskDistribution) -> int:
    """One in how many: the geometric mean of smallest and largest risk, as the chart has it, in one digit of 1, 2, 5.

    Any fixed number makes all of one file unsafe and nothing of another.
    """
    one_in = 1.0 / (staircase.min_risk * staircase.max_risk) ** 0.5 if staircase.n else 1.0
    power = 10 ** math.floor(math.log10(one_in))
    return min((1 * power, 2 * power, 5 * power, 10 * power), key=lambda each: abs(math.log(each / one_in)))


def _cost(forecast: Forecast, threshold: float) -> str:
    """What a threshold takes, in words."""
    point = forecast.at(threshold)
    if point.unsafe_left:
        return translate("cannot be met for {count} of them").format(count=numbers.format_count(point.unsafe_left))
    values = plural(point.total, "{n} suppression", "{n} suppressions")
    records = plural(point.records_touched, "in {n} record", "in {n} records")
    counts = numbers.format_count(point.total), numbers.format_count(point.records_touched)
    return " ".join(translate(text).format(n=n) for text, n in zip((values, records), counts, strict=True))
