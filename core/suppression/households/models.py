"""Threshold rule and individual risk together where records belong to households.

What a record must lose is a hitting set of its unsafe sets (`core.suppression.unsafe_sets`). A household variable goes
for all members or for none, so a household is decided as a whole: for every set of household variables that may go for
all, each member takes the best hitting set of what that leaves open, and of these choices the household takes the best.
That is the optimum. Sets with a variable that no member's demands reach are not looked at: they only cost more.

Household thresholds: the limits of the members of unsafe households are demands like others.

Not proven to be the best, and given with a bound, are households that more than `FEW_SHARED` of more than `MOST_SHARED`
household variables concern (bound: each record decides apart).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...base.errors import Notice
from ...base.progress import Progress
from ...data.columns import EncodedColumn
from ...kernels import joint as kernels
from ..candidates import EQUAL_LOSS, CandidateLists, positions
from ..costs import Costs
from ..individual import all_of
from ..margin_risks import MarginRisks
from ..problem import ProtectedTable, RecordClasses, Rules
from ..unsafe_sets import UNSOLVED, Choices, UnsafeSets, limited_demands, solved, together
from .choose import Chosen, households_like
from .limits import refusal, without_choice
from .options import Masks
from .sharing import (
    FEW_SHARED,
    MANY_SHARED,
    Demand,
    HouseholdProblem,
    Shared,
    SharedLosses,
    affected_people,
    demand,
    shared_among,
)

Ints = NDArray[np.int64]
Choice = tuple[NDArray[np.float64], Ints, NDArray[np.uint64]]


@dataclass(frozen=True, eq=False)
class Found:
    """What the records of households lose.

    Attributes
    ----------
    newly : (n,) uint64, masks of newly missing variables
    loss : what that costs
    bound : no choice that meets the demands has less loss
    exact : whether every household's choice is proven to be the best
    notices : what has to be said of those that are not
    """

    newly: NDArray[np.uint64]
    loss: float
    bound: float
    exact: bool
    notices: tuple[Notice, ...] = ()

    @classmethod
    def best(cls, newly: NDArray[np.uint64], loss: float) -> Found:
        """A choice that is proven to be the best."""
        return cls(newly, loss, loss, True)


@dataclass(frozen=True, eq=False)
class Group:
    """One group of coupled tables; bit v of every mask is ``names[v]``, keys first.

    Attributes
    ----------
    names, choices : the variables, and what can be suppressed of them
    lacking : by variable, (n,) bool, whose value is missing originally
    """

    names: tuple[str, ...]
    choices: Choices
    lacking: Sequence[NDArray[np.bool_]]
    columns: Mapping[str, EncodedColumn]
    costs: Costs
    rules: Rules
    homes: HouseholdProblem
    progress: Progress

    def joint(self, lacking: Sequence[int] = ()) -> Shared:
        """The shared choices; `lacking` as of `shared_among`."""
        choices = self.choices
        return shared_among(self.names, choices.n_keys, choices.fixed, self.rules, self.homes.variables, lacking)

    @property
    def bits(self) -> dict[str, int]:
        """The bit of each variable."""
        return {name: v for v, name in enumerate(self.names)}


def protect_households(group: Group, parts: Sequence[UnsafeSets], tables: Sequence[ProtectedTable]) -> Found:
    """The best choices after which all demands and the household thresholds are met.

    Parameters
    ----------
    parts : the demands of the records by themselves, each of which can be met
    tables : the risk tables of the group

    Raises
    ------
    ProtectionError
        Household thresholds that cannot be met; households that cannot give up what their members must.
    """
    homes, progress, records = group.homes, group.progress, group.homes.households.records
    judging = tuple(table for table in tables if table.household_threshold is not None)
    if not judging:
        return _Decision(group, together(parts, records, progress)).found()
    all_of(partial(_refuse, table, group) for table in judging)
    risks = [MarginRisks(table, progress) for table in judging]
    judged = demand(judging, risks, homes, progress)
    more = [
        part
        for table, limits in zip(judging, judged.limits, strict=True)
        for part in limited_demands(table, limits, group.bits, progress)
    ]
    return _Decision(group, together([*parts, *more], records, progress)).found()


def _refuse(table: ProtectedTable, group: Group) -> None:
    error = refusal(table, group.columns, group.rules, group.homes)
    if error is not None:
        raise error


class _Decision:
    """The choice of every household in which something has to go.

    Parameters
    ----------
    asked : the demands that every choice has to meet
    """

    def __init__(self, group: Group, asked: UnsafeSets) -> None:
        households = group.homes.households
        affected = np.zeros(len(households), np.bool_)
        affected[households.household_of_record[asked.of_record > 0]] = True
        self._group, self._asked, self._affected = group, asked, affected
        self._joint = group.joint()
        if affected.any():
            self._units, first = _units(group, asked, self._joint, affected)
            self._joint = group.joint(np.unique(self._units.missing).tolist())
            self._people = affected_people(self._units, Demand((), (), affected), households, group.progress)
            self._first = first[self._people.base]

    def found(self) -> Found:
        """The best choices.

        Raises
        ------
        ProtectionError
            ``households-without-choice``
        """
        group = self._group
        if not self._affected.any():
            return Found.best(np.zeros(group.homes.households.records, np.uint64), 0.0)
        people = self._people
        chosen, bound, unproven = self._hit(self._asked, self._asked.of_record[self._first])
        stay = np.isinf(chosen.loss)
        if stay.any():
            raise without_choice(self._units, group.homes, households_like(people, stay, group.homes))
        newly = people.to_records(chosen.newly, group.homes.households.records)
        loss = chosen.total(people)
        lost_at_least = np.where(unproven, np.minimum(bound, chosen.loss), chosen.loss)
        proven = not unproven.any()
        return Found(newly, loss, loss if proven else float((lost_at_least * people.times).sum()), proven)

    def _hit(self, demands: UnsafeSets, number: Ints) -> tuple[Chosen, NDArray[np.float64], NDArray[np.bool_]]:
        """The best choices that meet `demands`, what each household loses at least, and where that is not the same.

        Parameters
        ----------
        number : of each unit of people, index into the masks of `demands`
        """
        people, joint = self._people, self._joint
        reach = _reach(demands, joint)[number]
        reach = np.bitwise_or.reduceat(reach[people.unit], people.starts[:-1])
        reached = np.zeros(len(reach), np.int64)
        for part in joint.generators:
            reached += reach & np.uint64(part) == part
        unproven = (reached > FEW_SHARED) & (not joint.complete)
        allowed = reach, unproven
        if len(joint.choices) <= MANY_SHARED:
            chosen = self._try(demands, number, joint.choices, allowed, None)
        else:
            losses = SharedLosses(joint, self._group.choices.costs, people.missing, people.unit, people.starts)
            known = self._try(demands, number, losses.few(), allowed, None).loss
            chosen = self._try(demands, number, joint.choices, allowed, (losses, known))
        if not unproven.any():
            return chosen, chosen.loss, unproven
        apart = self._best(demands, number, None, np.unique(people.unit))[0]
        bound = np.add.reduceat(apart[people.unit], people.starts[:-1])
        return chosen, np.where(unproven, bound, chosen.loss), unproven

    def _try(
        self, demands: UnsafeSets, number: Ints, some: Sequence[int],
        allowed: tuple[NDArray[np.uint64], NDArray[np.bool_]], known: tuple[SharedLosses, NDArray[np.float64]] | None,
    ) -> Chosen:  # fmt: skip
        """The best of some shared choices; those that are dearer by themselves than a choice `known` are passed over.

        Parameters
        ----------
        allowed : the household variables that each household's demands reach, and whether it takes others, too
        """
        people, (reach, free) = self._people, allowed
        chosen = Chosen.nothing(people)
        for shared in some:
            useful = free | (np.uint64(shared) & ~reach == 0)
            if known is not None and useful.any():
                useful &= known[0].of(shared) <= np.minimum(known[1], chosen.loss) + 2 * EQUAL_LOSS
            if useful.any():
                places = np.flatnonzero(np.repeat(useful, people.size))
                wanted = np.zeros(len(people.base), np.bool_)
                wanted[people.unit[places]] = True
                choice = self._best(demands, number, shared, np.flatnonzero(wanted))
                self._take(choice, chosen, np.flatnonzero(useful), places)
        return chosen

    def _best(self, demands: UnsafeSets, number: Ints, shared: int | None, units: Ints) -> Choice:
        """Loss (inf: impossible), number and mask of what each of the `units` loses at best where `shared` goes.

        None: every record decides for itself what goes.
        """
        joint, choices, people = self._joint, self._group.choices, self._people
        fixed = choices.fixed if shared is None else joint.stays(shared, choices.fixed)
        rows, problems = list[int](), list[int]()
        places = dict[tuple[int, int, int], int]()
        for u, missing in zip(units.tolist(), people.missing[units].tolist(), strict=True):
            gone = 0 if shared is None else joint.gone(shared, missing)
            if not gone & ~missing & fixed:
                rows.append(u)
                problems.append(places.setdefault((int(number[u]), missing | gone, gone & ~missing), len(places)))
        loss = np.full(len(people.base), np.inf)
        count, newly = np.zeros(len(loss), np.int64), np.zeros(len(loss), np.uint64)
        masks = [tuple(mask for mask in demands.masks[one] if not mask & missing) for one, missing, _ in places]
        missing = np.array([missing for _, missing, _ in places], np.uint64)
        answers = solved(masks, missing, replace(choices, fixed=fixed), self._group.progress)
        solvable = answers != UNSOLVED
        answers = np.where(solvable, answers | np.array([gone for _, _, gone in places], np.uint64), 0)
        distinct, which = np.unique(answers, return_inverse=True)
        known = Masks.of(self._units, distinct.tolist())
        loss[rows] = np.where(solvable, known.loss[which], np.inf)[problems]
        count[rows], newly[rows] = known.count[which][problems], answers[problems]
        return loss, count, newly

    def _take(self, choice: Choice, chosen: Chosen, which: Ints, places: Ints) -> None:
        """Make the choice that of the households `which`, with members at `places`, where it is better."""
        people = self._people
        self._group.progress.check()
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(people.size[which])])
        best = chosen.loss[which], chosen.count[which], chosen.union[which], chosen.newly[places]
        kernels.choose(starts, people.unit[places], *choice, (1 << self._units.n_keys) - 1, *best)
        chosen.loss[which], chosen.count[which], chosen.union[which], chosen.newly[places] = best


def _reach(demands: UnsafeSets, joint: Shared) -> NDArray[np.uint64]:
    """The household variables that may go for the sake of each of the demands."""
    found = []
    for masks in demands.masks:
        some = 0
        for mask in masks:
            some |= mask
        reach = 0
        for v in positions(some):
            reach |= joint.closures[v] & joint.all
        found.append(reach)
    return np.array(found, np.uint64)


def _units(group: Group, asked: UnsafeSets, joint: Shared, affected: NDArray[np.bool_]) -> tuple[RecordClasses, Ints]:
    """The units of the records in the households `affected`, and a record of each."""
    households, choices = group.homes.households, group.choices
    records = households.members[np.repeat(affected, households.size)].astype(np.int64)
    matters = joint.all
    for v, closure in enumerate(choices.closures):
        matters |= closure & ~(1 << v)
    lacking = np.zeros(len(records), np.uint64)
    for v, flags in enumerate(group.lacking):
        if matters >> v & 1:
            lacking |= flags[records].astype(np.uint64) << np.uint64(v)
    kind = np.zeros(len(records), np.int64)
    for numbers in (lacking, asked.of_record[records]):
        distinct, number = np.unique(numbers, return_inverse=True)
        kind = np.unique(kind * len(distinct) + number, return_inverse=True)[1]
    first = np.zeros(int(kind.max()) + 1, np.int64)
    first[kind[::-1]] = np.arange(len(kind) - 1, -1, -1)
    unit_of_record = np.zeros(households.records, np.uint32)
    unit_of_record[records] = kind
    return RecordClasses(
        (),
        group.names,
        choices.n_keys,
        (),
        (),
        lacking[first],
        np.bincount(kind),
        unit_of_record,
        CandidateLists(choices.n_keys, choices.closures[: choices.n_keys], choices.costs, choices.fixed),
    ), records[first]
