"""Least-loss suppression where members of a household are coupled: by shared variables or by a household threshold.

Given what is suppressed for all members, each member takes the first candidate of the global order that meets its
limits; of the shared choices the household takes the one of least loss. Under the rule ``sufficient`` that is the
optimum, under ``exact`` a knapsack over the members' candidates is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.data.columns import EncodedColumn
from core.kernels import joint as kernels
from core.suppression.costs import Costs
from core.suppression.households.household_people import People, affected_people
from core.suppression.households.limits import check_protectable, without_choice
from core.suppression.households.options import Problem, below, loss_of, own_choices
from core.suppression.households.sharing import Homes, by_mask, demand, shared
from core.suppression.margin_risks import MarginRisks
from core.suppression.plan import Plan
from core.suppression.problem import Units
from core.suppression.rules import Rules
from core.tables.grouping import blocks

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
    def nothing(cls, people: People) -> Chosen:
        """No choice yet: every one is better."""
        number = len(people.starts) - 1
        return cls(
            np.full(number, np.inf),
            np.zeros(number, np.int64),
            np.zeros(number, np.uint64),
            np.zeros(len(people.unit), np.uint64),
        )

    def total(self, people: People, which: NDArray[np.bool_] | slice = slice(None)) -> float:
        """Loss of the households `which` with all that are like them."""
        return float((self.loss[which] * people.times[which]).sum())


def household_plan(
    units: Units,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    homes: Homes,
    progress: Progress = SILENT,
) -> Plan:
    """The plan for coupled tables, households deciding jointly.

    Raises
    ------
    ProtectionError
        A threshold that cannot be met, naming how many households or records, which and why.
    """
    from core.suppression.households.household_exact import decide_exactly

    risks = [MarginRisks(table, progress) for table in units.tables]
    found = demand(units.tables, risks, homes, progress)
    if not found.affected.any():
        nothing = np.zeros(homes.households.records, np.uint64)
        return _carried_out(units, nothing, columns, costs, 0.0, True, ())
    check_protectable(units, risks, found, homes, columns, rules)
    joint = shared(units, rules, homes.variables)
    people = affected_people(units, found, homes.households, progress)
    problem = Problem(units, people, joint, risks, people.limits)
    chosen = decide(problem, progress)
    said: tuple[Notice, ...] = ()
    unproven = np.full(len(chosen.loss), not joint.complete)
    if homes.rule == "exact" and any(table.household_threshold is not None for table in units.tables):
        unproven, said = decide_exactly(problem, found, chosen, progress)
    stay = np.isinf(chosen.loss)
    if stay.any():
        raise without_choice(units, homes, households_like(people, stay, homes))
    newly = people.to_records(chosen.newly, homes.households.records)
    return _carried_out(units, newly, columns, costs, chosen.total(people, unproven), not unproven.any(), said)


def households_like(people: People, which: NDArray[np.bool_], homes: Homes) -> NDArray[np.bool_]:
    """The households of the file that are as those of `people`."""
    flags = np.repeat(which, people.size).astype(np.uint64)
    found = np.zeros(len(homes.households), np.bool_)
    records = np.flatnonzero(people.to_records(flags, homes.households.records))
    found[homes.households.household_of_record[records]] = True
    return found


def decide(problem: Problem, progress: Progress = SILENT) -> Chosen:
    """The best choice of each household under the members' limits."""
    people = problem.people
    chosen = Chosen.nothing(people)
    keys = (1 << problem.units.n_keys) - 1
    for together in problem.joint.choices:
        loss, count, newly = _first_sufficient(problem, together, progress)
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
    problem: Problem, together: int, progress: Progress
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.uint64]]:
    """Loss (inf: impossible), number and mask of what goes missing in each unit of people, the shared part included."""
    units, people = problem.units, problem.people
    number = len(people.base)
    loss, count, newly = np.full(number, np.inf), np.zeros(number, np.int64), np.zeros(number, np.uint64)
    for missing, pending in by_mask(people.missing):
        for mask in own_choices(problem, together, missing):
            progress.check()
            met = below(problem, pending, missing, mask)
            rows = pending[met]
            loss[rows], count[rows], newly[rows] = loss_of(units, mask), mask.bit_count(), mask
            pending = pending[~met]
            if not len(pending):
                break
    return loss, count, newly


def _carried_out(
    units: Units,
    newly: NDArray[np.uint64],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    unproven: float,
    exact: bool,
    notices: tuple[Notice, ...],
) -> Plan:
    """The plan in which each record loses the variables in its mask `newly`."""
    suppressed = {
        name: (newly >> np.uint64(v) & np.uint64(1)).astype(np.bool_) for v, name in enumerate(units.variables)
    }
    by_variable = {name: int(flags.sum()) for name, flags in suppressed.items()}
    originally = {
        name: int(units.records[(units.missing >> np.uint64(v) & np.uint64(1)).astype(np.bool_)].sum())
        for v, name in enumerate(units.variables)
    }
    loss = costs.loss(by_variable)
    return Plan(
        suppressed,
        by_variable,
        originally,
        sum(by_variable.values()),
        int(np.count_nonzero(newly)),
        loss,
        costs.entropy_loss(by_variable),
        max(0.0, loss - unproven),
        exact=exact,
        notices=notices,
    )


def not_least(households: int, records: int, reason: str) -> Notice:
    """Said where a choice was found that is better than the sufficient one, but not proven to be the best."""
    return Notice.of(
        "household-loss-not-least",
        mark("1 household with {records} records is protected, but perhaps not at the least loss: {reason}.")
        if households == 1
        else mark(
            "{households} households with {records} records are protected, but perhaps not at the least loss: {reason}."
        ),
        households=households,
        records=records,
        reason=reason,
    )


def sufficient_instead(households: int, records: int, reason: str) -> Notice:
    """Said where the rule ``exact`` was asked for and some households took ``sufficient``."""
    return Notice.of(
        "household-rule-sufficient-instead",
        mark(
            "1 household with {records} records was protected by the sufficient rule instead of the exact one: "
            "{reason}."
        )
        if households == 1
        else mark(
            "{households} households with {records} records were protected by the sufficient rule instead of the "
            "exact one: {reason}."
        ),
        households=households,
        records=records,
        reason=reason,
    )
