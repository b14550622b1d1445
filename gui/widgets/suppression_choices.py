"""How values are chosen for suppression: criterion, weights, mode, and what that would cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGroupBox, QLabel, QVBoxLayout, QWidget

from core.recipe.model import Criterion, Mode, Suppression
from core.texts import mark, translate
from gui.theme import muted, theme
from gui.widgets.choice import Choice, Option
from gui.widgets.suppression_weights import SuppressionWeights, WeightRow

_CRITERIA: tuple[Option[Criterion], ...] = (
    Option(
        "entropy",
        mark("Lose as little information as possible (entropy)"),
        mark("A value costs the information that its variable carries. Variables with few or very unequal codes go"
             " first."),
    ),
    Option(
        "weights",
        mark("Spare the variables I weight highest (weights)"),
        mark("A value costs the weight that you give its variable: 0 goes first, 100 last."),
    ),
    Option(
        "none",
        mark("Suppress nothing (none)"),
        mark("The file is written with its recodings only. Records above a threshold stay as they are."),
    ),
)  # fmt: skip
_MODES: tuple[Option[Mode], ...] = (
    Option(
        "original-counts",
        mark("Judge each record by the original file (recommended)"),
        mark("Each record is judged by the original file: what remains of it is looked up there, after recoding."),
    ),
    Option(
        "released-counts",
        mark("Judge by the released file, blanks match anything"),
        mark("Fewer blanks, weaker protection: every blank makes other records look safer too."),
    ),
)


class SuppressionChoices(QGroupBox):
    """`criterion`, `mode`, `suppressionWeights`, `suppressionForecast`.

    Signals
    -------
    changed(Suppression)
    weight_entered(name, weight)
    """

    changed = Signal(object)
    weight_entered = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Which values are suppressed"), parent)
        self._suppression = Suppression()
        self.criterion = Choice("criterion", translate("Criterion"), _CRITERIA, self)
        self.mode = Choice("mode", translate("Mode"), _MODES, self)
        self.weights = SuppressionWeights()
        self.refusal = QLabel(objectName="suppressionWeightsMessage")
        self.forecast = QLabel(objectName="suppressionForecast")
        self.note = QLabel(objectName="suppressionNote")
        for label in (self.refusal, self.forecast, self.note):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.hide()
        muted(self.note)
        layout = QVBoxLayout(self)
        layout.setSpacing(6)
        for widget in (
            self.criterion.box,
            self.criterion.meaning,
            self.weights,
            self.refusal,
            self.mode.box,
            self.mode.meaning,
            self.note,
            self.forecast,
        ):
            layout.addWidget(widget)
        self.criterion.box.currentIndexChanged.connect(lambda _index: self._chosen())
        self.mode.box.currentIndexChanged.connect(lambda _index: self._chosen())
        self.weights.entered.connect(self._weight_entered)
        self.weights.refused.connect(self._refuse)

    def offer(self, criteria: Sequence[Criterion], modes: Sequence[Mode]) -> None:
        """Show only what can be carried out."""
        self.criterion.offer(criteria)
        self.mode.offer(modes)

    def show_choices(self, suppression: Suppression, weights: Sequence[WeightRow]) -> None:
        """Show what is chosen."""
        self._suppression = suppression
        self.criterion.show_value(suppression.criterion)
        self.mode.show_value(suppression.mode)
        self.weights.set_rows(weights)
        suppressing = suppression.criterion != "none"
        self.weights.setVisible(suppression.criterion == "weights")
        self.mode.box.setVisible(suppressing and not self.mode.alone)
        self.mode.meaning.setVisible(suppressing)
        self._say(self.refusal, "")

    def say_forecast(self, text: str) -> None:
        """What the choices would cost; empty while that is not known."""
        self._say(self.forecast, text)

    def say_note(self, text: str) -> None:
        """Why something is not offered."""
        self._say(self.note, text)

    def _chosen(self) -> None:
        criterion, mode = self.criterion.value, self.mode.value
        if criterion is not None and mode is not None:
            self.changed.emit(replace(self._suppression, criterion=criterion, mode=mode))

    def _weight_entered(self, name: str, weight: int) -> None:
        self._say(self.refusal, "")
        self.weight_entered.emit(name, weight)

    def _refuse(self, text: str) -> None:
        self.refusal.setStyleSheet(f"color: {theme.scheme.unsafe_text};")
        self._say(self.refusal, text)

    @staticmethod
    def _say(label: QLabel, text: str) -> None:
        label.setText(text)
        label.setVisible(bool(text))
