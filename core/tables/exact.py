"""Exact decimal sums to the nearest float."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_EXACT = 1 << 53  # integers below are floats, and 10**22 is the largest power of ten that is one


def to_float(limbs: Sequence[NDArray[np.int64]], decimals: Sequence[int]) -> NDArray[np.float64]:
    """The floats nearest to ``sum over l of limbs[l] / 10**decimals[l]``.

    Parameters
    ----------
    limbs : arrays (m,) int64
    decimals : number of decimals of each limb, >= 0

    Returns
    -------
    (m,) float64, correctly rounded: one division of two exact floats is; the rest is divided as Python integers.
    """
    most = max(decimals)
    if len(limbs) == 1 and most <= 22:
        values: NDArray[np.float64] = limbs[0] / np.float64(10**most)
        rest = np.flatnonzero(np.abs(limbs[0]) > _EXACT)
    else:
        values = np.zeros(len(limbs[0]))
        rest = np.arange(len(values))
    scales = [10 ** (most - d) for d in decimals]
    for row in rest.tolist():
        total = sum(int(limb[row]) * scale for limb, scale in zip(limbs, scales, strict=True))
        values[row] = total / 10**most
    return values
