"""Weighted least squares and logistic regression of a design that is made block by block, so that memory is small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .compared import Floats

ALIASED = 1e-6
"""A column of which no more than this part is left beside those before it says nothing of its own."""
ROWS = 1 << 14
"""Records of a block."""
_STEPS = 50
_SAME = 1e-9
"""Linear predictors that move by no more than this part of the largest have arrived."""
_FAR = 1e3
"""A logistic regression whose linear predictors go so far has no maximum."""

Kind = Literal["least-squares", "logistic"]


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


class Fitting:
    """The coefficients at which Σ w (y − mean) x is nothing, of records that are given again and again.

    Weighted least squares, Σ w (y − x b)² least, or weighted logistic regression of y, 0 or 1, by Newton's method. The
    variance is n/(n − 1) A⁻¹ (Σ w² e² x x') A⁻¹, A = Σ w v x x' (Binder 1983; v: of y where it is 0 or 1, else 1): it
    does not take the weights for numbers of records, and holds where the variance of y is not the same everywhere.

    Each step solves for what is left, so that what rounding took from one is put right by the next. Sums are made block
    by block: the same blocks give the same bits, wherever they are taken from.

    Parameters
    ----------
    columns : q of the design
    kind : of the regression
    """

    def __init__(self, columns: int, kind: Kind) -> None:
        self._means, self._far = (_identity, np.inf) if kind == "least-squares" else (_chances, _FAR)
        self._beta, self._before = np.zeros(columns), np.zeros(columns)
        self._kept, self._inverse = np.arange(columns), np.zeros((columns, columns))
        self._step, self._arrived = 0, False
        self._begin()

    def _begin(self) -> None:
        q = len(self._beta)
        self._information, self._score = np.zeros((q, q)), np.zeros(q)
        self._middle = np.zeros((len(self._kept), len(self._kept)))
        self._records, self._moved, self._largest = 0, np.float64(0.0), np.float64(0.0)

    def add(self, x: Floats, y: Floats, w: Floats) -> None:
        """Take the next block of records, `ROWS` but for the last one: design (n, q), left side (n,) and weights (n,).

        Of the weights only the proportions matter; their mean is 1.
        """
        linear = self._linear(x, self._beta, self._step)
        self._records += len(y)
        if self._arrived:
            scores = x[:, self._kept] * (w * (y - self._means(linear)[0]))[:, None]
            self._middle += scores.T @ scores
            return
        if self._step:
            moved = np.abs(linear - self._linear(x, self._before, self._step - 1))
            self._moved = np.maximum(self._moved, moved.max(initial=0.0))  # keeps what is no number
            self._largest = np.maximum(self._largest, np.abs(linear).max(initial=0.0))
        mean, slope = self._means(linear)
        weighted = x * (w * slope)[:, None]
        self._information += weighted.T @ x
        self._score += x.T @ (w * (y - mean))

    @staticmethod
    def _linear(x: Floats, beta: Floats, step: int) -> Floats:
        return x @ beta if step else np.zeros(len(x))

    def turn(self) -> bool:
        """After all records were taken: whether they are wanted once more.

        Raises
        ------
        NotFitted
            No coefficients are best.
        """
        if self._arrived:
            return False
        if self._step:
            if not self._largest < self._far:
                raise NotFitted
            self._arrived = bool(self._moved <= _SAME * self._largest)
        if not self._arrived:
            if self._step == _STEPS:
                raise NotFitted
            if not self._step:
                self._kept = independent(self._information)
            self._inverse = _inverse(self._information[np.ix_(self._kept, self._kept)])
            self._before = self._beta.copy()
            self._beta[self._kept] += self._inverse @ self._score[self._kept]
            self._step += 1
        self._begin()
        return True

    @property
    def found(self) -> Fitted:
        """The regression, when no record is wanted any more."""
        n, q, kept = self._records, len(self._beta), self._kept
        coefficients, variance = np.full(q, np.nan), np.full((q, q), np.nan)
        coefficients[kept] = self._beta[kept]
        variance[np.ix_(kept, kept)] = self._inverse @ self._middle @ self._inverse * (n / (n - 1) if n > 1 else 1.0)
        return Fitted(coefficients, variance, n - len(kept))


def _identity(linear: Floats) -> tuple[Floats, Floats]:
    return linear, np.ones_like(linear)


def _chances(linear: Floats) -> tuple[Floats, Floats]:
    chance = 1.0 / (1.0 + np.exp(-np.clip(linear, -700, 700)))
    return chance, chance * (1 - chance)


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
