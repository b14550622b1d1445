"""The mode that judges records by their released keys, record by record in plain Python, by its definition."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from tests.naive_population import few
from tests.naive_suppression import Row, frequencies, risk


def least_size(rows: Sequence[Row], weights: Sequence[int], row: Row, threshold: float) -> int:
    """How many records a key with a record of this original key needs; 0 where that was safe, else up to n + 1."""
    f, people = frequencies(rows, weights, row, "observed", Fraction(0))
    limit, alone = threshold * (1 - 1e-12), risk(f, people)
    if alone < limit:
        return 0
    size = int(f) + 1
    while size <= len(rows) and float(f) * alone / size >= limit:  # one in `size`, if the target was sampled
        size += 1
    return size


def least_promised_size(margins: Sequence[tuple[int, float, float]], f: int, threshold: float, alpha: float) -> int:
    """The least f_g >= f with P(F <= f / (r* f_g)) < alpha, by whichever variables (`margins`: f, scale, shape)."""
    size = f
    while max(few(*margin, math.floor(f / (threshold * size) + 1e-9)) for margin in margins) >= alpha:
        size += 1
    return size


def unsafe_records(rows: Sequence[Row], left: Sequence[Row], weights: Sequence[int], threshold: float) -> int:
    """Records of the released file whose key is too small for the key that they had; a blank is a value of its own."""
    size = Counter(left)
    return sum(size[now] < least_size(rows, weights, before, threshold) for before, now in zip(rows, left, strict=True))


def pinned(rows: Sequence[Row], left: Sequence[Row], target: int) -> bool:
    """Whether of the compatible released records with the fewest blanks one is left, and it is the target's."""
    compatible = [
        (sum(value is None for value in key), record)
        for record, key in enumerate(left)
        if all(value is None or value == own for value, own in zip(key, rows[target], strict=True))
    ]
    fewest = min(blanks for blanks, _ in compatible)
    return [record for blanks, record in compatible if blanks == fewest] == [target]
