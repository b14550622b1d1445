"""Joint choices of a household: members choose apart, what they share is chosen once; the better choice stays."""

from __future__ import annotations

import math

import numpy as np
from numba import types

from .declare import kernel, part

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_F8 = types.Array(types.float64, 1, "C", readonly=True)
_U8_OUT = types.Array(types.uint64, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_F8_OUT = types.Array(types.float64, 1, "C")

EQUAL_LOSS = 1e-9


@part(types.boolean(types.uint64, types.uint64))
def earlier(a, b):  # type: ignore[no-untyped-def]
    """Whether the ascending positions of the bits of `a` come before those of `b`, compared as lists."""
    different = a ^ b
    if different == np.uint64(0):
        return False
    low = different & (~different + np.uint64(1))
    above = ~(low | (low - np.uint64(1)))
    if a & low:
        return (b & above) != np.uint64(0)
    return (a & above) == np.uint64(0)


@part(types.boolean(types.float64, types.int64, types.uint64, types.float64, types.int64, types.uint64))
def better(loss, count, union, best_loss, best_count, best_union):  # type: ignore[no-untyped-def]
    """The order of choices: loss, where equal the number of values, where equal the positions of what goes."""
    if not loss < math.inf:
        return False
    if loss < best_loss - EQUAL_LOSS:
        return True
    if loss > best_loss + EQUAL_LOSS:
        return False
    if count != best_count:
        return count < best_count
    return earlier(union, best_union)


@kernel(types.void(_I8, _U4, _F8, _I8, _U8, types.uint64, _F8_OUT, _I8_OUT, _U8_OUT, _U8_OUT))
def choose(starts, unit, loss, count, newly, keys, best_loss, best_count, best_union, out):  # type: ignore[no-untyped-def]
    """Take over, for each household, what its members would do under one more shared choice if that is better.

    Parameters
    ----------
    starts : (b + 1,) places in `unit` and `out` of each household's members
    unit : what each member is; loss, count, newly : by unit, loss inf where impossible
    keys : bits that decide among equals
    best_loss, best_count, best_union : (b,) changed in place; out : newly missing bits of each member, likewise
    """
    for g in range(len(starts) - 1):
        total = 0.0
        values = np.int64(0)
        union = np.uint64(0)
        for place in range(starts[g], starts[g + 1]):
            u = unit[place]
            total += loss[u]
            values += count[u]
            union |= newly[u] & keys
        if better(total, values, union, best_loss[g], best_count[g], best_union[g]):
            best_loss[g] = total
            best_count[g] = values
            best_union[g] = union
            for place in range(starts[g], starts[g + 1]):
                out[place] = newly[unit[place]]
