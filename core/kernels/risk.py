"""Individual risk of cells, and its levels with compensated running sums."""

from __future__ import annotations

import math

import numpy as np
from numba import types

from .declare import kernel, part

_F8 = types.Array(types.float64, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_I8_OUT = types.Array(types.int64, 1, "C")
_F8_OUT = types.Array(types.float64, 1, "C")
_RISK = types.float64(types.float64, types.float64)

_TOLERANCE = 1e-12
_PANEL = 1.0  # half width: the integrand's poles lie pi off the axis, so twelve nodes a panel give 1e-16
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(12)
_NODES = np.ascontiguousarray(_NODES)
_NODE_WEIGHTS = np.ascontiguousarray(_NODE_WEIGHTS)


@part(types.float64(types.float64, types.float64, types.int64))
def series(f, q, terms):  # type: ignore[no-untyped-def]
    """1 + sum over n <= terms of n! q^n / ((f+1)...(f+n)), stopped where a term no longer matters."""
    total = 1.0
    term = 1.0
    for n in range(1, terms + 1):
        term *= n * q / (f + n)
        total += term
        if term < 1e-17 * total:
            break
    return total


@part(types.float64(types.float64, types.float64, types.float64))
def integral(f, p, q):  # type: ignore[no-untyped-def]
    """p * Integral_0^1 u^(f-1) / (p + q u) du for 1 < f < 2, with u = exp(-s), Gauss-Legendre on panels of s."""
    end = -math.log(p) + 40.0
    total = 0.0
    middle = _PANEL
    while middle - _PANEL < end:
        for i in range(len(_NODES)):
            s = middle + _PANEL * _NODES[i]
            total += _NODE_WEIGHTS[i] * _PANEL * math.exp(-f * s) / (p + q * math.exp(-s))
        middle += 2.0 * _PANEL
    return p * total


@part(_RISK)
def exact_risk(f, population):  # type: ignore[no-untyped-def]
    """E(1/F | f): the recurrence in f where it is stable and f small, the series otherwise."""
    if not (f > 0.0 and population >= 0.0):
        return math.nan
    if population <= f * (1.0 + _TOLERANCE):
        return 1.0 / f
    p = f / population
    q = (population - f) / population
    if p >= 0.5 or f >= 40.0:
        return p / f * series(f, q, 100000)
    at = f - math.floor(f) + 1.0
    risk = -p * math.log(p) / q if at == 1.0 else integral(at, p, q)
    while at < f - 0.5:
        risk = p / q * (1.0 / at - risk)
        at += 1.0
    return risk


@part(_RISK)
def truncated_risk(f, population):  # type: ignore[no-untyped-def]
    """The same for f < 4; from f = 4 the series cut after seven terms."""
    if not (f >= 4.0 and population > f * (1.0 + _TOLERANCE)):
        return exact_risk(f, population)
    return series(f, (population - f) / population, 7) / population


@kernel(types.void(_F8, _F8, types.boolean, _F8_OUT))
def risks(f, population, truncated, out):  # type: ignore[no-untyped-def]
    """Risk of each cell of a block."""
    for i in range(len(f)):
        out[i] = truncated_risk(f[i], population[i]) if truncated else exact_risk(f[i], population[i])


@kernel(types.int64(_F8, types.int64, types.int64, types.float64))
def count_levels(risk, start, stop, tolerance):  # type: ignore[no-untyped-def]
    """How many of the ascending risks from `start` to `stop` begin a level; see `climb`."""
    found = 0
    for i in range(start, stop):
        found += i == 0 or risk[i] > risk[i - 1] * (1.0 + tolerance)
    return found


@kernel(
    types.int64(
        _F8, _U4, _I8, types.int64, types.int64, types.float64, _F8_OUT, types.int64, _F8_OUT, _I8_OUT, _F8_OUT, _I8_OUT
    )
)  # fmt: skip
def climb(risk, order, count, start, stop, tolerance, state, found, levels, records, sums, cells):  # type: ignore[no-untyped-def]
    """Add the ascending risks from `start` to `stop` to the levels `found` before; how many there are now is returned.

    Parameters
    ----------
    risk : (m,) ascending; order : (m,) the cell of each; count : (m,) records of each cell
    tolerance : a risk up to so much above the one before it, relatively, belongs to its level
    state : sum and compensation of the risks so far [Neumaier]; changed
    levels, records, sums, cells : of each level its least risk, the records and the sum of risks up to it, its
        cells; filled
    """
    total, compensation = state[0], state[1]
    met = records[found - 1] if found else np.int64(0)
    for i in range(start, stop):
        times = count[order[i]]
        if i == 0 or risk[i] > risk[i - 1] * (1.0 + tolerance):
            levels[found] = risk[i]
            cells[found] = 0
            found += 1
        value = risk[i] * times
        after = total + value
        if abs(total) >= abs(value):
            compensation += (total - after) + value
        else:
            compensation += (value - after) + total
        total = after
        met += times
        records[found - 1] = met
        sums[found - 1] = total + compensation
        cells[found - 1] += 1
    state[0], state[1] = total, compensation
    return found
