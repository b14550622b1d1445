"""Where the bulk of numerical data lies, and how far each record is from it: the minimum covariance determinant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..base.texts import mark

Floats = NDArray[np.float64]

_STARTS, _KEPT, _STEPS = 500, 10, 200
_SEARCHED = 1500
"""Records among which the search begins, drawn at random where there are more."""
_THIN = 1e-12
"""Variance, as a share of that of all records, that a plane counts as having across."""
_CUT = 0.975
"""Share of a normal distribution within which records count once more at the end."""


def robust_location(values: Floats, seed: int = 1, progress: Progress = SILENT) -> tuple[Floats, Floats]:
    """Mean (p,) and covariance (p, p) of the bulk of `values` (n, p): reweighted MCD by FAST-MCD, seeded.

    Half of the records, (n + p + 1) // 2, whose covariance has the least determinant; scaled to be consistent for
    normal data, then once more over the records within its 0.975 ellipsoid [Rousseeuw & Van Driessen 1999; the
    consistency factors of Croux & Haesbroeck 1999].

    Raises
    ------
    DataError
        ``robust-singular``: half of the records or more lie on a plane, or there are too few.
    """
    n, p = values.shape
    draw = np.random.default_rng(seed)
    among = values if n <= _SEARCHED else values[draw.choice(n, _SEARCHED, replace=False)]
    half = (len(among) + p + 1) // 2
    found: list[tuple[float, Floats, Floats]] = []
    for start in range(_STARTS):
        if start % 16 == 0:
            progress.check()
        first = among[draw.choice(len(among), min(p + 1, len(among)), replace=False)]
        center, scatter = first.mean(axis=0), _covariance(first)
        for _step in range(2):
            center, scatter = _concentrated(among, center, scatter, half)
        found.append((_log_determinant(scatter), center, scatter))
    found.sort(key=lambda each: each[0])
    ends = [_settled(values, center, scatter, (n + p + 1) // 2, progress) for _, center, scatter in found[:_KEPT]]
    _least, center, scatter = min(ends, key=lambda each: each[0])
    if not np.isfinite(_least):
        raise singular()
    scatter = scatter * _consistency((n + p + 1) // 2 / n, p)
    inside = squared_distances(values, center, scatter) <= _quantile(_CUT, p)
    kept = values[inside]
    return kept.mean(axis=0), _covariance(kept) * _consistency(_CUT, p)


def squared_distances(values: Floats, center: Floats, scatter: Floats) -> Floats:
    """Squared Mahalanobis distance of each record, (n,)."""
    difference = values - center
    return np.asarray(np.einsum("ij,ij->i", difference, np.linalg.solve(scatter, difference.T).T), np.float64)


def singular() -> DataError:
    """That there is no robust distance."""
    return DataError(
        "robust-singular",
        mark(
            "There are no robust distances: half of the complete records or more have the same values, or values that "
            "follow from others, or there are too few of them for so many variables."
        ),
        mark("Leave one of the variables out, or take robust = false."),
    )


def _covariance(values: Floats) -> Floats:
    return np.atleast_2d(np.cov(values, rowvar=False))


def _log_determinant(scatter: Floats) -> float:
    sign, log = np.linalg.slogdet(scatter)
    return float(log) if sign > 0 and np.linalg.cond(scatter) < 1e15 else -np.inf


def _concentrated(values: Floats, center: Floats, scatter: Floats, half: int) -> tuple[Floats, Floats]:
    """Mean and covariance of the `half` records nearest by these."""
    try:
        distance = squared_distances(values, center, scatter)
    except np.linalg.LinAlgError:
        # they lie on a plane: whatever is off it is as far as can be told
        thin = _THIN * float(values.var(axis=0).sum())
        distance = squared_distances(values, center, scatter + thin * np.eye(len(center)))
    nearest = values[np.argpartition(distance, half - 1)[:half]]
    return nearest.mean(axis=0), _covariance(nearest)


def _settled(
    values: Floats, center: Floats, scatter: Floats, half: int, progress: Progress
) -> tuple[float, Floats, Floats]:
    """The steps to where they lead to nothing less."""
    before = np.inf
    for _step in range(_STEPS):
        progress.check()
        center, scatter = _concentrated(values, center, scatter, half)
        now = _log_determinant(scatter)
        if not now < before:
            break
        before = now
    return now, center, scatter


def _quantile(share: float, p: int) -> float:
    """Of chi-squared with p degrees of freedom."""
    from scipy.special import gammaincinv

    return 2.0 * float(gammaincinv(p / 2.0, share))


def _consistency(share: float, p: int) -> float:
    """What makes the covariance of the inner `share` of normal data that of all."""
    from scipy.special import gammainc

    return share / float(gammainc(p / 2.0 + 1.0, _quantile(share, p) / 2.0)) if share < 1 else 1.0
