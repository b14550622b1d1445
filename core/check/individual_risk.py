"""The individual risk of a key once more, for the check of a written file: by code of its own."""

from __future__ import annotations

import numpy as np

from ..base.progress import SILENT, Progress
from .recount import Floats, parts_of

_PANELS, _NODES = 24, 20


def risks(
    f: Floats, population: Floats, truncated: bool, progress: Progress = SILENT, out: Floats | None = None
) -> Floats:
    """Individual risk E(1/F | f) [P04 eq. 3-11]; `truncated`: eq. 14 with seven terms from f = 4.

    `out` : where it is written, `f` itself, too; None: a new array.
    """
    result = np.empty(len(f)) if out is None else out
    for part in parts_of(len(f), progress):
        result[part] = _risks_of_some(f[part], population[part], truncated)
    return result


def _risks_of_some(f: Floats, population: Floats, truncated: bool) -> Floats:
    result = 1 / f
    sampled = population > f * (1 + 1e-12)
    p = np.where(sampled, f / np.where(sampled, population, 1.0), 1.0)
    integer = f == np.floor(f)
    short = sampled & (f >= 4) if truncated else np.zeros(len(f), np.bool_)
    result[short] = _series(f[short], p[short], 7)
    rest = sampled & ~short
    climbing = rest & integer & (p < 0.5) & (f < 40)
    result[climbing] = _climb(f[climbing], p[climbing])
    summed = rest & ~climbing & (integer | (p >= 0.5) | (f >= 40))
    result[summed] = _series(f[summed], p[summed], 400)
    between = rest & ~climbing & ~summed
    if between.any():
        result[between] = _integral(f[between], p[between])
    return result


def _series(f: Floats, p: Floats, terms: int) -> Floats:
    """p/f times the sum of n! q^n / ((f+1)...(f+n)), n from 0 to `terms` or until nothing is added."""
    term = np.ones(len(f))
    total = np.ones(len(f))
    for n in range(1, terms + 1):
        term = term * (n * (1 - p) / (f + n))
        total += term
        if not len(f) or term.max() < 1e-18:
            break
    return p / f * total


def _climb(f: Floats, p: Floats) -> Floats:
    """From r(1) = -p log(p)/q by r(f+1) = p/q (1/f - r(f)); stable for p < 1/2."""
    odds = p / (1 - p)
    value = -np.log(p) * odds
    for step in range(1, int(f.max(initial=1))):
        left = np.flatnonzero(step < f)
        value[left] = odds[left] * (1 / step - value[left])
    return value


def _integral(f: Floats, p: Floats) -> Floats:
    """p times the integral of u^(f-1) / (p + q u) over (0, 1), with u = exp(-s), by Gauss-Legendre panels."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    # Up to log(q/p) the integrand falls as exp(-(f-1)s), beyond it as exp(-fs): 45 / f more is enough.
    bend = np.maximum(np.log((1 - p) / p), 0.0)
    end = np.minimum(45 / np.maximum(f - 1, 1e-3), bend + 45 / f)
    width = end / _PANELS
    total = np.zeros(len(f))
    for panel in range(_PANELS):
        for node, weight in zip(nodes, weights, strict=True):
            s = (panel + (node + 1) / 2) * width
            total += weight * np.exp(-f * s) / (p + (1 - p) * np.exp(-s))
    return p * total * width / 2
