"""Estimates with their 95 % confidence intervals, and how far two intervals overlap."""

from __future__ import annotations

from dataclasses import dataclass

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """An estimate with its standard error and confidence interval; None where too few records leave no interval."""

    value: float
    error: float | None = None
    low: float | None = None
    high: float | None = None

    def summary(self) -> dict[str, float]:
        """Its figures, as far as there are some."""
        return {name: figure for name, figure in vars(self).items() if figure is not None}


def estimate(value: float, error: float, freedom: int) -> Estimate:
    """An estimate with the interval of Student's t with `freedom` degrees; without one where there are none."""
    from scipy.special import stdtrit

    if freedom < 1:
        return Estimate(value)
    reach = float(stdtrit(freedom, (1 + LEVEL) / 2)) * error
    return Estimate(value, error, value - reach, value + reach)


def overlap(before: Estimate, after: Estimate) -> float | None:
    """Overlap of two intervals, the mean of the shares of both that lie in the other.

    ½ [(u − l)/(U − L) + (u − l)/(U' − L')], u the lower of the upper ends and l the upper of the lower ends
    (Karr, Kohnen, Oganian, Reiter, Sanil 2006): 1 where they are the same, negative where they are apart, by how far in
    units of their length. None without two intervals; of intervals without a length 1 where they are the same.
    """
    if before.low is None or before.high is None or after.low is None or after.high is None:
        return None
    common = min(before.high, after.high) - max(before.low, after.low)
    lengths = before.high - before.low, after.high - after.low
    if not all(lengths):
        return 1.0 if (before.low, before.high) == (after.low, after.high) else None
    return (common / lengths[0] + common / lengths[1]) / 2
