"""Risks of a file after suppression, for pictures and profiles; the check of the written file is another's work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..suppression.plan import Plan
from ..tables.cells import Cells
from ..tables.tabulate import tabulate
from .results import Results
from .set_keys import written_as_missing


def after_suppression(column: EncodedColumn, suppressed: Mapping[str, NDArray[np.bool_]]) -> EncodedColumn:
    """`column` with its newly missing values."""
    flags = suppressed.get(column.name)
    if flags is None or not flags.any():
        return column
    values = np.where(flags, column.values.dtype.type(column.n_valid), column.values)
    return replace(column, values=values, counts=column.tally(values))


def as_one_missing(column: EncodedColumn) -> EncodedColumn:
    """`column` with its first missing code in place of all of them."""
    values = np.minimum(column.values, column.values.dtype.type(column.n_valid))
    return replace(column, values=values, counts=column.tally(values))


def released_columns(derived: Results, suppressed: Mapping[str, NDArray[np.bool_]]) -> dict[str, EncodedColumn]:
    """The encoded columns of `derived` as the safe file has them; the same one where nothing is suppressed."""
    released = {name: after_suppression(column, suppressed) for name, column in derived.columns.items()}
    released |= {name: as_one_missing(released[name]) for name in of_one_missing_code(derived)}
    written = written_as_missing(derived, suppressed, sets_of_one_missing_code(derived))
    return released | {name: after_suppression(released[name], written) for name in written}


def of_one_missing_code(derived: Results) -> frozenset[str]:
    """The variables whose missing codes are written as one, because a blank is judged as a value of its own.

    These are the keys of tables that are judged by released keys, k-anonymity included, of which more than one missing
    code occurs. Two codes would split a released key, and tell new blanks from old.
    """
    return frozenset(
        name
        for name in _keys_with_blanks(derived)
        if (column := derived.columns.get(name)) is not None and column.counts[column.n_valid + 1 :].any()
    )


def sets_of_one_missing_code(derived: Results) -> frozenset[str]:
    """The set-valued keys judged so: without a value they are written as if suppressed, in all their columns."""
    return frozenset(spec.name for spec in derived.recipe.set_keys) & _keys_with_blanks(derived)


def _keys_with_blanks(derived: Results) -> set[str]:
    """The keys of the tables that are judged by released keys, in which a blank is a value of its own."""
    recipe = derived.recipe
    if recipe.suppression.criterion == "none":
        return set()
    by_keys = recipe.suppression.mode == "released-keys"
    judged = (c for c in recipe.combinations if c.judges_whole_file or (by_keys and c.has_risk))
    return {name for c in judged for name in c.variables}


def released_cells(derived: Results, plan: Plan, progress: Progress = SILENT) -> dict[int, Cells]:
    """The distinct keys after suppression of every combination without a risk, by its place in the recipe."""
    found = {}
    for index, combination in enumerate(derived.recipe.combinations):
        if derived.tables[index] is None:
            columns = [after_suppression(derived.columns[name], plan.suppressed) for name in combination.variables]
            found[index] = tabulate(columns, None, combination.missing_rule, combination.alpha, progress)
    return found
