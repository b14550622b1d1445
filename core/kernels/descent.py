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

_STATE = types.Tuple((types.float64[::1], types.int64[::1], types.int64[::1]))  # type: ignore[no-untyped-call]

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
    types.int64(_U4, types.int64, types.float64, types.float64, _I8_ROWS, _F8, _I8, _F8, _I8_OUT, _STATE),
    nogil=True,
    cache=True,
)
def skip(unit, begin, limit, scaled, first, loss, count, risk, at, state):  # type: ignore[no-untyped-def]
    """Move every member on to its first option with a risk below `limit` and, `scaled` being limit / scale, that.

    Parameters
    ----------
    at : (c * members,) options where the members are; changed
    state : total loss, values and impossible members of each shared choice; filled

    Returns
    -------
    number of options that lie behind
    """
    total, values, impossible = state
    shared = len(total)
    members = len(at) // shared
    behind = 0
    for c in range(shared):
        total[c] = 0.0
        values[c] = 0
        impossible[c] = 0
        for j in range(members):
            end = first[c, unit[begin + j] + 1]
            q = at[c * members + j]
            while q < end and (risk[q] >= limit or risk[q] >= scaled):
                q += 1
            at[c * members + j] = q
            if q == end:
                impossible[c] += 1
            else:
                total[c] += loss[q]
                values[c] += count[q]
                behind += end - q
    return behind


@njit(types.boolean(types.int64, _U8_OUT, _I8_OUT, _U8, _I4_ROWS_OUT, types.int64), nogil=True, cache=True)
def take(best, now, at, newly, deltas, event):  # type: ignore[no-untyped-def]
    """Note what every member changes to under the shared choice `best` (-1: nothing at all); whether any does."""
    members = len(now)
    changed = False
    for j in range(members):
        new = newly[at[best * members + j]] if best >= 0 else np.uint64(0)
        if new != now[j]:
            note(deltas, event, now[j], new)
            now[j] = new
            changed = True
    return changed


@njit(
    types.int64(_U4, types.int64, types.float64, _I8_ROWS, _F8, _I8_OUT, types.int64, _F8_OUT, _I8_OUT),
    nogil=True,
    cache=True,
)
def steps(unit, begin, scale, first, risk, at, members, level, place):  # type: ignore[no-untyped-def]
    """Levels (negative, for sorting) at which members leave the options that they are at or come to; how many."""
    k = 0
    for where in range(len(at)):
        for q in range(at[where], first[where // members, unit[begin + where % members] + 1]):
            level[k] = -risk[q] * scale
            place[k] = where
            k += 1
    return k


@njit(types.void(types.int64, types.int64, types.int64, _F8, _I8, _I8_OUT, _STATE), nogil=True, cache=True)
def step(where, members, end, loss, count, at, state):  # type: ignore[no-untyped-def]
    """One member goes on to its next option under one shared choice."""
    total, values, impossible = state
    c = where // members
    q = at[where]
    at[where] = q + 1
    total[c] -= loss[q]
    values[c] -= count[q]
    if q + 1 == end:
        impossible[c] += 1
    else:
        total[c] += loss[q + 1]
        values[c] += count[q + 1]


@njit(
    types.boolean(types.int64, types.int64[::1], _I8_OUT, _U8_OUT, _I8_OUT, _U8, _I4_ROWS_OUT, types.int64),
    nogil=True,
    cache=True,
)
def take_steps(c, entries, place, now, at, newly, deltas, event):  # type: ignore[no-untyped-def]
    """As `take`, for members that made one of the steps `entries` under the shared choice `c`, which stays."""
    members = len(now)
    changed = False
    for entry in entries:
        if place[entry] // members != c:
            continue
        j = place[entry] % members
        new = newly[at[c * members + j]]
        if new != now[j]:
            note(deltas, event, now[j], new)
            now[j] = new
            changed = True
    return changed


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
    left = deltas.shape[1] - 1
    at = np.empty(shared * members, np.int64)
    for where in range(len(at)):
        at[where] = first[where // members, unit[begin + where % members]]
    state = np.zeros(shared), np.zeros(shared, np.int64), np.zeros(shared, np.int64)
    now = np.zeros(members, np.uint64)
    # First what the other limit alone asks for, then what the threshold adds once it reaches the household.
    for stage in range(2):
        if event == len(levels):
            return -1
        scaled = gate[g] / scale[g] if stage else math.inf
        room = skip(unit, begin, other[g], scaled, first, loss, count, risk, at, state)
        chosen = best_shared(*state, at, members, newly, keys)
        levels[event] = gate[g] if stage else math.inf
        changed = take(chosen, now, at, newly, deltas, event)
        if chosen < 0:
            deltas[event, left] += members
            return event + 1
        if changed:
            event += 1
    level = np.empty(room)
    place = np.empty(room, np.int64)
    steps(unit, begin, scale[g], first, risk, at, members, level, place)
    order = np.argsort(level, kind="mergesort")
    i = 0
    while i < room:
        if event == len(levels):
            return -1
        here = level[order[i]]
        begun = i
        while i < room and level[order[i]] == here:
            where = place[order[i]]
            step(where, members, first[where // members, unit[begin + where % members] + 1], loss, count, at, state)
            i += 1
        best = best_shared(*state, at, members, newly, keys)
        levels[event] = -here
        if best < 0:
            take(best, now, at, newly, deltas, event)
            deltas[event, left] += members
            return event + 1
        if best == chosen:
            changed = take_steps(best, order[begun:i], place, now, at, newly, deltas, event)
        else:
            changed = take(best, now, at, newly, deltas, event)
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
