"""Least-loss suppression where members of a household are coupled: by shared variables or by a household threshold.

Given what is suppressed for all members, each member takes the first candidate of the global order that meets its
limits; of the shared choices the household takes the one of least loss. Under the rule ``sufficient`` that is the
optimum, under ``exact`` a knapsack over the members' candidates is.

The rule ``exact``: the cheapest suppressions after which a household's own risk is below its threshold.

Where one table judges, a member's options are ever dearer and ever safer ones; where several coupled tables do, they
are those to which no cheaper one is preferable in every table (`core.suppression.households.options`).

Of the cheapest choices one with the fewest values is taken, always the same one, but not the first by position. Losses
are compared in steps of 2^-34, so that costs which differ by less than 1e-9 and by more than 6e-11 are not equal here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark, phrase
from core.data.columns import EncodedColumn, count_records, records_of_rows
from core.kernels import coupled
from core.kernels import joint as kernels
from core.risk.individual import lowest_unsafe
from core.suppression.candidates import EQUAL_LOSS
from core.suppression.costs import Costs
from core.suppression.households.limits import check_protectable, without_choice
from core.suppression.households.options import (
    CoupledOptions,
    CoupledProblem,
    Options,
    below,
    coupled_options,
    loss_of,
    options,
    own_choices,
)
from core.suppression.households.sharing import (
    MANY_SHARED,
    AffectedHouseholds,
    Demand,
    HouseholdProblem,
    SharedLosses,
    affected_people,
    by_mask,
    demand,
    shared,
)
from core.suppression.margin_risks import MarginRisks
from core.suppression.plan import Plan
from core.suppression.problem import RecordClasses, Rules
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
    def nothing(cls, people: AffectedHouseholds) -> Chosen:
        """No choice yet: every one is better."""
        number = len(people.starts) - 1
        return cls(
            np.full(number, np.inf),
            np.zeros(number, np.int64),
            np.zeros(number, np.uint64),
            np.zeros(len(people.unit), np.uint64),
        )

    def total(self, people: AffectedHouseholds, which: NDArray[np.bool_] | slice = slice(None)) -> float:
        """Loss of the households `which` with all that are like them."""
        return float((self.loss[which] * people.times[which]).sum())


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
        return _carried_out(units, nothing, columns, costs, 0.0, True, ())
    check_protectable(units, risks, found, homes, columns, rules)
    joint = shared(units, rules, homes.variables)
    people = affected_people(units, found, homes.households, progress)
    problem = CoupledProblem(units, people, joint, risks, people.limits)
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


def _carried_out(
    units: RecordClasses,
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
    records = records_of_rows(columns.values())
    by_variable = {name: count_records(flags, records) for name, flags in suppressed.items()}
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
        count_records(newly != 0, records),
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


EXACT_BLOCK = 1 << 9
_ROUNDING = 1e-13
"""What the order in which one more member is added may change in a sum of very many, relative to it."""


def log_of(risk: NDArray[np.float64]) -> NDArray[np.float64]:
    """-log(1 - r): what members' risks add up in."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log1p(-risk))


def log_limit(limit_risk: float) -> float:
    """The sum of -log(1 - r) below which a household's risk, counted as others count it, is below `limit_risk`."""
    limit = -math.log1p(-limit_risk) if limit_risk < 1 else math.inf
    step = limit * 1e-14
    while -math.expm1(step - limit) >= limit_risk:
        step *= 2
    return limit - step


