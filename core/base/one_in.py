"""A risk as a number of tries, as in "1 in 50"."""

from __future__ import annotations

import math

_ROUNDING = 1e-12
"""Relative error of an inverse: 1 / (1 / 49) may be a little below 49."""

_FEW = 10
"""Below so many tries one decimal is told: whole, 1 in 2.9 would be 1 in 2."""


def tries(risk: float, decimals: int | None = None) -> int | float:
    """So many tries find a record of this risk above zero once; rounded down, so that no risk is told smaller.

    Parameters
    ----------
    decimals : at most so many; None: one below ten, none from there on. A whole number is given as one.
    """
    exact = (1 + _ROUNDING) / risk
    if decimals is None:
        decimals = 1 if exact < _FEW else 0
    found = math.floor(exact * 10**decimals) / 10**decimals if decimals else math.floor(exact)
    return max(1, int(found) if found == math.floor(found) else found)
