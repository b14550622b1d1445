"""Uses of a variable, as users say them: the names behind role, flags and identification level."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ..base.texts import mark
from .variables import Variable

Use = Literal["key", "weight", "household-id", "household", "sensitive", "direct-identifier", "leave-out", "keep"]

USES: tuple[Use, ...] = (
    "key", "weight", "household-id", "household", "sensitive", "direct-identifier", "leave-out", "keep",
)  # fmt: skip
"""In the order in which they are offered."""

USE_NAMES: dict[Use, str] = {
    "key": mark("Key"),
    "weight": mark("Weight"),
    "household-id": mark("Household identifier"),
    "household": mark("Household variable"),
    "sensitive": mark("Sensitive"),
    "direct-identifier": mark("Direct identifier"),
    "leave-out": mark("Leave out"),
    "keep": mark("Keep as is"),
}
"""To be translated."""

KEY_LEVEL = 3
"""Identification level of a variable that becomes a key without having one."""


def uses_of(variable: Variable) -> tuple[Use, ...]:
    """What a variable is used for, in the order of `USES`; ``("keep",)`` where for nothing in particular.

    One that is left out of the safe file is used for nothing else, unless it is the weight or identifies households.
    """
    if variable.role == "weight":
        return ("weight", "leave-out") if variable.removed else ("weight",)
    if variable.role == "household-id":
        return ("household-id", "leave-out") if variable.removed else ("household-id",)
    if variable.role == "direct-identifier":
        return ("direct-identifier",)
    if variable.removed:
        return ("leave-out",)
    found: list[Use] = ["key"] if variable.identification_level > 0 else []
    found += ["household"] if variable.household else []
    found += ["sensitive"] if variable.sensitive else []
    return tuple(found) or ("keep",)


def with_use(variable: Variable, use: Use) -> Variable:
    """The variable used so from now on.

    Weight and both identifiers exclude every other use. Key, household variable and sensitive go together: each is
    added to what is there. A key gets identification level 3 where it had 0, and is categorical. ``leave-out`` hides
    what a variable was until it is taken back, which every other use does. ``keep`` takes every use away.
    """
    if use == "leave-out":
        return replace(variable, removed=True)
    variable = replace(variable, removed=False)
    if use in ("weight", "household-id", "direct-identifier"):
        plain = replace(variable, identification_level=0, household=False, sensitive=False, role=use)
        if use == "direct-identifier":
            return plain
        return replace(plain, categorical=False, numeric=use == "weight" or plain.numeric)
    free = variable if variable.role == "other" else _freed(variable)
    if use == "key":
        return replace(free, categorical=True, identification_level=free.identification_level or KEY_LEVEL)
    if use == "household":
        return replace(free, household=True)
    if use == "sensitive":
        return replace(free, sensitive=True)
    return replace(free, identification_level=0, household=False, sensitive=False)


def without_use(variable: Variable, use: Use) -> Variable:
    """The variable no longer used so; its other uses stay."""
    if use == "leave-out":
        return replace(variable, removed=False)
    if use == "key":
        return replace(variable, identification_level=0)
    if use == "household":
        return replace(variable, household=False)
    if use == "sensitive":
        return replace(variable, sensitive=False)
    return _freed(variable) if use in uses_of(variable) else variable


def _freed(variable: Variable) -> Variable:
    """Of no role; what was neither categorical nor numerical because of its role is categorical again."""
    return replace(variable, role="other", categorical=variable.categorical or not variable.numeric)
