"""Least-loss suppression where members of a household are coupled: by shared variables or by a household threshold.

Given what is suppressed for all members, each member takes the first candidate of the global order that meets its
limits; of the shared choices the household takes the one of least loss. That is the optimum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn
from ...kernels import joint as kernels
from ...tables.grouping import blocks
from ..candidates import EQUAL_LOSS
from ..costs import Costs
from ..margin_risks import MarginRisks
from ..plan import Plan, ValueMasks, plan_of
from ..problem import RecordClasses, Rules
from .limits import check_protectable, without_choice
from .options import (
    CoupledProblem,
    below,
    loss_of,
    own_choices,
)
from .sharing import (
    MANY_SHARED,
    AffectedHouseholds,
    HouseholdProblem,
    SharedLosses,
    affected_people,
    by_mask,
    demand,
    shared,
)

BLOCK = 1 << 12
"""Households that one call of a kernel decides."""


@dataclass(eq=False)
class Chosen:
    """The best choice so far of each household, and what goes missing in each member by it."""

    loss: NDArray[np.float64]
    count: NDArray[np.int64]
    union: NDArray[np.uint64]
    newly: NDArray[np.uint64]

    @classmethod
    def nothing(cls, people: AffectedHouseholds) -> Chosen:
        """No choice yet: every one is better."""
        number = len(people.starts) - 1
        return cls(
            np.full(number, np.inf),
            np.zeros(number, np.int64),
            np.zeros(number, np.uint64),
            np.zeros(len(people.unit), np.uint64),
        )

    def total(self, people: AffectedHouseholds) -> float:
        """Loss of the households with all that are like them."""
        return float((self.loss * people.times).sum())


def household_plan(
    units: RecordClasses,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    homes: HouseholdProblem,
    progress: Progress = SILENT,
) -> Plan:
    """The plan for coupled tables, households deciding jointly.

    Raises
    ------
    ProtectionError
        A threshold that cannot be met, naming how many households or records, which and why.
    """
    risks = [MarginRisks(table, progress) for table in units.tables]
    found = demand(units.tables, risks, homes, progress)
    if not found.affected.any():
        nothing = np.zeros(homes.households.records, np.uint64)
        return plan_of(ValueMasks(units.variables, nothing), columns, costs, 0.0, True)
    check_protectable(units, risks, found, homes, columns, rules)
    joint = shared(units, rules, homes.variables)
    people = affected_people(units, found, homes.households, progress)
    problem = CoupledProblem(units, people, joint, risks, people.limits)
    chosen = decide(problem, progress)
    stay = np.isinf(chosen.loss)
    if stay.any():
        raise without_choice(units, homes, households_like(people, stay, homes))
    newly = people.to_records(chosen.newly, homes.households.records)
    return plan_of(ValueMasks(units.variables, newly), columns, costs, 0.0, joint.complete)


def households_like(people: AffectedHouseholds, which: NDArray[np.bool_], homes: HouseholdProblem) -> NDArray[np.bool_]:
    """The households of the file that are as those of `people`."""
    flags = np.repeat(which, people.size).astype(np.uint64)
    found = np.zeros(len(homes.households), np.bool_)
    records = np.flatnonzero(people.to_records(flags, homes.households.records))
    found[homes.households.household_of_record[records]] = True
    return found


def decide(problem: CoupledProblem, progress: Progress = SILENT) -> Chosen:
    """The best choice of each household under the members' limits."""
    people, joint = problem.people, problem.joint
    if len(joint.choices) <= MANY_SHARED:
        return _decide(problem, joint.choices, None, progress)
    losses = SharedLosses(joint, problem.units.candidates.costs, people.missing, people.unit, people.starts)
    known = _decide(problem, losses.few(), None, progress).loss
    return _decide(problem, joint.choices, (losses, known), progress)


def _decide(
    problem: CoupledProblem,
    choices: Sequence[int],
    known: tuple[SharedLosses, NDArray[np.float64]] | None,
    progress: Progress,
) -> Chosen:
    """The best of some shared choices; those that are dearer by themselves than a choice `known` are passed over."""
    people = problem.people
    chosen = Chosen.nothing(people)
    keys = (1 << problem.units.n_keys) - 1
    wanted = np.ones(len(people.base), np.bool_)
    for together in choices:
        if known is not None:
            useful = known[0].of(together) <= np.minimum(known[1], chosen.loss) + 2 * EQUAL_LOSS
            if not useful.any():
                continue
            wanted[:] = False
            wanted[people.unit[np.repeat(useful, people.size)]] = True
        loss, count, newly = _first_sufficient(problem, together, wanted, progress)
        for part in blocks(len(chosen.loss), progress, BLOCK):
            kernels.choose(
                people.starts[part.start : part.stop + 1],
                people.unit,
                loss,
                count,
                newly,
                keys,
                chosen.loss[part],
                chosen.count[part],
                chosen.union[part],
                chosen.newly,
            )
    return chosen


def _first_sufficient(
    problem: CoupledProblem, together: int, wanted: NDArray[np.bool_], progress: Progress
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.uint64]]:
    """Loss (inf: impossible), number and mask of what goes missing in each unit of people, the shared part included.

    `wanted`: (u,) the units that are asked about; of others the loss is inf.
    """
    units, people = problem.units, problem.people
    number = len(people.base)
    loss, count, newly = np.full(number, np.inf), np.zeros(number, np.int64), np.zeros(number, np.uint64)
    for missing, every in by_mask(people.missing):
        pending = every[wanted[every]]
        for mask in own_choices(problem, together, missing) if len(pending) else ():
            progress.check()
            met = below(problem, pending, missing, mask)
            rows = pending[met]
            loss[rows], count[rows], newly[rows] = loss_of(units, mask), mask.bit_count(), mask
            pending = pending[~met]
            if not len(pending):
                break
    return loss, count, newly
