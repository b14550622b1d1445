"""The fewest blanks that match anything, as a mixed-integer programme, for small files.

    least sum of price[S] y[k, S],   sum over S of y[k, S] <= records of kind k (a cell and a weight),
    sum over k of c and S of y[k, S] >= records of c times z[c],                               z, b binary
    sum over helpers of c of (w - s_t) y >= (least[t] - s_t t - (F - s_t f)) (1 - z[c])        for every t from f on,
    y[k, S] <= records of k times b[c, S],  and the same sum for what is left of c after S     where that is unsafe

with s_t = least[t + 1] - least[t]: a key is safe where it lies above all tangents of the least number of people, which
is convex. So it takes into account what the search does not: one that loses values may be safe by what others lose.
Whatever the solver says is counted again.

Most columns are never worth their loss. `quickly` solves the programme over the few for which the linear programme
would pay their whole loss, and those of a solution that is known (Berthold 2014, RENS; Danna et al. 2005, RINS).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from core.base import child_process
from core.base.progress import SILENT, Progress
from core.suppression.counts.problem import CountsProblem, CountsTable, Floats, Places
from core.suppression.joint.bound import rounded_up
from core.suppression.joint.search import ROUNDING
from core.tables.grouping import group_rows

MOST_COLUMNS = 60_000
"""With more columns than these no programme is made."""
_MOST_ENTRIES = 4_000_000
NODES = 20_000
"""Of the search tree at most: what is best then is taken."""
QUICK_RECORDS, _QUICK_COLUMNS, _QUICK_STEPS = 100_000, 20_000, 20_000
"""Records of the file, columns, and steps of the simplex method, up to which a programme is solved quickly."""
_PAID = 1e-7
_NOTICED = 0.01
"""People that the solver does not take for nothing."""
"""What is less is nothing to the solver."""
_QUICK_GAP = 0.02
"""How near to the best of few columns a solution comes that is found quickly."""


class TooLarge(Exception):
    """A programme with more columns or entries than is sensible."""


class _Programme:
    """Columns and rows on their way."""

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self.price: list[float] = []
        self.most: list[int] = []
        self.entries: list[tuple[Places, Places, Floats]] = []
        self.low: list[float] = []
        self.high: list[float] = []
        self.size = 0

    def column(self, price: float, most: int) -> int:
        """A new whole number from 0 to `most`."""
        self.price.append(price)
        self.most.append(most)
        if len(self.price) > self._columns:
            raise TooLarge
        return len(self.price) - 1

    def row(self, columns: Places | list[int], factors: Floats | list[float], low: float, high: float) -> None:
        """A new row between two numbers."""
        self.entries.append((np.full(len(columns), len(self.low)), np.asarray(columns), np.asarray(factors, float)))
        self.low.append(low)
        self.high.append(high)
        self.size += len(columns)
        if self.size > _MOST_ENTRIES:
            raise TooLarge


def cuts(least: Floats, f: int, people: float, lightest: float) -> Iterator[tuple[float, float]]:
    """(slope, what is lacking) of each tangent of `least` that a key may still meet, from its f and people on."""
    n = len(least)
    if not np.isfinite(least[min(f + 1, n - 1)]):  # records alone are what counts
        yield -np.inf, float(n - f)
        return
    for t in range(f, n):
        slope = least[t + 1] - least[t] if t + 1 < n else least[t] - least[t - 1]
        yield slope, least[t] - slope * t - (people - slope * f)
        if people + (t - f) * lightest >= least[t]:
            return


def convex(least: Floats, lightest: float) -> bool:
    """Whether keys are safe exactly above all tangents, if no record is lighter."""
    if not np.isfinite(least[1:]).any():
        return True
    if lightest < 1 or len(least) < 3:
        return False
    slopes = np.diff(least[1:])
    return bool(
        (np.diff(slopes) >= -1e-6 * least[1]).all() and slopes[-1] <= 1 and least[-1] + slopes[-1] <= len(least)
    )


def _noticeable(least: Floats, weight: Floats) -> Floats:
    """The same rule for whole weights, where it asks for a trifle more than a whole number of people: for more of it.

    So it does of 1/t records: as many people have the risk t, which is unsafe, and the solver would not see it.
    """
    whole = np.floor(least[-1])
    if np.isfinite(whole) and 0 < least[-1] - whole < _NOTICED and (weight == np.floor(weight)).all():
        return np.append(least[:-1], whole + _NOTICED)
    return least


class Programme:
    """The programme of one table without missing keys.

    Raises
    ------
    TooLarge
        It would have too many columns or entries.
    """

    def __init__(self, problem: CountsProblem, progress: Progress = SILENT, most: int = MOST_COLUMNS) -> None:
        table = problem.table
        self._problem, self._table = problem, table
        self._least = _noticeable(np.array(table.rule.least), table.weight)
        pairs = np.stack([table.of_record.astype(np.float64), table.weight])
        kinds, self.kind_of_record, self._records = np.unique(pairs, axis=1, return_inverse=True, return_counts=True)
        self._cell, self._weight = kinds[0].astype(np.int64), kinds[1]
        self._lightest = float(self._weight.min(initial=np.inf))
        self._number = np.full(len(table.f), -1)
        self._number[problem.cells] = np.arange(len(problem.cells))
        self._programme = _Programme(most)
        self._ways = [way for way in table.ways if way[0].bit_count() <= table.most]
        raised = problem.alone[problem.cells[problem.raised]]
        self._ways += [table.ways[way] for way in np.unique(raised).tolist() if table.ways[way] not in self._ways]
        self._alike = [table.kept_alike(lost) for lost, _ in self._ways]
        self._margin = [table.margin(lost, alike) for (lost, _), alike in zip(self._ways, self._alike, strict=True)]
        self._short = [problem.cells[~table.rule.safe(*margin)[problem.cells]] for margin in self._margin]
        self._columns(progress)
        self._rows(progress)

    def _may(self, s: int) -> NDArray[np.bool_]:
        """(m,) cells whose records may lose this."""
        lost = self._ways[s][0]
        if lost.bit_count() <= self._table.most:
            return np.ones(len(self._number), np.bool_)
        here = np.zeros(len(self._number), np.bool_)
        way = self._table.ways.index(self._ways[s])
        cells = self._problem.cells
        here[cells[self._problem.raised & (self._problem.alone[cells] == way)]] = True
        return here

    def _union(self, s: int, t: int) -> Places:
        return self._table.kept_alike(self._ways[s][0] | self._ways[t][0])

    def _columns(self, progress: Progress) -> None:
        """A column for each kind and way that can help, or makes an unsafe record another one."""
        of_kind = self._number[self._cell]
        self._of: list[NDArray[np.int64]] = []
        for t, (_, price) in enumerate(self._ways):
            progress.check()
            useful = np.isin(self._alike[t], self._alike[t][self._problem.cells])
            for s, short in enumerate(self._short):
                if len(short):
                    both = self._union(s, t)
                    useful |= np.isin(both, both[short])
            wanted = np.flatnonzero((useful[self._cell] | (of_kind >= 0)) & self._may(t)[self._cell])
            column = np.full(len(self._cell), -1)
            for kind in wanted.tolist():
                column[kind] = self._programme.column(price, int(self._records[kind]))
            self._of.append(column)

    def _rows(self, progress: Progress) -> None:
        programme, cells = self._programme, self._problem.cells
        every = np.stack(self._of) if self._of else np.zeros((0, len(self._cell)), np.int64)
        several = np.flatnonzero((every >= 0).sum(axis=0) > 0)
        for kind in several.tolist():
            columns = every[every[:, kind] >= 0, kind]
            programme.row(columns, np.ones(len(columns)), 0, float(self._records[kind]))
        kinds = np.argsort(self._cell, kind="stable")
        starts = np.searchsorted(self._cell[kinds], np.arange(len(self._number) + 1))
        groups = [_members(alike, self._cell) for alike in self._alike]
        for cell in cells.tolist():
            progress.check()
            own = kinds[starts[cell] : starts[cell + 1]]
            mine = every[:, own]
            mine = mine[mine >= 0]
            size = float(self._records[own].sum())
            whole = programme.column(0.0, 1)
            programme.row(np.append(mine, whole), np.append(np.ones(len(mine)), -size), 0, np.inf)
            helpers = [(t, _others(groups[t], self._alike[t][cell], self._cell, cell)) for t in range(len(self._ways))]
            self._cover(helpers, int(self._table.f[cell]), float(self._table.people[cell]), whole, 1.0)
        for s, short in enumerate(self._short):
            if not len(short):
                continue
            unions = [self._union(s, t) for t in range(len(self._ways))]
            members = [_members(both, self._cell) for both in unions]
            for cell in short.tolist():
                progress.check()
                own = kinds[starts[cell] : starts[cell + 1]]
                own = own[self._of[s][own] >= 0]
                if not len(own):
                    continue
                flag = programme.column(0.0, 1)
                for kind in own.tolist():
                    programme.row([self._of[s][kind], flag], [1.0, -float(self._records[kind])], -np.inf, 0)
                helpers = []
                for t in range(len(self._ways)):
                    there = members[t](unions[t][cell])
                    helpers.append((t, there[self._alike[s][self._cell[there]] != self._alike[s][cell]]))
                count, people = self._margin[s]
                self._cover(helpers, int(count[cell]), float(people[cell]), flag, -1.0)

    def _cover(self, helpers: list[tuple[int, Places]], f: int, people: float, flag: int, sign: float) -> None:
        """A key needs helpers unless its flag is set (sign 1), or if it is (sign -1)."""
        columns = np.concatenate([self._of[t][kinds] for t, kinds in helpers])
        weights = np.concatenate([self._weight[kinds] for _, kinds in helpers])
        weights, columns = weights[columns >= 0], columns[columns >= 0]
        for slope, lacking in cuts(self._least, f, people, self._lightest):
            factors = np.ones(len(columns)) if slope == -np.inf else weights - slope
            if lacking > 0:
                programme = self._programme
                factors = np.clip(factors / lacking, None, 1.0)
                programme.row(np.append(columns, flag), np.append(factors, sign), 1.0 if sign > 0 else 0.0, np.inf)

    def task(self) -> tuple[NDArray[np.float64], ...]:
        """What `solve` takes."""
        programme = self._programme
        rows, columns, factors = (np.concatenate(part) for part in zip(*programme.entries, strict=True))
        return (np.array(programme.price), np.array(programme.most, float), rows, columns, factors,
                np.array(programme.low), np.array(programme.high))  # fmt: skip

    def taken(self, lost: NDArray[np.int64]) -> Places:
        """Columns of what records lose, (n,) masks, as far as there are any."""
        found = [
            column[self.kind_of_record[lost == mask]] for (mask, _), column in zip(self._ways, self._of, strict=True)
        ]
        columns = np.unique(np.concatenate([np.zeros(0, np.int64), *found]))
        return columns[columns >= 0]

    def lost(self, taken: Floats) -> NDArray[np.int64]:
        """(n,) masks of what each record loses by a solution."""
        lost = np.zeros(len(self.kind_of_record), np.int64)
        order = np.argsort(self.kind_of_record, kind="stable")
        starts = np.append(0, np.cumsum(self._records))
        at = starts[:-1].copy()
        for (mask, _), column in zip(self._ways, self._of, strict=True):
            for kind in np.flatnonzero(column >= 0).tolist():
                number = int(np.rint(taken[column[kind]]))
                lost[order[at[kind] : at[kind] + number]] = mask
                at[kind] += number
        return lost


def _members(of_cell: Places, cell: Places) -> Callable[[int], Places]:
    """Which kinds are in a group of cells."""
    of = of_cell[cell]
    order = np.argsort(of, kind="stable")
    sorted_ = of[order]

    def members(group: int) -> Places:
        low, high = np.searchsorted(sorted_, (group, group + 1))
        return np.asarray(order[low:high])

    return members


def _others(members: Callable[[int], Places], group: int, of_kind: Places, cell: int) -> Places:
    found = members(group)
    return np.asarray(found[of_kind[found] != cell])


def solve(
    price: Floats,
    most: Floats,
    rows: Places,
    columns: Places,
    factors: Floats,
    low: Floats,
    high: Floats,
    nodes: int,
    gap: float = 0.0,
) -> tuple[Floats | None, float]:
    """The best solution but for a share `gap` of it, None where there is none yet, and the solver's bound."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    matrix = csr_array((factors, (rows, columns)), shape=(len(low), len(price)))
    found = milp(price, integrality=np.ones(len(price), np.int64), bounds=Bounds(0, most),
                 constraints=LinearConstraint(matrix, low, high),
                 options={"mip_rel_gap": gap, "node_limit": nodes})  # fmt: skip
    bound = found.mip_dual_bound
    return found.x, float(bound) if bound is not None else 0.0


