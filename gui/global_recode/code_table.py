"""Codes of a variable and the categories that a recode makes of them; merging by hand, also by dragging rows."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import translate
from core.recoding.draft import Draft
from gui import numbers
from gui.global_recode.model import FEW_CODES, MISSING_NOTE, Category, Labels, RecodeRows, unsafe_column
from gui.paint_queue import paint_apart
from gui.shared.table.data_table import DataTable
from gui.shared.wheel import TabWidget
from gui.theme import set_greyed, theme

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


_BAR = 4
_LABEL, _NEW_LABEL = 1, 3
_PAINT_AFTER_MS = 20
_KEPT = 6
"""Drafts whose rows are kept: undo and redo come back to them."""


class CodeTable(QWidget):
    """`codeTable` with the original codes, and `categoryTable` behind the second tab.

    Signals
    -------
    selection_changed() : other rows are selected, or the other table is shown.
    dropped(codes, target) : original codes were dragged onto the category of the original code `target`.
    """

    selection_changed = Signal()
    dropped = Signal(list, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = TabWidget(self, objectName="codeViews")
        self.codes = DataTable("codeTable", translate("Codes"), self.tabs)
        self.categories = DataTable("categoryTable", translate("Categories"), self.tabs)
        self._order: Sequence[str] = ()
        self._rows: RecodeRows | None = None
        self._kept: deque[RecodeRows] = deque(maxlen=_KEPT)
        self._unsafe: NDArray[np.int64] | None = None
        self._after = False
        self._outdated: set[DataTable] = set()
        self._chosen: dict[DataTable, set[str]] = {}
        """What is to be selected in a table that is filled later."""
        self._fitted: dict[DataTable, str] = {}
        """For which variable's codes the columns are wide enough."""
        self.tabs.setDocumentMode(True)
        self._marks = []
        for table, title in ((self.codes, translate("Codes")), (self.categories, translate("Categories"))):
            self.tabs.addTab(table, title)
            marks = _CategoryMarks(table)
            self._marks.append(marks)
            table.stretch(_LABEL)
            table.indent = 2 * _BAR
            drag = RowDrag(table.view)
            drag.dropped.connect(lambda row, table=table: self._dropped(table, row))
            drag.over.connect(marks.show_target)
            table.view.selectionModel().selectionChanged.connect(lambda *_: self.selection_changed.emit())
            table.setContentsMargins(0, 6, 0, 0)
        self.tabs.currentChanged.connect(self._turned)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs)

    @property
    def selected_codes(self) -> list[str]:
        """Original valid codes of the selected rows, in their order."""
        if self.tabs.currentIndex() == 0:
            chosen = set(self.codes.selected_keys)
        else:
            chosen = {code for category in self.selected_categories for code in category.codes}
        return [code for code in self._order if code in chosen] if chosen else []

    @property
    def selected_categories(self) -> list[Category]:
        """Valid categories of the selected rows."""
        keys = set((self.codes if self.tabs.currentIndex() == 0 else self.categories).selected_keys)
        if self.tabs.currentIndex() == 0:
            return self._categories_with(keys)
        found = [] if self._rows is None or not keys else self._rows.categories
        return [c for c in found if c.code in keys and not c.is_missing]

    def _categories_with(self, codes: set[str]) -> list[Category]:
        """The categories that have one of these original codes, in their order."""
        rows = self._rows
        if rows is None:
            return []
        places = {rows.place_of[code] for code in codes if code in rows.place_of}
        return [rows.categories[place] for place in sorted(places)]

    def show_draft(
        self,
        title: str,
        draft: Draft,
        labels: Labels,
        unsafe_of_code: NDArray[np.int64] | None,
        after: bool = False,
    ) -> None:
        """Show codes and categories of a draft; what is selected stays selected.

        `after`: the unsafe records are those once the draft is applied.
        """
        is_new = not _are_of(self._rows, draft, labels)
        if is_new:
            self._turn_to(
                next((rows for rows in self._kept if _are_of(rows, draft, labels)), RecodeRows(draft, labels))
            )
        self.set_title(title)
        self._unsafe, self._after = unsafe_of_code, after
        self._outdated = {self.codes, self.categories}
        self._fill_shown()
        if is_new:
            self.selection_changed.emit()

    def keep(self, rows: RecodeRows) -> None:
        """Keep rows that are made already for when their draft is shown; the last few are kept anyway."""
        if rows not in self._kept:
            self._kept.append(rows)

    def set_title(self, title: str) -> None:
        """The variable whose codes are shown."""
        for table in (self.codes, self.categories):
            table.set_title(title)

    def has(self, draft: Draft, labels: Labels) -> bool:
        """Whether the rows of a draft are made already."""
        return any(_are_of(rows, draft, labels) for rows in self._kept)

    def _turn_to(self, rows: RecodeRows) -> None:
        column = rows.draft.column
        self._rows = rows
        self.keep(rows)
        self._order = column.codes[: column.n_valid]
        self._marks[0].colour(rows.code_marks)
        self._marks[1].colour(rows.category_marks)
        valid = sum(not c.is_missing for c in rows.categories)
        self.tabs.setTabText(0, translate("Codes ({n})").format(n=numbers.format_count(column.n_valid)))
        self.tabs.setTabText(1, translate("Categories ({n})").format(n=numbers.format_count(valid)))

    def _turned(self, _place: int) -> None:
        self._fill_shown()
        self.selection_changed.emit()

    def _fill_shown(self) -> None:
        """Fill the table that can be seen; the other one too where that is quick, else once it is seen."""
        for place, table in enumerate((self.codes, self.categories)):
            is_due = place == self.tabs.currentIndex() or len(self._order) <= FEW_CODES
            if is_due and table in self._outdated and self._rows is not None:
                self._outdated.discard(table)
                self._fill(table, self._rows)

    def _fill(self, table: DataTable, rows: RecodeRows) -> None:
        import numpy as np

        is_codes = table is self.codes
        columns, missing = rows.codes if is_codes else rows.grouped
        found = None if is_codes else rows.categories
        unsafe = unsafe_column(self._unsafe, len(missing), found, self._after)
        others = self._fitted.get(table) != rows.draft.column.name
        _fill(table, [*columns, unsafe], np.array(missing, np.bool_), keep=not others)
        if others:
            self._fitted[table] = rows.draft.column.name
            table.fit_columns()
        if table in self._chosen:
            _select(table, self._chosen.pop(table))
        if is_codes:
            self.codes.hide_column(_NEW_LABEL, not rows.labels.new)

    def show_empty(self, text: str) -> None:
        """Say why there are no codes."""
        self._order, self._rows = (), None
        self._kept.clear()
        self._outdated.clear()
        self._chosen.clear()
        for place, (table, title) in enumerate(((self.codes, "Codes"), (self.categories, "Categories"))):
            self.tabs.setTabText(place, translate(title))
            table.show_empty(text)

    def with_their_categories(self, codes: Sequence[str]) -> list[str]:
        """All codes of the categories that `codes` belong to."""
        return [code for c in self._categories_with(set(codes)) for code in c.codes]

    def select_codes(self, codes: Sequence[str]) -> None:
        """Select the rows of these original codes, or of their categories."""
        wanted = set(codes)
        self._chosen[self.codes] = wanted
        self._chosen[self.categories] = {c.code for c in self._categories_with(wanted)}
        for table in {self.codes, self.categories} - self._outdated:
            _select(table, self._chosen.pop(table))

    def take_focus(self) -> None:
        """Give the focus to the table that can be seen."""
        (self.codes if self.tabs.currentIndex() == 0 else self.categories).view.setFocus()

    def set_greyed(self, greyed: bool) -> None:
        """Grey the figures while they are being recomputed."""
        for table in (self.codes, self.categories):
            set_greyed(table, greyed)

    def _dropped(self, table: DataTable, row: int) -> None:
        key = table.model.key(row)
        codes = self.selected_codes
        found = [] if self._rows is None else self._rows.categories
        target = next((c for c in found if key in (c.codes if table is self.codes else (c.code,))), None)
        if codes and target is not None and target.codes and not target.is_missing:
            self.dropped.emit(codes, key if table is self.codes else target.codes[0])


