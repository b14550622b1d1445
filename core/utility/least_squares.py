"""Weighted least squares and logistic regression of a design that is made block by block, so that memory is small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.utility.compared import Floats

ALIASED = 1e-7
"""A column of which no more than this part is left beside those before it says nothing of its own (as in R)."""
_ROWS = 1 << 14
_STEPS = 50
_SAME = 1e-9
"""Linear predictors that move by no more than this have arrived."""

Rows = Callable[[int, int], Floats]
"""Rows of a design from one place to before another, (rows, columns)."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A regression as it was fitted.

    Attributes
    ----------
    coefficients : (q,); nan where a column says nothing beside those before it
    variance : (q, q) of the coefficients by linearisation, nan likewise
    freedom : records less coefficients
    """

    coefficients: Floats
    variance: Floats
    freedom: int


class NotFitted(Exception):
    """No coefficients are best: a column, or several, tell the two values of the left side apart."""


def least_squares(rows: Rows, y: Floats, weights: Floats, progress: Progress = SILENT) -> Fitted:
    """Weighted least squares: Σ w (y − x b)² least, by QR; the variance as for samples with weights.

    Parameters
    ----------
    rows : of the design, (n, q)
    y : (n,) finite
    weights : (n,) > 0; only their proportions matter

    Returns
    -------
    Variance n/(n − 1) A⁻¹ (Σ w² e² x x') A⁻¹, A = Σ w x x' (Binder 1983): it does not take the weights for numbers of
    records, and holds where the variance of y is not the same everywhere.
    """
    factor = _factor(rows, y, weights, progress)
    return _fitted(rows, factor, lambda at, linear: y[at] - linear, weights, progress)


def logistic(rows: Rows, y: Floats, weights: Floats, progress: Progress = SILENT) -> Fitted:
    """Weighted logistic regression of `y` (n,), 0 or 1, by iterated least squares; the variance as above.

    Raises
    ------
    NotFitted
        The likelihood has no maximum.
    """
    scale = weights / weights.mean()
    beta = np.zeros(rows(0, 0).shape[1])
    linear = np.zeros(len(y))
    factor = np.zeros((0, 0))
    for _step in range(_STEPS):
        chance = _chance(linear)
        spread = np.maximum(chance * (1 - chance), 1e-300)
        factor = _factor(rows, linear + (y - chance) / spread, scale * spread, progress)
        beta = np.nan_to_num(_solved(factor)[0])
        now = _linear(rows, beta, len(y), progress)
        moved, linear = float(np.abs(now - linear).max(initial=0.0)), now
        if not np.isfinite(moved) or moved > 1e3:
            raise NotFitted
        if moved <= _SAME * max(1.0, float(np.abs(linear).max(initial=0.0))):
            return _fitted(rows, factor, lambda at, eta: y[at] - _chance(eta), scale, progress)
    raise NotFitted


def independent(factor: Floats) -> NDArray[np.intp]:
    """Places of the columns (rows, q) of which a part is left beside those before them."""
    kept: list[int] = []
    basis: list[Floats] = []
    for place in range(factor.shape[1]):
        rest = factor[:, place].copy()
        size = float(np.linalg.norm(rest))
        for _again in range(2):  # once more, as rounding leaves some of it
            for other in basis:
                rest -= other * (other @ rest)
        left = float(np.linalg.norm(rest))
        if size > 0 and left > ALIASED * size:
            kept.append(place)
            basis.append(rest / left)
    return np.asarray(kept, np.intp)


def upper_factor(x: Floats) -> Floats:
    """R of the QR decomposition of `x` (rows, q): its columns have the lengths and angles of those of `x`."""
    return np.asarray(np.linalg.qr(x, mode="r"), np.float64)


def _chance(linear: Floats) -> Floats:
    found: Floats = 1.0 / (1.0 + np.exp(-np.clip(linear, -700, 700)))
    return found


def _factor(rows: Rows, y: Floats, weights: Floats, progress: Progress) -> Floats:
    """R of the QR decomposition of √w [x y], gathered over blocks of rows."""
    root, factor = np.sqrt(weights), np.zeros((0, rows(0, 0).shape[1] + 1))
    for begin in range(0, len(y), _ROWS):
        progress.check()
        end = min(begin + _ROWS, len(y))
        block = np.column_stack([rows(begin, end), y[begin:end]]) * root[begin:end, None]
        factor = upper_factor(np.vstack([factor, block]))
    return factor


def _solved(factor: Floats) -> tuple[Floats, Floats]:
    """Coefficients and A⁻¹ from R of [x y]; nan for columns that say nothing."""
    q = factor.shape[1] - 1
    beta, inverse = np.full(q, np.nan), np.full((q, q), np.nan)
    kept = independent(factor[:, :q])
    if len(kept):
        base, upper = np.linalg.qr(factor[:, kept])
        turned = np.linalg.solve(upper, np.eye(len(kept)))
        beta[kept] = turned @ (base.T @ factor[:, q])
        inverse[np.ix_(kept, kept)] = turned @ turned.T
    return beta, inverse


def _linear(rows: Rows, beta: Floats, n: int, progress: Progress) -> Floats:
    found = np.empty(n)
    for begin in range(0, n, _ROWS):
        progress.check()
        found[begin : begin + _ROWS] = rows(begin, min(begin + _ROWS, n)) @ beta
    return found


def _fitted(
    rows: Rows, factor: Floats, residual: Callable[[slice, Floats], Floats], weights: Floats, progress: Progress
) -> Fitted:
    beta, inverse = _solved(factor)
    kept, n = np.flatnonzero(~np.isnan(beta)), len(weights)
    middle = np.zeros((len(kept), len(kept)))
    for begin in range(0, n, _ROWS):
        progress.check()
        at = slice(begin, min(begin + _ROWS, n))
        x = rows(at.start, at.stop)[:, kept]
        score = x * (weights[at] * residual(at, x @ beta[kept]))[:, None]
        middle += score.T @ score
    variance = np.full_like(inverse, np.nan)
    small = inverse[np.ix_(kept, kept)]
    variance[np.ix_(kept, kept)] = small @ middle @ small * (n / (n - 1) if n > 1 else 1.0)
    return Fitted(beta, variance, n - len(kept))