@dataclass(frozen=True, eq=False)
class _Task:
    """What has to be decided exactly, and the best choices so far.

    Attributes
    ----------
    people : the distinct households
    chosen : their best choices, which suffice at first; improved
    judging : tables with a household threshold
    limits : (A, judging) float64, for each household below which the sum of logs must be; inf: none
    several : (A,) bool, households for which a knapsack is solved
    sufficient : (A,) float64, loss of the choices that suffice; inf where there is none
    gave_up : (A,) bool, those of which the knapsack was too large; filled in
    keys : bits that decide among equals
    """

    people: AffectedHouseholds
    chosen: Chosen
    judging: tuple[int, ...]
    limits: NDArray[np.float64]
    several: NDArray[np.bool_]
    sufficient: NDArray[np.float64]
    gave_up: NDArray[np.bool_]
    keys: int

    @classmethod
    def of(cls, problem: CoupledProblem, found: Demand, chosen: Chosen) -> _Task:
        units, people = problem.units, problem.people
        judging = tuple(number for number, table in enumerate(units.tables) if table.household_threshold is not None)
        limits = np.full((len(people.example), len(judging)), np.inf)
        for place, table in enumerate(judging):
            unsafe = found.unsafe_households[table][people.example]
            limits[unsafe, place] = log_limit(lowest_unsafe(units.tables[table].household_threshold))
        size = people.size
        several = (size > 1) & (size <= kernels.MOST_MEMBERS)  # what suffices for one member is the cheapest for it
        nothing = np.zeros(len(size), np.bool_)
        keys = (1 << units.n_keys) - 1
        return cls(people, chosen, judging, limits, several, chosen.loss.copy(), nothing, keys)

    @property
    def lacking(self) -> NDArray[np.bool_]:
        """Those for which no choice is sufficient."""
        return np.isinf(self.sufficient)

    def wanted(self) -> NDArray[np.bool_]:
        """The units of people whose options are needed."""
        wanted = np.zeros(len(self.people.base), np.bool_)
        wanted[self.people.unit[np.repeat(self.several | self.lacking, self.people.size)]] = True
        return wanted

    def parts(self, progress: Progress) -> Iterator[slice]:
        """Households ascending by size, in parts: the work grows with it."""
        starts = self.people.starts
        begin, end = 0, len(starts) - 1
        while begin < end:
            progress.check()
            members = int(starts[min(end, begin + EXACT_BLOCK)] - starts[min(end, begin + EXACT_BLOCK) - 1])
            part = slice(begin, min(end, begin + max(1, EXACT_BLOCK >> max(0, members - 2))))
            yield part
            begin = part.stop

    def arguments(
        self, part: slice, found: Options | CoupledOptions, log: NDArray[np.float64],
        limits: NDArray[np.float64] | float, eligible: NDArray[np.bool_],
    ) -> tuple[Any, ...]:  # fmt: skip
        """What the kernels are told of the households `part`, and what they change."""
        people, chosen, masks = self.people, self.chosen, found.masks
        return (
            people.starts[part.start : part.stop + 1], people.unit, found.first, found.mask, log, masks.loss,
            masks.count, masks.newly, self.keys, limits if isinstance(limits, float) else limits[part],
            eligible[part], chosen.loss[part], chosen.count[part], chosen.union[part], chosen.newly,
        )  # fmt: skip


def decide_exactly(
    problem: CoupledProblem, found: Demand, chosen: Chosen, progress: Progress
) -> tuple[NDArray[np.bool_], tuple[Notice, ...]]:
    """Improve the choices that suffice, household by household, to the cheapest ones.

    A household without a sufficient choice has none before; one that the knapsack is too large for gets the safest
    one, given back as far as that goes. Its loss stays inf where even the safest does not meet the thresholds.

    Returns
    -------
    (A,) bool, the households whose choice is not proven to be the cheapest, and what is to be said of them
    """
    units, joint, number = problem.units, problem.joint, len(problem.people.base)
    task = _Task.of(problem, found, chosen)
    wanted = task.wanted()
    # Limits of single records stay; those that the household threshold would set are the knapsack's business.
    own = replace(problem, limits=[np.full(number, lowest_unsafe(t.threshold)) for t in units.tables])
    useless = tuple(lowest_unsafe(units.tables[table].household_threshold) for table in task.judging)
    for together in joint.choices if wanted.any() else ():
        if len(task.judging) == 1:
            one = options(own, together, task.judging[0], useless[0], wanted, progress)
            log = log_of(one.risk)
            _improve(kernels.choose_exactly, task, one, log, log_limit(useless[0]), progress)
            _concede(task, one, log[None, :], progress)
        else:
            several = coupled_options(own, together, task.judging, useless, wanted, progress)
            log = log_of(several.risk)
            _improve(coupled.choose_together, task, several, log, task.limits, progress)
            _concede(task, several, log, progress)
    return _unproven(task, joint.complete)


def _improve(
    choose: Callable[..., None], task: _Task, found: Options | CoupledOptions, log: NDArray[np.float64],
    limits: NDArray[np.float64] | float, progress: Progress,
) -> None:  # fmt: skip
    """The cheapest choices by the kernel `choose`, which takes so many tables as `log` and `limits` are of."""
    for part in task.parts(progress):
        choose(*task.arguments(part, found, log, limits, task.several), task.gave_up[part])


def _concede(task: _Task, found: Options | CoupledOptions, log: NDArray[np.float64], progress: Progress) -> None:
    """A choice for those without a sufficient one for whom no knapsack was solved; log is (judging, options)."""
    without = task.lacking & (task.gave_up | ~task.several)
    if not without.any():
        return
    size = task.people.size
    many = size > kernels.MOST_MEMBERS
    limits = task.limits * (1 - _ROUNDING * (size * many))[:, None]
    for part in task.parts(progress):
        coupled.choose_somehow(*task.arguments(part, found, log, limits, without))


def _unproven(task: _Task, complete: bool) -> tuple[NDArray[np.bool_], tuple[Notice, ...]]:
    """The households whose choice is not proven to be the cheapest, and what is to be said of them."""
    people = task.people
    unproven = task.gave_up | (people.size > kernels.MOST_MEMBERS)
    reason = phrase("more than {members} members or too many choices", members=kernels.MOST_MEMBERS)
    improved = task.chosen.loss < task.sufficient
    said = []
    for which, notice in ((unproven & ~improved, sufficient_instead), (unproven & improved, not_least)):
        if which.any():
            times = people.times[which]
            said.append(notice(int(times.sum()), int((times * people.size[which]).sum()), reason))
    return unproven | (not complete), tuple(said)
