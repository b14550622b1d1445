"""Risk of a cell whose people outside the sample are negative binomial or Poisson [method: log-linear model]."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..kernels import negative_binomial as kernels
from ..tables.grouping import blocks
from .roots import brent

_BLOCK = 1 << 14
_NEAR_INTEGER = 1e-9
_BOUND_ROUNDING = 1e-9

Floats = NDArray[np.float64]


def scale_of(m: Floats, mu: Floats, a: float) -> Floats:
    """θ = m / (a + μ), the scale of X given f; where a is infinite m itself, the mean of the Poisson."""
    return m if math.isinf(a) else m / (a + mu)


def calibrated_risk(f: NDArray[np.floating[Any]], scale: Floats, a: float, progress: Progress = SILENT) -> Floats:
    """E 1/(f + X), X the people of the cell outside the sample: negative binomial with shape a + f and scale θ.

    = ∫₀¹ t^(f-1) (1 + θ(1-t))^-(a+f) dt; a = 0 is the individual risk at p = 1/(1+θ), a infinite is the Poisson.

    Parameters
    ----------
    f : (m,) sample frequency, an integer >= 1; nan where not defined
    scale : (m,) θ >= 0; with a infinite the Poisson mean (`scale_of`)
    a : shape of the scatter around the model, >= 0, or infinity

    Returns
    -------
    (m,) float64 in (0, 1], relative error at most 1e-12; nan where f or the scale is
    """
    f = np.ascontiguousarray(f, np.float64)
    scale = np.ascontiguousarray(scale, np.float64)
    risk = np.empty(len(f))
    for part in blocks(len(f), progress, _BLOCK):
        kernels.risks(f[part], scale[part], a, risk[part])
    return risk


def most_calibrated_risk(f: NDArray[np.floating[Any]], scale: Floats, a: float) -> Floats:
    """An upper bound of `calibrated_risk` in closed form: 1 / (E F - 2 (1+θ)) where f > 2, and no more than 1/f.

    With u = t / (1 + θ(1-t)) the risk is at most (1+θ)^(-1-a) ∫₀¹ u^(f-2) (1+θu)^a du, and the integrand there at most
    e^((f-2+c)(u-1)) (1+θ)^a, c = aθ/(1+θ).

    Parameters
    ----------
    f, scale, a : as for `calibrated_risk`

    Returns
    -------
    (m,) float64; nan where f or the scale is
    """
    size = np.asarray(f, np.float64)
    people = (size - 2.0) + scale if math.isinf(a) else (size - 2.0) * (1.0 + scale) + a * scale
    people = np.where(size > 2.0, np.maximum(people, size), size)
    bound: Floats = (1.0 + _BOUND_ROUNDING) / people
    return bound


def exceedance(
    f: NDArray[np.floating[Any]], scale: Floats, a: float, threshold: float, progress: Progress = SILENT
) -> Floats:
    """π = P(F <= 1/r*): how likely a cell's true 1/F is at least the threshold r*.

    The cumulative distribution of X at floor(1/r* + 1e-9) - f, as an incomplete beta or gamma function.

    Parameters
    ----------
    f, scale, a : as for `calibrated_risk`
    threshold : r*, in (0, 1]

    Returns
    -------
    (m,) float64 in [0, 1]; 0 where f alone is more than 1/r*; nan where f or the scale is
    """
    size = np.ascontiguousarray(f, np.float64)
    found = np.empty(len(size))
    largest = math.floor(1.0 / threshold + _NEAR_INTEGER)
    for part in blocks(len(size), progress, _BLOCK):
        found[part] = _at_most(largest - size[part], size[part], scale[part], a)
    return found


def upper_risk(
    f: NDArray[np.floating[Any]], scale: Floats, a: float, alpha: float, progress: Progress = SILENT
) -> Floats:
    """The largest threshold r* that a cell's true 1/F reaches with probability alpha: π(r*) >= alpha up to it.

    1/F of the least whole number F that the cell is no larger than with probability alpha; a cell is unsafe by the
    promise exactly where this is at or above the threshold. Thresholds within 1e-9 of a whole 1/r* count as that one.

    Parameters
    ----------
    f, scale, a : as for `calibrated_risk`; f a whole number
    alpha : in (0, 1)

    Returns
    -------
    (m,) float64 in (0, 1], at most 1/f but for the 1e-9; nan where f or the scale is
    """
    size = np.ascontiguousarray(f, np.float64)
    found = np.full(len(size), np.nan)
    for part in blocks(len(size), progress, _BLOCK):
        known = np.flatnonzero(~(np.isnan(size[part]) | np.isnan(scale[part]))) + part.start
        people = size[known] + _quantile(size[known], scale[known], a, alpha)
        found[known] = np.minimum(1.0 / (people - _NEAR_INTEGER), 1.0)
    return found


def _at_most(people: Floats, f: Floats, scale: Floats, a: float) -> Floats:
    """P(X <= people), 0 where these are negative."""
    from scipy.special import betainc, gammaincc

    room = np.maximum(people, 0.0) + 1.0
    values = gammaincc(room, scale) if math.isinf(a) else betainc(a + f, room, 1.0 / (1.0 + scale))
    return np.where(people < 0.0, 0.0, values)


def _quantile(f: Floats, scale: Floats, a: float, alpha: float) -> Floats:
    """The least whole x with P(X <= x) >= alpha: from a guess, in steps that double, then by halves."""
    from scipy.special import gammaincinv, ndtri

    if math.isinf(a):
        guess = scale + float(ndtri(alpha)) * np.sqrt(scale)
        step = np.sqrt(scale)
    else:
        guess = gammaincinv(a + f, alpha) * scale  # the quantile of the mean of X
        step = np.sqrt(guess)
    x = np.floor(np.maximum(guess, 0.0))
    step = np.maximum(1.0, np.floor(step / 4.0))
    low, high = np.full(len(f), -1.0), np.full(len(f), np.inf)  # enough at the higher, not at the lower one
    open_ = np.arange(len(f))
    while len(open_):
        enough = _at_most(x[open_], f[open_], scale[open_], a) >= alpha
        high[open_[enough]], low[open_[~enough]] = x[open_[enough]], x[open_[~enough]]
        open_ = open_[high[open_] - low[open_] > 1.0]
        upward, both = np.isinf(high[open_]), (low[open_] >= 0.0) & ~np.isinf(high[open_])
        further = np.where(upward, low[open_] + step[open_], np.maximum(high[open_] - step[open_], 0.0))
        x[open_] = np.where(both, np.floor((low[open_] + high[open_]) / 2.0), further)
        step[open_] *= 2.0
    return high


def none_outside(scale: Floats, a: float) -> Floats:
    """P(X = 0) of cells with one record: (1 + θ)^-(a+1), or e^-m where a is infinite."""
    return np.exp(-scale) if math.isinf(a) else np.exp(-(a + 1.0) * np.log1p(scale))


def dispersion(f: Floats, mu: Floats, progress: Progress = SILENT) -> float:
    """The shape a under which uniques and pairs stand in the proportion seen.

    The maximum of l(a) = Σ(f = 2) ln ρ - Σ(f <= 2) ln(1 + ρ), ρ = μ (a+1) / (2 (a+μ)): the best of 41 points from 1e-3
    to 1e4, equally spaced in ln a, then the root of the derivative between its neighbours.

    Parameters
    ----------
    f : (m,) sample frequency of each cell; only those with 1 and 2 matter
    mu : (m,) expected sample count of each cell, > 0

    Returns
    -------
    a in [1e-3, 1e4); infinity where the last point is the best or no cell has one or two records
    """
    parts = tuple((np.ascontiguousarray(mu[f == size]), size == 2) for size in (1, 2))
    if not any(len(values) for values, _ in parts):
        return math.inf

    def total(of: Callable[[Floats, bool, float], float], a: float) -> float:
        return math.fsum(of(values[part], two, a) for values, two in parts for part in blocks(len(values), progress))

    heights = [total(kernels.log_likelihood, a) for a in kernels.GRID.tolist()]
    best = int(np.argmax(heights))
    if best == len(heights) - 1:
        return math.inf
    if best == 0:
        return float(kernels.GRID[0])
    low, high = math.log(kernels.GRID[best - 1]), math.log(kernels.GRID[best + 1])
    return math.exp(_summit(lambda x: total(kernels.slope, math.exp(x)), low, high))


def _summit(slope: Callable[[float], float], low: float, high: float) -> float:
    """Where the slope passes from positive to negative; a maximum is known to lie between."""
    for cuts in (2, 4, 16, 256):
        points = np.linspace(low, high, cuts + 1).tolist()
        signs = [slope(x) for x in points]
        for i in range(cuts):
            if signs[i] >= 0.0 >= signs[i + 1]:
                return brent(slope, points[i], points[i + 1], 1e-15, 4 * float(np.finfo(float).eps))
    return (low + high) / 2  # as flat as rounding can tell
