"""Moments of numerical variables by strata, and normal noise of the same covariances.

Sums are taken in the order of the records, so that every machine and any number of threads gets the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_RIDGE = 1e-9
"""Variables of which one follows from the others have a singular matrix; so much of it is taken for independent."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Means and standard deviations (divisor n - 1) of the values that are there, (S, p) by stratum.

    A stratum without a value has the mean of all records.
    """

    mean: Floats
    sd: Floats


def moments_of(values: Floats, strata: Ints) -> Moments:
    """Those of (n, p) numbers, nan where missing, by stratum (n,) from 0."""
    size = int(strata.max(initial=0)) + 1
    mean, sd = np.zeros((size, values.shape[1])), np.zeros((size, values.shape[1]))
    for place, column in enumerate(values.T):
        there = ~np.isnan(column)
        found, group = column[there], strata[there]
        count = np.bincount(group, minlength=size)
        total = np.bincount(group, found, size)
        centre = float(total.sum() / count.sum()) if count.any() else 0.0
        mean[:, place] = np.where(count > 0, total / np.maximum(count, 1), centre)
        apart = np.bincount(group, (found - mean[group, place]) ** 2, size)
        sd[:, place] = np.sqrt(apart / np.maximum(count - 1, 1))
    return Moments(mean, sd)


def correlations(values: Floats, strata: Ints) -> Floats:
    """(S, p, p) correlations of the records that miss no value, by stratum; of a constant 0."""
    size, p = int(strata.max(initial=0)) + 1, values.shape[1]
    complete = ~np.isnan(values).any(axis=1)
    found, group = values[complete], strata[complete]
    apart = found - moments_of(found, group).mean[group] if len(found) else found
    products = np.zeros((size, p, p))
    for i in range(p):
        for j in range(i + 1):
            products[:, i, j] = products[:, j, i] = np.bincount(group, apart[:, i] * apart[:, j], size)
    root = np.sqrt(np.einsum("sii->si", products))
    both = root[:, :, None] * root[:, None, :]
    correlation = np.divide(products, both, out=np.zeros_like(products), where=both > 0)
    correlation[:, np.arange(p), np.arange(p)] = 1.0
    return np.asarray(correlation, np.float64)


def correlations_of_noise(values: Floats, strata: Ints) -> Floats:
    """(S, p, p) the correlations that noise is to have: by stratum, of those with few complete records those of all.

    The noise of two records alone lies on the line through both, and so do the released values: whoever knows one of
    two values would be told the other.
    """
    found = correlations(values, strata)
    complete = ~np.isnan(values).any(axis=1)
    few = np.bincount(strata[complete], minlength=len(found)) < 2 * values.shape[1] + 2
    found[few] = correlations(values, np.zeros(len(values), np.int64))[0]
    return found


def noise_like(moments: Moments, strata: Ints, draws: Sequence[Floats], joint: Floats | None = None) -> Floats:
    """(n, p) noise with the standard deviations of the variables.

    In a stratum in which a variable is constant it has that of all strata together, as else it would stay as it is.

    Parameters
    ----------
    draws : p arrays (n,), standard normal
    joint : (S, p, p) correlations that the noise is to have; the noise of each variable depends on its own draws and
        on those of the variables before it. None: independent
    """
    sd = np.where(moments.sd > 0, moments.sd, _spread(moments, strata))
    noise = np.empty((len(strata), len(draws)))
    factor = None if joint is None else _factor(joint)
    for place, own in enumerate(draws):
        if factor is None:
            mixed = own
        else:
            mixed = np.zeros(len(own))
            for other in range(place + 1):  # no product of matrices, whose last bit depends on the number of threads
                mixed += factor[strata, place, other] * draws[other]
        noise[:, place] = mixed * sd[strata, place]
    return noise


def towards_mean(values: Floats, moments: Moments, strata: Ints, c: float) -> Floats:
    """``mean + c (x - mean)``, by stratum (n, p)."""
    mean = moments.mean[strata]
    return np.asarray(mean + c * (values - mean), np.float64)


def _spread(moments: Moments, strata: Ints) -> Floats:
    """(p,) standard deviation of the means of strata and within them together, each record counting once."""
    share = np.bincount(strata, minlength=len(moments.mean)) / max(len(strata), 1)
    centre = (share[:, None] * moments.mean).sum(axis=0)
    variance = (share[:, None] * (moments.sd**2 + (moments.mean - centre) ** 2)).sum(axis=0)
    return np.asarray(np.sqrt(variance), np.float64)


def _factor(joint: Floats) -> Floats:
    """(S, p, p) lower triangular, times its transpose the correlations."""
    try:
        return np.asarray(np.linalg.cholesky(joint), np.float64)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.cholesky((1 - _RIDGE) * joint + _RIDGE * np.eye(joint.shape[1])), np.float64)
