"""Closing gaps where household variables go for all members: demands that grow until no value is told by the rules.

What a household loses depends on all its members, so there is no single order in which keys could be settled
(`core.suppression.gaps`). Instead: whoever lost a value that elimination tells has to lose one more of those that it
kept, as have all records of the same key; then everybody decides anew. Demands only grow, so that comes to an end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn
from core.suppression.demands import Demands
from core.suppression.inference.elimination import possible_values
from core.suppression.problem import Rules
from core.tables.tabulate import tabulate_records

Masks = NDArray[np.uint64]


class GapDemands:
    """What records of one table have to lose beyond what makes them safe.

    Parameters
    ----------
    columns : the keys of the table; bit v of every mask is the v-th
    shared : household variables, and what is suppressed with them
    rules : what may not go
    """

    def __init__(
        self, columns: Sequence[EncodedColumn], shared: frozenset[str], rules: Rules, progress: Progress = SILENT
    ) -> None:
        self._columns, self._shared, self._progress = columns, shared, progress
        self._key = tabulate_records(list(columns), None, "category", progress=progress)[1].of_record.astype(np.int64)
        self._sets: dict[int, frozenset[int]] = {}
        self._can_go = sum(
            1 << v for v, column in enumerate(columns) if not rules.fixed & frozenset(rules.closure(column.name))
        )

    @property
    def demands(self) -> Demands:
        """The demands of every record, as they are now."""
        masks = [tuple(sorted(sets)) for sets in self._sets.values()]
        number = np.zeros(int(self._key.max(initial=0)) + 1, np.int64)
        number[list(self._sets)] = np.arange(1, len(masks) + 1)
        return Demands(number[self._key], ((), *masks))

    def grow(self, newly: Masks) -> bool:
        """Demand more of those whose values are told after the suppression `newly`, (n,); whether there is more."""
        suppressed = self._suppressed(newly)
        told = np.zeros(len(newly), np.bool_)
        found: Mapping[str, NDArray[np.int64]] = possible_values(
            self._columns, suppressed, self._shared, self._progress
        )
        for name, possible in found.items():
            told[np.flatnonzero(suppressed[name])[possible == 1]] = True
        more = False
        for key, gone in np.unique(np.stack([self._key[told], self._gone(newly)[told]]), axis=1).T.tolist():
            others = self._can_go & ~gone
            if others and others not in self._sets.get(key, frozenset()):
                self._sets[key] = self._sets.get(key, frozenset()) | {others}
                more = True
        return more

    def _suppressed(self, newly: Masks) -> dict[str, NDArray[np.bool_]]:
        flags = ((newly >> np.uint64(v) & np.uint64(1)).astype(np.bool_) for v in range(len(self._columns)))
        return {column.name: lost for column, lost in zip(self._columns, flags, strict=True)}

    def _gone(self, newly: Masks) -> NDArray[np.int64]:
        """Masks of the keys that are blank, newly or not."""
        gone = newly.astype(np.int64) & ((1 << len(self._columns)) - 1)
        for v, column in enumerate(self._columns):
            gone |= (column.values >= column.n_valid).astype(np.int64) << v
        return gone
