"""The plans that no other one beats, found best first in the lattice of the keys' codings.

What a point of the lattice loses at least is known before it is counted: what its codings take, and what suppression
takes at the dearest coarser point that was counted, because coarser codings make no record dearer to make safe. Points
are counted in three ways, each for as much work as the others: that of the least bound, so that whatever is not counted
yet loses at least as much as the bound says; neighbours of plans that are good already; and those of fewest cells,
which are many at the cost of one, and bound the others.

Where suppressions are only estimated by that, the finals follow: first the plans that may be the best, until the best
that was counted in full loses no more than any other one can; then all others of the front. Which comes next is guessed
from how much more the session suppressed than was estimated, so that good plans come early.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.errors import RecipeError
from ...base.progress import SILENT, Enough, Progress
from ...base.texts import mark, translate
from .aims import MOST_PLANS
from .finals import Figures, counted
from .hierarchies import Hierarchy
from .plan_figures import PlanProblem, RecodingPlan

_BOUND, _NEAR, _FEW = range(3)
"""By what the next point is chosen."""
_CHAIN = 6
"""Points from the finest to the coarsest that are counted first: each bounds all finer ones."""
_TELL = 0.2
"""Seconds between two tellings of a front that grows."""
_EQUAL = 1e-9
"""Losses and rates within this relative distance are equal."""


@dataclass(frozen=True, eq=False)
class ParetoFront:
    """What was found so far.

    Attributes
    ----------
    plans : those that can be carried out and that no other one beats in loss and rate, or in loss and suppressions (by
        k-anonymity in loss and unsafe records instead of the rate); those that lose least first
    best : of the plans with at most so many suppressions as were asked for the one that loses least; None: none yet
    counted, total : plans counted, and points of the lattice
    bound : every plan that was not counted loses at least so many bits, or is beaten by one of `plans`; inf: all were
    best_bound : the same of the plans with at most so many suppressions as were asked for, and of those whose
        suppressions are only estimated
    detail : bits of the keys' original codes
    elsewhere : bits that the recipe's other recodes take, in every loss
    now : the plan of the recipe as it is; None: it was not counted
    finals : plans whose suppressions were estimated first and then counted in full
    """

    plans: tuple[RecodingPlan, ...]
    best: RecodingPlan | None
    counted: int
    total: int
    bound: float
    best_bound: float
    detail: float
    elsewhere: float
    now: RecodingPlan | None
    finals: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether the front is that of all plans."""
        return math.isinf(self.bound)

    def share(self, loss: float) -> float:
        """The share of the keys' detail that so many bits are."""
        return (loss - self.elsewhere) / self.detail if self.detail else 0.0

    @property
    def is_best_proven(self) -> bool:
        """Whether no plan at all that does what was asked for loses less than `best`."""
        best = self.best
        return best is not None and best.exact and best.loss <= self.best_bound * (1 + _EQUAL)

    @property
    def is_counted(self) -> bool:
        """Whether no figure of its plans is an estimate."""
        return all(each.exact for each in (*self.plans, self.best) if each is not None)


def risk_axis(plan: RecodingPlan) -> float:
    """The rate after suppression; by k-anonymity, which has no risk, unsafe records."""
    return plan.unsafe if math.isnan(plan.rate) else plan.rate


def front_of(plans: Iterable[RecodingPlan]) -> tuple[RecodingPlan, ...]:
    """The plans that no other one beats in loss and risk, or in loss and suppressions; see `ParetoFront.plans`.

    Of plans with equal figures the coarser codes count for nothing: the one with the smallest levels stays.
    """
    possible = sorted((each for each in plans if not each.left), key=lambda each: (each.loss, each.levels))
    kept: dict[tuple[int, ...], RecodingPlan] = {}
    for worth in (risk_axis, lambda plan: plan.suppressions):
        least = math.inf
        for plan in sorted(possible, key=lambda each: (each.loss, worth(each), each.levels)):
            if worth(plan) < least * (1 - _EQUAL):
                least = worth(plan)
                kept[plan.levels] = plan
    return tuple(plan for plan in possible if plan.levels in kept)


