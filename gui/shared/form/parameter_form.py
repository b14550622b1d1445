"""The parameters of an entry of the recipe as a form, made from its declaration."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from core.base.texts import translate
from core.recipe.declared import Declaration, Entry, Parameter
from core.recipe.key_words import key_in_words
from core.recipe.model import Scenario
from gui.shared.form.by_code_field import NumberByCodeField
from gui.shared.form.choice_titles import choice_title
from gui.shared.form.matrix_field import MatrixField
from gui.shared.form.parameter_fields import (
    BooleanField,
    ChoiceField,
    NumberField,
    ParameterField,
    TextField,
    VariablesField,
)
from gui.shared.form.set_fields import ScenariosField, SetsField
from gui.shared.form.variables_table import Offered
from gui.shared.number_box import NumberBox
from gui.shared.parts.card import empty_layout
from gui.shared.parts.fold_line import FoldLine
from gui.texts import as_tip

_FIELDS: dict[str, type[ParameterField]] = {
    "integer": NumberField,
    "number": NumberField,
    "number-by-code": NumberByCodeField,
    "boolean": BooleanField,
    "choice": ChoiceField,
    "text": TextField,
    "file": TextField,
    "variables": VariablesField,
    "sets": SetsField,
    "scenarios": ScenariosField,
}
_AT_FIRST = 5
"""Fields in sight; the others are folded."""
_NAMED = 2
"""Folded fields that are named."""


class ParameterForm(QWidget):
    """A field for each parameter, and `moreParameters` for those that are seldom needed.

    Parameters
    ----------
    folded : names of parameters that are seldom needed, whatever the declaration

    Signals
    -------
    changed()
        A value is another one.
    typed()
        Something is being typed, or is no longer: `is_typed` may be another.
    unfolded(QWidget)
        The user opened what is folded: the line above it.
    """

    changed = Signal()
    typed = Signal()
    unfolded = Signal(QWidget)

    def __init__(self, name: str, folded: Collection[str]) -> None:
        super().__init__(objectName=name, accessibleName=translate("Parameters"))
        self._folded = frozenset(folded)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self._declaration: Declaration | None = None
        self._fields: dict[str, ParameterField] = {}
        self._more: tuple[FoldLine, frozenset[str]] | None = None

    def show_for(self, declaration: Declaration) -> None:
        """Ask for the parameters of an entry, with their defaults."""
        empty_layout(self._column)
        self._declaration = declaration
        self._fields = {parameter.name: _field(parameter, declaration) for parameter in self.parameters_of(declaration)}
        own = [name for name in self._fields if name not in self._folded]
        own.sort(key=lambda name: not self._fields[name].parameter.required)
        folded = [*own[_AT_FIRST:], *(name for name in self._fields if name in self._folded)]
        for name in own[:_AT_FIRST]:
            self._column.addWidget(self._fields[name])
        self._more = None
        if folded:
            more = QWidget()
            inner = QVBoxLayout(more)
            inner.setContentsMargins(0, 0, 0, 0)
            inner.setSpacing(12)
            for name in folded:
                inner.addWidget(self._fields[name])
            said = ", ".join(key_in_words(name) for name in folded[:_NAMED])
            said += ", …" if len(folded) > _NAMED else ""
            line = FoldLine(translate("More: {names}").format(names=said), "moreParameters", more)
            line.clicked.connect(lambda opened: self.unfolded.emit(line) if opened else None)
            self._more = line, frozenset(folded)
            self._column.addWidget(line)
            self._column.addWidget(more)
        for name, field in self._fields.items():
            field.changed.connect(lambda name=name: self._changed(name))
            for box in field.findChildren(QLineEdit):
                for signal in (box.textEdited, box.editingFinished):
                    signal.connect(self.typed)
        self._grey()

    def parameters_of(self, declaration: Declaration) -> tuple[Parameter, ...]:
        """Those that are asked for."""
        return declaration.parameters

    def offer(self, variables: Sequence[Offered], keys: Sequence[str], scenarios: Sequence[Scenario]) -> None:
        """The variables of the file, which of them are the entry's own, and the scenarios of the recipe."""
        for field in self._fields.values():
            field.offer(variables, keys, scenarios)

    def show_values(self, entry: Entry) -> None:
        """Show what an entry of the recipe says; nothing that it says stays folded away."""
        said = dict(entry.parameters)
        for name, field in self._fields.items():
            first = field.parameter.proposed if field.parameter.required else field.parameter.default
            field.set_value(said.get(name, first))
        if self._more is not None and not self._more[1].isdisjoint(said):
            self._more[0].setChecked(True)
        self._grey()

    def propose(self, values: Mapping[str, Any]) -> None:
        """Fill fields of a new entry with what follows from the file; other names are passed over."""
        for name, value in values.items():
            if name in self._fields:
                self._fields[name].set_value(value)
        self._grey()

    @property
    def values(self) -> tuple[tuple[str, Any], ...]:
        """What is said beyond the defaults and means something, sorted by name, as a recipe has it."""
        said = {name: field.value for name, field in self._fields.items() if field.isEnabled()}
        defaults = {name: field.parameter.default for name, field in self._fields.items()}
        return tuple(
            (name, value)
            for name, value in sorted(said.items())
            if value is not None and (value != defaults[name] or self._fields[name].parameter.required)
        )

    @property
    def is_typed(self) -> bool:
        """Whether something is being typed that is not taken yet."""
        box = self.focusWidget()
        if box is None or not box.hasFocus():
            return False
        if isinstance(box, NumberBox):
            return box.has_typing and not box.is_refused
        return isinstance(box, QLineEdit) and box.isModified()

    @property
    def refused(self) -> ParameterField | None:
        """The first field whose value was refused; None where all can be taken."""
        return next((each for each in self._fields.values() if each.isEnabled() and each.is_refused), None)

    @property
    def lacking(self) -> ParameterField | None:
        """The first field that has to be filled and is not."""
        needed = (field for field in self._fields.values() if field.parameter.required)
        return next((field for field in needed if field.value is None), None)

    def _changed(self, name: str) -> None:
        assert self._declaration is not None, "the field is one of its parameters"
        alone = self._declaration.at_most_one
        if name in alone and self._fields[name].value is not None:
            for other in alone:  # these exclude each other: what was said last counts
                if other != name and self._fields[other].value is not None:
                    self._fields[other].set_value(None)
        self._grey()
        self.changed.emit()

    def _grey(self) -> None:
        for field in self._fields.values():
            condition = field.parameter.only_with
            if condition is None:
                continue
            name, value = condition
            field.setEnabled(self._fields[name].value == value)
            told = translate("Only with {name}: {value}.")
            reason = told.format(name=key_in_words(name), value=choice_title(name, value))
            field.setToolTip("" if field.isEnabled() else as_tip(reason))


def _field(parameter: Parameter, declaration: Declaration) -> ParameterField:
    """The field for a parameter's type."""
    if parameter.type == "matrix":
        return MatrixField(parameter, declaration)
    return _FIELDS[parameter.type](parameter)
