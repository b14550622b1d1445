"""Show Table Collection: every table and margin with its unsafe cells, and the cells of one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel

from core.base.errors import PavoError
from core.base.texts import mark, translate
from gui import numbers
from gui.document.document import Document
from gui.shared.margins_counted import margins_counted
from gui.shared.parts.panes import BESIDE, pane, panes
from gui.shared.table.data_table import DataTable
from gui.shared.tool_window import ToolWindow
from gui.shared.wheel import ComboBox
from gui.show_tables.model import cell_columns, chosen_tables, collection_columns, table_name
from gui.theme import muted

if TYPE_CHECKING:
    from core.session import Results
    from core.tables.margins import TableCount
    from core.tables.table_cells import TableCells

_SLOT = "cells of a table"


class ShowTables(ToolWindow):
    """`tableCollection`, `showAllTables`, `selectVariable`; `tableCells`, `onlyUnsafeCells`."""

    name = "showTables"
    title = mark("Show Table Collection")
    default_size = (1040, 600)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(720, 400)
        self._shown: Results | None = None
        self._tables: dict[str, TableCount] = {}
        self._cells: TableCells | None = None
        self._is_opening = False
        """Whether the cells shown are of another table than the one that was opened last."""
        self._make_controls()
        self._lay_out()
        self._connect()
        self.results_changed()

    def _make_controls(self) -> None:
        self.collection = DataTable("tableCollection", translate("Tables"))
        self.collection.wrap(0)
        self.collection.stretch(0)
        self.show_all = QCheckBox(translate("Show &all tables"), objectName="showAllTables")
        self.show_all.setToolTip(translate("Also those without an unsafe cell"))
        self.variable = ComboBox(objectName="selectVariable")
        self.summary = QLabel(objectName="tablesSummary")
        muted(self.summary)
        self.cells = DataTable("tableCells", translate("Cells"))
        self.only_unsafe = QCheckBox(translate("Only &unsafe cells"), objectName="onlyUnsafeCells")
        self.only_unsafe.setChecked(True)
        self.cells_summary = QLabel(objectName="cellsSummary")
        muted(self.cells_summary)

    def _lay_out(self) -> None:
        label = QLabel(translate("Select &variable"))
        label.setBuddy(self.variable)
        choice = QHBoxLayout()
        for widget in (label, self.variable, self.show_all):
            choice.addWidget(widget)
        choice.addStretch(1)
        below = QHBoxLayout()
        below.addWidget(self.cells_summary, 1)
        below.addWidget(self.only_unsafe)
        self.summary.setMinimumHeight(self.only_unsafe.sizeHint().height())
        both = pane(None, self.collection, self.summary), pane(None, self.cells, below)
        self.content.addLayout(choice)
        self.content.addWidget(panes(BESIDE, both, (500, 500), 14, "tablesSplitter"), 1)

    def _connect(self) -> None:
        self.show_all.toggled.connect(lambda _: self._show_collection())
        self.variable.currentIndexChanged.connect(lambda _: self._show_collection())
        self.collection.current_changed.connect(self._open_table)
        self.collection.activated.connect(lambda _: self.cells.view.setFocus())
        self.only_unsafe.toggled.connect(lambda _: self._show_cells())
        self.closed.connect(lambda _: self.document.tasks.drop(_SLOT))
        self.greyed(self.collection, self.summary)
        self.greyed(self.cells, self.cells_summary, when=lambda: self.is_stale() or self._is_opening)

    # What the document says --------------------------------------------------------------------------------------

    def results_changed(self) -> None:
        """Show the tables of the session."""
        derived = self.document.derived
        if derived is self._shown and derived is not None:
            return
        self._shown = derived
        self._fill_variables()
        self._show_collection()

    def show_for(self, variable: str = "", **_: Any) -> None:
        """Show the tables with a variable."""
        place = self.variable.findData(variable)
        if place >= 0:
            self.variable.setCurrentIndex(place)

    def _fill_variables(self) -> None:
        kept = self.variable.currentData()
        self.variable.blockSignals(True)
        self.variable.clear()
        self.variable.addItem(translate("all"), "")
        for row in () if self._shown is None else self._shown.overview.variables:
            self.variable.addItem(row.name, row.name)
        self.variable.setCurrentIndex(max(self.variable.findData(kept), 0))
        self.variable.blockSignals(False)

    def _show_collection(self) -> None:
        derived = self._shown
        if derived is None or not derived.overview.tables:
            self._tables = {}
            self.summary.clear()
            self.collection.show_empty(
                translate("Tables will be here once combinations of key variables are chosen."),
                translate("Select Combinations…"),
                lambda: self.open_window("selectCombinations"),
            )
            self._say_cells(translate("The cells of the table chosen at the left will be here."))
            return
        tables = chosen_tables(derived, self.variable.currentData() or "", self.show_all.isChecked())
        self._tables = {table_name(table.variables): table for table in tables}
        unsafe = sum(table.unsafe for table in tables)
        said = translate("{n} of {all} tables, {unsafe} unsafe cells").format(
            n=numbers.format_count(len(tables)),
            all=numbers.format_count(len(derived.overview.tables)),
            unsafe=numbers.format_count(unsafe),
        )
        self.summary.setText("  ".join(filter(None, (said, margins_counted(self.document)))))
        if not tables:
            self.collection.show_empty(
                translate("No table has an unsafe cell."), translate("Show all tables"), self.show_all.toggle
            )
            self._say_cells("")
            return
        before = self.collection.current_key
        self.collection.set_columns(collection_columns(tables))
        wanted = before if before in self._tables else next(iter(self._tables))
        self.collection.select(wanted)
        self._open_table(wanted)

    def _say_cells(self, text: str, button: str = "", do: Callable[[], None] | None = None) -> None:
        self._cells, self._is_opening = None, False
        self.document.tasks.drop(_SLOT)
        self.cells.set_title(translate("Cells"))
        self.cells.show_empty(text, button, do)
        self.cells_summary.clear()
        self._grey()

    def _open_table(self, name: object) -> None:
        from core.tables.table_cells import table_cells

        derived, table = self._shown, self._tables.get(str(name))
        if derived is None or table is None:
            return
        columns = [derived.columns[variable] for variable in table.variables]

        def done(cells: TableCells) -> None:
            self.cells.set_title(str(name))
            self._cells, self._is_opening = cells, False
            self._show_cells()
            self._grey()

        def stopped() -> None:
            self._say_cells(
                translate("Opening the table was stopped."), translate("Open it again"), lambda: self._open_table(name)
            )

        self._is_opening = True
        self._grey()
        inputs = columns, table.threshold
        self.document.compute(_SLOT, table_cells, *inputs, done=done, failed=self._failed, cancelled=stopped)

    def _failed(self, error: PavoError) -> None:
        self._say_cells("")
        self.show_error(error)

    def _show_cells(self) -> None:
        derived, cells = self._shown, self._cells
        if derived is None or cells is None:
            return
        unsafe = cells.only_unsafe()
        self.cells_summary.setText(
            translate("{unsafe} of {n} cells are unsafe").format(
                unsafe=numbers.format_count(len(unsafe)), n=numbers.format_count(len(cells))
            )
        )
        shown = unsafe if self.only_unsafe.isChecked() else cells
        if len(shown):
            self.cells.set_columns(cell_columns(derived, shown, self.only_unsafe.isChecked()))
        else:
            self.cells.show_empty(
                translate("This table has no unsafe cell."), translate("Show all cells"), self.only_unsafe.toggle
            )
