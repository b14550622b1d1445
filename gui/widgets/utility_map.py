"""The risk–utility map: every alternative a point, its risk across and what it costs upwards."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from core.texts import translate
from gui import numbers
from gui.theme import theme


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
        self._points: list[tuple[str, float, float]] = []
        self._current = -1
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
        self.setLabel("bottom", translate("re-identification rate after protection (%)"))
        self.setLabel("left", translate("loss of information (bits)"))
        self._draw()

    def set_points(self, points: Sequence[tuple[str, float, float]], current: int = -1) -> None:
        """Show points (name, rate as a fraction, loss in bits); the `current` one is marked."""
        self._points, self._current = list(points), current
        self._draw()

    def _draw(self) -> None:
        plot = self.getPlotItem()
        for name in self._names:
            plot.removeItem(name)
        self._names = []
        spots = []
        for place, (name, rate, loss) in enumerate(self._points):
            marked = place == self._current
            spots.append(
                {
                    "pos": (100 * rate, loss),
                    "data": place,
                    "symbol": "d" if marked else "o",
                    "brush": QColor(theme.scheme.unsafe_text if marked else theme.scheme.accent),
                    "pen": pg.mkPen(QColor(theme.scheme.base), width=1),
                }
            )
            label = pg.TextItem(f" {name}", color=QColor(theme.scheme.text), anchor=(0, 1 - place % 2))
            label.setPos(100 * rate, loss)
            plot.addItem(label, ignoreBounds=True)
            self._names.append(label)
        self._scatter.setData(spots)
        self._fit()

    def _fit(self) -> None:
        if not self._points:
            return
        rates = [100 * rate for _, rate, _ in self._points]
        losses = [loss for _, _, loss in self._points]
        self.setXRange(0, max(*rates, 1e-9) * 1.35, padding=0)
        self.setYRange(0, max(*losses, 1.0) * 1.15, padding=0)
        self.setToolTip(
            "\n".join(
                f"{name}: {numbers.format_percent(rate)}, {numbers.format_number(loss, 1)}"
                for name, rate, loss in self._points
            )
        )

    def _clicked(self, _scatter: object, points: Sequence[pg.SpotItem]) -> None:
        if len(points):
            self.chosen.emit(int(points[0].data()))
