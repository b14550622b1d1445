"""Histogram of individual or household risks on a logarithmic axis, with the threshold as a line to drag.

The classes stay the same for an earlier state, so that heights can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.base.texts import translate
from core.risk.individual import TOLERANCE
from core.risk.staircase import Histogram, Staircase
from gui.numbers import format_exact
from gui.shared.charts.log_axis import CountAxis, LogAxis
from gui.texts import COMBINATIONS, Counted
from gui.theme import SAFE, UNSAFE, theme

_HEADROOM = 1.14
_NAME_MARGIN = 10
"""Pixels above and below the name of the threshold, together; it stands above the highest bar."""
_LEAST_FOR_BARS = 0.4
"""Share of the height that bars have, however low the chart is."""
_OUTLINED_FROM = 6
"""Width in pixels from which a bar has an outline of its own."""
_ROOM_RIGHT = 12
"""Pixels right of the plot, so that a slider's handle can stand under its end."""
_ROOM_BELOW = 4
_GREYED = 0.35
OPINION_WIDTH = 1.5


class _Bars(pg.GraphicsObject):
    """Bars of safe records, plain, and on top of them the unsafe ones, hatched as well as in another colour."""

    def __init__(self) -> None:
        super().__init__()
        self.edges: NDArray[np.float64] = np.array([0.0, 1.0])
        self.heights: NDArray[np.float64] = np.array([0.0])
        self.running = False
        self.unsafe_records = 0

    @property
    def top(self) -> float:
        return float(self.heights.max()) if len(self.heights) else 0.0

    @property
    def unsafe(self) -> NDArray[np.float64]:
        """How much of each bar is unsafe: the records of highest risk are."""
        if not len(self.heights):
            return self.heights
        if self.running:
            safe = self.heights[-1] - self.unsafe_records
        else:
            safe = self.heights.sum() - self.unsafe_records - (np.cumsum(self.heights) - self.heights)
        return self.heights - np.clip(safe, 0.0, self.heights)

    def set_bars(self, edges: NDArray[np.float64], heights: NDArray[np.float64], running: bool = False) -> None:
        self.prepareGeometryChange()
        self.edges, self.heights, self.running = edges, heights, running
        self.informViewBoundsChanged()
        self.update()

    def set_unsafe(self, records: int) -> None:
        self.unsafe_records = records
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(float(self.edges[0]), 0.0, float(self.edges[-1] - self.edges[0]), max(self.top, 1.0))

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        to_device = painter.transform()
        least = 2.0 / max(abs(to_device.m22()), 1e-12)  # a bar of one record among millions can still be seen
        outline = QPen(QColor(theme.scheme.base))
        outline.setCosmetic(True)
        painter.setPen(outline)
        hatch = QBrush(QColor(255, 255, 255, 110), Qt.BrushStyle.BDiagPattern)
        hatch.setTransform(to_device.inverted()[0])
        outlined = abs(to_device.m11()) * float(self.edges[1] - self.edges[0]) >= _OUTLINED_FROM
        bars = (self.edges[:-1], self.edges[1:], self.heights, self.unsafe)
        for left, right, height, unsafe in zip(*(values.tolist() for values in bars), strict=True):
            if height <= 0:
                continue
            height, unsafe = max(height, least), max(unsafe, least) if unsafe > 0 else 0.0
            painter.fillRect(QRectF(left, 0, right - left, height - unsafe), SAFE)
            if unsafe:
                part = QRectF(left, height - unsafe, right - left, unsafe)
                painter.fillRect(part, UNSAFE)
                painter.fillRect(part, hatch)
            if outlined:
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

    def __init__(self, unit: Counted, parent: QWidget | None = None) -> None:
        super().__init__(parent, axisItems={"bottom": LogAxis(), "left": CountAxis()}, enableMenu=False)
        self._unit, self._unit_of_cells = unit, COMBINATIONS
        self._cells: NDArray[np.int64] | None = None
        self._threshold: float | None = None
        self._risk_name = translate("risk (logarithmic axis)")
        self._low, self._high = -1.0, 0.0
        self._outline: tuple[NDArray[np.float64], NDArray[np.int64]] | None = None
        self._opinion: tuple[NDArray[np.float64], NDArray[np.int64]] | None = None
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.setMouseEnabled(False, False)
        plot.layout.setContentsMargins(1, 1, _ROOM_RIGHT, _ROOM_BELOW)
        self._bars = _Bars()
        self._before = pg.PlotCurveItem([0.0, 1.0], [0.0], stepMode="center")
        self._other = pg.PlotCurveItem([0.0, 1.0], [0.0], stepMode="center")
        self._interval = pg.LinearRegionItem(movable=False)
        self._line = pg.InfiniteLine(angle=90, movable=True)
        self._name = pg.TextItem(anchor=(0, 0))
        self._shade = pg.LinearRegionItem(movable=False)
        for item, z in (
            (self._shade, -10),
            (self._interval, -5),
            (self._bars, 0),
            (self._before, 5),
            (self._other, 6),
            (self._line, 10),
            (self._name, 11),
        ):
            item.setZValue(z)
            plot.addItem(item, ignoreBounds=True)
        theme.changed.connect(self.apply_theme)
        self._line.sigDragged.connect(lambda: self.threshold_dragged.emit(self._risk_at(self._line.value())))
        self._line.sigPositionChangeFinished.connect(self._released)
        self.scene().sigMouseMoved.connect(self._hover)
        self.apply_theme()
        self.clear_bars()

    def apply_theme(self) -> None:
        """Take the colours of the theme in use."""
        self.setBackground(QColor(theme.scheme.base))
        ink = QColor(theme.scheme.text)
        accent = QColor(theme.scheme.accent)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(ink)
            axis.setTextPen(ink)
        self.setLabel("left", self._unit.name)
        self.setLabel("bottom", self._risk_name)
        self._line.setPen(pg.mkPen(ink, width=2))
        self._line.setHoverPen(pg.mkPen(accent, width=3))
        self._before.setPen(pg.mkPen(ink, width=1, style=Qt.PenStyle.DashLine))
        self._other.setPen(pg.mkPen(ink, width=OPINION_WIDTH))
        self._interval.setBrush(QColor(accent.red(), accent.green(), accent.blue(), 70))
        for edge in self._interval.lines:
            edge.setPen(pg.mkPen(accent, width=1))
        self._name.setColor(ink)
        self._name.fill = pg.mkBrush(QColor(theme.scheme.base))
        self._shade.setBrush(QColor(UNSAFE.red(), UNSAFE.green(), UNSAFE.blue(), 28))
        for edge in self._shade.lines:
            edge.setPen(QPen(Qt.PenStyle.NoPen))
        self._bars.update()

    def set_unit(self, unit: Counted, of_cells: Counted) -> None:
        """What the bars count, shown beside the axis, and what their `cells` are."""
        self._unit, self._unit_of_cells = unit, of_cells
        self.setLabel("left", unit.name)

    def set_bars(
        self,
        edges: NDArray[np.float64],
        heights: NDArray[np.int64],
        cells: NDArray[np.int64] | None,
        running: bool = False,
    ) -> None:
        """Show bars.

        Parameters
        ----------
        edges : (b + 1,) float64, increasing risks
        heights : (b,) records (or households)
        cells : (b,) number of cells behind each bar, or None
        running : whether heights and cells are running totals
        """
        positions = np.log10(edges)
        self._cells = cells
        self._low, self._high = float(positions[0]), float(positions[-1])
        self._bars.set_bars(positions, heights.astype(np.float64), running)
        for axis in ("left", "bottom"):
            self.getAxis(axis).setStyle(showValues=True)
        self._fit()

    def clear_bars(self) -> None:
        """Show nothing."""
        self._cells = None
        self._bars.set_bars(np.array([0.0, 1.0]), np.array([0.0]))
        for axis in ("left", "bottom"):
            self.getAxis(axis).setStyle(showValues=False)
        self.set_before(None, None)
        self.set_opinion(None, None)
        self.set_threshold(None)

    def set_before(self, edges: NDArray[np.float64] | None, heights: NDArray[np.int64] | None) -> None:
        """Outline of the state before the last recode; None for no outline. The axes hold both.

        Parameters
        ----------
        edges : increasing risks, those of the bars among them, so that an outline is as high as a bar of as many
        heights : as `set_bars` has them, running totals or not
        """
        if edges is None or heights is None:
            self._outline = None
            self._before.hide()
        else:
            self._outline = np.log10(edges), heights
            self._before.setData(self._outline[0], heights.astype(np.float64))
            self._before.show()
        self._fit()

    def set_opinion(self, edges: NDArray[np.float64] | None, heights: NDArray[np.int64] | None) -> None:
        """Outline of the other way of judging the same records, as `set_before`; None for no outline."""
        if edges is None or heights is None:
            self._opinion = None
            self._other.hide()
        else:
            self._opinion = np.log10(edges), heights
            self._other.setData(self._opinion[0], heights.astype(np.float64))
            self._other.show()
        self._fit()

    def name_axis(self, name: str) -> None:
        """What risk the axis along the bottom has."""
        self._risk_name = name
        self.setLabel("bottom", name)

    def set_threshold(
        self,
        threshold: float | None,
        interval: tuple[float | None, float | None] = (None, None),
        unsafe: int = 0,
    ) -> None:
        """Draw the threshold, the interval of thresholds with the same unsafe records, and these, so many of them."""
        self._threshold = threshold
        position = math.inf if threshold is None else math.log10(threshold)
        self._bars.set_unsafe(unsafe)
        visible = math.isfinite(position)
        for item in (self._line, self._name, self._shade, self._interval):
            item.setVisible(visible)
        if not visible:
            return
        left, right = self.axis_range()
        self._line.blockSignals(True)
        self._line.setValue(min(max(position, left), right))
        self._line.blockSignals(False)
        self._place_name()
        self._shade.setRegion((self._line.value(), right))
        low, high = interval
        ends = (left if low is None else math.log10(low), right if high is None else math.log10(high))
        self._interval.setVisible(ends[0] < ends[1])
        self._interval.setRegion(ends)

    @property
    def unsafe(self) -> NDArray[np.float64]:
        """How much of each bar is unsafe."""
        return self._bars.unsafe

    def bar_span(self) -> tuple[int, int]:
        """Pixels of this widget at which the bars begin and end, to align a slider with them."""
        view = self.getPlotItem().vb
        scene = (view.mapViewToScene(QPointF(position, 0)) for position in (self._low, self._high))
        left, right = (self.viewport().mapTo(self, self.mapFromScene(place)).x() for place in scene)
        return left, right

    def axis_range(self) -> tuple[float, float]:
        """log10 of the risks at both ends of the plot area."""
        every = [edges for edges, _heights in self._outlines]
        return min([self._low, *(float(e[0]) for e in every)]), max([self._high, *(float(e[-1]) for e in every)])

    @property
    def _outlines(self) -> list[tuple[NDArray[np.float64], NDArray[np.int64]]]:
        return [outline for outline in (self._outline, self._opinion) if outline is not None]

    def event(self, event: QEvent) -> bool:
        """Pale bars while their figures are being computed anew."""
        if event.type() == QEvent.Type.DynamicPropertyChange and hasattr(self, "_bars"):
            self._bars.setOpacity(_GREYED if self.property("greyed") else 1.0)
        return bool(super().event(event))

    def _fit(self) -> None:
        top = max([self._bars.top, *(float(heights.max()) for _edges, heights in self._outlines)])
        self.setXRange(*self.axis_range(), padding=0)
        self.getAxis("left").ends_at = self._bars.top if self._bars.running else None
        self.setYRange(0, max(1.0, top * self._headroom()), padding=0)
        if self._threshold is not None:
            self._place_name()

    def _headroom(self) -> float:
        """Height of the axis by that of the highest bar, so that the name of the threshold hides no bar."""
        height = self.getPlotItem().vb.height()
        name = self.fontMetrics().height() + _NAME_MARGIN
        return max(_HEADROOM, 1.0 / max(1.0 - name / height, _LEAST_FOR_BARS)) if height > 0 else _HEADROOM

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_bars"):
            self._fit()

    def _risk_at(self, position: float) -> float:
        """Risk at a position of the line, which stays within the bars."""
        return float(10.0 ** min(max(position, self._low), self._high))

    def _released(self) -> None:
        self.threshold_released.emit(self._risk_at(self._line.value()))

    def _place_name(self) -> None:
        """Name the threshold at the head of its line, on the side that has more room."""
        assert self._threshold is not None
        position, (left, right) = self._line.value(), self.axis_range()
        to_left = position > (left + right) / 2
        one_in = 1 / self._threshold
        text = translate("{threshold} (1 in {number})").format(
            threshold=format_exact(float(f"{self._threshold:.3g}")),
            number=format_exact(float(f"{one_in:.3g}") if one_in < 10 or one_in > 1000 else round(one_in)),
        )
        arrow = translate("unsafe →") if math.log10(self._threshold) <= right else translate("none unsafe")
        name = f"{arrow}  {text}" if to_left else f"{text}  {arrow}"
        if name != self._name.toPlainText():
            self._name.setText(name)
        self._name.setAnchor((1.0, 0.0) if to_left else (0.0, 0.0))
        self._name.setPos(position, self.getPlotItem().vb.viewRange()[1][1])

    def _hover(self, scene_position: QPointF) -> None:
        view = self.getPlotItem().vb
        inside = view.sceneBoundingRect().contains(scene_position)
        self.setToolTip(self._told_at(view.mapSceneToView(scene_position).x()) if inside else "")

    def _told_at(self, position: float) -> str:
        """What is at a position, of the bar and of the outline; empty where there is neither."""
        told = []
        if (bar := _class_at(position, self._bars.edges)) is not None and self._bars.top:
            told.append(self._told_of(self._bars.edges, self._bars.heights, bar))
            if self._cells is not None:
                cells = self._unit_of_cells.told(int(self._cells[bar]))
                told[0] = translate("{told}, {cells}").format(told=told[0], cells=cells)
        words = translate("before the last recode, {told}"), translate("by the second opinion, {told}")
        for text, outline in zip(words, (self._outline, self._opinion), strict=True):
            if outline is not None and (place := _class_at(position, outline[0])) is not None:
                told.append(text.format(told=self._told_of(*outline, place)))
        return "\n".join(told)

    def _told_of(self, edges: NDArray[np.float64], heights: NDArray[np.float64] | NDArray[np.int64], place: int) -> str:
        """Bounds and records of one class."""
        low, high = (format_exact(float(f"{10.0 ** edges[end]:.3g}")) for end in (place, place + 1))
        one, up_to = translate("risk {low} to {high}: {told}"), translate("risk up to {high}: {told}")
        text = up_to if self._bars.running else one
        return text.format(low=low, high=high, told=self._unit.told(int(heights[place])))


