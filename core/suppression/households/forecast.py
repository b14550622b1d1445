"""The forecast staircase where members of a household are coupled: what suppression costs at every threshold.

The thresholds that a forecast of households looks at: all at which something may change, or some of very many.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from ...data.columns import EncodedColumn
from ...kernels import descent as kernels
from ...risk.household import household_risk
from ...risk.individual import lowest_unsafe
from ..costs import Costs
from ..forecast import Forecast
from ..individual import check_rule
from ..margin_risks import MarginRisks
from ..problem import ProtectedTable, RecordClasses, Rules, build_units
from .options import CoupledProblem, Options, options
from .sharing import AffectedHouseholds, HouseholdProblem, everybody, share, shared

MOST_LEVELS = 1 << 21
FEW_LEVELS = 1 << 10
WORK = 1 << 34
"""Up to how many options of all members all levels are looked at, else few; also where options times the members of the
largest household are more."""
SAMPLED = 1 << 14


@dataclass(frozen=True, eq=False)
class Grid:
    """Thresholds.

    Attributes
    ----------
    at : (k,) float64, ascending: those looked at
    up_to : (k,) float64: what changes at ``at[i]`` is told of all thresholds up to this one. Where `at` is not
        complete, that is what lies below the next one: figures are then upper bounds
    complete : whether nothing changes between them
    """

    at: Floats
    up_to: Floats
    complete: bool


def cannot_be_met(
    people: AffectedHouseholds, found: Sequence[Options], scale: Floats, gate: Floats, other: Floats
) -> float:
    """The highest threshold that some household does not meet, whatever is suppressed; 0: none, inf: all.

    Parameters
    ----------
    found : the options under each shared choice
    scale, gate, other : of each household, as `core.kernels.descent.descend` takes them
    """
    lowest = np.full(len(scale), np.inf)
    for part in found:
        last = np.full(len(part.first) - 1, np.inf)
        some = part.first[1:] > part.first[:-1]
        last[some] = part.risk[part.first[1:][some] - 1]
        highest = np.maximum.reduceat(last[people.unit], people.starts[:-1])
        lowest = np.minimum(lowest, np.where(highest < other, highest * scale, np.inf))
    return float(np.where(np.isinf(lowest), np.inf, np.minimum(lowest, gate)).max(initial=0.0))


def thresholds(people: AffectedHouseholds, found: Sequence[Options], scale: Floats, gate: Floats, stuck: float) -> Grid:
    """All levels at which a household's choice may change or, where there are too many, some between which as many lie.

    Parameters
    ----------
    stuck : what cannot be met; told exactly in any case
    """
    members = np.arange(len(people.unit))
    number = sum(int((part.first[1:] - part.first[:-1])[people.unit].sum()) for part in found)
    heads = len(found) * int(people.size.max(initial=1))
    if number <= min(MOST_LEVELS, WORK // heads):
        every = np.unique(np.concatenate([gate, _levels_of(people, found, scale, gate, members)]))
        return Grid(every, every, complete=True)
    some = members[np.linspace(0, len(members) - 1, SAMPLED).astype(np.int64)]
    half = np.linspace(0, 1, FEW_LEVELS // 2)
    parts = [_spread(gate[np.linspace(0, len(gate) - 1, SAMPLED).astype(np.int64)], half)]
    parts.append(_spread(_levels_of(people, found, scale, gate, some), half))
    parts.append(np.array([gate.max(), *((stuck, np.nextafter(stuck, np.inf)) if 0 < stuck < np.inf else ())]))
    chosen = np.unique(np.concatenate(parts))
    return Grid(chosen, np.append(np.nextafter(chosen[1:], 0.0), chosen[-1]), complete=False)


def _spread(levels: Floats, shares: Floats) -> Floats:
    return np.sort(levels)[(shares * (len(levels) - 1)).astype(np.int64)]


def _levels_of(
    people: AffectedHouseholds, found: Sequence[Options], scale: Floats, gate: Floats, members: NDArray[np.int64]
) -> Floats:
    """Levels at which these members leave their options, one gate at least."""
    household = np.repeat(np.arange(len(gate)), people.size)[members]
    parts = [gate[:1]]
    for part in found:
        first, last = part.first[people.unit[members]], part.first[people.unit[members] + np.uint32(1)]
        before = np.cumsum(last - first) - (last - first)
        whose = np.repeat(household, last - first)
        level = part.risk[np.arange(len(whose)) + np.repeat(first - before, last - first)] * scale[whose]
        parts.append(level[level < gate[whose]])
    return np.concatenate(parts)


By = Literal["individual", "household"]
MEMBERS = 1 << 12
"""Members of the households that one call of a kernel takes."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Limits = tuple[Floats, Floats, Floats]


