"""Which records' blanks make which unsafe keys frequent enough, where a blank matches anything.

A *line* is a set of variables and what the others are: a record that loses these variables counts for every key on its
line. So each unsafe cell needs helpers on its lines, or all of its own records lose values themselves, to where what
remains is frequent enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.risk.individual import individual_risk, lowest_unsafe
from core.tables.grouping import group_rows

Floats = NDArray[np.float64]
POOL = 24
"""So many records of safe cells are kept for each line, the heaviest ones."""


@dataclass(frozen=True, eq=False)
class Rule:
    """When a key is safe: at f records it needs so many people, `least[f]`; from ``len(least)`` records on none."""

    least: tuple[float, ...]

    @classmethod
    def by_risk(cls, threshold: float, progress: Progress = SILENT) -> Rule:
        """r(f, F) < threshold."""
        limit = lowest_unsafe(threshold)
        f = np.arange(1, math.floor(1 / limit) + 1, dtype=np.float64)
        low, high = f.copy(), np.full(len(f), 2.0)
        while (risky := individual_risk(f, high, "exact", progress) >= limit).any():
            high[risky] *= 2
        for _ in range(60):  # until the ends are neighbouring numbers
            middle = (low + high) / 2
            risky = individual_risk(f, middle, "exact", progress) >= limit
            low, high = np.where(risky, middle, low), np.where(risky, high, middle)
        return cls((math.inf, *high.tolist()))

    @classmethod
    def by_count(cls, k: int) -> Rule:
        """f >= k."""
        return cls((math.inf,) * k)

    def safe(self, f: int, people: float) -> bool:
        """Whether a key of f records for so many people is."""
        return f >= len(self.least) or people >= self.least[f]

    def lacking(self, f: int, people: float, weight: float) -> float:
        """How many records of such a weight more it needs; the last one by its share."""
        least, more = self.least, 0
        before = math.inf
        while f + more < len(least):
            short = least[f + more] - people - more * weight
            if short <= 0:
                return more - 1 + before / (before - short) if more and before < math.inf else float(more)
            before, more = short, more + 1
        return float(more)


@dataclass
class Line:
    """Records that lose `lost` (a mask), and the unsafe cells that this helps."""

    lost: int
    cost: float
    cells: list[int]
    pool: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class CountsProblem:
    """Unsafe cells, lines and records.

    Attributes
    ----------
    f, people : of each unsafe cell
    own : records of each unsafe cell, the heaviest first
    lines : with at least one unsafe cell
    through : by unsafe cell its lines
    alone : by unsafe cell the line on which its own records are safe by what remains -> True
    any_size : by unsafe cell (mask, cost) of the cheapest loss after which its records are safe by what remains,
        however many values that takes; None where there is none
    weight : (n,) of the records
    """

    rule: Rule
    f: list[int]
    people: list[float]
    own: list[list[int]]
    lines: list[Line]
    through: list[list[int]]
    alone: list[set[int]]
    any_size: list[tuple[int, float] | None]
    weight: Floats


def build(
    codes: Sequence[NDArray[np.uint32]],
    cards: Sequence[int],
    of_record: NDArray[np.integer],
    f: Floats,
    people: Floats,
    weight: Floats,
    rule: Rule,
    ways: Sequence[tuple[int, float]],
    most: int,
    progress: Progress = SILENT,
) -> CountsProblem:
    """The problem of one table.

    Parameters
    ----------
    codes, cards : of the m cells; at most the card where the key is missing
    of_record : (n,) the cell of each record
    f, people : (m,) counted in the original file, missing values matching anything
    weight : (n,)
    ways : (mask of keys, loss) of what may be lost, cheapest first
    most : values that a record may lose
    """
    unsafe = np.flatnonzero([not rule.safe(int(a), b) for a, b in zip(f.tolist(), people.tolist(), strict=True)])
    number = np.full(len(f), -1)
    number[unsafe] = np.arange(len(unsafe))
    complete = np.all([code < card for code, card in zip(codes, cards, strict=True)], axis=0)
    heavy = np.lexsort((np.arange(len(weight)), -weight))
    own: list[list[int]] = [[] for _ in unsafe]
    for record in heavy[number[of_record[heavy]] >= 0].tolist():
        own[number[of_record[record]]].append(record)
    helpers = heavy[(number[of_record[heavy]] < 0) & complete[of_record[heavy]]]
    lines: list[Line] = []
    through: list[list[int]] = [[] for _ in unsafe]
    alone: list[set[int]] = [set() for _ in unsafe]
    any_size: list[tuple[int, float] | None] = [None] * len(unsafe)
    for lost, cost in ways:
        progress.check()
        if not lost:
            continue
        kept = [j for j in range(len(cards)) if not lost >> j & 1]
        ids = _ids(codes, cards, kept, len(f))
        enough = _enough(codes, cards, kept, ids, number, of_record, weight, rule, len(unsafe))
        for cell in np.flatnonzero(enough).tolist():
            if any_size[cell] is None:
                any_size[cell] = lost, cost
        if lost.bit_count() > most:
            continue
        place: dict[int, int] = {}
        for cell, group in zip(range(len(unsafe)), ids[unsafe].tolist(), strict=True):
            if not complete[unsafe[cell]]:
                continue
            if group not in place:
                place[group] = len(lines)
                lines.append(Line(lost, cost, []))
            lines[place[group]].cells.append(cell)
            through[cell].append(place[group])
            if enough[cell]:
                alone[cell].add(place[group])
        _fill(lines, place, ids, of_record, helpers)
    return CountsProblem(
        rule, f[unsafe].astype(int).tolist(), people[unsafe].tolist(), own, lines, through, alone, any_size, weight
    )


def _ids(
    codes: Sequence[NDArray[np.uint32]], cards: Sequence[int], kept: Sequence[int], cells: int
) -> NDArray[np.int64]:
    if not kept:
        return np.zeros(cells, np.int64)
    return group_rows([codes[j] for j in kept], [cards[j] for j in kept]).ids.astype(np.int64)


def _enough(
    codes: Sequence[NDArray[np.uint32]], cards: Sequence[int], kept: Sequence[int], ids: NDArray[np.int64],
    number: NDArray[np.int64], of_record: NDArray[np.integer], weight: Floats, rule: Rule, unsafe: int,
) -> NDArray[np.bool_]:  # fmt: skip
    """Which unsafe cells are safe by the keys kept, counted among records that have the same values there."""
    there = np.all([codes[j] < cards[j] for j in kept], axis=0) if kept else np.ones(len(ids), np.bool_)
    records = there[of_record]
    size = int(ids.max(initial=0)) + 1
    count = np.bincount(ids[of_record[records]], minlength=size)
    people = np.bincount(ids[of_record[records]], weight[records], minlength=size)
    safe = np.array([rule.safe(a, b) for a, b in zip(count.tolist(), people.tolist(), strict=True)], np.bool_)
    found = np.zeros(unsafe, np.bool_)
    here = np.flatnonzero(number >= 0)
    found[number[here]] = safe[ids[here]]
    return found


def _fill(
    lines: list[Line], place: dict[int, int], ids: NDArray[np.int64], of_record: NDArray[np.integer],
    helpers: NDArray[np.int64],
) -> None:  # fmt: skip
    """Give each line its heaviest records of safe cells."""
    group = ids[of_record[helpers]]
    wanted = np.isin(group, np.fromiter(place, np.int64, len(place)))
    for record, which in zip(helpers[wanted].tolist(), group[wanted].tolist(), strict=True):
        pool = lines[place[which]].pool
        if len(pool) < POOL:
            pool.append(record)


def ways_of(costs: Sequence[float], closures: Sequence[int], keys: int, fixed: int) -> list[tuple[int, float]]:
    """(mask of keys, loss) of all that can be lost together, cheapest first, then fewest values."""

    def every() -> Iterator[tuple[float, int, int]]:
        seen = set()
        for size in range(1, keys + 1):
            for chosen in combinations(range(keys), size):
                gone = 0
                for j in chosen:
                    gone |= closures[j]
                if not gone & fixed and gone not in seen:
                    seen.add(gone)
                    loss = math.fsum(cost for v, cost in enumerate(costs) if gone >> v & 1)
                    yield loss, gone.bit_count(), gone

    return [(gone & (1 << keys) - 1, loss) for loss, _size, gone in sorted(every())]
