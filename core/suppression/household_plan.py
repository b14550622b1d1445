"""Least-loss suppression where members of a household are coupled: by shared variables or by a household threshold.

Given what is suppressed for all members, each member takes the first candidate of the global order that meets its
limits; of the shared choices the household takes the one of least loss. Under the rule ``sufficient`` that is the
optimum, under ``exact`` a knapsack over the members' candidates is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import Notice
from core.kernels import joint as kernels
from core.microdata.columns import EncodedColumn
from core.progress import SILENT, Progress
from core.suppression.candidates import candidates
from core.suppression.costs import Costs
from core.suppression.homes import Demand, Homes, Shared, by_mask, demand, shared
from core.suppression.household_limits import check_protectable
from core.suppression.margin_risks import MarginRisks
from core.suppression.plan import Plan
from core.suppression.rules import Rules
from core.suppression.units import Units
from core.tables.grouping import blocks
from core.texts import mark

BLOCK = 1 << 12
"""Households that one call of a kernel decides."""


@dataclass(frozen=True, eq=False)
class People:
    """The members of the households that are decided, household after household.

    Attributes
    ----------
    records : (p,) int64, records of the file
    starts : (A + 1,) int64, where each household begins
    unit : (p,) uint32, index into the next three: what a member is
    base : (u,) int64, its unit among `Units`
    missing : (u,) uint64, variables that are missing originally
    limits : for each table (u,) float64, below which its risk must be
    """

    records: NDArray[np.int64]
    starts: NDArray[np.int64]
    unit: NDArray[np.uint32]
    base: NDArray[np.int64]
    missing: NDArray[np.uint64]
    limits: tuple[NDArray[np.float64], ...]


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
            np.zeros(len(people.records), np.uint64),
        )


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
    from core.suppression.household_exact import decide_exactly

    risks = [MarginRisks(table, progress) for table in units.tables]
    found = demand(units, risks, homes, progress)
    newly = np.zeros(homes.households.records, np.uint64)
    if not found.affected.any():
        return _carried_out(units, newly, columns, costs, 0.0, ())
    check_protectable(units, risks, found, homes, columns, rules)
    joint = shared(units, rules, homes.variables)
    people = _people(units, found, homes, found.limits)
    chosen = decide(units, people, joint, risks, progress)
    unproven = 0.0 if joint.complete else float(chosen.loss.sum())
    said: tuple[Notice, ...] = ()
    if homes.rule == "exact" and any(table.household_threshold is not None for table in units.tables):
        unproven, said = decide_exactly(units, people, joint, risks, homes, chosen, progress)
    newly[people.records] = chosen.newly
    return _carried_out(units, newly, columns, costs, unproven, said)


def decide(
    units: Units, people: People, joint: Shared, risks: Sequence[MarginRisks], progress: Progress = SILENT
) -> Chosen:
    """The best choice of each household under the members' limits."""
    chosen = Chosen.nothing(people)
    keys = (1 << units.n_keys) - 1
    for together in joint.choices:
        loss, count, newly = _first_sufficient(units, people, joint, together, risks, progress)
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


def own_choices(units: Units, joint: Shared, together: int, missing: int) -> Iterator[int]:
    """What can go missing in a member with `missing` variables where the household variables `together` go, best first.

    Masks that hold the shared part, too; the other household variables stay. None where something must stay that is
    suppressed with what the household shares.
    """
    lists = units.candidates
    gone = joint.gone(together, missing)
    if gone & ~missing & lists.fixed:
        return
    fixed = lists.fixed | joint.all & ~together
    for candidate in candidates(units.n_keys, lists.closures, lists.costs, missing | gone, fixed):
        yield candidate.newly | gone & ~missing


def _first_sufficient(
    units: Units,
    people: People,
    joint: Shared,
    together: int,
    risks: Sequence[MarginRisks],
    progress: Progress,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.uint64]]:
    """Loss (inf: impossible), number and mask of what goes missing in each unit of people, the shared part included."""
    number = len(people.base)
    loss, count, newly = np.full(number, np.inf), np.zeros(number, np.int64), np.zeros(number, np.uint64)
    for missing, pending in by_mask(people.missing):
        for mask in own_choices(units, joint, together, missing):
            progress.check()
            met = below(units, people, pending, missing, mask, risks, people.limits)
            rows = pending[met]
            loss[rows], count[rows], newly[rows] = loss_of(units, mask), mask.bit_count(), mask
            pending = pending[~met]
            if not len(pending):
                break
    return loss, count, newly


def loss_of(units: Units, mask: int) -> float:
    """Loss of the newly missing variables in a mask."""
    costs = units.candidates.costs
    return float(np.float64(sum(costs[v] for v in range(mask.bit_length()) if mask >> v & 1)))


def below(
    units: Units,
    people: People,
    rows: NDArray[np.int64],
    missing: int,
    newly: int,
    risks: Sequence[MarginRisks],
    limits: Sequence[NDArray[np.float64]],
) -> NDArray[np.bool_]:
    """Which units of people are below their limits after the suppression `newly`."""
    met = np.ones(len(rows), np.bool_)
    for table, (risk, limit) in enumerate(zip(risks, limits, strict=True)):
        own = limit[rows]
        if (own < np.inf).any():
            met &= risk.at(units.keep(table, missing, newly), units.cells[table][people.base[rows]]) < own
    return met


def _people(units: Units, found: Demand, homes: Homes, limits: Sequence[NDArray[np.float64]]) -> People:
    """Members of the affected households; alike where unit and limits are."""
    households = homes.households
    size = households.size[found.affected]
    records = households.members[np.repeat(found.affected, households.size)].astype(np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
    number = units.unit_of_record[records].astype(np.uint64)
    for limit in limits:
        of_limit = np.unique(limit[records], return_inverse=True)[1]
        number = number * np.uint64(int(of_limit.max()) + 1) + of_limit.astype(np.uint64)
        number = np.unique(number, return_inverse=True)[1].astype(np.uint64)
    count = int(number.max()) + 1
    example = np.zeros(count, np.int64)
    example[number] = records
    base = units.unit_of_record[example].astype(np.int64)
    of_units = tuple(limit[example] for limit in limits)
    return People(records, starts, number.astype(np.uint32), base, units.missing[base], of_units)


def _carried_out(
    units: Units,
    newly: NDArray[np.uint64],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    unproven: float,
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
        exact=unproven == 0.0,
        notices=notices,
    )


def sufficient_instead(households: int, records: int, reason: str) -> Notice:
    """Said where the rule ``exact`` was asked for and some households took ``sufficient``."""
    return Notice.of(
        "household-rule-sufficient-instead",
        mark(
            "{households} household(s) with {records} records were protected by the sufficient rule instead of the "
            "exact one: {reason}."
        ),
        households=households,
        records=records,
        reason=reason,
    )
