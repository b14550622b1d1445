"""A table whose rows are ticked, with the mouse or, all that are selected, with the space bar."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyle

from gui.shared.shortcuts import on_key
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import ROOT, Column, ColumnsModel, Index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CHECK = int(Qt.ItemDataRole.CheckStateRole)


class CheckedModel(ColumnsModel):
    """Rows have a check box in the first column. Ticks belong to the data's rows, wherever these are shown.

    Signals
    -------
    ticked() : the user ticked or unticked a row.
    """

    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ticks: set[int] = set()
        self.plain: Collection[int] = ()
        """Rows of the data without a box."""

    def place(self, row: int) -> int:
        """Which row of the data a shown row is."""
        return int(self._rows[row])

    def set_columns(self, columns: Sequence[Column], last: NDArray[np.bool_] | None = None, note: str = "") -> None:
        """Show other columns; nothing is ticked."""
        self._ticks = set()
        super().set_columns(columns, last, note)

    @property
    def ticks(self) -> list[int]:
        """The ticked rows in the data's own order, those that the filter hides too."""
        return sorted(self._ticks)

    def tick(self, rows: Collection[int]) -> None:
        """Tick these rows of the data and no others."""
        self._ticks = set(rows)
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 0), [_CHECK])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == _CHECK and self._has_box(index):
            is_ticked = int(self._rows[index.row()]) in self._ticks
            return Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != _CHECK or not self._has_box(index):
            return False
        row = int(self._rows[index.row()])
        if Qt.CheckState(value) == Qt.CheckState.Checked:
            self._ticks.add(row)
        else:
            self._ticks.discard(row)
        self.dataChanged.emit(index, index, [role])
        self.ticked.emit()
        return True

    def flags(self, index: Index = ROOT) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self._has_box(index) else flags

    def _has_box(self, index: Index) -> bool:
        return index.isValid() and index.column() == 0 and int(self._rows[index.row()]) not in self.plain


_BESIDE = 8


class CheckedTable(DataTable):
    """A `DataTable` of a `CheckedModel`, `rows`."""

    def __init__(self, name: str, title: str) -> None:
        self.rows = CheckedModel()
        super().__init__(name, title, model=self.rows)
        self.rows.setParent(self)
        on_key(self.view, Qt.Key.Key_Space, self._toggle)

    def _toggle(self) -> None:
        """All selected rows become what the current one is not."""
        current = self.view.currentIndex().siblingAtColumn(0)
        if not current.isValid():
            return
        role = Qt.ItemDataRole.CheckStateRole
        is_ticked = current.data(role) == Qt.CheckState.Checked
        state = Qt.CheckState.Unchecked if is_ticked else Qt.CheckState.Checked
        for index in self.view.selectionModel().selectedRows() or [current]:
            self.rows.setData(index, state, role)

    def _room(self, metrics: QFontMetrics, column: int, title: str) -> tuple[int, int]:
        wanted, least = super()._room(metrics, column, title)
        if column:
            return wanted, least
        box = self.style().pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, None, self.view) + _BESIDE
        return wanted + box, least + box
