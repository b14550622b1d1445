"""Keys counted in households: how many distinct ones have a record there, and the sum of one weight each."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import Weights
from core.data.households import Households
from core.tables.cell_index import Tabulation
from core.tables.exact_sums import to_float
from core.tables.grouping import group_rows
from core.tables.projections import Cube

Floats = NDArray[np.float64]


def households_by_group(
    group: NDArray[np.uint32],
    groups: int,
    households: Households,
    weights: Floats | None,
    rows: NDArray[np.uint32] | None = None,
    progress: Progress = SILENT,
) -> tuple[Floats, Floats]:
    """Distinct households of each group of records, and the sum of one weight a household.

    A household's weight in a group is the mean of the weights that its members have there.

    Parameters
    ----------
    group : (n,) uint32, below `groups`
    weights : (n,) weight of each record, of rows that stand for several their sum; None: each household weighs 1
    rows : records that count; None: all

    Returns
    -------
    h, F : (groups,) float64; 0 where a group has no such record
    """
    living = households.household_of_record
    pairs = group_rows([group, living], [groups, len(households)], progress, rows)
    first = pairs.member if rows is None else rows[pairs.member]
    times = np.ones(len(pairs)) if households.times is None else households.times[living[first]].astype(np.float64)
    h: Floats = np.bincount(group[first], times, groups).astype(np.float64)
    if weights is None:
        return h, h
    members = np.bincount(pairs.ids, minlength=len(pairs))
    total = np.bincount(pairs.ids, weights if rows is None else weights[rows], len(pairs))
    return h, np.bincount(group[first], total / members, groups).astype(np.float64)


class HouseholdCounts:
    """The same for the margins of a table, each over the records that have a value on all its variables.

    Parameters
    ----------
    table : the cells of a file's records
    households : of these records
    weights : with which the cells were counted; None: every record weighs 1
    """

    def __init__(
        self, table: Tabulation, households: Households, weights: Weights | None, progress: Progress = SILENT
    ) -> None:
        self._cells, self._index = table
        self._households, self._progress = households, progress
        self._weights = None if weights is None else weights.as_floats()

    @cached_property
    def _cube(self) -> Cube:
        cells = self._cells
        return Cube(cells.codes, cells.cards, cells.missing, cells.count, cells.weight_limbs)

    def of(self, keep: int, asked: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """Of the cells `asked`, which have a value on every variable of the mask `keep`, (len(asked),) each."""
        group = self._cube.project(keep, self._progress).group_of_cell
        wanted = np.zeros(int(group.max(initial=0)) + 1, np.bool_)
        wanted[group[asked]] = True
        complete = (self._cells.missing & np.uint64(keep)) == 0
        of_record = self._index.of_record
        rows: NDArray[np.uint32] | None = None
        if not (wanted.all() and complete.all()):
            rows = np.flatnonzero((wanted[group] & complete)[of_record]).astype(np.uint32)
        found = households_by_group(
            group[of_record], len(wanted), self._households, self._weights, rows, self._progress
        )
        return found[0][group[asked]], found[1][group[asked]]

    def records(self, keep: int, asked: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """Records with these values and the sum of their weights; as `of`."""
        margin, cells = self._cube.project(keep, self._progress), self._cells
        group = margin.group_of_cell[asked]
        f = margin.count[group].astype(np.float64)
        return f, to_float([limb[group] for limb in margin.limbs], cells.weight_decimals) if margin.limbs else f
