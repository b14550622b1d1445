"""The order of numbers: shorter to compile than numba's own sorts, and as quick."""

from __future__ import annotations

import numpy as np
from numba import types

from .declare import part

_I8 = types.Array(types.int64, 1, "C", readonly=True)
_I8_OUT = types.Array(types.int64, 1, "C")
_REAL = types.float64[::1]
_INT = types.int32[::1]
_RUN = 16  # so few are put in order faster one by one than by merging or parting
_DEEPEST = 64  # the shorter side goes on, so that no more than log2(n) longer ones wait


@part(types.void(_I8, _I8_OUT, _I8_OUT))
def stable_order(values, order, room):  # type: ignore[no-untyped-def]
    """Fill `order` with the places of `values`, ascending, equal ones as they stand; `room` is as long."""
    count = len(values)
    for begin in range(0, count, _RUN):
        for i in range(begin, min(begin + _RUN, count)):
            at = i
            while at > begin and values[order[at - 1]] > values[i]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = i
    width = _RUN
    while width < count:
        for begin in range(0, count - width, 2 * width):
            middle, end = begin + width, min(begin + 2 * width, count)
            for i in range(begin, middle):
                room[i] = order[i]
            left, right, at = begin, middle, begin
            while left < middle:
                if right < end and values[order[right]] < values[room[left]]:
                    order[at] = order[right]
                    right += 1
                else:
                    order[at] = room[left]
                    left += 1
                at += 1
        width *= 2


@part(types.void(_INT, types.int64, types.int64))
def _change(order, i, j):  # type: ignore[no-untyped-def]
    """Let two places change."""
    order[i], order[j] = order[j], order[i]


@part(types.int64(_REAL, _INT, types.int64, types.int64))
def _parted(values, order, low, high):  # type: ignore[no-untyped-def]
    """Where the median of first, middle and last of ``order[low : high + 1]`` comes to stand between less and more."""
    middle = (low + high) >> 1
    if values[order[middle]] < values[order[low]]:
        _change(order, low, middle)
    if values[order[high]] < values[order[middle]]:
        _change(order, high, middle)
    if values[order[middle]] < values[order[low]]:
        _change(order, low, middle)
    pivot = values[order[middle]]
    _change(order, high, middle)
    i, j = low, high - 1
    while True:
        while i < high and values[order[i]] < pivot:
            i += 1
        while j >= low and pivot < values[order[j]]:
            j -= 1
        if i >= j:
            break
        _change(order, i, j)
        i += 1
        j -= 1
    _change(order, i, high)
    return i


@part(types.void(_REAL, _INT))
def quick_order(values, order):  # type: ignore[no-untyped-def]
    """Fill `order` with the places of `values`, ascending; equal ones stand as numba's argsort leaves them.

    Quicksort by the median of three; finite numbers.
    """
    for i in range(len(values)):
        order[i] = i
    waiting = np.empty((_DEEPEST, 2), np.int64)
    waiting[0, 0], waiting[0, 1] = 0, len(values) - 1
    size = 1
    while size > 0:
        size -= 1
        low, high = waiting[size, 0], waiting[size, 1]
        while high - low >= _RUN - 1:
            i = _parted(values, order, low, high)
            if high - i > i - low:
                waiting[size, 0], waiting[size, 1] = i + 1, high
                high = i - 1
            else:
                waiting[size, 0], waiting[size, 1] = low, i - 1
                low = i + 1
            size += 1
        for i in range(low + 1, high + 1):
            place = order[i]
            while i > low and values[place] < values[order[i - 1]]:
                order[i] = order[i - 1]
                i -= 1
            order[i] = place