def _class_at(position: float, edges: NDArray[np.float64]) -> int | None:
    """Which class a position is in; None outside of all."""
    place = int(np.searchsorted(edges, position, side="right")) - 1
    return place if 0 <= place < len(edges) - 1 else None


_NARROWEST = 10
"""The range of both states has at most so many times the classes of one; narrower ones could not be seen."""


def bars_of(staircase: Staircase, outlined: Sequence[Staircase], bars: int) -> Histogram:
    """Bars of equal width in log risk over the present range; where all risks are equal, one of some width.

    Parameters
    ----------
    staircase : of at least one record
    outlined : what is drawn beside it; where the present range is a small part of that of all, bars are fewer
    bars : their number otherwise
    """
    low, high = staircase.min_risk, staircase.max_risk
    if low == high:
        return replace(staircase.histogram(1), edges=np.array([0.9 * low, min(1.1 * low, 1.0)]))
    ends = min([low, *(each.min_risk for each in outlined)]), max([high, *(each.max_risk for each in outlined)])
    narrowest = math.log(ends[1] / ends[0]) / (_NARROWEST * bars)
    width = math.log(high / low)
    found = staircase.histogram(max(1, min(bars, round(width / narrowest))))
    return found if width >= narrowest else replace(found, edges=np.array([high * math.exp(-narrowest), high]))


