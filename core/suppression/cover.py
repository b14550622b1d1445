"""The least loss by which records, or households as a whole, meet what is demanded of them: one engine for both.

What may not remain is given in one of two ways (`Demands`), on which the choice does not depend:

- `SetsToHit`: minimal unsafe sets of values, of each of which one has to go; a hitting set of least weight.
- `RiskLimits`: limits of the risks in tables. The candidates are tried in their one global order, and only margins that
  are asked for are made. A table of many keys has too many unsafe sets to list them.

A record takes what meets its demands first in the order of `core.suppression.candidates`. A household variable goes for
all members or for none: for every set of household variables that may go for all, each member takes what is best for
it, and of these choices the household takes the best. That is the optimum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..kernels import hitting
from ..kernels import joint as kernels
from ..tables.grouping import blocks
from .candidates import EQUAL_LOSS, Choices, candidates, positions
from .households.sharing import FEW_SHARED, MANY_SHARED, AffectedHouseholds, Shared, SharedLosses, by_mask
from .margin_risks import MarginRisks
from .problem import RecordClasses

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Masks = NDArray[np.uint64]

UNSOLVED = hitting.NONE
"""In place of a mask: nothing that may be suppressed meets the demands."""

WORK = 1 << 18
"""Masks looked at in one call of the kernel."""

BLOCK = 1 << 12
"""Households that one call of a kernel decides."""


@dataclass(frozen=True, eq=False)
class Losses:
    """Masks of newly missing variables: what they cost, how many values, which; (m,) each."""

    loss: Floats
    count: Ints
    newly: Masks

    @classmethod
    def of(cls, costs: Sequence[float], newly: Masks) -> Losses:
        """Those of masks, by what a value of each variable costs; of `UNSOLVED` inf, and nothing goes."""
        unsolved = newly == UNSOLVED
        newly = np.where(unsolved, 0, newly)
        loss = np.where(unsolved, np.inf, 0.0)
        for v in positions(int(np.bitwise_or.reduce(newly))):
            loss += costs[v] * (newly >> np.uint64(v) & np.uint64(1))
        return cls(loss, np.bitwise_count(newly).astype(np.int64), newly)


class Demands(Protocol):
    """What has to go from each of the units: a unit is a record or a member, and all that are like it."""

    @property
    def choices(self) -> Choices:
        """What can be suppressed."""

    def first(self, units: Ints, missing: int, fixed: int) -> Masks:
        """What goes at best from each of the `units`; `UNSOLVED` where nothing meets its demands.

        Parameters
        ----------
        missing : the variables that all of them lack, newly or not
        fixed : what may not go
        """

    def reach(self, joint: Shared) -> Masks:
        """The household variables that may go for the sake of each unit, (u,)."""


@dataclass(frozen=True, eq=False)
class SetsToHit:
    """Unsafe sets of each unit.

    Attributes
    ----------
    sets : distinct demands, as in `core.suppression.unsafe_sets.UnsafeSets`
    number : (u,) int64, index into `sets`
    choices : what can be suppressed
    """

    sets: Sequence[tuple[int, ...]]
    number: Ints
    choices: Choices
    progress: Progress = SILENT

    def first(self, units: Ints, missing: int, fixed: int) -> Masks:
        """See `Demands`."""
        numbers, which = np.unique(self.number[units], return_inverse=True)
        asked = [tuple(mask for mask in self.sets[number] if not mask & missing) for number in numbers.tolist()]
        return _hit(asked, missing, replace(self.choices, fixed=fixed), self.progress)[which]

    def reach(self, joint: Shared) -> Masks:
        """See `Demands`."""
        found = []
        for masks in self.sets:
            some = reach = 0
            for mask in masks:
                some |= mask
            for v in positions(some):
                reach |= joint.closures[v] & joint.all
            found.append(reach)
        return np.array(found, np.uint64)[self.number]


@dataclass(frozen=True, eq=False)
class RiskLimits:
    """Limits of the risks of each unit in the tables of `classes`.

    Attributes
    ----------
    classes : tables, keys and choices
    cells : for each table (u,), the unit's cell
    risks : for each table
    limits : for each table a number, or one for each unit: its risk must be below; inf: whatever it is
    unsafe : whether all units asked about are known to lose something
    """

    classes: RecordClasses
    cells: Sequence[NDArray[np.uint32]]
    risks: Sequence[MarginRisks]
    limits: Sequence[float | Floats]
    unsafe: bool = False
    progress: Progress = SILENT

    @property
    def choices(self) -> Choices:
        """See `Demands`."""
        return self.classes.choices

    def first(self, units: Ints, missing: int, fixed: int) -> Masks:
        """See `Demands`."""
        found = np.full(len(units), UNSOLVED, np.uint64)
        pending = np.arange(len(units))
        for candidate in islice(self.choices.where_fixed(fixed, missing), int(self.unsafe), None):
            if not len(pending):
                break
            self.progress.check()
            met = self._met(units[pending], missing, candidate.newly)
            found[pending[met]] = candidate.newly
            pending = pending[~met]
        return found

    def _met(self, units: Ints, missing: int, newly: int) -> Flags:
        """Which of the units are below every limit after the suppression `newly`."""
        met = np.ones(len(units), np.bool_)
        for table, (risk, limits, cells) in enumerate(zip(self.risks, self.limits, self.cells, strict=True)):
            own = limits[units] if isinstance(limits, np.ndarray) else limits
            if np.any(own < np.inf):
                met &= risk.at(self.classes.keep(table, missing, newly), cells[units]) < own
        return met

    def reach(self, joint: Shared) -> Masks:
        """See `Demands`; any, as far as is known without margins."""
        return np.full(len(self.cells[0]), joint.all, np.uint64)


def own_choices(choices: Choices, joint: Shared, together: int, missing: int) -> Iterator[int]:
    """What can go missing in a member with `missing` variables where the household variables `together` go, best first.

    Masks that hold the shared part, too; the other household variables stay. None where something must stay that is
    suppressed with what the household shares.
    """
    gone, fixed = joint.newly(together, missing, choices.fixed), joint.stays(together, choices.fixed)
    if gone is None:
        return
    for candidate in candidates(choices.n_keys, choices.closures, choices.costs, missing | gone, fixed):
        yield candidate.newly | gone


def cover_records(demands: Demands, missing: Masks, units: Ints) -> Masks:
    """What each of the `units` loses at best, each by itself; `UNSOLVED` where nothing meets its demands.

    Parameters
    ----------
    missing : (u,) of all units, the variables that are missing originally
    """
    newly = np.empty(len(units), np.uint64)
    for mask, places in by_mask(missing[units]):
        newly[places] = demands.first(units[places], mask, demands.choices.fixed)
    return newly


@dataclass(eq=False)
class Covered:
    """The best choice of each household, and what goes missing in each member by it.

    Attributes
    ----------
    loss : (A,), inf where nothing meets the demands; count, union : values, and keys that go in any member
    newly : (p,) masks of what goes in each member
    bound : (A,), what each household loses at least
    unproven : (A,), whether not all choices were tried
    """

    loss: Floats
    count: Ints
    union: Masks
    newly: Masks
    bound: Floats
    unproven: Flags


def cover_households(
    demands: Demands, people: AffectedHouseholds, joint: Shared, progress: Progress = SILENT
) -> Covered:
    """The best choice of each household.

    Of up to `MOST_SHARED` household variables every set is tried; else, of households that more than `FEW_SHARED`
    concern, sets of so many, and their bound is that each member decides for itself.

    Parameters
    ----------
    demands : of the units of `people`
    joint : the sets of household variables that may go for all
    """
    return _Households(demands, people, joint, progress).covered()


class _Households:
    def __init__(self, demands: Demands, people: AffectedHouseholds, joint: Shared, progress: Progress) -> None:
        self._demands, self._people, self._joint = demands, people, joint
        self._choices, self._progress = demands.choices, progress
        reach = demands.reach(joint)
        self._reach = np.bitwise_or.reduceat(reach[people.unit], people.starts[:-1])
        reached = np.zeros(len(self._reach), np.int64)
        for part in joint.generators:
            reached += self._reach & np.uint64(part) == part
        self._unproven = (reached > FEW_SHARED) & (not joint.complete)

    def covered(self) -> Covered:
        """The best choices."""
        people, joint = self._people, self._joint
        if len(joint.choices) <= MANY_SHARED:
            found = self._best_of(joint.choices, None)
        else:
            losses = SharedLosses(joint, self._choices.costs, people.missing, people.unit, people.starts)
            found = self._best_of(joint.choices, (losses, self._best_of(losses.few(), None).loss))
        found.bound = found.loss
        if self._unproven.any():
            apart = self._members(None, np.ones(len(people.base), np.bool_)).loss
            bound = np.minimum(np.add.reduceat(apart[people.unit], people.starts[:-1]), found.loss)
            found.bound = np.where(self._unproven, bound, found.loss)
        return found

    def _best_of(self, some: Sequence[int], known: tuple[SharedLosses, Floats] | None) -> Covered:
        """The best of some shared choices.

        Passed over are those with household variables that no member's demands reach, which only cost more, and those
        that are dearer by themselves than a choice `known`.
        """
        people, number = self._people, len(self._reach)
        found = Covered(
            np.full(number, np.inf),
            np.zeros(number, np.int64),
            np.zeros(number, np.uint64),
            np.zeros(len(people.unit), np.uint64),
            np.empty(0),
            self._unproven,
        )
        for shared in some:
            useful = self._unproven | (np.uint64(shared) & ~self._reach == 0)
            if known is not None and useful.any():
                useful &= known[0].of(shared) <= np.minimum(known[1], found.loss) + 2 * EQUAL_LOSS
            if useful.any():
                members = np.repeat(useful, people.size)
                wanted = np.zeros(len(people.base), np.bool_)
                wanted[people.unit[members]] = True
                self._take(self._members(shared, wanted), found, useful, members)
        return found

    def _members(self, shared: int | None, wanted: Flags) -> Losses:
        """What the `wanted` units lose at best where `shared` goes for all; None: each decides for itself."""
        joint, choices, missing = self._joint, self._choices, self._people.missing
        fixed = choices.fixed if shared is None else joint.stays(shared, choices.fixed)
        answers = np.full(len(missing), UNSOLVED, np.uint64)
        for mask, every in by_mask(missing):
            units = every[wanted[every]]
            gone = 0 if shared is None else joint.newly(shared, mask, choices.fixed)
            if len(units) and gone is not None:
                own = self._demands.first(units, mask | gone, fixed)
                answers[units] = np.where(own == UNSOLVED, UNSOLVED, own | np.uint64(gone))
        return Losses.of(choices.costs, answers)

    def _take(self, members: Losses, found: Covered, useful: Flags, whose: Flags) -> None:
        """Make what members lose the choice of the `useful` households, `whose` they are, where it is better."""
        people, keys = self._people, (1 << self._choices.n_keys) - 1
        given = members.loss, members.count, members.newly, keys
        if useful.all():
            for part in blocks(len(useful), self._progress, BLOCK):
                best = found.loss[part], found.count[part], found.union[part], found.newly
                kernels.choose(people.starts[part.start : part.stop + 1], people.unit, *given, *best)
            return
        self._progress.check()
        which = np.flatnonzero(useful)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(people.size[which])])
        best = found.loss[which], found.count[which], found.union[which], found.newly[whose]
        kernels.choose(starts, people.unit[whose], *given, *best)
        found.loss[which], found.count[which], found.union[which], found.newly[whose] = best


def _hit(sets: Sequence[Sequence[int]], missing: int, choices: Choices, progress: Progress) -> Masks:
    """The hitting set of each problem, all of which lack the variables `missing`, or `UNSOLVED`."""
    answers = np.empty(len(sets), np.uint64)
    state = np.zeros(3, np.int64)
    stacks = np.empty(hitting.STACK, np.uint64), np.empty(hitting.STACK, np.uint64)
    losses = np.empty(len(sets))
    given = (
        np.array([mask for one in sets for mask in one], np.uint64),
        np.cumsum([0, *map(len, sets)]).astype(np.int64),
        np.full(len(sets), missing, np.uint64),
        np.array(choices.closures, np.uint64),
        np.array(choices.costs, np.float64),
        np.uint64(choices.fixed),
        np.uint64((1 << choices.n_keys) - 1),
    )
    while state[hitting.PROBLEM] < len(sets):
        progress.check()
        progress.report(int(state[hitting.PROBLEM]), len(sets), translate(mark("Choosing suppressions")))
        hitting.solve(*given, *stacks, state, losses, answers, WORK)
    return answers