def thinned(hierarchies: Sequence[Hierarchy], most: int = MOST_PLANS) -> tuple[Hierarchy, ...]:
    """Hierarchies with so few levels that there are at most `most` plans.

    From the longest hierarchy goes the level nearest in loss to the one before it; the first, the last and the present
    one stay.
    """
    found = list(hierarchies)
    while math.prod(len(each.levels) for each in found) > most:
        place = max(range(len(found)), key=lambda j: len(found[j].levels))
        longest = found[place]
        inner = [i for i in range(1, len(longest.levels) - 1) if i != longest.now]
        if not inner:
            break
        levels = longest.levels
        goes = min(inner, key=lambda i: levels[i].lost - levels[i - 1].lost)
        found[place] = longest.only([i for i in range(len(levels)) if i != goes])
    return tuple(found)


def find_plans(
    problem: PlanProblem,
    seconds: float = math.inf,
    most_suppressions: int | None = None,
    progress: Progress = SILENT,
    found: Callable[[ParetoFront], None] = lambda _: None,
    enough: Enough | None = None,
    figures: Figures | None = None,
) -> ParetoFront:
    """The plans that none beats, and the one that loses least with at most so many suppressions.

    Parameters
    ----------
    seconds : after which what was found so far is given back; where plans are counted in full, half of them at least
        are for that
    most_suppressions : of the plan asked for; None: any number
    found : told the front as it grows
    enough : asked whether what was found will do
    figures : of a recipe, by which estimated plans are counted in full; None: they stay estimated

    Raises
    ------
    RecipeError
        More than `MOST_PLANS` points; a rate or a number of unsafe records that a plan does not give.
    """
    search = _Search(problem, most_suppressions)
    counts = figures is not None and problem.can_be_protected and not problem.exact
    start, told = time.monotonic(), 0.0

    def tell() -> None:
        nonlocal told
        now = time.monotonic()
        if now - told > _TELL and search.has_changed:
            told = now
            found(search.front())

    def will_do() -> bool:
        return enough is not None and enough()

    until = start + (seconds / 2 if counts else seconds)
    while (point := search.next()) is not None:
        progress.check()
        search.add(problem.evaluate(point))
        progress.report(search.counted, search.total, translate(mark("Counting plans")))
        tell()
        if time.monotonic() >= until or will_do():
            break
    if counts and figures is not None and not will_do():
        until = start + seconds
        search.begin_finals()
        while (plan := search.next_final()) is not None and (not search.finals or time.monotonic() < until):
            progress.report(search.finals, search.finals + search.waiting, translate(mark("Counting plans in full")))
            # the first one is counted whatever the time, so that the best is not a mere estimate
            full = counted(
                problem, plan, figures, lambda: will_do() or (search.finals > 0 and time.monotonic() > until)
            )
            if full is None:
                break
            search.add_final(full)
            tell()
    front = search.front()
    found(front)
    return front


