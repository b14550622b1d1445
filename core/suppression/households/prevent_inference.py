"""Prevent inference where records are not decided one table at a time: unsafe sets grow until no value is told.

What a record loses may depend on other tables, on variables that go with others and on the members of its household, so
there is no single order in which keys could be settled (`core.suppression.prevent_inference`). Instead: whoever lost a
value that elimination tells has to lose one more of those that it kept, as have all records of the same key; then
everybody decides anew. Where a household lost values for all its members alone, one of those because of whom it did has
to lose more. Demands only grow, so that comes to an end.

Household thresholds: elimination is granted more than it knows, that nobody with a key lost values of which one stands
intact, though whether it does depends on the household, too. What it leaves possible is a part of what really is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn
from ...tables.tabulate import tabulate_records
from ..inference.elimination import possible_values
from ..problem import Rules
from ..unsafe_sets import UnsafeSets
from .sharing import HouseholdProblem

Masks = NDArray[np.uint64]
Ints = NDArray[np.int64]
Sets = dict[int, frozenset[int]]


class InferableSets:
    """What records of coupled tables have to lose beyond what makes them safe.

    Parameters
    ----------
    columns : the keys of the tables; bit v of every mask is the v-th
    rules : what may not go
    homes : the households; None: everybody is alone
    asked : of the tables themselves
    alike : whether records of one key are all safe or all unsafe; not so with household thresholds
    """

    def __init__(
        self, columns: Sequence[EncodedColumn], rules: Rules, homes: HouseholdProblem | None, asked: UnsafeSets,
        alike: bool = True, progress: Progress = SILENT,
    ) -> None:  # fmt: skip
        self._columns, self._homes, self._alike, self._progress = columns, homes, alike, progress
        self._seen = [column for column in columns if column.name not in rules.unseen]
        together = homes.variables if homes else frozenset()
        self._shared = frozenset(name for key in together for name in rules.closure(key))
        self._key = tabulate_records(list(columns), None, "category", progress=progress)[1].of_record.astype(np.int64)
        self._because = asked.of_record > 0
        self._by_key, self._by_record = Sets(), Sets()
        self._can_go = sum(
            1 << v
            for v, column in enumerate(columns)
            if not (rules.fixed | rules.unseen) & frozenset(rules.closure(column.name))
        )

    @property
    def demands(self) -> list[UnsafeSets]:
        """The demands of every record, as they are now."""
        records = np.arange(len(self._key))
        return [_demands(self._by_key, self._key), _demands(self._by_record, records)]

    def grow(self, newly: Masks) -> bool:
        """Demand more of those whose values are told after the suppression `newly`, (n,); whether there is more."""
        told, gone = self._told(newly), self._gone(newly)
        own = sum(1 << v for v, column in enumerate(self._columns) if column.name not in self._shared)
        by_itself = newly & np.uint64(own) != 0
        alike = told & by_itself & self._alike
        keys = np.unique(np.stack([self._key[alike], gone[alike]]), axis=1).T.tolist()
        more = self._add(self._by_key, keys)
        records = np.flatnonzero(told & by_itself & ~alike)
        records = np.concatenate([records, self._to_lose_more(np.flatnonzero(told & ~by_itself), gone)])
        return self._add(self._by_record, zip(records.tolist(), gone[records].tolist(), strict=True)) or more

    def _told(self, newly: Masks) -> NDArray[np.bool_]:
        suppressed = self._suppressed(newly)
        homes, told = self._homes, np.zeros(len(newly), np.bool_)
        found = possible_values(
            self._seen,
            suppressed,
            self._shared,
            self._progress,
            homes.households.household_of_record if homes else None,
            homes.variables if homes else (),
        )
        for name, possible in found.items():
            told[np.flatnonzero(suppressed[name])[possible == 1]] = True
        return told

    def _to_lose_more(self, told: Ints, gone: Ints) -> Ints:
        """Of households that lost values for all members alone: the members because of whom, else one of them."""
        if self._homes is None or not len(told):
            return told
        told = told[self._can_go & ~gone[told] != 0]
        household = self._homes.households.household_of_record[told]
        because = self._because[told]
        others = ~because & ~np.isin(household, household[because])
        first = told[others][np.unique(household[others], return_index=True)[1]]
        return np.concatenate([told[because], first])

    def _add(self, sets: Sets, told: Iterable[Sequence[int]]) -> bool:
        """Demand one more value of each of `told`, pairs of a key or record and what is gone there."""
        more = False
        for number, gone in told:
            others = self._can_go & ~gone
            if others and others not in sets.get(number, frozenset()):
                sets[number] = sets.get(number, frozenset()) | {others}
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


def _demands(sets: Sets, number: Ints) -> UnsafeSets:
    """The demands `sets` by number, of records with these numbers."""
    known = {frozenset[int](): 0}
    place = np.zeros(int(number.max(initial=0)) + 1, np.int64)
    for key, masks in sets.items():
        place[key] = known.setdefault(masks, len(known))
    return UnsafeSets(place[number], tuple(tuple(sorted(masks)) for masks in known))
