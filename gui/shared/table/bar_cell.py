"""A number with a bar at its left in a cell: the bar is decoration, the number is the cell's text."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui.shared.parts.bars import paint_effect

_HEIGHT = 8
_PADDING = 12


class BarCell(QStyledItemDelegate):
    """Draws a column's numbers with bars; `most` is the number of a bar of full length.

    Parameters
    ----------
    most : above zero
    number_width : room of the numbers, in logical pixels
    """

    def __init__(self, most: float, number_width: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.most, self._number_width = most, number_width

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        value = index.data(Qt.ItemDataRole.UserRole)
        room = option.rect.width() - self._number_width - 2 * _PADDING
        if not isinstance(value, (int, float)) or room <= 0:
            return
        length = room * min(max(value / self.most, 0.0), 1.0)
        top = option.rect.center().y() - _HEIGHT / 2 + 0.5
        painter.save()
        paint_effect(painter, QRectF(option.rect.left() + _PADDING, top, length, _HEIGHT))
        painter.restore()
