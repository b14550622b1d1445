"""The forecast of households: what each would suppress while its threshold falls, as changes at levels."""

from __future__ import annotations

import math

import numpy as np
from numba import njit, types

from core.kernels.joint import EQUAL_LOSS, earlier

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_I8_ROWS = types.Array(types.int64, 2, "C", readonly=True)
_F8 = types.Array(types.float64, 1, "C", readonly=True)
_F8_OUT = types.Array(types.float64, 1, "C")
_I4_ROWS_OUT = types.Array(types.int32, 2, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_U8_OUT = types.Array(types.uint64, 1, "C")

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@njit(types.uint64(_I8_OUT, types.int64, types.int64, _U8, types.uint64), nogil=True, cache=True)
def union_of(at, begin, members, newly, keys):  # type: ignore[no-untyped-def]
    """Bits that go in any member, each member being at one of its options."""
    union = np.uint64(0)
    for j in range(members):
        union |= newly[at[begin + j]] & keys
    return union


@njit(types.int64(_F8_OUT, _I8_OUT, _I8_OUT, _I8_OUT, types.int64, _U8, types.uint64), nogil=True, cache=True)
def best_shared(total, values, impossible, at, members, newly, keys):  # type: ignore[no-untyped-def]
    """The shared choice that is best as `core.kernels.joint.better` has it; -1 where none is possible."""
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
                mine = union_of(at, c * members, members, newly, keys)
                if earlier(mine, union_of(at, best * members, members, newly, keys)):
                    best = c
    return best


@njit(types.void(_I4_ROWS_OUT, types.int64, types.uint64, types.uint64), nogil=True, cache=True)
def note(deltas, event, old, new):  # type: ignore[no-untyped-def]
    """Add to an event that one member goes from the missing bits `old` to `new`: by bit, then records touched."""
    one = np.uint64(1)
    touched = deltas.shape[1] - 2
    deltas[event, touched] += np.int32(new != 0) - np.int32(old != 0)
    different = old ^ new
    v = 0
    while different:
        if different & one:
            deltas[event, v] += 1 if new >> np.uint64(v) & one else -1
        different >>= one
        v += 1


@njit(
    types.int64(
        _I8, _U4, types.int64, _F8, _F8, _F8, _I8_ROWS, _F8, _I8, _U8, _F8, types.uint64, types.int64, _F8_OUT,
        _I4_ROWS_OUT,
    ),
    nogil=True,
    cache=True,
)  # fmt: skip
def descend(  # type: ignore[no-untyped-def]
    starts, unit, g, scale, gate, other, first, loss, count, newly, risk, keys, event, levels, deltas
):
    """Take household `g` from a high threshold to a low one and note each change of its choice.

    Parameters
    ----------
    starts, unit : members as in `core.kernels.joint.choose`
    scale : (H,) a member is below the threshold t if scale * risk < t
    gate : (H,) the highest threshold at which the household is asked anything
    other : (H,) limit of every member's risk whatever the threshold; inf: none
    first : (c, u + 1) where the options of unit u under the shared choice c begin; the last row entry ends them
    loss, count, newly, risk : of the options, risk falling
    event : first free row of `levels` and `deltas`
    levels, deltas : (e,) the level of each change, inf: at every threshold; (e, v + 2) its counters, zero before

    Returns
    -------
    the next free row; -1 where there is no room
    """
    begin = starts[g]
    members = starts[g + 1] - begin
    shared = first.shape[0]
    at = np.empty(shared * members, np.int64)
    total = np.zeros(shared)
    values = np.zeros(shared, np.int64)
    impossible = np.zeros(shared, np.int64)
    left = deltas.shape[1] - 1
    now = np.zeros(members, np.uint64)
    asked = False
    room = 0
    for j in range(members):
        u = unit[begin + j]
        if risk[first[0, u]] >= other[g]:
            asked = True
    for stage in range(2):
        # First what the other limit alone asks for, then what the threshold adds once it reaches the household.
        for c in range(shared):
            total[c] = 0.0
            values[c] = 0
            impossible[c] = 0
            for j in range(members):
                u = unit[begin + j]
                if stage == 0:
                    at[c * members + j] = first[c, u]
                q = at[c * members + j]
                end = first[c, u + 1]
                while q < end and (risk[q] >= other[g] or (stage == 1 and risk[q] * scale[g] >= gate[g])):
                    q += 1
                at[c * members + j] = q
                if q == end:
                    impossible[c] += 1
                else:
                    total[c] += loss[q]
                    values[c] += count[q]
                    if stage == 1:
                        room += end - q
        if stage == 0 and not asked:
            continue
        if event == len(levels):
            return -1
        best = best_shared(total, values, impossible, at, members, newly, keys)
        levels[event] = math.inf if stage == 0 else gate[g]
        for j in range(members):
            new = newly[at[best * members + j]] if best >= 0 else np.uint64(0)
            note(deltas, event, now[j], new)
            now[j] = new
        event += 1
        if best < 0:
            deltas[event - 1, left] += members
            return event
    level = np.empty(room)
    place = np.empty(room, np.int64)
    k = 0
    for c in range(shared):
        for j in range(members):
            for q in range(at[c * members + j], first[c, unit[begin + j] + 1]):
                level[k] = -risk[q] * scale[g]
                place[k] = c * members + j
                k += 1
    order = np.argsort(level, kind="mergesort")
    chosen = best
    i = 0
    while i < room:
        if event == len(levels):
            return -1
        here = level[order[i]]
        begun = i
        while i < room and level[order[i]] == here:
            where = place[order[i]]
            c = where // members
            end = first[c, unit[begin + where % members] + 1]
            q = at[where]
            total[c] -= loss[q]
            values[c] -= count[q]
            at[where] = q + 1
            if q + 1 == end:
                impossible[c] += 1
            else:
                total[c] += loss[q + 1]
                values[c] += count[q + 1]
            i += 1
        best = best_shared(total, values, impossible, at, members, newly, keys)
        levels[event] = -here
        changed = False
        if best < 0:
            for j in range(members):
                note(deltas, event, now[j], np.uint64(0))
            deltas[event, left] += members
            return event + 1
        if best == chosen:
            for k in range(begun, i):
                if place[order[k]] // members == best:
                    j = place[order[k]] % members
                    new = newly[at[best * members + j]]
                    if new != now[j]:
                        note(deltas, event, now[j], new)
                        now[j] = new
                        changed = True
        else:
            for j in range(members):
                new = newly[at[best * members + j]]
                if new != now[j]:
                    note(deltas, event, now[j], new)
                    now[j] = new
                    changed = True
        chosen = best
        if changed:
            event += 1
    return event


@njit(
    types.int64(
        _I8, _U4, types.int64, types.int64, _F8, _F8, _F8, _I8_ROWS, _F8, _I8, _U8, _F8, types.uint64, _F8_OUT,
        _I4_ROWS_OUT, _I8_OUT,
    ),
    nogil=True,
    cache=True,
)  # fmt: skip
def descend_all(  # type: ignore[no-untyped-def]
    starts, unit, begin, end, scale, gate, other, first, loss, count, newly, risk, keys, levels, deltas, used
):
    """`descend` for the households from `begin` to `end`, as far as there is room.

    Returns
    -------
    the first household not done; ``used[0]`` rows are filled
    """
    event = np.int64(0)
    for g in range(begin, end):
        after = descend(
            starts, unit, g, scale, gate, other, first, loss, count, newly, risk, keys, event, levels, deltas
        )
        if after < 0:
            deltas[event:] = 0
            used[0] = event
            return g
        event = after
    used[0] = event
    return end


@njit(types.void(_U8, types.int64, types.int32[::1]), nogil=True, cache=True)
def enter(keys, count, slots):  # type: ignore[no-untyped-def]
    """Put the first `count` keys into the empty open-addressing table `slots` (a power of two of them, all -1)."""
    mask = np.uint64(len(slots) - 1)
    for i in range(count):
        slot = (keys[i] * _MULTIPLIER >> np.uint64(20)) & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = i


@njit(
    types.int64(
        _U8, types.Array(types.int32, 2, "C", readonly=True), types.int64, types.int64, types.int32[::1], _U8_OUT,
        types.int64[:, ::1], _I8_OUT,
    ),
    nogil=True,
    cache=True,
)  # fmt: skip
def tally(levels, deltas, first, number, slots, keys, sums, used):  # type: ignore[no-untyped-def]
    """Add the rows of `deltas` from `first` on to the sums of their levels, given as bits; a dictionary of levels.

    Returns
    -------
    `number`, or the first row not added because the dictionary is full
    """
    mask = np.uint64(len(slots) - 1)
    for i in range(first, number):
        slot = (levels[i] * _MULTIPLIER >> np.uint64(20)) & mask
        while slots[slot] >= 0 and keys[slots[slot]] != levels[i]:
            slot = (slot + np.uint64(1)) & mask
        row = np.int64(slots[slot])
        if row < 0:
            row = used[0]
            if row == len(keys):
                return i
            slots[slot] = row
            keys[row] = levels[i]
            used[0] += 1
        for v in range(deltas.shape[1]):
            sums[row, v] += deltas[i, v]
    return number
