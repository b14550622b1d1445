"""IPSO: synthetic numbers whose means and covariances are exactly those of the original."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class IndefiniteError(ValueError):
    """No draws have the covariance that is left for them."""


def synthetic_numbers(numbers: Floats, predictors: Floats, alpha: Floats, normals: Floats) -> Floats:
    """Numbers that depend on the original ones as far as `alpha` says, with its moments.

    Means and covariances of the result and `predictors` together are those of `numbers` and `predictors` but for
    rounding: the draws are made exactly uncorrelated with both and with each other (Burridge 2003; Langsrud 2019, the
    hybrid form of Muralidhar & Sarathy 2008).

    Parameters
    ----------
    numbers : (n, p) finite
    predictors : (n, s) finite
    alpha : (p,) in [0, 1): how much of its own difference from what the predictors say each number keeps
    normals : (n, p) independent standard normal draws

    Raises
    ------
    IndefiniteError
        Alphas so different that what is left for the draws is no covariance.
    """
    n = len(numbers)
    centred, given = numbers - numbers.mean(axis=0), predictors - predictors.mean(axis=0)
    basis = _orthonormal(given)
    fitted = basis @ (basis.T @ centred)
    rest = centred - fitted
    a = np.diag(alpha)
    covariance = rest.T @ rest / (n - 1)
    left = covariance - a @ covariance @ a
    variances, axes = np.linalg.eigh(left)
    if variances.size and variances.min() < -1e-9 * max(float(np.trace(covariance)), 1e-300):
        raise IndefiniteError
    # Draws without mean, at right angles to predictors and numbers, and to each other.
    outside = _orthonormal(np.column_stack([given, centred]))
    drawn = normals - normals.mean(axis=0)
    for _ in range(2):  # twice, so that what rounding leaves of the first time goes
        drawn = drawn - outside @ (outside.T @ drawn)
        drawn = drawn - drawn.mean(axis=0)
    q = np.linalg.qr(drawn)[0] * np.sqrt(n - 1)
    noise = q @ (axes * np.sqrt(np.maximum(variances, 0.0))) @ axes.T
    return np.asarray(numbers.mean(axis=0) + fitted + rest @ a + noise, np.float64)


def leverage(predictors: Floats) -> Floats:
    """(n,) in [0, 1]: how far the predictors alone say each record's number; where it is 1, the number is kept."""
    basis = _orthonormal(predictors - predictors.mean(axis=0))
    return np.asarray(1 / len(predictors) + (basis**2).sum(axis=1), np.float64)


def fewest_records(p: int, s: int) -> int:
    """Records that p numbers with s predictors need at least."""
    return 2 * p + s + 2


def _orthonormal(columns: Floats) -> Floats:
    """(n, r) an orthonormal basis of what `columns` span; those that follow from others add nothing."""
    if not columns.size:
        return np.zeros((len(columns), 0))
    spread = np.sqrt((columns**2).sum(axis=0))
    varying = columns[:, spread > 0] / spread[spread > 0]
    if not varying.size:
        return np.zeros((len(columns), 0))
    u, singular, _v = np.linalg.svd(varying, full_matrices=False)
    return np.asarray(u[:, singular > 1e-10 * singular[0]], np.float64)
