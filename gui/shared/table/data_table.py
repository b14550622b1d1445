"""The program's table: heading, filter box, sorting, remembered widths, copying with headers, export as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import le
from typing import Any

from PySide6.QtCore import QEvent, QItemSelectionModel, QItemSelectionRange, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
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

from core.base.errors import PavoError
from core.base.texts import mark, translate
from gui import dialogs
from gui.settings import settings
from gui.shared.accessible import as_heading
from gui.shared.elision import MIDDLE, ElidedTexts, WrappedTexts
from gui.shared.empty_state import EmptyState
from gui.shared.labels import ElidedLabel
from gui.shared.table.column_widths import NAMED, WIDEST, floors, scrolled, shared
from gui.shared.table.model import Column, ColumnsModel
from gui.theme import scaled, theme, write_as
from gui.theme.tokens import ROW

_SAMPLE_ROWS, _LEAST_ROWS = 200, 10
_SAMPLE_CELLS = 20_000
"""Cells looked at for the widths of all columns together: fewer rows where there are thousands of columns."""
_SIZED = 500
"""Columns behind these have the width that columns have by themselves."""
_LONGEST = 8
_MOST = 2 * WIDEST
"""A column's width, however long its texts and however much room there is."""
_HEADING = 160
"""So much of a heading is read before the filter box takes room."""
_GROWING = 24
"""So many columns are measured again where others of the same titles are shown; more would take too long."""
_STEP = 20
"""By so much the column of names is widened until no two of them look alike."""
_CELL_MARGIN = 25
"""Room around a cell's text."""
_SORT_MARK = 28
"""Room beside a column's title for the sign of its sorting, margins included."""
_LEAST_MARGIN = 23
"""Room around titles and texts that is kept where there is no more for all columns."""
_SELECTED_BAR = 3
_WRAPPED_ROWS = 100
"""Rows up to which long texts are set in lines; more of them are one line each."""


