"""The search for few blanks by which all keys are frequent enough where a blank matches anything.

A lazy greedy start (lines in a heap by what they still are worth), a pass that drops what is not needed, then ruin and
recreate near single cells; a dearer outcome is taken back. Several searches begin, the best goes on. A cell for which
no record was found may lose more values than the others; the search then goes on with these.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.kernels import released_counts as kernel
from core.suppression.counts.bound import least_cost
from core.suppression.counts.exact import price_of, thoroughly
from core.suppression.counts.problem import CountsProblem, Places, raise_cap
from core.suppression.joint.search import ROUNDING

_RUINED, _WHOLE = 6, 30
_NOISE = 0.6
_HEAT, _WARMTH = 0.7, 0.2
"""By how much a round may make things dearer in the mean, in the cheapest losses: at first, when the best goes on.
It falls to nothing."""
_BIAS = 0.5
STARTS = 3
"""Searches among which the best goes on, each with the same share of the work."""
_ROUNDS = 100
"""Rounds between two looks at whether to go on."""
_WORK, _WORK_EACH = 65_000, 300
"""Steps of work for one unit of effort, at most and for each cell; counted, so that a search always ends alike."""


class CountsSearch:
    """A solution on its way: which records lose the values of which lines."""

    def __init__(self, problem: CountsProblem, seed: int = 1) -> None:
        self.problem = problem
        weight, rule = problem.table.weight[problem.records], problem.table.rule
        cells, lines, records = len(problem.cells), len(problem.price), len(problem.records)
        total = max(1.0, float(problem.table.weight.sum()))
        scale = 2.0 ** (40 - np.ceil(np.log2(total)))
        table = np.zeros((cells, 6), np.int64)
        table[:, kernel.F] = problem.table.f[problem.cells]
        table[:, kernel.PEOPLE] = np.floor(problem.table.people[problem.cells] * scale)
        table[:, kernel.OWN] = np.diff(problem.own)
        rows = np.zeros((lines, 3), np.int64)
        rows[:, kernel.HEAD] = -1
        recs = np.full((records, 6), -1, np.int64)
        recs[:, kernel.WEIGHT] = np.floor(weight * scale)
        recs[: problem.own[-1], kernel.CELL] = np.repeat(np.arange(cells), np.diff(problem.own))
        usual = max(1, int(recs[:, kernel.WEIGHT].mean())) if records else 1
        num = np.zeros(7, np.int64)
        num[kernel.USUAL] = usual
        least = np.array(rule.least)
        least = np.ceil(np.where(np.isfinite(least), least, 2.0 * total) * scale).astype(np.int64)
        self._state = kernel.State(
            table, rows, recs, problem.price, problem.ptr, problem.member, problem.fine, problem.through, problem.pool,
            problem.own, least, np.zeros(records, np.int32), np.zeros((8 * records + 1024, 3), np.int32),
            np.zeros(lines, np.int32), np.ones(lines), num, np.zeros(1), np.array([seed], np.uint64),
        )  # fmt: skip
        for cell in range(cells):
            kernel.value(self._state, cell)
        self._least = min((price for _, price in problem.table.ways), default=1.0)
        self._penalty = 10.0 * max((price for _, price in problem.table.ways), default=1.0)

    @property
    def cost(self) -> float:
        """What the solution loses."""
        taken = self._state.recs[:, kernel.LINE]
        return float(self.problem.price[taken[taken >= 0]].sum())

    @property
    def taken(self) -> dict[int, int]:
        """Records of the file and the lines whose values they lose."""
        lines = self._state.recs[:, kernel.LINE]
        some = np.flatnonzero(lines >= 0)
        return dict(zip(self.problem.records[some].tolist(), lines[some].tolist(), strict=True))

    @property
    def left(self) -> Places:
        """Cells that are not frequent enough."""
        return np.flatnonzero(self._state.cells[:, kernel.VALUE])

    @property
    def standing(self) -> tuple[int, float]:
        """By what searches are compared: cells left, and the cost."""
        return int(self._state.num[kernel.WAITING]), self.cost

    def start(self, progress: Progress = SILENT) -> None:
        """A first solution."""
        progress.check()
        kernel.start(self._state)

    def improve(
        self, work: int, heat: float = _HEAT, progress: Progress = SILENT, bound: float = 0.0
    ) -> None:  # fmt: skip
        """Rounds of ruin and recreate until so many steps of work are done, or the cost is at the bound."""
        s, rounds = self._state, 1
        begin = int(s.num[kernel.WORK])
        best, standing = s.recs[:, kernel.LINE].copy(), np.array([s.cost[0] + self._penalty * s.num[kernel.WAITING]])
        while s.num[kernel.TAKEN] and s.num[kernel.WORK] < begin + work:
            progress.check()
            now = heat * self._least * (1 - (int(s.num[kernel.WORK]) - begin) / work)
            kernel.improve(s, rounds, _RUINED, _WHOLE, _NOISE, self._penalty, now, _BIAS, best, standing)
            rounds = min(_ROUNDS, 2 * rounds)
            if standing[0] <= bound + 1e-9:
                break
        self._restore(best)

    def _restore(self, lines: Places) -> None:
        now = self._state.recs[:, kernel.LINE].copy()
        for record in np.flatnonzero((now >= 0) & (now != lines)).tolist():
            kernel.give_back(self._state, record)
        for record in np.flatnonzero((lines >= 0) & (now != lines)).tolist():
            kernel.take(self._state, record, lines[record])

    def go_on(self, problem: CountsProblem, seed: int) -> CountsSearch:
        """The same solution of a problem with more lines."""
        other = CountsSearch(problem, seed)
        lines = self._state.recs[:, kernel.LINE]
        for record in np.flatnonzero(lines >= 0).tolist():
            kernel.take(other._state, record, lines[record])
        return other


@dataclass(frozen=True, eq=False)
class Losses:
    """What records lose.

    Attributes
    ----------
    lost : (n,) masks of keys
    cost : what that loses
    bound : no losses that make all cells safe cost less
    beyond : records that lose more values than they should
    left : (m,) cells that nothing makes safe
    """

    lost: NDArray[np.int64]
    cost: float
    bound: float
    beyond: int
    left: NDArray[np.bool_]

    @property
    def optimal(self) -> bool:
        """Whether no other losses cost less."""
        return self.cost <= self.bound * (1 + 2 * ROUNDING) + 1e-9


def losses(problem: CountsProblem, effort: int, seed: int, thorough: bool, progress: Progress = SILENT) -> Losses:
    """What makes every cell safe, at little cost, with a proven bound; the same for the same seed.

    Parameters
    ----------
    effort : work, in thousandths of the usual one; >= 0
    thorough : whether small tables are solved exactly after the search

    Raises
    ------
    Cancelled
        As `progress` asks.
    """
    table = problem.table
    bound = least_cost(problem, progress=progress)
    found = search(problem, effort, seed, progress, bound)
    if found.problem is not problem:
        bound = least_cost(found.problem, progress=progress)
    lost = masks(found, len(table.of_record))
    left = np.zeros(len(table.f), np.bool_)
    # Cells with a missing key have no line: their records lose what makes them safe by what remains.
    asking = np.append(found.problem.cells[found.left], table.unsafe[~table.complete[table.unsafe]])
    for cell in asking.tolist():
        way = int(problem.alone[cell])
        if way < 0:
            left[cell] = True
        else:
            lost[table.of_record == cell] = table.ways[way][0]
    cost = price_of(table, lost)
    if thorough and not left.any() and cost > bound:
        lost, bound = thoroughly(problem, found.problem, lost, cost, bound, progress=progress)
        cost = price_of(table, lost)
    beyond = int(np.count_nonzero(np.bitwise_count(lost.astype(np.uint64)) > table.most))
    return Losses(lost, cost, min(bound, cost), beyond, left)


def search(
    problem: CountsProblem, effort: int, seed: int = 1, progress: Progress = SILENT, bound: float = 0.0
) -> CountsSearch:
    """The best solution found by so much work; cells that stay unsafe by it are those that nothing makes safe.

    `bound` : at which a solution is known to be the best
    """
    work = effort * min(_WORK, _WORK_EACH * len(problem.cells))
    best = None
    for number in range(STARTS):
        one = CountsSearch(problem, seed * STARTS + number)
        one.start(progress)
        one.improve(work // (STARTS + 1), _HEAT, progress, bound)
        if best is None or one.standing < best.standing:
            best = one
        if one.standing <= (0, bound + 1e-9):
            return one
    assert best is not None
    for _ in range(len(problem.cells)):
        possible = best.left[problem.alone[problem.cells[best.left]] >= 0]
        possible = possible[~problem.raised[possible]]
        if not len(possible):
            break
        problem = raise_cap(problem, possible)
        best = best.go_on(problem, seed)
        kernel.start(best._state)
    best.improve(work // (STARTS + 1), _WARMTH, progress, bound)
    return best


def masks(found: CountsSearch, records: int) -> NDArray[np.int64]:
    """(n,) the keys that each record loses."""
    lost = np.zeros(records, np.int64)
    for record, line in found.taken.items():
        lost[record] = found.problem.lost[line]
    return lost
