"""Releases judged by released keys, record by record in plain Python: shares nothing with the optimiser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

Key = tuple[int | None, ...]


def recount(
    keys: Sequence[Key], records: Sequence[int], need: Sequence[int], table: Sequence[tuple[int, int, int]],
    costs: Sequence[float],
) -> tuple[float, int, list[Key]]:  # fmt: skip
    """Loss, blanks, and the released keys that are too small; `table` holds (unit, mask of lost keys, records)."""
    size: Counter[Key] = Counter()
    asked: dict[Key, int] = {}
    given: Counter[int] = Counter()
    loss, blanks = 0.0, 0
    for unit, mask, number in table:
        assert number > 0
        key = tuple(None if mask >> j & 1 else value for j, value in enumerate(keys[unit]))
        newly = [j for j, value in enumerate(keys[unit]) if value is not None and mask >> j & 1]
        assert len(newly) == mask.bit_count()
        size[key] += number
        asked[key] = max(asked.get(key, 0), need[unit])
        given[unit] += number
        loss += number * sum(costs[j] for j in newly)
        blanks += number * len(newly)
    assert [given[unit] for unit in range(len(keys))] == list(records)
    return loss, blanks, [key for key, least in asked.items() if size[key] < least]


def least_loss(
    keys: Sequence[Key], records: Sequence[int], need: Sequence[int], costs: Sequence[float], fixed: int = 0,
    closures: Sequence[int] | None = None,
) -> float | None:  # fmt: skip
    """The least loss of a safe release, by trying all; None where there is none. Few records only."""
    closures = closures or [1 << j for j in range(len(costs))]
    ways = [list(_masks(key, fixed, closures)) for key in keys]
    least = None
    for choice in product(*(_spread(number, way) for number, way in zip(records, ways, strict=True))):
        table = [(u, mask, number) for u, part in enumerate(choice) for mask, number in part]
        loss, _, small = recount(keys, records, need, table, costs)
        if not small and (least is None or loss < least):
            least = loss
    return least


def _masks(key: Key, fixed: int, closures: Sequence[int]) -> Iterator[int]:
    """What a record with this key may lose."""
    present = [j for j, value in enumerate(key) if value is not None]
    for n in range(len(present) + 1):
        for chosen in combinations(present, n):
            gone = {j for i in chosen for j in range(len(key)) if closures[i] >> j & 1 and key[j] is not None}
            if gone == set(chosen) and not any(fixed >> j & 1 for j in gone):
                yield sum(1 << j for j in chosen)


def _spread(number: int, ways: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to spread so many records over the masks."""
    if len(ways) == 1 or not ways:
        if ways:
            yield [(ways[0], number)] if number else []
        return
    for first in range(number + 1):
        for rest in _spread(number - first, ways[1:]):
            yield ([(ways[0], first)] if first else []) + rest
