"""The fields of a fixed file as rows whose cells are typed into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal

from core.base.texts import translate
from core.metadata.field_grid import Place
from gui.shared.table.model import ROOT, Column, ColumnsModel, Index


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
