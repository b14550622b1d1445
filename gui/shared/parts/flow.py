"""Widgets in a row that goes on in a next one where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """As high as the rows that its width makes of it; what is wider than it has its width.

    What is added after `push_to_the_end` stands at the right end of its row.
    """

    def __init__(self, spacing: int = 8) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._at_end: int | None = None
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def push_to_the_end(self) -> None:
        """What is added from now on stands at the right end."""
        self._at_end = len(self._items)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, place: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items[place] if 0 <= place < len(self._items) else None

    def takeAt(self, place: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items.pop(place) if 0 <= place < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._set(QRect(0, 0, width, 0), is_tried=True)

    def sizeHint(self) -> QSize:
        sizes = [item.sizeHint() for item in self._shown()]
        width = sum(size.width() for size in sizes) + self.spacing() * max(len(sizes) - 1, 0)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._shown()]
        return QSize(*(max((side(size) for size in sizes), default=0) for side in (QSize.width, QSize.height)))

    def setGeometry(self, place: QRect) -> None:
        super().setGeometry(place)
        self._set(place, is_tried=False)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not _is_hidden(item)]

    def _set(self, place: QRect, is_tried: bool) -> int:
        """Set the rows; their height. `is_tried`: nothing is moved."""
        y, row = place.y(), list[tuple[QLayoutItem, int]]()
        for item in self._shown():
            width = min(item.sizeHint().width(), place.width())
            taken = sum(each for _, each in row) + self.spacing() * len(row)
            if row and taken + width > place.width():
                y += self._set_row(row, QRect(place.x(), y, place.width(), 0), is_tried) + self.spacing()
                row = []
            row.append((item, width))
        return y + (self._set_row(row, QRect(place.x(), y, place.width(), 0), is_tried) if row else 0) - place.y()

    def _set_row(self, row: list[tuple[QLayoutItem, int]], place: QRect, is_tried: bool) -> int:
        height = max(item.sizeHint().height() for item, _ in row)
        if is_tried:
            return height
        x = place.x()
        free = place.width() - sum(width for _, width in row) - self.spacing() * (len(row) - 1)
        for item, width in row:
            if self._at_end is not None and self._items.index(item) >= self._at_end:
                x, free = x + max(free, 0), 0
            high = min(item.sizeHint().height(), height)
            item.setGeometry(QRect(QPoint(x, place.y() + (height - high) // 2), QSize(width, high)))
            x += width + self.spacing()
        return height


def _is_hidden(item: QLayoutItem) -> bool:
    widget: QWidget | None = item.widget()
    return widget is not None and widget.isHidden()
