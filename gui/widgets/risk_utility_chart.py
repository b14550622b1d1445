"""The risk–utility curve: what protection costs at every threshold, with the current threshold on it."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from core.texts import translate
from gui.theme import theme
from gui.widgets.log_axis import LogAxis


class RiskUtilityChart(pg.PlotWidget):
    """Loss or suppressions against the threshold (logarithmic); the curve before the last recode beneath."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, axisItems={"bottom": LogAxis("bottom")})
        plot = self.getPlotItem()
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.setMouseEnabled(False, False)
        self._before = pg.PlotCurveItem()
        self._curve = pg.PlotCurveItem()
        self._line = pg.InfiniteLine(angle=90, movable=False)
        self._point = pg.ScatterPlotItem(size=11, symbol="o")
        for item in (self._before, self._curve, self._line, self._point):
            plot.addItem(item)
        self._quantity = ""
        theme.changed.connect(self.apply_theme)
        self.apply_theme()

    def apply_theme(self) -> None:
        """Take the colours of the theme in use."""
        ink, accent = QColor(theme.scheme.text), QColor(theme.scheme.accent)
        self.setBackground(QColor(theme.scheme.base))
        for side in ("left", "bottom"):
            self.getAxis(side).setPen(ink)
            self.getAxis(side).setTextPen(ink)
        self.getAxis("left").enableAutoSIPrefix(False)
        self.setLabel("bottom", translate("threshold (logarithmic axis)"))
        self.setLabel("left", self._quantity)
        self._curve.setPen(pg.mkPen(accent, width=2))
        self._before.setPen(pg.mkPen(QColor(theme.scheme.muted), width=1, style=Qt.PenStyle.DashLine))
        self._line.setPen(pg.mkPen(ink, width=1))
        self._point.setBrush(accent)
        self._point.setPen(pg.mkPen(QColor(theme.scheme.base), width=2))

    def set_curve(self, quantity: str, thresholds: NDArray[np.float64], cost: NDArray[np.float64]) -> None:
        """Show cost against thresholds (increasing); `quantity` names the vertical axis with its unit."""
        self._quantity = quantity
        self.setLabel("left", quantity)
        self._curve.setData(np.log10(thresholds), cost)
        if len(thresholds):
            self.setXRange(math.log10(thresholds[0]), math.log10(thresholds[-1]), padding=0.02)
            self.setYRange(0, max(1.0, float(cost.max()) * 1.08), padding=0)

    def set_before(self, thresholds: NDArray[np.float64] | None, cost: NDArray[np.float64] | None) -> None:
        """The curve before the last recode; None for none."""
        if thresholds is None or cost is None:
            self._before.setData([], [])
        else:
            self._before.setData(np.log10(thresholds), cost)

    def clear_curves(self) -> None:
        """Nothing to show yet."""
        self._curve.setData([], [])
        self._before.setData([], [])
        self.set_point(None, 0.0)

    def set_point(self, threshold: float | None, cost: float) -> None:
        """Mark the current threshold and its cost; None for no threshold."""
        visible = threshold is not None
        self._line.setVisible(visible)
        self._point.setVisible(visible)
        if threshold is not None:
            self._line.setValue(math.log10(threshold))
            self._point.setData([math.log10(threshold)], [cost])