class TableView(QTableView):
    """A QTableView that copies its cells as text with headers and takes Enter as a double-click."""

    activated_row = Signal(int)
    export_wanted = Signal()

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
        elif _is_enter(event) and self.currentIndex().isValid():
            self.activated_row.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Selected rows have a bar at their left, so that they are told without their ground too."""
        super().paintEvent(event)
        selection = self.selectionModel()
        if selection is None or not selection.hasSelection():
            return
        painter = QPainter(self.viewport())
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        for row in range(max(first, 0), (last if last >= 0 else self.model().rowCount() - 1) + 1):
            if selection.isRowSelected(row, QModelIndex()):
                top, height = self.rowViewportPosition(row), self.rowHeight(row)
                painter.fillRect(0, top, _SELECTED_BAR, height - 1, QColor(theme.scheme.accent))

    def export_csv(self) -> None:
        """Ask for what is shown to be written to a file."""
        self.export_wanted.emit()

    def copy(self) -> None:
        """Copy the selected cells (all, where none is selected) with their headers."""
        model = self.model()
        assert isinstance(model, ColumnsModel)
        selected = self.selectionModel().selectedIndexes()
        rows = sorted({index.row() for index in selected}) or list(range(model.rowCount()))
        columns = sorted({index.column() for index in selected}) or list(range(model.columnCount()))
        QGuiApplication.clipboard().setText(model.text_of(rows, columns))


def _is_enter(event: QKeyEvent) -> bool:
    """Enter alone: with Ctrl it belongs to the window."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and held == Qt.KeyboardModifier.NoModifier


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
        self.title = ElidedLabel(title, f"{name}Heading", least=_HEADING)
        self.filter = QLineEdit(self, objectName=f"{name}Filter", clearButtonEnabled=True)
        self.view = TableView(self, objectName=name)  # after the filter: so goes the Tab key
        self._empty = EmptyState(name)
        self._pages = QStackedLayout()
        self._current: Any = None
        self._filling = False
        self._sized_for: tuple[str, ...] = ()
        self._stretched = -1
        self._wrapped = -1
        self._wanted: list[int] = []
        self._apart = 0
        self._least: list[int] = []
        self._shared: list[int] | None = None
        self._in_sight: tuple[str, ...] = ()
        self.indent = 0
        """Room that the first column takes before its text."""
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
        ranges: Iterable[QItemSelectionRange] = self.view.selectionModel().selection()  # type: ignore[assignment]
        rows = {row for each in ranges for row in range(each.top(), each.bottom() + 1)}
        return [self.model.key(row) for row in sorted(rows)]

    def stretch(self, column: int) -> None:
        """Let a column take the room that the others leave, so that long names never push figures out of sight."""
        header = self.view.horizontalHeader()
        if column != self._stretched and 0 <= self._stretched < header.count():
            header.setSectionResizeMode(self._stretched, QHeaderView.ResizeMode.Interactive)  # two would share the room
        self._stretched = column
        self._size_columns()

    def wrap(self, column: int) -> None:
        """Set the long texts of a column in lines, so that all of them can be read; of hundreds of rows none."""
        self._wrapped = column
        self._lines = WrappedTexts(self.view)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)  # a row may be higher than a page
        self._fit_soon = QTimer(self, singleShot=True, interval=0)  # a stretched column has its width later
        self._fit_soon.timeout.connect(self._fit_rows)
        for signal in (self.model.modelReset, self.model.layoutChanged):
            signal.connect(self._fit_soon.start)

    def keep_in_sight(self, *titles: str) -> None:
        """Show these columns right after the first one as long as not all columns fit side by side."""
        self._in_sight = titles
        self._give_room()

    def hide_column(self, column: int, hidden: bool) -> None:
        """Hide a column, or show it again; the others share the room."""
        if self.view.isColumnHidden(column) != hidden:
            self.view.setColumnHidden(column, hidden)
            if self._sized_for:
                self._set_widths(self._sized_for)

    def fit_columns(self) -> None:
        """Widths for what is shown now, as far as the user chose none; else they are those of what came first."""
        self._sized_for = ()
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
        from gui.document.session_files import write_atomically

        title = translate(mark("Export table"))
        path = dialogs.save_file(self, title, dialogs.last_folder() / f"{self._name}.csv", "CSV (*.csv)")
        if path is None:
            return
        try:
            write_atomically(path, self.model.csv_text().encode("utf-8"))
        except PavoError as error:
            self._refuse(error)

    def _refuse(self, error: PavoError) -> None:
        """Show at the foot of the window why nothing was written; a dialog's message is in the window behind it."""
        place: QWidget | None = self
        while place is not None:
            show: Callable[[PavoError], None] | None = getattr(place, "show_error", None)
            if show is not None:
                show(error)
                return
            place = place.parentWidget()
        dialogs.ask(self, error.sentence, error.advice, [translate("&Close")])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DynamicPropertyChange:
            self.model.set_greyed(bool(self.property("greyed")))
        return super().event(event)

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(scaled(ROW))
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        # painting it would ask for every row of the table's own selection, though a title never shows one
        header.setSelectionModel(QItemSelectionModel(self.model, self))
        header.setTextElideMode(MIDDLE)
        view.setItemDelegate(ElidedTexts(view))
        header.setStretchLastSection(False)
        header.setSortIndicatorClearable(True)
        header.setMinimumSectionSize(30)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        view.setSortingEnabled(True)
        header.sectionResized.connect(self._on_resized)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_menu)
        view.doubleClicked.connect(lambda index: self.activated.emit(self.model.key(index.row())))
        view.export_wanted.connect(self.export_csv)
        view.activated_row.connect(lambda row: self.activated.emit(self.model.key(row)))
        view.selectionModel().currentRowChanged.connect(self._on_current)

    def _lay_out(self) -> None:
        write_as(self.title, "section")
        as_heading(self.title)
        self.filter.setPlaceholderText(translate(mark("Filter")))
        self.filter.setAccessibleName(translate(mark("Filter")))
        self.filter.setMaximumWidth(170)
        self.filter.textChanged.connect(self._on_filter)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(6)
        self.head = QHBoxLayout()
        outer.addLayout(self.head)
        outer.addLayout(self._pages, 1)
        self.head.addWidget(self.title, 1)
        self.head.addWidget(self.filter)
        self._pages.addWidget(self.view)
        self._pages.addWidget(self._empty)

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

    def _fit_rows(self) -> None:
        """Give rows the height of their wrapped texts, where these are not too many."""
        if not self.model.columns:
            return
        rows, heights = self.model.rowCount(), self.view.verticalHeader()
        few = rows <= _WRAPPED_ROWS
        self.view.setItemDelegateForColumn(self._wrapped, self._lines if few else None)  # type: ignore[arg-type]
        if few:
            width = self.view.columnWidth(self._wrapped)
            for row, text in enumerate(self.model.texts(self._wrapped, rows)):
                heights.resizeSection(row, self._lines.height(text, width))

    def _on_resized(self, section: int, old: int, new: int) -> None:
        if section == self._wrapped and old != new:
            self._fit_soon.start()
        if not (old and new):  # hidden or shown again: nobody chose a width
            return
        if section != self._stretched and not self._filling and self.model.columns and self.view.isVisible():
            header = self.view.horizontalHeader()
            settings.set_widths(self._name, [header.sectionSize(i) for i in range(header.count())])

    def _size_columns(self) -> None:
        """Remembered widths, else as wide as the contents; only when the columns are others than before."""
        titles = tuple(column.title for column in self.model.columns)
        if not titles or (titles == self._sized_for and not self._has_outgrown(titles)):
            self._sized_for = titles
            return
        if titles != self._sized_for:
            self._wanted, self._least = self._rooms(titles)
        self._sized_for = titles
        self._set_widths(titles)

    def _set_widths(self, titles: Sequence[str]) -> None:
        """Remembered widths, else those that the room is enough for."""
        self._filling = True
        kept = settings.widths(self._name)
        metrics = self.view.fontMetrics()
        self._shared = self._share()
        for i, width in enumerate(self._shared or scrolled(self._wanted, self._floors())):
            if self.view.isColumnHidden(i):
                continue
            remembered = kept[i] if i < len(kept) else 0
            head = min(metrics.horizontalAdvance(titles[i]) + _LEAST_MARGIN, WIDEST)  # it may be another than then
            if i < len(self._least) and self.model.columns[i].number:
                head = max(head, self._least[i])  # a number that is cut reads as another number
            self.view.setColumnWidth(i, max(remembered, head) if remembered > 0 else width)
        self._give_room()
        self._filling = False

    def _rooms(self, titles: Sequence[str]) -> tuple[list[int], list[int]]:
        """Widths wanted of the columns, and the least."""
        metrics = self.view.fontMetrics()
        rooms = [self._room(metrics, i, title) for i, title in enumerate(titles[:_SIZED])]
        wanted, least = ([min(room[which], _MOST) for room in rooms] for which in (0, 1))
        self._apart = self._told_apart(metrics) if least and least[0] > NAMED else 0
        return wanted, least

    def _told_apart(self, metrics: QFontMetrics) -> int:
        """Width from which no two names look alike, cut in the middle; 0 where there is none in reason."""
        names = set(self.model.texts(0, _SAMPLE_ROWS))
        names = {name for name in names if metrics.horizontalAdvance(name) + _CELL_MARGIN + self.indent > NAMED}
        for width in range(NAMED, WIDEST + 1, _STEP):
            room = width - _CELL_MARGIN - self.indent
            if len({metrics.elidedText(name, MIDDLE, room) for name in names}) == len(names):
                return width
        return 0

    def _has_outgrown(self, titles: Sequence[str]) -> bool:
        """Whether figures are longer than those the widths were made for; the rooms are then those of the longest."""
        if len(titles) > _GROWING:
            return False
        wanted, least = self._rooms(titles)
        if all(map(le, least, self._least)):
            return False
        self._wanted, self._least = (list(map(max, *pair)) for pair in ((wanted, self._wanted), (least, self._least)))
        return True

    def _room(self, metrics: QFontMetrics, column: int, title: str) -> tuple[int, int]:
        """Width wanted for a column, and the least that cuts nothing off."""
        contents = max((metrics.horizontalAdvance(text) for text in self._longest_texts(column)), default=0)
        contents += self.indent if column == 0 else 0
        named = metrics.horizontalAdvance(title)
        return max(named + _SORT_MARK, contents + _CELL_MARGIN), max(named, contents) + _LEAST_MARGIN

    def _share(self) -> list[int] | None:
        """Widths with which all columns are seen at once; None where they cannot be."""
        wanted, least = self._seen(self._wanted), self._seen(self._least)
        return shared(wanted, least, self._floors(), self._stretched, self.view.viewport().width())

    def _seen(self, widths: Sequence[int]) -> list[int]:
        """The same of columns in sight, nothing of hidden ones."""
        return [0 if self.view.isColumnHidden(i) else width for i, width in enumerate(widths)]

    def _floors(self) -> list[int]:
        """What the columns keep in any case."""
        kept = floors(self._least, [column.number for column in self.model.columns], self._stretched)
        if kept and self._apart:
            kept[0] = max(kept[0], min(self._apart, self._least[0]))
        return self._seen(kept)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_anew()

    def showEvent(self, event: QShowEvent) -> None:
        """Out of sight the view has not had its size yet."""
        super().showEvent(event)
        self._share_anew()

    def _share_anew(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()  # the viewport's width is that of now
        if self._sized_for and self._share() != self._shared:
            self._set_widths(self._sized_for)
        self._give_room()

    def _give_room(self) -> None:
        """Stretch the column that takes what the others leave, as long as they leave enough to read it."""
        header, column = self.view.horizontalHeader(), self._stretched
        if self._wrapped >= 0:
            self._fit_soon.start()
        self._order()
        if not 0 <= column < header.count() or not self._sized_for:
            return
        others = sum(header.sectionSize(i) for i in range(header.count()) if i != column)
        least = self._floors()[column]
        is_enough = self.view.viewport().width() - others >= least
        modes = QHeaderView.ResizeMode
        header.setSectionResizeMode(column, modes.Stretch if is_enough else modes.Interactive)
        if not is_enough:
            filling, self._filling = self._filling, True
            header.resizeSection(column, least)
            self._filling = filling

    def _order(self) -> None:
        """Put the columns that are kept in sight beside the first one where their own places may be out of sight."""
        header = self.view.horizontalHeader()
        titles = [column.title for column in self.model.columns]
        kept = [titles.index(title) for title in self._in_sight if title in titles]
        if not kept or header.count() != len(titles):
            return
        others = [place for place in range(1, len(titles)) if place not in kept]
        order = [0, *kept, *others] if self._share() is None else range(len(titles))
        for wanted, place in enumerate(order):
            if header.visualIndex(place) != wanted:
                header.moveSection(header.visualIndex(place), wanted)

    def _longest_texts(self, column: int) -> list[str]:
        """The longest texts near the top; asking the view for its width takes a tenth of a second."""
        count = min(_SAMPLE_ROWS, max(_LEAST_ROWS, _SAMPLE_CELLS // len(self.model.columns)))
        texts = self.model.texts(column, count)
        return sorted(set(texts), key=len)[-_LONGEST if count == _SAMPLE_ROWS else -1 :]

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.addAction(translate(mark("&Copy")), self.view.copy)
        menu.addAction(translate(mark("Select &All")), self.view.selectAll)
        menu.addSeparator()
        menu.addAction(translate(mark("&Export as CSV…")), self.export_csv)
        menu.popup(self.view.viewport().mapToGlobal(place))
