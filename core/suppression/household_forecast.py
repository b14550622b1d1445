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
HELD = 1 << 22

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
    """Sums of rows by level, compressed whenever `HELD` rows wait."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._waiting: list[tuple[Floats, NDArray[np.int32]]] = []
        self._held = 0
        self._done: tuple[Floats, Ints] = np.zeros(0), np.zeros((0, width), np.int64)

    def add(self, levels: Floats, deltas: NDArray[np.int32]) -> None:
        """Add copies of the rows."""
        self._waiting.append((levels.copy(), deltas.copy()))
        self._held += len(levels)
        if self._held > HELD:
            self._compress()

    def all(self) -> tuple[Floats, Ints]:
        """Levels, ascending, and the sum of their rows."""
        self._compress()
        return self._done

    def _compress(self) -> None:
        if not self._waiting:
            return
        levels, rows = zip(*self._waiting, strict=True)
        self._waiting, self._held = [], 0
        fresh = _by_level(np.concatenate(levels), np.concatenate(rows))
        both = [np.concatenate(pair) for pair in zip(self._done, fresh, strict=True)]
        self._done = _by_level(both[0], both[1])


def _by_level(levels: Floats, rows: NDArray[np.signedinteger]) -> tuple[Floats, Ints]:
    order = np.argsort(levels, kind="stable")
    ordered = levels[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    if not len(starts):
        return ordered, rows.astype(np.int64)
    return ordered[starts], np.add.reduceat(rows[order], starts, dtype=np.int64)


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
