"""The risks of several alternatives drawn over each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from core.base.errors import PavoError
from core.base.texts import translate
from gui.compare import pictures
from gui.shared.charts.chart_menu import ChartMenu
from gui.shared.charts.log_axis import CountAxis, LogAxis
from gui.shared.table.model import Column
from gui.theme import theme

if TYPE_CHECKING:
    from core.risk.distribution import Histogram

_ROOM = 4
_PENS = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)


class OverlaidHistograms(pg.PlotWidget):
    """Lines of records by risk, one for all alternatives with the same risks. F4 shows them as a table."""

    def __init__(self, refuse: Callable[[PavoError], None], parent: QWidget | None = None) -> None:
        super().__init__(parent, axisItems={"bottom": LogAxis(), "left": CountAxis()}, enableMenu=False)
        self.setObjectName("overlaidHistograms")
        self.setAccessibleName(translate("Histograms of risks"))
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.layout.setContentsMargins(1, 1, _ROOM, _ROOM)
        plot.setMouseEnabled(False, False)
        self._lines: list[tuple[str, Histogram]] = []
        self._title, self._of = "", ""
        ChartMenu(self, "overlaidHistograms", self._picture, self._figures, refuse)
        theme.changed.connect(self._draw)
        self._draw()

    def set_histograms(self, found: Sequence[tuple[str, Histogram]], title: str = "", of: str = "") -> None:
        """Show histograms, each with the name of its alternative.

        `title` says what risk that is, and `of` of which tables; both stand at the axis.
        """
        self._lines, self._title, self._of = _distinct(found), title, of
        self._draw()

    @property
    def title(self) -> str:
        """What the risk axis says."""
        return ", ".join(part for part in (self._title, self._of) if part)

    def _draw(self) -> None:
        plot, ink = self.getPlotItem(), QColor(theme.scheme.text)
        plot.clear()
        self.setBackground(QColor(theme.scheme.surface))
        for side in ("left", "bottom"):
            self.getAxis(side).setPen(ink)
            self.getAxis(side).setTextPen(ink)
            self.getAxis(side).setStyle(showValues=bool(self._lines))
        self.setLabel("bottom", "<br>".join(escape(part) for part in (self._title, self._of) if part))
        self.setLabel("left", translate("records"))
        if plot.legend is None:
            plot.addLegend(offset=(10, 10))
        plot.legend.setLabelTextColor(ink)
        for place, (name, bars) in enumerate(self._lines):
            colour, style = pictures.line_style(place, theme.scheme)
            pen = pg.mkPen(QColor(colour), width=2, style=_PENS[style])
            plot.plot(np.log10(bars.edges), bars.records.astype(float), stepMode="center", pen=pen, name=escape(name))

    def _picture(self) -> str:
        return pictures.lines_picture(self._lines, self.accessibleName(), self.title)

    def _figures(self) -> Sequence[Column]:
        return pictures.lines_columns(self._lines)


def _distinct(found: Sequence[tuple[str, Histogram]]) -> list[tuple[str, Histogram]]:
    """Histograms, each with the names of all alternatives that have it: of lines on one another only one is seen."""
    drawn: list[tuple[list[str], Histogram]] = []
    for name, bars in found:
        for names, other in drawn:
            if np.array_equal(bars.edges, other.edges) and np.array_equal(bars.records, other.records):
                names.append(name)
                break
        else:
            drawn.append(([name], bars))
    return [(", ".join(names), bars) for names, bars in drawn]
