"""Slow, obvious twin of suggested merges: every recode into runs, each counted from its records."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

Record = tuple[int, ...]
"""Unit of the variable, then the other codes."""
Point = tuple[int, float]


def partitions(units: int) -> Iterator[tuple[int, ...]]:
    """The run of each unit, for every division of the units into runs."""
    for cuts in range(1 << max(units - 1, 0)):
        run, found = 0, []
        for unit in range(units):
            run += unit > 0 and cuts >> (unit - 1) & 1
            found.append(run)
        yield tuple(found)


def unsafe_records(records: Sequence[Record], run: Sequence[int], tables: Sequence[tuple[tuple[int, ...], int]]) -> int:
    """Records in a cell of at most `threshold` records in any table (places of the other codes, threshold)."""
    recoded = [(run[record[0]], *record[1:]) for record in records]
    unsafe = set()
    for others, threshold in tables:
        keys = [(record[0], *(record[j] for j in others)) for record in recoded]
        count = Counter(keys)
        unsafe.update(i for i, key in enumerate(keys) if count[key] <= threshold)
    return len(unsafe)


def loss(records: Sequence[Record], run: Sequence[int]) -> float:
    """N (H before - H after) in bits."""
    return len(records) * (_entropy([r[0] for r in records]) - _entropy([run[r[0]] for r in records]))


def _entropy(values: Sequence[int]) -> float:
    return -sum(c / len(values) * math.log2(c / len(values)) for c in Counter(values).values())


def corners(points: Sequence[Point]) -> list[Point]:
    """Corners of the lower left convex hull, most unsafe records first."""
    best: dict[int, float] = {}
    for unsafe, lost in points:
        best[unsafe] = min(lost, best.get(unsafe, math.inf))
    start = min(best.items(), key=lambda point: (point[1], point[0]))
    hull = [start]
    while any(unsafe < hull[-1][0] for unsafe in best):
        one = hull[-1]
        slopes = {p: (p[1] - one[1]) / (one[0] - p[0]) for p in best.items() if p[0] < one[0]}
        least = min(slopes.values())
        hull.append(min((p for p, slope in slopes.items() if slope <= least + 1e-9), key=lambda p: p[0]))
    return hull
