"""Cells after a recode, from the cells before it: what a recode merges is merged in cells instead of in records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn
from core.tables.cells import Cells
from core.tables.exact_sums import to_float
from core.tables.grouping import group_rows, sum_by_group
from core.tables.projections import through
from core.tables.tabulate import missing_bits, with_rule

Map = NDArray[np.uint32]


def code_map(before: EncodedColumn, after: EncodedColumn, lut: Map) -> Map | None:
    """From a variable's codes in cells before a recode to those after it, missing being one code in both.

    Parameters
    ----------
    lut : index in `after` of each code of `before`

    Returns
    -------
    (number of valid codes before + 1,) uint32, the last for missing; None where the recode makes a value of a missing
    code, which cells do not tell from the other missing codes
    """
    missing = lut[before.n_valid :]
    if (missing < after.n_valid).any():
        return None
    return np.append(np.minimum(lut[: before.n_valid], after.n_valid), after.n_valid).astype(np.uint32)


def regroup(
    cells: Cells, columns: Sequence[EncodedColumn], maps: Sequence[Map | None], progress: Progress = SILENT
) -> Cells:
    """The cells of `columns`, exactly as `tabulate` counts them, under the rule of `cells`.

    Parameters
    ----------
    cells : cells of the same variables in the same order, some of them less coarsely coded
    columns : k encoded columns
    maps : for each variable `code_map`; None: it is coded as before
    """
    cards = tuple(column.n_valid for column in columns)
    both = zip(cells.codes, maps, strict=True)
    recoded = [code if made is None else through(code, made, progress) for code, made in both]
    groups = group_rows(recoded, cards, progress)
    codes = tuple(through(groups.member, code, progress) for code in recoded)
    count = sum_by_group(groups, cells.count, progress)
    limbs = tuple(sum_by_group(groups, limb, progress) for limb in cells.weight_limbs)
    weight = to_float(limbs, cells.weight_decimals) if limbs else count.astype(np.float64)
    counted = Cells(
        variables=cells.variables,
        cards=cards,
        codes=codes,
        missing=missing_bits(codes, cards, progress),
        count=count,
        weight=weight,
        weight_limbs=limbs,
        weight_decimals=cells.weight_decimals,
        cell_of_record=through(cells.cell_of_record, groups.ids, progress),
        rule=cells.rule,
        alpha=cells.alpha,
        f=weight,
        F=weight,
    )
    return with_rule(counted, cells.rule, cells.alpha, progress)
