"""The words at the head of the threshold's line: how many are safe to its left, how many unsafe to its right."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QApplication

from core.base.texts import mark, translate
from gui.numbers import format_count, format_one_in
from gui.theme import body_points, theme
from gui.theme.tokens import TYPE

_BESIDE = 6
"""Pixels between the line and a word."""
_ABOVE = 2
_LOW = 110
"""Height of the plot in pixels below which there is room for one line."""


SIDES = mark("{count} safe"), mark("{count} unsafe")
"""What is said of those on either side of the line."""
SIDES_OF_HOUSEHOLDS = mark("{count} in safe households"), mark("{count} in unsafe households")
"""The same of records that stand with their household: not all that are in an unsafe one are unsafe themselves."""


class ThresholdWords:
    """Three texts in a plot; one that has no room on its side of the line stands on the other, below those there."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self._plot, self._visible = plot, False
        self.sides = SIDES
        self._safe, self._unsafe, self._threshold = (pg.TextItem(anchor=(0, 0)) for _ in range(3))
        for item in self.items:
            item.setZValue(11)
            item.textItem.document().setDocumentMargin(0)
            plot.addItem(item, ignoreBounds=True)
        self.dress()

    @property
    def items(self) -> tuple[pg.TextItem, ...]:
        """Safe, unsafe and threshold."""
        return self._safe, self._unsafe, self._threshold

    def dress(self) -> None:
        """Take the colours of the theme in use."""
        strong = QFont(QApplication.font())
        strong.setPointSizeF(body_points() * TYPE["section"].size)
        strong.setWeight(QFont.Weight.DemiBold)
        scheme = theme.scheme
        colours = (scheme.safe_text, strong), (scheme.unsafe_text, strong), (scheme.muted, QApplication.font())
        for item, (colour, font) in zip(self.items, colours, strict=True):
            item.setColor(colour)
            item.setFont(font)

    def say(self, threshold: float, safe: int, unsafe: int) -> None:
        """Tell how many are on either side of a threshold."""
        on_safe_side, on_unsafe_side = map(translate, self.sides)
        texts = (
            f"◂ {on_safe_side.format(count=format_count(safe))}",
            f"{on_unsafe_side.format(count=format_count(unsafe))} ▸",
            translate("threshold {one_in}").format(one_in=format_one_in(threshold)),
        )
        for item, text in zip(self.items, texts, strict=True):
            if item.toPlainText() != text:
                item.setText(text)

    def set_visible(self, visible: bool) -> None:
        """Show or hide all of them."""
        self._visible = visible
        for item in self.items:
            item.setVisible(visible and (item is self._unsafe or not self._is_low()))

    def height(self) -> float:
        """Pixels that they take, wherever they stand; in a low plot only what is unsafe is said."""
        return (1 if self._is_low() else len(self.items)) * self._line_height() + 2 * _ABOVE

    def _is_low(self) -> bool:
        return bool(self._plot.vb.height() < _LOW)

    def place(self, position: float) -> float:
        """Stand them at the line's `position`, for the plot's present size; how far from the left edge, in pixels."""
        view = self._plot.vb
        (left, right), (_, top) = view.viewRange()
        if view.width() <= 0 or right <= left:
            return 0.0
        self.set_visible(self._visible)
        pixel = (right - left) / view.width()
        room = {"left": (position - left) / pixel - _BESIDE, "right": (right - position) / pixel - _BESIDE}
        head = view.mapViewToScene(QPointF(position, top))
        rows, begins = {"left": 0, "right": 0}, room["left"] + 2 * _BESIDE
        wanted = ((self._safe, "left"), (self._unsafe, "right"), (self._threshold, "left"))
        for item, side in wanted:
            if not item.isVisible():
                continue
            other = "right" if side == "left" else "left"
            width = self._width(item)
            stands = other if room[side] < width and room[other] > room[side] else side
            item.setAnchor((1.0 if stands == "left" else 0.0, 0.0))
            away = -_BESIDE if stands == "left" else _BESIDE
            scene = QPointF(head.x() + away, head.y() + _ABOVE + rows[stands] * self._line_height())
            item.setPos(view.mapSceneToView(scene))
            rows[stands] += 1
            begins = min(begins, room["left"] - width) if stands == "left" else begins
        return begins

    def _width(self, item: pg.TextItem) -> float:
        return QFontMetricsF(item.textItem.font()).horizontalAdvance(item.toPlainText())

    def _line_height(self) -> float:
        return QFontMetricsF(self._safe.textItem.font()).height() + 2
