"""The forecast's two loops: running minimum over candidates, and sums of what changes by level."""

from __future__ import annotations

import numpy as np
from numba import njit, types

_u4 = types.Array(types.uint32, 1, "C", readonly=True)
_u8 = types.Array(types.uint64, 1, "C", readonly=True)
_i8 = types.Array(types.int64, 1, "C", readonly=True)
_f8 = types.Array(types.float64, 1, "C", readonly=True)
_u4w = types.Array(types.uint32, 1, "C")
_f8w = types.Array(types.float64, 1, "C")
_i8w = types.Array(types.int64, 1, "C")
_i8w2 = types.Array(types.int64, 2, "C")


@njit([types.int64(_u4, _f8, _u4, types.uint32, _f8w, _u4w, _u4w, _f8w, _u4w)], nogil=True, cache=True)
def lower(group, risk, cell, candidate, best, choice, rows, levels, previous):  # type: ignore[no-untyped-def]
    """Try one more candidate on a block of units; where its risk is below the best so far, it takes over.

    Parameters
    ----------
    group, risk : cell -> group of the candidate's margin, group -> risk
    cell : (b,) cell of each unit
    best, choice : (b,) lowest risk so far and the candidate that has it; changed in place
    rows, levels, previous : (b,) room for the changes: unit, risk it leaves, candidate it leaves

    Returns
    -------
    int
        Number of changes.
    """
    changes = 0
    for i in range(len(cell)):
        r = risk[group[cell[i]]]
        if r < best[i]:
            rows[changes] = i
            levels[changes] = best[i]
            previous[changes] = choice[i]
            changes += 1
            best[i] = r
            choice[i] = candidate
    return changes


@njit([types.int64(_i8, _f8, _u4, _u4, _i8, _u8, types.int64, types.int64, _i8w, types.int64, _f8w, _i8w2)],
      nogil=True, cache=True)
def accumulate(order, risk, before, after, records, masks, start, stop, state, at, levels, counts):  # type: ignore[no-untyped-def]
    """Changes ``order[start:stop]`` (by falling risk) as sums by level.

    Parameters
    ----------
    risk, before, after, records : a change: at thresholds up to `risk` so many records leave one candidate for another
    masks : candidate -> bits of the counters it raises
    state : (c,) counters so far; changed in place
    at : first free place in `levels` and `counts`
    levels, counts : (L,), (L, c): distinct risks, falling, and the counters at thresholds down to the next one

    Returns
    -------
    int
        The new `at`.
    """
    one = np.uint64(1)
    for position in range(start, stop):
        change = order[position]
        if at == 0 or risk[change] < levels[at - 1]:
            levels[at] = risk[change]
            at += 1
        gone = masks[before[change]]
        come = masks[after[change]]
        for c in range(len(state)):
            bit = np.uint64(c)
            state[c] += (np.int64(come >> bit & one) - np.int64(gone >> bit & one)) * records[change]
        for c in range(len(state)):
            counts[at - 1, c] = state[c]
    return at
