"""The plans on the risk–utility map: risk across, loss upwards, growing while they are searched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from core.base.errors import PavoError
from core.base.texts import translate
from core.report.svg import INK, MUTED, SAFE, UNSAFE, LinearAxis, document, line, number, text, value_axis
from gui import numbers
from gui.shared.charts.chart_menu import ChartMenu
from gui.shared.charts.framed_plot import FramedPlot
from gui.shared.charts.log_axis import PlainAxis
from gui.shared.charts.plot_style import GridLines, dress_plot
from gui.shared.table.model import Column
from gui.theme import theme

_SIZE, _BEST = 10, 14
_WIDTH, _LEFT, _RIGHT, _TOP, _TALL = 720.0, 92.0, 702.0, 40.0, 300.0
_SOLID, _DOTTED = Qt.PenStyle.SolidLine, Qt.PenStyle.DotLine
NOW = 0
"""The number of the session's own plan, which the table need not have."""
_ROOM = 1.06
"""Beyond the largest figure of each axis."""


class _FewTicks(PlainAxis):
    """Numbers as they are, and ticks only where one stands."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """The widest apart."""
        found: list[tuple[float, list[float]]] = super().tickValues(low, high, size)
        return found[:1]


class PlanPoint(NamedTuple):
    """A plan: its number in the table (`NOW`: of the session), the share of detail it loses, risk, suppressions.

    `estimated`: whether its figures are.
    """

    number: int
    loss: float
    risk: float
    suppressions: int
    estimated: bool = False


class PlanMap(FramedPlot):
    """`planMap`: down and to the left is better. `chosen(int)`: the number of the plan that was clicked."""

    chosen = Signal(int)

    def __init__(self, refuse: Callable[[PavoError], None], parent: QWidget | None = None) -> None:
        axes = {"left": _FewTicks("left"), "bottom": _FewTicks("bottom")}
        super().__init__(parent, axisItems=axes, enableMenu=False)
        self.setObjectName("planMap")
        self.setAccessibleName(translate("Plans by risk and loss"))
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.setMouseEnabled(False, False)
        plot.layout.setContentsMargins(1, 8, 20, 2)
        for side in ("left", "bottom"):
            self.getAxis(side).enableAutoSIPrefix(False)
        self._points: list[PlanPoint] = []
        self._title, self._best, self._current = "", -1, -1
        self._grid = GridLines(plot)
        self._scatter = pg.ScatterPlotItem(size=_SIZE)
        self._scatter.sigClicked.connect(self._clicked)
        plot.addItem(self._scatter)
        ChartMenu(self, "planMap", self._picture, self._figures, refuse)
        theme.changed.connect(self._draw)
        self._draw()

    def set_points(self, points: Sequence[PlanPoint], title: str, best: int = -1) -> None:
        """Show plans; the `best` one is marked. `title`: what risk goes across, in per cent."""
        self._points, self._title, self._best = list(points), title, best
        self._draw()

    def select(self, plan: int) -> None:
        """Mark the plan of this number as the current one; -1: none."""
        self._current = plan
        self._draw()

    def _draw(self) -> None:
        dress_plot(self)
        there = bool(self._points)
        self._grid.setVisible(there)
        for side, title in (("bottom", self._title), ("left", _loss_title())):
            self.getAxis(side).setStyle(showValues=there)
            self.setLabel(side, title if there else "")
        last = sorted(self._points, key=lambda point: (point.number == self._current, point.number == self._best))
        self._scatter.setData([self._spot(point) for point in last])
        across = max((100 * point.risk for point in self._points), default=0.0) or 1.0
        upwards = max((100 * point.loss for point in self._points), default=0.0) or 1.0
        self.setXRange(-0.02 * across, across * _ROOM, padding=0)
        self.setYRange(-0.02 * upwards, upwards * _ROOM, padding=0)

    def _spot(self, point: PlanPoint) -> dict[str, object]:
        is_best, is_current = point.number == self._best, point.number == self._current
        colour, base = QColor(theme.scheme.accent), QColor(theme.scheme.surface)
        if point.number == NOW:
            colour = QColor(theme.scheme.unsafe_text)
        edge = QColor(theme.scheme.text) if is_current else colour
        return {
            "pos": (100 * point.risk, 100 * point.loss),
            "data": point.number,
            "symbol": "t1" if point.number == NOW else "d" if is_best else "o",
            "size": _BEST if is_best or is_current or point.number == NOW else _SIZE,
            "brush": base if point.suppressions else colour,
            "pen": pg.mkPen(edge, width=3 if is_current else 1.5, style=_DOTTED if point.estimated else _SOLID),
        }

    def _clicked(self, _scatter: object, spots: Sequence[pg.SpotItem]) -> None:
        plans = [int(spot.data()) for spot in spots if spot.data() != NOW]
        if plans:
            self.chosen.emit(plans[0])

    def _picture(self) -> str:
        if not self._points:
            return ""
        bottom = _TOP + _TALL
        across = (max(100 * point.risk for point in self._points) or 1.0) * _ROOM
        upward = LinearAxis((max(100 * point.loss for point in self._points) or 1.0) * _ROOM, bottom, _TOP)
        parts = [text(_LEFT, 22, self.accessibleName(), "start", 13, INK, bold=True)]
        parts += value_axis(upward, _LEFT, _RIGHT, _loss_title(), whole=False)
        parts.append(line(_LEFT, bottom, _RIGHT, bottom, MUTED))
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            x = _LEFT + share * (_RIGHT - _LEFT)
            parts.append(text(x, bottom + 18, numbers.format_exact(float(f"{share * across:.3g}")), "middle", 12))
        parts.append(text((_LEFT + _RIGHT) / 2, bottom + 44, self._title, "middle", 12))
        for point in self._points:
            x, y = _LEFT + 100 * point.risk / across * (_RIGHT - _LEFT), upward(100 * point.loss)
            colour = UNSAFE if point.number == self._best else SAFE
            fill = "#ffffff" if point.suppressions else colour
            dotted = ' stroke-dasharray="2 2"' if point.estimated else ""
            parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="5" fill="{fill}" stroke="{colour}"{dotted}/>')
        return document(_WIDTH, bottom + 62, self.accessibleName(), f"{self._title}, {_loss_title()}", parts)

    def _figures(self) -> Sequence[Column]:
        return (
            Column(translate("No."), [point.number or translate("now") for point in self._points]),
            Column(_loss_title(), [point.loss for point in self._points], numbers.format_percent, True),
            Column(self._title, [point.risk for point in self._points], numbers.format_percent, True),
            Column(
                translate("Suppressions"), [point.suppressions for point in self._points], numbers.format_count, True
            ),
            Column(
                translate("Figures"),
                [translate("estimated") if point.estimated else translate("counted") for point in self._points],
            ),
        )


def _loss_title() -> str:
    return translate("detail lost (%)")
