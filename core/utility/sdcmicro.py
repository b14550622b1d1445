"""Loss of information and risk of numbers as sdcMicro gives them, for comparison; weights do not count.

`original` and `released` are (n, p) float64 without missing values, of the same records and variables.
"""

from __future__ import annotations

import numpy as np

from core.utility.compared import Floats


def il1(original: Floats, released: Floats) -> float:
    """Σ 100 |x − y| / |x|, over all values but x = 0."""
    there = original != 0
    return float((100 * np.abs(original - released)[there] / np.abs(original[there])).sum())


def il1s(original: Floats, released: Floats) -> float:
    """Σ |x − y| / (√2 s), s the standard deviation (n − 1) of the original variable."""
    return float((np.abs(original - released) / (np.sqrt(2) * original.std(axis=0, ddof=1))).sum())


def il1_mean(original: Floats, released: Floats) -> float:
    """`il1s` by value: over n p."""
    return il1s(original, released) / original.size


def eigenvalue_distance(original: Floats, released: Floats) -> float:
    """Σ |λ − λ'| / λ, the eigenvalues of the correlation matrices from the largest to the smallest."""
    before, after = (np.linalg.eigvalsh(np.corrcoef(x, rowvar=False))[::-1] for x in (original, released))
    return float((np.abs(before - after) / before).sum())


def correlation_loss(original: Floats, released: Floats) -> float:
    """IL_correl: 1/√2 of the distance of the diagonals, each of length 1, of the inverse correlation matrices."""
    both = [np.diag(np.linalg.inv(np.corrcoef(x, rowvar=False))) for x in (original, released)]
    before, after = (diagonal / np.linalg.norm(diagonal) for diagonal in both)
    return float(np.linalg.norm(before - after) / np.sqrt(2))


def inside_intervals(original: Floats, released: Floats, width: float) -> float:
    """dRisk: share of records with every |x − y| ≤ `width` s, s the standard deviation of the released variable."""
    return float((np.abs(original - released) <= width * released.std(axis=0, ddof=1)).all(axis=1).mean())
