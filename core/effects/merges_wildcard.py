"""What a ``wildcard`` table counts of runs of categories: also records that agree as far as they tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.recoding.suggest_merges import TableJudgement
from core.tables.cells import Cells
from core.tables.grouping import group_rows

MOST_ENTRIES = 1 << 24
"""Pairs of a set of other codes and a unit of records that agree with it, beyond which they are not counted."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def share_of(alpha: float) -> Fraction:
    """How much an incomplete record counts, as a fraction of small numbers, so that frequencies stay integers."""
    return Fraction(repr(alpha)).limit_denominator(1000)


def compatible(
    base: Cells, unit: NDArray[np.integer], keep: int, alpha: float, least: Floats, progress: Progress = SILENT
) -> TableJudgement | None:
    """The table of the variables `keep`, variable 0 among them, that is judged by `unit`.

    A record counts fully where it has a value on each of these, and `alpha` times where it agrees as far as it has.
    Frequencies are multiplied by the denominator of `share_of`; so is what `least` is numbered by.

    Returns
    -------
    None where there are more than `MOST_ENTRIES` entries
    """
    share = share_of(alpha)
    others = [j for j in range(1, len(base.variables)) if keep >> j & 1]
    absent = base.missing & np.uint64(keep & ~1)
    told = (base.missing & np.uint64(1)) == 0
    rows = np.flatnonzero(told & (absent == 0))
    sets, member = _grouped(base, others, rows, progress)
    first = rows[member]
    found = [(sets, unit[rows].astype(np.int64), base.count[rows] * share.denominator, base.weight[rows])]
    more, people, total = np.zeros(len(first), np.int64), np.zeros(len(first)), len(rows)
    for pattern in np.unique(absent).tolist():
        kept = [j for j in others if not pattern >> j & 1]
        for with_variable in (True, False):
            part = np.flatnonzero((absent == pattern) & (told == with_variable))
            if not len(part) or (with_variable and not pattern):
                continue
            progress.check()
            both, _ = _grouped(base, kept, np.concatenate((first, part)), progress)
            of_set, of_part = both[: len(first)], both[len(first) :]
            count, weight = base.count[part] * share.numerator, base.weight[part] * float(share)
            if not with_variable:
                size = int(both.max(initial=0)) + 1
                more += _sums(of_part, count, size)[of_set]
                people += np.bincount(of_part, weight, size)[of_set]
                continue
            entries = _pairs(of_set, of_part, unit[part].astype(np.int64), count, weight, MOST_ENTRIES - total)
            if entries is None:
                return None
            found.append(entries)
            total += len(entries[0])
    of_cell = np.full(len(base), -1, np.int64)
    of_cell[rows] = sets
    set_of, unit_of, records, weights = (np.concatenate(each) for each in zip(*found, strict=True))
    return TableJudgement(set_of, unit_of, records, weights, least, of_cell, more, people)


def _grouped(base: Cells, variables: Sequence[int], rows: NDArray[np.intp], progress: Progress) -> tuple[Ints, Ints]:
    """The group of each row by these variables, and a place in `rows` of each group."""
    if not variables or not len(rows):
        return np.zeros(len(rows), np.int64), np.zeros(min(1, len(rows)), np.int64)
    codes, cards = [base.codes[j] for j in variables], [base.cards[j] for j in variables]
    groups = group_rows(codes, cards, progress, rows.astype(np.uint32))
    return groups.ids.astype(np.int64), groups.member.astype(np.int64)


def _sums(group: Ints, values: Ints, size: int) -> Ints:
    sums = np.zeros(size, np.int64)
    np.add.at(sums, group, values)
    return sums


def _pairs(
    of_set: Ints, of_part: Ints, unit: Ints, count: Ints, weight: Floats, room: int
) -> tuple[Ints, Ints, Ints, Floats] | None:
    """Entries (set, unit, records, people) of the incomplete cells that agree with each set; None beyond `room`."""
    units = int(unit.max(initial=0)) + 1
    distinct, place = np.unique(of_part * units + unit, return_inverse=True)
    records, people = _sums(place, count, len(distinct)), np.bincount(place, weight, len(distinct))
    group = distinct // units
    start = np.searchsorted(group, of_set)
    lengths = np.searchsorted(group, of_set, "right") - start
    if int(lengths.sum()) > room:
        return None
    sets = np.repeat(np.arange(len(of_set)), lengths)
    chosen = np.arange(len(sets)) + np.repeat(start - (np.cumsum(lengths) - lengths), lengths)
    return sets, distinct[chosen] % units, records[chosen], people[chosen]


def sizes_in(base: Cells) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """Each household size among the codes of the last variable, and the cells with it."""
    size = base.codes[-1]
    for one in np.unique(size).tolist():
        yield int(one), size == one