class _CategoryMarks(QStyledItemDelegate):
    """A bar at the left of codes that are merged, in two tones by turns; a frame around the row dragged onto."""

    def __init__(self, table: DataTable) -> None:
        super().__init__(table)
        self._view = table.view
        self._model = table.model
        self._plain = table.view.itemDelegate()
        self._view.setItemDelegateForColumn(0, self)
        self._group: dict[Any, int] = {}
        self._target = -1

    def colour(self, group: dict[Any, int]) -> None:
        self._group = group

    def show_target(self, row: int) -> None:
        if row != self._target:
            self._target = row
            # Qt paints the other columns by itself, in a third of the time, as long as no frame is drawn around them
            self._view.setItemDelegate(self._plain if row < 0 else self)
            self._view.viewport().update()

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = QRect(option.rect)  # type: ignore[attr-defined]
        if index.column() == 0:
            self._view.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, self._view)
            option.rect = rect.adjusted(2 * _BAR, 0, 0, 0)  # type: ignore[attr-defined]
            group = self._group.get(self._model.key(index.row()))
            if group is not None:
                colour = QColor(theme.scheme.accent)
                colour.setAlpha(255 if group % 2 == 0 else 110)
                painter.fillRect(QRect(rect.left(), rect.top(), _BAR, rect.height()), colour)
        super().paint(painter, option, index)
        if index.row() == self._target:
            painter.setPen(QPen(QColor(theme.scheme.accent), 2))
            painter.drawLine(rect.topLeft(), rect.topRight())
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())


def _are_of(rows: RecodeRows | None, draft: Draft, labels: Labels) -> bool:
    return rows is not None and rows.draft is draft and rows.labels == labels


def _fill(table: DataTable, columns: list[Any], missing: Any, keep: bool) -> None:
    """New figures; with `keep`, of the same variable, the same rows are selected and the same place is in view."""
    paint_apart(table.view, _PAINT_AFTER_MS)
    kept, bar = set(table.selected_keys) if keep else set(), table.view.verticalScrollBar()
    place = bar.value() if keep else 0
    selection = table.view.selectionModel()
    selection.blockSignals(True)
    table.set_columns(columns, missing, translate(MISSING_NOTE))
    selection.blockSignals(False)
    _select(table, kept)
    bar.setValue(place)


def _runs(rows: list[int]) -> list[tuple[int, int]]:
    """First and last of rows that follow each other."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and row == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], row
        else:
            runs.append((row, row))
    return runs


def _select(table: DataTable, keys: set[Any]) -> None:
    model, chosen = table.model, QItemSelection()
    last = model.columnCount() - 1
    rows = model.rows_of(keys)
    for first, end in _runs(rows):
        chosen.select(model.index(first, 0), model.index(end, last))
    table.view.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    if rows:
        flags = QItemSelectionModel.SelectionFlag.NoUpdate
        table.view.selectionModel().setCurrentIndex(model.index(rows[0], 0), flags)
        table.view.scrollTo(model.index(rows[0], 0))
