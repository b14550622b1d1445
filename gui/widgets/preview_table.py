"""The first records of a file as they will be read."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QAbstractItemView, QWidget

from core.io.preview import Preview
from core.texts import translate
from gui import numbers
from gui.models.columns import Column, ColumnsModel
from gui.widgets.data_table import TableView

_WIDEST = 260


class PreviewTable(TableView):
    """`preview`: record number, then a column for each field; blanks are shown as they stand."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="preview")
        self.setAccessibleName(translate("First records"))
        self._model = ColumnsModel(self)
        self.setModel(self._model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(24)

    def show_preview(self, preview: Preview | None, plain: bool) -> None:
        """Show records; `plain`: whole lines, because nothing describes their fields."""
        if preview is None:
            self._model.set_columns(())
            return
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self.setFont(fixed if plain else QFont())
        count = max([len(preview.header), *map(len, preview.rows)])
        header = [*preview.header, *["?"] * (count - len(preview.header))]
        wrong = _other_lengths(preview)
        columns = [
            Column("#", list(range(1, len(preview.rows) + 1)), numbers.format_count, True,
                   emphasis=lambda record: record in wrong)
        ]  # fmt: skip
        for i, name in enumerate(header):
            values = [row[i] if i < len(row) else "" for row in preview.rows]
            columns.append(Column(name or (translate("Line") if plain else ""), values))
        self._model.set_columns(columns)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._size(header, plain)

    def _size(self, header: list[str], plain: bool) -> None:
        metrics = self.fontMetrics()
        self.setColumnWidth(0, metrics.horizontalAdvance("0000") + 12)
        for i, name in enumerate(header, start=1):
            wanted = max(self.horizontalHeader().fontMetrics().horizontalAdvance(name), self.sizeHintForColumn(i)) + 16
            self.setColumnWidth(i, wanted if plain else min(wanted, _WIDEST))


def _other_lengths(preview: Preview) -> Collection[int]:
    """Numbers of records with another number of fields than the header."""
    return {i for i, row in enumerate(preview.rows, start=1) if len(row) != len(preview.header)}
