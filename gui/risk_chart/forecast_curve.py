"""The risk–utility curve of a risk chart: how it is drawn, saved as a picture and shown as figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.base.errors import PavoError
from core.base.texts import translate
from core.report.blocks import Curve
from gui.risk_chart import pictures
from gui.risk_chart.forecast import RiskUtilityChart
from gui.shared.charts.chart_menu import ChartMenu
from gui.shared.table.model import Column

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
    household : whether the thresholds are those of the household risk
    """

    def __init__(
        self,
        chart: RiskUtilityChart,
        title: Callable[[], str],
        refuse: Callable[[PavoError], None],
        household: bool = False,
    ) -> None:
        self._chart, self._title, self._household = chart, title, household
        self._forecast: Forecast | None = None
        self._threshold: float | None = None
        self._before: Forecast | None = None
        self._up_to: float | None = None
        ChartMenu(chart, "riskUtilityCurve", self._picture, self._figures, refuse)

    def show(self, forecast: Forecast | None, up_to: float | None = None) -> None:
        """Draw this forecast, where it costs something at every threshold up to `up_to`; None: nothing."""
        self._forecast, self._up_to = forecast, up_to
        if forecast is None:
            self._chart.clear_curves()
        else:
            points = forecast.curve(_POINTS, up_to=up_to)
            self._chart.set_curve(_quantity(forecast), *points, forecast.remaining())
            self.show_before(self._before)

    def show_before(self, forecast: Forecast | None) -> None:
        """Draw another one beneath it, as far as that goes; None: none."""
        self._before = forecast
        if forecast is None:
            self._chart.set_before(None, None)
        else:
            self._chart.set_before(*forecast.curve(_POINTS, up_to=self._up_to), forecast.remaining())
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
        curve = Curve(self._title(), (), None, _quantity(forecast), household=self._household)
        return pictures.curve_picture(forecast, _POINTS, self._up_to, self._threshold, curve)

    def _figures(self) -> Sequence[Column]:
        return () if self._forecast is None else pictures.curve_columns(self._forecast, _POINTS, self._up_to)


def _quantity(forecast: Forecast) -> str:
    return translate("loss (bits)") if forecast.costs.criterion == "entropy" else translate("loss (by weights)")
