"""The order of numbers, kept where they are equal: shorter to compile than numba's own sort, and as quick."""

from __future__ import annotations

from numba import types

from core.kernels.declare import part

_I8 = types.Array(types.int64, 1, "C", readonly=True)
_I8_OUT = types.Array(types.int64, 1, "C")
_RUN = 16  # so few are put in order faster one by one than by merging


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
