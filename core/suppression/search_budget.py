"""How far searches go, and where they end early: what was reached is an effort by which the same is found again.

Every search goes on in steps of the same effort, so that one which is ended after some of them is what a search of so
much effort is from its beginning. The clock therefore never decides what a recipe gives, only how much is asked of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate

USUAL_EFFORT = 1000
STEP = 10
"""Effort between two looks at whether to end: a hundredth of a usual search."""
P = TypeVar("P")
T = TypeVar("T")


class SteppedSearch(Protocol):
    """One of several searches that go on side by side."""

    @property
    def loss(self) -> float:
        """What the best costs that was found so far."""

    @property
    def bound(self) -> float:
        """What nothing costs less than."""

    def go_to(self, effort: int, progress: Progress) -> bool:
        """Go on until so much effort was made; whether more could help."""


class RestartWithBudget(Exception):
    """Searches were ended after others that had gone further: all have to be done again, with the effort `effort`."""

    def __init__(self, effort: int) -> None:
        super().__init__(effort)
        self.effort = effort


def never() -> bool:
    """Nobody asks a search to end."""
    return False


def within(seconds: float | None, stop: Callable[[], bool]) -> Callable[[], bool]:
    """`stop`, or that so many seconds are over from now on; None: no limit."""
    if seconds is None:
        return stop
    end = time.monotonic() + seconds
    return lambda: stop() or time.monotonic() >= end


class SearchBudget:
    """How far the searches of one plan go.

    Attributes
    ----------
    effort : in thousandths of the usual one; where a search was ended, what it had reached, and all later ones reach
    thorough : whether small tables are solved exactly after the search
    stop : asked after every step; True from then on: end, and keep the best
    """

    def __init__(
        self,
        effort: int = USUAL_EFFORT,
        thorough: bool = False,
        stop: Callable[[], bool] = never,
    ) -> None:
        self.effort, self.thorough, self.stop = effort, thorough, stop
        self._ended, self._went, self._solved = False, False, False

    @property
    def ended(self) -> bool:
        """Whether something was ended early."""
        return self._ended

    def search(self, parts: Sequence[SteppedSearch], progress: Progress = SILENT) -> None:
        """Let these go on together, until they have made the effort or the best is found.

        Raises
        ------
        SearchAgain
            They were ended, and others had gone further.
        Cancelled
            As `progress` asks.
        """
        parts = [part for part in parts if part.loss > 0]
        reached, more = 0, bool(parts)
        while more and reached < self.effort:
            progress.report(reached, self.effort, _standing(parts))
            reached = min(reached + STEP, self.effort)
            going = [part.go_to(reached, progress) for part in parts]
            more = any(going)
            if more and reached < self.effort and self.stop():
                self.end(reached)
        self._went |= bool(parts)

    def went(self) -> None:
        """A search of its own kind has made the effort."""
        self._went = True

    def end(self, reached: int) -> None:
        """End here, where a search has made the effort `reached`."""
        if self._went:
            raise RestartWithBudget(reached)
        self._end(reached)

    def solve(self, problems: Sequence[P], found: Sequence[T], exactly: Callable[[P, T], T]) -> list[T]:
        """Exact solutions where they are asked for, and nobody says meanwhile that what was found will do.

        Raises
        ------
        SearchAgain
            Somebody did, and others had been solved.
        """
        if not self.thorough:
            return list(found)
        solved = [exactly(problem, one) for problem, one in zip(problems, found, strict=True)]
        if self.stop():
            if self._solved:
                raise RestartWithBudget(self.effort)
            self._end(self.effort)
            return list(found)
        self._solved = True
        return solved

    def _end(self, reached: int) -> None:
        self._ended, self.effort, self.thorough, self.stop = True, reached, False, never


def _standing(parts: Sequence[SteppedSearch]) -> str:
    """How far the search is, in words."""
    loss, bound = sum(part.loss for part in parts), sum(part.bound for part in parts)
    if not math.isfinite(loss):
        return translate(mark("Search for suppressions"))
    told = translate(mark("Search for suppressions: loss {loss} so far, at least {bound}, gap {gap} %"))
    gap = 100 * max(0.0, loss - bound) / loss if loss > 0 else 0.0
    return told.format(loss=f"{loss:.1f}", bound=f"{bound:.1f}", gap=f"{gap:.1f}")
