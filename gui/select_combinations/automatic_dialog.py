"""Automatic specification of combinations: by identification level, or all up to a dimension."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import plural, translate
from core.recipe import edits_combinations
from core.tables.automatic import (
    MAX_DIMENSION,
    by_identification_level,
    count_by_identification_level,
    count_up_to_dimension,
    up_to_dimension,
)
from gui import numbers
from gui.shared.number_box import NumberBox
from gui.shared.ordered_dialog import OrderedDialog
from gui.theme import theme

MANY = 20_000
"""More tables than this are not offered: nobody could look at them, and counting them takes hours."""


class AutomaticSpecification(OrderedDialog):
    """Says how many tables a method gives, and what they change, before it makes them.

    Parameters
    ----------
    names, levels : the categorical variables and their identification levels
    draft : the combinations chosen so far

    Signals
    -------
    chosen(list, list, bool)
        The sets of variables, the thresholds by dimension, and whether earlier combinations go.
    """

    chosen = Signal(list, list, bool)

    def __init__(
        self,
        names: Sequence[str],
        levels: Sequence[int],
        draft: edits_combinations.Draft,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, objectName="automaticSpecificationDialog")
        self.setWindowTitle(translate("Automatic specification"))
        pairs = [(name, level) for name, level in zip(names, levels, strict=True) if level > 0]
        self._names = [name for name, _ in pairs]
        self._levels = [level for _, level in pairs]
        self._draft = draft
        self._highest = max(1, min(MAX_DIMENSION, len(self._names)))
        self._make_controls()
        self._lay_out()
        self.by_level.setChecked(True)
        for signal in (self.by_level.toggled, self.replace.toggled, self.thresholds.textChanged):
            signal.connect(self._refresh)
        self.dimension.textEdited.connect(self._dimension_typed)
        self.dimension.entered.connect(self.dimension.set_value)  # only what was not refused while it was typed
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self._refresh()

    def _make_controls(self) -> None:
        self.by_level = QRadioButton(translate("Use &identification level"), objectName="byIdentificationLevel")
        self.by_level.setToolTip(
            translate("Each combination takes one variable of level 1, one of level 2 or lower, and so on.")
        )
        self.by_dimension = QRadioButton(translate("Make &all combinations up to dimension"), objectName="byDimension")
        self.dimension = NumberBox("dimension", lambda value: str(int(value)), numbers.parse_count)
        self.dimension.setAccessibleName(translate("Largest dimension"))
        self.dimension.setMaximumWidth(70)
        self.dimension.set_value(min(3, self._highest))
        self.thresholds = QLineEdit("1", objectName="thresholdsByDimension")
        self.refusal = QLabel(objectName="thresholdsByDimensionMessage", wordWrap=True)
        self.refusal.setStyleSheet(f"color: {theme.scheme.refused};")
        self.replace = QCheckBox(translate("&Replace the combinations chosen so far"), objectName="replaceCombinations")
        self.replace.setChecked(bool(self._draft))
        self.replace.setVisible(bool(self._draft))
        self.number = QLabel(objectName="numberOfTables", wordWrap=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.by_level)
        form.addRow(self.by_dimension, self.dimension)
        form.addRow(self.dimension.message)
        label = QLabel(translate("&Thresholds by dimension"))
        for widget in (label, self.thresholds):
            widget.setToolTip(
                translate("A combination that occurs in at most so many records is unsafe. One number for all, or one"
                          " for each dimension, separated by blanks; the last one holds for all dimensions above.")
            )  # fmt: skip
        label.setBuddy(self.thresholds)
        form.addRow(label, self.thresholds)
        form.addRow(self.refusal)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self.replace)
        layout.addWidget(self.number)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(440)

    def _dimension_typed(self) -> None:
        self.by_dimension.setChecked(True)
        self._refresh()

    def _refresh(self) -> None:
        """Say what is wrong beside its box, else what the choices give."""
        dimension = self._read_dimension()
        problem = self._wrong_thresholds(dimension)
        self.refusal.setText(problem)
        self.refusal.setVisible(bool(problem))
        said, possible = self._outcome(dimension) if dimension and not problem else ("", False)
        self.number.setText(said)
        self.number.setVisible(bool(said))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(possible)

    def _read_dimension(self) -> int:
        """Number of variables of the largest tables; 0, and a message beside the box, where it cannot be."""
        if self.by_level.isChecked():
            if self.dimension.is_refused:
                self.dimension.drop_typing()
            return max(1, len(set(self._levels)))
        text = self.dimension.text()
        try:
            value = numbers.parse_count(text).value
        except ValueError:
            self.dimension.refuse(numbers.why_refused(text, whole=True))
            return 0
        if not 1 <= value <= self._highest:
            text = translate("A dimension is a whole number from 1 to {most}.")
            self.dimension.refuse(text.format(most=self._highest))
            return 0
        return int(value)

    def _read_thresholds(self) -> list[int] | None:
        parts = self.thresholds.text().replace(",", " ").split()
        if not parts or not all(part.isdecimal() and 1 <= int(part) <= edits_combinations.MOST_COUNT for part in parts):
            return None
        return [int(part) for part in parts]

    def _wrong_thresholds(self, dimension: int) -> str:
        """What is wrong with the thresholds typed; empty where nothing is."""
        thresholds = self._read_thresholds()
        if thresholds is None:
            text = translate("Thresholds are whole numbers from 1 to {most}, separated by blanks.")
            return text.format(most=numbers.format_count(edits_combinations.MOST_COUNT))
        if dimension and len(thresholds) > dimension:
            text = translate("{count} thresholds, but the tables have at most {most} variables.")
            return text.format(count=numbers.format_count(len(thresholds)), most=numbers.format_count(dimension))
        return ""

    def _outcome(self, dimension: int) -> tuple[str, bool]:
        """What OK gives, or why it gives nothing; and whether it can be pressed."""
        if not self._names:
            return translate("No variable has an identification level above 0. Set it in Specify Metadata."), False
        count = self._count(dimension)
        shown = numbers.format_count(count)
        if count > MANY:
            text = translate("{count} tables are too many; choose a lower dimension, or fewer variables.")
            return text.format(count=shown), False
        text = plural(
            count,
            "This gives 1 table of {variables} identifying variables.",
            "This gives {count} tables of {variables} identifying variables.",
        )
        said = translate(text).format(count=shown, variables=numbers.format_count(len(self._names)))
        if not self._draft or self.replace.isChecked():
            return said, True
        return self._beside_the_others(said, count, dimension)

    def _beside_the_others(self, said: str, count: int, dimension: int) -> tuple[str, bool]:
        """As `_outcome`, where the combinations chosen so far stay: those that are there already, and what changes."""
        thresholds = self._read_thresholds()
        assert thresholds is not None, "refused before"
        made = edits_combinations.add_many(self._draft, self._sets(dimension), thresholds)
        there = count - (len(made) - len(self._draft))
        changed = sum(new != old for new, old in zip(made, self._draft, strict=False))
        if made == self._draft:
            return f"{said} " + translate("All are there already, with these thresholds."), False
        if there == 0:
            return said, True
        known = translate("There already: {there}; of these {changed} get another threshold.")
        known = known.format(there=numbers.format_count(there), changed=numbers.format_count(changed))
        return f"{said} {known}", True

    def _count(self, dimension: int) -> int:
        if self.by_level.isChecked():
            return count_by_identification_level(self._levels)
        return count_up_to_dimension(len(self._names), dimension)

    def _sets(self, dimension: int) -> list[tuple[str, ...]]:
        made = (
            by_identification_level(self._levels)
            if self.by_level.isChecked()
            else up_to_dimension(len(self._names), dimension)
        )
        return [tuple(self._names[i] for i in places) for places in made]

    def _accept(self) -> None:
        dimension = self._read_dimension()
        self.chosen.emit(self._sets(dimension), self._read_thresholds(), self.replace.isChecked())
        self.accept()
