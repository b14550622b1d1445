"""Released keys where members of a household are coupled: a household variable goes for all of them or for none.

A first search leaves all household variables with their records: then nobody decides for others, and the joint search
of single records does it, in a tenth of the time and with less loss than what follows; nor does a household's size tell
who lent. Only where that fails, or is far from the bound, households decide, too.

A cold start then: nothing is lost, and every record that a key lacks costs a fine. Annealing moves single records, with
their households where household variables go, and lets lenders come; the fine grows while it cools. It begins anew
again and again, each time for as long as all before together, so that wherever it ends a quarter of the rounds at least
have cooled down at one go. Where keys lack records then, households with records in such keys lose as much as they can,
which is made cheaper afterwards. The best release by which no key lacks a record is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from ...base.errors import ProtectionError
from ...base.progress import SILENT, Progress
from ...data.households import Households
from ...kernels import repair as kernel
from ...kernels.released_keys import sort_by
from ..record_draws import Numbers
from ..search_budget import USUAL_EFFORT, SearchBudget
from .bound import Prices, rounded_up
from .member_choices import MemberChoices
from .problem import ReleaseProblem, entries
from .row_draws import Portions
from .search import Assignment, Effort, refuse, release

_FIRST = 64
"""The first annealing takes this part of the usual rounds."""
_STAGES, _AFTER = 40, 4
"""Stages while it cools, and as many more as long by which what it ends with is made cheaper."""
_HOT, _COLD = 0.5, 0.01
"""First and last temperature, as shares of a value's mean loss."""
_FINE, _FIRM = 0.7, 10.0
"""The first fine, as a share of a value's mean loss, and how many times as much the last one is."""
_SURE = 1e6
"""The same where no key may lack a record any more."""
_TIMES, _TIMES_EACH = 10, 1000
"""Rounds, which are shorter here, for each round of the joint search, and for each of an unsafe unit's there."""
_MOST_ROUNDS = 10_000_000
_FAR = 0.1
"""More above the bound than this share of it, whether it is worth while to suppress household variables is tried."""
_PART = 2000
"""Rounds between two looks at whether to go on."""
_NOBODY = np.zeros(0, np.int32)


@dataclass(frozen=True, eq=False)
class Repaired:
    """What every record loses.

    Attributes
    ----------
    newly : (n,) uint64, masks of the variables that go missing
    bound : no release loses less
    rounds : of the search
    """

    newly: NDArray[np.uint64]
    loss: float
    bound: float
    rounds: int


@dataclass(frozen=True, eq=False)
class Members:
    """The records, household after household.

    Attributes
    ----------
    record : (n,) int64, the record of the file
    unit : (n,) int32, the unit of each
    starts : (h + 1,) int64, where each household begins
    """

    record: NDArray[np.int64]
    unit: NDArray[np.int32]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, unit_of_record: NDArray[np.int32], households: Households) -> Members:
        """The members by units, and households by those of their members: the same whatever the order of the file."""
        found = households.household_of_record
        order = np.lexsort((unit_of_record, found)).astype(np.int64)
        size = np.bincount(found, minlength=len(households))
        before = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
        unit = unit_of_record[order]
        units = [unit[begin:end].tobytes() for begin, end in pairwise(before.tolist())]
        rank = np.array(sorted(range(len(units)), key=units.__getitem__), np.int64)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(size[rank])])
        order = order[np.repeat(before[rank] - starts[:-1], size[rank]) + np.arange(len(order))]
        return cls(order, unit_of_record[order], starts)

    def alike(self) -> Iterator[NDArray[np.int64]]:
        """The places of the members of households that have the same units, (households, members) each."""
        units = [self.unit[begin:end].tobytes() for begin, end in pairwise(self.starts.tolist())]
        first = 0
        for _, some in groupby(units):
            number = sum(1 for _ in some)
            places = np.arange(self.starts[first], self.starts[first + number])
            first += number
            if len(places):
                yield places.reshape(number, -1)

    def drawn(self, choice: NDArray[np.int32], numbers: Callable[[NDArray[np.int64]], Numbers]) -> NDArray[np.int32]:
        """The same choices, (n,), after it was drawn which of the households and members that are alike has which.

        Households come in the order of the sums of their members' numbers, members of a unit in that of their own.

        Parameters
        ----------
        choice : of each place
        numbers : gives those of some records, by which they are drawn
        """
        found, waiting = choice.copy(), list[tuple[NDArray[np.int64], NDArray[np.int32]]]()
        for places in self.alike():
            unit, chosen = self.unit[places], choice[places]
            first = np.take_along_axis(chosen, np.lexsort((chosen, unit), axis=1), axis=1)
            if (first != first[0]).any() or ((chosen[0][1:] != chosen[0][:-1]) & (unit[0][1:] == unit[0][:-1])).any():
                waiting.append((places, first[np.lexsort(first.T[::-1])]))
        if not waiting:
            return found
        records = np.sort(np.concatenate([self.record[places].ravel() for places, _ in waiting]))
        number = np.zeros(len(choice), np.uint64)
        number[records] = numbers(records)
        for places, first in waiting:
            own = number[self.record[places]]
            order = np.lexsort((self.record[places].min(axis=1), own.sum(axis=1)))
            within = np.lexsort((own, self.unit[places]), axis=1)
            found[np.take_along_axis(places, within, axis=1)[order]] = first
        return found


