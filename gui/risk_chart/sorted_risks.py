"""Sorted risks against their rank, with the interval of thresholds that mean the same; as a picture and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from core.base.texts import translate
from gui import numbers
from gui.settings import DECIMALS, settings
from gui.shared.charts.log_axis import CountAxis, LogAxis
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.table.table_dialog import TableDialog
from gui.theme import muted, theme

if TYPE_CHECKING:
    from core.risk.distribution import RiskDistribution
    from core.risk.linked_numbers import LinkedNumbers

_POINTS = 2000


class _Risks(LogAxis):
    def __init__(self) -> None:
        pg.AxisItem.__init__(self, "left")
        self.enableAutoSIPrefix(False)


class _Ranks(CountAxis):
    def __init__(self) -> None:
        self.ends_at: float | None = None
        pg.AxisItem.__init__(self, "bottom")
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Fewer than upwards: numbers are wider than high."""
        return super().tickValues(low, high, size / 4)


class SortedRisks(TableDialog):
    """`sortedRisksChart`, a step for every distinct risk, and `sortedRisksTable`, a row for each.

    Parameters
    ----------
    staircase : with at least one record
    linked : the threshold shown, and the interval of thresholds that mean the same
    """

    def __init__(self, staircase: RiskDistribution, linked: LinkedNumbers, parent: QWidget) -> None:
        table = DataTable("sortedRisksTable", translate("Thresholds that mean the same"))
        table.set_columns(_columns(staircase))
        super().__init__("sortedRisksDialog", translate("Sorted risks"), table, parent)
        self.chart = pg.PlotWidget(axisItems={"left": _Risks(), "bottom": _Ranks()}, enableMenu=False)
        self.chart.setObjectName("sortedRisksChart")
        self.chart.setAccessibleName(translate("Risks against the rank of their records"))
        self.chart.setMinimumHeight(200)
        self._draw(staircase, linked)
        told = QLabel(
            translate("Every step is a risk that records have. All thresholds between two steps mean the same; the "
                      "band is where the threshold stands now."),
            wordWrap=True,
        )  # fmt: skip
        muted(told)
        self.column.insertWidget(0, self.chart, 3)
        self.column.insertWidget(1, told)
        self.column.setStretchFactor(table, 2)
        self.chart.setFocus()  # reading begins there
        self.resize(680, 560)

    def _draw(self, staircase: RiskDistribution, linked: LinkedNumbers) -> None:
        ranks, levels = staircase.ranked(_POINTS)
        ink = QColor(theme.scheme.text)
        plot = self.chart.getPlotItem()
        plot.hideButtons()
        plot.setMouseEnabled(False, False)
        self.chart.setBackground(QColor(theme.scheme.surface))
        for side, text in (("left", translate("risk (logarithmic axis)")), ("bottom", translate("rank by risk"))):
            axis = self.chart.getAxis(side)
            axis.setPen(ink)
            axis.setTextPen(ink)
            self.chart.setLabel(side, text)
        heights, low, high = np.log10(levels), np.log10(levels[0]), np.log10(levels[-1])
        margin = max(0.03 * (high - low), 0.02)
        self.chart.setYRange(low - margin, high + margin, padding=0)
        self.chart.setXRange(0, staircase.n, padding=0.01)
        self.chart.getAxis("bottom").ends_at = float(staircase.n)
        below = low - margin if linked.low is None else np.log10(linked.low)
        above = high + margin if linked.high is None else np.log10(linked.high)
        tint = QColor(theme.scheme.accent)
        tint.setAlpha(60)
        self.band = pg.LinearRegionItem((below, above), orientation="horizontal", movable=False, brush=tint)
        plot.addItem(self.band)
        pen = pg.mkPen(QColor(theme.scheme.accent), width=2)
        self.steps = pg.PlotCurveItem(np.append(0, ranks), heights, stepMode="center", pen=pen)
        plot.addItem(self.steps)


def _columns(staircase: RiskDistribution) -> list[Column]:
    def risk(value: float) -> str:
        return numbers.format_small(value, settings.get(DECIMALS))

    records = np.diff(staircase.cumulative_records, prepend=0)
    unsafe = staircase.n - staircase.cumulative_records + records
    above = np.append(0.0, staircase.levels[:-1])
    return [
        Column(translate("thresholds above"), above, risk, True),
        Column(translate("up to"), staircase.levels, risk, True),
        Column(translate("records with this risk"), records, numbers.format_count, True),
        Column(translate("records at or above"), unsafe, numbers.format_count, True),
    ]
