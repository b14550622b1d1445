"""A number for all codes of a variable, or a table with one for each, as a field of a form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHeaderView, QTableView

from core.base.texts import translate
from core.recipe.declared import Parameter
from core.recipe.model import ByCode
from gui import numbers
from gui.shared.form.parameter_fields import NumberField, is_within, parameter_title, range_in_words, refusal_label
from gui.theme import scaled

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ROW, _SHOWN = 26, 8
MOST_CODES = 500
"""Codes that are listed; nobody types more of them."""


class ByCodeModel(QAbstractTableModel):
    """A row a code: the code, its label, and the number that is typed. `refused(text)`: what was typed is none."""

    refused = Signal(str)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._heads = translate("Code"), translate("Label"), title
        self.codes: tuple[tuple[str, str], ...] = ()
        self.numbers: dict[str, float] = {}

    def call(self, title: str) -> None:
        """Give the first column another title."""
        self._heads = title, *self._heads[1:]

    def offer(self, codes: Sequence[tuple[str, str]]) -> None:
        """Show these codes with their labels; numbers of those that stay are kept."""
        self.beginResetModel()
        self.codes = tuple(codes)
        self.endResetModel()

    def take(self, found: dict[str, float]) -> None:
        """Show other numbers; codes that are not listed yet are."""
        self.beginResetModel()
        known = {code for code, _label in self.codes}
        self.codes += tuple((code, "") for code in found if code not in known)
        self.numbers = dict(found)
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.codes)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._heads)

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or way != Qt.Orientation.Horizontal:
            return None
        return self._heads[section]

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == 2 else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        code, label = self.codes[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            number = self.numbers.get(code)
            return (code, label, "" if number is None else numbers.format_typed(number))[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 2:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole:
            return False
        code, text = self.codes[index.row()][0], str(value).strip()
        others = {known: number for known, number in self.numbers.items() if known != code}
        if text:
            try:
                others[code] = float(numbers.parse_number(text).value)
            except ValueError:
                self.refused.emit(text)
                return False
        self.numbers = others
        self.dataChanged.emit(index, index)
        return True


class NumberByCodeField(NumberField):
    """`parameter_<name>` is the number for all codes, `…ByCode` turns to `…Table`, in which each has its own.

    Signals
    -------
    codes_wanted()
        The codes of the variable shall be offered.
    """

    codes_wanted = Signal()

    def __init__(self, parameter: Parameter) -> None:
        self.by_code = QCheckBox(translate("By code"), objectName=f"parameter_{parameter.name}ByCode")
        self.model = ByCodeModel(parameter_title(parameter.name))
        super().__init__(parameter)
        self.by_code.setToolTip(translate("A number for each code of one variable"))
        self.view = QTableView(objectName=f"{self.box_name}Table")
        self.view.setModel(self.model)
        self.view.setAccessibleName(translate("{name} by code").format(name=parameter_title(parameter.name)))
        self.view.setTabKeyNavigation(False)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(scaled(_ROW))
        head = self.view.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.message = refusal_label(f"{self.box_name}TableMessage")
        for place, widget in enumerate((self.by_code, self.view, self.message), start=1):
            self.column.insertWidget(place, widget)
        self.by_code.toggled.connect(self._turned)
        self.model.refused.connect(lambda text: self._say(numbers.why_refused(text)))
        self.model.dataChanged.connect(lambda *_: self._typed())
        self._show_table()

    @property
    def common(self) -> Any:
        """The number for all codes."""
        return super().value

    @property
    def value(self) -> Any:
        if not self.by_code.isChecked():
            return self.common
        return ByCode(self.model.numbers) if self.model.numbers else None

    @property
    def is_refused(self) -> bool:
        if not self.by_code.isChecked():
            return super().is_refused
        return not all(is_within(self.parameter, number) for number in self.model.numbers.values())

    def set_value(self, value: Any) -> None:
        has_table = isinstance(value, ByCode)
        self.by_code.blockSignals(True)
        self.by_code.setChecked(has_table)
        self.by_code.blockSignals(False)
        if has_table:
            self.model.take(dict(value))
        super().set_value(None if has_table else value)
        if hasattr(self, "view"):
            self._show_table()
            self._judge()
        if has_table:
            self.codes_wanted.emit()

    def say_variables(self) -> None:
        """What has a number each are the variables, not codes of one."""
        self.by_code.setText(translate("By variable"))
        self.by_code.setToolTip(translate("A number for each of the variables"))
        self.view.setAccessibleName(translate("{name} by variable").format(name=parameter_title(self.parameter.name)))
        self.view.setColumnHidden(1, True)
        self.model.call(translate("Variable"))

    def offer_codes(self, codes: Sequence[tuple[str, str]]) -> None:
        """List the codes of the variable, with labels; each begins with the number for all."""
        listed = list(codes[:MOST_CODES])
        if not self.model.numbers and self.by_code.isChecked():
            common = self.common
            self.model.numbers = {} if common is None else {code: float(common) for code, _label in listed}
            self.model.offer(listed)
            self._typed()
        else:
            kept = {code for code, _label in listed}
            self.model.numbers = {code: number for code, number in self.model.numbers.items() if code in kept}
            self.model.offer(listed)
        self._show_table()

    def _turned(self, on: bool) -> None:
        self._show_table()
        if on:
            self.codes_wanted.emit()
        self._judge()
        self.changed.emit()

    def _typed(self) -> None:
        self._judge()
        self.changed.emit()

    def _judge(self) -> None:
        wrong = self.by_code.isChecked() and self.is_refused
        self._say(range_in_words(self.parameter) if wrong else "")

    def _show_table(self) -> None:
        on = self.by_code.isChecked()
        self.box.setEnabled(not on)
        self.view.setVisible(on)
        head = self.view.horizontalHeader().sizeHint().height()
        rows = min(max(len(self.model.codes), 2), _SHOWN)
        self.view.setFixedHeight(head + scaled(_ROW) * rows + scaled(6))

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))
