"""The parameters of a method of perturbation as a form."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal

from core.recipe.declared import COMMON, Declaration, Parameter
from core.recipe.model import Scenario
from gui.shared.form.by_code_field import NumberByCodeField
from gui.shared.form.parameter_form import ParameterForm
from gui.shared.form.set_fields import SetsField
from gui.shared.form.variables_table import Offered

_BY_VARIABLE = ("alpha",)
"""Parameters with a number for each variable, not for each code of one."""


class MethodForm(ParameterForm):
    """`methodParameters`; what all methods can be told (strata, households, seed) is folded.

    Signals
    -------
    codes_wanted()
        A table by code is to be filled: the codes of the variable shall be offered.
    """

    codes_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("methodParameters", {parameter.name for parameter in COMMON})
        self._categorical: frozenset[str] = frozenset()
        self._keys: tuple[str, ...] = ()

    def show_for(self, declaration: Declaration) -> None:
        """Ask for the parameters of a method, with their defaults."""
        super().show_for(declaration)
        for field in self._by_code:
            if field.parameter.name in _BY_VARIABLE:
                field.say_variables()
                field.codes_wanted.connect(self._offer_keys)
            else:
                field.codes_wanted.connect(self.codes_wanted)
        for sets in self._fields.values():
            if isinstance(sets, SetsField):  # nothing is ticked where parameters name the variables
                sets.add.setVisible(not declaration.instead)

    def parameters_of(self, declaration: Declaration) -> tuple[Parameter, ...]:
        """Those of the method and, where it is done before recodes, those common to all."""
        return declaration.all_parameters("perturbations")

    def say_categorical(self, names: Sequence[str]) -> None:
        """Only these variables can make strata."""
        self._categorical = frozenset(names)

    def offer(self, variables: Sequence[Offered], keys: Sequence[str], scenarios: Sequence[Scenario]) -> None:
        """The variables of the file, and which of them are changed."""
        categorical = [each for each in variables if each.name in self._categorical]
        for field in self._fields.values():
            is_any = field.parameter.as_read or field.parameter.type != "variables"
            field.offer(variables if is_any else categorical, keys, scenarios)
        self._keys = tuple(keys)
        self._offer_keys()

    def _offer_keys(self) -> None:
        """A number for each variable that is changed."""
        for field in self._by_code:
            if field.parameter.name in _BY_VARIABLE:
                field.offer_codes([(name, "") for name in self._keys])

    def offer_codes(self, codes: Sequence[tuple[str, str]]) -> None:
        """The codes of the variable that is changed, with labels."""
        for field in self._by_code:
            if field.parameter.name not in _BY_VARIABLE:
                field.offer_codes(codes)

    @property
    def wants_codes(self) -> bool:
        """Whether a table by code is in sight."""
        fields = (field for field in self._by_code if field.parameter.name not in _BY_VARIABLE)
        return any(field.by_code.isChecked() for field in fields)

    @property
    def _by_code(self) -> list[NumberByCodeField]:
        return [field for field in self._fields.values() if isinstance(field, NumberByCodeField)]
