"""The cheapest suppressions by which the records of a trial are safe, each judged by the original file.

As `core.suppression.individual.optimise` and `core.suppression.models` choose them: for each kind of record the first
of the global order of candidates after which all its combinations find it safe.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...suppression.candidates import Choices, positions
from ..trial import Trial
from ..tried_combination import CombinationTrial


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


def cheapest(trial: Trial, may_go: VariablesToGo) -> Cheapest:
    """The suppressions of all records that a trial finds unsafe, households aside."""
    return _Suppressions(trial, may_go).cheapest()


class _Suppressions:
    """The distinct keys of the records of a trial, and what they lose."""

    def __init__(self, trial: Trial, may_go: VariablesToGo) -> None:
        self._trial, self._may_go = trial, may_go
        self._cells, self._tables = trial.rows.cells, list(trial.each)
        self._place = {name: at for at, name in enumerate(self._cells.variables)}
        self._cell = [trial.cells_of_rows(table) for table in self._tables]
        self._unsafe_by = [trial.unsafe_rows(table) for table in self._tables]
        self._total = Cheapest({}, [0.0] * len(self._tables), 0)

    def cheapest(self) -> Cheapest:
        """The suppressions of all unsafe rows."""
        left = sum(self._of_pattern(by, rows) for by, rows in self._patterns() if len(rows))
        return self._total._replace(left=left)

    def _patterns(self) -> Iterator[tuple[list[int], NDArray[np.intp]]]:
        """The tables by which rows are unsafe, and these rows."""
        rows = np.flatnonzero(np.logical_or.reduce(self._unsafe_by)) if self._tables else np.zeros(0, np.intp)
        if len(self._tables) < 2:
            yield list(range(len(self._tables))), rows
            return
        by_table = np.column_stack([each[rows] for each in self._unsafe_by])
        found, of_row = np.unique(by_table, axis=0, return_inverse=True)
        for number, by in enumerate(found):
            yield np.flatnonzero(by).tolist(), rows[of_row.ravel() == number]

    def _of_pattern(self, by: list[int], rows: NDArray[np.intp]) -> int:
        """Add the suppressions of rows that these tables find unsafe; records that stay so."""
        cells, may_go = self._cells, self._may_go
        keys = {name for i in by for name in self._trial.keys(self._tables[i])}
        own = [name for name in cells.variables if name in keys]
        outside = dict.fromkeys(name for key in own for name in may_go.closures[key] if name not in own)
        variables = (*own, *outside)
        bit = {name: 1 << v for v, name in enumerate(variables)}
        choices = Choices(
            len(own),
            tuple(sum(bit[name] for name in may_go.closures[key]) for key in own),
            tuple(may_go.cost[name] for name in variables),
            sum(bit[name] for name in variables if name in may_go.fixed),
        )
        free = sum(bit[key] for key in own if not set(may_go.closures[key]) & may_go.fixed)
        of_row = np.zeros(len(rows), np.uint64)
        for at, name in enumerate(cells.variables):
            if name in bit:
                of_row |= (cells.missing[rows] >> np.uint64(at) & np.uint64(1)) * np.uint64(bit[name])
        left = 0
        by_value = any(self._tables[i].tried.is_missing_a_value for i in by)
        for missing in np.unique(of_row).tolist():
            pending = rows[of_row == missing]
            for candidate in choices.of(missing):
                if not len(pending):
                    break
                if not candidate.newly and not (by_value and missing & free):
                    continue
                pending = self._without(candidate.newly, missing, free, bit, by, pending)
            left += int(cells.count[pending].sum())
        return left

    def _without(
        self, newly: int, missing: int, free: int, bit: Mapping[str, int], by: list[int], pending: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Count rows that are safe without these variables; those that are not."""
        met = np.ones(len(pending), np.bool_)
        margins = {}
        for i in by:
            table = self._tables[i]
            margin, found = margins[i] = self._margin(table, newly, missing, free, bit, pending)
            met &= ~table.tried.is_unsafe(margin, table.limit, found)
        done = pending[met]
        if not len(done):
            return pending
        count, variables = self._cells.count[done], list(bit)
        for v in positions(newly):
            by_variable = self._total.by_variable
            by_variable[variables[v]] = by_variable.get(variables[v], 0) + int(count.sum())
        for i, table in enumerate(self._tables):
            if table.tried.by_risk:
                margin, found = margins.get(i) or self._margin(table, newly, missing, free, bit, pending)
                after = np.broadcast_to(margin.risk[found], pending.shape)[met]
                cell = self._cell[i]
                before = table.risk[done if cell is None else cell[done]]
                self._total.change[i] += float(np.nan_to_num(after - before) @ count)
        return pending[~met]

    def _margin(
        self, table: CombinationTrial, newly: int, missing: int, free: int, bit: Mapping[str, int],
        rows: NDArray[np.intp],
    ) -> tuple[CombinationTrial, NDArray[np.intp]]:  # fmt: skip
        """The margin of a table by which rows are judged without these variables, and their cells there.

        Where a missing value counts as a value, others that lose theirs are like those that had none.
        """
        out = newly | (missing & free if table.tried.is_missing_a_value else missing)
        margin = table.without({name for name, own in bit.items() if out & own})
        return margin, margin.table.find(
            [self._cells.codes[self._place[name]][rows] for name in margin.cells.variables]
        )