def in_classes_of(edges: NDArray[np.float64], before: Staircase) -> Histogram:
    """An earlier state, or another opinion, in the classes of bars, continued as far as it reaches beyond them.

    Parameters
    ----------
    edges : (b + 1,) float64, increasing risks of equal ratio; as with bars, the last class holds its upper edge
    before : of at least one record

    Returns
    -------
    All of its records, in classes as wide as the bars; the uppermost ends at 1, as no risk is above.
    """
    width = math.log(edges[-1] / edges[0]) / (len(edges) - 1)
    below = math.ceil(math.log(edges[0] / before.min_risk) / width - TOLERANCE)
    above = math.ceil(math.log(before.max_risk / edges[-1]) / width - TOLERANCE)
    lower = edges[0] * np.exp(-width * np.arange(max(below, 0), 0, -1))
    upper = np.minimum(edges[-1] * np.exp(width * np.arange(1, max(above, 0) + 1)), 1.0)
    every = np.concatenate((lower, edges, upper))
    inner = every[1:-1]
    risks = inner * np.where(inner < edges[-1], 1.0 - TOLERANCE, 1.0 + TOLERANCE)
    ends = np.append(np.searchsorted(before.levels, risks), len(before.levels))
    records, cells = before.cumulative_records, np.cumsum(before.level_cells)
    return Histogram(every, *(np.diff(np.append(0, sums)[ends], prepend=0) for sums in (records, cells)))


def running(classes: Histogram) -> Histogram:
    """Running totals of classes."""
    return Histogram(classes.edges, np.cumsum(classes.records), np.cumsum(classes.cells))
