"""How the values of a sensitive variable are spread among the records that count for one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.data.columns import EncodedColumn
from core.recipe.declared import Parameter
from core.tables.cells import Cells

if TYPE_CHECKING:
    from core.tables.cell_index import Tabulation

_AT_ONCE = 1 << 20
"""Counts that are held at a time."""

SENSITIVE_VARIABLES = Parameter(
    "sensitive", "variables", mark("The sensitive variables, each judged by itself."), required=True, apart=True
)


@dataclass(frozen=True, eq=False)
class _Table:
    """Counts of codes in groups: group g has ``codes[start[g]:start[g + 1]]``, `weight` times ``counts``."""

    group_of_cell: NDArray[np.integer]
    start: NDArray[np.int64]
    codes: NDArray[np.int64]
    counts: NDArray[np.float64]
    weight: float

    def add_to(self, counts: NDArray[np.float64], cells: NDArray[np.int64]) -> None:
        """Add those of each cell's group to its row of `counts`."""
        groups = self.group_of_cell[cells].astype(np.int64)
        first, size = self.start[groups], self.start[groups + 1] - self.start[groups]
        rows = np.repeat(np.arange(len(cells)), size)
        entries = np.arange(len(rows)) + np.repeat(first - (np.cumsum(size) - size), size)
        counts[rows, self.codes[entries]] += self.weight * self.counts[entries]


def counts_within(
    tabulation: Tabulation, column: EncodedColumn, progress: Progress = SILENT
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Of the records that count for each cell under its missing rule, how many have each code of `column`.

    Missing values of `column` are left out, and so are the cells that `listwise` leaves out.

    Parameters
    ----------
    column : (n,), the sensitive variable

    Yields
    ------
    cells : (b,) places of some cells
    counts : (b, n_valid), whole numbers unless alpha lies between 0 and 1
    """
    cells, card = tabulation.cells, column.n_valid
    if not card:
        return
    known = column.values < card
    pairs = tabulation.cell_index.of_record[known].astype(np.int64) * card + column.values[known]
    found, counts = np.unique(pairs, return_counts=True)
    cell, code = np.divmod(found, card)
    for asked, tables in _asked(cells, cell, code, counts.astype(np.float64), card, progress):
        size = max(1, _AT_ONCE // card)
        for start in range(0, len(asked), size):
            progress.check()
            some = asked[start : start + size]
            block = np.zeros((len(some), card))
            for table in tables:
                table.add_to(block, some)
            yield some, block


def _asked(
    cells: Cells,
    cell: NDArray[np.int64],
    code: NDArray[np.int64],
    counts: NDArray[np.float64],
    card: int,
    progress: Progress,
) -> Iterator[tuple[NDArray[np.int64], Sequence[_Table]]]:
    """Cells that are missing on the same variables, and the tables in which the records stand that count for them."""
    from core.tables.projections import Cube

    if cells.rule == "category" or not cells.missing.any():
        own = np.arange(len(cells))
        yield own, [_table(own, cell, code, counts, card, len(cells), 1.0)]
        return
    cube = Cube(cells.codes, cells.cards, cells.missing, cells.count)
    patterns = [0] if cells.rule == "listwise" else np.unique(cells.missing).tolist()
    of_entry = cells.missing[cell]
    for pattern in patterns:
        keep, tables = cube.full & ~pattern, []
        for other in patterns:
            # who has a value wherever it is asked for counts fully, the others as the rule says
            weight = 1.0 if not other & keep else cells.alpha if cells.rule == "wildcard" else 0.0
            if weight:
                margin, own = cube.project(keep & ~other, progress), of_entry == other
                groups = margin.group_of_cell
                tables.append(_table(groups, cell[own], code[own], counts[own], card, len(margin), weight))
        yield np.flatnonzero(cells.missing == pattern), tables


def _table(
    group_of_cell: NDArray[np.integer],
    cell: NDArray[np.int64],
    code: NDArray[np.int64],
    counts: NDArray[np.float64],
    card: int,
    groups: int,
    weight: float,
) -> _Table:
    pairs, place = np.unique(group_of_cell[cell].astype(np.int64) * card + code, return_inverse=True)
    sums = np.bincount(place, counts, len(pairs)).astype(np.float64)
    group, codes = np.divmod(pairs, card)
    return _Table(group_of_cell, np.searchsorted(group, np.arange(groups + 1)), codes, sums, weight)
