"""What suppression by released keys costs at most, at every threshold.

The best release of one threshold says nothing exact of another one. But a higher threshold asks for less: whatever is
safe at a threshold is safe at all above it. So short searches at some thresholds bound the loss at all of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...base.errors import RecipeError
from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from ...data.columns import EncodedColumn
from ...risk.individual import lowest_unsafe
from ..costs import Costs
from ..forecast import Forecast
from ..households.sharing import HouseholdProblem, couples
from ..problem import ProtectedTable, Rules, build_units
from .least_sizes import ReleasedRisks
from .optimise import problem_of
from .problem import ReleaseProblem, demands
from .search import Effort, WithoutReleasedKey, gone_by, release

_SHORT = Effort(400, 0, 20, repairs=100)
_MANY = 250
"""A round takes the longer, the more records have to meet: above so many there are fewer rounds."""
_FEWEST, _MOST, _WORK = 12, 40, 1 << 23
"""Thresholds at which a release is searched for, and pairs of unit and set of keys that are looked at in all."""
_BELOW = 3
"""So many of them lie below all risks of the file."""


def released_forecast(
    table: ProtectedTable,
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules,
    least_records: int = 1,
    homes: HouseholdProblem | None = None,
    progress: Progress = SILENT,
) -> Forecast:
    """The staircase of one table judged by released keys, an upper bound everywhere, closest at its `threshold`.

    Parameters
    ----------
    table : missing rule ``observed``
    columns, costs, rules : as in `core.suppression.joint.optimise.optimise_released_keys`
    least_records : every released key has so many records at least

    Raises
    ------
    RecipeError
        Members of households are coupled, by variables or by a household threshold.
    """
    if homes is not None and couples((table,), rules, homes):
        raise RecipeError(
            "no-forecast",
            mark("There is no forecast by released keys where members of a household are coupled."),
            mark("The plan itself says what it costs."),
        )
    units = build_units((table,), columns, costs, rules)
    risks, cells, variables = ReleasedRisks(table, progress), units.cells[0], len(units.variables)
    grid = _thresholds(risks, cells, units.records, len(table.cells.cards), table.threshold)
    nobody = np.zeros(len(cells), np.int32)
    levels: list[float] = []
    rows: list[NDArray[np.int64]] = []
    for done, threshold in enumerate((*grid, None)):
        progress.report(done, len(grid), translate(mark("Forecast of suppressions")))
        need = nobody if threshold is None else risks.sizes_at(threshold)[cells]
        problem = problem_of(units, costs, rules, demands(need, 0, least_records))
        row = _counts(problem, variables, progress)
        if rows and not rows[-1][-1] and _loss(problem, rows[-1]) <= _loss(problem, row):
            row = rows[-1]  # what is safe at a lower threshold
        rows.append(row)
        levels.append(
            float(risks.own.max(initial=0.0) if threshold is None else np.nextafter(lowest_unsafe(threshold), 0))
        )
    below = np.zeros(variables + 2, np.int64)
    below[-1] = units.records.sum()
    met = [level for level, row in zip(levels, rows, strict=True) if not row[-1]]
    lowest = float(met[0]) if met else math.inf
    return Forecast(units.variables, costs, np.array(levels), np.array([below, *rows]), math.inf, lowest)


def _thresholds(
    risks: ReleasedRisks, cells: NDArray[np.integer], records: NDArray[np.int64], keys: int, own: float | None
) -> list[float]:
    """Where to search, ascending: the table's own threshold, and others evenly by ratio and by records.

    The lowest is what a record without any value meets.
    """
    if not len(cells):
        return []
    alone = risks.at(np.arange(len(risks.own)), np.full(len(risks.own), float(records.sum())))
    low, top = float(alone.max()) * (1 + 1e-9), float(risks.own.max())
    if low >= top:
        return []
    number = max(_FEWEST, min(_MOST, _WORK // (len(cells) << min(keys, 20))))
    order = np.argsort(risks.own[cells], kind="stable")
    places = np.searchsorted(np.cumsum(records[order]), np.linspace(0, records.sum(), number // 2 + 2)[1:-1])
    by_records = risks.own[cells][order[np.minimum(places, len(order) - 1)]]
    least = max(low, float(risks.own.min()))  # below it everybody is unsafe
    by_ratio = np.geomspace(least, top, number - number // 2 - _BELOW), np.geomspace(low, least, _BELOW + 1)[:-1]
    found = np.unique(np.concatenate((*by_ratio, by_records, [] if own is None else [own])))
    return [float(threshold) for threshold in found[(found >= low) & (found <= top)]]


def _counts(problem: ReleaseProblem, variables: int, progress: Progress) -> NDArray[np.int64]:
    """Newly missing values by variable, records touched, records that nothing makes safe."""
    counts = np.zeros(variables + 2, np.int64)
    asked = int(problem.need.max(initial=0))
    short = replace(_SHORT, rounds=_SHORT.rounds * _MANY // max(asked, _MANY))
    try:
        found = release(problem, short, progress=progress)
    except WithoutReleasedKey as error:
        if problem.fixed or asked > problem.records.sum():
            counts[-1] = problem.records[error.units].sum()
            return counts
        # Short as it was, it found no place for all: without any value they share one key, which is enough.
        for v in range(variables):
            counts[v] = problem.records[(problem.missing >> np.uint64(v) & np.uint64(1)) == 0].sum()
        counts[-2] = problem.records[problem.missing != np.uint64((1 << variables) - 1)].sum()
        return counts
    gone = gone_by(problem, found)
    for v in range(variables):
        counts[v] = found.records[(gone >> np.uint64(v) & np.uint64(1)).astype(np.bool_)].sum()
    counts[-2] = found.records[gone != 0].sum()
    return counts


def _loss(problem: ReleaseProblem, counts: NDArray[np.int64]) -> float:
    """What so many values cost; more than anything where records stay unsafe."""
    return math.inf if counts[-1] else float(np.dot(problem.costs, counts[:-2]))