def repair(
    problem: ReleaseProblem,
    choices: MemberChoices,
    unit_of_record: NDArray[np.int32],
    households: Households,
    numbers: Callable[[NDArray[np.int64]], Numbers],
    together: int,
    usual: Effort | None = None,
    seed: int = 1,
    progress: Progress = SILENT,
    reach: SearchBudget | None = None,
) -> Repaired:
    """A release in which every record is safe and household variables go for all members or for none.

    Parameters
    ----------
    problem : of units, as if each record were alone: what it must lose at least is the bound
    choices : of the units in households
    unit_of_record : (n,) int32
    households : who lives with whom
    numbers : gives those of some records, ascending, by which it is drawn who is treated how among those alike
    together : mask of the household variables
    usual : what the effort 1000 is
    reach : how far the search goes

    Raises
    ------
    ProtectionError
        No release is safe, or none was found.
    SearchAgain
        As `reach` says.
    """
    usual, reach = usual or Effort(), reach or SearchBudget()
    ways = entries(problem, progress)
    refuse(problem, ways.stuck)
    apart = replace(problem, fixed=problem.fixed | together)

    def by_records() -> tuple[Assignment | None, Prices, float]:
        """The release in which nobody loses a household variable, if there is one; prices, and their bound."""
        found, prices, alone = None, Prices(problem, ways), SearchBudget(reach.effort, stop=reach.stop)
        with suppress(ProtectionError):  # somebody has to lose a household variable
            found = release(apart, usual, seed, progress, alone)
        if alone.ended:
            reach.end(alone.effort)
        if found is not None:
            prices.climb(found.loss, _steps(usual, reach), progress)
        return found, prices, rounded_up(prices.bound, problem.costs)

    def is_near(found: Assignment | None, bound: float) -> bool:
        return found is not None and found.loss <= bound * (1 + _FAR)

    found, prices, bound = by_records()
    search, asked = None, reach.effort
    if not is_near(found, bound):
        search = Annealing(problem, choices, Members.of(unit_of_record, households), seed, usual, bound)
        reach.search([search], progress)
        if reach.effort < asked:  # as if it had not been asked to go any further
            found, prices, bound = by_records()
    if search is not None and not is_near(found, bound):
        search.finish(reach.effort, progress)
        if found is None or found.loss > search.loss:
            prices.climb(search.loss, _steps(usual, reach), progress)
            bound = rounded_up(prices.bound, problem.costs)
            newly, members = np.zeros(len(unit_of_record), np.uint64), search.members
            newly[members.record] = choices.newly[members.drawn(search.best, numbers)]
            return Repaired(newly, search.loss, min(bound, search.loss), search.rounds)
    reach.went()
    assert found is not None
    newly = Portions.of(found, apart).of_records(unit_of_record, numbers)
    return Repaired(newly, found.loss, min(bound, found.loss), found.rounds)