def solve_few(
    price: Floats,
    most: Floats,
    rows: Places,
    columns: Places,
    factors: Floats,
    low: Floats,
    high: Floats,
    known: Places,
) -> tuple[Floats | None, float]:
    """A solution of the columns `known` and of those that the linear programme pays in full; its bound, for all."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, vstack

    matrix = csr_array((factors, (rows, columns)), shape=(len(low), len(price)))
    least, up_to = np.flatnonzero(np.isfinite(low)), np.flatnonzero(np.isfinite(high))
    under = vstack([-matrix[least], matrix[up_to]])  # sparse, which the stubs do not know of
    relaxed = linprog(price, under, np.append(-low[least], high[up_to]),  # type: ignore[call-overload]
                      bounds=np.column_stack([np.zeros(len(price)), most]), method="highs-ds",
                      options={"maxiter": _QUICK_STEPS})  # fmt: skip
    if relaxed.status != 0:
        return None, 0.0
    few = (relaxed.x > _PAID) | (relaxed.lower.marginals <= _PAID) | (price == 0)
    few[known] = True
    number = np.cumsum(few) - 1
    of_few = few[columns]
    part, _ = solve(price[few], most[few], rows[of_few], number[columns[of_few]], factors[of_few], low, high, 1,
                    _QUICK_GAP)  # fmt: skip
    if part is None:
        return None, float(relaxed.fun)
    taken = np.zeros(len(price))
    taken[few] = part
    return taken, float(relaxed.fun)


def thoroughly(
    problem: CountsProblem,
    raised: CountsProblem,
    lost: NDArray[np.int64],
    cost: float,
    bound: float,
    *,
    nodes: int = NODES,
    stop: Callable[[], bool] = lambda: False,
    progress: Progress = SILENT,
) -> tuple[NDArray[np.int64], float]:
    """The best losses, if the solver gets so far, and a bound; else what the search found.

    Parameters
    ----------
    problem : as it was asked; `raised` : as the search ended with it, some cells losing more than they should
    lost, cost, bound : what the search found

    Raises
    ------
    Cancelled
        As `progress` asks.
    """
    return _programmed(
        problem, raised, lost, cost, bound, MOST_COLUMNS, progress,
        lambda made: child_process.answer(solve, *made.task(), nodes, stop=stop, progress=progress),
    )  # fmt: skip


def quickly(
    problem: CountsProblem,
    raised: CountsProblem,
    lost: NDArray[np.int64],
    cost: float,
    bound: float,
    progress: Progress = SILENT,
) -> tuple[NDArray[np.int64], float]:
    """Better losses, if few columns hold any, and a bound; as `thoroughly`, in seconds."""
    return _programmed(
        problem, raised, lost, cost, bound, _QUICK_COLUMNS, progress,
        lambda made: child_process.answer(solve_few, *made.task(), made.taken(lost), progress=progress),
    )  # fmt: skip


def _programmed(
    problem: CountsProblem,
    raised: CountsProblem,
    lost: NDArray[np.int64],
    cost: float,
    bound: float,
    most: int,
    progress: Progress,
    ask: Callable[[Programme], tuple[Floats | None, float] | None],
) -> tuple[NDArray[np.int64], float]:
    """The better of `lost` and what `ask` finds by programmes of `most` columns at most."""
    table = problem.table
    lightest = float(table.weight.min(initial=np.inf))
    if not len(problem.cells) or not table.complete.all() or not convex(np.array(table.rule.least), lightest):
        return lost, bound
    for which in (problem, raised) if raised.raised.any() else (problem,):
        try:
            programme = Programme(which, progress, most)
        except TooLarge:
            return lost, bound
        answer = ask(programme)
        if answer is None:
            return lost, bound
        taken, proven = answer
        if which is raised or not raised.raised.any():
            bound = max(bound, rounded_up(proven * (1 - ROUNDING), [price for _, price in table.ways]))
        if taken is not None:
            other = programme.lost(taken)
            keeps_cap = which is problem and raised.raised.any()
            if (keeps_cap or price_of(table, other) < cost - 1e-9) and is_safe(table, other):
                if keeps_cap:
                    bound = max(0.0, rounded_up(proven * (1 - ROUNDING), [price for _, price in table.ways]))
                return other, bound
    return lost, bound


def price_of(table: CountsTable, lost: NDArray[np.int64]) -> float:
    """What these losses cost."""
    prices = {0: 0.0} | dict(reversed(table.ways))
    return float(sum(prices[mask] for mask in lost.tolist()))


def is_safe(table: CountsTable, lost: NDArray[np.int64]) -> bool:
    """Whether all keys are, a blank matching anything; (n,) masks of what each record of a table loses."""
    keys = [np.where(lost >> j & 1, table.cards[j], code[table.of_record]).astype(np.uint32)
            for j, code in enumerate(table.codes)]  # fmt: skip
    groups = group_rows(keys, [card + 1 for card in table.cards])
    distinct = [key[groups.member] for key in keys]
    records = np.bincount(groups.ids).astype(np.float64)
    people = np.bincount(groups.ids, table.weight)
    blank = np.any([key == card for key, card in zip(distinct, table.cards, strict=True)], axis=0)
    asked = np.isin(table.of_record[groups.member], table.unsafe) | blank
    for place in np.flatnonzero(asked).tolist():
        alike = np.ones(len(records), np.bool_)
        for key, card in zip(distinct, table.cards, strict=True):
            if key[place] != card:
                alike &= (key == key[place]) | (key == card)
        f, F = records[alike].sum(), people[alike].sum()
        if not table.rule.safe(np.array([f]), np.array([F]))[0]:
            return False
    return True
