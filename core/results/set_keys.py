"""Set-valued keys in a session: as variables, and what becomes of their columns when they are suppressed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..base.errors import ProtectionError
from ..base.texts import mark, translate
from ..data.columns import EncodedColumn
from ..data.set_values import value_sets
from ..data.variables import Metadata, Variable
from ..recipe.model import MultiResponseKey, Recipe

if TYPE_CHECKING:
    from ..suppression.plan import Plan
    from .results import RecodedData


def set_variable(spec: MultiResponseKey, metadata: Metadata) -> Variable:
    """The key as if it were declared.

    Its suppression weight and identification level are the largest of its columns; it may be suppressed where all of
    them may, and is a variable of the household where all of them are.
    """
    columns = [metadata[name] for name in spec.columns]
    label = translate(mark("Set of {names}")).format(names=", ".join(spec.columns))
    return Variable(
        spec.name,
        label=label,
        categorical=True,
        household=all(column.household for column in columns),
        suppressible=all(column.suppressible for column in columns),
        identification_level=max(column.identification_level for column in columns),
        suppression_weight=max(column.suppression_weight for column in columns),
    )


def set_variables(recipe: Recipe, metadata: Metadata) -> dict[str, Variable]:
    """All set-valued keys of a recipe as variables, by name."""
    return {spec.name: set_variable(spec, metadata) for spec in recipe.set_keys}


def with_columns(derived: RecodedData, plan: Plan) -> Plan:
    """`plan` in which the columns of a suppressed set are newly missing, too; they are counted with the set, once."""
    more = {
        column.name: plan.suppressed[spec.name] & (column.values < column.n_valid)
        for spec in derived.recipe.set_keys
        if spec.name in plan.suppressed
        for column in (derived.columns[name] for name in spec.columns)
    }
    return replace(plan, suppressed=plan.suppressed.with_flags(more)) if more else plan


def check_missing_codes_of_columns(derived: RecodedData) -> None:
    """Refuse sets that may be suppressed but have a column without a missing code.

    Raises
    ------
    ProtectionError
    """
    used = {name for combination in derived.recipe.combinations for name in combination.variables}
    for spec in derived.recipe.set_keys:
        if spec.name not in used or not set_variable(spec, derived.metadata).suppressible:
            continue
        for name in spec.columns:
            if not derived.columns[name].n_missing_codes:
                raise ProtectionError(
                    "no-missing-code",
                    mark("{variable}, a column of {set}, has no missing code, so {set} cannot be suppressed."),
                    mark("Declare a missing code for {variable}, or say that it may not be suppressed."),
                    variable=name,
                    set=spec.name,
                )


def written_as_missing(
    derived: RecodedData, suppressed: Mapping[str, NDArray[np.bool_]], as_one: frozenset[str]
) -> dict[str, NDArray[np.bool_]]:
    """By column of a set, the records (n,) in which it is written as its first missing code, whatever stood there.

    These are the records of which the set is suppressed; of those `as_one`, also those that never had a value of it.
    """
    found: dict[str, NDArray[np.bool_]] = {}
    for spec in derived.recipe.set_keys:
        flags = suppressed.get(spec.name)
        if spec.name in as_one:
            column = derived.columns[spec.name]
            lacking = column.values >= column.n_valid
            flags = lacking if flags is None else flags | lacking
        if flags is not None and flags.any():
            found |= dict.fromkeys(spec.columns, flags)
    return found


def original_column(derived: RecodedData, name: str) -> EncodedColumn:
    """The key `name` before recoding: of a set, that of its columns as they stand in the file."""
    spec = next((spec for spec in derived.recipe.set_keys if spec.name == name), None)
    if spec is None or derived.recodings.keys().isdisjoint(spec.columns):
        return derived.microdata.columns[name]
    columns = [derived.microdata.columns[column] for column in spec.columns]
    return value_sets(name, columns, spec.separator).column


def written_code(derived: RecodedData, name: str) -> str | None:
    """What stands in the safe file in place of a suppressed value: of a set, what stands in its columns."""
    columns = next((spec.columns for spec in derived.recipe.set_keys if spec.name == name), (name,))
    codes = [derived.columns[column].suppression_code for column in columns]
    if all(code is None for code in codes):
        return None
    return ", ".join(dict.fromkeys(code or "" for code in codes))
