"""Partners of rank swapping."""

from __future__ import annotations

import numpy as np
from numba import types

from .declare import kernel

_VALUES = types.Array(types.float64, 1, "C", readonly=True)


@kernel(types.void(_VALUES, _VALUES, types.int64, types.int64[::1]))
def swap_partners(values, uniform, window, partner):  # type: ignore[no-untyped-def]
    """With whom each value changes: evenly one of those that have no partner yet, differ, and are not too far above.

    Parameters
    ----------
    values : (n,) ascending
    uniform : (n,) in [0, 1)
    window : the largest distance of ranks
    partner : (n,) filled with the place of the partner; its own place where there is none
    """
    n = len(values)
    free = np.zeros(n + 1, np.int64)  # running totals of those that have no partner, as a binary indexed tree
    for i in range(1, n + 1):
        free[i] = i & -i
        partner[i - 1] = -1
    highest = 1
    while highest * 2 <= n:
        highest *= 2
    other = 0  # the first value above the one at hand
    for j in range(n):
        if partner[j] >= 0:
            continue
        if other <= j:
            other = j + 1
        while other < n and values[other] == values[j]:
            other += 1
        last = min(n - 1, j + window)
        below, upto = 0, 0
        if other <= last:
            at = other
            while at > 0:
                below += free[at]
                at -= at & -at
            at = last + 1
            while at > 0:
                upto += free[at]
                at -= at & -at
        if upto == below:
            partner[j] = j
            taken = (j, j)
        else:
            wanted = below + min(int(uniform[j] * (upto - below)), upto - below - 1) + 1
            at, step = 0, highest
            while step > 0:
                if at + step <= n and free[at + step] < wanted:
                    at += step
                    wanted -= free[at]
                step >>= 1
            partner[j], partner[at] = at, j
            taken = (j, at)
        for k in range(2):
            if k == 1 and taken[0] == taken[1]:
                break
            at = taken[k] + 1
            while at <= n:
                free[at] -= 1
                at += at & -at
