"""Loss of information and risk of numbers as sdcMicro gives them, for comparison; weights do not count.

`original` and `released` are (n, p) float64 without missing values, of the same records and variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .compared import ComparedFile, Floats


@dataclass(frozen=True)
class SdcMicroFigures:
    """The figures by which sdcMicro compares numbers; None where they do not exist.

    `records` : complete ones, of which they are; `variables` : those that vary in both files
    """

    variables: tuple[str, ...]
    records: int
    il1: float
    il1s: float
    il1_mean: float
    eigenvalues: float | None
    correlations: float | None
    inside: float


def sdcmicro_figures(file: ComparedFile, names: Sequence[str], width: float = 0.05) -> SdcMicroFigures | None:
    """The figures of the numbers among the variables `names`; None where there are none.

    `width` : in standard deviations, of the intervals of `inside_intervals`
    """
    numbers = [variable for variable in file.some(names) if variable.is_number]
    if not numbers:
        return None
    both = [np.column_stack([variable.numbers[side] for variable in numbers]) for side in (0, 1)]
    complete = ~np.isnan(both[0]).any(axis=1) & ~np.isnan(both[1]).any(axis=1)
    x, y = (each[complete] for each in both)
    if len(x) < 2:
        return None
    vary = (np.ptp(x, axis=0) > 0) & (np.ptp(y, axis=0) > 0)
    if not vary.any():
        return None
    x, y = x[:, vary], y[:, vary]
    eigenvalues = correlations = None
    if x.shape[1] > 1:
        ranks = [int(np.linalg.matrix_rank(np.corrcoef(each, rowvar=False))) for each in (x, y)]
        eigenvalues = eigenvalue_distance(x, y) if ranks[0] == x.shape[1] else None
        correlations = correlation_loss(x, y) if min(ranks) == x.shape[1] else None
    return SdcMicroFigures(
        tuple(variable.name for variable, varies in zip(numbers, vary.tolist(), strict=True) if varies),
        len(x), il1(x, y), il1s(x, y), il1_mean(x, y), eigenvalues, correlations, inside_intervals(x, y, width),
    )  # fmt: skip


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
