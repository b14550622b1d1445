"""The forecast's loops (level numbers, running minimum over candidates) and the pairs of values that occur."""

from __future__ import annotations

import numpy as np
from numba import njit, types

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_U4_OUT = types.Array(types.uint32, 1, "C")
_U8_OUT = types.Array(types.uint64, 1, "C")
_U1_OUT = types.Array(types.uint8, 1, "C")
_SUMS = (types.Array(types.int32, 2, "C"), types.Array(types.int64, 2, "C"))
_TOTALS = types.Array(types.int64, 2, "C")


@njit([types.int64(_U8, types.int64, types.int64, types.uint64, types.int64, _U4_OUT)], nogil=True, cache=True)
def fill_buckets(levels, start, stop, shift, filled, first):  # type: ignore[no-untyped-def]
    """first[b] = number of levels below bucket b (see `rank`), for the buckets up to those of levels[start:stop].

    `filled` buckets were filled before; the number filled now is returned.
    """
    for i in range(start, stop):
        bucket = np.int64((levels[i] - levels[0]) >> shift)
        while filled <= bucket:
            first[filled] = i
            filled += 1
    return filled


@njit([types.void(_U8, _U8, _U4, types.uint64, _U4_OUT)], nogil=True, cache=True)
def rank(values, levels, first, shift, ranks):  # type: ignore[no-untyped-def]
    """ranks = index of each value in `levels` (ascending, each value among them), as bits of positive floats.

    ``first[b]`` is the first level at or after bucket b, a bucket being a run of bits ``(level - levels[0]) >> shift``.
    """
    for i in range(len(values)):
        bucket = (values[i] - levels[0]) >> shift
        low, high = np.int64(first[bucket]), np.int64(first[bucket + 1])
        while low < high:
            middle = (low + high) // 2
            if levels[middle] < values[i]:
                low = middle + 1
            else:
                high = middle
        ranks[i] = low


@njit(
    [types.void(sums, types.uint32, types.uint64, types.uint64, types.int64) for sums in _SUMS],
    nogil=True,
    cache=True,
)
def switch(changes, level, old, new, records):  # type: ignore[no-untyped-def]
    """Note that at `level` so many records leave the choice `old` for `new`: counters of the bits that differ."""
    one = np.uint64(1)
    different = old ^ new
    c = 0
    while different:
        if different & one:
            changes[level, c] += records if new >> np.uint64(c) & one else -records
        different >>= one
        c += 1


@njit(
    [types.void(_U4, _U4, _U4, _I8, types.uint64, _U4_OUT, _U8_OUT, sums) for sums in _SUMS],
    nogil=True,
    cache=True,
)
def lower(group, level, cell, records, candidate, best, choice, changes):  # type: ignore[no-untyped-def]
    """Try one more candidate on a block of units; where its level is below the best so far, it takes over.

    Parameters
    ----------
    group, level : cell -> group of the candidate's margin, group -> level
    cell, records : (b,) of each unit
    candidate : bits of the counters that the candidate raises
    best, choice : (b,) lowest level so far and the bits of the candidate that has it; changed in place
    changes : (levels, counters) sums of what changes when the lowest unsafe risk falls to a level
    """
    for i in range(len(cell)):
        new = level[group[cell[i]]]
        if new < best[i]:
            switch(changes, best[i], choice[i], candidate, records[i])
            best[i] = new
            choice[i] = candidate


@njit([types.void(_U4, _U8, _I8, types.uint64, sums) for sums in _SUMS], nogil=True, cache=True)
def give_up(best, choice, records, left, changes):  # type: ignore[no-untyped-def]
    """At its lowest level, a unit leaves its last choice for the bits `left`."""
    for i in range(len(best)):
        switch(changes, best[i], choice[i], left, records[i])


@njit([types.void(sums, _U1_OUT) for sums in _SUMS], nogil=True, cache=True)
def changing(changes, flags):  # type: ignore[no-untyped-def]
    """flags = whether any counter changes at each level."""
    for i in range(len(changes)):
        flags[i] = 0
        for c in range(changes.shape[1]):
            if changes[i, c] != 0:
                flags[i] = 1


@njit([types.void(sums, _I8, types.int64, types.int64, _TOTALS) for sums in _SUMS], nogil=True, cache=True)
def add_downwards(changes, levels, start, stop, totals):  # type: ignore[no-untyped-def]
    """totals[i] = totals[i + 1] + changes[levels[i]] for i from stop - 1 down to start; as wide as `totals`."""
    for i in range(stop - 1, start - 1, -1):
        for c in range(totals.shape[1]):
            totals[i, c] = totals[i + 1, c] + changes[levels[i], c]


@njit([types.void(_U4, _U4, types.uint64, _U4_OUT)], nogil=True, cache=True)
def cross(groups, values, width, table):  # type: ignore[no-untyped-def]
    """Count pairs: ``table[group * width + value] += 1``; values from ``width - 1`` on (missing) are one."""
    last = width - np.uint64(1)
    for i in range(len(groups)):
        table[np.uint64(groups[i]) * width + min(np.uint64(values[i]), last)] += 1


@njit([types.void(_U4, types.int64, _I8, _TOTALS)], nogil=True, cache=True)
def sum_rows(table, width, asked, counted):  # type: ignore[no-untyped-def]
    """Of rows of a table of pairs (see `cross`), without the missing value: records and how many values occur.

    Parameters
    ----------
    asked : (a,) rows
    counted : (2, a), zero; records, different values
    """
    for i in range(len(asked)):
        start = asked[i] * width
        for j in range(start, start + width - 1):
            counted[0, i] += table[j]
            counted[1, i] += table[j] > 0
