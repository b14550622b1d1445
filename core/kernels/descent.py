"""The forecast of households: what each would suppress while its threshold falls, as changes at levels."""

from __future__ import annotations

import math

import numpy as np
from numba import types

from .declare import kernel, part
from .joint import EQUAL_LOSS, earlier

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_I8_ROWS = types.Array(types.int64, 2, "C", readonly=True)
_F8 = types.Array(types.float64, 1, "C", readonly=True)
_F8_OUT = types.Array(types.float64, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_SUMS = types.Array(types.int64, 2, "C")
_U8_OUT = types.Array(types.uint64, 1, "C")

_STATE = types.Tuple((types.float64[::1], types.int64[::1], types.int64[::1]))  # type: ignore[no-untyped-call]


@part(types.uint64(_I8_OUT, types.int64, types.int64, _U4, _U8, types.uint64))
def union_of(at, begin, members, mask, newly, keys):  # type: ignore[no-untyped-def]
    """Bits that go in any member, each member being at one of its options."""
    union = np.uint64(0)
    for j in range(members):
        union |= newly[mask[at[begin + j]]] & keys
    return union


@part(types.int64(_STATE, _I8_OUT, types.int64, _U4, _U8, types.uint64))
def best_shared(state, at, members, mask, newly, keys):  # type: ignore[no-untyped-def]
    """The shared choice that is best as `core.kernels.joint.better` has it; -1 where none is possible."""
    total, values, impossible = state
    best = -1
    for c in range(len(total)):
        if impossible[c]:
            continue
        if best < 0 or total[c] < total[best] - EQUAL_LOSS:
            best = c
        elif total[c] <= total[best] + EQUAL_LOSS:
            if values[c] < values[best]:
                best = c
            elif values[c] == values[best]:
                mine = union_of(at, c * members, members, mask, newly, keys)
                if earlier(mine, union_of(at, best * members, members, mask, newly, keys)):
                    best = c
    return best


@part(types.void(_SUMS, types.int64, types.uint64, types.uint64, types.int64))
def note(sums, row, old, new, times):  # type: ignore[no-untyped-def]
    """Add to a row that so many go from the missing bits `old` to `new`: by bit, then records touched."""
    one = np.uint64(1)
    touched = sums.shape[1] - 2
    sums[row, touched] += times * (np.int64(new != 0) - np.int64(old != 0))
    different = old ^ new
    v = 0
    while different:
        if different & one:
            sums[row, v] += times if new >> np.uint64(v) & one else -times
        different >>= one
        v += 1


@part(types.float64(_U4, types.float64, types.float64, types.float64, _I8_ROWS, _U4, _F8, _F8, _I8, _I8_OUT, _STATE))
def skip(unit, scale, gate, other, first, mask, risk, loss, count, at, state):  # type: ignore[no-untyped-def]
    """Move every member on to its first option with a risk below `other` and, times `scale`, below `gate`.

    Parameters
    ----------
    at : (c * members,) options where the members are; changed
    state : total loss and values of each shared choice, and whether it is impossible; filled, those impossible stay so

    Returns
    -------
    the highest level at which a member leaves its option
    """
    total, values, impossible = state
    members = len(unit)
    highest = 0.0
    for c in range(len(total)):
        if impossible[c]:
            continue
        of_choice = 0.0
        total[c] = 0.0
        values[c] = 0
        for j in range(members):
            end = first[c, unit[j] + 1]
            q = at[c * members + j]
            while q < end and (risk[q] >= other or risk[q] * scale >= gate):
                q += 1
            if q == end:
                impossible[c] = 1
                break
            at[c * members + j] = q
            total[c] += loss[mask[q]]
            values[c] += count[mask[q]]
            of_choice = max(of_choice, risk[q])
        if not impossible[c]:
            highest = max(highest, of_choice)
    return highest * scale


@part(types.boolean(types.int64, _U8_OUT, _I8_OUT, _U4, _U8, types.int64, _SUMS, types.int64))
def take(best, now, at, mask, newly, times, sums, row):  # type: ignore[no-untyped-def]
    """Note what every member changes to under the shared choice `best`; whether there is one (-1: there is none)."""
    for j in range(len(now)):
        new = newly[mask[at[best * len(now) + j]]] if best >= 0 else np.uint64(0)
        if new != now[j]:
            note(sums, row, now[j], new, times)
            now[j] = new
    if best < 0:
        sums[row, sums.shape[1] - 1] += len(now) * times
    return best >= 0


@part(types.int64(_F8, types.int64, types.float64))
def last_up_to(grid, count, level):  # type: ignore[no-untyped-def]
    """Index of the largest of the first `count` grid values that is not above `level`; -1 where there is none."""
    low, high = np.int64(0), count
    while low < high:
        middle = (low + high) // 2
        if grid[middle] <= level:
            low = middle + 1
        else:
            high = middle
    return low - 1


@part(
    types.void(
        _U4, types.int64, types.float64, types.float64, types.float64, _I8_ROWS, _U4, _F8, _F8, _I8, _U8, types.uint64,
        _F8, _SUMS,
    )
)  # fmt: skip
def descend(  # type: ignore[no-untyped-def]
    unit, times, scale, gate, other, first, mask, risk, loss, count, newly, keys, grid, sums
):
    """Take a household with the members `unit` down the grid of thresholds and note each change of its choice.

    Parameters
    ----------
    times : how many households are like it
    scale : a member is below the threshold t if scale * risk < t
    gate : the highest threshold at which the household is asked anything
    other : limit of every member's risk whatever the threshold; inf: none
    first : (c, u + 1) where the options of unit u under the shared choice c begin; the last row entry ends them
    mask, risk : of the options, risk falling; loss, count, newly : by mask
    grid : (k,) thresholds, ascending
    sums : (k + 1, v + 2) changes when the threshold falls to that of the grid, the last row: at every threshold; by
        variable, records touched, members of households that cannot be protected
    """
    members = len(unit)
    shared = first.shape[0]
    at = np.empty(shared * members, np.int64)
    for where in range(len(at)):
        at[where] = first[where // members, unit[where % members]]
    state = np.zeros(shared), np.zeros(shared, np.int64), np.zeros(shared, np.int64)
    now = np.zeros(members, np.uint64)
    row, threshold = np.int64(len(grid)), math.inf
    possible = True
    # First what the other limit alone asks for, then what the threshold adds once it reaches the household.
    while row >= 0 and possible:
        level = skip(unit, scale, threshold, other, first, mask, risk, loss, count, at, state)
        best = best_shared(state, at, members, mask, newly, keys)
        possible = take(best, now, at, mask, newly, times, sums, row)
        if possible:
            row = last_up_to(grid, row, gate if row == len(grid) else level)
            if row >= 0:
                threshold = grid[row]


@kernel(
    types.void(
        _I8, _U4, _I8, types.int64, types.int64, _F8, _F8, _F8, _I8_ROWS, _U4, _F8, _F8, _I8, _U8, types.uint64, _F8,
        _SUMS,
    )
)  # fmt: skip
def descend_all(  # type: ignore[no-untyped-def]
    starts, unit, times, begin, end, scale, gate, other, first, mask, risk, loss, count, newly, keys, grid, sums
):
    """`descend` for the households from `begin` to `end`."""
    for g in range(begin, end):
        descend(
            unit[starts[g] : starts[g + 1]], times[g], scale[g], gate[g], other[g], first, mask, risk, loss, count,
            newly, keys, grid, sums,
        )  # fmt: skip
