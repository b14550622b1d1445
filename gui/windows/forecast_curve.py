"""The risk–utility curve of a risk chart: how it is drawn, saved as a picture and shown as figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.errors import PavoError
from core.texts import translate
from gui.models.columns import Column
from gui.widgets import risk_pictures as pictures
from gui.widgets.chart_menu import ChartMenu
from gui.widgets.risk_utility_chart import RiskUtilityChart

if TYPE_CHECKING:
    from core.suppression.forecast import Forecast

_POINTS = 400


class ForecastCurve:
    """Shows forecasts in a `RiskUtilityChart`.

    Parameters
    ----------
    chart : where it is drawn
    title : gives the picture's title when it is saved
    refuse : shows why a picture could not be written
    """

    def __init__(self, chart: RiskUtilityChart, title: Callable[[], str], refuse: Callable[[PavoError], None]) -> None:
        self._chart, self._title = chart, title
        self._forecast: Forecast | None = None
        self._threshold: float | None = None
        ChartMenu(chart, "riskUtilityCurve", self._picture, self._figures, refuse)

    def show(self, forecast: Forecast | None) -> None:
        """Draw this forecast; None: nothing."""
        self._forecast = forecast
        if forecast is None:
            self._chart.clear_curves()
        else:
            self._chart.set_curve(_quantity(forecast), *forecast.curve(_POINTS))
            self.mark(self._threshold)

    def show_before(self, forecast: Forecast | None) -> None:
        """Draw another one beneath it; None: none."""
        self._chart.set_before(*((None, None) if forecast is None else forecast.curve(_POINTS)))
        self.mark(self._threshold)

    def mark(self, threshold: float | None) -> None:
        """Mark a threshold and what it costs."""
        self._threshold = threshold
        if self._forecast is not None:
            self._chart.set_point(threshold, self._forecast.at(threshold).loss)

    def _picture(self) -> str:
        forecast = self._forecast
        if forecast is None:
            return ""
        return pictures.curve_picture(forecast, _POINTS, self._threshold, self._title(), _quantity(forecast))

    def _figures(self) -> Sequence[Column]:
        return () if self._forecast is None else pictures.curve_columns(self._forecast, _POINTS)


def _quantity(forecast: Forecast) -> str:
    return translate("loss (bits)") if forecast.costs.criterion == "entropy" else translate("loss (by weights)")
