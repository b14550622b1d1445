"""Several tables whose released keys must be large enough: criteria of the whole file, and risk by released keys.

Tables that share variables, or couple through related ones, take turns. A table is protected by the joint search as
the others left the file: what is missing stays missing, and whatever goes may make keys of another table too small,
which then has its turn again. Values only ever go, so that this ends, and all that may go is a solution wherever there
is one. At the end each table gives back what goes for its sake alone and is protected anew, if that loses less. All
this is done in the tables' order and in the opposite one; the better outcome stays.

What all this must lose at least: every table's own bound, and, with the cost of each variable divided among the tables
in which it may go, the sum of their bounds. The larger of both is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from ...base.errors import Notice, ProtectionError
from ...base.progress import SILENT, Progress
from ...data.times import Times
from ...tables.grouping import group_rows
from ..candidates import Choices
from ..search_budget import USUAL_EFFORT, SearchBudget
from .optimise import JointSettings, drawn, few_suppressions, releases
from .problem import ReleaseProblem
from .search import ROUNDING, Effort, WithoutReleasedKey, least_loss

Masks = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class KeyTable:
    """A table of which every released key must be large enough.

    Attributes
    ----------
    places : which variables are its keys
    need : (n,) int32, of each record how many the key under which it is released must have; 0 asks for nothing
    unmet : which of some released keys do not do for another reason, by each record's key and their number; None: size
        is all
    """

    places: tuple[int, ...]
    need: NDArray[np.int32]
    unmet: Callable[[NDArray[np.uint32], int], NDArray[np.bool_]] | None = None


@dataclass(frozen=True, eq=False)
class SuppressibleVariables:
    """What can be suppressed of n records; bit v of every mask is variable v.

    Attributes
    ----------
    names : of the variables
    codes : of each variable (n,) uint32, at most its card where the value is missing already
    cards : numbers of valid codes
    choices : costs, what goes together, and what may not go
    spread : makes go what must go with such losses in other records, (n,) masks -> (n,) masks
    records : how many records each row stands for, (n,); None: one each
    """

    names: tuple[str, ...]
    codes: Sequence[NDArray[np.uint32]]
    cards: Sequence[int]
    choices: Choices
    spread: Callable[[Masks], Masks]
    records: NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False)
class KeyLosses:
    """What records lose so that all keys are large enough.

    Attributes
    ----------
    newly : (n,) masks
    bound : nothing that meets these tables has less loss
    notices : what has to be said of how it was found
    """

    newly: Masks
    bound: float
    notices: tuple[Notice, ...]


class RecordsWithoutKey(Exception):
    """Records that no released key of a table can hold: `table`, `flags` (n,) bool."""

    def __init__(self, table: int, flags: NDArray[np.bool_], error: ProtectionError) -> None:
        super().__init__(str(error))
        self.table, self.flags, self.error = table, flags, error


class KeyTables:
    """The tables, and how they are protected together."""

    def __init__(
        self,
        tables: Sequence[KeyTable],
        variables: SuppressibleVariables,
        settings: JointSettings,
        progress: Progress = SILENT,
        reach: SearchBudget | None = None,
    ) -> None:
        self._tables, self._variables, self._settings, self._progress = tables, variables, settings, progress
        self._reach = reach or settings.reach()
        self._notices: dict[int, tuple[Notice, ...]] = {}
        self._turns = 0

    def protect(self, first: Masks) -> KeyLosses:
        """The losses beyond `first`, which stay; with these included.

        Raises
        ------
        RecordsWithoutKey
            No released key can hold some records.
        """
        places = range(len(self._tables))
        newly, bound = self._in_turns(places, first)
        if len(self._tables) > 1:
            bound = max(bound, self._bound())
            newly = self._given_back(first, newly)
            if self._loss(newly) > bound * (1 + ROUNDING):
                other = self._given_back(first, self._in_turns(places[::-1], first)[0])
                newly = min(newly, other, key=self._loss)
        elif first.any():
            bound = self._bound()
        notices = tuple(notice for _, said in sorted(self._notices.items()) for notice in said)
        return KeyLosses(newly, bound, notices)

    def _in_turns(self, order: Sequence[int], first: Masks) -> tuple[Masks, float]:
        """`first` and what goes beyond it, table by table in this order until none asks for more.

        And what a first table must lose at least that finds the file as it is.
        """
        newly, bound, done = first.copy(), 0.0, 0
        for index in cycle(order):
            if done == len(order):
                break
            lost, least = self._lost(index, newly)
            bound = bound if newly.any() else max(bound, least)
            done = 0 if lost.any() else done + 1
            newly = self._variables.spread(newly | lost) if lost.any() else newly
        return newly, bound

    def _lost(self, index: int, newly: Masks, fixed: int = 0) -> tuple[Masks, float]:
        """What one table loses as the file now is, and what it must lose at least from there.

        Where keys do not do that are large enough, it is searched anew for larger ones, until all do.
        """
        table = self._tables[index]
        lost, bound = self._of_size(index, table, newly, fixed)
        while (larger := self._larger(table, newly | lost)) is not None:
            table = larger
            lost, _ = self._of_size(index, table, newly, fixed)
        return lost, bound

    def _larger(self, table: KeyTable, newly: Masks) -> KeyTable | None:
        """The same table where keys that do not do have to be larger; None where all do.

        By one record: where nothing else is possible all come under one key, and no more is ever asked for than that.
        """
        if table.unmet is None:
            return None
        variables = self._variables
        cards = [variables.cards[v] for v in table.places]
        codes = [
            np.where(newly >> np.uint64(v) & np.uint64(1), np.uint32(card), variables.codes[v])
            for v, card in zip(table.places, cards, strict=True)
        ]
        keys = group_rows(codes, cards, self._progress)
        unmet = table.unmet(keys.ids, len(keys))
        if not unmet.any():
            return None
        size = np.bincount(keys.ids, variables.records, len(keys))
        need = np.where(unmet, size + 1, 0).astype(np.int32)
        return replace(table, need=np.maximum(table.need, need[keys.ids]))

    def _of_size(self, index: int, table: KeyTable, newly: Masks, fixed: int) -> tuple[Masks, float]:
        """What the table in a place loses so that its keys are large enough, and what it must lose at least."""
        places, problem, unit_of_record = self._problem(table, newly, fixed)
        if _is_enough(problem):
            return np.zeros_like(newly), 0.0
        turn, self._turns = self._turns, self._turns + 1
        try:
            (found,) = releases([problem], self._settings, self._reach, self._progress)
        except WithoutReleasedKey as error:
            raise RecordsWithoutKey(index, error.units[unit_of_record], error) from error
        names = [self._variables.names[v] for v in table.places]
        local = drawn(found, problem, unit_of_record, self._settings, names, turn, self._progress)
        self._notices[index] = few_suppressions(found, names)
        lost = np.zeros_like(newly)
        for here, v in enumerate(places):
            lost |= (local >> np.uint64(here) & np.uint64(1)) << np.uint64(v)
        return lost & ~newly, found.bound

    def _problem(
        self, table: KeyTable, newly: Masks, fixed: int = 0, shares: Sequence[float] | None = None
    ) -> tuple[tuple[int, ...], ReleaseProblem, NDArray[np.uint32]]:
        """The table as the joint search takes it: the variable of each of its bits, the problem, each record's unit.

        Parameters
        ----------
        fixed : variables that may not go beside those that may never
        shares : what a value of each variable costs, if not what it really does
        """
        variables, closures = self._variables, self._variables.choices.closures
        reached = reduce(int.__or__, (closures[v] for v in table.places))
        outside = tuple(v for v in range(len(variables.names)) if reached >> v & 1 and v not in table.places)
        places = table.places + outside
        gone = [(newly >> np.uint64(v) & np.uint64(1)).astype(np.bool_) for v in places]
        missing = [flags | (variables.codes[v] >= variables.cards[v]) for flags, v in zip(gone, places, strict=True)]
        keys = len(table.places)
        codes = [variables.codes[v].copy() for v in table.places]
        for code, flags, v in zip(codes, missing, table.places, strict=False):
            code[flags] = variables.cards[v]
        cards = [variables.cards[v] for v in table.places]
        levels, level = np.unique(table.need, return_inverse=True)
        apart = [flags.astype(np.uint32) for flags in missing[keys:] if flags.any() and not flags.all()]
        apart += [level.astype(np.uint32)] if len(levels) > 1 else []
        groups = group_rows(codes + apart, cards + [max(1, int(part.max(initial=1))) for part in apart], self._progress)
        first = groups.member
        masks = np.zeros(len(first), np.uint64)
        for here, flags in enumerate(missing):
            masks |= flags[first].astype(np.uint64) << np.uint64(here)
        costs = variables.choices.costs if shares is None else shares
        may_not = variables.choices.fixed | fixed
        problem = ReleaseProblem(
            [np.ascontiguousarray(code[first]) for code in codes],
            cards,
            np.bincount(groups.ids, variables.records, len(first)).astype(np.int32),  # exact in doubles below 2**53
            table.need[first],
            [costs[v] for v in places],
            [sum(1 << here for here, w in enumerate(places) if closures[v] >> w & 1) for v in places],
            masks,
            sum(1 << here for here, v in enumerate(places) if may_not >> v & 1),
        )
        return places, problem, groups.ids

    def _given_back(self, first: Masks, newly: Masks) -> Masks:
        """Each table protected anew without what went for its sake alone, where that loses less."""
        reached = [reduce(int.__or__, (self._variables.choices.closures[v] for v in t.places)) for t in self._tables]
        for index in range(len(self._tables)):
            others = reduce(int.__or__, (mask for i, mask in enumerate(reached) if i != index))
            own = self._alone(reached[index] & ~others)
            if not own:
                continue
            kept = newly & ~(np.uint64(own) & ~first)
            try:
                lost, _ = self._lost(index, kept, fixed=~own)
            except RecordsWithoutKey:
                continue  # the search found none; what there is stays
            again = kept | lost
            if np.array_equal(self._variables.spread(again), again) and self._loss(again) < self._loss(newly):
                newly = again
        return newly

    def _alone(self, own: int) -> int:
        """The variables of `own` that go with none outside it, and with which none outside goes."""
        closures, before = self._variables.choices.closures, -1
        while before != own:
            before = own
            for v, closure in enumerate(closures):
                if own >> v & 1 and closure & ~own:
                    own &= ~(1 << v)
                elif not own >> v & 1:
                    own &= ~closure
        return own

    def _loss(self, newly: Masks) -> float:
        costs, times = self._variables.choices.costs, Times(self._variables.records)
        lost = ((newly >> np.uint64(v) & np.uint64(1)).astype(np.bool_) for v in range(len(costs)))
        return sum(cost * times.count(flags) for cost, flags in zip(costs, lost, strict=True))

    def _bound(self) -> float:
        """What the tables must lose at least from the original on: the dearest one, and all with divided costs."""
        nothing = np.zeros(len(self._tables[0].need), np.uint64)
        costs, closures = self._variables.choices.costs, self._variables.choices.closures
        users = [sum(any(closures[w] >> v & 1 for w in t.places) for t in self._tables) for v in range(len(costs))]
        divided = [cost / max(1, number) for cost, number in zip(costs, users, strict=True)]
        steps = max(1, Effort().prices * self._reach.effort // USUAL_EFFORT)
        dearest, together = 0.0, 0.0
        for table in self._tables:
            _, problem, _ = self._problem(table, nothing)
            if _is_enough(problem):
                continue
            dearest = max(dearest, least_loss(problem, steps, self._progress))
            if len(self._tables) > 1:
                _, problem, _ = self._problem(table, nothing, shares=divided)
                together += least_loss(problem, steps, self._progress)
        return max(dearest, together)


def _is_enough(problem: ReleaseProblem) -> bool:
    """Whether every key is as large as its records need."""
    groups = group_rows(problem.codes, problem.cards)
    size = np.bincount(groups.ids, problem.records, len(groups))
    return bool((size[groups.ids] >= problem.need).all())
