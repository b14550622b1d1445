"""A risk as a number of tries, as in "1 in 50"."""

from __future__ import annotations

import math

_ROUNDING = 1e-12
"""Relative error of an inverse: 1 / (1 / 49) may be a little below 49."""


def tries(risk: float) -> int:
    """So many tries find a record of this risk above zero once; whole and rounded down."""
    return max(1, math.floor((1 + _ROUNDING) / risk))
