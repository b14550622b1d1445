"""One parameter of an entry as a field: a label, a box for its type, its sentence, and why a value is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.declared import Parameter
from core.recipe.key_words import key_in_words
from core.recipe.model import Scenario
from gui import dialogs, numbers
from gui.shared.choice import ChoiceBox
from gui.shared.form.choice_titles import choice_meaning, choice_title
from gui.shared.form.variables_table import Offered, VariablesTable
from gui.shared.number_box import NumberBox
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.texts import as_tip
from gui.theme import scaled, theme

_TIP = Qt.ItemDataRole.ToolTipRole
_TABLE_HEIGHT = 192
_RANGES = {
    (True, True, True): mark("A number from {low} to {high}."),
    (True, True, False): mark("A number above {low}, up to {high}."),
    (True, False, True): mark("A number of at least {low}."),
    (True, False, False): mark("A number above {low}."),
    (False, True, True): mark("A number of at most {high}."),
}
_WHOLE_RANGES = {
    (True, True): mark("A whole number from {low} to {high}."),
    (True, False): mark("A whole number of at least {low}."),
    (False, True): mark("A whole number of at most {high}."),
}


def parameter_title(name: str) -> str:
    """What a field is called: the recipe's key as words."""
    words = key_in_words(name)
    return words if len(words) == 1 else words[:1].upper() + words[1:]


def said_of_fields(sentence: str) -> str:
    """A sentence that names fields, where the declaration names the recipe's keys."""
    quoted = translate("“{field}”")
    return re.sub("`([^`]*)`", lambda key: quoted.format(field=parameter_title(key[1])), sentence)


def range_in_words(parameter: Parameter) -> str:
    """Which numbers a parameter takes; empty where it takes all."""
    low, high = parameter.low, parameter.high
    if parameter.type == "integer":
        sentence = _WHOLE_RANGES.get((low is not None, high is not None), "")
    else:
        sentence = _RANGES.get((low is not None, high is not None, parameter.low_included or low is None), "")
    ends = {name: numbers.format_exact(end) for name, end in (("low", low), ("high", high)) if end is not None}
    return translate(sentence).format(**ends) if sentence else ""


def is_within(parameter: Parameter, value: float) -> bool:
    """Whether a parameter takes this number."""
    low, high = parameter.low, parameter.high
    if low is not None and (value < low or (value == low and not parameter.low_included)):
        return False
    return high is None or value <= high


def in_words(error: PavoError) -> PavoError:
    """An error of an entry that names the field where it names the recipe's key."""
    key = error.values.get("key")
    if not isinstance(key, str):
        return error
    values = {**error.values, "key": parameter_title(key.rsplit(".", 1)[-1])}
    return PavoError(error.id, error.template, error.hint, **values)


def refusal_label(name: str) -> WrappedLabel:
    """Where a field says why it refuses what is typed; hidden at first."""
    label = WrappedLabel(name=name)
    label.setStyleSheet(f"color: {theme.scheme.refused};")
    label.hide()
    return label


class ParameterField(QWidget):
    """`parameter_<name>` is the box. `value` is None where nothing is said, so that the default counts.

    Signals
    -------
    changed()
        The value is another one.
    """

    changed = Signal()

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        self.parameter = parameter
        self.box_name = f"parameter_{parameter.name}"
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(4)
        self.sentence = WrappedLabel(said_of_fields(translate(parameter.sentence)), is_muted=True)

    @property
    def value(self) -> Any:
        """As the recipe has it."""
        raise NotImplementedError

    def set_value(self, value: Any) -> None:
        """Show a value; None: none."""
        raise NotImplementedError

    @property
    def is_refused(self) -> bool:
        """Whether what was typed is none."""
        return False

    def offer(self, variables: Sequence[Offered], keys: Sequence[str], scenarios: Sequence[Scenario]) -> None:
        """The variables of the file, those that are the entry's own, and the scenarios: some fields choose there."""

    def _beside(self, label: QLabel, box: QWidget, is_wide: bool = True) -> None:
        label.setBuddy(box)
        row = QHBoxLayout()
        row.addWidget(label, 0 if is_wide else 1)
        row.addWidget(box, 1 if is_wide else 0)
        self.column.addLayout(row)
        box.setAccessibleDescription(self.sentence.text())


