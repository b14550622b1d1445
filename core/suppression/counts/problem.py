"""Which records' blanks make which unsafe keys frequent enough, where a blank matches anything.

A *line* is a set of variables and what the others are: a record that loses these variables counts for every key on its
line. So each unsafe cell needs helpers on its lines, or all of its own records lose values themselves, to where what
remains is frequent enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.kernels.released_counts import fill_pool
from core.risk.individual import individual_risk, lowest_unsafe
from core.tables.grouping import group_rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Places = NDArray[np.int64]
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

    @cached_property
    def needed(self) -> Floats:
        """`least`, and 0 from there on."""
        return np.array([*self.least, 0.0])

    def safe(self, f: NDArray[np.integer] | Floats, people: Floats) -> NDArray[np.bool_]:
        """Whether keys of f records for so many people are."""
        return np.asarray(people >= self.needed[np.minimum(f, len(self.least)).astype(np.int64)])


@dataclass(frozen=True, eq=False)
class CountsTable:
    """What is asked of one table.

    Attributes
    ----------
    codes, cards : of the m cells; at most the card where the key is missing
    of_record : (n,) the cell of each record
    f, people : (m,) counted in the original file, missing values matching anything
    weight : (n,)
    ways : (mask of keys, loss) of what may be lost, cheapest first
    most : values that a record may lose; more only where nothing else makes its cell safe
    """

    codes: Sequence[NDArray[np.uint32]]
    cards: Sequence[int]
    of_record: NDArray[np.integer]
    f: Floats
    people: Floats
    weight: Floats
    rule: Rule
    ways: Sequence[tuple[int, float]]
    most: int

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        """(m,) whether no key of a cell is missing."""
        return np.asarray(np.all([code < card for code, card in zip(self.codes, self.cards, strict=True)], axis=0))

    @cached_property
    def unsafe(self) -> Places:
        """Cells that are."""
        return np.flatnonzero(~self.rule.safe(self.f, self.people))

    @cached_property
    def sums(self) -> tuple[Places, Floats]:
        """(m,) records of each cell, and people."""
        size = len(self.f)
        people = np.bincount(self.of_record, self.weight, size).astype(np.float64)
        return np.bincount(self.of_record, minlength=size).astype(np.int64), people

    def kept_alike(self, lost: int) -> Places:
        """(m,) numbers, the same for cells that agree in what is not lost."""
        kept = [j for j in range(len(self.cards)) if not lost >> j & 1]
        if not kept:
            return np.zeros(len(self.f), np.int64)
        return group_rows([self.codes[j] for j in kept], [self.cards[j] for j in kept]).ids.astype(np.int64)

    def margin(self, lost: int, alike: Places) -> tuple[Places, Floats]:
        """(m,) records and people that have the same values in what is not lost."""
        kept = [j for j in range(len(self.cards)) if not lost >> j & 1]
        there = np.all([self.codes[j] < self.cards[j] for j in kept], axis=0) if kept else np.ones(len(alike), np.bool_)
        size = int(alike.max(initial=0)) + 1
        records, people = self.sums
        count = np.bincount(alike, records * there, size).astype(np.int64)
        return count[alike], np.bincount(alike, people * there, size).astype(np.float64)[alike]


@dataclass(frozen=True, eq=False)
class CountsProblem:
    """Unsafe cells without missing keys, their lines, and the records that may lose values.

    Attributes
    ----------
    cells : (u,) places in the table
    own : (u + 1,) where the records of each cell begin in `records`, the heaviest first; then come records of the pools
    records : (r,) places in the file
    ptr, member : the cells of each line; fine : by member, whether its own records are safe by what this line keeps
    lost, price : by line the mask and the loss
    heaviest : by line the weight of its heaviest record
    through : (u, s) lines of each cell, -1 where there is none
    pool : (l, h) records of safe cells (places in `records`), the heaviest first, then -1
    alone : (m,) index of the cheapest way after which records of a cell are safe by what remains, however many values
        that takes; -1 where there is none, or where the cell is safe
    raised : (u,) whether its own records may lose more values than `most`
    """

    table: CountsTable
    cells: Places
    own: Places
    records: Places
    ptr: Places
    member: Ints
    fine: NDArray[np.bool_]
    lost: Places
    price: Floats
    heaviest: Floats
    through: Ints
    pool: Ints
    alone: Places
    raised: NDArray[np.bool_]


def build(table: CountsTable, progress: Progress = SILENT) -> CountsProblem:
    """The problem of one table."""
    unsafe, complete = table.unsafe, table.complete
    cells = unsafe[complete[unsafe]]
    number = np.full(len(table.f), -1)
    number[cells] = np.arange(len(cells))
    of = number[table.of_record]
    rare = np.flatnonzero(of >= 0)
    rare = rare[np.lexsort((rare, -table.weight[rare], of[rare]))]
    own = np.append(0, np.cumsum(np.bincount(of[rare], minlength=len(cells)))).astype(np.int64)
    safe = complete.copy()
    safe[unsafe] = False
    helpers = np.flatnonzero(safe[table.of_record])
    helpers = helpers[np.argsort(-table.weight[helpers], kind="stable")]
    of_helper = table.of_record[helpers].astype(np.int32)
    alone = np.full(len(table.f), -1)
    parts: list[tuple[Places, NDArray[np.bool_], Ints, int, float]] = []
    through: list[Places] = []
    lines = 0
    for way, (lost, price) in enumerate(table.ways):
        progress.check()
        if lost.bit_count() > table.most and (alone[unsafe] >= 0).all():
            continue
        alike = table.kept_alike(lost)
        enough = table.rule.safe(*table.margin(lost, alike))
        here = unsafe[enough[unsafe] & (alone[unsafe] < 0)]
        alone[here] = way
        if lost.bit_count() > table.most or not len(cells):
            continue
        groups, place = np.unique(alike[cells], return_inverse=True)
        line = np.full(int(alike.max()) + 1, -1, np.int32)
        line[groups] = np.arange(len(groups))
        pool = np.full((len(groups), POOL), -1, np.int32)
        fill_pool(line[alike], of_helper, 0, pool)
        parts.append((place, enough[cells], pool, lost, price))
        through.append(place + lines)
        lines += len(groups)
    if not parts:
        return _without_lines(table, cells, own, rare, alone)
    sizes = np.concatenate([np.bincount(place, minlength=len(pool)) for place, _, pool, _, _ in parts])
    orders = [np.argsort(place, kind="stable") for place, *_ in parts]
    pools = np.concatenate([pool for _, _, pool, _, _ in parts])
    used = np.unique(pools[pools >= 0])
    local = np.full(len(helpers) + 1, -1, np.int32)
    local[used] = len(rare) + np.arange(len(used))
    records = np.concatenate([rare, helpers[used]])
    member = np.concatenate(orders)
    ptr = np.append(0, np.cumsum(sizes)).astype(np.int64)
    pools = local[pools]
    weight = table.weight[records]
    best = np.where(pools[:, 0] >= 0, weight[pools[:, 0]], 0.0)
    np.maximum.at(best, np.repeat(np.arange(lines), sizes), weight[own[member]])
    return CountsProblem(
        table, cells, own, records, ptr, member.astype(np.int32),
        np.concatenate([fine[order] for order, (_, fine, *_) in zip(orders, parts, strict=True)]),
        np.concatenate([np.full(len(pool), lost) for _, _, pool, lost, _ in parts]),
        np.concatenate([np.full(len(pool), price) for _, _, pool, _, price in parts]),
        best, np.ascontiguousarray(np.stack(through, axis=1), np.int32), np.ascontiguousarray(pools, np.int32), alone,
        np.zeros(len(cells), np.bool_),
    )  # fmt: skip


def _without_lines(
    table: CountsTable, cells: Places, own: Places, records: Places, alone: Places
) -> CountsProblem:  # fmt: skip
    none = np.zeros(0, np.int64)
    return CountsProblem(
        table, cells, own, records, np.zeros(1, np.int64), none.astype(np.int32), none.astype(bool), none, np.zeros(0),
        np.zeros(0), np.zeros((len(cells), 0), np.int32), np.zeros((0, POOL), np.int32), alone,
        np.zeros(len(cells), np.bool_),
    )  # fmt: skip


def raise_cap(problem: CountsProblem, cells: Places) -> CountsProblem:
    """The same where the own records of these cells may lose what makes them safe by what remains, whatever it takes.

    `cells` : places in ``problem.cells``, each with a way
    """
    table = problem.table
    ways = problem.alone[problem.cells]
    raised = problem.raised.copy()
    raised[cells] = True
    for way in np.unique(ways[cells]).tolist():
        lost, price = table.ways[way]
        alike = table.kept_alike(lost)[problem.cells]
        here = cells[ways[cells] == way]
        groups, place = np.unique(alike, return_inverse=True)
        wanted = np.unique(place[here])
        number = np.full(len(groups), -1)
        number[wanted] = np.arange(len(wanted))
        line = number[place]
        member = np.flatnonzero(line >= 0)
        member = member[np.argsort(line[member], kind="stable")]
        first = len(problem.price)
        best = np.zeros(len(wanted))
        np.maximum.at(best, line[here], table.weight[problem.records[problem.own[here]]])
        problem = replace(
            problem,
            ptr=np.append(problem.ptr, problem.ptr[-1] + np.cumsum(np.bincount(line[member], minlength=len(wanted)))),
            member=np.append(problem.member, member).astype(np.int32),
            fine=np.append(problem.fine, np.isin(member, here)),
            lost=np.append(problem.lost, np.full(len(wanted), lost)),
            price=np.append(problem.price, np.full(len(wanted), price)),
            heaviest=np.append(problem.heaviest, best),
            through=np.ascontiguousarray(
                np.column_stack([problem.through, np.where(line >= 0, line + first, -1)]), np.int32
            ),
            pool=np.concatenate([problem.pool, np.full((len(wanted), POOL), -1, np.int32)]),
        )
    return replace(problem, raised=raised)


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
