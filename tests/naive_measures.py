"""Slow plain twins of measures: by the definition, record by record."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from tests.naive_tables import Row, share

Counts = dict[int, Fraction]


def spread(rows: Sequence[Row], values: Sequence[int | None], mine: Row, rule: str, alpha: Fraction) -> Counts:
    """How much of each value the records have that count for one with these keys."""
    found: Counter[int] = Counter()
    for other, value in zip(rows, values, strict=True):
        if value is not None:
            found[value] += share(mine, other, rule, alpha)  # type: ignore[assignment]
    return {value: Fraction(count) for value, count in found.items() if count}


def diversity(counts: Counts, c: Fraction) -> tuple[int, float, int]:
    """Distinct, entropy and recursive diversity."""
    total = sum(counts.values())
    entropy = -sum(float(count / total) * math.log(count / total) for count in counts.values())
    falling = sorted(counts.values(), reverse=True)
    recursive = 1
    for number in range(2, len(falling) + 1):
        if falling[0] < c * sum(falling[number - 1 :]):
            recursive = number
    return len(counts), math.exp(entropy), recursive


def distance(counts: Counts, of_file: Counts, ordered: bool) -> Fraction:
    """Earth mover's distance: what has to be carried from code to code, one step at a time where they are ordered."""
    total, all_records = sum(counts.values()), sum(of_file.values())
    codes = sorted(of_file)
    more = [counts.get(code, Fraction(0)) / total - of_file[code] / all_records for code in codes]
    if not ordered:
        return sum((part for part in more if part > 0), Fraction(0))
    carried, work = Fraction(0), Fraction(0)
    for part in more[:-1]:
        carried += part
        work += abs(carried)
    return work / max(len(codes) - 1, 1)


def minimal_uniques(rows: Sequence[Row], max_size: int) -> list[set[tuple[int, ...]]]:
    """Of each record the smallest sets of places with a value on which no other record agrees with it."""
    found: list[set[tuple[int, ...]]] = [set() for _ in rows]
    for size in range(1, max_size + 1):
        for places in combinations(range(len(rows[0])), size):
            counts = Counter(tuple(row[j] for j in places) for row in rows)
            for sets, row in zip(found, rows, strict=True):
                values = tuple(row[j] for j in places)
                if counts[values] == 1 and None not in values and not any(set(each) <= set(places) for each in sets):
                    sets.add(places)
    return found


Sets = tuple[tuple[str, ...] | None, ...]


def finds(mine: Sets, other: Sets, search: str, rule: str) -> bool:
    """Whether a record with values that are sets finds another one."""
    for asked, held in zip(mine, other, strict=True):
        if rule == "listwise" and (asked is None or held is None):
            return False
        if asked is None or held is None:
            if (rule == "category" and asked is not held) or (rule == "observed" and asked is not None):
                return False
        elif not {*(asked[:1] if search == "first" else asked)} & {*held}:
            return False
    return True


def sampled(in_file: Sequence[int], chosen: Sequence[int]) -> dict[tuple[int, int], int]:
    """Records (i, j) of a sample in cells of i records there and of j in the file; `in_file` is each record's cell."""
    whole, sample = Counter(in_file), Counter(in_file[record] for record in chosen)
    return dict(Counter((sample[in_file[record]], whole[in_file[record]]) for record in chosen))
