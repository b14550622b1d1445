"""The risk–utility map: every alternative a point, its risk across and what it costs upwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.base.errors import PavoError
from core.base.texts import translate
from gui import numbers
from gui.compare import pictures
from gui.compare.pictures import MapPoint
from gui.compare.utility_map_labels import HALF, name_places
from gui.shared.charts.chart_menu import ChartMenu
from gui.shared.charts.log_axis import PlainAxis
from gui.shared.charts.plot_style import axis_title
from gui.shared.table.model import Column
from gui.texts import as_tip
from gui.theme import theme

_EDGE, _ROOM = 0.03, 4
_AXES = 90, 60
"""Pixels of width and height that the axes take at most; what is left is for their titles."""
_SIZE, _CURRENT = 15, 13
"""Points in pixels: that of the current session lies on top and leaves the edge of one at its place to be seen."""


class UtilityMap(pg.PlotWidget):
    """Points by (risk in per cent, comparable loss); down and left is better. F4 shows them as a table.

    Signals
    -------
    chosen(int)
        A point was clicked: its place among the points set.
    """

    chosen = Signal(int)

    def __init__(self, refuse: Callable[[PavoError], None], parent: QWidget | None = None) -> None:
        axes = {side: PlainAxis(side) for side in ("left", "bottom")}
        super().__init__(parent, axisItems=axes, enableMenu=False)
        self.setObjectName("riskUtilityMap")
        self.setAccessibleName(translate("Risk–utility map"))
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.layout.setContentsMargins(1, 1, _ROOM, _ROOM)
        plot.setMouseEnabled(False, False)
        self._points: list[MapPoint] = []
        self._current = -1
        self._title, self._of, self._upwards = "", "", ""
        self._titles: dict[str, str] = {}
        self._names: list[pg.TextItem] = []
        self._scatter = pg.ScatterPlotItem(size=_SIZE)
        self._scatter.sigClicked.connect(self._clicked)
        plot.addItem(self._scatter)
        # the axes take the room that their numbers need when they are painted
        plot.vb.sigResized.connect(self._place_names)
        ChartMenu(self, "riskUtilityMap", self._picture, self._figures, refuse)
        theme.changed.connect(self.apply_theme)
        self.apply_theme()

    def apply_theme(self) -> None:
        """Take the colours of the theme in use."""
        self.setBackground(QColor(theme.scheme.surface))
        for side in ("left", "bottom"):
            self.getAxis(side).setPen(QColor(theme.scheme.text))
            self.getAxis(side).setTextPen(QColor(theme.scheme.text))
            self.getAxis(side).enableAutoSIPrefix(False)
        self._name_axis()
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_titles"):
            self._name_axis()

    @property
    def title(self) -> str:
        """What the risk axis says."""
        return ", ".join(part for part in (self._title, self._of) if part)

    def _name_axis(self) -> None:
        across, upwards = (max(size - room, 1) for size, room in zip((self.width(), self.height()), _AXES, strict=True))
        titles = {
            "left": axis_title((self._upwards or pictures.loss_title(),), upwards),
            "bottom": axis_title((self._title, self._of), across),
        }
        if titles != self._titles:
            self._titles = titles
            for side, title in titles.items():
                self.setLabel(side, title)
                self.getAxis(side).resizeEvent()  # it stands in the middle of what it says now

    def set_points(
        self, points: Sequence[MapPoint], current: int = -1, title: str = "", of: str = "", upwards: str = ""
    ) -> None:
        """Show points; the `current` one is marked, those that are not protected are hollow.

        `title` says what risk that is, with its unit, and `of` of which tables; both stand at the axis. `upwards` says
        what loss it is, in per cent; empty: that by recoding and suppression, in bits.
        """
        self._points, self._current, self._title, self._of = list(points), current, title, of
        self._upwards = upwards
        self._name_axis()
        self._draw()

    def _draw(self) -> None:
        plot = self.getPlotItem()
        for label in self._names:
            plot.removeItem(label)
        self._names = [pg.TextItem() for _ in self._points]
        for label in self._names:
            plot.addItem(label, ignoreBounds=True)
        last = sorted(range(len(self._points)), key=lambda place: place == self._current)
        self._scatter.setData([self._spot(place) for place in last])
        self._fit()
        self._place_names()

    def _spot(self, place: int) -> dict[str, object]:
        _name, risk, loss, protected = self._points[place]
        marked = place == self._current
        colour, base = QColor(theme.scheme.unsafe_text if marked else theme.scheme.accent), QColor(theme.scheme.surface)
        return {
            "pos": (100 * risk, loss),
            "data": place,
            "size": _CURRENT if marked else _SIZE,
            "symbol": "d" if marked else "o",
            "brush": colour if protected else base,
            "pen": pg.mkPen(base if protected else colour, width=1 if protected else 2),
        }

    def _place_names(self, _view: object = None) -> None:
        """The names of each place where they hide no other name nor point, and are not cut off."""
        view = self.getPlotItem().vb
        metrics, inside = QFontMetricsF(self.font()), view.mapRectToScene(view.boundingRect())
        points = [view.mapViewToScene(QPointF(100 * point.risk, point.loss)) for point in self._points]
        names = [
            metrics.elidedText(point.name, Qt.TextElideMode.ElideMiddle, inside.width() / 2) for point in self._points
        ]
        widths = [metrics.horizontalAdvance(name) + 2 * HALF for name in names]
        places = name_places(points, widths, inside)
        for label in self._names:
            label.hide()
        for label, place in zip(self._names, places, strict=False):
            first = self._points[place.points[0]]
            room = place.room.width() - 4 * HALF
            shown = (metrics.elidedText(names[i], Qt.TextElideMode.ElideMiddle, room) for i in place.points)
            label.setText("\n".join(f"  {name}  " for name in shown), QColor(theme.scheme.text))
            label.setPos(100 * first.risk, first.loss)
            label.setAnchor(place.anchor)
            label.show()

    def _fit(self) -> None:
        across, upwards = pictures.map_ends(self._points)
        self.setXRange(-_EDGE * across, across, padding=0)
        self.setYRange(-_EDGE * upwards, upwards, padding=0)
        said = translate("{name}: {risk}, {loss} %") if self._upwards else translate("{name}: {risk}, {loss} bits")
        told = "\n".join(
            said.format(
                name=point.name,
                risk=numbers.format_percent(point.risk),
                loss=numbers.format_number(point.loss, 3 if self._upwards else 1),
            )
            for point in self._points
        )
        self.setToolTip(as_tip(told))

    def _clicked(self, _scatter: object, points: Sequence[pg.SpotItem]) -> None:
        if len(points):
            self.chosen.emit(int(points[0].data()))

    def _picture(self) -> str:
        return pictures.map_picture(self._points, self._current, self.accessibleName(), self.title, self._upwards)

    def _figures(self) -> Sequence[Column]:
        return pictures.map_columns(self._points, self.title, self._upwards)
