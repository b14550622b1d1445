"""Risk where the people of a cell outside the sample are negative binomial or Poisson, and the dispersion they show."""

from __future__ import annotations

import math

import numpy as np
from numba import types

from .declare import kernel, part

_F8 = types.Array(types.float64, 1, "C", readonly=True)
_F8_OUT = types.Array(types.float64, 1, "C")
_REAL = types.float64

_ENOUGH = 1e-17
_MOST_TERMS = 10_000_000
_FAR = 1e100


@part(_REAL(_REAL, _REAL, _REAL))
def series(f, a, q):  # type: ignore[no-untyped-def]
    """Sum over n of (1-a)_n q^n / (f+1)_n, stopped where a term no longer matters."""
    total = 1.0
    term = 1.0
    for n in range(1, _MOST_TERMS):
        term *= (n - a) * q / (f + n)
        total += term
        if abs(term) < _ENOUGH * total:
            break
    return total


@part(_REAL(_REAL, _REAL))
def series_poisson(f, m):  # type: ignore[no-untyped-def]
    """Sum over n of (-m)^n / (f+1)_n: the limit of `series` at q = m / a, which e^-m cannot make underflow."""
    total = 1.0
    term = 1.0
    for n in range(1, _MOST_TERMS):
        term *= -m / (f + n)
        total += term
        if abs(term) < _ENOUGH * total:
            break
    return total


@part(_REAL(_REAL, _REAL, _REAL))
def negative_binomial_risk(f, scale, a):  # type: ignore[no-untyped-def]
    """E 1/(f+X), X negative binomial with shape a + f and this scale: recurrence in f where stable, else the series."""
    if not (f >= 1.0 and scale >= 0.0 and a >= 0.0):
        return math.nan
    if scale == 0.0:
        return 1.0 / f
    if f > 1.0 and not (scale * (a + 1.0) >= 0.3 * f + 0.7 and scale * (a + f) >= f):
        return series(f, a, scale / (1.0 + scale)) / (f * (1.0 + scale))
    # (1 - (1+scale)^-a) / (a scale), in a form that is as good where a scale is next to nothing
    log = math.log1p(scale)
    risk = log / scale
    if a * log > 0.0:
        risk *= -math.expm1(-a * log) / (a * log)
    at = 1.0
    while at < f - 0.5:
        risk = (1.0 - at * risk) / (scale * (a + at))
        at += 1.0
    return risk


@part(_REAL(_REAL, _REAL))
def poisson_risk(f, m):  # type: ignore[no-untyped-def]
    """E 1/(f+X), X Poisson with mean m: recurrence in f where m >= f, else the series."""
    if not (f >= 1.0 and m >= 0.0):
        return math.nan
    if m == 0.0:
        return 1.0 / f
    if f > 1.0 and m < f:
        return series_poisson(f, m) / f
    risk = -math.expm1(-m) / m
    at = 1.0
    while at < f - 0.5:
        risk = (1.0 - at * risk) / m
        at += 1.0
    return risk


@kernel(types.void(_F8, _F8, _REAL, _F8_OUT))
def risks(f, scale, a, out):  # type: ignore[no-untyped-def]
    """Risk of each cell of a block; a infinite: `scale` is the Poisson mean."""
    for i in range(len(f)):
        out[i] = poisson_risk(f[i], scale[i]) if math.isinf(a) else negative_binomial_risk(f[i], scale[i], a)


@kernel(_REAL(_F8, types.boolean, _REAL))
def log_likelihood(mu, pairs, a):  # type: ignore[no-untyped-def]
    """Sum over cells of ln(rho/(1+rho)) if they have two records each, of -ln(1+rho) if one; rho = mu(a+1)/2(a+mu)."""
    total = 0.0
    product = 1.0  # one logarithm for many cells
    for i in range(len(mu)):
        rho = mu[i] * (a + 1.0) / (2.0 * (a + mu[i]))
        factor = rho / (1.0 + rho) if pairs else 1.0 / (1.0 + rho)
        if factor < 1.0 / _FAR:
            total += math.log(factor)
        else:
            product *= factor
            if product < 1.0 / _FAR:
                total += math.log(product)
                product = 1.0
    return total + math.log(product)


@kernel(_REAL(_F8, types.boolean, _REAL))
def slope(mu, pairs, a):  # type: ignore[no-untyped-def]
    """Derivative of `log_likelihood` by a, times a + 1."""
    total = 0.0
    for i in range(len(mu)):
        rho = mu[i] * (a + 1.0) / (2.0 * (a + mu[i]))
        residual = 1.0 / (1.0 + rho) if pairs else -rho / (1.0 + rho)
        total += residual * (mu[i] - 1.0) / (a + mu[i])
    return total


GRID = np.exp(np.linspace(math.log(1e-3), math.log(1e4), 41))
"""The values of a that are tried first."""
