"""The linked numbers of a risk chart: threshold, re-identification rate and number of unsafe records.

Each can be given; the others follow from the staircase. What was asked for and cannot be reached exactly is rounded
to what can, and said.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.base.errors import RecipeError
from core.base.texts import mark
from core.risk.staircase import Staircase


@dataclass(frozen=True)
class LinkedNumbers:
    """One threshold and everything that follows from it.

    Attributes
    ----------
    threshold : float in (0, 1], or None: above every risk in the file, no record is unsafe
    rate : float, the bound xi*(threshold) of the re-identification rate, a fraction ([P04] eq. 17)
    unsafe : int, records at or above the threshold
    low, high : the interval of thresholds with the same unsafe records, open below and closed above; None = no end
    rounded : bool, whether the number asked for was rounded to the one that can be reached
    """

    threshold: float | None
    rate: float
    unsafe: int
    low: float | None
    high: float | None
    rounded: bool = False


def by_risk(staircase: Staircase, threshold: float | None, rounded: bool = False) -> LinkedNumbers:
    """The numbers at an individual-risk threshold in (0, 1]; kept exactly as given.

    Raises
    ------
    RecipeError
        The threshold lies outside (0, 1].
    """
    if threshold is not None and not 0 < threshold <= 1:
        raise RecipeError(
            "threshold-out-of-range",
            mark("A risk threshold of {value} is not possible."),
            mark("Give a number above 0 and up to 1."),
            value=threshold,
        )
    interval = staircase.interval(threshold)
    return LinkedNumbers(
        threshold, staircase.rate_at(threshold), staircase.unsafe(threshold), interval.low, interval.high, rounded
    )


def by_rate(staircase: Staircase, rate: float) -> LinkedNumbers:
    """The numbers at a re-identification rate (a fraction, above 0); at or above the file's own rate: no threshold."""
    threshold = staircase.threshold_for_rate(rate)
    return by_risk(staircase, threshold)


def by_records(staircase: Staircase, unsafe: int, current: float | None) -> LinkedNumbers:
    """The numbers at which at most `unsafe` records are unsafe; `current` stays if it already gives them."""
    linked = by_risk(staircase, staircase.threshold_for_records(unsafe, current))
    if linked.unsafe == unsafe:
        return linked
    return by_risk(staircase, linked.threshold, rounded=True)
