"""Suppression weights: a table with a slider for each variable, 0 first to go, 100 last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QAbstractItemView, QScrollArea, QSlider, QWidget

from core.base.texts import translate
from gui import numbers
from gui.shared.accessible import WithParts
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column, ColumnsModel, Index
from gui.shared.wheel import Slider
from gui.texts import as_tip

MOST_ROWS = 8
"""More variables than this are scrolled."""
_UNDER_TITLE = 6
_VARIABLE, _WEIGHT, _SLIDER = range(3)


@dataclass(frozen=True)
class WeightRow:
    """A variable that can be suppressed; `fixed` ones never are."""

    name: str
    weight: int
    fixed: bool = False


class WeightsModel(ColumnsModel):
    """Variables and their weights. `entered(name, weight)`, or `refused(sentence)` for what is no weight."""

    entered = Signal(str, int)
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[WeightRow, ...] = ()

    def is_of(self, rows: Sequence[WeightRow]) -> bool:
        """Whether these are the variables shown."""
        return [row.name for row in rows] == [row.name for row in self.rows]

    def columns_of(self, rows: Sequence[WeightRow]) -> list[Column]:
        """Names, weights, and the place of the sliders; a fixed variable has no weight."""
        weights = [None if row.fixed else row.weight for row in rows]
        return [
            Column(translate("Variable"), [row.name for row in rows]),
            Column(translate("Weight"), weights, _weight_text, True),
            Column(translate("0 first to go … 100 last"), weights, _no_text),
        ]

    def update(self, rows: Sequence[WeightRow]) -> None:
        """Other weights of the same variables: no row moves under the hand that moves a slider."""
        self.rows, self._columns = tuple(rows), tuple(self.columns_of(rows))
        if self.rowCount():
            self.dataChanged.emit(self.index(0, _WEIGHT), self.index(self.rowCount() - 1, _SLIDER))

    def row(self, index: Index) -> WeightRow:
        """The variable in a shown row."""
        return self.rows[int(self._rows[index.row()])]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.EditRole:
            role = int(Qt.ItemDataRole.DisplayRole)
        if role == Qt.ItemDataRole.ToolTipRole:
            fixed = translate("The metadata say that this variable is never suppressed.")
            return as_tip(fixed if self.row(index).fixed else self.row(index).name)
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        try:
            weight = int(numbers.parse_count(str(value)).value)
        except ValueError:
            weight = -1
        if not 0 <= weight <= 100:
            self.refused.emit(translate("A weight is a whole number from 0 to 100."))
            return False
        self.entered.emit(self.row(index).name, weight)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        editable = index.isValid() and index.column() == _WEIGHT and not self.row(index).fixed
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags


def _weight_text(weight: int | None) -> str:
    return translate("never") if weight is None else numbers.format_count(weight)


def _no_text(_weight: int | None) -> str:
    return ""


class WeightSlider(Slider):
    """A slider that comes into sight where it stands in a part that is scrolled."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Come into sight: the Tab key may come from outside of the part that is scrolled."""
        super().focusInEvent(event)
        around = self.parentWidget()
        while around is not None and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        if around is not None:
            around.ensureWidgetVisible(self)


class SuppressionWeights(DataTable):
    """`suppressionWeights`; the slider of a variable is ``suppressionWeight_<name>``. `entered(name, weight)`.

    A weight is typed after a double-click, Enter, F2 or at once; Tab leads through the sliders.
    """

    spoken_as = WithParts
    entered = Signal(str, int)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._weights = WeightsModel()
        super().__init__("suppressionWeights", translate("Weight of each variable"), parent, self._weights)
        self._weights.setParent(self)
        self._sliders: dict[str, QSlider] = {}
        self._weights.entered.connect(self.entered)
        self._weights.refused.connect(self.refused)
        self._weights.modelReset.connect(self._make_sliders)  # the view has dropped those that were there
        self.activated.connect(lambda _key: self._edit())
        self.view.setAccessibleName(translate("Suppression weight of each variable"))
        triggers = QAbstractItemView.EditTrigger
        self.view.setEditTriggers(triggers.EditKeyPressed | triggers.AnyKeyPressed | triggers.SelectedClicked)
        self.stretch(_SLIDER)

    def set_rows(self, rows: Sequence[WeightRow]) -> None:
        """Show these variables and weights."""
        if self._weights.is_of(rows):
            self._weights.update(rows)
            self._set_sliders()
        else:
            self._weights.rows = tuple(rows)
            self.set_columns(self._weights.columns_of(rows))
            self.filter.setVisible(len(rows) > MOST_ROWS)
            self._fit()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def spoken_parts(self) -> Sequence[QWidget]:
        """The sliders, from the first row on."""
        rows = range(self._weights.rowCount())
        names = (self._weights.row(self._weights.index(number, _SLIDER)).name for number in rows)
        return [self._sliders[name] for name in names if name in self._sliders]

    def _edit(self) -> None:
        """Type the weight of the current row; the Enter that ends typing begins no other."""
        index = self.view.currentIndex().siblingAtColumn(_WEIGHT)
        if self.view.state() == QAbstractItemView.State.EditingState:
            return
        if index.isValid() and not self._weights.row(index).fixed:
            self.view.setCurrentIndex(index)
            self.view.edit(index)

    def _make_sliders(self) -> None:
        """One in each row that is shown; sorting takes them along."""
        self._sliders = {}
        for number in range(self._weights.rowCount()):
            index = self._weights.index(number, _SLIDER)
            name = self._weights.row(index).name
            slider = WeightSlider(Qt.Orientation.Horizontal, objectName=f"suppressionWeight_{name}")
            slider.setRange(0, 100)
            slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            slider.setPageStep(10)
            slider.setMinimumWidth(90)
            slider.setAccessibleName(translate("Suppression weight of {variable}").format(variable=name))
            slider.valueChanged.connect(lambda value, name=name: self.entered.emit(name, value))
            self.view.setIndexWidget(index, slider)
            self._sliders[name] = slider
        self._set_sliders()

    def _set_sliders(self) -> None:
        for row in self._weights.rows:
            slider = self._sliders.get(row.name)
            if slider is not None:
                slider.blockSignals(True)
                slider.setValue(row.weight)
                slider.blockSignals(False)
                slider.setEnabled(not row.fixed)

    def _fit(self) -> None:
        """As high as its rows, from the ninth on scrolled."""
        view, rows = self.view, len(self._weights.rows)
        above = self.head.sizeHint().height() + _UNDER_TITLE
        above += view.horizontalHeader().sizeHint().height() + 2 * view.frameWidth() + 2
        height = view.verticalHeader().defaultSectionSize()
        self.setMaximumHeight(above + rows * height)
        self.setMinimumHeight(above + min(rows, MOST_ROWS) * height)
        self.updateGeometry()
