"""The search for a release of little loss: a greedy start, then ruin and recreate near single unsafe units.

The start opens the line in which a free record costs least, others' loss for its sake included, and goes on; lines
stand in a heap and are rated anew when they come to its top. A round empties some groups near an unsafe unit, lets
everybody go home who may, and releases the others anew with ratings disturbed at random, in most rounds less part of
the bound's prices (so that what is dear elsewhere is taken first); a dearer outcome is taken back. Half of the rounds
empty the groups of records that would lose less in one line, and open that line first. Sometimes a group that was
emptied, also the home of a small safe unit, stays barred for the round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.errors import ProtectionError
from ...base.progress import SILENT, Progress
from ...base.texts import mark
from ...kernels import released_keys as kernel
from ..search_budget import STEP, USUAL_EFFORT, SearchBudget
from .bound import Prices, rounded_up
from .problem import Entries, ReleaseProblem, entries

_LENDERS = 4096
ROUNDING = 1e-6
"""Share of a bound, and of a number of records, that a solver's tolerances may be worth."""
_REPAIRS = 3000
_AT_ONCE, _UNTIL_STOP = 100, 5
"""Rounds of repair that empty more and more groups, and those between two looks at whether to stop: one may be long."""
_FEW = 1000
"""Files with fewer units are searched twice: they cost little, and single searches may end in different places."""
_ROUNDS = 250
"""Rounds between two looks at whether the best is found."""
_NO_UNITS = np.zeros(0, np.int32)


@dataclass(frozen=True, eq=False)
class Assignment:
    """How many records of each unit lose which keys.

    Attributes
    ----------
    unit : (r,) int32, ascending; units of which nothing goes may appear with the mask 0
    lost : (r,) int64, masks of the keys newly missing, what goes with them in other variables not included
    records : (r,) int32, so many records of the unit, at least 1
    loss : sum of the losses
    blanks : newly missing values, related variables included
    bound : no release loses less
    complete : whether all sets of keys were looked at; `bound` holds for all in either case
    most : else up to how many keys a record loses, but for the cheapest ones and all
    rounds : of the search
    """

    unit: NDArray[np.int32]
    lost: NDArray[np.int64]
    records: NDArray[np.int32]
    loss: float
    blanks: int
    bound: float
    complete: bool
    most: int
    rounds: int

    @property
    def gap(self) -> float:
        """How much less another release could lose at most, as a share of the loss."""
        return max(0.0, self.loss - self.bound) / self.loss if self.loss > 0 else 0.0

    @property
    def optimal(self) -> bool:
        """Whether no release loses less, but for what a solver's rounding may be worth."""
        return self.loss <= self.bound * (1 + 2 * ROUNDING) + 1e-9


@dataclass(frozen=True)
class Effort:
    """How much work the usual effort is; counted in rounds, so that the same work is done on every machine.

    Attributes
    ----------
    rounds : of ruin and recreate, and as many more for each unsafe unit as `rounds_each` says
    prices : steps by which the bound is raised
    groups : emptied at most in a round
    repairs : rounds that look for a place for those whom the start leaves without one
    """

    rounds: int = 30_000
    rounds_each: int = 3
    prices: int = 600
    groups: int = 16
    repairs: int = _REPAIRS


