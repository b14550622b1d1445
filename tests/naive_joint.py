"""Releases judged by released keys, record by record in plain Python: shares nothing with the optimiser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import combinations

Key = tuple[int | None, ...]
Beginning = tuple[tuple[int, int, int], ...]


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
    """The least loss of a safe release, None where there is none: record by record, the cheapest beginning first.

    A beginning is how many records each released key has so far, and how many are asked of it. Beginnings that can
    lose no less than another one which came to the same are left out, and those by which a key stays too small even
    if all go there who still may. What is to come is rated by what each record would lose if nobody else asked.
    """
    closures = closures or [1 << j for j in range(len(costs))]
    of = [u for u, number in enumerate(records) for _ in range(number)]
    ways: list[list[tuple[float, int]]] = []
    number_of: dict[Key, int] = {}
    for key in keys:
        ways.append([])
        for mask in _masks(key, fixed, closures):
            lost = [j for j in range(len(key)) if mask >> j & 1]
            released = tuple(None if j in lost else value for j, value in enumerate(key))
            ways[-1].append((sum(costs[j] for j in lost), number_of.setdefault(released, len(number_of))))
    # By place: how many of the records from there on may come under a key.
    room: list[Counter[int]] = [Counter()]
    for u in reversed(of):
        room.append(room[-1] + Counter(released for _, released in ways[u]))
    room.reverse()
    ahead = [0.0]
    for u in reversed(of):
        alone = [loss for loss, released in ways[u] if room[0][released] >= need[u]]
        if not alone:
            return None
        ahead.append(ahead[-1] + min(alone))
    ahead.reverse()
    most = max(need, default=0)
    waiting: list[tuple[float, int, float, int, Beginning]] = [(ahead[0], 0, 0.0, 0, ())]
    seen = set()
    while waiting:
        _, place, loss, last, begun = heappop(waiting)
        if place == -len(of):
            return loss
        if (place, last, begun) in seen:
            continue
        seen.add((place, last, begun))
        after = 1 - place
        u = of[-place]
        again = after < len(of) and of[after] == u
        for way in range(last, len(ways[u])):  # of records that are alike, the later loses by the same way or a later
            more, released = ways[u][way]
            sizes = {key: (size, asked) for key, size, asked in begun}
            size, asked = sizes.get(released, (0, 0))
            sizes[released] = min(size + 1, most), max(asked, need[u])
            if any(size + room[after][key] < asked for key, (size, asked) in sizes.items()):
                continue
            kept = tuple(sorted((key, *said) for key, said in sizes.items() if room[after][key]))
            entry = (loss + more + ahead[after], -after, loss + more, way if again else 0, kept)
            heappush(waiting, entry)
    return None


def _masks(key: Key, fixed: int, closures: Sequence[int]) -> Iterator[int]:
    """What a record with this key may lose."""
    present = [j for j, value in enumerate(key) if value is not None]
    for n in range(len(present) + 1):
        for chosen in combinations(present, n):
            gone = {j for i in chosen for j in range(len(key)) if closures[i] >> j & 1 and key[j] is not None}
            if gone == set(chosen) and not any(fixed >> j & 1 for j in gone):
                yield sum(1 << j for j in chosen)
