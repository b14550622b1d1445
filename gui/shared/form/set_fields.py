"""Fields for sets of variables: typed or ticked sets, one a line, and scenarios to tick."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit

from core.base.texts import translate
from core.recipe.declared import Parameter
from core.recipe.model import Scenario
from gui.shared.form.parameter_fields import ParameterField, VariablesField, parameter_title, refusal_label
from gui.shared.form.variables_table import TIMES, Offered
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.theme import scaled

_LINES = 4


def read_sets(text: str, known: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The sets of `text`, one a line, their variables separated by ×, commas, semicolons or blanks.

    Parameters
    ----------
    known : names of the variables that there are

    Raises
    ------
    ValueError
        A sentence that names the line.
    """
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        names = _names(line.strip(), known)
        if not names:
            continue
        unknown = next((name for name in names if name not in known), None)
        told = ""
        if unknown is not None:
            told = translate("Line {n}: there is no variable {name}.").format(n=number, name=unknown)
        elif len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            told = translate("Line {n}: {name} stands there twice.").format(n=number, name=twice)
        elif frozenset(names) in found:
            told = translate("Line {n}: this set stands there twice.").format(n=number)
        if told:
            raise ValueError(told)
        found[frozenset(names)] = names
    return tuple(found.values())


def _names(line: str, known: Sequence[str]) -> tuple[str, ...]:
    if line in known:  # whatever its name holds
        return (line,)
    names: list[str] = []
    for part in (each.strip() for each in re.split("[×,;]", line)):
        names += [part] if part in known else part.split()
    return tuple(names)


class SetsField(ParameterField):
    """A box with one set a line; `addTickedSet` adds the key variables that are ticked above."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self._known: tuple[str, ...] = ()
        self._keys: tuple[str, ...] = ()
        self._refused = ""
        self._value: tuple[tuple[str, ...], ...] = ()
        self.box = QPlainTextEdit(objectName=self.box_name, tabChangesFocus=True)
        self.box.setPlaceholderText(translate("REGION × SEX\none set a line"))
        self.box.setFixedHeight(self.box.fontMetrics().lineSpacing() * _LINES + scaled(12))
        self.box.setAccessibleDescription(self.sentence.text())
        label = QLabel(parameter_title(parameter.name))
        label.setBuddy(self.box)
        self.add = role_button(translate("Add those &ticked"), "addTickedSet", "quiet")
        self.add.setToolTip(translate("Add the key variables that are ticked above as one set"))
        head = QHBoxLayout()
        head.addWidget(label, 1)
        head.addWidget(self.add)
        self.message = refusal_label(f"{self.box_name}Message")
        self.column.addLayout(head)
        for widget in (self.box, self.message, self.sentence):
            self.column.addWidget(widget)
        self.add.clicked.connect(self._add_ticked)
        self.box.textChanged.connect(self._typed)

    @property
    def value(self) -> Any:
        return self._value or None

    @property
    def is_refused(self) -> bool:
        return bool(self._refused)

    def set_value(self, value: Any) -> None:
        self.box.blockSignals(True)
        self.box.setPlainText("\n".join(TIMES.join(names) for names in value or ()))
        self.box.blockSignals(False)
        self._read(tuple(value or ()))

    def offer(self, variables: Sequence[Offered], keys: Sequence[str], scenarios: Sequence[Scenario]) -> None:
        self._known, self._keys = tuple(each.name for each in variables), tuple(keys)
        self.add.setEnabled(bool(keys))
        self._read()

    def _add_ticked(self) -> None:
        """The set goes below the others; one that is there already is not added again."""
        if frozenset(self._keys) not in map(frozenset, self._value):
            self.box.appendPlainText(TIMES.join(self._keys))

    def _typed(self) -> None:
        self._read()
        self.changed.emit()

    def _read(self, otherwise: tuple[tuple[str, ...], ...] = ()) -> None:
        self._refused, self._value = "", otherwise
        if self._known:
            try:
                self._value = read_sets(self.box.toPlainText(), self._known)
            except ValueError as error:
                self._refused, self._value = str(error), ()
        self.message.setText(self._refused)
        self.message.setVisible(bool(self._refused))


class ScenariosField(VariablesField):
    """Scenarios to tick, with their variables."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, (translate("Scenario"), translate("Key variables")))
        self.none = WrappedLabel(translate("Scenarios: none is described yet; “Scenarios…” above does that."))
        self.column.insertWidget(0, self.none)
        self.offer((), (), ())

    def offer(self, variables: Sequence[Offered], keys: Sequence[str], scenarios: Sequence[Scenario]) -> None:
        super().offer([Offered(each.name, TIMES.join(each.variables)) for each in scenarios], (), ())
        self.table.setVisible(bool(scenarios))
        self.none.setVisible(not scenarios)
