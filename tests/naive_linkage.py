"""Slow plain twins of linkage and interval disclosure: every pair of records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

Record = Sequence[float | None]


def distance(one: Record, other: Record) -> float:
    """Euclidean over what both have, as if the rest differed as much; inf with nothing in common."""
    squares = [(a - b) ** 2 for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return math.sqrt(sum(squares) * len(one) / len(squares)) if squares else math.inf


def nearest_own(original: Sequence[Record], released: Sequence[Record], place: Sequence[int]) -> list[float]:
    """The chance of taking the own record as the nearest."""
    chances = []
    for record, own in zip(original, place, strict=True):
        all_of_them = [distance(record, other) for other in released]
        least = min(all_of_them)
        nearest = [i for i, each in enumerate(all_of_them) if math.isclose(each, least, rel_tol=1e-9)]
        chances.append(1 / len(nearest) if own in nearest and least < math.inf else 0.0)
    return chances


def assigned_own(original: Sequence[Record], released: Sequence[Record], place: Sequence[int]) -> list[float]:
    """The share of all best assignments in which each record is given its own; as many of either."""
    ways = list(permutations(range(len(released))))
    total = [sum(distance(original[i], released[way[i]]) for i in range(len(way))) for way in ways]
    best = [way for way, each in zip(ways, total, strict=True) if math.isclose(each, min(total), rel_tol=1e-9)]
    return [sum(way[i] == own for way in best) / len(best) for i, own in enumerate(place)]


def patterns(one: Sequence[int | None], other: Sequence[int | None]) -> tuple[int, int]:
    """(mask of what agrees, mask of what one of them lacks)."""
    pairs = list(enumerate(zip(one, other, strict=True)))
    unknown = sum(1 << j for j, (a, b) in pairs if a is None or b is None)
    return sum(1 << j for j, (a, b) in pairs if a is not None and a == b), unknown
