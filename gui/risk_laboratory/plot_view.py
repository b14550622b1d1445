"""Histograms and curves of measures, as all charts of the program are drawn."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QBrush, QColor, QPen, Qt

from core.base.texts import translate
from core.risk.measures.shown import CurvePicture, HistogramPicture
from gui.numbers import format_exact
from gui.shared.charts.log_axis import CountAxis, LogAxis, RiskAxis, written_out
from gui.shared.charts.plot_style import GridLines, dress_plot, pen
from gui.texts import as_tip
from gui.theme import theme

_HEADROOM = 1.12
_BAND = 0.25
_TOP, _RIGHT = 8, 20
"""Room for half of the uppermost and of the last figure."""


class _AcrossAxis(RiskAxis):
    """Numbers as they are; positions are logarithms while `logarithmic`, and "1 in 50" while these are of risks."""

    logarithmic, of_risks = False, False

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Those of the kind of axis that it is now."""
        if self.of_risks:
            return super().tickValues(low, high, size)
        kind = LogAxis if self.logarithmic else pg.AxisItem
        found: list[tuple[float, list[float]]] = kind.tickValues(self, low, high, size)
        return found

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self.of_risks:
            return super().tickStrings(values, scale, spacing)
        return LogAxis.tickStrings(self, values, scale, spacing) if self.logarithmic else written_out(values)


class _UpAxis(CountAxis):
    """Whole numbers while it `counts`, else numbers as they are."""

    counts = True

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """As of counts, or as on any axis."""
        if self.counts:
            return super().tickValues(low, high, size)
        found: list[tuple[float, list[float]]] = pg.AxisItem.tickValues(self, low, high, size)
        return found[:1]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return super().tickStrings(values, scale, spacing) if self.counts else written_out(values)


class PlotView(pg.PlotWidget):
    """One histogram or curve; the view never zooms. Where the mouse is, a class of a histogram is told."""

    def __init__(self) -> None:
        self._across, self._up = _AcrossAxis(), _UpAxis()
        super().__init__(axisItems={"bottom": self._across, "left": self._up}, enableMenu=False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.setMouseEnabled(False, False)
        plot.layout.setContentsMargins(1, _TOP, _RIGHT, 2)
        self._picture: HistogramPicture | CurvePicture | None = None
        self._grid = GridLines(plot)
        self._items: list[pg.GraphicsObject] = []
        self.scene().sigMouseMoved.connect(self._hover)
        theme.changed.connect(self._draw)

    def show_picture(self, picture: HistogramPicture | CurvePicture) -> None:
        """Draw a histogram or a curve."""
        self._picture = picture
        self._up.counts = isinstance(picture, HistogramPicture)
        self._across.logarithmic = isinstance(picture, HistogramPicture) and picture.logarithmic
        # only risks and shares end at 1
        self._across.of_risks = (
            isinstance(picture, HistogramPicture) and picture.logarithmic and bool(picture.edges[-1] <= 1)
        )
        self._draw()

    def _draw(self) -> None:
        picture, plot = self._picture, self.getPlotItem()
        dress_plot(self)
        for item in self._items:
            plot.removeItem(item)
        self._items = []
        if picture is None:
            return
        if isinstance(picture, HistogramPicture):
            self._draw_bars(picture)
        else:
            self._draw_curve(picture)

    def _draw_bars(self, picture: HistogramPicture) -> None:
        edges = np.log10(picture.edges) if picture.logarithmic else picture.edges
        brush = QBrush(QColor(theme.scheme.accent))
        edge = pen(theme.scheme.surface, 1, self.devicePixelRatioF())
        self._add(pg.BarGraphItem(x0=edges[:-1], x1=edges[1:], height=picture.counts, brush=brush, pen=edge))
        self._fit(edges, picture.counts)

    def _draw_curve(self, picture: CurvePicture) -> None:
        ends = picture.y
        if picture.low is not None and picture.high is not None:
            band = QColor(theme.scheme.accent)
            band.setAlphaF(_BAND)
            none = QPen(Qt.PenStyle.NoPen)
            low, high = (pg.PlotCurveItem(picture.x, y, pen=none) for y in (picture.low, picture.high))
            self._add(pg.FillBetweenItem(low, high, brush=QBrush(band)))
            ends = np.concatenate([picture.y, picture.high])
        line = pen(theme.scheme.accent, 2, self.devicePixelRatioF())
        self._add(pg.PlotCurveItem(picture.x, picture.y, pen=line, connect="finite"))
        self._fit(picture.x, ends)

    def _add(self, item: pg.GraphicsObject) -> None:
        self._items.append(item)
        self.getPlotItem().addItem(item, ignoreBounds=True)

    def _fit(self, across: np.ndarray, up: np.ndarray) -> None:
        known = up[np.isfinite(up)]
        self.setXRange(float(across[0]), float(across[-1]) if across[-1] > across[0] else across[0] + 1.0, padding=0)
        self.setYRange(0.0, (float(known.max()) if len(known) and known.max() > 0 else 1.0) * _HEADROOM, padding=0)

    def _hover(self, place: object) -> None:
        picture = self._picture
        if not isinstance(picture, HistogramPicture):
            return
        x = self.getPlotItem().vb.mapSceneToView(place).x()
        value = 10.0**x if picture.logarithmic else x
        bar = int(np.searchsorted(picture.edges, value, "right")) - 1
        if 0 <= bar < len(picture.counts):
            low, high = (format_exact(float(f"{edge:.4g}")) for edge in picture.edges[bar : bar + 2])
            told = translate("{low} to {high}: {count} {unit}")
            count = format_exact(float(picture.counts[bar]))
            self.setToolTip(as_tip(told.format(low=low, high=high, count=count, unit=translate(picture.up))))
