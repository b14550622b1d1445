"""The forecast's loops (level numbers, running minimum over candidates) and the pairs of values that occur."""

from __future__ import annotations

import numpy as np
from numba import types

from .declare import kernel

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_U4_OUT = types.Array(types.uint32, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_F8_OUT = types.Array(types.float64, 1, "C")
_PACKED = types.Array(types.int64, 2, "C", readonly=True)
_TOTALS = types.Array(types.int64, 2, "C")


@kernel([types.int64(_U8, types.int64, types.int64, types.uint64, types.int64, _U4_OUT)])
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


@kernel(types.int64(_F8_OUT, types.int64, types.int64, types.int64))
def keep_distinct(values, start, stop, kept):  # type: ignore[no-untyped-def]
    """Move what values[start:stop] hold beyond the last one of values[:kept] to their end; values ascend.

    The number kept now is returned.
    """
    for i in range(start, stop):
        if kept == 0 or values[i] != values[kept - 1]:
            values[kept] = values[i]
            kept += 1
    return kept


@kernel([types.void(_U8, _U8, _U4, types.uint64, _U4_OUT)])
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


@kernel(types.void(_U4, _U4, _U4, _I8, types.uint32, _PACKED, _U4_OUT, _U4_OUT, _TOTALS))
def lower(group, level, cell, records, candidate, packed, best, choice, changes):  # type: ignore[no-untyped-def]
    """Try one more candidate on a block of units; where its level is below the best so far, it takes over.

    Parameters
    ----------
    group, level : cell -> group of the candidate's margin, group -> level
    cell, records : (b,) of each unit
    candidate : its row in `packed`
    packed : (c, w) by candidate, the counters that it raises, several in a word; w >= 2
    best, choice : (b,) lowest level so far and the candidate that has it; changed in place
    changes : (levels, w) packed sums of what changes when the lowest unsafe risk falls to a level
    """
    zero, one, width = np.uint64(0), np.uint64(1), np.uint64(packed.shape[1])
    first, second = packed[candidate, zero], packed[candidate, one]
    for i in range(len(cell)):
        old = best[i]
        new = level[group[cell[i]]]
        if new < old:
            # Levels are met at random, so that most of the work is to fetch their rows.
            leaving, times = choice[i], records[i]
            changes[old, zero] += times * (first - packed[leaving, zero])
            changes[old, one] += times * (second - packed[leaving, one])
            for w in range(np.uint64(2), width):
                changes[old, w] += times * (packed[candidate, w] - packed[leaving, w])
            best[i] = new
            choice[i] = candidate


@kernel(types.void(_U4, _U4, _I8, _PACKED, _TOTALS, _I8_OUT))
def give_up(best, choice, records, packed, changes, left):  # type: ignore[no-untyped-def]
    """At its lowest level a unit leaves its last choice and stays unsafe.

    Parameters
    ----------
    left : (more than any of `best`,) by level, records that are left unsafe from it on
    """
    for i in range(len(best)):
        for w in range(packed.shape[1]):
            changes[best[i], w] -= records[i] * packed[choice[i], w]
        left[best[i]] += records[i]


@kernel(types.int64(_PACKED, _I8, types.int64, types.int64, _U4_OUT, types.int64))
def changing(changes, left, start, stop, levels, found):  # type: ignore[no-untyped-def]
    """Put those of the levels from `start` to `stop` at which any counter changes behind the first `found`.

    `levels` has room for one more than there are; how many are found now is returned. `left` may end before them.
    """
    for i in range(start, stop):
        differs = left[i] if i < len(left) else np.int64(0)
        for w in range(changes.shape[1]):
            differs |= changes[i, w]
        levels[found] = i
        found += differs != 0
    return found


@kernel(types.void(_PACKED, types.int64, _I8, _U4, types.int64, types.int64, _TOTALS))
def add_downwards(changes, bits, left, levels, start, stop, totals):  # type: ignore[no-untyped-def]
    """totals[i] = totals[i + 1] + changes at levels[i] for i from stop - 1 down to start.

    Parameters
    ----------
    changes, bits : counters packed by so many bits, as `pack` of `core.suppression.forecast` puts them
    totals : (more than stop, c + 1): c counters of `changes`, then `left`, which may end before the levels do
    """
    each = 64 // bits
    spare = 64 - bits
    counters = totals.shape[1] - 1
    for i in range(stop - 1, start - 1, -1):
        at = np.int64(levels[i])
        rest = np.int64(0)
        for c in range(counters):
            if c % each == 0:
                rest = changes[at, c // each]
            value = (rest << spare) >> spare
            rest = (rest - value) >> bits
            totals[i, c] = totals[i + 1, c] + value
        totals[i, counters] = totals[i + 1, counters] + (left[at] if at < len(left) else np.int64(0))


@kernel([types.void(_U4, _U4, types.uint64, _U4_OUT)])
def cross(groups, values, width, table):  # type: ignore[no-untyped-def]
    """Count pairs: ``table[group * width + value] += 1``; values from ``width - 1`` on (missing) are one."""
    last = width - np.uint64(1)
    for i in range(len(groups)):
        table[np.uint64(groups[i]) * width + min(np.uint64(values[i]), last)] += 1


@kernel([types.void(_U4, types.int64, _I8, _TOTALS)])
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
