"""The search for few blanks by which all keys are frequent enough where a blank matches anything.

A lazy greedy start (lines in a heap by what they still are worth), a pass that drops what is not needed, then ruin and
recreate near single cells; a dearer outcome is taken back. Several searches begin, the best goes on. A cell for which
no record was found may lose more values than the others; the search then goes on with these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.kernels import released_counts as kernel
from core.suppression.counts.bound import least_cost
from core.suppression.counts.exact import QUICK_RECORDS, price_of, quickly, thoroughly
from core.suppression.counts.problem import CountsProblem, Places, raise_cap
from core.suppression.joint.search import ROUNDING
from core.suppression.reach import Reach

_RUINED, _WHOLE = 6, 30
_NOISE = 0.6
_HEAT, _WARMTH = 0.7, 0.2
"""By how much a round may make things dearer in the mean, in the cheapest losses: at first, when the best goes on.
It falls to nothing."""
_BIAS = 0.5
_HEAT_OF_SEVERAL, _BIAS_OF_SEVERAL = 3.0, 0.8
"""The same where a record may lose several values: fewer records then stand for more, and are found less easily."""
STARTS, _CYCLE = 3, 250
"""Searches among which the best goes on, and the effort of each and of every later one."""
_LAST = 25
"""Effort by which the best is made better where annealing was broken off; it comes on top."""
_ROUNDS = 100
"""Rounds between two looks at whether to go on."""
_WORK, _WORK_EACH = 65_000, 300
"""Steps of work for one unit of effort, at most and for each cell; counted, so that a search always ends alike."""
_NOTHING, _NO_COST = np.zeros(0, np.int64), np.zeros(0)


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
        self._best: tuple[Places, NDArray[np.float64]] | None = None
        self._begin, self._rounds = 0, 1
        self._least = min((price for _, price in problem.table.ways), default=1.0)
        self._penalty = 10.0 * max((price for _, price in problem.table.ways), default=1.0)
        self._go(kernel.VALUE_ALL)

    def _go(
        self, what: int, lines: Places = _NOTHING, standing: NDArray[np.float64] = _NO_COST, rounds: int = 0,
        heat: float = 0.0, bias: float = 0.0,
    ) -> None:  # fmt: skip
        """One step of the search, see `core.kernels.released_counts.search`."""
        more = rounds, _RUINED, _WHOLE, _NOISE, self._penalty, heat, bias
        kernel.search(self._state, what, lines, standing, *more)

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
    def standing(self) -> float:
        """By what searches are compared: the cost of the best, cells left included."""
        if self._best is not None:
            return float(self._best[1][0])
        return self.cost + self._penalty * int(self._state.num[kernel.WAITING])

    def start(self, progress: Progress = SILENT) -> None:
        """A first solution."""
        progress.check()
        self._go(kernel.START)

    def anneal(
        self, work: int, whole: int, heat: float, progress: Progress = SILENT, bound: float = 0.0
    ) -> bool:  # fmt: skip
        """Ruin and recreate until `work` steps of `whole` in all are done; False where there is nothing (more) to do.

        The heat falls with the steps, to nothing at `whole`. The best is kept apart, `settle` goes back to it.
        """
        s = self._state
        bias = _BIAS_OF_SEVERAL if self.problem.table.most > 1 else _BIAS
        if self._best is None:
            self._begin, self._rounds = int(s.num[kernel.WORK]), 1
            self._best = s.recs[:, kernel.LINE].copy(), np.array([s.cost[0] + self._penalty * s.num[kernel.WAITING]])
        best, standing = self._best
        while s.num[kernel.TAKEN] and standing[0] > bound + 1e-9:
            done = int(s.num[kernel.WORK]) - self._begin
            if done >= work:
                return True
            progress.check()
            now = heat * self._least * (1 - done / whole)
            self._go(kernel.IMPROVE, best, standing, self._rounds, now, bias)
            self._rounds = min(_ROUNDS, 2 * self._rounds)
        return False

    @property
    def is_warm(self) -> bool:
        """Whether annealing was begun and not ended."""
        return self._best is not None and int(self._state.num[kernel.WORK]) > self._begin

    def settle(self) -> None:
        """Go back to the best."""
        if self._best is not None:
            self._go(kernel.RESTORE, self._best[0])
            self._best = None

    def go_on(self, problem: CountsProblem, seed: int) -> CountsSearch:
        """The same solution of a problem with more lines."""
        other = CountsSearch(problem, seed)
        other._go(kernel.RESTORE, self._state.recs[:, kernel.LINE].copy())
        return other


@dataclass(frozen=True, eq=False)
class Losses:
    """What records lose.

    Attributes
    ----------
    lost : (n,) masks of keys
    cost : what that loses
    bound : no losses that make all cells safe cost less
    left : (m,) cells that nothing makes safe
    problem : as the search ended with it
    """

    lost: NDArray[np.int64]
    cost: float
    bound: float
    left: NDArray[np.bool_]
    problem: CountsProblem

    def __post_init__(self) -> None:
        object.__setattr__(self, "bound", min(self.bound, self.cost))

    @property
    def beyond(self) -> int:
        """Records that lose more values than they should."""
        return int(np.count_nonzero(np.bitwise_count(self.lost.astype(np.uint64)) > self.problem.table.most))

    @property
    def optimal(self) -> bool:
        """Whether no other losses cost less."""
        return self.cost <= self.bound * (1 + 2 * ROUNDING) + 1e-9


class Counting:
    """The search for one table, which can be carried on; the same for the same seed and effort.

    `STARTS` searches begin anew, each for so much effort as `_CYCLE` says; later ones begin where the best ended. In
    between a programme of few columns is solved, which does not count as effort.
    """

    def __init__(self, problem: CountsProblem, seed: int = 1, progress: Progress = SILENT) -> None:
        self._problem, self._seed = problem, seed
        self._bound = least_cost(problem, progress=progress)
        self._work = min(_WORK, _WORK_EACH * len(problem.cells))
        self._cycle, self._over = 0, False
        self._heat = _HEAT_OF_SEVERAL if problem.table.most > 1 else _HEAT
        self._now = self._best = self._begun(0, progress)
        self._solved: Losses | None = None

    @property
    def loss(self) -> float:
        """What the best costs, as far as the search knows."""
        least, solved = min(self._now.standing, self._best.standing), self._solved
        if solved is None:
            return least
        return min(least, solved.cost) if solved.problem is self._best.problem else solved.cost

    @property
    def bound(self) -> float:
        """What nothing costs less than."""
        return min(self._bound, self.loss)

    def _begun(self, number: int, progress: Progress) -> CountsSearch:
        search = CountsSearch(self._problem, self._seed * STARTS + number)
        search.start(progress)
        return search

    def go_to(self, effort: int, progress: Progress = SILENT) -> bool:
        """Go on until so much effort was made; whether more could help."""
        while not self._over:
            end = (self._cycle + 1) * _CYCLE
            heat = self._heat if self._cycle < STARTS else _WARMTH
            work = self._work * (min(effort, end) - self._cycle * _CYCLE)
            more = self._now.anneal(work, self._work * _CYCLE, heat, progress, self._bound)
            if self._now.standing < self._best.standing:
                self._best = self._now
            if self._best.standing <= self._bound + 1e-9:
                self._over = True
            elif effort < end:
                return more
            else:
                self._end_cycle(progress)
        return False

    def _end_cycle(self, progress: Progress) -> None:
        self._now.settle()
        self._cycle += 1
        if self._cycle < STARTS:
            self._now = self._begun(self._cycle, progress)
            return
        self._best.settle()
        self._now = self._best = self._all_raised()
        if self._cycle == STARTS:
            self._solved = solved = self._quickly_solved(progress)
            if solved is not None and solved.problem is self._best.problem is self._problem:
                self._bound = max(self._bound, solved.bound)
                self._over = solved.optimal

    def _quickly_solved(self, progress: Progress) -> Losses | None:
        """What a small programme makes of the best; None where it is not for this file."""
        best, asked, table = self._best, self._problem, self._problem.table
        if len(best.left) or len(table.of_record) > QUICK_RECORDS:
            return None
        before = self._bound if best.problem is asked else 0.0
        known = masks(best, len(table.of_record))
        lost, bound = quickly(asked, best.problem, known, best.cost, before, progress)
        found = Losses(lost, price_of(table, lost), bound, np.zeros(len(table.f), np.bool_), best.problem)
        return found if found.beyond else replace(found, problem=asked)

    def _all_raised(self) -> CountsSearch:
        """The best, after cells that are left may lose more values than others."""
        best = self._best
        problem = best.problem
        for _ in range(len(problem.cells)):
            possible = best.left[problem.alone[problem.cells[best.left]] >= 0]
            possible = possible[~problem.raised[possible]]
            if not len(possible):
                break
            problem = raise_cap(problem, possible)
            best = best.go_on(problem, self._seed)
            best._go(kernel.START)
        return best

    def finish(self, progress: Progress = SILENT) -> Losses:
        """What makes every cell safe, with a proven bound; nothing goes on afterwards."""
        broken_off = self._now.is_warm and not self._over
        self._now.settle()
        self._best.settle()
        found, table, bound = self._all_raised(), self._problem.table, self._bound
        if broken_off:
            found.anneal(self._work * _LAST, self._work * _LAST, _WARMTH, progress, bound)
            found.settle()
        if found.problem is not self._problem:
            bound = least_cost(found.problem, progress=progress)
        lost = masks(found, len(table.of_record))
        left = np.zeros(len(table.f), np.bool_)
        # Cells with a missing key have no line: their records lose what makes them safe by what remains.
        asking = np.append(found.problem.cells[found.left], table.unsafe[~table.complete[table.unsafe]])
        for cell in asking.tolist():
            way = int(self._problem.alone[cell])
            if way < 0:
                left[cell] = True
            else:
                lost[table.of_record == cell] = table.ways[way][0]
        return _better(Losses(lost, price_of(table, lost), bound, left, found.problem), self._solved)


def _better(found: Losses, solved: Losses | None) -> Losses:
    """The one in which no record loses more values than it should, then the cheaper; the bound is of its problem."""
    if solved is None:
        return found
    best = min((found, solved), key=lambda one: (one.beyond > 0, one.cost))
    return replace(best, bound=max(one.bound for one in (found, solved) if one.problem is best.problem))


def losses_of(
    problems: Sequence[CountsProblem], seed: int, reach: Reach, progress: Progress = SILENT
) -> list[Losses]:  # fmt: skip
    """What makes every cell safe, at little cost; of several tables side by side.

    Raises
    ------
    Cancelled, SearchAgain
        As `progress` asks, and as `reach` says.
    """
    parts = [Counting(problem, seed, progress) for problem in problems]
    reach.search(parts, progress)

    def exactly(problem: CountsProblem, found: Losses) -> Losses:
        if found.left.any() or found.cost <= found.bound:
            return found
        more = found.cost, found.bound
        lost, bound = thoroughly(problem, found.problem, found.lost, *more, stop=reach.stop, progress=progress)
        return replace(found, lost=lost, cost=price_of(problem.table, lost), bound=bound)

    return reach.solve(problems, [part.finish(progress) for part in parts], exactly)


def losses(
    problem: CountsProblem, effort: int, seed: int, thorough: bool, progress: Progress = SILENT
) -> Losses:  # fmt: skip
    """The same for one table.

    Parameters
    ----------
    effort : work, in thousandths of the usual one; >= 0
    thorough : whether small tables are solved exactly after the search
    """
    return losses_of([problem], seed, Reach(effort, thorough), progress)[0]


def masks(found: CountsSearch, records: int) -> NDArray[np.int64]:
    """(n,) the keys that each record loses."""
    lost = np.zeros(records, np.int64)
    for record, line in found.taken.items():
        lost[record] = found.problem.lost[line]
    return lost
