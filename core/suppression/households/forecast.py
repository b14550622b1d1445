"""The forecast staircase where members of a household are coupled: what suppression costs at every threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate
from core.data.columns import EncodedColumn
from core.kernels import descent as kernels
from core.risk.household import household_risk
from core.risk.individual import lowest_unsafe
from core.suppression.costs import Costs
from core.suppression.forecast import Forecast
from core.suppression.households.household_grid import cannot_be_met, thresholds
from core.suppression.households.household_people import People, everybody
from core.suppression.households.options import Options, Problem, options
from core.suppression.households.sharing import Homes, share, shared
from core.suppression.individual import check_rule
from core.suppression.margin_risks import MarginRisks
from core.suppression.problem import Table, Units, build_units
from core.suppression.rules import Rules

By = Literal["individual", "household"]
MEMBERS = 1 << 12
"""Members of the households that one call of a kernel takes."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Limits = tuple[Floats, Floats, Floats]


def household_forecast(
    table: Table,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    homes: Homes,
    by: By = "household",
    progress: Progress = SILENT,
) -> Forecast:
    """The staircase of one table over its household threshold, or over its individual one.

    The threshold of the other kind stays as the table has it. A household threshold is met by the rule
    ``sufficient``, so that under ``exact`` the figures are upper bounds, which `Forecast.exact` says; so are they in a
    file with very many levels (`core.suppression.households.household_grid`). Households that cannot be protected count
    with all their members in ``unsafe_left``.

    Parameters
    ----------
    table : missing rule ``observed`` or ``wildcard``
    columns, costs, rules, homes : as in `core.suppression.households.optimise.optimise_households`
    """
    check_rule(table)
    units = build_units((table,), columns, costs, rules)
    risks = [MarginRisks(table, progress)]
    joint = shared(units, rules, homes.variables)
    people = everybody(units, homes.households, progress)
    problem = Problem(units, people, joint, risks)
    found = [options(problem, together, 0, progress=progress) for together in joint.choices]
    found = [part for part in found if len(part.mask)]
    scale, gate, other = (limit[people.example] for limit in _limits(table, risks[0].own(), homes, by, progress))
    stuck = cannot_be_met(people, found, scale, gate, other)
    grid = thresholds(people, found, scale, gate, stuck)
    sums = _descend(units, people, found, (scale, gate, other), grid.at, progress)
    exact = joint.complete and not (homes.rule == "exact" and (by == "household" or table.household_threshold))
    progress.report(len(people.times), len(people.times), translate(mark("Forecast of suppressions")))
    return _staircase(units, costs, grid.up_to, sums, exact and grid.complete, stuck)


def _limits(table: Table, own: Floats, homes: Homes, by: By, progress: Progress) -> Limits:
    """For each household: scale, gate and the other limit, as `core.kernels.descent.descend` takes them."""
    households = homes.households
    size = households.size.astype(np.float64)
    of_households = household_risk(own, table.cells.cell_of_record, households, progress)
    if by == "household":
        return size, of_households, np.full(len(size), lowest_unsafe(table.threshold))
    largest = np.zeros(len(size))
    np.maximum.at(largest, households.household_of_record, own[table.cells.cell_of_record])
    limit = lowest_unsafe(table.household_threshold)
    return np.ones(len(size)), largest, np.where(of_households >= limit, share(limit, size), np.inf)


def _descend(
    units: Units, people: People, found: list[Options], limits: Limits, grid: Floats, progress: Progress
) -> Ints:
    """Changes when the threshold falls to each of the grid; the last row: at every threshold."""
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


def _staircase(units: Units, costs: Costs, levels: Floats, sums: Ints, exact: bool, stuck: float) -> Forecast:
    deltas, always = sums[:-1], sums[-1]
    changing = deltas.any(axis=1)
    levels, deltas = levels[changing], deltas[changing]
    counts = np.zeros((len(levels) + 1, deltas.shape[1]), np.int64)
    np.cumsum(deltas[::-1], axis=0, out=counts[-2::-1] if len(levels) else counts[:0])
    return Forecast(units.variables, costs, levels, counts + always, 0.0 if exact else np.inf, stuck)
