"""Sample lines of a fixed file on a grid to click edges and drag fields on, and its fields as rows to type into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from core.base.texts import translate
from core.metadata.field_grid import Place
from gui.shared.accessible import CANVAS
from gui.shared.table.model import ROOT, Column, ColumnsModel, Index
from gui.theme import theme

_NEAR = 0.34
"""Part of a character's width around a border in which a click means the border."""
_RULER_LINES = 2
_LINE_NUMBERS = 5
_LEAST_NAME = 3
"""Characters from which a shortened name is still of use."""


class ColumnGrid(QAbstractScrollArea):
    """`columnGrid`. The cursor is a border between two bytes, moved by arrow keys; Enter makes or removes an edge.

    Signals
    -------
    edge_toggled(int)
        The border behind this many bytes.
    field_dragged(int, int)
        First byte (1-based) and length.
    field_clicked(int)
        A byte (1-based) within a field was clicked.
    """

    spoken_as = CANVAS
    edge_toggled = Signal(int)
    field_dragged = Signal(int, int)
    field_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("columnGrid")
        self.setAccessibleName(translate("Sample lines"))
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._lines: list[list[str]] = []
        self._fields: tuple[Place, ...] = ()
        self._current = -1
        self._border = 0
        self._pressed = -1
        self._dragged = -1
        self._measure()
        theme.changed.connect(self.viewport().update)

    # What is shown -----------------------------------------------------------------------------------------------

    @property
    def length(self) -> int:
        """Bytes of the longest line."""
        return max(map(len, self._lines), default=0)

    def show_lines(self, lines: Sequence[bytes], encoding: str) -> None:
        """Show records, byte by byte; a character of several bytes stands on its first."""
        self._lines = [_cells(line, encoding) for line in lines]
        self._measure()
        self._set_bars()
        self.viewport().update()

    def show_fields(self, fields: Sequence[Place], current: int) -> None:
        """Show fields, one of them as the current one (-1: none)."""
        self._fields, self._current = tuple(fields), current
        if 0 <= current < len(fields):
            self._make_visible(fields[current].start - 1, fields[current].end)
        self.viewport().update()

    def centre_of(self, byte: int) -> QPoint:
        """Where in the viewport a byte (1-based) of the first line is."""
        return QPoint(round(self._x(byte - 1) + self._width / 2), self._top() + self._height // 2)

    def border_at(self, after: int) -> QPoint:
        """Where in the viewport the border behind so many bytes is, on the first line."""
        return QPoint(round(self._x(after)), self._top() + self._height // 2)

    def _measure(self) -> None:
        metrics = QFontMetrics(self.font())
        self._width = metrics.horizontalAdvance("0")
        self._height = metrics.height() + 2

    def _top(self) -> int:
        return (_RULER_LINES + 1) * self._height

    def _left(self) -> int:
        return _LINE_NUMBERS * self._width

    def _x(self, bytes_before: int) -> int:
        return self._left() + bytes_before * self._width - self.horizontalScrollBar().value()

    def _set_bars(self) -> None:
        wide = self._left() + (self.length + 2) * self._width
        tall = self._top() + (len(self._lines) + 1) * self._height
        room = self.viewport().size()
        self.horizontalScrollBar().setRange(0, max(wide - room.width(), 0))
        self.horizontalScrollBar().setPageStep(room.width())
        self.horizontalScrollBar().setSingleStep(self._width)
        self.verticalScrollBar().setRange(0, max(-(-(tall - room.height()) // self._height), 0))

    def _make_visible(self, first: int, last: int) -> None:
        bar, room = self.horizontalScrollBar(), self.viewport().width()
        left, right = self._left() + first * self._width, self._left() + last * self._width
        if right > bar.value() + room:
            bar.setValue(right - room + 2 * self._width)
        if left - self._left() < bar.value():
            bar.setValue(left - self._left() - 2 * self._width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_bars()

    # Painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        scheme = theme.scheme
        painter.fillRect(self.viewport().rect(), QColor(scheme.surface))
        painter.setClipRect(self._left(), 0, self.viewport().width(), self.viewport().height())
        self._paint_fields(painter)
        self._paint_ruler(painter)
        first = self.verticalScrollBar().value()
        for row, cells in enumerate(self._lines[first:]):
            self._paint_line(painter, self._top() + row * self._height, cells)
        self._paint_edges(painter)
        painter.setClipping(False)
        painter.setPen(QColor(scheme.muted))
        for row in range(len(self._lines) - first):
            place = QRect(0, self._top() + row * self._height, self._left() - self._width, self._height)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(first + row + 1))

    def _paint_fields(self, painter: QPainter) -> None:
        scheme = theme.scheme
        bottom = self.viewport().height()
        for i, field in enumerate(self._fields):
            x, width = self._x(field.start - 1), field.length * self._width
            names = QRect(x, _RULER_LINES * self._height, width, self._height)
            if i == self._current:
                painter.fillRect(QRect(x, names.top(), width, bottom), QColor(scheme.soft))
            elif i % 2 == 0:
                painter.fillRect(QRect(x, names.top(), width, bottom), QColor(scheme.canvas))
            painter.setPen(QColor(scheme.text if i == self._current else scheme.accent))
            if width < _LEAST_NAME * self._width and len(field.name) > field.length:
                continue
            shown = field.name
            if len(shown) > field.length:  # else it fits, although the width of a character was rounded
                shown = painter.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideRight, width)
            painter.drawText(names, Qt.AlignmentFlag.AlignCenter, shown)
        if self._pressed >= 0 and self._dragged >= 0:
            low, high = sorted((self._pressed, self._dragged))
            colour = QColor(scheme.accent)
            colour.setAlpha(90)
            painter.fillRect(QRect(self._x(low), self._top(), (high - low + 1) * self._width, bottom), colour)

    def _paint_ruler(self, painter: QPainter) -> None:
        painter.setPen(QColor(theme.scheme.muted))
        for byte in range(1, self.length + 1):
            place = QRect(self._x(byte - 1), self._height, self._width, self._height)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "." if byte % 5 else ("+" if byte % 10 else "|"))
            if byte % 10 == 0 or byte == 1:
                wide = place.translated(0, -self._height).adjusted(-3 * self._width, 0, 3 * self._width, 0)
                painter.drawText(wide, Qt.AlignmentFlag.AlignCenter, str(byte))

    def _paint_line(self, painter: QPainter, y: int, cells: list[str]) -> None:
        first = max(self.horizontalScrollBar().value() // self._width - 1, 0)
        last = first + self.viewport().width() // self._width + 2
        painter.setPen(QColor(theme.scheme.text))
        for at, character in enumerate(cells[first:last], start=first):
            if character.strip():
                painter.drawText(
                    QRect(self._x(at), y, self._width, self._height), Qt.AlignmentFlag.AlignCenter, character
                )
            elif character == "":
                painter.drawText(QRect(self._x(at), y, self._width, self._height), Qt.AlignmentFlag.AlignCenter, "·")

    def _paint_edges(self, painter: QPainter) -> None:
        scheme = theme.scheme
        bottom = self.viewport().height()
        painter.setPen(QColor(scheme.accent))
        for after in {edge for field in self._fields for edge in (field.start - 1, field.end)}:
            painter.drawLine(self._x(after), _RULER_LINES * self._height, self._x(after), bottom)
        if self.hasFocus():
            painter.setPen(QColor(scheme.amber_text))
            painter.drawLine(self._x(self._border), 0, self._x(self._border), bottom)

    # Mouse and keys ----------------------------------------------------------------------------------------------

    def _byte_under(self, x: float) -> int:
        """0-based byte under a place, within the lines."""
        at = int((x - self._x(0)) // self._width)
        return min(max(at, 0), max(self.length - 1, 0))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._lines:
            self._pressed, self._dragged = self._byte_under(event.position().x()), -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed >= 0:
            at = self._byte_under(event.position().x())
            if at != self._pressed or self._dragged >= 0:
                self._dragged = at
                self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed < 0:
            return
        pressed, dragged = self._pressed, self._dragged
        self._pressed = self._dragged = -1
        if dragged >= 0:
            low, high = sorted((pressed, dragged))
            self.field_dragged.emit(low + 1, high - low + 1)
        else:
            self._click(event.position().x())
        self.viewport().update()

    def _click(self, x: float) -> None:
        place = (x - self._x(0)) / self._width
        border = round(place)
        if abs(place - border) <= _NEAR and 0 < border < self.length:
            self._border = border
            self.edge_toggled.emit(border)
        else:
            self.field_clicked.emit(self._byte_under(x) + 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if step:
            self._border = min(max(self._border + step, 0), self.length)
            self._make_visible(self._border - 1, self._border + 1)
            self.viewport().update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if 0 < self._border < self.length:
                self.edge_toggled.emit(self._border)
        else:
            super().keyPressEvent(event)


def _cells(line: bytes, encoding: str) -> list[str]:
    """One text a byte: a character on its first byte, "" on those that follow."""
    cells: list[str] = []
    for character in line.decode(encoding, "replace"):
        try:
            width = len(character.encode(encoding))
        except UnicodeEncodeError:
            width = 1
        cells += [character, *[""] * (width - 1)]
    return cells[: len(line)]


class FieldsModel(ColumnsModel):
    """Name, start and length of each field.

    Signals
    -------
    edited(int, int, str) : place of the field, column, and what was typed; the owner shows what was made of it.
    """

    edited = Signal(int, int, str)

    def columns_of(self, fields: Sequence[Place]) -> list[Column]:
        """The three columns."""
        return [
            Column(translate("Name"), [field.name for field in fields]),
            Column(translate("Start"), [field.start for field in fields], str, True),
            Column(translate("Length"), [field.length for field in fields], str, True),
        ]

    def update(self, fields: Sequence[Place]) -> None:
        """Other texts in the same rows, which stay where they are."""
        self._columns = tuple(self.columns_of(fields))
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 2))

    def place(self, row: int) -> int:
        """The field in a shown row; -1 for none."""
        return int(self._rows[row]) if 0 <= row < len(self._rows) else -1

    def row_at(self, place: int) -> int:
        """The shown row of a field; -1 where the filter hides it."""
        return next((row for row, each in enumerate(self._rows) if int(each) == place), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return super().data(index, int(Qt.ItemDataRole.DisplayRole) if role == Qt.ItemDataRole.EditRole else role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or str(value) == index.data():
            return False
        self.edited.emit(self.place(index.row()), index.column(), str(value))
        return True

    def flags(self, index: Index = ROOT) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags
