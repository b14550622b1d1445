"""The cheapest suppressions by which the records at a point are safe, each judged by the original file.

As `core.suppression.individual.optimise` and `core.suppression.models` choose them: for each kind of record the first
of the global order of candidates after which all its combinations find it safe.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...suppression.candidates import CandidateLists, positions
from .judged import CombinationAtPoint
from .merged_tables import OUT, MergedTable


class Cheapest(NamedTuple):
    """Newly missing values, what they change of each table's expected re-identifications, records that stay unsafe."""

    by_variable: dict[str, int]
    change: list[float]
    left: int


class VariablesToGo(NamedTuple):
    """What may go together: `closures` of each key, cost of a value of each variable, and those that must stay."""

    closures: Mapping[str, tuple[str, ...]]
    cost: Mapping[str, float]
    fixed: frozenset[str]

    def cheapest_value(self, keys: Sequence[str]) -> str:
        """The key of which a value is the least to lose; empty where none may go."""
        possible = [key for key in keys if not set(self.closures[key]) & self.fixed]
        return min(possible, key=lambda key: self.cost[key], default="")


@dataclass(frozen=True, eq=False)
class KindsOfRecords:
    """The distinct keys of the records at one point, and what each combination says of them.

    Attributes
    ----------
    rows : of all keys that are not left out
    tables : of each combination that has a key there
    """

    rows: MergedTable
    tables: Sequence[CombinationAtPoint]

    @cached_property
    def _has(self) -> list[int]:
        return [j for j, level in enumerate(self.rows.point) if level != OUT]

    @cached_property
    def _cell(self) -> list[NDArray[np.intp] | None]:
        """Of each table the cell of each row; None where rows are its cells."""
        return [None if table.table is self.rows else self._found(table, table.table) for table in self.tables]

    def _found(
        self,
        table: CombinationAtPoint,
        margin: MergedTable,
        keys: Sequence[int] | None = None,
        rows: NDArray[np.intp] | slice = slice(None),
    ) -> NDArray[np.intp]:
        """The cell of `margin`, of some keys of `table`, that rows are in."""
        keys = table.kept(())[1] if keys is None else keys
        codes = self.rows.cells.codes
        return margin.find([codes[self._has.index(j)][rows] for j in keys])

    @cached_property
    def unsafe_by(self) -> list[NDArray[np.bool_]]:
        """Of each table, (rows,) whether it finds a row unsafe."""
        both = zip(self.tables, self._cell, strict=True)
        return [table.unsafe if cell is None else table.unsafe[cell] for table, cell in both]

    @cached_property
    def unsafe(self) -> NDArray[np.bool_]:
        """(rows,) whether any does."""
        return np.logical_or.reduce(self.unsafe_by) if self.unsafe_by else np.zeros(len(self.rows.cells), np.bool_)

    def _patterns(self) -> Iterator[tuple[list[int], NDArray[np.intp]]]:
        """The tables by which rows are unsafe, and these rows."""
        rows = np.flatnonzero(self.unsafe)
        if len(self.tables) < 2:
            yield list(range(len(self.tables))), rows
            return
        found, of_row = np.unique(np.column_stack([each[rows] for each in self.unsafe_by]), axis=0, return_inverse=True)
        for number, by in enumerate(found):
            yield np.flatnonzero(by).tolist(), rows[of_row.ravel() == number]

    def cheapest(self, may_go: VariablesToGo) -> Cheapest:
        """The suppressions of all unsafe rows."""
        total = Cheapest({}, [0.0] * len(self.tables), 0)
        left = 0
        for by, rows in self._patterns():
            if len(rows):
                left += self._of_pattern(by, rows, may_go, total)
        return total._replace(left=left)

    def _of_pattern(self, by: list[int], rows: NDArray[np.intp], may_go: VariablesToGo, total: Cheapest) -> int:
        """Add the suppressions of rows that these tables find unsafe; records that stay so."""
        cells, names = self.rows.cells, self.rows.cells.variables
        keys = {j for i in by for j in self.tables[i].kept(())[1]}
        own = [names[place] for place, j in enumerate(self._has) if j in keys]
        outside = dict.fromkeys(name for key in own for name in may_go.closures[key] if name not in own)
        variables = (*own, *outside)
        bit = {name: 1 << v for v, name in enumerate(variables)}
        lists = CandidateLists(
            len(own),
            tuple(sum(bit[name] for name in may_go.closures[key]) for key in own),
            tuple(may_go.cost[name] for name in variables),
            sum(bit[name] for name in variables if name in may_go.fixed),
        )
        place = {j: bit[name] for j, name in zip(self._has, names, strict=True) if name in bit}
        free = sum(bit[key] for key in own if not set(may_go.closures[key]) & may_go.fixed)
        of_row = np.zeros(len(rows), np.uint64)
        for at, name in enumerate(names):
            if name in bit:
                of_row |= (cells.missing[rows] >> np.uint64(at) & np.uint64(1)) * np.uint64(bit[name])
        left = 0
        by_value = any(self.tables[i].judged.is_missing_a_value for i in by)
        for missing in np.unique(of_row).tolist():
            pending = rows[of_row == missing]
            for candidate in lists.of(missing):
                if not len(pending):
                    break
                if not candidate.newly and not (by_value and missing & free):
                    continue
                pending = self._without(candidate.newly, missing, free, place, by, pending, variables, total)
            left += int(cells.count[pending].sum())
        return left

    def _without(
        self, newly: int, missing: int, free: int, place: Mapping[int, int], by: list[int],
        pending: NDArray[np.intp], variables: Sequence[str], total: Cheapest,
    ) -> NDArray[np.intp]:  # fmt: skip
        """Count rows that are safe without these variables; those that are not."""
        met = np.ones(len(pending), np.bool_)
        margins = {}
        for i in by:
            table = self.tables[i]
            margin, found = margins[i] = self._margin(table, newly, missing, free, place, pending)
            met &= ~table.judged.is_unsafe(margin, table.limit, found)
        done = pending[met]
        if not len(done):
            return pending
        count = self.rows.cells.count[done]
        for v in positions(newly):
            total.by_variable[variables[v]] = total.by_variable.get(variables[v], 0) + int(count.sum())
        for i, table in enumerate(self.tables):
            if table.judged.by_risk:
                margin, found = margins.get(i) or self._margin(table, newly, missing, free, place, pending)
                after = np.broadcast_to(margin.risk[found], pending.shape)[met]
                cell = self._cell[i]
                before = table.table.risk[done if cell is None else cell[done]]
                total.change[i] += float(np.nan_to_num(after - before) @ count)
        return pending[~met]

    def _margin(
        self, table: CombinationAtPoint, newly: int, missing: int, free: int, place: Mapping[int, int],
        rows: NDArray[np.intp],
    ) -> tuple[MergedTable, NDArray[np.intp]]:  # fmt: skip
        """The margin of a table by which rows are judged without these variables, and their cells there.

        Where a missing value counts as a value, others that lose theirs are like those that had none.
        """
        out = newly | (missing & free if table.judged.is_missing_a_value else missing)
        point, keys = table.kept({j for j, bit in place.items() if out & bit})
        margin = table.judged.tables.at(point)
        return margin, self._found(table, margin, keys, rows)
