"""Exact decimal sums to the nearest float."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_EXACT_INTEGER = 1 << 53
_EXACT_POWER = 22  # 10**22 is the largest power of ten that is a float
_SPLITTER = 134217729.0  # 2**27 + 1, Dekker's
_DOUBT = 2.0**-98  # more than the relative error of the pairs below

_Pair = tuple[NDArray[np.float64], NDArray[np.float64]]


def to_float(limbs: Sequence[NDArray[np.int64]], decimals: Sequence[int]) -> NDArray[np.float64]:
    """The floats nearest to ``sum over l of limbs[l] / 10**decimals[l]``.

    Parameters
    ----------
    limbs : arrays (m,) int64, magnitudes below 2**62
    decimals : number of decimals of each limb, >= 0

    Returns
    -------
    (m,) float64, correctly rounded: one division of two exact floats is; other sums are pairs of floats, and where
    a pair leaves doubt about the last bit (or a power of ten is no float), quotients of Python integers.
    """
    if max(decimals) > _EXACT_POWER:
        return _by_integers(limbs, decimals, np.arange(len(limbs[0])), np.empty(len(limbs[0])))
    if len(limbs) == 1 and max(limbs[0].max(initial=0), -limbs[0].min(initial=0)) <= _EXACT_INTEGER:
        quotient: NDArray[np.float64] = limbs[0] / np.float64(10 ** decimals[0])
        return quotient
    high, low = _quotient(limbs[0], decimals[0])
    for limb, places in zip(limbs[1:], decimals[1:], strict=True):
        high, low = _plus((high, low), _quotient(limb, places))
    doubt = np.abs(high) * _DOUBT
    doubtful = np.flatnonzero(high + (low - doubt) != high + (low + doubt))
    return _by_integers(limbs, decimals, doubtful, high + low)


def _by_integers(
    limbs: Sequence[NDArray[np.int64]], decimals: Sequence[int], rows: NDArray[np.intp], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Set `values` at the rows to quotients of Python integers, which are correctly rounded."""
    most = max(decimals)
    scales = [10 ** (most - places) for places in decimals]
    for row in rows.tolist():
        total = sum(int(limb[row]) * scale for limb, scale in zip(limbs, scales, strict=True))
        values[row] = total / 10**most
    return values


def _quotient(limb: NDArray[np.int64], places: int) -> _Pair:
    """limb / 10**places as an unevaluated sum of two floats."""
    divisor = np.float64(10**places)
    high = limb.astype(np.float64)
    low = (limb - high.astype(np.int64)).astype(np.float64)
    first = high / divisor
    product, error = _product(first, divisor)
    return _sum(first, ((high - product) - error + low) / divisor)


def _plus(a: _Pair, b: _Pair) -> _Pair:
    high, error = _sum(a[0], b[0])
    return _sum(high, error + (a[1] + b[1]))


def _sum(a: NDArray[np.float64], b: NDArray[np.float64]) -> _Pair:
    """a + b exactly [Knuth's two-sum]."""
    total = a + b
    virtual = total - a
    return total, (a - (total - virtual)) + (b - virtual)


def _product(a: NDArray[np.float64], b: np.float64) -> _Pair:
    """a * b exactly [Dekker]."""
    total = a * b
    a_high = _SPLITTER * a - (_SPLITTER * a - a)
    b_high = _SPLITTER * b - (_SPLITTER * b - b)
    a_low, b_low = a - a_high, b - b_high
    return total, ((a_high * b_high - total) + a_high * b_low + a_low * b_high) + a_low * b_low
