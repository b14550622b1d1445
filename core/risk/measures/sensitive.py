"""How the values of a sensitive variable are spread among the records that count for one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...base.texts import mark
from ...data.columns import EncodedColumn
from ...recipe.declared import Parameter
from ...tables.cells import Cells

if TYPE_CHECKING:
    from ...tables.cell_index import Tabulation

_AT_ONCE = 1 << 20
"""Counts that are held at a time."""
_FULL = 8
"""Places that a table may have for each entry."""

SENSITIVE_VARIABLES = Parameter(
    "sensitive", "variables", mark("The sensitive variables, each judged by itself."), required=True, apart=True
)


@dataclass(frozen=True, eq=False)
class _Entries:
    """Records of cells by the codes of the sensitive variable: ``counts[i]`` of ``cell[i]`` have ``code[i]``."""

    cell: NDArray[np.int64]
    code: NDArray[np.int64]
    counts: NDArray[np.float64]

    def some(self, places: NDArray[np.int64]) -> _Entries:
        """Those at `places`."""
        return _Entries(self.cell[places], self.code[places], self.counts[places])


class _Full:
    """Counts of codes in groups, a place for each pair: for groups most of which have most codes."""

    def __init__(self, group_of_cell: NDArray[np.integer], entries: _Entries, groups: int, card: int) -> None:
        pairs = group_of_cell[entries.cell].astype(np.int64) * card + entries.code
        self._group_of_cell = group_of_cell
        self._counts = np.bincount(pairs, entries.counts, groups * card).reshape(groups, card)

    def add_to(self, counts: NDArray[np.float64], cells: NDArray[np.int64], weight: float) -> None:
        """Add `weight` times those of each cell's group to its row of `counts`."""
        of_group = self._counts[self._group_of_cell[cells]]
        counts += of_group if weight == 1.0 else weight * of_group


class _Sparse:
    """As `_Full`, but only what is there: group g has ``codes[start[g]:start[g + 1]]``, ``sums`` of each."""

    def __init__(self, group_of_cell: NDArray[np.integer], entries: _Entries, groups: int, card: int) -> None:
        pairs, place = np.unique(
            group_of_cell[entries.cell].astype(np.int64) * card + entries.code, return_inverse=True
        )
        self._group_of_cell = group_of_cell
        self._sums = np.bincount(place, entries.counts, len(pairs)).astype(np.float64)
        group, self._codes = np.divmod(pairs, card)
        self._start = np.searchsorted(group, np.arange(groups + 1))

    def add_to(self, counts: NDArray[np.float64], cells: NDArray[np.int64], weight: float) -> None:
        """As that of `_Full`."""
        groups = self._group_of_cell[cells].astype(np.int64)
        first, size = self._start[groups], self._start[groups + 1] - self._start[groups]
        rows = np.repeat(np.arange(len(cells)), size)
        entries = np.arange(len(rows)) + np.repeat(first - (np.cumsum(size) - size), size)
        counts[rows, self._codes[entries]] += weight * self._sums[entries]


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
    known = column.values < card
    if not known.any():
        return
    pairs = tabulation.cell_index.of_record[known].astype(np.int64) * card + column.values[known]
    found, place = np.unique(pairs, return_inverse=True)
    records = None if column.records is None else column.records[known]
    counts = np.bincount(place, records, len(found))
    entries = _Entries(*np.divmod(found, card), counts.astype(np.float64))
    for asked, tables in _asked(cells, entries, card, progress):
        size = max(1, _AT_ONCE // card)
        for start in range(0, len(asked), size):
            progress.check()
            some = asked[start : start + size]
            block = np.zeros((len(some), card))
            for weight, table in tables:
                table.add_to(block, some, weight)
            yield some, block


def _asked(
    cells: Cells, entries: _Entries, card: int, progress: Progress
) -> Iterator[tuple[NDArray[np.int64], Sequence[tuple[float, _Full | _Sparse]]]]:
    """Cells that are missing on the same variables, and the tables in which the records stand that count for them.

    Yields
    ------
    cells : places
    tables : each with how much its records count
    """
    from ...tables.projections import Cube

    if cells.rule == "category" or not cells.missing.any():
        own = np.arange(len(cells))
        yield own, [(1.0, _table(own, entries, len(cells), card))]
        return
    cube = Cube(cells.codes, cells.cards, cells.missing, cells.count)
    patterns, of_entry = np.unique(cells.missing[entries.cell], return_inverse=True)
    places = np.split(np.argsort(of_entry, kind="stable"), np.cumsum(np.bincount(of_entry))[:-1])
    for pattern in [0] if cells.rule == "listwise" else np.unique(cells.missing).tolist():
        keep = cube.full & ~pattern
        counting: dict[tuple[int, float], list[NDArray[np.int64]]] = {}
        for other, own in zip(patterns.tolist(), places, strict=True):
            # who has a value wherever it is asked for counts fully, the others as the rule says
            weight = 1.0 if not other & keep else cells.alpha if cells.rule == "wildcard" else 0.0
            if weight:
                counting.setdefault((keep & ~other, weight), []).append(own)
        tables = []
        for (mask, weight), parts in counting.items():
            margin = cube.project(mask, progress)
            some = entries.some(np.concatenate(parts))
            tables.append((weight, _table(margin.group_of_cell, some, len(margin), card)))
        yield np.flatnonzero(cells.missing == pattern), tables


def _table(group_of_cell: NDArray[np.integer], entries: _Entries, groups: int, card: int) -> _Full | _Sparse:
    made = _Full if groups * card <= _FULL * len(entries.cell) else _Sparse
    return made(group_of_cell, entries, groups, card)
