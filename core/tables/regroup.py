"""Cells from other cells, to the same result as counting the records: after a recode, and of a file from its parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..data.encoding import smallest_type
from ..recipe.criteria import MissingRule
from .cell_index import Tabulation
from .cells import Cells
from .frequencies import check_rule
from .grouping import group_rows, sum_by_group
from .projections import through
from .tabulate import counted_cells

Map = NDArray[np.unsignedinteger]
_LARGEST_SUM = 2.0**62
"""What `core.tables.exact_sums.to_float` takes; sums of int64 would wrap around without a word above twice as much."""


def code_map(before: EncodedColumn, after: EncodedColumn, lut: Map) -> Map | None:
    """From a variable's codes in cells before a recode to those after it, missing being one code in both.

    Parameters
    ----------
    lut : index in `after` of each code of `before`

    Returns
    -------
    (number of valid codes before + 1,) of the smallest type, the last for missing; None where the recode makes a value
    of a missing code, which cells do not tell from the other missing codes
    """
    missing = lut[before.n_valid :]
    if (missing < after.n_valid).any():
        return None
    found = np.append(np.minimum(lut[: before.n_valid], after.n_valid), after.n_valid)
    return found.astype(smallest_type(after.n_valid))


def regroup(
    before: Tabulation, columns: Sequence[EncodedColumn], maps: Sequence[Map | None], progress: Progress = SILENT
) -> Tabulation:
    """The cells of `columns`, exactly as `tabulate_records` counts them, under the rule of the cells before.

    Parameters
    ----------
    before : cells of the same variables in the same order, some of them less coarsely coded
    columns : k encoded columns
    maps : for each variable `code_map`; None: it is coded as before
    """
    cells, cards = before.cells, tuple(column.n_valid for column in columns)
    both = zip(cells.codes, maps, strict=True)
    recoded = [code if made is None else made.take(code) for code, made in both]
    found, onto = _merged(cells, recoded, cards, cells.count, cells.weight_limbs, cells.rule, cells.alpha, progress)
    return Tabulation(found, before.cell_index.merged(onto, progress))


def merge_cells(
    parts: Sequence[Cells], rule: MissingRule = "observed", alpha: float = 1.0, progress: Progress = SILENT
) -> tuple[Cells, tuple[NDArray[np.uint32], ...]]:
    """The cells of a file from those of its parts, exactly as `tabulate` counts the whole, whatever the parts.

    Counts and weights are sums over records, so those of the parts are added up; f and F under the rule are then
    counted from the merged cells [method: Files in parts].

    Parameters
    ----------
    parts : cells of the same variables in the same order, on the same codes and weights in the same decimals, which
        hold the sums over the whole file; any missing rule (``category`` is the least work)
    rule, alpha : the missing rule for f and F of the whole, as `tabulate` has them

    Returns
    -------
    The cells of the whole, and for each part the cell of the whole that each of its cells is in, (m,) uint32: what
    `CellIndex.merged` takes

    Raises
    ------
    ValueError
        No part, parts of different tables, or weights in so many decimals that sums over the whole do not fit int64.
    """
    if len({(part.variables, part.cards, part.weight_decimals) for part in parts}) != 1:
        raise ValueError("the parts of a file must be of one table: its variables, codes and decimals of weights")
    rule, alpha = check_rule(rule, alpha)
    codes = [np.concatenate(each) for each in zip(*(part.codes for part in parts), strict=True)]
    count = np.concatenate([part.count for part in parts])
    limbs = tuple(np.concatenate(each) for each in zip(*(part.weight_limbs for part in parts), strict=True))
    if any(np.abs(limb).sum(dtype=np.float64) >= _LARGEST_SUM for limb in limbs):
        raise ValueError("the decimals of the parts' weights are too many for their sums over the whole file")
    found, onto = _merged(parts[0], codes, parts[0].cards, count, limbs, rule, alpha, progress)
    ends = np.cumsum([len(part) for part in parts])
    return found, tuple(np.split(onto, ends[:-1]))


def _merged(
    like: Cells, codes: Sequence[NDArray[np.unsignedinteger]], cards: tuple[int, ...], count: NDArray[np.int64],
    limbs: Sequence[NDArray[np.int64]], rule: MissingRule, alpha: float, progress: Progress,
) -> tuple[Cells, NDArray[np.uint32]]:  # fmt: skip
    """Cells with these codes, some of them the same, as cells without duplicates, and which of these each is in."""
    groups = group_rows(codes, cards, progress)
    distinct = tuple(through(groups.member, code, progress) for code in codes)
    sums = tuple(sum_by_group(groups, limb, progress) for limb in limbs)
    total, decimals = sum_by_group(groups, count, progress), like.weight_decimals
    found = counted_cells(like.variables, cards, distinct, total, sums, decimals, rule, alpha, progress)
    return found, groups.ids
