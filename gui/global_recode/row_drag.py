"""Dragging selected rows of a table onto another row of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QTableView

_ROWS = QItemSelectionModel.SelectionFlag.Rows | QItemSelectionModel.SelectionFlag.ClearAndSelect


class RowDrag(QObject):
    """Pressing a row that is selected begins a drag; pressing another one selects as always.

    Signals
    -------
    dropped(int) : the selected rows were dropped on this row, which is not one of them.
    over(int) : the row under the hand while dragging; -1 for none, or when dragging ends.
    """

    dropped = Signal(int)
    over = Signal(int)

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        self._start: QPoint | None = None
        self._dragging = False
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and watched is self._view.viewport():
            return self._mouse(event)
        if isinstance(event, QKeyEvent) and self._dragging and event.key() == Qt.Key.Key_Escape:
            self._end()
            return True
        return False

    def _mouse(self, event: QMouseEvent) -> bool:
        place, kind = event.position().toPoint(), event.type()
        if kind == QEvent.Type.MouseButtonPress:
            return self._press(event, place)
        if self._start is None:
            return False
        if kind == QEvent.Type.MouseMove:
            self._move(place)
            return True
        if kind == QEvent.Type.MouseButtonRelease:
            self._release(place)
            return True
        return False

    def _press(self, event: QMouseEvent, place: QPoint) -> bool:
        index = self._view.indexAt(place)
        plain = event.button() == Qt.MouseButton.LeftButton and event.modifiers() == Qt.KeyboardModifier.NoModifier
        if not plain or not index.isValid() or not self._view.selectionModel().isSelected(index):
            return False
        self._start = place
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        return True

    def _move(self, place: QPoint) -> None:
        assert self._start is not None
        if not self._dragging and (place - self._start).manhattanLength() < QApplication.startDragDistance():
            return
        self._dragging = True
        target = self._target(place)
        allowed = target.isValid()
        self._view.viewport().setCursor(Qt.CursorShape.DragMoveCursor if allowed else Qt.CursorShape.ForbiddenCursor)
        self.over.emit(target.row() if allowed else -1)
        self._scroll(place)

    def _release(self, place: QPoint) -> None:
        dragging, target = self._dragging, self._target(place)
        self._end()
        if dragging:
            if target.isValid():
                self.dropped.emit(target.row())
            return
        index = self._view.indexAt(place)
        if index.isValid():
            self._view.selectionModel().setCurrentIndex(index, _ROWS)

    def _target(self, place: QPoint) -> QModelIndex:
        """The row under `place` unless it is one of those dragged."""
        index = self._view.indexAt(place)
        return QModelIndex() if self._view.selectionModel().isSelected(index) else index

    def _scroll(self, place: QPoint) -> None:
        """Scroll when the hand is at the upper or lower edge."""
        bar, edge = self._view.verticalScrollBar(), self._view.verticalHeader().defaultSectionSize()
        if place.y() < edge:
            bar.setValue(bar.value() - 1)
        elif place.y() > self._view.viewport().height() - edge:
            bar.setValue(bar.value() + 1)

    def _end(self) -> None:
        self._start, self._dragging = None, False
        self._view.viewport().unsetCursor()
        self.over.emit(-1)
