"""A read-only table of named columns; sorting and filtering are index arrays computed in core."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from gui.numbers import without_groups
from gui.texts import as_tip
from gui.theme import theme

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()

# A view asks for a dozen roles of every cell that it paints; looking them up in Qt's enumerations takes half the time.
_TEXTS = frozenset((int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleTextRole)))
_VALUE, _ALIGNMENT = int(Qt.ItemDataRole.UserRole), int(Qt.ItemDataRole.TextAlignmentRole)
_TIP, _FONT = int(Qt.ItemDataRole.ToolTipRole), int(Qt.ItemDataRole.FontRole)
_ROLES = _TEXTS | {_VALUE, _ALIGNMENT, _TIP, _FONT, int(Qt.ItemDataRole.ForegroundRole)}
_LONG_NAME = 12
"""Characters from which on a title may not fit its column."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Column:
    """One column: what is sorted by, and how it is shown.

    `number` columns are right-aligned; the filter box looks at the others. `emphasis(value)` true shows a value in
    the colour of what is unsafe. `tips` says more of each value than its text.
    """

    title: str
    values: Any
    text: Callable[[Any], str] = str
    number: bool = False
    tooltip: str = ""
    emphasis: Callable[[Any], bool] | None = None
    tips: Sequence[str] = ()


class ColumnsModel(QAbstractTableModel):
    """Shows row ``rows[i]`` of its columns. `key(i)` is the first column's value, by which rows are recognised."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[Column, ...] = ()
        self._n = 0
        self._last: NDArray[np.bool_] | None = None
        self._last_note = ""
        self._rows: NDArray[np.intp] | range = range(0)
        self._sorted_by = -1
        self._descending = False
        self._filter = ""
        self._greyed = False

    def set_columns(self, columns: Sequence[Column], last: NDArray[np.bool_] | None = None, note: str = "") -> None:
        """Show other columns, sorted and filtered as before; rows of `last` are marked and explained by `note`."""
        with self._resetting():
            self._columns = tuple(columns)
            self._n = len(columns[0].values) if columns else 0
            self._last, self._last_note = last, note
            if self._sorted_by >= len(self._columns):
                self._sorted_by = -1
            self._arrange()

    def set_greyed(self, greyed: bool) -> None:
        """Show nothing as unsafe while the figures are not true."""
        self._greyed = greyed

    def set_filter(self, text: str) -> None:
        """Show only rows whose texts contain `text`."""
        if text != self._filter:
            with self._resetting():
                self._filter = text
                self._arrange()

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns."""
        return self._columns

    @property
    def total(self) -> int:
        """Number of rows without the filter."""
        return self._n

    def key(self, row: int) -> Any:
        """Value of the first column in a shown row."""
        return self._columns[0].values[int(self._rows[row])]

    def row_of(self, key: Any) -> int:
        """The shown row with this key; -1 where there is none."""
        if not self._columns:
            return -1
        values = self._columns[0].values
        return next((i for i, row in enumerate(self._rows) if values[int(row)] == key), -1)

    def rows_of(self, keys: Collection[Any]) -> list[int]:
        """The shown rows with one of these keys, from the top."""
        if not self._columns or not keys:
            return []
        values = self._columns[0].values
        found = [place for place, value in enumerate(values) if value in keys]
        if isinstance(self._rows, range):
            return found
        import numpy as np

        wanted = np.zeros(self._n, np.bool_)
        wanted[found] = True
        return np.flatnonzero(wanted[self._rows]).tolist()

    def texts(self, column: int, count: int) -> list[str]:
        """The texts that the first `count` shown rows have in a column."""
        shown = self._columns[column]
        return [shown.text(shown.values[int(row)]) or "" for row in self._rows[:count]]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in _ROLES or not index.isValid():
            return None
        column = self._columns[index.column()]
        if role == _ALIGNMENT:
            return _RIGHT if column.number else _LEFT
        row = int(self._rows[index.row()])
        if role in _TEXTS:
            return column.text(column.values[row])
        if role == _VALUE:
            return column.values[row]
        return self._look(column, row, role)

    def _look(self, column: Column, row: int, role: int) -> Any:
        is_last = self._last is not None and bool(self._last[row])
        if role == _TIP:
            text = column.text(column.values[row])
            more = column.tips[row] if column.tips else text if len(text) > 24 else ""
            return as_tip(self._last_note if is_last else more) or None
        if role == _FONT:
            font = QFont() if is_last else None
            if font is not None:
                font.setItalic(True)
            return font
        if self._greyed:
            return None
        if column.emphasis is not None and column.emphasis(column.values[row]):
            return QColor(theme.scheme.unsafe_text)
        return QColor(theme.scheme.muted) if is_last else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            long_name = column.title if len(column.title) > _LONG_NAME else ""
            return as_tip(column.tooltip or long_name) or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 is the data's own order."""
        self.layoutAboutToBeChanged.emit()
        kept = [(index, int(self._rows[index.row()])) for index in self.persistentIndexList()]
        self._sorted_by, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self._arrange()
        place = {int(row): i for i, row in enumerate(self._rows)} if kept else {}
        for index, row in kept:
            self.changePersistentIndex(index, self.index(place[row], index.column()) if row in place else ROOT)
        self.layoutChanged.emit()

    def text_of(self, rows: Sequence[int], columns: Sequence[int]) -> str:
        """Shown rows and columns as tab-separated text with headers."""
        lines = ["\t".join(self._columns[c].title for c in columns)]
        for row in rows:
            source = int(self._rows[row])
            lines.append("\t".join(_copied(self._columns[c], source) for c in columns))
        return "\n".join(lines) + "\n"

    def csv_text(self) -> str:
        """All shown rows as CSV with headers; numbers as programs write them, whatever the locale."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(column.title for column in self._columns)
        for row in self._rows:
            writer.writerow("" if (v := column.values[int(row)]) is None else v for column in self._columns)
        return out.getvalue()

    @contextmanager
    def _resetting(self) -> Iterator[None]:
        """Whatever goes wrong in between: a view whose model never ends a reset shows nothing any more."""
        self.beginResetModel()
        try:
            yield
        finally:
            self.endResetModel()

    def _arrange(self) -> None:
        rows: NDArray[np.intp] | range = range(self._n)
        if self._sorted_by >= 0 or self._filter.strip():
            import numpy as np

            from core.base import ordering

            if self._sorted_by >= 0:
                rows = ordering.sorted_order(self._columns[self._sorted_by].values, self._descending, self._last)
            if self._filter.strip():
                texts = [[c.text(v) for v in c.values] for c in self._columns if not c.number]
                among = np.arange(self._n) if isinstance(rows, range) else rows  # an empty range would be float
                rows = among[ordering.matching_rows(texts, self._filter, self._n)[among]]
        self._rows = rows


def _copied(column: Column, row: int) -> str:
    """The text of a value for other programs: a number without group separators."""
    text = column.text(column.values[row])
    return without_groups(text) if column.number else text
