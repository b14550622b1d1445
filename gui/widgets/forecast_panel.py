"""The forecast of a risk chart: what protection would cost at the threshold under the hand."""

from __future__ import annotations

from PySide6.QtWidgets import QFormLayout, QGroupBox, QLabel, QWidget

from core.suppression.forecast import Forecast
from core.texts import translate
from gui import numbers


class ForecastPanel(QGroupBox):
    """Suppressions in total and by key variable, records touched, and loss, at one threshold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Forecast at this threshold"), parent)
        self._forecast: Forecast | None = None
        self._threshold: float | None = None
        self.total = QLabel(self, objectName="forecastSuppressions")
        self.by_variable = QLabel(self, objectName="forecastByVariable")
        self.records = QLabel(self, objectName="forecastRecords")
        self.loss = QLabel(self, objectName="forecastLoss")
        self.note = QLabel(self, objectName="forecastNote")
        for label in (self.by_variable, self.note):
            label.setWordWrap(True)
        form = QFormLayout(self)
        form.setVerticalSpacing(3)
        form.addRow(translate("suppressions"), self.total)
        form.addRow("", self.by_variable)
        form.addRow(translate("records touched"), self.records)
        form.addRow(translate("loss"), self.loss)
        form.addRow(self.note)

    def set_forecast(self, forecast: Forecast | None, note: str = "") -> None:
        """Use this forecast from now on; None while there is none, with the reason."""
        self._forecast = forecast
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self._refresh()

    def set_threshold(self, threshold: float | None) -> None:
        """Show the forecast at this threshold; None: nothing is unsafe."""
        self._threshold = threshold
        self._refresh()

    def _refresh(self) -> None:
        if self._forecast is None:
            for label in (self.total, self.by_variable, self.records, self.loss):
                label.setText("–")
            return
        point = self._forecast.at(self._threshold)
        self.total.setText(numbers.format_count(point.total))
        parts = [f"{name}\N{NO-BREAK SPACE}{numbers.format_count(count)}" for name, count in point.by_variable.items()]
        self.by_variable.setText(" · ".join(parts))
        self.records.setText(numbers.format_count(point.records_touched))
        self.loss.setText(self._loss_text(point.loss, point.entropy_loss))
        self._say_limits(point.unsafe_left, point.exact)

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
