"""Weighted least squares and logistic regression of a design that is made block by block, so that memory is small."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.utility.compared import Floats

ALIASED = 1e-6
"""A column of which no more than this part is left beside those before it says nothing of its own."""
_ROWS = 1 << 14
_STEPS = 50
_SAME = 1e-9
"""Linear predictors that move by no more than this part of the largest have arrived."""
_FAR = 1e3
"""A logistic regression whose linear predictors go so far has no maximum."""

Rows = Callable[[int, int], Floats]
"""Rows of a design from one place to before another, (rows, columns)."""
Means = Callable[[Floats], tuple[Floats, Floats]]
"""Means of y and their derivatives, (n,) each, by linear predictors (n,)."""


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
    """Weighted least squares: Σ w (y − x b)² least; the variance as for samples with weights.

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
    return _fitted(rows, y, weights, lambda linear: (linear, np.ones_like(linear)), np.inf, progress)


def logistic(rows: Rows, y: Floats, weights: Floats, progress: Progress = SILENT) -> Fitted:
    """Weighted logistic regression of `y` (n,), 0 or 1, by Newton's method; the variance as above.

    Raises
    ------
    NotFitted
        The likelihood has no maximum.
    """

    def means(linear: Floats) -> tuple[Floats, Floats]:
        chance = 1.0 / (1.0 + np.exp(-np.clip(linear, -700, 700)))
        return chance, chance * (1 - chance)

    return _fitted(rows, y, weights, means, _FAR, progress)


def independent(gram: Floats) -> NDArray[np.intp]:
    """Places of the columns of which a part is left beside those before them, by their products (q, q)."""
    length = np.sqrt(np.diag(gram))
    length = np.where(length > 0, length, 1.0)
    scaled = gram / np.outer(length, length)
    kept: list[int] = []
    lower = np.zeros((len(gram), len(gram)))
    for place in range(len(gram)):
        size = len(kept)
        for column, other in enumerate(kept):
            along = scaled[place, other] - lower[place, :column] @ lower[other, :column]
            lower[place, column] = along / lower[other, column]
        left = scaled[place, place] - lower[place, :size] @ lower[place, :size]
        if left > ALIASED**2:
            lower[place, size] = np.sqrt(left)
            kept.append(place)
    return np.asarray(kept, np.intp)


def _fitted(rows: Rows, y: Floats, weights: Floats, means: Means, far: float, progress: Progress) -> Fitted:
    """The coefficients at which Σ w (y − mean) x is nothing.

    Each step solves for what is left, so that what rounding took from one is put right by the next.
    """
    n, q = len(y), rows(0, 0).shape[1]
    w, beta, linear = weights / weights.mean(), np.zeros(q), np.zeros(n)
    kept, inverse = np.arange(q), np.zeros((q, q))
    for step in range(_STEPS):
        mean, slope = means(linear)
        information, score = np.zeros((q, q)), np.zeros(q)
        for begin, end in _blocks(n, progress):
            x = rows(begin, end)
            weighted = x * (w[begin:end] * slope[begin:end])[:, None]
            information += weighted.T @ x
            score += x.T @ (w[begin:end] * (y[begin:end] - mean[begin:end]))
        if step == 0:
            kept = independent(information)
        inverse = _inverse(information[np.ix_(kept, kept)])
        beta[kept] += inverse @ score[kept]
        now = np.empty(n)
        for begin, end in _blocks(n, progress):
            now[begin:end] = rows(begin, end) @ beta
        moved, largest = (float(np.abs(each).max(initial=0.0)) for each in (now - linear, now))
        linear = now
        if not largest < far:
            raise NotFitted
        if moved <= _SAME * largest:
            return _with_variance(rows, beta, kept, inverse, w * (y - means(linear)[0]), progress)
    raise NotFitted


def _blocks(n: int, progress: Progress) -> Iterator[tuple[int, int]]:
    for begin in range(0, n, _ROWS):
        progress.check()
        yield begin, min(begin + _ROWS, n)


def _inverse(information: Floats) -> Floats:
    """Inverse of products of columns, by those of columns of length 1."""
    length = np.sqrt(np.diag(information))
    if not (length > 0).all():
        raise NotFitted
    outer = np.outer(length, length)
    try:
        found: Floats = np.linalg.inv(information / outer) / outer
    except np.linalg.LinAlgError:
        raise NotFitted from None
    return found


def _with_variance(
    rows: Rows, beta: Floats, kept: NDArray[np.intp], inverse: Floats, residual: Floats, progress: Progress
) -> Fitted:
    """`residual` : (n,) w (y − mean)."""
    n, q = len(residual), len(beta)
    middle = np.zeros_like(inverse)
    for begin, end in _blocks(n, progress):
        scores = rows(begin, end)[:, kept] * residual[begin:end, None]
        middle += scores.T @ scores
    coefficients, variance = np.full(q, np.nan), np.full((q, q), np.nan)
    coefficients[kept] = beta[kept]
    variance[np.ix_(kept, kept)] = inverse @ middle @ inverse * (n / (n - 1) if n > 1 else 1.0)
    return Fitted(coefficients, variance, n - len(kept))
