"""The release of least loss as a mixed-integer programme, for small files.

    least sum of price[e] a[e],   sum over the entries e of a unit of a[e] = its records,
    t v[g, t] <= sum over the entries e of group g of a[e],   a[e] <= records v[g, need of e],   v binary

for every need t > 1 that stands in the line of group g. Once the v are chosen the rest is a flow with lower bounds, so
that the a are whole numbers by themselves. It is solved by HiGHS (Huangfu and Hall 2018) in a process of its own,
which can be stopped at any time. Whatever it says is counted again: a solution counts by its own loss, in whole
records, and only if it is safe; its bound is lowered by what rounding may be worth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...base import child_process
from ...base.progress import SILENT, Progress
from .bound import rounded_up
from .problem import Entries, ReleaseProblem, entries
from .search import ROUNDING, Assignment, released

MOST_COLUMNS = 60_000
"""With more entries than these no programme is made."""


def thoroughly(
    problem: ReleaseProblem,
    found: Assignment,
    *,
    nodes: int = 0,
    stop: Callable[[], bool] = lambda: False,
    progress: Progress = SILENT,
) -> Assignment:
    """The best release, if the solver gets so far; otherwise the better of `found` and its own, with the better bound.

    Parameters
    ----------
    found : a release of the same problem
    nodes : of the search tree at most; 0: as many as it takes
    stop : asked now and then; True: be content with `found`

    Raises
    ------
    Cancelled
        As `progress` asks.
    """
    ways = entries(problem, progress)
    if found.optimal or len(ways.unit) > MOST_COLUMNS:
        return found
    answer = child_process.answer(solve, problem.records, problem.need, ways.unit, ways.group, ways.price,
                                  len(ways.total), nodes, stop=stop, progress=progress)  # fmt: skip
    if answer is None:
        return found
    taken, bound = answer
    # The programme's own bound speaks of the sets that it was given.
    bound = max(found.bound, rounded_up(bound * (1 - ROUNDING), problem.costs)) if ways.complete else found.bound
    best = replace(found, bound=min(bound, found.loss))
    if taken is not None:
        whole = np.rint(taken).astype(np.int32)
        places = np.flatnonzero(whole)
        if is_safe(problem, ways, whole) and float(np.dot(ways.price, whole)) < found.loss - 1e-9:
            best = released(problem, ways, places, whole[places], bound, found.rounds)
    return best


def is_safe(problem: ReleaseProblem, ways: Entries, taken: NDArray[np.int32]) -> bool:
    """Whether entries, so many records each, release every record once, under keys of enough records."""
    if (taken < 0).any():
        return False
    given = np.bincount(ways.unit, taken, len(problem.records))
    count = np.bincount(ways.group, taken, len(ways.total))
    enough = (count[ways.group] >= problem.need[ways.unit]) | (taken == 0)
    return bool(enough.all()) and np.array_equal(given, problem.records)


def solve(
    records: NDArray[np.int32], need: NDArray[np.int32], unit: NDArray[np.int32], group: NDArray[np.int32],
    price: NDArray[np.float64], groups: int, nodes: int = 0,
) -> tuple[NDArray[np.float64] | None, float]:  # fmt: skip
    """Records of each entry in the best solution, None where there is none yet, and the solver's bound."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    columns = len(unit)
    asks = np.flatnonzero(need[unit] > 1)
    base = int(need.max(initial=0)) + 1
    switches, switch = np.unique(group[asks].astype(np.int64) * base + need[unit[asks]], return_inverse=True)
    of, size = switches // base, columns + len(switches)
    once = csr_array((np.ones(columns), (unit, np.arange(columns))), shape=(len(records), size))
    room = csr_array(
        (np.append(np.ones(len(asks)), -records[unit[asks]].astype(np.float64)),
         (np.tile(np.arange(len(asks)), 2), np.append(asks, columns + switch))),
        shape=(len(asks), size),
    )  # fmt: skip
    member = csr_array((np.ones(columns), (group, np.arange(columns))), shape=(groups, size))[of]
    least = csr_array(
        ((switches % base).astype(np.float64), (np.arange(len(of)), columns + np.arange(len(of)))),
        shape=(len(of), size),
    )
    limits = [
        LinearConstraint(once, records, records),
        LinearConstraint(room, -np.inf, 0),
        LinearConstraint(least - member, -np.inf, 0),
    ]
    most = np.append(records[unit].astype(np.float64), np.ones(len(of)))
    whole = np.append(np.zeros(columns, np.int64), np.ones(len(of), np.int64))
    found = milp(
        np.append(price, np.zeros(len(of))), integrality=whole, bounds=Bounds(0, most), constraints=limits,
        options={"mip_rel_gap": 0.0, "node_limit": nodes or 1 << 30},
    )  # fmt: skip
    bound = found.mip_dual_bound
    return None if found.x is None else found.x[:columns], float(bound) if bound is not None else 0.0
