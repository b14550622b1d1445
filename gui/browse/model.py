"""Records of a file as a table whose rows are read when they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont

from core.base.errors import PavoError
from core.base.texts import translate
from gui.texts import as_tip
from gui.theme import theme

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.browse.found import FoundRecords, RecordSet
    from core.browse.records import Browser

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
Change = Literal["", "suppressed", "changed"]
CHANGE = Qt.ItemDataRole.UserRole + 1
"""Role by which a cell says what happened to its value."""
MOST_ROWS = 40_000_000
"""Rows of a table at once: a view counts their pixels in 31 bits, and of more it never comes to an end."""


@dataclass(frozen=True)
class RecordField:
    """A variable shown as a column; `slot` is its place in the browser, -1 where this file does not have it."""

    name: str
    slot: int
    tooltip: str = ""
    number: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()

    def in_words(self, code: str) -> str:
        """A code with its label."""
        label = self.labels.get(code, "")
        shown = code or "“”"
        return f"{shown} ({label})" if label else shown


class RecordsModel(QAbstractTableModel):
    """Row i shows place ``rows[begin + i]``, which is record ``record_of(place)`` of the file.

    `failed(PavoError)`: the file cannot be read any more; told once. `cut(first, last, all)`: of very many rows,
    counted from 1, the table holds these.
    """

    failed = Signal(object)
    cut = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._browser: Browser | None = None
        self._rows: NDArray[np.int64] | range = range(0)
        self._found: FoundRecords | None = None
        """Shown in place of `_rows`, where it is there."""
        self.begin = 0
        """The first of the rows that the table holds."""
        self._record_of: Callable[[int], int] = int
        self._change_of: Callable[[int, int], Change] | None = None
        self._labels = False
        self.fields: tuple[RecordField, ...] = ()

    def show_records(
        self,
        browser: Browser | None,
        fields: Sequence[RecordField],
        record_of: Callable[[int], int] = int,
        change_of: Callable[[int, int], Change] | None = None,
    ) -> None:
        """Show a file, all of its records as they stand; None: nothing."""
        self.beginResetModel()
        self._browser, self.fields = browser, tuple(fields)
        self._record_of, self._change_of, self._found = record_of, change_of, None
        self._rows, self.begin = range(browser.records if browser is not None else 0), 0
        self.endResetModel()
        self._tell_cut()

    def set_rows(self, rows: NDArray[np.int64] | None) -> None:
        """Show these places only, in this order; None: all."""
        self.beginResetModel()
        self._rows = range(self._browser.records if self._browser is not None else 0) if rows is None else rows
        self._found, self.begin = None, 0
        self.endResetModel()
        self._tell_cut()

    def set_found(self) -> None:
        """Show what is found in parts, which is nothing yet."""
        from core.browse.found import FoundRecords

        self.beginResetModel()
        self._found, self.begin = FoundRecords(), 0
        self.endResetModel()

    def add_found(self, first: int, found: RecordSet) -> None:
        """Show below what is found already what was found in the part that begins with the record `first`."""
        assert self._found is not None, "after set_found"
        rows = min(self._count - self.begin + len(found), MOST_ROWS)
        if rows == self.rowCount():
            self._found.add(first, found)
            return
        self.beginInsertRows(ROOT, self.rowCount(), rows - 1)
        self._found.add(first, found)
        self.endInsertRows()

    def read_again(self) -> None:
        """What could not be read before can be read now."""
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def set_labels(self, shown: bool) -> None:
        """Show labels in place of codes that have one."""
        self._labels = shown
        self.read_again()

    @property
    def rows(self) -> NDArray[np.int64] | None:
        """The places shown; None: all, as they stand, or what is found in parts."""
        return None if isinstance(self._rows, range) else self._rows

    @property
    def shows_labels(self) -> bool:
        """Whether labels stand in place of codes."""
        return self._labels

    def place(self, row: int) -> int:
        """The place that a row shows."""
        row += self.begin
        return int(self._rows[row] if self._found is None else self._found[row])

    def row_of(self, place: int) -> int:
        """The row that shows a place, which the table holds from now on; -1 where none does."""
        if self._found is not None:
            return self.bring(self._found.row_of(place))
        if isinstance(self._rows, range):
            return self.bring(place if place in self._rows else -1)
        found = (self._rows == place).nonzero()[0]
        return self.bring(int(found[0]) if len(found) else -1)

    def bring(self, number: int) -> int:
        """The row for the `number`-th (from 0) of all rows, which the table holds from now on; -1 stays -1."""
        if number >= 0 and not 0 <= number - self.begin < MOST_ROWS:
            self.beginResetModel()
            self.begin = max(min(number - MOST_ROWS // 2, self._count - MOST_ROWS), 0)
            self.endResetModel()
            self._tell_cut()
        return number if number < 0 else number - self.begin

    @property
    def _count(self) -> int:
        return len(self._rows if self._found is None else self._found)

    def _tell_cut(self) -> None:
        if self._count > MOST_ROWS:
            self.cut.emit(self.begin + 1, self.begin + self.rowCount(), self._count)

    def code(self, row: int, column: int) -> str:
        """The code in a cell, whether labels are shown or not."""
        shown = self.fields[column]
        if self._browser is None or shown.slot < 0:
            return ""
        try:
            return self._browser.text(self._record_of(self.place(row)), shown.slot)
        except PavoError as error:
            self._give_up(error)
            return ""

    def rowCount(self, parent: Index = ROOT) -> int:
        if parent.isValid() or self._browser is None:
            return 0
        return min(self._count - self.begin, MOST_ROWS)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.fields)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        shown = self.fields[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if shown.number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            code = self.code(index.row(), index.column())
            return shown.labels.get(code, code) if self._labels else code
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tip(shown.in_words(self.code(index.row(), index.column()))) if shown.slot >= 0 else None
        return self._look(shown, index, role)

    def _look(self, shown: RecordField, index: Index, role: int) -> Any:
        if role not in (
            CHANGE,
            Qt.ItemDataRole.FontRole,
            Qt.ItemDataRole.ForegroundRole,
            Qt.ItemDataRole.BackgroundRole,
        ):
            return None
        change = self._change_of(index.column(), index.row()) if self._change_of is not None else ""
        if role == CHANGE:
            return change
        if role == Qt.ItemDataRole.BackgroundRole:
            return QColor(theme.scheme.amber_ground) if change == "suppressed" else None
        is_missing = self.code(index.row(), index.column()) in shown.missing
        if role == Qt.ItemDataRole.ForegroundRole:
            if change:
                return QColor(theme.scheme.amber_text if change == "suppressed" else theme.scheme.accent)
            return QColor(theme.scheme.muted) if is_missing else None
        font = QFont()
        font.setBold(change == "suppressed")
        font.setItalic(is_missing and change != "suppressed")
        return font if font.bold() or font.italic() else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            if role == Qt.ItemDataRole.DisplayRole and 0 <= section < self.rowCount():
                return str(self._record_of(self.place(section)) + 1)
            return None
        if not 0 <= section < len(self.fields):
            return None
        shown = self.fields[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return shown.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tip(shown.tooltip or shown.name)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if shown.number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def text_of(self, rows: Sequence[int], columns: Sequence[int]) -> str:
        """Shown rows and columns as tab-separated text with the variables' names."""
        lines = ["\t".join((translate("record"), *(self.fields[c].name for c in columns)))]
        for row in rows:
            shown = (str(self.index(row, column).data()) for column in columns)
            lines.append("\t".join((str(self.headerData(row, Qt.Orientation.Vertical)), *shown)))
        return "\n".join(lines) + "\n"

    def _give_up(self, error: PavoError) -> None:
        if self._browser is not None:
            self._browser = None
            # not while a view is asking
            QTimer.singleShot(0, self, lambda: self._tell(error))

    def _tell(self, error: PavoError) -> None:
        self.show_records(None, ())
        self.failed.emit(error)
