"""A square of numbers as a field: a small grid that grows and shrinks, judged by the declaration's own check."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QLabel, QTableView

from core.base.errors import PavoError
from core.base.texts import translate
from core.recipe.declared import Declaration, Parameter
from gui import numbers
from gui.shared.form.parameter_fields import ParameterField, in_words, parameter_title, refusal_label
from gui.shared.parts.buttons import role_button
from gui.texts import as_tip
from gui.theme import scaled

Index = QModelIndex | QPersistentModelIndex
Rows = tuple[tuple[float, ...], ...]
_ROOT = QModelIndex()
_MOST = 50
"""Rows that nobody types more of."""
_ROW, _COLUMN, _SHOWN = 26, 56, 6


class GridModel(QAbstractTableModel):
    """A square of numbers that are typed. `refused(text)`: what was typed is no number."""

    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.rows: Rows = ()

    def set_rows(self, rows: Rows) -> None:
        """Show other numbers."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or not self.rows else len(self.rows[0])

    def headerData(self, section: int, _way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return numbers.format_typed(self.rows[index.row()][index.column()])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole:
            return False
        try:
            number = float(numbers.parse_number(str(value)).value)
        except ValueError:
            self.refused.emit(str(value))
            return False
        rows = [list(row) for row in self.rows]
        rows[index.row()][index.column()] = number
        self.rows = tuple(map(tuple, rows))
        self.dataChanged.emit(index, index)
        return True


class MatrixField(ParameterField):
    """`parameter_<name>` is the grid, empty where nothing is said; `…Larger` and `…Smaller` change its size."""

    def __init__(self, parameter: Parameter, declaration: Declaration) -> None:
        super().__init__(parameter)
        self._check = declaration.check
        self.model = GridModel()
        self.view = QTableView(objectName=self.box_name)
        self.view.setModel(self.model)
        self.view.setAccessibleName(parameter_title(parameter.name))
        self.view.setAccessibleDescription(self.sentence.text())
        self.view.setTabKeyNavigation(False)
        for header, width in ((self.view.horizontalHeader(), _COLUMN), (self.view.verticalHeader(), _ROW)):
            header.setDefaultSectionSize(scaled(width))
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.smaller = role_button("−", f"{self.box_name}Smaller")
        self.larger = role_button("+", f"{self.box_name}Larger")
        self.smaller.setAccessibleName(translate("One row and column less"))
        self.larger.setAccessibleName(translate("One row and column more"))
        head = QHBoxLayout()
        label = QLabel(parameter_title(parameter.name))
        label.setBuddy(self.view)
        head.addWidget(label, 1)
        for button in (self.smaller, self.larger):
            button.setFixedWidth(scaled(36))
            button.setToolTip(as_tip(button.accessibleName()))
            head.addWidget(button)
        self.message = refusal_label(f"{self.box_name}Message")
        self.column.addLayout(head)
        for widget in (self.view, self.message, self.sentence):
            self.column.addWidget(widget)
        self.larger.clicked.connect(lambda: self._resize(+1))
        self.smaller.clicked.connect(lambda: self._resize(-1))
        self.model.refused.connect(self._no_number)
        self.model.dataChanged.connect(lambda *_: self._typed())
        self.set_value(parameter.default)

    @property
    def value(self) -> Any:
        return self.model.rows or None

    @property
    def is_refused(self) -> bool:
        return self._broken is not None

    def set_value(self, value: Any) -> None:
        self.model.set_rows(tuple(tuple(map(float, row)) for row in value or ()))
        self._judge()

    @property
    def _broken(self) -> PavoError | None:
        """The condition that the numbers break, as the declaration says it; None where they break none."""
        if self.value is not None and self._check is not None:
            try:
                self._check("", {self.parameter.name: self.value})
            except PavoError as error:
                return in_words(error)
        return None

    def _resize(self, by: int) -> None:
        """What is added weighs as much as its neighbour, so that no condition is broken by it."""
        rows = self.model.rows
        if by > 0:
            last, columns = (rows[-1][-1], len(rows[0])) if rows else (1.0, 0)
            self.model.set_rows((*((*row, row[-1]) for row in rows), (*((0.0,) * columns), last)))
        else:
            self.model.set_rows(tuple(row[:-1] for row in rows[:-1] if len(row) > 1))
        self._typed()

    def _no_number(self, text: str) -> None:
        self._say(numbers.why_refused(text))

    def _typed(self) -> None:
        self._judge()
        self.changed.emit()

    def _judge(self) -> None:
        size, broken = len(self.model.rows), self._broken
        self.smaller.setEnabled(size > 0)
        self.larger.setEnabled(size < _MOST)
        self.view.setVisible(size > 0)
        head = self.view.horizontalHeader().sizeHint().height()
        self.view.setFixedHeight(head + scaled(_ROW) * min(size, _SHOWN) + scaled(14))
        self._say("" if broken is None else str(broken))

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))