class _Search:
    """Which points were counted, what the others lose at least, and the front."""

    def __init__(self, problem: PlanProblem, most: int | None) -> None:
        self._problem, self._most = problem, most
        self._shape = tuple(len(each.levels) for each in problem.hierarchies)
        self.total = math.prod(self._shape)
        if self.total > MOST_PLANS:
            raise RecipeError(
                "too-many-plans",
                mark("The chosen levels make {number} plans."),
                mark("Choose fewer levels: at most {most} plans are searched."),
                number=self.total,
                most=MOST_PLANS,
            )
        self._level = np.stack(np.unravel_index(np.arange(self.total), self._shape)).astype(np.uint8)
        self._recoded = np.zeros(self.total)
        for hierarchy, level in zip(problem.hierarchies, self._level, strict=True):
            self._recoded += np.array([each.lost for each in hierarchy.levels])[level]
        self._recoded += problem.elsewhere
        self._bound = self._recoded.copy()
        self._open = np.ones(self.total, np.bool_)
        self._may_do = np.ones(self.total, np.bool_)
        if all(each.levels[-1].is_left_out for each in problem.hierarchies):
            self._open[-1] = False  # a combination has a variable
            self.total -= 1
        self._refines = [each.refines() for each in problem.hierarchies]
        self.counted = 0
        self.has_changed = False
        self._front: tuple[RecodingPlan, ...] = ()
        self._best: RecodingPlan | None = None
        self._now: RecodingPlan | None = None
        self._present = tuple(each.now for each in problem.hierarchies)
        self._possible: dict[tuple[int, ...], RecodingPlan] = {}
        self._estimated: dict[tuple[int, ...], float] = {}
        self._extra = [0.0, 0.0]
        self._to_count: list[RecodingPlan] = []
        self.finals = 0
        self._near: list[int] = []
        self._first = self._chain()
        self._few: list[int] = np.argsort(-self._most_cells(), kind="stable").tolist()
        self._way, self._work = _BOUND, [0, 0, 0]
        # sums of weighted risks may differ in their last digits, and equal losses may be 1e-9 a value apart
        self._slack = 1e-9 * problem.records * len(self._shape)

    def _most_cells(self) -> NDArray[np.float64]:
        """The logarithm of how many cells each point may have."""
        found = np.zeros(len(self._open))
        for hierarchy, level in zip(self._problem.hierarchies, self._level, strict=True):
            found += np.log([each.codes + 1 for each in hierarchy.levels])[level]
        return found

    def _chain(self) -> list[int]:
        """The plan as the recipe has it, and points from the finest to the coarsest."""
        points = [self._present]
        steps = range(_CHAIN + 1)
        points += [tuple(round((size - 1) * step / _CHAIN) for size in self._shape) for step in steps]
        return [self._place(point) for point in reversed(list(dict.fromkeys(points)))]

    def _place(self, levels: tuple[int, ...]) -> int:
        return int(np.ravel_multi_index(levels, self._shape))

    def _levels(self, place: int) -> tuple[int, ...]:
        return tuple(self._level[:, place].tolist())

    def next(self) -> tuple[int, ...] | None:
        """The point to count next; None where none is left."""
        while self._first:
            if self._open[place := self._first.pop()]:
                return self._levels(place)
        least = self._least(self._may_do) if self._wants_proof() else self._least()
        if least is None:
            return None
        self._way = min(range(3), key=self._work.__getitem__)
        waiting = {_NEAR: self._near, _FEW: self._few}.get(self._way, [])
        while waiting:
            if self._is_open(place := waiting.pop()):
                return self._levels(place)
        return self._levels(least)

    def _is_open(self, place: int) -> bool:
        return bool(self._open[place]) and math.isfinite(self._bound[place])

    def _least(self, among: NDArray[np.bool_] | bool = True) -> int | None:
        """The point of the least bound that is not counted; None where none is left."""
        bounds = np.where(self._open & among, self._bound, np.inf)
        place = int(np.argmin(bounds))
        return place if math.isfinite(bounds[place]) else None

    def _least_bound(self, among: NDArray[np.bool_] | bool = True) -> float:
        place = self._least(among)
        return math.inf if place is None else float(self._bound[place])

    def _wants_proof(self) -> bool:
        """Whether a plan that does what was asked may lose less than the best so far."""
        bound = self._least_bound(self._may_do)
        return math.isfinite(bound) and (self._best is None or bound < self._best.loss)

    def add(self, plan: RecodingPlan) -> None:
        """Take in a plan that was counted."""
        place = self._place(plan.levels)
        self._open[place] = False
        self.counted += 1
        self._work[self._way] += plan.cells
        self._now = plan if plan.levels == self._present else self._now
        if self._problem.is_monotone:
            self._bind_finer(plan)
        if plan.left:
            return
        self._possible[plan.levels] = plan
        if not plan.exact and (self._most is None or self._problem.least_suppressions(plan) <= self._most):
            self._estimated[plan.levels] = self._problem.least_loss(plan)
        if self._is_better(plan):
            self._best, self.has_changed = plan, True
            self._near += self._neighbours(plan)
        front = front_of((*self._front, plan))
        if any(each is plan for each in front):
            self._front, self.has_changed = front, True
            self._near += self._neighbours(plan)
            self._close_beaten(plan)

    def _is_better(self, plan: RecodingPlan) -> bool:
        """Whether a plan does what was asked, and loses less than the best so far."""
        within = self._most is None or plan.suppressions <= self._most
        within &= plan.suppressions > 0 or not plan.unsafe or self._problem.suppresses
        return within and (self._best is None or (plan.loss, plan.levels) < (self._best.loss, self._best.levels))

    def begin_finals(self) -> None:
        """From now on the best is one that was counted in full, if any does what was asked."""
        self._best = None
        for plan in self._possible.values():
            if plan.exact and self._is_better(plan):
                self._best = plan

    def next_final(self) -> RecodingPlan | None:
        """The plan to count in full next; None where all that matter were."""
        most = math.inf if self._best is None else self._best.loss
        self._to_count = [self._possible[levels] for levels, bound in self._estimated.items() if bound < most]
        if self._to_count:
            return min(self._to_count, key=lambda plan: (self._guess(plan), plan.levels))
        front = front_of(self._possible.values())
        self._front = front
        self._to_count = [each for each in front if not each.exact]
        now = self._possible.get(self._present)
        return self._to_count[0] if self._to_count else now if now is not None and not now.exact else None

    def _suppressed(self, plan: RecodingPlan) -> float:
        """Bits that suppression takes."""
        return plan.loss - plan.recoded - self._problem.elsewhere

    def _guess(self, plan: RecodingPlan) -> float:
        """What an estimated plan may lose, if it is like those that were counted in full."""
        estimated, full = self._extra
        return plan.loss + (self._suppressed(plan) * (full / estimated - 1) if estimated else 0.0)

    @property
    def waiting(self) -> int:
        """How many plans may still have to be counted in full."""
        return max(1, len(self._to_count))

    def add_final(self, plan: RecodingPlan) -> None:
        """Take in a plan that was counted in full."""
        self.finals += 1
        self.has_changed = True
        self._now = plan if plan.levels == self._present else self._now
        self._estimated.pop(plan.levels, None)
        before = self._possible.pop(plan.levels)
        if plan.left:
            return
        self._extra = [self._extra[0] + self._suppressed(before), self._extra[1] + self._suppressed(plan)]
        self._possible[plan.levels] = plan
        if self._is_better(plan):
            self._best = plan

    def _bind_finer(self, plan: RecodingPlan) -> None:
        """What suppression takes here, it takes at least at every finer point."""
        extra = math.inf if plan.left else max(plan.loss - plan.recoded - self._problem.elsewhere - self._slack, 0.0)
        fails = self._most is not None and self._problem.least_suppressions(plan) > self._most
        if extra <= 0 and not fails:
            return
        finer = np.ones(len(self._open), np.bool_)
        for each, level, own in zip(self._refines, self._level, plan.levels, strict=True):
            finer &= each[:, own][level]
        self._bound[finer] = np.maximum(self._bound[finer], self._recoded[finer] + extra)
        self._may_do &= ~(finer & fails)

    def _close_beaten(self, plan: RecodingPlan) -> None:
        """Points that lose at least as much as a plan that has no suppression and the least risk there can be."""
        least = self._problem.least_rate if self._problem.by_risk else 0.0
        if (
            not plan.suppressions
            and plan.exact
            and self._problem.is_monotone
            and risk_axis(plan) <= least * (1 + _EQUAL)
        ):
            self._open &= self._bound < plan.loss

    def _neighbours(self, plan: RecodingPlan) -> list[int]:
        """Points one level away, that of the least bound last."""
        levels, shape = plan.levels, self._shape
        near = [(j, levels[j] + step) for j in range(len(levels)) for step in (-1, 1)]
        found = [self._place((*levels[:j], i, *levels[j + 1 :])) for j, i in near if 0 <= i < shape[j]]
        return sorted((each for each in found if self._open[each]), key=lambda each: -self._bound[each])

    def front(self) -> ParetoFront:
        """What was found so far."""
        self.has_changed = False
        if self.finals:
            self._front = front_of(self._possible.values())
        bounds = self._least_bound(), min((self._least_bound(self._may_do), *self._estimated.values()))
        problem, best = self._problem, self._best
        if best is None and self._estimated:  # none was counted in full that does what was asked
            best = self._least_of_estimated()
        found = self._front, best, self.counted, self.total, *bounds
        return ParetoFront(*found, problem.detail, problem.elsewhere, self._now, self.finals)

    def _least_of_estimated(self) -> RecodingPlan | None:
        """The plan that loses least by its estimate and does what was asked by it."""
        possible = (each for each in self._possible.values() if not each.exact)
        within = [each for each in possible if self._most is None or each.suppressions <= self._most]
        return min(within, key=lambda each: (each.loss, each.levels), default=None)
