"""A table of records, of which only what is visible is read and changes carry a bar, and a box to go to one of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import translate
from gui import numbers
from gui.browse.model import CHANGE, Index, RecordsModel
from gui.settings import settings
from gui.shared.empty_state import EmptyState
from gui.shared.number_box import NumberBox
from gui.shared.table.data_table import TableView
from gui.theme import theme

MOST_COPIED = 20_000
"""Cells put on the clipboard at once."""
_SAMPLE = 60
_FITTED, _FITTED_ROWS = 40, 20
"""Columns and records that are measured for their width: asking for thousands of columns takes half a minute."""
_MARGIN = 20
_WIDEST = 260
_BAR = 3


class _ChangeDelegate(QStyledItemDelegate):
    """Draws a bar at the left of a suppressed value and a line under another changed one: not by colour alone."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        change = index.data(CHANGE)
        room: QRect = option.rect
        if change == "suppressed":
            painter.fillRect(room.left(), room.top() + 1, _BAR, room.height() - 2, QColor(theme.scheme.amber_text))
        elif change == "changed":
            painter.fillRect(room.left() + 2, room.bottom() - 1, room.width() - 4, 1, QColor(theme.scheme.accent))


class RecordsView(TableView):
    """A view of a `RecordsModel`; `<name>EmptyText` and `<name>EmptyButton` where it has no record to show.

    `note(text)`: something to be known; `current_changed(row)`; `export_wanted()`: what is shown is to be written.
    """

    note = Signal(str)
    current_changed = Signal(int)

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.records = RecordsModel(self)
        self._fitting = False
        self._nothing = EmptyState(name)
        self._nothing.hide()
        self._over_rows = QVBoxLayout(self)
        self._over_rows.addWidget(self._nothing)
        self.setModel(self.records)
        self.setItemDelegate(_ChangeDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + 8)
        rows.setHighlightSections(False)
        rows.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setResizeContentsPrecision(_SAMPLE)
        header.setMinimumSectionSize(30)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.sectionResized.connect(self._on_resized)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self.records.modelAboutToBeReset.connect(self.scrollToTop)
        self.selectionModel().currentRowChanged.connect(lambda current, _old: self.current_changed.emit(current.row()))

    @property
    def kept_widths(self) -> list[int]:
        """Widths that the user gave the columns of such a file; empty where they did not."""
        kept = settings.widths(self._settings_name)
        return kept if len(kept) == self.records.columnCount() else []

    def wanted_widths(self) -> list[int]:
        """Widths for the names and, in the first columns, for what is in the first records."""
        header = self.horizontalHeader()
        titles = [header.sectionSizeHint(column) + 8 for column in range(self.records.columnCount())]
        wanted = [max(title, self._content_width(column)) for column, title in enumerate(titles[:_FITTED])]
        return [min(width, _WIDEST) for width in (*wanted, *titles[_FITTED:])]

    def _content_width(self, column: int) -> int:
        rows = range(min(self.records.rowCount(), _FITTED_ROWS))
        texts = (self.records.index(row, column).data() for row in rows)
        measure = self.fontMetrics().horizontalAdvance
        return max((measure(str(text)) for text in texts if text), default=0) + _MARGIN

    def fit_columns(self, widths: Sequence[int] = ()) -> None:
        """Columns as wide as the user made them, else as asked for, else as they need."""
        self._fitting = True
        for column, width in enumerate(self.kept_widths or widths or self.wanted_widths()):
            self.setColumnWidth(column, width)
        self._fitting = False

    @property
    def _settings_name(self) -> str:
        """Names of variables stay out of the settings."""
        names = "\n".join(shown.name for shown in self.records.fields)
        return f"{self.objectName()}-{hashlib.sha256(names.encode()).hexdigest()[:12]}"

    def _on_resized(self, _section: int, _old: int, _new: int) -> None:
        if not self._fitting and self.isVisible() and self.records.fields:
            header = self.horizontalHeader()
            settings.set_widths(self._settings_name, [header.sectionSize(i) for i in range(header.count())])

    def say_instead(self, text: str, button: str = "", do: Callable[[], None] | None = None) -> None:
        """In the place of the records, which have heads still: why there are none; no text takes it away."""
        self._over_rows.setContentsMargins(
            0, self.horizontalHeader().height(), 0, self.horizontalScrollBar().sizeHint().height()
        )
        self._nothing.setVisible(bool(text))
        if text:
            self._nothing.say(text, button, do)

    def go_to(self, row: int) -> None:
        """Make a row the current one, in the middle of what is visible."""
        index = self.records.index(row, max(self.currentIndex().column(), 0))
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def copy(self) -> None:
        """Copy the selected cells with the names of their variables; too many are refused in words."""
        ranges = self.selectionModel().selection()
        if ranges.isEmpty():
            return
        block = ranges.first()
        rows, columns = range(block.top(), block.bottom() + 1), range(block.left(), block.right() + 1)
        if len(rows) * len(columns) > MOST_COPIED:
            self.note.emit(
                translate("At most {n} cells can be copied at once.").format(n=numbers.format_count(MOST_COPIED))
            )
            return
        QGuiApplication.clipboard().setText(self.records.text_of(rows, columns))

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.addAction(translate("&Copy"), self.copy)
        menu.addAction(translate("Select &All"), self.selectAll)
        menu.addSeparator()
        menu.addAction(translate("&Export as CSV…"), self.export_csv)
        menu.popup(self.viewport().mapToGlobal(place))


class RecordBox(QWidget):
    """`goToRecord`. `wanted(record)`, 0-based; the owner calls `refuse` where it is not shown."""

    wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.box = NumberBox("goToRecord", lambda value: numbers.format_typed(int(value)), numbers.parse_count)
        self.box.setFixedWidth(90)
        self.box.setAccessibleName(translate("Go to record"))
        label = QLabel(translate("&Go to record"))
        label.setBuddy(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.box.message)
        row.addWidget(label)
        row.addWidget(self.box)
        self._records = 0
        self.box.entered.connect(self._entered)
        self.box.returnPressed.connect(self._again)

    def set_records(self, records: int) -> None:
        """How many there are."""
        self._records = records
        self.box.setEnabled(records > 0)

    def show_record(self, record: int) -> None:
        """Say which record, from 0, was gone to."""
        self.box.set_value(record + 1)

    def refuse(self, text: str) -> None:
        """Say why the record cannot be shown."""
        self.box.refuse(text)

    def _entered(self, value: float) -> None:
        if not 1 <= value <= self._records:
            self.box.refuse(translate("The file has records 1 to {n}.").format(n=numbers.format_count(self._records)))
            return
        self.box.set_value(value)
        self.wanted.emit(int(value) - 1)

    def _again(self) -> None:
        """Enter on the number that is shown goes there once more."""
        if self.box.value is not None and not self.box.has_typing:
            self.wanted.emit(int(self.box.value) - 1)
