"""Describe columns: the fields of a fixed file found by eye, on a grid of its first lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import PavoError
from core.base.texts import plural, translate
from core.metadata.field_grid import Place, parse_layout, propose_fields, with_edge, with_field
from gui.numbers import format_count
from gui.shared.ordered_dialog import OrderedDialog
from gui.shared.over import resize_over
from gui.shared.shortcuts import on_key
from gui.shared.table.data_table import DataTable
from gui.specify_metadata.column_grid import ColumnGrid, FieldsModel
from gui.theme import muted, theme

NAME, START, LENGTH = range(3)


class DescribeColumns(OrderedDialog):
    """`describeColumnsDialog` with `columnGrid`, `fieldTable`, `proposeEdges`, `pasteLayout` and `columnMessage`.

    It shows `lines`; edges are proposed by `spread`, records from all over the file, where there are such.

    Signals
    -------
    described(list)
        The fields, as `core.metadata.field_grid.Place`.
    """

    described = Signal(list)

    def __init__(
        self,
        lines: Sequence[bytes],
        encoding: str,
        fields: Sequence[Place],
        parent: QWidget | None = None,
        spread: Sequence[bytes] = (),
    ) -> None:
        super().__init__(parent, objectName="describeColumnsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("Describe columns"))
        self._lines = list(spread or lines)
        self._fields: list[Place] = []
        self.grid = ColumnGrid()
        self.grid.show_lines(lines, encoding)
        self.rows = FieldsModel()
        self.table = DataTable("fieldTable", translate("Fields"), model=self.rows)
        self.rows.setParent(self.table)
        self.message = QLabel(objectName="columnMessage", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._make_buttons()
        self._lay_out()
        self._connect()
        resize_over(self, 980, 620)
        self.set_fields(fields or propose_fields(self._lines), -1)
        self.table.stretch(NAME)

    def _make_buttons(self) -> None:
        self.propose = QPushButton(translate("&Propose edges"), objectName="proposeEdges")
        self.propose.setToolTip(translate("A field wherever some line is not blank"))
        self.paste = QPushButton(translate("Paste &layout"), objectName="pasteLayout")
        self.paste.setToolTip(translate("One field a line: name, start and length"))
        self.remove = QPushButton(translate("&Remove field"), objectName="removeField")
        self.clear = QPushButton(translate("C&lear"), objectName="clearFields")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setObjectName("acceptFields")
        for button in (self.propose, self.paste, self.remove, self.clear):
            button.setAutoDefault(False)

    def _lay_out(self) -> None:
        help_text = QLabel(
            translate(
                "Click between two characters to make an edge, again to remove it. Drag over characters to select a "
                "field. Names, starts and lengths can be typed in the table."
            ),
            wordWrap=True,
        )
        muted(help_text)
        triggers = QAbstractItemView.EditTrigger
        self.table.view.setEditTriggers(triggers.EditKeyPressed | triggers.AnyKeyPressed | triggers.SelectedClicked)
        side = QVBoxLayout()
        side.addWidget(self.table, 1)
        for button in (self.propose, self.paste, self.remove, self.clear):
            side.addWidget(button)
        body = QHBoxLayout()
        body.addWidget(self.grid, 5)
        body.addLayout(side, 2)
        layout = QVBoxLayout(self)
        layout.addWidget(help_text)
        layout.addLayout(body, 1)
        layout.addWidget(self.message)
        layout.addWidget(self.buttons)

    def _connect(self) -> None:
        self.grid.edge_toggled.connect(self._toggle_edge)
        self.grid.field_dragged.connect(self._add_field)
        self.grid.field_clicked.connect(self._select_at)
        self.table.view.selectionModel().currentRowChanged.connect(
            lambda index, _: self._show_current(self.rows.place(index.row()))
        )
        self.table.activated.connect(lambda _key: self._edit())
        self.rows.edited.connect(self._cell_edited)
        self.propose.clicked.connect(lambda: self.set_fields(propose_fields(self._lines), 0))
        self.paste.clicked.connect(self._ask_layout)
        self.remove.clicked.connect(self._remove)
        self.clear.clicked.connect(lambda: self.set_fields([], -1))
        on_key(self.table.view, Qt.Key.Key_Delete, self._remove)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)

    @property
    def fields(self) -> list[Place]:
        """The fields, in the order of the record."""
        return list(self._fields)

    def set_fields(self, fields: Sequence[Place], current: int) -> None:
        """Show other fields, one of them as the current one."""
        self._fields = list(fields)
        self.table.set_columns(self.rows.columns_of(fields))
        if 0 <= current < len(fields):
            self._select(current)
        self._show_current(current)
        self._judge()

    def _select(self, place: int) -> None:
        """Make a field the current one; what the filter hides is shown."""
        if self.rows.row_at(place) < 0:
            self.table.filter.clear()
        self.table.view.setCurrentIndex(self.rows.index(self.rows.row_at(place), NAME))

    def _show_current(self, place: int) -> None:
        self.grid.show_fields(self._fields, place)

    def _judge(self) -> None:
        """Say what is wrong; only what overlaps nothing and has a name of its own can be accepted."""
        text = _wrong(self._fields)
        self.message.setStyleSheet(f"color: {theme.scheme.refused};" if text else "")
        count = translate(plural(len(self._fields), "1 field", "{count} fields"))
        self.message.setText(text or count.format(count=format_count(len(self._fields))))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not text)

    # Editing -----------------------------------------------------------------------------------------------------

    def _edit(self) -> None:
        """Type into the current cell; the Enter that ends typing begins no other."""
        view = self.table.view
        if view.state() != QAbstractItemView.State.EditingState:
            view.edit(view.currentIndex())

    def _toggle_edge(self, after: int) -> None:
        fields = with_edge(self._fields, after, self.grid.length)
        current = next((i for i, field in enumerate(fields) if field.start <= after + 1 <= field.end), -1)
        self.set_fields(fields, current)

    def _add_field(self, start: int, length: int) -> None:
        fields = with_field(self._fields, start, length)
        current = next(i for i, field in enumerate(fields) if field.start == start)
        self.set_fields(fields, current)
        self.table.view.setFocus()
        self.table.view.edit(self.rows.index(self.rows.row_at(current), NAME))

    def _select_at(self, byte: int) -> None:
        row = next((i for i, field in enumerate(self._fields) if field.start <= byte <= field.end), -1)
        if row >= 0:
            self._select(row)
        self._show_current(row)

    def _remove(self) -> None:
        rows = {self.rows.place(index.row()) for index in self.table.view.selectionModel().selectedIndexes()}
        if rows:
            kept = [field for i, field in enumerate(self._fields) if i not in rows]
            self.set_fields(kept, min(*rows, len(kept) - 1))

    def _cell_edited(self, row: int, column: int, typed: str) -> None:
        text, field = typed.strip(), self._fields[row]
        if column == NAME:
            self._fields[row] = field._replace(name=text)
        elif text.isdecimal() and 0 < int(text) < 10**6:
            number = int(text)
            moved = field._replace(start=number) if column == START else field._replace(length=number)
            self._fields[row] = moved
        else:
            self.message.setStyleSheet(f"color: {theme.scheme.refused};")
            self.message.setText(translate("“{text}” is not a whole number of at least 1.").format(text=text))
            return
        self.rows.update(self._fields)
        self._show_current(row)
        self._judge()

    def _ask_layout(self) -> None:
        dialog = PasteLayout(self)
        dialog.pasted.connect(lambda fields: self.set_fields(sorted(fields, key=lambda f: f.start), 0))
        dialog.open()

    def _accept(self) -> None:
        self.described.emit(sorted(self._fields, key=lambda field: field.start))
        self.accept()


class PasteLayout(OrderedDialog):
    """`pasteLayoutDialog`: a layout as text, filled from the clipboard where that holds one."""

    pasted = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="pasteLayoutDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("Paste layout"))
        self.text = QPlainTextEdit(objectName="layoutText")
        self.text.setPlaceholderText("REGION 1 4\nSEX 5 1\nAGE 6 2")
        self.text.setAccessibleName(translate("One field a line: name, start and length"))
        self.message = QLabel(objectName="layoutMessage", wordWrap=True)
        self.message.setStyleSheet(f"color: {theme.scheme.refused};")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setObjectName("acceptLayout")
        buttons.accepted.connect(self._take)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(translate("One field a line: name, start and length (or start–end).")))
        layout.addWidget(self.text, 1)
        layout.addWidget(self.message)
        layout.addWidget(buttons)
        resize_over(self, 420, 380)
        copied = QGuiApplication.clipboard().text()
        try:
            parse_layout(copied)
            self.text.setPlainText(copied)
        except PavoError:
            self.text.clear()

    def _take(self) -> None:
        try:
            fields = parse_layout(self.text.toPlainText())
        except PavoError as error:
            self.message.setText(str(error))
            return
        self.pasted.emit(fields)
        self.accept()


def _wrong(fields: Sequence[Place]) -> str:
    if not fields:
        return translate("There is no field yet.")
    seen: set[str] = set()
    for field in fields:
        if not field.name:
            return translate("The field at {start} has no name.").format(start=field.start)
        if field.start < 1 or field.length < 1:
            return translate("{name} has no place: start and length are 1 or more.").format(name=field.name)
        if field.name.casefold() in seen:
            return translate("Two fields are called {name}.").format(name=field.name)
        seen.add(field.name.casefold())
    ordered = sorted(fields, key=lambda field: field.start)
    for one, two in pairwise(ordered):
        if two.start <= one.end:
            return translate("{two} begins within {one}.").format(one=one.name, two=two.name)
    return ""
