"""The forecast staircase where members of a household are coupled: what suppression costs at every threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.kernels import descent as kernels
from core.microdata.columns import EncodedColumn
from core.progress import SILENT, Progress
from core.risk.household import household_risk
from core.suppression.costs import Costs
from core.suppression.forecast import Forecast
from core.suppression.homes import Homes, lowest, shared
from core.suppression.household_exact import Options, options
from core.suppression.household_plan import People
from core.suppression.margin_risks import MarginRisks
from core.suppression.original_counts import check_rule
from core.suppression.rules import Rules
from core.suppression.units import Table, Units, build_units
from core.texts import mark, translate

By = Literal["individual", "household"]
BLOCK = 1 << 10
ROWS = 1 << 16

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


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
    ``sufficient``, so that under ``exact`` the figures are upper bounds, which `Forecast.exact` says. Households that
    cannot be protected count with all their members in ``unsafe_left``.

    Parameters
    ----------
    table : missing rule ``observed`` or ``wildcard``
    columns, costs, rules, homes : as in `core.suppression.by_households.optimise_households`
    """
    check_rule(table)
    units = build_units((table,), columns, costs, rules)
    risks = [MarginRisks(table, progress)]
    joint = shared(units, rules, homes.variables)
    households = homes.households
    people = _everybody(units, homes)
    found = [options(units, people, joint, together, risks, 0, [], progress) for together in joint.choices]
    limits = _limits(table, risks[0].own(), homes, by, progress)
    levels, deltas = _descend(units, people, found, limits, progress)
    exact = joint.complete and not (homes.rule == "exact" and (by == "household" or table.household_threshold))
    progress.report(len(households), len(households), translate(mark("Forecast of suppressions")))
    return _staircase(units, costs, levels, deltas, exact)


def _everybody(units: Units, homes: Homes) -> People:
    households = homes.households
    return People(
        households.members.astype(np.int64),
        households.starts,
        units.unit_of_record[households.members],
        np.arange(len(units.records)),
        units.missing,
        (),
    )


def _limits(table: Table, own: Floats, homes: Homes, by: By, progress: Progress) -> tuple[Floats, Floats, Floats]:
    """For each household: scale, gate and the other limit, as `core.kernels.descent.descend` takes them."""
    households = homes.households
    size = households.size.astype(np.float64)
    of_households = household_risk(own, table.cells.cell_of_record, households, progress)
    if by == "household":
        return size, of_households, np.full(len(size), lowest(table.threshold))
    largest = np.zeros(len(size))
    np.maximum.at(largest, households.household_of_record, own[table.cells.cell_of_record])
    limit = lowest(table.household_threshold)
    return np.ones(len(size)), largest, np.where(of_households >= limit, limit / size, np.inf)


def _descend(
    units: Units, people: People, found: list[Options], limits: tuple[Floats, Floats, Floats], progress: Progress
) -> tuple[Floats, Ints]:
    """Levels, ascending, and the sum of all changes at each."""
    counts = np.cumsum([0, *(len(part.loss) for part in found)])
    first = np.stack([part.first + offset for part, offset in zip(found, counts, strict=False)])
    loss, count, newly, risk = (
        np.concatenate([getattr(part, name) for part in found]) for name in ("loss", "count", "newly", "risk")
    )
    keys = (1 << units.n_keys) - 1
    number = len(people.starts) - 1
    sums = _Sums(len(units.variables) + 2)
    done = 0
    rows = ROWS
    levels, deltas = np.empty(rows), np.zeros((rows, sums.width), np.int32)
    used = np.zeros(1, np.int64)
    while done < number:
        progress.check()
        progress.report(done, number, translate(mark("Forecast of suppressions")))
        deltas[:] = 0
        after = kernels.descend_all(
            people.starts, people.unit, done, min(number, done + BLOCK), *limits, first, loss, count, newly, risk,
            keys, levels, deltas, used,
        )  # fmt: skip
        if after == done:  # one household with more changes than there are rows
            rows *= 4
            levels, deltas = np.empty(rows), np.zeros((rows, sums.width), np.int32)
        sums.add(levels[: used[0]], deltas[: used[0]])
        done = after
    return sums.all()


class _Sums:
    """Sums of rows by level: a dictionary that grows."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._used = np.zeros(1, np.int64)
        self._keys = np.zeros(0, np.uint64)
        self._sums: Ints = np.zeros((0, width), np.int64)
        self._grow(1 << 12)

    def _grow(self, capacity: int) -> None:
        count = int(self._used[0])
        keys, sums = np.zeros(capacity, np.uint64), np.zeros((capacity, self.width), np.int64)
        keys[:count], sums[:count] = self._keys[:count], self._sums[:count]
        self._keys, self._sums = keys, sums
        self._slots = np.full(2 * capacity, -1, np.int32)
        kernels.enter(keys, count, self._slots)

    def add(self, levels: Floats, deltas: NDArray[np.int32]) -> None:
        """Add rows."""
        done, bits = 0, levels.view(np.uint64)
        while True:
            done = kernels.tally(bits, deltas, done, len(bits), self._slots, self._keys, self._sums, self._used)
            if done == len(bits):
                break
            self._grow(2 * len(self._keys))

    def all(self) -> tuple[Floats, Ints]:
        """Levels, ascending, and the sum of their rows."""
        count = int(self._used[0])
        levels = self._keys[:count].view(np.float64)
        order = np.argsort(levels, kind="stable")
        return levels[order], self._sums[:count][order]


def _staircase(units: Units, costs: Costs, levels: Floats, deltas: Ints, exact: bool) -> Forecast:
    always = deltas[np.isinf(levels)].sum(axis=0)
    levels, deltas = levels[np.isfinite(levels)], deltas[np.isfinite(levels)]
    changing = deltas.any(axis=1)
    levels, deltas = levels[changing], deltas[changing]
    counts = np.zeros((len(levels) + 1, deltas.shape[1]), np.int64)
    np.cumsum(deltas[::-1], axis=0, out=counts[-2::-1] if len(levels) else counts[:0])
    stuck = np.flatnonzero(deltas[:, -1])
    lowest_threshold = float(levels[stuck[-1]]) if len(stuck) else 0.0
    if always[-1]:
        lowest_threshold = np.inf
    return Forecast(units.variables, costs, levels, counts + always, 0.0 if exact else np.inf, lowest_threshold)
