"""Histogram and slider as one piece: the slider lies exactly under the plot and both show one threshold.

A position of the slider is linear in the logarithm of the threshold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QStyle, QStyleOptionSlider, QVBoxLayout, QWidget

from core.base.texts import translate
from core.risk.linked_numbers import LinkedNumbers
from gui.numbers import format_exact, format_one_in
from gui.paint_queue import paint_apart
from gui.risk_chart import pictures
from gui.risk_chart.histogram import RiskHistogram, bars_of, in_classes_of, running
from gui.shared.charts.chart_menu import ChartMenu
from gui.shared.table.model import Column
from gui.shared.wheel import Slider
from gui.texts import COMBINATIONS, Counted

if TYPE_CHECKING:
    from core.risk.distribution import Histogram, RiskDistribution

STEPS = 10_000
_KEY_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
}


class RiskSlider(Slider):
    """0 is the smallest risk in the file, `STEPS` the largest.

    Signals
    -------
    moved(float)
        A risk, at every move by mouse.
    stepped(int)
        Keys: so many thresholds that change the unsafe records, up or down.
    released()
        The mouse let go, or a key was released.
    """

    moved = Signal(float)
    stepped = Signal(int)
    released = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, STEPS)
        self.setPageStep(STEPS // 20)
        self.setTracking(True)
        self._low, self._high = 1e-3, 1.0
        self.valueChanged.connect(lambda value: self.moved.emit(self.risk_at(value)))
        self.sliderReleased.connect(self.released)

    def set_range_of_risk(self, low: float, high: float) -> None:
        """Smallest and largest risk of the axis; equal ones disable the slider."""
        self._low, self._high = low, high
        self.setEnabled(high > low > 0)

    def risk_at(self, position: int) -> float:
        """Threshold at a position, low (high/low)^(position/STEPS); exact at both ends."""
        if position <= 0:
            return self._low
        if position >= STEPS:
            return self._high
        return math.exp(math.log(self._low) + math.log(self._high / self._low) * position / STEPS)

    def show_risk(self, threshold: float | None) -> None:
        """Go to the nearest position without telling anybody: the slider never writes back."""
        if not self.isEnabled():
            return
        with QSignalBlocker(self):
            if threshold is None:
                self.setValue(STEPS)
                return
            share = math.log(threshold / self._low) / math.log(self._high / self._low)
            self.setValue(round(min(max(share, 0.0), 1.0) * STEPS))

    def handle_width(self) -> int:
        """Width of the handle; its middle goes from half of it to as much before the end."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        part = QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        return self.style().subControlRect(*part).width()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow and page keys step along the thresholds that matter; Home and End go to the ends."""
        key = Qt.Key(event.key())
        if key in _KEY_STEPS:
            self.stepped.emit(_KEY_STEPS[key])
            event.accept()
        else:
            super().keyPressEvent(event)
            if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
                self.released.emit()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Letting a step key go ends the draft."""
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat() and Qt.Key(event.key()) in _KEY_STEPS:
            self.released.emit()


BARS, RUNNING_BARS = 20, 100


class RiskView(QWidget):
    """`riskHistogram` above `riskSlider`.

    Parameters
    ----------
    unit : what the bars count
    title : gives the picture's title when it is saved

    Signals
    -------
    moved(float, bool)
        The slider or the line in the chart is at this risk; true while the mouse holds it.
    stepped(int)
        Keys: so many thresholds that change the unsafe records.
    released()
        The mouse or a key was let go.
    refused(PavoError)
        A picture could not be written.
    """

    moved = Signal(float, bool)
    stepped = Signal(int)
    released = Signal()
    refused = Signal(object)

    def __init__(self, unit: Counted, title: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit, self._unit_of_cells, self._title = unit, COMBINATIONS, title
        self._staircase: RiskDistribution | None = None
        self._before: RiskDistribution | None = None
        self._opinion: RiskDistribution | None = None
        self._linked: LinkedNumbers | None = None
        self._cumulative = False
        self._kept: dict[tuple[int, bool], Histogram] = {}
        self.histogram = RiskHistogram(unit)
        self.histogram.setObjectName("riskHistogram")
        self.histogram.setAccessibleName(translate("Histogram of risks"))
        self.slider = RiskSlider()
        self.slider.setObjectName("riskSlider")
        self.slider.setAccessibleName(translate("Threshold"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        self._views = QStackedLayout()
        self._views.addWidget(self.histogram)
        layout.addLayout(self._views, 1)
        self._row = QHBoxLayout()
        self._row.addWidget(self.slider)
        layout.addLayout(self._row)
        self.slider.moved.connect(lambda risk: self.moved.emit(risk, self.slider.isSliderDown()))
        self.slider.stepped.connect(self.stepped)
        self.slider.released.connect(self.released)
        # the axes take the room that their numbers need when they are painted
        self.histogram.getPlotItem().vb.sigResized.connect(self._align_soon)
        self.histogram.threshold_dragged.connect(lambda risk: self.moved.emit(risk, True))
        self.histogram.threshold_released.connect(lambda _risk: self.released.emit())
        ChartMenu(self.histogram, "riskHistogram", self._picture, self._figures, self.refused.emit, self._told)

    def set_staircase(self, staircase: RiskDistribution | None) -> None:
        """Show these risks; None disables the slider."""
        if staircase is not None and staircase is self._staircase:
            return
        self._staircase = staircase if staircase is not None and staircase.n else None
        self._kept.clear()
        paint_apart(self, 0)
        self.slider.setEnabled(self._staircase is not None)
        self._draw()

    def set_before(self, staircase: RiskDistribution | None) -> None:
        """Outline these risks, in classes as wide as the bars; None outlines nothing."""
        if staircase is self._before:
            return
        self._before = staircase if staircase is not None and staircase.n else None
        self._kept.clear()
        paint_apart(self, 0)
        self._draw()

    def set_opinion(self, staircase: RiskDistribution | None) -> None:
        """Outline the same records by another opinion, in classes as wide as the bars; None outlines nothing."""
        if staircase is self._opinion:
            return
        self._opinion = staircase if staircase is not None and staircase.n else None
        self._kept.clear()
        paint_apart(self, 0)
        self._draw()

    def add_view(self, widget: QWidget) -> None:
        """Another view of the same risks, in the histogram's place; the slider stays below it."""
        self._views.addWidget(widget)

    def show_view(self, widget: QWidget) -> None:
        """Show the histogram, or another view in its place."""
        self._views.setCurrentWidget(widget)

    def set_cumulative(self, cumulative: bool) -> None:
        """Running totals instead of classes."""
        self._cumulative = cumulative
        self._draw()

    def count(self, unit: Counted, of_cells: Counted) -> None:
        """What the bars count, and what their cells are."""
        self._unit, self._unit_of_cells = unit, of_cells
        self.histogram.set_unit(unit, of_cells)
        self._draw()

    def show_linked(self, linked: LinkedNumbers) -> None:
        """Draw a threshold and put the slider there."""
        self._linked = linked
        self.histogram.set_threshold(linked.threshold, (linked.low, linked.high), linked.unsafe)
        self.slider.show_risk(linked.threshold)
        self.slider.setAccessibleDescription(
            translate("{threshold}, unsafe: {told}").format(
                threshold=format_exact(linked.threshold), told=self._unit.told(linked.unsafe)
            )
        )

    def _draw(self) -> None:
        if self._staircase is None:
            self.histogram.clear_bars()
            return
        bars = self._bars(self._staircase)
        before, other = self._outline(), None if self._opinion is None else self._bars(self._opinion)
        self.histogram.set_before(*((None, None) if before is None else (before.edges, before.records)))
        self.histogram.set_opinion(*((None, None) if other is None else (other.edges, other.records)))
        self.histogram.set_bars(bars.edges, bars.records, bars.cells, self._cumulative)
        ends = [self._staircase.min_risk, self._staircase.max_risk]
        ends += [edge for outline in (before, other) if outline is not None for edge in outline.edges[[0, -1]].tolist()]
        self.slider.set_range_of_risk(min(ends), max(ends))
        if self._linked is not None:
            self.show_linked(self._linked)
        self._align_soon()

    def _bars(self, staircase: RiskDistribution) -> Histogram:
        """Bars for drawing; of the state before, the classes that are outlined."""
        assert self._staircase is not None, "an outline is that of bars"
        outlined = [each for each in (self._before, self._opinion) if each is not None]
        key = id(staircase), self._cumulative  # which is alive as long as it is shown
        if key not in self._kept:
            bars = bars_of(self._staircase, outlined, RUNNING_BARS if self._cumulative else BARS)
            found = bars if staircase is self._staircase else in_classes_of(bars.edges, staircase)
            self._kept[key] = running(found) if self._cumulative else found
        return self._kept[key]

    def _outline(self) -> Histogram | None:
        return None if self._before is None else self._bars(self._before)

    def _align_soon(self) -> None:
        QTimer.singleShot(0, self, self._align)

    def _align(self) -> None:
        left, right = self.histogram.axis_span()
        handle = self.slider.handle_width() // 2
        after = self.histogram.width() - right - handle
        self._row.setContentsMargins(max(0, left - handle), 0, max(0, after), 0)

    def _picture(self) -> str:
        if self._staircase is None:
            return ""
        threshold = None if self._linked is None else self._linked.threshold
        bars, unsafe = self._bars(self._staircase), self.histogram.unsafe
        return pictures.histogram_picture(bars, threshold, self._title(), self._unit.name, unsafe, self._outline())

    def _told(self) -> str:
        """Where the risks lie, and how many are unsafe: the chart in words."""
        linked, staircase = self._linked, self._staircase
        if staircase is None or linked is None:
            return translate("There are no figures to show.")
        sentence = translate(
            "Risks from {least} to {most} of {all}; at the threshold {threshold} ({one_in}), unsafe: {unsafe}."
        )
        return sentence.format(
            least=format_one_in(staircase.min_risk), most=format_one_in(staircase.max_risk),
            all=self._unit.told(self.histogram.total), threshold=format_exact(linked.threshold),
            one_in=format_one_in(linked.threshold), unsafe=self._unit.told(linked.unsafe),
        )  # fmt: skip

    def _figures(self) -> Sequence[Column]:
        if self._staircase is None:
            return ()
        units = self._unit, self._unit_of_cells
        return pictures.histogram_columns(self._bars(self._staircase), units, self._outline(), self._cumulative)
