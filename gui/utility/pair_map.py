"""The heat map of pairs of variables: their association before and after, and how well a pair tells records apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from core.base.texts import mark, translate
from gui import numbers
from gui.shared.charts.plot_style import small_font
from gui.shared.table.model import Column
from gui.theme.tokens import Colours
from gui.utility.painted_chart import PaintedChart, blend

if TYPE_CHECKING:
    from core.utility.compared import Floats
    from core.whatif.utility import FileUtility

Figure = Literal["difference", "before", "after", "propensity"]

FIGURES: tuple[tuple[Figure, str], ...] = (
    ("difference", mark("&Difference")),
    ("before", mark("&Before")),
    ("after", mark("Af&ter")),
    ("propensity", mark("S_pMSE")),
)
_WIDEST, _HIGHEST = 96.0, 52.0
"""Largest cell, in pixels."""
_FULL_CHANGE = 0.05
"""A change of an association that is drawn with the full colour where none is larger."""
_FULL_RATIO = 1.0
"""The same of S_pMSE, at which values are as good as drawn anew."""


class PairMap(PaintedChart):
    """`utilityPairs`: a triangle of cells, the stronger the more; those with a stroke became weaker or are negative."""

    def __init__(self) -> None:
        super().__init__("utilityPairs", translate("Pairs of variables"), least=(220, 160))
        self._found: FileUtility | None = None
        self._figure: Figure = "difference"

    def show_pairs(self, found: FileUtility | None) -> None:
        """Show the pairs of a file; None: nothing."""
        self._found = found
        self.update()

    def show_figure(self, figure: Figure) -> None:
        """Show another figure of each pair."""
        self._figure = figure
        said = translate(dict(FIGURES)[figure]).replace("&", "")
        self.setAccessibleName(f"{translate('Pairs of variables')}: {said}")
        self.update()

    @property
    def _values(self) -> Floats:
        assert self._found is not None
        matrix = self._found.associations
        if self._figure == "propensity":
            return self._found.propensity_by_pair
        return {"difference": matrix.change, "before": matrix.before, "after": matrix.after}[self._figure]

    @property
    def _names(self) -> tuple[str, ...]:
        return self._found.associations.names if self._found is not None else ()

    @property
    def is_empty(self) -> bool:
        return len(self._names) < 2

    def figures(self) -> list[Column]:
        """All figures of each pair."""
        names = self._names
        if self._found is None or len(names) < 2:
            return []
        matrix, ratio = self._found.associations, self._found.propensity_by_pair
        pairs = [(i, j) for i in range(len(names)) for j in range(i)]

        def three(value: float) -> str:
            return numbers.format_number(value, 3)

        columns = (
            (translate("Association before"), matrix.before),
            (translate("Association after"), matrix.after),
            (translate("Difference"), matrix.change),
            ("S_pMSE", ratio),
        )
        pair = Column(translate("Pair"), [f"{names[j]} × {names[i]}" for i, j in pairs])
        return [pair, *(Column(title, [float(m[i, j]) for i, j in pairs], three, True) for title, m in columns)]

    def _places(self, area: QRectF, metrics: QFontMetricsF) -> tuple[QPointF, float, float]:
        """Upper left corner of the first cell, width and height of a cell."""
        rows = max(len(self._names) - 1, 1)
        widest = max((metrics.horizontalAdvance(name) for name in self._names), default=0.0) + 8
        left = min(widest, area.width() * 0.3)
        foot = min(widest, area.height() * 0.35)
        wide = max(min((area.width() - left) / rows, _WIDEST), 1.0)
        high = max(min((area.height() - foot) / rows, _HIGHEST), 1.0)
        return QPointF(area.left() + left, area.top()), wide, high

    def draw(self, painter: QPainter, area: QRectF, colours: Colours) -> None:
        """Cells below the diagonal, names at the left and below, figures where they have room."""
        names, values = self._names, self._values
        metrics = QFontMetricsF(painter.font())
        corner, wide, high = self._places(area, metrics)
        known = [abs(float(values[i, j])) for i in range(len(names)) for j in range(i) if math.isfinite(values[i, j])]
        full = {"difference": _FULL_CHANGE, "propensity": _FULL_RATIO}.get(self._figure, 1.0)
        if self._figure in ("difference", "propensity"):
            full = max([full, *known])
        decimals = {"propensity": 1, "difference": 3}.get(self._figure, 2)
        room = metrics.horizontalAdvance("−0." + "0" * decimals) + 4
        line = metrics.height() * 0.8
        for i in range(1, len(names)):
            top = corner.y() + (i - 1) * high
            if high >= line:
                painter.setPen(QColor(colours.text))
                self._write(painter, QRectF(area.left(), top, corner.x() - area.left() - 6, high), names[i])
            for j in range(i):
                value = float(values[i, j])
                place = QRectF(corner.x() + j * wide, top, wide - 1, high - 1)
                self._cell(painter, place, value, full, colours)
                if wide >= room and high >= line and math.isfinite(value):
                    strong = abs(value) / full > 0.55
                    painter.setPen(QColor(colours.on_accent if strong else colours.text))
                    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, numbers.format_number(value, decimals))
        if wide >= line:
            painter.setPen(QColor(colours.text))
            bottom = corner.y() + (len(names) - 1) * high + 6
            for j, name in enumerate(names[:-1]):
                painter.save()
                painter.translate(corner.x() + (j + 0.5) * wide, bottom)
                painter.rotate(-90)
                length = area.bottom() - bottom
                self._write(painter, QRectF(-length, -wide / 2, length, wide), name)
                painter.restore()

    def _write(self, painter: QPainter, place: QRectF, name: str) -> None:
        text = QFontMetricsF(painter.font()).elidedText(name, Qt.TextElideMode.ElideMiddle, place.width())
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _cell(self, painter: QPainter, place: QRectF, value: float, full: float, colours: Colours) -> None:
        if not math.isfinite(value):
            painter.setPen(QColor(colours.line))
            painter.drawRect(place)
            return
        share = min(abs(value) / full, 1.0)
        colour = colours.accent if value >= 0 else colours.muted
        painter.fillRect(place, blend(colours.sunken, colour, share))
        if value < 0 and share > 0.05:  # told without its colour too
            painter.fillRect(QRectF(place.left() + 2, place.bottom() - 3, place.width() - 4, 1.5), QColor(colours.text))

    def told_at(self, place: QPointF, area: QRectF) -> str:
        """The figures of the pair under the mouse."""
        corner, wide, high = self._places(area, QFontMetricsF(small_font()))
        i, j = int((place.y() - corner.y()) // high) + 1, int((place.x() - corner.x()) // wide)
        if self._found is None or not (0 <= j < i < len(self._names)):
            return ""
        matrix = self._found.associations
        told = translate("{pair}: association {before} before, {after} after; S_pMSE {ratio}")
        return told.format(
            pair=f"{self._names[j]} × {self._names[i]}",
            before=numbers.format_number(float(matrix.before[i, j]), 3),
            after=numbers.format_number(float(matrix.after[i, j]), 3),
            ratio=numbers.format_number(float(self._found.propensity_by_pair[i, j]), 2),
        )
