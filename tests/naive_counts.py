"""Blanks that match anything, record by record in plain Python: shares nothing with the optimiser."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product


def safe(rows: Sequence[Sequence[int]], weights: Sequence[float], lost: Sequence[int], least: Sequence[float]) -> bool:
    """Whether every record of a file in which they lose these keys (masks) counts f records and ``least[f]`` people."""
    left = [[None if mask >> j & 1 else x for j, x in enumerate(row)] for row, mask in zip(rows, lost, strict=True)]
    for key in left:
        alike = [
            i
            for i, other in enumerate(left)
            if all(a is None or b is None or a == b for a, b in zip(key, other, strict=True))
        ]
        if len(alike) < len(least) and sum(weights[i] for i in alike) < least[len(alike)]:
            return False
    return True


def cheapest(
    rows: Sequence[Sequence[int]], weights: Sequence[float], ways: Sequence[tuple[int, float]], least: Sequence[float]
) -> float | None:
    """The least loss by which all records are safe, by trying all; None where there is none. Few records only."""
    price = {0: 0.0, **dict(ways)}
    costs = sorted((sum(price[mask] for mask in lost), lost) for lost in product(price, repeat=len(rows)))
    return next((cost for cost, lost in costs if safe(rows, weights, lost, least)), None)


def lacking(least: Sequence[float], f: int, people: float, usual: float) -> float:
    """How many records of the usual weight a key needs yet, the last one by its share."""
    more, before = 0, 0.0
    while f + more < len(least):
        short = least[f + more] - people - more * usual
        if short <= 0:
            return more - 1 + before / (before - short) if more else 0.0
        before, more = short, more + 1
    return float(more)