def household_forecast(
    table: ProtectedTable,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    homes: HouseholdProblem,
    by: By = "household",
    progress: Progress = SILENT,
) -> Forecast:
    """The staircase of one table over its household threshold, or over its individual one.

    The threshold of the other kind stays as the table has it. In a file with very many levels the figures are upper
    bounds, which `Forecast.exact` says. Households that cannot be protected count with all their members in
    ``unsafe_left``.

    Parameters
    ----------
    table : missing rule ``observed`` or ``wildcard``
    columns, costs, rules, homes : as in `core.suppression.households.choose.household_plan`
    """
    check_rule(table)
    units = build_units((table,), columns, costs, rules)
    risks = [MarginRisks(table, progress)]
    joint = shared(units, rules, homes.variables)
    people = everybody(units, homes.households, progress)
    problem = CoupledProblem(units, people, joint, risks)
    found = [options(problem, together, progress) for together in joint.choices]
    found = [part for part in found if len(part.mask)]
    scale, gate, other = (limit[people.example] for limit in _limits(table, risks[0].own(), homes, by, progress))
    stuck = cannot_be_met(people, found, scale, gate, other)
    grid = thresholds(people, found, scale, gate, stuck)
    sums = _descend(problem, found, (scale, gate, other), grid.at, progress)
    progress.report(len(people.times), len(people.times), translate(mark("Forecast of suppressions")))
    return _staircase(units, costs, grid.up_to, sums, joint.complete and grid.complete, stuck)


def _limits(table: ProtectedTable, own: Floats, homes: HouseholdProblem, by: By, progress: Progress) -> Limits:
    """For each household: scale, gate and the other limit, as `core.kernels.descent.descend` takes them."""
    households = homes.households
    size = households.size.astype(np.float64)
    of_households = household_risk(own, table.cell_index.of_record, households, progress)
    if by == "household":
        return size, of_households, np.full(len(size), lowest_unsafe(table.threshold))
    largest = np.zeros(len(size))
    np.maximum.at(largest, households.household_of_record, table.cell_index.spread(own))
    limit = lowest_unsafe(table.household_threshold)
    return np.ones(len(size)), largest, np.where(of_households >= limit, share(limit, size), np.inf)


def _descend(problem: CoupledProblem, found: list[Options], limits: Limits, grid: Floats, progress: Progress) -> Ints:
    """Changes when the threshold falls to each of the grid; the last row: at every threshold."""
    units, people = problem.units, problem.people
    number, begin = len(people.times), 0
    sums = np.zeros((len(grid) + 1, len(units.variables) + 2), np.int64)
    given: list[Any] = [*limits, *_together(found), (1 << units.n_keys) - 1, grid, sums]
    while begin < number:
        progress.check()
        progress.report(begin, number, translate(mark("Forecast of suppressions")))
        # Households come ascending by size: as many at once as have about `MEMBERS` members.
        end = max(begin + 1, int(np.searchsorted(people.starts, people.starts[begin] + MEMBERS)) - 1)
        kernels.descend_all(people.starts, people.unit, people.times, begin, min(end, number), *given)
        begin = end
    return sums


def _together(found: list[Options]) -> tuple[NDArray[Any], ...]:
    """Options of all shared choices as the kernel takes them."""
    places = np.cumsum([0, *(len(part.mask) for part in found)])
    numbers = np.cumsum([0, *(len(part.masks.newly) for part in found)])
    return (
        np.stack([part.first + place for part, place in zip(found, places, strict=False)]),
        np.concatenate([part.mask + np.uint32(number) for part, number in zip(found, numbers, strict=False)]),
        np.concatenate([part.risk for part in found]),
        np.concatenate([part.masks.loss for part in found]),
        np.concatenate([part.masks.count for part in found]),
        np.concatenate([part.masks.newly for part in found]),
    )


def _staircase(units: RecordClasses, costs: Costs, levels: Floats, sums: Ints, exact: bool, stuck: float) -> Forecast:
    deltas, always = sums[:-1], sums[-1]
    changing = deltas.any(axis=1)
    levels, deltas = levels[changing], deltas[changing]
    counts = np.zeros((len(levels) + 1, deltas.shape[1]), np.int64)
    np.cumsum(deltas[::-1], axis=0, out=counts[-2::-1] if len(levels) else counts[:0])
    return Forecast(units.variables, costs, levels, counts + always, 0.0 if exact else np.inf, stuck)