def _steps(usual: Effort, reach: SearchBudget) -> int:
    return max(1, usual.prices * reach.effort // USUAL_EFFORT)


class Annealing:
    """A release on its way; the same for the same seed and effort, by how many steps it came there."""

    def __init__(
        self, problem: ReleaseProblem, choices: MemberChoices, members: Members, seed: int = 1,
        usual: Effort | None = None, bound: float = 0.0,
    ) -> None:  # fmt: skip
        self._problem, self._choices, self.members, self.rounds = problem, choices, members, 0
        records, households = len(members.unit), len(members.starts) - 1
        rec = np.full((records, 7), -1, np.int32)
        rec[:, kernel.HOUSE] = np.repeat(np.arange(households), np.diff(members.starts))
        rec[:, kernel.UNIT], rec[:, kernel.CHANGED] = members.unit, 0
        uni = np.stack([problem.need, choices.class_of_unit], axis=1).astype(np.int32)
        grp = np.zeros((choices.groups, 3), np.int32)
        grp[:, kernel.HEAD] = -1
        gptr, gmid, gunit, gchoice = _by_group(problem, choices)
        uptr, urec = np.empty(len(uni) + 1, np.int64), np.empty(records, np.int32)
        sort_by(members.unit, uptr, urec)
        room = 2 * (kernel.MOST_MOVED + 1) * int(np.diff(members.starts).max(initial=1))
        self._state = kernel.State(
            rec, uni, grp, members.starts, choices.goes, choices.group, choices.first, choices.shared, choices.price,
            gptr, gmid, gunit, gchoice, uptr, urec, np.zeros(records, np.int32), np.zeros(records, np.int32),
            np.zeros(records, np.int32), np.zeros((room, 2), np.int32), np.zeros(4, np.int64), np.array([0.0, np.inf]),
            np.array([seed], np.uint64),
        )  # fmt: skip
        self._go(kernel.BEGIN)
        self.asking, self._bound, usual = self._asking(), bound, usual or Effort()
        rounds = usual.rounds * _TIMES + usual.rounds_each * _TIMES_EACH * len(self.asking)
        self._usual = min(rounds, _MOST_ROUNDS)
        self._begin, self._end, self._cold = 0, max(1, self._usual // _FIRST), False
        self._value = float(np.mean([cost for cost in problem.costs if cost > 0] or [1.0]))

    def _go(
        self, what: int, records: NDArray[np.int32] = _NOBODY, barest: NDArray[np.int32] = _NOBODY, rounds: int = 0,
        heat: float = 0.0, fine: float = 0.0,
    ) -> None:  # fmt: skip
        """One step of the search, see `core.kernels.repair.search`."""
        kernel.search(self._state, what, records, barest, rounds, heat, fine)

    def _asking(self) -> NDArray[np.int32]:
        """Records whose key lacks some before anything is lost."""
        s = self._state
        unit, home = s.rec[:, kernel.UNIT], s.gid[s.goes[s.rec[:, kernel.UNIT]] + s.rec[:, kernel.CHOICE]]
        return np.flatnonzero(s.uni[unit, kernel.NEED] > s.grp[home, kernel.COUNT]).astype(np.int32)

    @property
    def loss(self) -> float:
        """What the best release costs."""
        return float(self._state.cost[kernel.BEST])

    @property
    def best(self) -> NDArray[np.int32]:
        """The choice of every member in the best release, (n,)."""
        found: NDArray[np.int32] = self._state.best
        return found

    @property
    def bound(self) -> float:
        """What no release costs less than."""
        return min(self._bound, self.loss)

    def go_to(self, effort: int, progress: Progress = SILENT) -> bool:
        """Anneal until so much effort was made; whether more could help."""
        end = self._rounds_of(effort)
        while self.rounds < end and self.loss > self._bound + 1e-9:
            if self.rounds == self._begin:
                self._go(kernel.EMPTY)
                self._cold = False
            length = self._end - self._begin
            stage = (self.rounds - self._begin) * (_STAGES + _AFTER) // length
            next_stage = self._begin - (-(stage + 1) * length // (_STAGES + _AFTER))
            if stage >= _STAGES and not self._cold:
                self._go_far(progress)
                self._cold = True
            share = min(1.0, stage / (_STAGES - 1))
            heat, fine = _HOT * (_COLD / _HOT) ** share, _SURE if self._cold else _FINE * _FIRM**share
            self._anneal(min(end, next_stage) - self.rounds, heat * self._value, fine * self._value, progress)
            if self.rounds == self._end:
                self._begin, self._end = self._end, 2 * self._end
        return self.loss > self._bound + 1e-9

    def finish(self, effort: int, progress: Progress = SILENT) -> None:
        """Make the best cheaper where it is; it is safe then.

        Raises
        ------
        ProtectionError
            No release was found.
        """
        if math.isfinite(self.loss):
            self._go(kernel.GO_BACK)
        else:
            self._go_far(progress)
        self._anneal(self._rounds_of(effort) // 10, _COLD * self._value, _SURE * self._value, progress)

    def _rounds_of(self, effort: int) -> int:
        return self._usual * effort // USUAL_EFFORT

    def _anneal(self, rounds: int, heat: float, fine: float, progress: Progress) -> None:
        for done in range(0, rounds if len(self.asking) else 0, _PART):
            progress.check()
            self._go(kernel.ANNEAL, self.asking, rounds=min(_PART, rounds - done), heat=heat, fine=fine)
        self.rounds += rounds

    def _go_far(self, progress: Progress) -> None:
        """Households lose as much as they can until no key lacks a record; nothing where none does."""
        progress.check()
        s, houses = self._state, len(self.members.starts) - 1
        can = np.diff(self._choices.first, axis=1) > 0
        kind = s.uni[s.rec[:, kernel.UNIT], kernel.CLASS]
        all_can = np.logical_and.reduceat(can[kind], self.members.starts[:-1], axis=0)
        values = np.bitwise_count(self._choices.newly)
        most = np.maximum.reduceat(values, self._choices.first[:, :-1].clip(max=len(values) - 1).ravel())
        most = np.where(can, most.reshape(can.shape), 0)
        total = np.add.reduceat(most[kind].astype(np.int64), self.members.starts[:-1], axis=0)
        barest = np.where(all_can, total, -1).argmax(axis=1).astype(np.int32)
        self._go(kernel.GO_FAR, np.random.default_rng(1).permutation(houses).astype(np.int32), barest)
        if s.num[kernel.LACKING] > 0:
            lacking = np.maximum(s.grp[:, kernel.DEMAND] - s.grp[:, kernel.COUNT], 0) > 0
            unit = s.rec[:, kernel.UNIT]
            group = s.gid[s.goes[unit] + s.rec[:, kernel.CHOICE]]
            left = (s.uni[unit, kernel.NEED] > s.grp[group, kernel.COUNT]) & lacking[group]
            refuse(self._problem, np.bincount(unit[left], minlength=len(s.uni)) > 0)


def _by_group(
    problem: ReleaseProblem, choices: MemberChoices
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Where each group begins and where units that ask for nothing begin in it; units and choices by group."""
    unit, choice = choices.entries()
    asks = problem.need[unit] > 1
    first = np.concatenate((np.flatnonzero(asks), np.flatnonzero(~asks)))
    starts, places = np.empty(choices.groups + 1, np.int64), np.empty(len(unit), np.int32)
    sort_by(choices.group[first], starts, places)
    middle = starts[:-1] + np.bincount(choices.group[asks], minlength=choices.groups)
    order = first[places]
    return starts, middle, unit[order], choice[order]
