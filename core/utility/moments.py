"""Weighted means, quantiles and correlations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .compared import Floats


def weighted_mean(values: Floats, weights: Floats) -> float | None:
    """Mean of the values that are there (not nan); None where none is, or none counts."""
    there = ~np.isnan(values)
    total = float(weights[there].sum())
    return float(weights[there] @ values[there]) / total if total > 0 else None


def weighted_quantiles(values: Floats, weights: Floats, shares: Sequence[float]) -> tuple[float, ...]:
    """For each share p the smallest value up to which at least p of the weight lies; none where no value is there."""
    there = ~np.isnan(values) & (weights > 0)
    if not there.any():
        return ()
    order = np.argsort(values[there], kind="stable")
    ordered, running = values[there][order], np.cumsum(weights[there][order])
    # a part of the total that is exact but for rounding is reached
    at = np.searchsorted(running, np.asarray(shares) * running[-1] * (1 - 1e-12))
    return tuple(ordered[np.minimum(at, len(ordered) - 1)].tolist())


def correlation(x: Floats, y: Floats, weights: Floats) -> float | None:
    """Pearson's weighted correlation of complete records; None where one of them does not vary."""
    there = ~np.isnan(x) & ~np.isnan(y) & (weights > 0)
    w = weights[there]
    if not len(w):
        return None
    x, y = (each[there] - (w @ each[there]) / w.sum() for each in (x, y))
    vary = float(w @ x**2) * float(w @ y**2)
    return float(w @ (x * y)) / vary**0.5 if vary > 0 else None


def correlation_ratio(x: Floats, group: NDArray[np.int64], groups: int, weights: Floats) -> float | None:
    """Correlation ratio η of a number by groups: root of the variance of their means over that of all.

    Parameters
    ----------
    group : (n,) from 0; `groups` and beyond where there is none
    """
    there = ~np.isnan(x) & (group < groups) & (weights > 0)
    w, g = weights[there], group[there]
    if not len(w):
        return None
    x = x[there] - (w @ x[there]) / w.sum()
    whole = float(w @ x**2)
    if whole <= 0:
        return None
    heavy, sums = np.bincount(g, w, groups), np.bincount(g, w * x, groups)
    found = heavy > 0
    return math.sqrt(min(float((sums[found] ** 2 / heavy[found]).sum()) / whole, 1.0))
