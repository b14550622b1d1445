"""How risk tables are judged beyond their missing rule: the estimator, and what a missing value counts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from core.base.texts import mark, translate
from core.recipe.model import Combination, Estimator
from gui.shared.number_box import NumberBox
from gui.shared.wheel import ComboBox
from gui.theme import muted

_ESTIMATORS: tuple[tuple[Estimator, str, str], ...] = (
    ("exact", mark("Individual risk"), mark("The mean of 1/F by the exact formula: what is usual.")),
    ("truncated", mark("Individual risk, truncated"), mark("By the first terms of the formula, as older programs.")),
    ("calibrated", mark("Population model"), mark("Includes associations between key variables.")),
    ("log-linear", mark("Log-linear model"), mark("Of the keys and all their pairs.")),
    (
        "plug-in",
        mark("Plug-in 1/F"),
        mark("Below the individual risk: for comparison only, no file is protected by it."),
    ),
)


class Judging(QWidget):
    """`estimator` and, under the wildcard rule, `alpha`, each with a sentence.

    Signals
    -------
    estimator_chosen(str)
        For all risk tables.
    alpha_typed(float)
        For all combinations that count by wildcards.
    """

    estimator_chosen = Signal(str)
    alpha_typed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.estimator = ComboBox(objectName="estimator")
        for estimator, name, _sentence in _ESTIMATORS:
            self.estimator.addItem(translate(name), estimator)
        self.alpha = NumberBox("alpha")
        self.alpha.setMaximumWidth(70)
        self._by, self._counts = QLabel(translate("&Judged by")), QLabel(translate("al&pha"))
        self._by.setBuddy(self.estimator)
        self._counts.setBuddy(self.alpha)
        self.meaning = QLabel(objectName="estimatorMeaning", wordWrap=True)
        self.of_alpha = QLabel(
            translate("What a record counts for one with a value that it lacks: 1 fully, 0 not at all."),
            wordWrap=True,
        )
        for sentence in (self.meaning, self.of_alpha):
            muted(sentence)
        self.alpha.explain_by(self.of_alpha)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget, stretch in (
            (self._by, 0), (self.estimator, 0), (self.meaning, 1),
            (self._counts, 0), (self.alpha, 0), (self.of_alpha, 1), (self.alpha.message, 1),
        ):  # fmt: skip
            row.addWidget(widget, stretch)
        self.estimator.currentIndexChanged.connect(self._chosen)
        self.alpha.entered.connect(self._typed)

    def show_draft(self, draft: Sequence[Combination]) -> None:
        """Show what the combinations have; what none of them has is hidden."""
        by_risk = {c.estimator for c in draft if c.has_risk}
        alphas = {c.alpha for c in draft if c.criterion.has_missing_rule and c.missing_rule == "wildcard"}
        with QSignalBlocker(self.estimator):
            self.estimator.setCurrentIndex(self.estimator.findData(by_risk.copy().pop()) if len(by_risk) == 1 else -1)
        self._explain()
        self.alpha.set_value(alphas.copy().pop() if len(alphas) == 1 else None)
        for widget in (self._by, self.estimator, self.meaning):
            widget.setVisible(bool(by_risk))
        for widget in (self._counts, self.alpha, self.of_alpha):
            widget.setVisible(bool(alphas))
        self.setVisible(bool(by_risk or alphas))

    def _explain(self) -> None:
        place = self.estimator.currentIndex()
        differ = translate("The risk tables differ.")
        self.meaning.setText(differ if place < 0 else translate(_ESTIMATORS[place][2]))

    def _chosen(self, place: int) -> None:
        if place >= 0:
            self._explain()
            self.estimator_chosen.emit(self.estimator.itemData(place))

    def _typed(self, alpha: float) -> None:
        if 0.0 <= alpha <= 1.0:
            self.alpha_typed.emit(alpha)
        else:
            self.alpha.refuse(translate("Give a number from 0 to 1."))
