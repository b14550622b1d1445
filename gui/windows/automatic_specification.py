"""Automatic specification of combinations: by identification level, or all up to a dimension."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from core.errors import PavoError
from core.tables.automatic import (
    MAX_DIMENSION,
    by_identification_level,
    count_by_identification_level,
    count_up_to_dimension,
    up_to_dimension,
)
from core.texts import translate
from gui import numbers

MANY = 20_000
"""More tables than this are not offered: nobody could look at them, and counting them takes hours."""


class AutomaticSpecification(QDialog):
    """Says how many tables a method gives before it makes them.

    Parameters
    ----------
    names, levels : the categorical variables and their identification levels

    Signals
    -------
    chosen(list, list, bool)
        The sets of variables, the thresholds by dimension, and whether earlier combinations go.
    """

    chosen = Signal(list, list, bool)

    def __init__(
        self, names: Sequence[str], levels: Sequence[int], has_combinations: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, objectName="automaticSpecificationDialog")
        self.setWindowTitle(translate("Automatic specification of combinations"))
        pairs = [(name, level) for name, level in zip(names, levels, strict=True) if level > 0]
        self._names = [name for name, _ in pairs]
        self._levels = [level for _, level in pairs]
        self.by_level = QRadioButton(translate("Use &identification level"), objectName="byIdentificationLevel")
        self.by_level.setToolTip(
            translate("Each combination takes one variable of level 1, one of level 2 or lower, and so on.")
        )
        self.by_dimension = QRadioButton(translate("Make &all combinations up to dimension"), objectName="byDimension")
        self.dimension = QSpinBox(objectName="dimension")
        self.dimension.setRange(1, max(1, min(MAX_DIMENSION, len(self._names))))
        self.dimension.setValue(min(3, self.dimension.maximum()))
        self.thresholds = QLineEdit("1", objectName="thresholdsByDimension")
        self.replace = QCheckBox(translate("&Replace the combinations chosen so far"), objectName="replaceCombinations")
        self.replace.setChecked(has_combinations)
        self.replace.setVisible(has_combinations)
        self.number = QLabel(objectName="numberOfTables")
        self.number.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._lay_out()
        self.by_level.setChecked(True)
        for signal in (self.by_level.toggled, self.dimension.valueChanged, self.thresholds.textChanged):
            signal.connect(self._refresh)
        self.dimension.valueChanged.connect(lambda _value: self.by_dimension.setChecked(True))
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self._refresh()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.by_level)
        form.addRow(self.by_dimension, self.dimension)
        label = QLabel(translate("&Thresholds by dimension"))
        label.setToolTip(
            translate("A combination that occurs in at most so many records is unsafe. One number for all, or one for"
                      " each dimension, separated by blanks.")
        )  # fmt: skip
        label.setBuddy(self.thresholds)
        form.addRow(label, self.thresholds)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self.replace)
        layout.addWidget(self.number)
        layout.addWidget(self.buttons)

    def _refresh(self) -> None:
        problem = ""
        try:
            count = self._count()
        except PavoError as error:
            count, problem = 0, str(error)
        if not self._names:
            problem = translate("No variable has an identification level above 0. Set it in Specify Metadata.")
        elif not problem and count == 0:
            problem = translate("The levels give no combination.")
        elif not problem and self._read_thresholds() is None:
            problem = translate("Thresholds are whole numbers of at least 1, separated by blanks.")
        elif count > MANY:
            problem = translate("{count} tables are too many; choose a lower dimension, or fewer variables.").format(
                count=numbers.format_count(count)
            )
        said = translate("This gives {count} tables of {variables} identifying variables.").format(
            count=numbers.format_count(count), variables=len(self._names)
        )
        self.number.setText(problem or said)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)

    def _count(self) -> int:
        if self.by_level.isChecked():
            return count_by_identification_level(self._levels)
        return count_up_to_dimension(len(self._names), self.dimension.value())

    def _read_thresholds(self) -> list[int] | None:
        parts = self.thresholds.text().replace(",", " ").split()
        if not parts or not all(part.isdecimal() and int(part) >= 1 for part in parts):
            return None
        return [int(part) for part in parts]

    def _accept(self) -> None:
        by_level = self.by_level.isChecked()
        made = (
            by_identification_level(self._levels)
            if by_level
            else up_to_dimension(len(self._names), self.dimension.value())
        )
        sets = [tuple(self._names[i] for i in places) for places in made]
        self.chosen.emit(sets, self._read_thresholds(), self.replace.isChecked())
        self.accept()
