"""A table whose rows are ticked, with the mouse or, all that are selected, with the space bar."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QKeySequence, QShortcut
from PySide6.QtWidgets import QStyle

from gui.shared.table.checked_table import CheckedModel
from gui.shared.table.data_table import DataTable

_BESIDE = 8


class CheckedTable(DataTable):
    """A `DataTable` of a `CheckedModel`, `rows`."""

    def __init__(self, name: str, title: str) -> None:
        self.rows = CheckedModel()
        super().__init__(name, title, model=self.rows)
        self.rows.setParent(self)
        space = QShortcut(QKeySequence(Qt.Key.Key_Space), self.view)
        space.setContext(Qt.ShortcutContext.WidgetShortcut)
        space.activated.connect(self._toggle)

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
