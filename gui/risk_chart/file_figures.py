"""Figures of the file's risk as it stands, without regard to any threshold."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from core.base.one_in import tries
from core.base.texts import mark, translate
from core.risk.distribution import RiskDistribution
from gui import numbers
from gui.shared.parts.card import Card
from gui.shared.wheel import ComboBox
from gui.texts import as_tip
from gui.theme import muted


class FileFigures(Card):
    """Labels `maxRisk` (or another name), `fileRate`, `expectedReidentifications`, and the box `decimals` (3 to 7).

    Under the missing rule wildcard `rateObserved`, too: missing values make other records look safer there.
    """

    max_name: ClassVar[str] = "maxRisk"
    texts: ClassVar[tuple[tuple[str, str], ...]] = (
        (mark("Largest risk"), mark("The risk of the records easiest to recognise.")),
        (
            mark("Re-identification rate"),
            mark(
                "The mean of the records' risks, as the file is now. Under Threshold stands what it is at most after"
                " suppression."
            ),
        ),
        (
            mark("Expected re-identifications"),
            mark("The sum of the risks: so many records would be recognised if all were looked for."),
        ),
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("In the file now"), parent=parent)
        self._staircase: RiskDistribution | None = None
        self._threshold: float | None = None
        self.max_risk = QLabel(objectName=self.max_name)
        self.rate = QLabel(objectName="fileRate")
        self._rate_observed: float | None = None
        self.observed_name = QLabel(translate("Rate under “observed”"))
        self.observed = QLabel(objectName="rateObserved")
        self.expected = QLabel(objectName="expectedReidentifications")
        self.in_words = QLabel()
        self.decimals = ComboBox(objectName="decimals")
        self.decimals.addItems([str(n) for n in range(3, 8)])
        self.decimals.setAccessibleName(translate("Decimals shown"))
        self.body.setSpacing(4)
        for label, words in zip((self.max_risk, self.rate, self.expected), self.texts, strict=True):
            text, told = map(translate, words)
            name = QLabel(text)
            for each in (name, label):
                each.setToolTip(as_tip(told))
            label.setAccessibleName(text.replace("\n", " "))
            self._add_row(name, *((self.in_words, label) if label is self.max_risk else (label,)))
            if label is self.rate:
                self._add_observed()
        muted(self.max_risk)
        named = QLabel(translate("&Decimals shown"))
        named.setBuddy(self.decimals)
        self._add_row(named, self.decimals)

    def _add_observed(self) -> None:
        told = translate(
            "The rate if missing values never made another record safer. Under the rule chosen they agree with every"
            " value, and so the rate looks lower."
        )
        for each in (self.observed_name, self.observed):
            each.setToolTip(as_tip(told))
            each.hide()
        self.observed.setAccessibleName(self.observed_name.text())
        self._add_row(self.observed_name, self.observed)

    def _add_row(self, name: QLabel, *values: QWidget) -> None:
        row = QHBoxLayout()
        row.addWidget(name, 1)
        muted(name)
        for value in values:
            row.addWidget(value)
        self.body.addLayout(row)

    def set_staircase(self, staircase: RiskDistribution | None) -> None:
        """Show the figures of these risks; None shows none."""
        self._staircase = staircase
        self.refresh()

    def set_rate_observed(self, rate: float | None) -> None:
        """The rate under the rule observed, where another one has it look lower; None shows none."""
        self._rate_observed = rate
        for each in (self.observed_name, self.observed):
            each.setVisible(rate is not None)
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
        says_more = staircase is not None and tries(staircase.max_risk) > 1  # "1 in 1" would read as certainty
        self.in_words.setText(numbers.format_one_in(staircase.max_risk) if staircase and says_more else "")
        if staircase is None:
            for label in (self.max_risk, self.rate, self.expected):
                label.setText(numbers.MISSING)
            return
        highest = staircase.figured.max_risk
        apart = numbers.decimals_apart(decimals, highest, self._threshold)
        largest = numbers.format_number if apart > decimals else numbers.format_small
        self.max_risk.setText(largest(highest, apart))
        self.rate.setText(f"{numbers.format_small(100 * staircase.rate, decimals - 2)} %")
        if self._rate_observed is not None:
            self.observed.setText(f"{numbers.format_small(100 * self._rate_observed, decimals - 2)} %")
        self.expected.setText(numbers.format_small(staircase.expected_reidentifications, 1))
