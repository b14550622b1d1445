"""Histogram of individual or household risks on a logarithmic axis, with the threshold as a line to drag."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from core.texts import translate
from gui.numbers import format_count, format_exact
from gui.theme import SAFE, UNSAFE, theme
from gui.widgets.log_axis import LogAxis


class _Bars(pg.GraphicsObject):
    """Bars split at the threshold: the safe part plain, the unsafe part hatched as well as in another colour."""

    def __init__(self) -> None:
        super().__init__()
        self.edges: NDArray[np.float64] = np.array([0.0, 1.0])
        self.heights: NDArray[np.float64] = np.array([0.0])
        self.split = math.inf

    def set_bars(self, edges: NDArray[np.float64], heights: NDArray[np.float64]) -> None:
        self.prepareGeometryChange()
        self.edges, self.heights = edges, heights
        self.informViewBoundsChanged()
        self.update()

    def set_split(self, position: float) -> None:
        self.split = position
        self.update()

    def boundingRect(self) -> QRectF:
        top = float(self.heights.max()) if len(self.heights) else 0.0
        return QRectF(float(self.edges[0]), 0.0, float(self.edges[-1] - self.edges[0]), max(top, 1.0))

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        outline = QPen(QColor(theme.scheme.base))
        outline.setCosmetic(True)
        painter.setPen(outline)
        hatch = QBrush(QColor(255, 255, 255, 110), Qt.BrushStyle.BDiagPattern)
        hatch.setTransform(painter.transform().inverted()[0])
        for left, right, height in zip(self.edges[:-1], self.edges[1:], self.heights, strict=True):
            if height <= 0:
                continue
            cut = min(max(self.split, float(left)), float(right))
            if cut > left:
                painter.fillRect(QRectF(left, 0, cut - left, height), SAFE)
            if cut < right:
                unsafe = QRectF(cut, 0, right - cut, height)
                painter.fillRect(unsafe, UNSAFE)
                painter.fillRect(unsafe, hatch)
            painter.drawRect(QRectF(left, 0, right - left, height))


class RiskHistogram(pg.PlotWidget):
    """Bars of records (or households) by risk. The view never zooms: it always shows the whole range.

    Signals
    -------
    threshold_dragged(float)
        While the line is dragged: the risk under it.
    threshold_released(float)
        When it is let go.
    """

    threshold_dragged = Signal(float)
    threshold_released = Signal(float)

    def __init__(self, unit: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, axisItems={"bottom": LogAxis("bottom")})
        self._unit = unit
        self._cells: NDArray[np.int64] | None = None
        self._low, self._high = -1.0, 0.0
        plot = self.getPlotItem()
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.setMouseEnabled(False, False)
        self._bars = _Bars()
        self._before = pg.PlotCurveItem([0.0, 1.0], [0.0], stepMode="center")
        self._interval = pg.LinearRegionItem(movable=False)
        self._line = pg.InfiniteLine(angle=90, movable=True)
        self._name = pg.TextItem(anchor=(0, 0))
        self._shade = pg.LinearRegionItem(movable=False)
        for item, z in (
            (self._shade, -10),
            (self._interval, -5),
            (self._bars, 0),
            (self._before, 5),
            (self._line, 10),
            (self._name, 11),
        ):
            item.setZValue(z)
            plot.addItem(item, ignoreBounds=True)
        self._interval.hide()
        theme.changed.connect(self.apply_theme)
        self._line.sigDragged.connect(lambda: self.threshold_dragged.emit(self._risk_at(self._line.value())))
        self._line.sigPositionChangeFinished.connect(self._released)
        self.scene().sigMouseMoved.connect(self._hover)
        self.apply_theme()

    def apply_theme(self) -> None:
        """Take the colours of the theme in use."""
        self.setBackground(QColor(theme.scheme.base))
        ink = QColor(theme.scheme.text)
        accent = QColor(theme.scheme.accent)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(ink)
            axis.setTextPen(ink)
        self.getAxis("left").enableAutoSIPrefix(False)
        self.setLabel("left", self._unit)
        self.setLabel("bottom", translate("risk (logarithmic axis)"))
        self._line.setPen(pg.mkPen(ink, width=2))
        self._line.setHoverPen(pg.mkPen(accent, width=3))
        self._before.setPen(pg.mkPen(ink, width=1, style=Qt.PenStyle.DashLine))
        self._interval.setBrush(QColor(accent.red(), accent.green(), accent.blue(), 70))
        for edge in self._interval.lines:
            edge.setPen(pg.mkPen(accent, width=1))
        self._name.setColor(ink)
        self._name.fill = pg.mkBrush(QColor(theme.scheme.base))
        self._shade.setBrush(QColor(UNSAFE.red(), UNSAFE.green(), UNSAFE.blue(), 28))
        for edge in self._shade.lines:
            edge.setPen(QPen(Qt.PenStyle.NoPen))
        self._bars.update()

    def set_unit(self, unit: str) -> None:
        """What the bars count, shown beside the axis."""
        self._unit = unit
        self.setLabel("left", unit)

    def set_bars(self, edges: NDArray[np.float64], heights: NDArray[np.int64], cells: NDArray[np.int64] | None) -> None:
        """Show bars.

        Parameters
        ----------
        edges : (b + 1,) float64, increasing risks
        heights : (b,) records (or households), running totals in the cumulative chart
        cells : (b,) number of cells behind each bar, or None
        """
        positions = np.log10(edges)
        self._cells = cells
        self._low, self._high = float(positions[0]), float(positions[-1])
        self._bars.set_bars(positions, heights.astype(np.float64))
        self.setXRange(self._low, self._high, padding=0)
        self.setYRange(0, max(1.0, float(heights.max()) * 1.12), padding=0)
        self._place_name()

    def clear_bars(self) -> None:
        """Show nothing."""
        self._cells = None
        self._bars.set_bars(np.array([0.0, 1.0]), np.array([0.0]))
        self.set_before(None, None)
        self.set_threshold(None)

    def set_before(self, edges: NDArray[np.float64] | None, heights: NDArray[np.int64] | None) -> None:
        """Outline of the state before the last recode; None for no outline."""
        if edges is None or heights is None:
            self._before.setData(np.array([0.0, 1.0]), np.array([0.0]))
            self._before.hide()
            return
        self._before.setData(np.log10(edges), heights.astype(np.float64))
        self._before.show()
        low = min(self._low, float(np.log10(edges[0])))
        high = max(self._high, float(np.log10(edges[-1])))
        self._low, self._high = low, high
        self.setXRange(low, high, padding=0)
        top = max(float(heights.max()), float(self._bars.heights.max()))
        self.setYRange(0, max(1.0, top * 1.12), padding=0)

    def set_threshold(
        self, threshold: float | None, interval: tuple[float | None, float | None] = (None, None)
    ) -> None:
        """Draw the threshold and the interval of thresholds with the same unsafe records."""
        position = math.inf if threshold is None else math.log10(threshold)
        self._bars.set_split(position)
        visible = math.isfinite(position)
        self._line.setVisible(visible)
        self._name.setVisible(visible)
        if visible:
            self._line.blockSignals(True)
            self._line.setValue(min(max(position, self._low), self._high))
            self._line.blockSignals(False)
            self._place_name()
        self._shade.setVisible(visible)
        if visible:
            self._shade.setRegion((min(max(position, self._low), self._high), self._high))
        low, high = interval
        ends = (self._low if low is None else math.log10(low), self._high if high is None else math.log10(high))
        self._interval.setVisible(visible and ends[0] < ends[1])
        self._interval.setRegion(ends)

    def plot_span(self) -> tuple[int, int]:
        """Left and right end of the plot area in this widget's pixels, to align a slider with it."""
        area = self.getPlotItem().vb.sceneBoundingRect()
        return round(area.left()), round(area.right())

    def axis_range(self) -> tuple[float, float]:
        """log10 of the risks at both ends of the plot area."""
        return self._low, self._high

    def _risk_at(self, position: float) -> float:
        return float(10.0 ** min(max(position, self._low), self._high))

    def _released(self) -> None:
        self.threshold_released.emit(self._risk_at(self._line.value()))

    def _place_name(self) -> None:
        """Name the threshold at the head of its line, on the side that has more room."""
        position = self._line.value()
        to_left = position > (self._low + self._high) / 2
        shown = format_exact(float(f"{10.0**position:.3g}"))
        arrow = translate("unsafe →")
        self._name.setText(f"{arrow}  {shown}" if to_left else f"{shown}  {arrow}")
        self._name.setAnchor((1.0, 0.0) if to_left else (0.0, 0.0))
        self._name.setPos(position, self.getPlotItem().vb.viewRange()[1][1])

    def _hover(self, scene_position: QPointF) -> None:
        view = self.getPlotItem().vb
        if not view.sceneBoundingRect().contains(scene_position):
            self.setToolTip("")
            return
        x = view.mapSceneToView(scene_position).x()
        edges: Sequence[float] = self._bars.edges  # type: ignore[assignment]
        bar = int(np.searchsorted(edges, x, side="right")) - 1
        if not 0 <= bar < len(self._bars.heights):
            self.setToolTip("")
            return
        low, high = 10.0 ** edges[bar], 10.0 ** edges[bar + 1]
        text = translate("risk {low} to {high}: {count} {unit}").format(
            low=format_exact(float(f"{low:.3g}")),
            high=format_exact(float(f"{high:.3g}")),
            count=format_count(int(self._bars.heights[bar])),
            unit=self._unit,
        )
        if self._cells is not None:
            text += translate(", {cells} combinations").format(cells=format_count(int(self._cells[bar])))
        self.setToolTip(text)
