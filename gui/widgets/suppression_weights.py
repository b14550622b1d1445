"""Suppression weights: a table with a slider for each variable, 0 first to go, 100 last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSlider, QTableView, QWidget

from core.texts import translate
from gui import numbers
from gui.plain import as_tip

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
MOST_ROWS = 8
"""More variables than this are scrolled."""
_VARIABLE, _WEIGHT, _SLIDER = range(3)


@dataclass(frozen=True)
class WeightRow:
    """A variable that can be suppressed; `fixed` ones never are."""

    name: str
    weight: int
    fixed: bool = False


class WeightsModel(QAbstractTableModel):
    """Variables and their weights. `entered(name, weight)`, or `refused(sentence)` for what is no weight."""

    entered = Signal(str, int)
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[WeightRow, ...] = ()

    def set_rows(self, rows: Sequence[WeightRow]) -> bool:
        """Show other weights; whether the variables are others too."""
        same = [row.name for row in rows] == [row.name for row in self.rows]
        if not same:
            self.beginResetModel()
        self.rows = tuple(rows)
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, _WEIGHT), self.index(len(rows) - 1, _SLIDER))
        return not same

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else 3

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        texts = (row.name, translate("never") if row.fixed else numbers.format_count(row.weight), "")
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.AccessibleTextRole):
            return texts[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if index.column() == _WEIGHT else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            fixed = translate("The metadata say that this variable is never suppressed.")
            return fixed if row.fixed else as_tip(row.name)
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        try:
            weight = int(numbers.parse_count(str(value)).value)
        except ValueError:
            weight = -1
        if not 0 <= weight <= 100:
            self.refused.emit(translate("A weight is a whole number from 0 to 100."))
            return False
        self.entered.emit(self.rows[index.row()].name, weight)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        editable = index.isValid() and index.column() == _WEIGHT and not self.rows[index.row()].fixed
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return (translate("Variable"), translate("Weight"), translate("0 first to go … 100 last"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section == _WEIGHT else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


class WeightSlider(QSlider):
    """A slider that the wheel moves only while it has the focus: it stands in a part that is scrolled."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class SuppressionWeights(QTableView):
    """`suppressionWeights`; the slider of a variable is ``suppressionWeight_<name>``. `entered(name, weight)`."""

    entered = Signal(str, int)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("suppressionWeights")
        self.setAccessibleName(translate("Suppression weight of each variable"))
        self._rows = WeightsModel(self)
        self._sliders: dict[str, QSlider] = {}
        self._rows.entered.connect(self.entered)
        self._rows.refused.connect(self.refused)
        self.setModel(self._rows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.SelectedClicked
        )
        self.setShowGrid(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(_VARIABLE, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(_WEIGHT, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_SLIDER, QHeaderView.ResizeMode.Stretch)

    def set_rows(self, rows: Sequence[WeightRow]) -> None:
        """Show these variables and weights."""
        if self._rows.set_rows(rows):
            self._make_sliders()
            self._fit()
        for row in rows:
            slider = self._sliders[row.name]
            slider.blockSignals(True)
            slider.setValue(row.weight)
            slider.blockSignals(False)
            slider.setEnabled(not row.fixed)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def _make_sliders(self) -> None:
        self._sliders = {}
        for number, row in enumerate(self._rows.rows):
            slider = WeightSlider(Qt.Orientation.Horizontal, objectName=f"suppressionWeight_{row.name}")
            slider.setRange(0, 100)
            slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            slider.setPageStep(10)
            slider.setMinimumWidth(90)
            slider.setAccessibleName(translate("Suppression weight of {variable}").format(variable=row.name))
            slider.valueChanged.connect(lambda value, name=row.name: self.entered.emit(name, value))
            self.setIndexWidget(self._rows.index(number, _SLIDER), slider)
            self._sliders[row.name] = slider

    def _fit(self) -> None:
        rows = len(self._rows.rows)
        frame = 2 * self.frameWidth() + 2
        height = self.verticalHeader().defaultSectionSize()
        header = self.horizontalHeader().sizeHint().height()
        self.setMaximumHeight(header + rows * height + frame)
        self.setMinimumHeight(header + min(rows, MOST_ROWS) * height + frame)
        widest = max((self.fontMetrics().horizontalAdvance(row.name) for row in self._rows.rows), default=0)
        self.setColumnWidth(_VARIABLE, min(max(widest + 16, 80), 160))
        self.updateGeometry()
