"""Risk–utility curve: what protection costs at every threshold, with the current one on it, drawn and as figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QGraphicsEllipseItem, QGraphicsItem, QWidget

from core.base.errors import PavoError
from core.base.texts import translate
from core.report.blocks import Curve
from gui.paint_queue import paint_apart
from gui.risk_chart import pictures
from gui.shared.charts.chart_menu import ChartMenu
from gui.shared.charts.framed_plot import FramedPlot
from gui.shared.charts.log_axis import CountAxis, LogAxis
from gui.shared.table.model import Column
from gui.theme import theme

if TYPE_CHECKING:
    from core.suppression.forecast import Forecast

_Curve = tuple[NDArray[np.float64], NDArray[np.float64]] | None
_PAINT_AFTER_MS = 30
_ROOM = 4
_POINT = 12.0
"""Diameter in pixels."""


class RiskUtilityChart(FramedPlot):
    """Loss or suppressions against the threshold (logarithmic); the curve before the last recode beneath."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, axisItems={"bottom": LogAxis(), "left": CountAxis()}, enableMenu=False)
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.layout.setContentsMargins(1, 1, _ROOM, _ROOM)
        plot.setMouseEnabled(False, False)
        self._before = pg.PlotCurveItem()
        self._curve = pg.PlotCurveItem()
        self._line = pg.InfiniteLine(angle=90, movable=False)
        self._point = QGraphicsEllipseItem(-_POINT / 2, -_POINT / 2, _POINT, _POINT)
        self._point.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self._point.setZValue(10)
        for item in (self._before, self._curve, self._line, self._point):
            plot.addItem(item, ignoreBounds=True)
        self._quantity = ""
        self._shown: tuple[_Curve, _Curve] = (None, None)
        self._remaining = [0.0, 0.0]
        theme.changed.connect(self.apply_theme)
        self.apply_theme()
        self.clear_curves()

    def apply_theme(self) -> None:
        """Take the colours of the theme in use."""
        ink, accent = QColor(theme.scheme.text), QColor(theme.scheme.accent)
        self.setBackground(QColor(theme.scheme.surface))
        for side in ("left", "bottom"):
            self.getAxis(side).setPen(ink)
            self.getAxis(side).setTextPen(ink)
        self.setLabel("bottom", translate("threshold (logarithmic axis)"))
        self.setLabel("left", self._quantity)
        self._curve.setPen(pg.mkPen(accent, width=2))
        self._before.setPen(pg.mkPen(QColor(theme.scheme.muted), width=1, style=Qt.PenStyle.DashLine))
        self._line.setPen(pg.mkPen(ink, width=1))
        self._point.setBrush(accent)
        self._point.setPen(QPen(QColor(theme.scheme.surface), 2))

    def set_curve(
        self, quantity: str, thresholds: NDArray[np.float64], cost: NDArray[np.float64], remaining: float = 0.0
    ) -> None:
        """Show cost against thresholds (increasing), `remaining` above the last; `quantity` names it with its unit."""
        self._quantity = quantity
        self._remaining[0] = remaining
        self.setLabel("left", quantity)
        self._show((np.log10(thresholds), cost) if len(thresholds) else None, self._shown[1])

    def set_before(
        self, thresholds: NDArray[np.float64] | None, cost: NDArray[np.float64] | None, remaining: float = 0.0
    ) -> None:
        """The curve before the last recode; None for none. The axes hold both."""
        self._remaining[1] = remaining
        if thresholds is None or cost is None or not len(thresholds):
            self._show(self._shown[0], None)
        else:
            self._show(self._shown[0], (np.log10(thresholds), cost))

    def clear_curves(self) -> None:
        """Nothing to show yet."""
        self._show(None, None)
        self.set_point(None, 0.0)

    def set_point(self, threshold: float | None, cost: float) -> None:
        """Mark the current threshold and its cost; None for no threshold."""
        visible = threshold is not None and self._shown[0] is not None
        self._line.setVisible(visible)
        self._point.setVisible(visible)
        if threshold is not None and visible:
            low, high = self._range()
            position = min(max(math.log10(threshold), low), high)
            self._line.setValue(position)
            self._point.setPos(position, cost)

    def _show(self, curve: _Curve, before: _Curve) -> None:
        self._shown = curve, before
        paint_apart(self, _PAINT_AFTER_MS)
        for item, shown, rest in zip((self._curve, self._before), self._shown, self._remaining, strict=True):
            item.setData(*(([], []) if shown is None else _steps(*shown, rest)))
        for axis in ("left", "bottom"):
            self.getAxis(axis).setStyle(showValues=curve is not None)
        if curve is None:
            return
        top = max(float(shown[1].max()) for shown in (curve, before) if shown is not None)
        low, high = self._range()
        margin = max((high - low) * 0.02, 0.02)
        self.setXRange(low - margin, high + margin, padding=0)
        self.setYRange(0, max(1.0, top * 1.08), padding=0)

    def _range(self) -> tuple[float, float]:
        """log10 of the lowest and the highest threshold shown."""
        ends = [shown[0][[0, -1]] for shown in self._shown if shown is not None]
        return min(float(low) for low, _ in ends), max(float(high) for _, high in ends)


def _steps(
    positions: NDArray[np.float64], cost: NDArray[np.float64], remaining: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each cost holds from the position before up to its own; above the last only what another threshold takes."""
    return np.repeat(positions, 2), np.append(np.repeat(cost, 2)[1:], remaining)


_POINTS = 400


class ForecastCurve:
    """Forecasts shown in a `RiskUtilityChart`.

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
        self._recoded = 0.0, 0.0
        self._up_to: float | None = None
        ChartMenu(chart, "riskUtilityCurve", self._picture, self._figures, refuse)

    def show(self, forecast: Forecast | None, up_to: float | None = None) -> None:
        """Draw this forecast, where it costs something at every threshold up to `up_to`; None: nothing."""
        self._forecast, self._up_to = forecast, up_to
        if forecast is None:
            self._chart.clear_curves()
        else:
            self.show_before(self._before, self._recoded)

    def show_before(self, forecast: Forecast | None, recoded: tuple[float, float] = (0.0, 0.0)) -> None:
        """Draw another one beneath it, as far as that goes; None: none.

        Both then show the loss that is comparable across recodes: by entropy, with what recoding took away (`recoded`,
        bits, of this one and of the present).
        """
        self._before, self._recoded = forecast, recoded
        present = self._forecast
        if forecast is None:
            self._chart.set_before(None, None)
        else:
            self._chart.set_before(*self._drawn(forecast, recoded[0]))
        if present is not None:
            quantity = _quantity(present) if forecast is None else translate("loss by recoding, suppression (bits)")
            self._chart.set_curve(quantity, *self._drawn(present, recoded[1]))
        self.mark(self._threshold)

    def _drawn(self, forecast: Forecast, recoded: float) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        """Thresholds, losses, and the loss above all of them."""
        if self._before is None:
            return *forecast.curve(_POINTS, up_to=self._up_to), forecast.remaining()
        thresholds, losses = forecast.curve(_POINTS, by_entropy=True, up_to=self._up_to)
        return thresholds, losses + recoded, forecast.remaining(by_entropy=True) + recoded

    def mark(self, threshold: float | None) -> None:
        """Mark a threshold and what it costs."""
        self._threshold = threshold
        if self._forecast is not None:
            point = self._forecast.at(threshold)
            compared = self._before is not None
            self._chart.set_point(threshold, point.entropy_loss + self._recoded[1] if compared else point.loss)

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
