"""The program's table: heading, filter box, sorting, remembered widths, copying with headers, export as CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.texts import mark, translate
from gui import dialogs
from gui.models.columns import Column, ColumnsModel
from gui.settings import settings
from gui.theme import heading
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.empty_state import EmptyState

_SAMPLE_ROWS = 200
_LONGEST = 8
_WIDEST = 220
_CELL_MARGIN = 19
"""Room around a cell's text."""
_SORT_MARK = 26
"""Room beside a column's title for the sign of its sorting."""


class TableView(QTableView):
    """A QTableView that copies its cells as text with headers and takes Enter as a double-click."""

    activated_row = Signal(int)

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Copy)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated_row.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Copy the selected cells (all, where none is selected) with their headers."""
        model = self.model()
        assert isinstance(model, ColumnsModel)
        selected = self.selectionModel().selectedIndexes()
        rows = sorted({index.row() for index in selected}) or list(range(model.rowCount()))
        columns = sorted({index.column() for index in selected}) or list(range(model.columnCount()))
        QGuiApplication.clipboard().setText(model.text_of(rows, columns))


class DataTable(QWidget):
    """`view` carries the table's name, the filter box ``<name>Filter``, the heading ``<name>Heading``.

    `head` is the row of heading and filter box, where the owner may add a button.

    Signals
    -------
    current_changed(key) : another row is the current one; `key` is its value in the first column.
    activated(key) : a row was double-clicked, or Enter pressed on it.
    """

    current_changed = Signal(object)
    activated = Signal(object)

    def __init__(
        self, name: str, title: str = "", parent: QWidget | None = None, model: ColumnsModel | None = None
    ) -> None:
        super().__init__(parent)
        self._name = name
        self.model = model or ColumnsModel(self)
        self.view = TableView(objectName=name)
        self.title = ElidedLabel(title, f"{name}Heading")
        self.filter = QLineEdit(objectName=f"{name}Filter", clearButtonEnabled=True)
        self._empty = EmptyState()
        self._pages = QStackedLayout()
        self._current: Any = None
        self._filling = False
        self._sized_for: tuple[str, ...] = ()
        self._stretched = -1
        self._set_up_view()
        self._lay_out()
        self.set_title(title)

    def set_title(self, title: str) -> None:
        """Change the heading, which is also the table's accessible name."""
        self.title.setText(title)
        self.view.setAccessibleName(title)

    def set_columns(self, columns: Sequence[Column], last: Any = None, note: str = "") -> None:
        """Show other figures; the current row is kept where it is still there."""
        self._filling = True
        self.model.set_columns(columns, last, note)
        self._filling = False
        self._pages.setCurrentIndex(0 if columns else 1)
        self.filter.setEnabled(bool(columns))
        self._size_columns()
        self._restore_current()

    def show_empty(self, text: str, button: str = "", do: Callable[[], None] | None = None) -> None:
        """Say what will be here, and offer the button that fills it."""
        self.model.set_columns(())
        self._sized_for = ()  # the header forgets the widths of columns that are gone
        self._empty.say(text, button, do)
        self._pages.setCurrentIndex(1)
        self.filter.setEnabled(False)

    @property
    def current_key(self) -> Any:
        """Value of the first column in the current row; None where there is none."""
        index = self.view.currentIndex()
        return self.model.key(index.row()) if index.isValid() else None

    @property
    def selected_keys(self) -> list[Any]:
        """Values of the first column in the selected rows, in the order shown."""
        return [self.model.key(index.row()) for index in sorted(self.view.selectionModel().selectedRows())]

    def stretch(self, column: int) -> None:
        """Let a column take the room that the others leave, so that long names never push figures out of sight."""
        self._stretched = column
        self._size_columns()

    def select(self, key: Any) -> bool:
        """Make the row with this key the current one; False where there is none."""
        row = self.model.row_of(key)
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row, 0))
            self.view.scrollTo(self.model.index(row, 0))
        return row >= 0

    def export_csv(self) -> None:
        """Ask for a file and write all shown rows to it."""
        from gui.session_files import write_atomically

        title = translate(mark("Export table"))
        path = dialogs.save_file(self, title, dialogs.last_folder() / f"{self._name}.csv", "CSV (*.csv)")
        if path is not None:
            write_atomically(path, self.model.csv_text().encode("utf-8"))

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setAlternatingRowColors(True)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 8)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(False)
        header.setSortIndicatorClearable(True)
        header.setMinimumSectionSize(30)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        view.setSortingEnabled(True)
        header.sectionResized.connect(self._on_resized)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_menu)
        view.doubleClicked.connect(lambda index: self.activated.emit(self.model.key(index.row())))
        view.activated_row.connect(lambda row: self.activated.emit(self.model.key(row)))
        view.selectionModel().currentRowChanged.connect(self._on_current)

    def _lay_out(self) -> None:
        heading(self.title, 1.05)
        self.filter.setPlaceholderText(translate(mark("Filter")))
        self.filter.setAccessibleName(translate(mark("Filter")))
        self.filter.setMaximumWidth(170)
        self.filter.textChanged.connect(self._on_filter)
        self.head = QHBoxLayout()
        self.head.addWidget(self.title, 1)
        self.head.addWidget(self.filter)
        self._pages.addWidget(self.view)
        self._pages.addWidget(self._empty)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(6)
        outer.addLayout(self.head)
        outer.addLayout(self._pages, 1)

    def _on_filter(self, text: str) -> None:
        self._filling = True
        self.model.set_filter(text)
        self._filling = False
        self._restore_current()

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid() and not self._filling:
            key = self.model.key(current.row())
            if key != self._current:
                self._current = key
                self.current_changed.emit(key)

    def _restore_current(self) -> None:
        """Keep the current row by its key through a reset."""
        if self._current is None or not self.select(self._current):
            return

    def _on_resized(self, section: int, _old: int, _new: int) -> None:
        if section != self._stretched and not self._filling and self.model.columns and self.view.isVisible():
            header = self.view.horizontalHeader()
            settings.set_widths(self._name, [header.sectionSize(i) for i in range(header.count())])

    def _size_columns(self) -> None:
        """Remembered widths, else as wide as the contents; only when the columns are others than before."""
        titles = tuple(column.title for column in self.model.columns)
        if not titles or titles == self._sized_for:
            return
        self._sized_for = titles
        self._filling = True
        kept = settings.widths(self._name)
        metrics = self.view.fontMetrics()
        for i, title in enumerate(titles):
            contents = max((metrics.horizontalAdvance(text) for text in self._longest_texts(i)), default=0)
            wanted = max(metrics.horizontalAdvance(title) + _SORT_MARK, contents + _CELL_MARGIN)
            self.view.setColumnWidth(i, kept[i] if i < len(kept) and kept[i] > 0 else min(wanted, _WIDEST))
        if 0 <= self._stretched < len(titles):
            self.view.horizontalHeader().setSectionResizeMode(self._stretched, QHeaderView.ResizeMode.Stretch)
        self._filling = False

    def _longest_texts(self, column: int) -> list[str]:
        """The longest texts near the top; asking the view for its width takes a tenth of a second."""
        model = self.model
        rows = range(min(model.rowCount(), _SAMPLE_ROWS))
        return sorted({str(model.index(row, column).data() or "") for row in rows}, key=len)[-_LONGEST:]

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.addAction(translate(mark("&Copy")), self.view.copy)
        menu.addAction(translate(mark("Select &All")), self.view.selectAll)
        menu.addSeparator()
        menu.addAction(translate(mark("&Export as CSV…")), self.export_csv)
        menu.popup(self.view.viewport().mapToGlobal(place))
