"""The linked numbers of a risk chart: threshold, rate and number of unsafe records, of individual or household risk.

Each can be given; the others follow from the staircase. What was asked for and cannot be reached exactly is rounded
to what can, and said.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..base.errors import RecipeError
from ..base.texts import mark
from .distribution import RiskDistribution
from .household import HouseholdStaircase


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


def by_risk(staircase: RiskDistribution, threshold: float | None, rounded: bool = False) -> LinkedNumbers:
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


def by_rate(staircase: RiskDistribution, rate: float) -> LinkedNumbers:
    """The numbers at a re-identification rate (a fraction, above 0); at or above the file's own rate: no threshold."""
    threshold = staircase.threshold_for_rate(rate)
    return by_risk(staircase, threshold)


def by_records(staircase: RiskDistribution, unsafe: int, current: float | None) -> LinkedNumbers:
    """The numbers at which at most `unsafe` records are unsafe; `current` stays if it already gives them."""
    linked = by_risk(staircase, staircase.threshold_for_records(unsafe, current))
    if linked.unsafe == unsafe:
        return linked
    return by_risk(staircase, linked.threshold, rounded=True)


@dataclass(frozen=True)
class HouseholdNumbers:
    """One household threshold and everything that follows from it.

    Attributes
    ----------
    threshold : float in (0, 1], or None: above every household risk in the file, nothing is unsafe
    rate : float, the bound xi^h*(threshold) of the household rate, a fraction
    unsafe_households : int, households at or above the threshold
    unsafe_records : int, members of these with a risk of at least threshold / number of members
    low, high : the interval of thresholds with the same unsafe households, open below and closed above; None = no end
    rounded : bool, whether the number asked for was rounded to the one that can be reached
    """

    threshold: float | None
    rate: float
    unsafe_households: int
    unsafe_records: int
    low: float | None
    high: float | None
    rounded: bool = False


def by_household_risk(staircase: HouseholdStaircase, threshold: float | None) -> HouseholdNumbers:
    """The numbers at a household threshold in (0, 1]; kept exactly as given.

    Raises
    ------
    RecipeError
        The threshold lies outside (0, 1].
    """
    found = by_risk(staircase, threshold)
    return HouseholdNumbers(
        threshold, found.rate, staircase.unsafe_households(threshold), found.unsafe, found.low, found.high
    )


def by_household_rate(staircase: HouseholdStaircase, rate: float) -> HouseholdNumbers:
    """The numbers at a household rate (a fraction, above 0); at or above the file's own: no threshold."""
    return by_household_risk(staircase, staircase.threshold_for_rate(rate))


def by_households(staircase: HouseholdStaircase, unsafe: int, current: float | None) -> HouseholdNumbers:
    """The numbers at which at most `unsafe` households are; `current` stays if it already gives them."""
    found = by_household_risk(staircase, staircase.threshold_for_households(unsafe, current))
    return replace(found, rounded=found.unsafe_households != unsafe)


def by_household_records(staircase: HouseholdStaircase, unsafe: int, current: float | None) -> HouseholdNumbers:
    """The numbers at which at most `unsafe` records are; `current` stays if it already gives them."""
    found = by_household_risk(staircase, staircase.threshold_for_records(unsafe, current))
    return replace(found, rounded=found.unsafe_records != unsafe)
