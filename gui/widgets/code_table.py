"""Codes of a variable and the categories that a recode makes of them; merging by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.recoding.draft import Draft
from core.texts import translate
from gui.models.recode import MISSING_NOTE, Category, Labels, categories_of, category_columns, code_columns
from gui.theme import set_greyed, theme
from gui.widgets.data_table import DataTable
from gui.widgets.row_drag import RowDrag

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BAR = 4
_LABEL, _NEW_LABEL = 1, 3


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
        self.codes = DataTable("codeTable", translate("Codes"))
        self.categories = DataTable("categoryTable", translate("Categories"))
        self._categories: list[Category] = []
        self._n_valid = 0
        self._order: tuple[str, ...] = ()
        self.tabs = QTabWidget(objectName="codeViews")
        self.tabs.setDocumentMode(True)
        self._marks = []
        for table, title in ((self.codes, translate("Codes")), (self.categories, translate("Categories"))):
            self.tabs.addTab(table, title)
            marks = _CategoryMarks(table)
            table.view.setItemDelegate(marks)
            self._marks.append(marks)
            table.stretch(_LABEL)
            drag = RowDrag(table.view)
            drag.dropped.connect(lambda row, table=table: self._dropped(table, row))
            drag.over.connect(marks.show_target)
            table.view.selectionModel().selectionChanged.connect(lambda *_: self.selection_changed.emit())
            table.setContentsMargins(0, 6, 0, 0)
        self.tabs.currentChanged.connect(lambda _: self.selection_changed.emit())
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
        return [code for code in self._order if code in chosen]

    @property
    def selected_categories(self) -> list[Category]:
        """Valid categories of the selected rows."""
        keys = set((self.codes if self.tabs.currentIndex() == 0 else self.categories).selected_keys)
        if self.tabs.currentIndex() == 0:
            return [c for c in self._categories if not keys.isdisjoint(c.codes)]
        return [c for c in self._categories if c.code in keys and not c.is_missing]

    def show_draft(self, title: str, draft: Draft, labels: Labels, unsafe_of_code: NDArray[np.int64] | None) -> None:
        """Show codes and categories of a draft; what is selected stays selected."""
        import numpy as np

        column = draft.column
        self._order = column.codes[: column.n_valid]
        self._categories = categories_of(draft, unsafe_of_code)
        merged = [c for c in self._categories if not c.is_missing and len(c.codes) > 1]
        self._marks[0].colour({code: i for i, c in enumerate(merged) for code in c.codes})
        self._marks[1].colour({c.code: i for i, c in enumerate(merged)})
        valid = sum(not c.is_missing for c in self._categories)
        self.codes.set_title(title)
        self.categories.set_title(title)
        self.tabs.setTabText(0, translate("Codes ({n})").format(n=column.n_valid))
        self.tabs.setTabText(1, translate("Categories ({n})").format(n=valid))
        columns, missing = code_columns(draft, labels, unsafe_of_code)
        _fill(self.codes, columns, np.array(missing, np.bool_))
        columns, missing = category_columns(draft, labels, self._categories)
        _fill(self.categories, columns, np.array(missing, np.bool_))
        self.codes.view.setColumnHidden(_NEW_LABEL, not labels.new)
        self.selection_changed.emit()

    def show_empty(self, text: str) -> None:
        """Say why there are no codes."""
        self._order, self._categories = (), []
        for table in (self.codes, self.categories):
            table.show_empty(text)

    def with_their_categories(self, codes: Sequence[str]) -> list[str]:
        """All codes of the categories that `codes` belong to."""
        return [code for c in self._categories if not set(codes).isdisjoint(c.codes) for code in c.codes]

    def select_codes(self, codes: Sequence[str]) -> None:
        """Select the rows of these original codes, or of their categories."""
        wanted = set(codes)
        _select(self.codes, wanted)
        _select(self.categories, {c.code for c in self._categories if not wanted.isdisjoint(c.codes)})

    def set_greyed(self, greyed: bool) -> None:
        """Grey the figures while they are being recomputed."""
        for table in (self.codes, self.categories):
            set_greyed(table.view, greyed)

    def _dropped(self, table: DataTable, row: int) -> None:
        key = table.model.key(row)
        codes = self.selected_codes
        target = next((c for c in self._categories if key in (c.codes if table is self.codes else (c.code,))), None)
        if codes and target is not None and target.codes and not target.is_missing:
            self.dropped.emit(codes, key if table is self.codes else target.codes[0])


class _CategoryMarks(QStyledItemDelegate):
    """A bar at the left of codes that are merged, in two tones by turns; a frame around the row dragged onto."""

    def __init__(self, table: DataTable) -> None:
        super().__init__(table)
        self._view = table.view
        self._model = table.model
        self._group: dict[Any, int] = {}
        self._target = -1

    def colour(self, group: dict[Any, int]) -> None:
        self._group = group

    def show_target(self, row: int) -> None:
        if row != self._target:
            self._target = row
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


def _fill(table: DataTable, columns: list[Any], missing: Any) -> None:
    """New figures with the same rows selected and the same place in view."""
    kept, bar = set(table.selected_keys), table.view.verticalScrollBar()
    place = bar.value()
    selection = table.view.selectionModel()
    selection.blockSignals(True)
    table.set_columns(columns, missing, translate(MISSING_NOTE))
    selection.blockSignals(False)
    _select(table, kept)
    bar.setValue(place)


def _select(table: DataTable, keys: set[Any]) -> None:
    model, chosen = table.model, QItemSelection()
    last = model.columnCount() - 1
    rows = [row for row in range(model.rowCount()) if model.key(row) in keys] if keys else []
    for row in rows:
        chosen.select(model.index(row, 0), model.index(row, last))
    table.view.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    if rows:
        flags = QItemSelectionModel.SelectionFlag.NoUpdate
        table.view.selectionModel().setCurrentIndex(model.index(rows[0], 0), flags)
        table.view.scrollTo(model.index(rows[0], 0))