class AssignmentSearch:
    """The search for one release, which can be carried on; the same for the same seed and effort.

    Parameters
    ----------
    usual : what the effort 1000 is
    effort : that is asked for at most

    Raises
    ------
    ProtectionError
        No release is safe, or none was found.
    """

    def __init__(
        self, problem: ReleaseProblem, usual: Effort | None = None, seed: int = 1, effort: int = USUAL_EFFORT,
        progress: Progress = SILENT,
    ) -> None:  # fmt: skip
        self._problem, self._usual, self._seed = problem, usual or Effort(), seed
        self._ways = entries(problem, progress)
        refuse(problem, self._ways.stuck)
        self._few = len(problem.records) < _FEW
        self._first = Search(problem, self._ways, seed + self._few)
        self._second: Search | None = None
        self._prices = Prices(problem, self._ways)
        self._first.start(progress, repairs=self._usual.repairs)
        # All steps from the first look at whether to end on, so that they do not depend on where that is.
        self._prices.climb(self._first.loss, self._usual.prices // 2 * min(effort, STEP) // STEP, progress)
        self._first.start_by(self._prices, progress, self._usual.repairs)
        self._bound = rounded_up(self._prices.bound, problem.costs)

    @property
    def loss(self) -> float:
        """What the best release costs."""
        return self._best.loss

    @property
    def bound(self) -> float:
        """What a release costs at least, as far as the search knows."""
        return min(self._bound, self.loss)

    @property
    def _best(self) -> Search:
        first, second = self._first, self._second
        if second is None or first.loss <= self._bound * (1 + ROUNDING) or second.loss >= first.loss:
            return first
        return second

    def go_to(self, effort: int, progress: Progress = SILENT) -> bool:
        """Go on until so much effort was made; whether more could help."""
        usual = self._usual
        rounds = usual.rounds * effort // USUAL_EFFORT
        rounds += usual.rounds_each * len(self._first.unsafe) * effort // USUAL_EFFORT
        if not self._first.go_to(rounds, usual.groups, self._prices.best, self._bound, progress):
            return False
        if self._few:
            if self._second is None:
                self._second = Search(self._problem, self._ways, self._seed)
                self._second.start(progress, repairs=usual.repairs)
                self._second.start_by(self._prices, progress, usual.repairs)
            self._second.go_to(rounds, usual.groups, self._prices.best, self._bound, progress, turns=False)
        return True

    def finish(self, effort: int, progress: Progress = SILENT) -> Assignment:
        """The release that so much effort gave, with the best bound."""
        steps = (self._usual.prices - self._usual.prices // 2) * effort // USUAL_EFFORT
        best = self._best
        self._prices.climb(best.loss, max(1, steps), progress)
        return best.release(self._prices.bound, self._first.rounds + (self._second.rounds if self._second else 0))


def release(
    problem: ReleaseProblem,
    usual: Effort | None = None,
    seed: int = 1,
    progress: Progress = SILENT,
    reach: SearchBudget | None = None,
) -> Assignment:
    """A release in which every record is safe, at little loss, with a proven bound; `usual` is what effort 1000 is.

    Raises
    ------
    ProtectionError
        No release is safe, or none was found.
    """
    reach = reach or SearchBudget()
    search = AssignmentSearch(problem, usual, seed, reach.effort, progress)
    reach.search([search], progress)
    return search.finish(reach.effort, progress)


def least_loss(problem: ReleaseProblem, steps: int, progress: Progress = SILENT) -> float:
    """What any release must lose at least, by so many steps of the prices.

    Raises
    ------
    ProtectionError
        No release is safe, or none was found.
    """
    ways = entries(problem, progress)
    refuse(problem, ways.stuck)
    search, prices = Search(problem, ways), Prices(problem, ways)
    search.start(progress)
    return min(prices.climb(search.loss, steps, progress), search.loss)


class WithoutReleasedKey(ProtectionError):
    """Records that no released key can hold.

    Attributes
    ----------
    units : (u,) bool, theirs
    """

    units: NDArray[np.bool_]


def refuse(problem: ReleaseProblem, units: NDArray[np.bool_]) -> None:
    """Say so where units cannot be released."""
    if units.any():
        error = WithoutReleasedKey(
            "records-without-released-key",
            mark("{records} of {total} records cannot be released under a key that enough records share."),
            mark("Allow suppression of more variables, recode more coarsely, or ask for less."),
            records=int(problem.records[units].sum()),
            total=int(problem.records.sum()),
        )
        error.units = units
        raise error


class Search:
    """A release on its way."""

    def __init__(self, problem: ReleaseProblem, ways: Entries, seed: int = 1) -> None:
        self._problem, self._ways, self.rounds = problem, ways, 0
        units, groups, size = len(problem.records), len(ways.total), len(ways.unit)
        ent = np.zeros((size, 7), np.int32)
        ent[:, kernel.UNIT], ent[:, kernel.GROUP] = ways.unit, ways.group
        ent[:, [kernel.NEXT, kernel.BEFORE, kernel.OTHER, kernel.CHAIN]] = -1
        grp = np.zeros((groups, 9), np.int32)
        grp[:, [kernel.HEAD, kernel.FIRST]] = -1
        grp[:, kernel.TOTAL] = np.minimum(ways.total, np.iinfo(np.int32).max)
        uni = np.zeros((units, 6), np.int32)
        uni[:, kernel.SAFE], uni[:, kernel.FREE] = ~ways.unsafe, problem.records
        uni[:, kernel.NEED], uni[:, kernel.HOME], uni[:, kernel.PRESENT] = problem.need, ways.home, -1
        starts, order, middle = ways.by_group
        self._state = kernel.State(
            ent, grp, uni, ways.ptr, starts, middle, order, ways.price, np.zeros(units), np.ones(groups),
            np.zeros((8 * units + 8 * _LENDERS + 65536, 2), np.int32), np.zeros(3, np.int64), np.zeros(2),
            np.array([seed], np.uint64), np.zeros(groups + 1), np.zeros(groups + 1, np.int32),
            np.zeros(units, np.int32), np.zeros((_LENDERS, 2), np.int32), np.zeros(_LENDERS),
        )  # fmt: skip
        self.unsafe = np.flatnonzero(ways.unsafe).astype(np.int32)
        self._go(kernel.GO_HOME)

    def _go(
        self, what: int, units: NDArray[np.int32] = _NO_UNITS, number: int = 0, most: int = 0, trust: float = 0.0
    ) -> int:  # fmt: skip
        """One step of the search, see `core.kernels.released_keys.search`."""
        return int(kernel.search(self._state, what, units, number, most, trust))

    @property
    def loss(self) -> float:
        """What the release costs."""
        return float(self._state.cost[kernel.NOW])

    def start(self, progress: Progress = SILENT, trust: float = 0.0, repairs: int = _REPAIRS) -> None:
        """Release all unsafe records; one that nothing helps is refused."""
        progress.check()
        free = np.flatnonzero(self._state.uni[:, kernel.FREE])
        free = free[np.argsort(-self._problem.need[free], kind="stable")]
        self._state.todo[: len(free)] = free
        if self._go(kernel.BEGIN, number=len(free), trust=trust):
            return
        left = np.flatnonzero(self._state.uni[:, kernel.FREE]).astype(np.int32)
        for _ in range(0, repairs, _AT_ONCE):
            still = len(left)
            for since in range(0, _AT_ONCE, _UNTIL_STOP):
                progress.check()
                still = self._go(kernel.REPAIR, left, _UNTIL_STOP, since)
            left = left[:still].copy()
        refuse(self._problem, self._state.uni[:, kernel.FREE] > 0)

    def start_by(self, prices: Prices, progress: Progress = SILENT, repairs: int = _REPAIRS) -> None:
        """Start anew by the bound's prices; the better start stays."""
        other = Search(self._problem, self._ways)
        other._state.random[0] = self._state.random[0]
        other._state.worth[:] = prices.best
        other.start(progress, 1.0, repairs)
        if other.loss < self.loss:
            self._state = other._state

    def go_to(
        self, rounds: int, groups: int, worth: NDArray[np.float64] | None = None, bound: float = 0.0,
        progress: Progress = SILENT, turns: bool = True,
    ) -> bool:  # fmt: skip
        """Ruin and recreate, up to `groups` groups a round, until `rounds` were done in all; whether more could help.

        Parameters
        ----------
        worth : (u,) the bound's prices
        bound : no release loses less
        turns : whether every other part of the rounds empties half as many: few find other ways than many
        """
        if worth is not None:
            self._state.worth[:] = worth
        while self.rounds < rounds and len(self.unsafe):
            progress.check()
            part, done = divmod(self.rounds, _ROUNDS)
            if not done and self.loss <= bound * (1 + ROUNDING):
                return False
            more = min(_ROUNDS - done, rounds - self.rounds)
            most = groups if not turns or part % 2 else max(1, groups // 2)
            self._go(kernel.IMPROVE, self.unsafe, more, most, float(worth is not None))
            self.rounds += more
        return len(self.unsafe) > 0

    def release(self, bound: float, rounds: int) -> Assignment:
        """What has been found; `bound` as it is known, after so many rounds."""
        taken = np.flatnonzero(self._state.ent[:, kernel.TAKEN])
        return released(self._problem, self._ways, taken, self._state.ent[taken, kernel.TAKEN], bound, rounds)


def released(
    problem: ReleaseProblem,
    ways: Entries,
    taken: NDArray[np.int64],
    records: NDArray[np.int32],
    bound: float,
    rounds: int,
) -> Assignment:
    """The release that takes so many records by these entries."""
    unit, lost = ways.unit[taken], ways.lost[taken]
    loss = float(np.dot(ways.price[taken], records))
    blanks = 0
    for mask in np.unique(lost).tolist():
        gone = 0
        for v, closure in enumerate(problem.closures):
            gone |= closure if mask >> v & 1 else 0
        here = lost == mask
        newly = np.bitwise_count(np.uint64(gone) & ~problem.missing[unit[here]])
        blanks += int(np.dot(newly.astype(np.int64), records[here]))
    bound = min(rounded_up(bound, problem.costs), loss)
    return Assignment(unit, lost, records.copy(), loss, blanks, bound, ways.complete, ways.most, rounds)


def gone_by(problem: ReleaseProblem, found: Assignment) -> NDArray[np.uint64]:
    """For each entry of a release the newly missing variables, those that go with its keys included, (r,) masks."""
    gone = np.zeros(len(found.unit), np.uint64)
    for mask in np.unique(found.lost).tolist():
        closed = 0
        for v, closure in enumerate(problem.closures):
            closed |= closure if mask >> v & 1 else 0
        here = found.lost == mask
        gone[here] = np.uint64(closed) & ~problem.missing[found.unit[here]]
    return gone
