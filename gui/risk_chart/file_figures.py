"""Figures of the file's risk as it stands, without regard to any threshold."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtWidgets import QComboBox, QFormLayout, QGroupBox, QLabel, QWidget

from core.base.texts import mark, translate
from core.risk.staircase import Staircase
from gui import numbers


class FileFigures(QGroupBox):
    """Labels `maxRisk` (or another name), `fileRate`, `expectedReidentifications`, and the box `decimals` (3 to 7)."""

    max_name: ClassVar[str] = "maxRisk"
    texts: ClassVar[tuple[tuple[str, str], ...]] = (
        (mark("maximum risk"), mark("The risk of the records easiest to recognise.")),
        (
            mark("re-identification rate"),
            mark(
                "The mean of the records' risks, as the file is now. Under Threshold stands what it is at most after"
                " suppression."
            ),
        ),
        (
            mark("expected re-identifications"),
            mark("The sum of the risks: so many records would be recognised if all were looked for."),
        ),
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("In the file"), parent)
        self._staircase: Staircase | None = None
        self._threshold: float | None = None
        self.max_risk = QLabel(objectName=self.max_name)
        self.rate = QLabel(objectName="fileRate")
        self.expected = QLabel(objectName="expectedReidentifications")
        self.decimals = QComboBox(objectName="decimals")
        self.decimals.addItems([str(n) for n in range(3, 8)])
        self.decimals.setAccessibleName(translate("Decimals shown"))
        form = QFormLayout(self)
        form.setVerticalSpacing(3)
        for label, words in zip((self.max_risk, self.rate, self.expected), self.texts, strict=True):
            text, told = map(translate, words)
            form.addRow(text, label)
            label.setToolTip(told)
            form.labelForField(label).setToolTip(told)
            label.setAccessibleName(text.replace("\n", " "))
        form.addRow(translate("&decimals shown"), self.decimals)

    def set_staircase(self, staircase: Staircase | None) -> None:
        """Show the figures of these risks; None shows none."""
        self._staircase = staircase
        self.refresh()

    def set_threshold(self, threshold: float | None) -> None:
        """Never show the largest risk equal to this threshold of the same risk where it is below."""
        self._threshold = threshold
        self.refresh()

    def set_decimals(self, decimals: int) -> None:
        """Show so many decimals of a risk."""
        self.decimals.setCurrentText(str(decimals))
        self.refresh()

    def refresh(self) -> None:
        """Show the figures with the decimals chosen."""
        staircase, decimals = self._staircase, int(self.decimals.currentText())
        if staircase is None:
            for label in (self.max_risk, self.rate, self.expected):
                label.setText(numbers.MISSING)
            return
        highest = staircase.figured.max_risk
        apart = numbers.decimals_apart(decimals, highest, self._threshold)
        largest = numbers.format_number if apart > decimals else numbers.format_small
        self.max_risk.setText(largest(highest, apart))
        self.rate.setText(f"{numbers.format_small(100 * staircase.rate, decimals - 2)} %")
        self.expected.setText(numbers.format_small(staircase.expected_reidentifications, 1))
