"""Whether the records of a table are judged by the promise about the population size of their cell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from core.base.texts import mark, translate
from gui import numbers
from gui.shared.labels import ElidedLabel
from gui.theme import muted

if TYPE_CHECKING:
    from core.session import RiskTable

CHANCE = 0.05
"""What is allowed where the recipe does not say it."""
_NEAR_INTEGER = 1e-9

BY_PROMISE = mark("Judge {combination} by the promise about the population size")
BY_RISK = mark("Judge {combination} by the expected risk")
_ABOUT = mark(
    "By the expected risk a record is unsafe where its risk reaches the threshold on average. By the promise it is"
    " unsafe where the model cannot rule out, with the chance named, that so few people share its values."
)
_NOT_HERE = mark("A household threshold stands here, and the promise judges records by themselves.")


class PromiseChoice(QWidget):
    """Box `judgeByPromise` with its sentence `promiseSentence`; hidden where no calibrated model judges.

    Signals
    -------
    chosen(bool)
        The user wants the promise to judge, or the expected risk.
    """

    chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("promise")
        self.box = QCheckBox(
            translate("Judge by the &promise about the population size of the cell"), objectName="judgeByPromise"
        )
        self.sentence = ElidedLabel(objectName="promiseSentence")
        muted(self.sentence)
        self.box.clicked.connect(self.chosen)
        self._chance = CHANCE
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.box)
        row.addWidget(self.sentence, 1)
        self.hide()

    def show_table(self, table: RiskTable) -> None:
        """Show how this table is judged."""
        by_households = table.household is not None and table.household.asked
        self._chance = CHANCE if table.promise is None else table.promise.exceedance
        self.box.setChecked(table.promise is not None)
        self.box.setEnabled(not by_households)
        self.box.setToolTip(translate(_NOT_HERE if by_households else _ABOUT))
        self.setVisible(table.combination.estimator == "calibrated")

    def show_threshold(self, threshold: float | None) -> None:
        """Say what is promised at a threshold; None: above every risk."""
        people = math.floor(1.0 / (threshold or 1.0) + _NEAR_INTEGER)
        told = translate("At most {chance} % chance that somebody stands at 1 in {people} or above.")
        self.sentence.setText(
            told.format(chance=numbers.format_exact(100.0 * self._chance), people=numbers.format_count(people))
        )