class NumberField(ParameterField):
    """A number, or nothing where the default is nothing."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        is_whole = parameter.type == "integer"
        reads = numbers.parse_count if is_whole else numbers.parse_number

        def read(text: str) -> numbers.Understood:
            return reads(text) if text.strip() or parameter.default is not None else numbers.Understood(math.nan)

        self.box = NumberBox(self.box_name, numbers.format_typed, reads if parameter.default is not None else read)
        self.box.setFixedWidth(scaled(112))
        self.box.setPlaceholderText("–")  # nothing is said: what that means, the sentence says
        label = QLabel(parameter_title(parameter.name))
        self._beside(label, self.box, is_wide=False)
        self.column.addWidget(self.box.message)
        self.column.addWidget(self.sentence)
        self.box.explain_by(self.sentence)
        self.box.entered.connect(self._entered)
        self.set_value(parameter.default)

    @property
    def value(self) -> Any:
        found = self.box.value
        return int(found) if found is not None and self.parameter.type == "integer" else found

    @property
    def is_refused(self) -> bool:
        return self.box.is_refused

    def set_value(self, value: Any) -> None:
        self.box.set_value(None if value is None else float(value))

    def _entered(self, value: float) -> None:
        if math.isnan(value):
            self.box.set_value(None)
        elif not is_within(self.parameter, value):
            self.box.refuse(range_in_words(self.parameter))
            return
        else:
            self.box.set_value(value)
        self.changed.emit()


class BooleanField(ParameterField):
    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.box = QCheckBox(parameter_title(parameter.name), objectName=self.box_name)
        self.box.setAccessibleDescription(self.sentence.text())
        self.column.addWidget(self.box)
        self.column.addWidget(self.sentence)
        self.set_value(parameter.default)
        self.box.toggled.connect(lambda _on: self.changed.emit())

    @property
    def value(self) -> bool | None:
        on = self.box.isChecked()
        return on if on or self.parameter.default is not None else None  # nothing said is nothing asked for

    def set_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


class ChoiceField(ParameterField):
    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.box = ChoiceBox(objectName=self.box_name)
        if parameter.default is None:
            self.box.addItem(translate("none"), None)
        for choice in parameter.choices:
            self.box.addItem(choice_title(parameter.name, choice), choice)
            meaning = choice_meaning(parameter.name, choice)
            self.box.setItemData(self.box.count() - 1, as_tip(meaning) if meaning else None, _TIP)
            told = self.sentence.text().replace(f"{choice}: ", f"{choice_title(parameter.name, choice)}: ")
            self.sentence.setText(told)
        label = QLabel(parameter_title(parameter.name))
        self._beside(label, self.box)
        self.column.addWidget(self.sentence)
        self.set_value(parameter.default)
        self._explain()
        self.box.currentIndexChanged.connect(self._chosen)

    @property
    def value(self) -> Any:
        return self.box.currentData()

    def set_value(self, value: Any) -> None:
        self.box.setCurrentIndex(max(self.box.findData(value), 0))

    def _chosen(self) -> None:
        self._explain()
        self.changed.emit()

    def _explain(self) -> None:
        """One choice alone is none."""
        self.box.setEnabled(self.box.count() > 1)
        self.box.setToolTip(self.box.itemData(self.box.currentIndex(), _TIP) or "")


class TextField(ParameterField):
    """A text; that of a file with a button that looks for one."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.box = QLineEdit(objectName=self.box_name)
        label = QLabel(parameter_title(parameter.name))
        label.setBuddy(self.box)
        self.box.setAccessibleDescription(self.sentence.text())
        self.column.addWidget(label)
        row = QHBoxLayout()
        row.addWidget(self.box, 1)
        if parameter.type == "file":
            browse = role_button(translate("Browse…"), f"{self.box_name}Browse")
            browse.clicked.connect(self._browse)
            row.addWidget(browse)
        self.column.addLayout(row)
        self.column.addWidget(self.sentence)
        self.set_value(parameter.default)
        self.box.editingFinished.connect(self.changed)

    @property
    def value(self) -> Any:
        text = self.box.text().strip()
        if not text:
            return None
        return Path(text).expanduser().absolute() if self.parameter.type == "file" else text

    def set_value(self, value: Any) -> None:
        self.box.setText("" if value is None else str(value))

    def _browse(self) -> None:
        path = dialogs.open_file(self, parameter_title(self.parameter.name), translate("All files (*)"))
        if path is not None:
            self.set_value(path)
            self.changed.emit()


class VariablesField(ParameterField):
    """Variables to tick; the keys are not among them where the parameter keeps apart from these."""

    def __init__(self, parameter: Parameter, heads: tuple[str, str] | None = None) -> None:
        super().__init__(parameter)
        self.table = VariablesTable(self.box_name, parameter_title(parameter.name), heads)
        self.table.setFixedHeight(scaled(_TABLE_HEIGHT))
        self.table.view.setAccessibleDescription(self.sentence.text())
        self.column.addWidget(self.table)
        self.column.addWidget(self.sentence)
        self._wanted: tuple[str, ...] = tuple(parameter.default or ())
        self.table.changed.connect(self._ticked)

    @property
    def value(self) -> Any:
        return self.table.ticked or None

    def set_value(self, value: Any) -> None:
        self._wanted = tuple(value or ())
        self.table.tick(self._wanted)

    def offer(self, variables: Sequence[Offered], keys: Sequence[str], scenarios: Sequence[Scenario]) -> None:
        hidden = keys if self.parameter.apart else ()
        self.table.offer([each for each in variables if each.name not in hidden])
        self.table.tick(self._wanted)

    def _ticked(self) -> None:
        self._wanted = self.table.ticked
        self.changed.emit()
