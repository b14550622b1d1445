"""The forecast of a risk chart: what protection would cost at the threshold under the hand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from core.base.texts import mark, translate
from core.recipe.model import Mode
from core.suppression.forecast import Forecast
from gui import numbers
from gui.shared.parts.card import Card, add_rule
from gui.shared.parts.count_bars import CountBars
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.texts import as_tip
from gui.theme import muted, write_as

_ROOM = 170
"""Characters of the suppressions by variable; a longer list names the largest."""
_BREAK = "\N{ZERO WIDTH SPACE}"
_BARS = 5

_ABOUT = mark(
    "Unsafe records get blanks in key variables until each is below the threshold, at the least loss. A record with"
    " blanks is judged by how many people of the original file share its remaining values."
)
_ABOUT_TOUCHED = mark(
    "Records with a value suppressed. They can be more than the unsafe ones: a household variable is suppressed for all"
    " members of a household together."
)
_ABOUT_LOSS = mark(
    "Information that is blanked: rare values tell more than frequent ones, and a variable with many categories more"
    " than one with few. It is the entropy of the variables, in bits."
)


class ForecastPanel(Card):
    """Suppressions in total and by key variable, records touched, and loss, at one threshold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Forecast at this threshold"), "forecast", parent=parent)
        self._forecast: Forecast | None = None
        self._threshold: float | None = None
        self._named: tuple[str, ...] = ()
        self.total = QLabel(self, objectName="forecastSuppressions")
        self.by_variable = WrappedLabel(name="forecastByVariable", is_muted=True)
        self.records = QLabel(self, objectName="forecastRecords")
        self.loss = WrappedLabel(name="forecastLoss")
        self.mode = WrappedLabel(name="forecastMode", is_muted=True)
        self.note = WrappedLabel(name="forecastNote")
        self.also = WrappedLabel(name="forecastAlso")
        self.also.hide()
        self.bars = CountBars()
        self.setToolTip(translate(_ABOUT))
        write_as(self.total, "title")
        self.total.setAccessibleName(translate("suppressions"))
        self.by_variable.setAccessibleName(translate("suppressions by variable"))
        self.body.setSpacing(4)
        first = QHBoxLayout()
        first.addWidget(self.total)
        first.addWidget(QLabel(translate("values would be blanked"), self), 1, Qt.AlignmentFlag.AlignVCenter)
        self.body.addLayout(first)
        self.body.addWidget(self.bars)
        self.body.addWidget(self.by_variable)
        add_rule(self.body)
        grid = QGridLayout()
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        for row, (text, label, told) in enumerate(
            (
                (translate("Records touched"), self.records, translate(_ABOUT_TOUCHED)),
                (translate("Loss by suppression"), self.loss, translate(_ABOUT_LOSS)),
            )
        ):
            name = QLabel(text, self)
            muted(name)
            label.setAccessibleName(text)
            for each in (name, label):
                each.setToolTip(as_tip(told))
            grid.addWidget(name, row, 0)
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(label, row, 1)
        self.body.addLayout(grid)
        for label in (self.note, self.also, self.mode):
            self.body.addWidget(label)

    def set_forecast(self, forecast: Forecast | None, note: str = "") -> None:
        """Use this forecast from now on; None while there is none, with the reason."""
        self._forecast = forecast
        self._named = ()
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.mode.setVisible(not note)
        self.say_also("")
        self._refresh()

    def set_mode(self, mode: Mode) -> None:
        """Say by what each record is judged."""
        released = mode == "released-keys"
        self.mode.setText(
            translate("each record judged by its released key")
            if released
            else translate("each record judged by the original file")
        )

    def say_also(self, text: str) -> None:
        """Say what else the forecast meets; an empty text: nothing."""
        self.also.setText(text)
        self.also.setVisible(bool(text))

    def set_threshold(self, threshold: float | None) -> None:
        """Show the forecast at this threshold; None: nothing is unsafe."""
        self._threshold = threshold
        self._refresh()

    def _refresh(self) -> None:
        if self._forecast is None:
            for label in (self.total, self.by_variable, self.records, self.loss):
                label.setText(numbers.MISSING)
            self.by_variable.clear()
            self.by_variable.hide()
            self.bars.set_counts(())
            return
        point = self._forecast.at(self._threshold)
        exact = point.exact or not point.total
        self.total.setText(_at_most(numbers.format_count(point.total), exact))
        self._show_by_variable(point.by_variable)
        self.records.setText(numbers.format_count(point.records_touched))
        self.loss.setText(_at_most(self._loss_text(point.loss, point.entropy_loss), exact))
        self._say_limits(point.unsafe_left, exact)

    def _show_by_variable(self, counts: dict[str, int]) -> None:
        """The largest as bars, in an order that stays while a threshold is chosen; more of them in words.

        The words are in the order of the variables; where that is too long, the largest first and how many more.
        """
        if not self._named:
            self._named = tuple(sorted(counts, key=lambda name: -counts[name])[:_BARS])
        self.bars.set_counts([(name, counts[name]) for name in self._named])
        self.by_variable.setVisible(len(counts) > _BARS)
        parts = [_part(name, count) for name, count in counts.items()]
        self.by_variable.setToolTip("")
        if sum(map(len, parts)) > _ROOM:
            self.by_variable.setToolTip(as_tip("\n".join(parts)))
            parts = [_part(name, counts[name]) for name in sorted(counts, key=lambda name: -counts[name])]
            kept = next(i for i in range(len(parts), 0, -1) if i == 1 or sum(map(len, parts[:i])) <= _ROOM)
            parts = [*parts[:kept], translate("and {number} more").format(number=len(parts) - kept)]
        self.by_variable.setText(", ".join(parts).replace("_", f"_{_BREAK}"))

    def _loss_text(self, loss: float, entropy_loss: float) -> str:
        assert self._forecast is not None
        bits = translate("{loss} bits").format(loss=numbers.format_number(entropy_loss, 1))
        if self._forecast.costs.criterion != "weights":
            return bits
        return translate("{loss} by weights, {bits}").format(loss=numbers.format_number(loss, 1), bits=bits)

    def _say_limits(self, unsafe_left: int, exact: bool) -> None:
        if unsafe_left:
            text = translate("{count} records stay unsafe: this threshold cannot be met.").format(
                count=numbers.format_count(unsafe_left)
            )
        elif not exact:
            text = translate("An upper bound: the optimum may be lower.")
        else:
            text = ""
        self.note.setText(text)
        self.note.setVisible(bool(text))


def _at_most(text: str, exact: bool) -> str:
    return text if exact else translate("at most {figure}").format(figure=text)


def _part(name: str, count: int) -> str:
    return f"{name}\N{NO-BREAK SPACE}{numbers.format_count(count)}"
