"""The forecast's loops (level numbers, running minimum over candidates) and the pairs of values that occur."""

from __future__ import annotations

import numpy as np
from numba import njit, types

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_U4_OUT = types.Array(types.uint32, 1, "C")
_U8_OUT = types.Array(types.uint64, 1, "C")
_SUMS = types.Array(types.int64, 2, "C")


@njit([types.void(_U8, _U8, _I8, types.uint64, _U4_OUT)], nogil=True, cache=True)
def rank(values, levels, first, shift, ranks):  # type: ignore[no-untyped-def]
    """ranks = index of each value in `levels` (ascending, each value among them), as bits of positive floats.

    ``first[b]`` is the first level at or after bucket b, a bucket being a run of bits ``(level - levels[0]) >> shift``.
    """
    for i in range(len(values)):
        bucket = (values[i] - levels[0]) >> shift
        low, high = first[bucket], first[bucket + 1]
        while low < high:
            middle = (low + high) // 2
            if levels[middle] < values[i]:
                low = middle + 1
            else:
                high = middle
        ranks[i] = low


@njit([types.void(_SUMS, types.uint32, types.uint64, types.uint64, types.int64)], nogil=True, cache=True)
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


@njit([types.void(_U4, _U4, _U4, _I8, types.uint64, _U4_OUT, _U8_OUT, _SUMS)], nogil=True, cache=True)
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


@njit([types.void(_U4, _U8, _I8, types.uint64, _SUMS)], nogil=True, cache=True)
def give_up(best, choice, records, left, changes):  # type: ignore[no-untyped-def]
    """At its lowest level, a unit leaves its last choice for the bits `left`."""
    for i in range(len(best)):
        switch(changes, best[i], choice[i], left, records[i])


@njit([types.void(_U4, _U4, types.uint64, _U4_OUT)], nogil=True, cache=True)
def cross(groups, values, width, table):  # type: ignore[no-untyped-def]
    """Count pairs: ``table[group * width + value] += 1``; values from ``width - 1`` on (missing) are one."""
    last = width - np.uint64(1)
    for i in range(len(groups)):
        table[np.uint64(groups[i]) * width + min(np.uint64(values[i]), last)] += 1
