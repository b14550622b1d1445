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
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QResizeEvent, QTransform
from PySide6.QtWidgets import QWidget

from core.base.texts import translate
from core.risk.distribution import Histogram, RiskDistribution
from core.risk.individual import TOLERANCE
from gui.numbers import format_exact, format_one_in
from gui.risk_chart.threshold_words import ThresholdWords
from gui.shared.charts.log_axis import CountAxis, RiskAxis
from gui.shared.charts.plot_style import GridLines, dress_plot, pen
from gui.texts import COMBINATIONS, Counted, as_tip
from gui.theme import SAFE, UNSAFE, theme
from gui.theme.tokens import HATCH

_HEADROOM = 0.28
"""Share of the height above the highest bar, for the words; more where they need it."""
_LEAST_FOR_BARS = 0.4
"""Share of the height that bars have, however low the chart is."""
_OUTLINED_FROM = 6
"""Width in pixels from which a bar has an outline of its own."""
_ROOM_RIGHT = 12
"""Pixels right of the plot, so that a slider's handle can stand under its end."""
_ROOM_BELOW = 4
OPINION_WIDTH = 1.5
_INTERVAL = 0.35
"""Opacity of the thresholds that make the same records unsafe."""
_LEAST_INTERVAL = 3
"""Pixels that they take at least."""
_SAFE_EDGE = 1.5


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
    def total(self) -> int:
        """Records (or households) of all bars."""
        return int(self.heights[-1] if self.running else self.heights.sum()) if len(self.heights) else 0

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
        ratio = painter.device().devicePixelRatioF()
        painter.setPen(pen(theme.scheme.surface, 1, ratio))
        hatch = QBrush(QColor.fromRgbF(1, 1, 1, HATCH), Qt.BrushStyle.BDiagPattern)
        hatch.setTransform(QTransform.fromScale(ratio, ratio) * to_device.inverted()[0])
        outlined = abs(to_device.m11()) * float(self.edges[1] - self.edges[0]) >= _OUTLINED_FROM
        edge = _SAFE_EDGE / max(abs(to_device.m22()), 1e-12) if theme.dark else 0.0
        bars = (self.edges[:-1], self.edges[1:], self.heights, self.unsafe)
        for left, right, height, unsafe in zip(*(values.tolist() for values in bars), strict=True):
            if height <= 0:
                continue
            height, unsafe = max(height, least), max(unsafe, least) if unsafe > 0 else 0.0
            safe = height - unsafe
            painter.fillRect(QRectF(left, 0, right - left, safe), SAFE)
            if edge and safe > 0:
                painter.fillRect(QRectF(left, safe - edge, right - left, edge), QColor(theme.scheme.safe_edge))
            if unsafe:
                part = QRectF(left, safe, right - left, unsafe)
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
        super().__init__(parent, axisItems={"bottom": RiskAxis(), "left": CountAxis()}, enableMenu=False)
        self._unit, self._unit_of_cells = unit, COMBINATIONS
        self._cells: NDArray[np.int64] | None = None
        self._threshold: float | None = None
        self._low, self._high = -1.0, 0.0
        self._outline: tuple[NDArray[np.float64], NDArray[np.int64]] | None = None
        self._opinion: tuple[NDArray[np.float64], NDArray[np.int64]] | None = None
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.setMouseEnabled(False, False)
        plot.layout.setContentsMargins(1, 1, _ROOM_RIGHT, _ROOM_BELOW)
        self._bars = _Bars()
        self._before = pg.PlotCurveItem(connect="finite")
        self._other = pg.PlotCurveItem(connect="finite")
        self._interval = pg.LinearRegionItem(movable=False)
        self._line = pg.InfiniteLine(angle=90, movable=True)
        self._counted = pg.TextItem(anchor=(0, 0))
        self._shade = pg.LinearRegionItem(movable=False)
        for item, z in (
            (self._shade, -10),
            (self._interval, -5),
            (self._bars, 0),
            (self._before, 5),
            (self._other, 6),
            (self._line, 10),
            (self._counted, 11),
        ):
            item.setZValue(z)
            plot.addItem(item, ignoreBounds=True)
        self._grid = GridLines(plot)
        self._words = ThresholdWords(plot)
        theme.changed.connect(self.apply_theme)
        self._line.sigDragged.connect(lambda: self.threshold_dragged.emit(self._risk_at(self._line.value())))
        self._line.sigPositionChangeFinished.connect(self._released)
        self.scene().sigMouseMoved.connect(self._hover)
        self.apply_theme()
        self.clear_bars()

    def apply_theme(self) -> None:
        """Take the colours of the theme in use."""
        dress_plot(self)
        scheme, ratio = theme.scheme, self.devicePixelRatioF()
        accent, unsafe = QColor(scheme.accent), QColor(UNSAFE)
        self._counted.setText(self._unit.name)
        self._counted.setColor(scheme.muted)
        self._line.setPen(pen(scheme.text, 2, ratio))
        self._line.setHoverPen(pen(scheme.accent, 3, ratio))
        self._before.setPen(pen(scheme.text, 1.2, ratio, Qt.PenStyle.DashLine))
        self._other.setPen(pen(scheme.text, OPINION_WIDTH, ratio))
        accent.setAlphaF(_INTERVAL)
        self._interval.setBrush(accent)
        unsafe.setAlphaF(scheme.unsafe_shade)
        self._shade.setBrush(unsafe)
        for edge in (*self._interval.lines, *self._shade.lines):
            edge.setPen(QPen(Qt.PenStyle.NoPen))
        self._words.dress()
        self._bars.update()
        self._place_words()

    def set_unit(self, unit: Counted, of_cells: Counted) -> None:
        """What the bars count, shown beside the axis, and what their `cells` are."""
        self._unit, self._unit_of_cells = unit, of_cells
        self._counted.setText(unit.name)

    def set_sides(self, sides: tuple[str, str]) -> None:
        """What is said of those on the safe and on the unsafe side of the next threshold drawn, each with `{count}`."""
        self._words.sides = sides

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
            self._before.setData(*_outlined(*self._outline))
            self._before.show()
        self._fit()

    def set_opinion(self, edges: NDArray[np.float64] | None, heights: NDArray[np.int64] | None) -> None:
        """Outline of the other way of judging the same records, as `set_before`; None for no outline."""
        if edges is None or heights is None:
            self._opinion = None
            self._other.hide()
        else:
            self._opinion = np.log10(edges), heights
            self._other.setData(*_outlined(*self._opinion))
            self._other.show()
        self._fit()

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
        for item in (self._line, self._shade, self._interval):
            item.setVisible(visible)
        self._words.set_visible(visible)
        if not visible:
            return
        left, right = self.axis_range()
        self._line.blockSignals(True)
        self._line.setValue(min(max(position, left), right))
        self._line.blockSignals(False)
        self._shade.setRegion((self._line.value(), right))
        low, high = interval
        ends = (left if low is None else math.log10(low), right if high is None else math.log10(high))
        self._interval.setVisible(ends[0] < ends[1])
        self._interval.setRegion(self._wide_enough(*ends))
        assert threshold is not None
        self._words.say(threshold, self._bars.total - unsafe, unsafe)
        self._place_words()

    @property
    def total(self) -> int:
        """What all bars count."""
        return self._bars.total

    @property
    def unsafe(self) -> NDArray[np.float64]:
        """How much of each bar is unsafe."""
        return self._bars.unsafe

    def axis_span(self) -> tuple[int, int]:
        """Pixels of this widget at which the axis of risks begins and ends, to align a slider with it."""
        view = self.getPlotItem().vb
        scene = (view.mapViewToScene(QPointF(position, 0)) for position in self.axis_range())
        left, right = (self.viewport().mapTo(self, self.mapFromScene(place)).x() for place in scene)
        return left, right

    def axis_range(self) -> tuple[float, float]:
        """log10 of the risks at both ends of the plot area."""
        every = [edges for edges, _heights in self._outlines]
        return min([self._low, *(float(e[0]) for e in every)]), max([self._high, *(float(e[-1]) for e in every)])

    @property
    def _outlines(self) -> list[tuple[NDArray[np.float64], NDArray[np.int64]]]:
        return [outline for outline in (self._outline, self._opinion) if outline is not None]

    def _fit(self) -> None:
        top = max([self._bars.top, *(float(heights.max()) for _edges, heights in self._outlines)])
        self.setXRange(*self.axis_range(), padding=0)
        self.getAxis("left").ends_at = self._bars.top if self._bars.running else None
        self.setYRange(0, max(1.0, top * self._headroom()), padding=0)
        self._place_words()

    def _headroom(self) -> float:
        """Height of the axis by that of the highest bar, so that the words hide no bar."""
        height = self.getPlotItem().vb.height()
        bars = 1.0 - max(_HEADROOM, self._words.height() / height if height > 0 else 0.0)
        return 1.0 / max(bars, _LEAST_FOR_BARS)

    def _wide_enough(self, low: float, high: float) -> tuple[float, float]:
        """An interval of positions, or one about its middle that can be seen."""
        left, right = self.axis_range()
        width = self.getPlotItem().vb.width()
        least = _LEAST_INTERVAL * (right - left) / width if width > 0 else 0.0
        missing = max(least - (high - low), 0.0) / 2
        return low - missing, high + missing

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_bars"):
            self._fit()

    def _risk_at(self, position: float) -> float:
        """Risk at a position of the line, which stays within the bars."""
        return float(10.0 ** min(max(position, self._low), self._high))

    def _released(self) -> None:
        self.threshold_released.emit(self._risk_at(self._line.value()))

    def _place_words(self) -> None:
        """Words stand in pixels: they are placed anew where the plot has another size."""
        (left, right), (_, top) = self.getPlotItem().vb.viewRange()
        begins = math.inf if self._threshold is None else self._words.place(self._line.value())
        is_free = begins > self._counted.boundingRect().width()
        self._counted.setAnchor((0, 0) if is_free else (1, 0))
        self._counted.setPos(left if is_free else right, top)
        self._counted.setVisible(bool(self._bars.top))

    def _hover(self, scene_position: QPointF) -> None:
        view = self.getPlotItem().vb
        inside = view.sceneBoundingRect().contains(scene_position)
        self.setToolTip(as_tip(self._told_at(view.mapSceneToView(scene_position).x())) if inside else "")

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
        ends = [float(10.0 ** edges[end]) for end in (place, place + 1)]
        low, high = (format_exact(float(f"{end:.3g}")) for end in ends)
        words = [format_one_in(end) for end in ends]
        if self._bars.running:
            told = translate("up to {words} ({high})").format(words=words[1], high=high)
        else:
            told = translate("{words} to {up_to} ({low}–{high})").format(
                words=words[0], up_to=words[1], low=low, high=high
            )
        return f"{told}: {self._unit.told(int(heights[place]))}"


def _outlined(
    edges: NDArray[np.float64], heights: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points of an outline of classes, with a gap (not a number) where there is nothing."""
    levels = np.concatenate(([0.0], heights.astype(np.float64), [0.0]))
    places, values = np.repeat(edges, 2), np.repeat(levels, 2)[1:-1]
    empty = np.repeat(levels == 0, 2)[1:-1]
    beside = np.empty_like(empty)
    beside[0::2], beside[1::2] = empty[1::2], empty[0::2]
    return places, np.where(empty & beside, np.nan, values)


def _class_at(position: float, edges: NDArray[np.float64]) -> int | None:
    """Which class a position is in; None outside of all."""
    place = int(np.searchsorted(edges, position, side="right")) - 1
    return place if 0 <= place < len(edges) - 1 else None


_NARROWEST = 10
"""The range of both states has at most so many times the classes of one; narrower ones could not be seen."""


def bars_of(staircase: RiskDistribution, outlined: Sequence[RiskDistribution], bars: int) -> Histogram:
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


def in_classes_of(edges: NDArray[np.float64], before: RiskDistribution) -> Histogram:
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
