"""From encoded columns to cells with frequencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn, Weights
from ..data.encoding import smallest_type
from ..kernels import cells as kernels
from ..recipe.criteria import MissingRule
from .cell_index import CellIndex, Tabulation
from .cells import Cells
from .frequencies import Frequencies, Margins, check_rule, frequencies_of_cells
from .grouping import blocks, count_by_group, group_rows, sum_by_group

__all__ = ["Frequencies", "Margins", "tabulate", "tabulate_records", "with_rule"]

_MOST_VARIABLES = 64


def tabulate(
    columns: Sequence[EncodedColumn],
    weights: Weights | None,
    rule: MissingRule = "observed",
    alpha: float = 1.0,
    progress: Progress = SILENT,
) -> Cells:
    """Count the keys of a file.

    Parameters
    ----------
    columns : k encoded columns of n records each, 1 <= k <= 64
    weights : Weights of n records, or None: every record weighs 1
    rule, alpha : the missing rule for f and F; alpha in [0, 1] matters to `wildcard` only

    Returns
    -------
    Cells, in lexicographic order of the codes. Sums of weights are exact, F is correctly rounded (with alpha
    strictly between 0 and 1: the rounded sum of two correctly rounded parts).
    """
    return tabulate_records(columns, weights, rule, alpha, progress).cells


def tabulate_records(
    columns: Sequence[EncodedColumn],
    weights: Weights | None,
    rule: MissingRule = "observed",
    alpha: float = 1.0,
    progress: Progress = SILENT,
) -> Tabulation:
    """Count the keys of a file as `tabulate`, and keep which cell each record is in."""
    rule, alpha = check_rule(rule, alpha)
    if not 1 <= len(columns) <= _MOST_VARIABLES:
        raise RecipeError(
            "number-of-key-variables",
            mark("A combination has {number} key variables."),
            mark("Choose from 1 to {most}."),
            number=len(columns),
            most=_MOST_VARIABLES,
        )
    cards = tuple(column.n_valid for column in columns)
    groups = group_rows([column.values for column in columns], cards, progress)
    records = columns[0].records
    cell_index = CellIndex(groups.ids)
    limbs = weights.limbs if weights is not None else ()
    if records is not None and cell_index.is_identity:  # rows are the cells of a file in parts
        count = records
    else:
        count = count_by_group(groups, progress) if records is None else sum_by_group(groups, records, progress)
        limbs = tuple(sum_by_group(groups, limb, progress) for limb in limbs)
    decimals = weights.decimals if weights is not None else ()
    members = None if cell_index.is_identity else groups.member
    codes = tuple(_codes_of(column, members, progress) for column in columns)
    names = tuple(column.name for column in columns)
    cells = counted_cells(names, cards, codes, count, limbs, decimals, rule, alpha, progress)
    return Tabulation(cells, cell_index)


def without_keys(records: int) -> Tabulation:
    """All records in one cell, on no variable."""
    cells = Cells((), (), (), np.zeros(1, np.uint64), np.array([records], np.int64), (), (), "category", 1.0)
    return Tabulation(cells, CellIndex(np.zeros(records, np.uint32)))


def counted_cells(
    variables: tuple[str, ...],
    cards: tuple[int, ...],
    codes: tuple[NDArray[np.unsignedinteger], ...],
    count: NDArray[np.int64],
    limbs: tuple[NDArray[np.int64], ...],
    decimals: tuple[int, ...],
    rule: MissingRule,
    alpha: float,
    progress: Progress = SILENT,
) -> Cells:
    """The cells with these codes and exact sums, in their order; f and F under the rule follow from them alone.

    Parameters
    ----------
    variables, cards, codes, count : as in `Cells`
    limbs, decimals : `Cells.weight_limbs` and `Cells.weight_decimals`; empty where every record weighs 1
    """
    missing = missing_bits(codes, cards, progress)
    cells = Cells(variables, cards, codes, missing, count, limbs, decimals, rule, alpha)
    return with_rule(cells, rule, alpha, progress)


def with_rule(cells: Cells, rule: MissingRule, alpha: float = 1.0, progress: Progress = SILENT) -> Cells:
    """The same cells with f and F under another missing rule."""
    rule, alpha = check_rule(rule, alpha)
    if rule == "category" or not cells.missing.any():
        return replace(cells, rule=rule, alpha=alpha, under_rule=None)
    return replace(cells, rule=rule, alpha=alpha, under_rule=frequencies_of_cells(cells, rule, alpha, progress))


def missing_bits(
    codes: Sequence[NDArray[np.unsignedinteger]], cards: Sequence[int], progress: Progress = SILENT
) -> NDArray[np.uint64]:
    """Bit j of each cell: whether variable j is missing in it."""
    bits = np.zeros(len(codes[0]), np.uint64)
    for j, (code, card) in enumerate(zip(codes, cards, strict=True)):
        for part in blocks(len(bits), progress):
            if (code[part] == card).any():  # what is not touched takes no memory
                kernels.mark_missing(code[part], card, 1 << j, bits[part])
    return bits


def _codes_of(
    column: EncodedColumn, records: NDArray[np.uint32] | None, progress: Progress
) -> NDArray[np.unsignedinteger]:
    """The codes of the given records, of None of all, missing ones being one; what needs no change is no copy."""
    values = column.values
    kind = np.promote_types(values.dtype, smallest_type(column.n_valid))
    most = kind.type(column.n_valid)
    if records is None and kind == values.dtype and values.max(initial=0) <= most:
        return values
    codes = np.empty(len(values) if records is None else len(records), kind)
    for part in blocks(len(codes), progress):
        np.minimum(values[part] if records is None else values[records[part]], most, out=codes[part])
    return codes
