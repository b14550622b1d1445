"""The risk–utility map: every alternative a point, its risk across and what it costs upwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.texts import translate
from gui import numbers
from gui.theme import theme

_HALF = 7.0
"""Half of a point, in pixels."""


class MapPoint(NamedTuple):
    """An alternative: its rate as a fraction, its loss in bits, and whether that is of a protected file."""

    name: str
    rate: float
    loss: float
    protected: bool = True


class UtilityMap(pg.PlotWidget):
    """Points by (rate after protection in per cent, comparable loss); down and left is better.

    Signals
    -------
    chosen(int)
        A point was clicked: its place among the points set.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        plot = self.getPlotItem()
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.setMouseEnabled(False, False)
        self._points: list[MapPoint] = []
        self._current = -1
        self._by_households = False
        self._names: list[pg.TextItem] = []
        self._scatter = pg.ScatterPlotItem(size=13)
        self._scatter.sigClicked.connect(self._clicked)
        plot.addItem(self._scatter)
        theme.changed.connect(self.apply_theme)
        self.apply_theme()

    def apply_theme(self) -> None:
        """Take the colours of the theme in use."""
        self.setBackground(QColor(theme.scheme.base))
        for side in ("left", "bottom"):
            self.getAxis(side).setPen(QColor(theme.scheme.text))
            self.getAxis(side).setTextPen(QColor(theme.scheme.text))
            self.getAxis(side).enableAutoSIPrefix(False)
        self._name_axis()
        self.setLabel("left", translate("loss by recoding and suppression (bits)"))
        self._draw()

    def _name_axis(self) -> None:
        title = translate("re-identification rate after protection (%)")
        if self._by_households:
            title = translate("household re-identification rate after protection (%)")
        self.setLabel("bottom", title)

    def set_points(self, points: Sequence[MapPoint], current: int = -1, by_households: bool = False) -> None:
        """Show points; the `current` one is marked, those that are not protected are hollow.

        `by_households`: their rates are those of households, which the axis says.
        """
        self._points, self._current, self._by_households = list(points), current, by_households
        self._name_axis()
        self._draw()

    def _draw(self) -> None:
        plot = self.getPlotItem()
        for name in self._names:
            plot.removeItem(name)
        self._names = []
        spots = []
        for place, (name, rate, loss, protected) in enumerate(self._points):
            marked = place == self._current
            colour = QColor(theme.scheme.unsafe_text if marked else theme.scheme.accent)
            spots.append(
                {
                    "pos": (100 * rate, loss),
                    "data": place,
                    "symbol": "d" if marked else "o",
                    "brush": colour if protected else QColor(theme.scheme.base),
                    "pen": pg.mkPen(QColor(theme.scheme.base) if protected else colour, width=1 if protected else 2),
                }
            )
            label = pg.TextItem(f" {name} ", color=QColor(theme.scheme.text))
            label.setPos(100 * rate, loss)
            plot.addItem(label, ignoreBounds=True)
            self._names.append(label)
        self._scatter.setData(spots)
        self._fit()
        self._place_names()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_names"):
            self._place_names()

    def _place_names(self) -> None:
        """Each name at the corner of its point where it hides no other name nor point, and is not cut off."""
        view = self.getPlotItem().vb
        metrics, inside = QFontMetricsF(self.font()), view.mapRectToScene(view.boundingRect())
        points = [view.mapViewToScene(QPointF(100 * point.rate, point.loss)) for point in self._points]
        taken = [QRectF(place.x() - _HALF, place.y() - _HALF, 2 * _HALF, 2 * _HALF) for place in points]
        for point, place, label in zip(self._points, points, self._names, strict=True):
            width, height = metrics.horizontalAdvance(f" {point.name} ") + 2 * _HALF, metrics.height() + 4
            corners = [
                (anchor, QRectF(place.x() - anchor[0] * width, place.y() - anchor[1] * height, width, height))
                for anchor in ((0, 1), (0, 0), (1, 1), (1, 0), (0.5, 1.4), (0.5, -0.4))
            ]
            anchor, room = min(corners, key=lambda corner: _hidden(corner[1], taken, inside))
            label.setAnchor(anchor)
            taken.append(room)

    def _fit(self) -> None:
        if not self._points:
            return
        rates = [100 * point.rate for point in self._points]
        losses = [point.loss for point in self._points]
        self.setXRange(0, max(*rates, 1e-9) * 1.35, padding=0)
        self.setYRange(0, max(*losses, 1.0) * 1.15, padding=0)
        self.setToolTip(
            "\n".join(
                f"{point.name}: {numbers.format_percent(point.rate)}, {numbers.format_number(point.loss, 1)}"
                for point in self._points
            )
        )

    def _clicked(self, _scatter: object, points: Sequence[pg.SpotItem]) -> None:
        if len(points):
            self.chosen.emit(int(points[0].data()))


def _hidden(room: QRectF, taken: Sequence[QRectF], inside: QRectF) -> float:
    """How many pixels of other things a name would hide, or lose at the edge."""
    overlaps = (room.intersected(other) for other in taken)
    seen = room.intersected(inside)
    lost = room.width() * room.height() - seen.width() * seen.height()
    return lost + sum(each.width() * each.height() for each in overlaps)
