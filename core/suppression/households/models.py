"""Threshold rule and individual risk together where records belong to households.

What a record must lose is a hitting set of its unsafe sets (`core.suppression.unsafe_sets`); each household is decided
as a whole (`core.suppression.cover`). Household thresholds: the limits of the members of unsafe households are demands
like others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...base.progress import Progress
from ...data.columns import EncodedColumn
from ..candidates import Choices
from ..costs import Costs
from ..cover import SetsToHit
from ..individual import all_of
from ..margin_risks import MarginRisks
from ..problem import ProtectedTable, RecordClasses, Rules
from ..unsafe_sets import UnsafeSets, limited_demands, together
from .choose import Found, choose
from .limits import refusal
from .sharing import Demand, HouseholdProblem, Shared, affected_people, demand, shared_among

Ints = NDArray[np.int64]


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
        return _choose(group, together(parts, records, progress))
    all_of(partial(_refuse, table, group) for table in judging)
    risks = [MarginRisks(table, progress) for table in judging]
    judged = demand(judging, risks, homes, progress)
    more = [
        part
        for table, limits in zip(judging, judged.limits, strict=True)
        for part in limited_demands(table, limits, group.bits, progress)
    ]
    return _choose(group, together([*parts, *more], records, progress))


def _refuse(table: ProtectedTable, group: Group) -> None:
    error = refusal(table, group.columns, group.rules, group.homes)
    if error is not None:
        raise error


def _choose(group: Group, asked: UnsafeSets) -> Found:
    """The best choices that meet all that is asked of every record."""
    homes, choices, progress = group.homes, group.choices, group.progress
    households = homes.households
    affected = np.zeros(len(households), np.bool_)
    affected[households.household_of_record[asked.of_record > 0]] = True
    if not affected.any():
        return Found.best(np.zeros(households.records, np.uint64), 0.0)
    units, first = _units(group, asked, group.joint(), affected)
    joint = group.joint(np.unique(units.missing).tolist())
    people = affected_people(units, Demand((), (), affected), households, progress)
    demands = SetsToHit(asked.masks, asked.of_record[first[people.base]], choices, progress)
    return choose(units, demands, people, joint, homes, progress)


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
        choices,
    ), records[first]
