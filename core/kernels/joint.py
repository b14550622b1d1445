"""Joint choices of a household: members choose apart, what they share is chosen once; the better choice stays."""

from __future__ import annotations

import math

import numpy as np
from numba import types

from core.kernels.declare import kernel, part
from core.kernels.order import stable_order

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_F8 = types.Array(types.float64, 1, "C", readonly=True)
_B1 = types.Array(types.boolean, 1, "C", readonly=True)
_U8_OUT = types.Array(types.uint64, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_F8_OUT = types.Array(types.float64, 1, "C")
_B1_OUT = types.Array(types.boolean, 1, "C")

_STATES = types.Tuple((types.float64[::1], types.int64[::1], types.float64[::1]))  # type: ignore[no-untyped-call]
_EXTENDED = types.Tuple((types.int64, _STATES))  # type: ignore[no-untyped-call]
_ROOM = types.UniTuple(types.float64, 2)  # type: ignore[no-untyped-call]

EQUAL_LOSS = 1e-9
MOST_MEMBERS = 12
MOST_STATES = 4096
WORK = 1 << 18
"""Labels that one more member may make before dominated ones are dropped."""
_QUANTUM = float(1 << 34)
_VALUES = 1024


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


@part(types.int64(types.float64, types.int64))
def rank_of(loss, count):  # type: ignore[no-untyped-def]
    """One integer by which to sort: loss in steps of 2^-34, then count."""
    return np.int64(round(loss * _QUANTUM)) * _VALUES + count


@part(
    _EXTENDED(
        _STATES, types.int64, types.int64, _U4, _F8, _F8, _I8, _ROOM, types.int32[::1], types.int64[::1], _I8_OUT,
        _I8_OUT,
    )
)  # fmt: skip
def extend(states, begin, end, mask, log, loss, count, room, back, choice, keys, origin):  # type: ignore[no-untyped-def]
    """The labels (loss, count, log) after one more member with the options `begin`..`end`, ascending and falling.

    Parameters
    ----------
    room : a label's loss may be up to the first, its log must be below the second number
    back, choice : filled with the label that each new one comes from, and the option taken
    keys, origin : room to work in

    Returns
    -------
    number of labels, 0 where there is none, -1 where they are too many; the labels
    """
    state_loss, state_count, state_log = states
    options = end - begin
    found = 0
    for s in range(len(state_loss)):
        for option in range(begin, end):
            m = mask[option]
            if state_loss[s] + loss[m] > room[0]:
                break
            if state_log[s] + log[option] < room[1]:
                if found == len(keys):
                    return np.int64(-1), states
                keys[found] = rank_of(state_loss[s] + loss[m], state_count[s] + count[m])
                origin[found] = s * options + option - begin
                found += 1
    order = np.empty(found, np.int64)
    if len(state_loss) == 1:  # options come in this order
        for k in range(found):
            order[k] = k
    else:
        stable_order(keys[:found], order, np.empty(found, np.int64))
    size = min(found, MOST_STATES)
    next_loss, next_count, next_log = np.empty(size), np.empty(size, np.int64), np.empty(size)
    kept = 0
    lowest = math.inf
    for i in order:
        s = origin[i] // options
        option = begin + origin[i] % options
        total = state_log[s] + log[option]
        if total < lowest:
            if kept == MOST_STATES:
                return np.int64(-1), states
            lowest = total
            next_loss[kept] = state_loss[s] + loss[mask[option]]
            next_count[kept] = state_count[s] + count[mask[option]]
            next_log[kept] = total
            back[kept] = s
            choice[kept] = option
            kept += 1
    return np.int64(kept), (next_loss[:kept], next_count[:kept], next_log[:kept])


@part(
    types.UniTuple(types.int64, 2)(_STATES, types.int64, types.int64, _U4, _F8, _F8, _I8, types.float64),  # type: ignore[no-untyped-call]
)
def complete(states, begin, end, mask, log, loss, count, limit):  # type: ignore[no-untyped-def]
    """The label and the option of the last member that are cheapest with a sum of logs below `limit`; (-1, -1): none.

    Labels grow safer, so that what they leave for the last member only grows: one pass over both lists.
    """
    state_loss, state_count, state_log = states
    least = np.int64(0)
    found_label = found_option = np.int64(-1)
    option = end
    for label in range(len(state_loss)):
        while option > begin and state_log[label] + log[option - 1] < limit:
            option -= 1
        if option == end:
            continue
        key = rank_of(state_loss[label] + loss[mask[option]], state_count[label] + count[mask[option]])
        if found_label < 0 or key < least:
            least, found_label, found_option = key, np.int64(label), np.int64(option)
    return found_label, found_option


@part(types.void(types.int64, types.int64, types.int32[:, ::1], types.int64[:, ::1], types.int64[::1]))
def retrace(label, members, back, choice, picked):  # type: ignore[no-untyped-def]
    """Fill `picked` with the options by which the first members came to `label`."""
    for j in range(members - 1, -1, -1):
        picked[j] = choice[j, label]
        label = np.int64(back[j, label])


@part(
    types.int64(
        _I8, _U4, types.int64, types.int64, _I8, _U4, _F8, _F8, _I8, types.float64, types.float64, types.int64[::1],
        types.int32[:, ::1], types.int64[:, ::1], _I8_OUT, _I8_OUT,
    )
)  # fmt: skip
def knapsack(  # type: ignore[no-untyped-def]
    starts, unit, g, members, first, mask, log, loss, count, limit, bound, picked, back, choice, keys, origin
):
    """The cheapest option of each member of household `g` with the sum of logs below `limit`.

    Labels (loss, count, log) member by member; one that is not cheaper and not safer than another is dropped.

    Parameters
    ----------
    first : options of unit u are first[u]..first[u + 1], ascending by (loss, count) and falling by log
    mask : of each option, index into `loss` and `count`
    bound : a loss above which no solution is of interest
    picked : (members,) filled with the options
    back, choice : (MOST_MEMBERS, MOST_STATES); keys, origin : (WORK,) room to work in

    Returns
    -------
    1 found, 0 there is none within the bound, -1 too many labels
    """
    begin = starts[g]
    rest_log = np.zeros(members + 1)
    rest_loss = np.zeros(members + 1)
    for j in range(members - 1, -1, -1):
        u = unit[begin + j]
        if first[u] == first[u + 1]:
            return 0
        rest_log[j] = rest_log[j + 1] + log[first[u + 1] - 1]
        rest_loss[j] = rest_loss[j + 1] + loss[mask[first[u]]]
    if not rest_log[0] < limit or rest_loss[0] > bound + EQUAL_LOSS:
        return 0
    cheapest = 0.0
    for j in range(members):
        picked[j] = first[unit[begin + j]]
        cheapest += log[picked[j]]
    if cheapest < limit:
        return 1
    states = np.zeros(1), np.zeros(1, np.int64), np.zeros(1)
    for j in range(members - 1):
        u = unit[begin + j]
        room = bound - rest_loss[j + 1] + EQUAL_LOSS, limit - rest_log[j + 1]
        kept, states = extend(
            states, first[u], first[u + 1], mask, log, loss, count, room, back[j], choice[j], keys, origin
        )
        if kept <= 0:
            return kept
    u = unit[begin + members - 1]
    s, picked[members - 1] = complete(states, first[u], first[u + 1], mask, log, loss, count, limit)
    if s < 0:
        return 0
    retrace(s, members - 1, back, choice, picked)
    return 1


@part(
    types.void(_I8, types.int64, types.int64[::1], _U4, _F8, _I8, _U8, types.uint64, _F8_OUT, _I8_OUT, _U8_OUT, _U8_OUT)
)
def take_over(starts, g, picked, mask, loss, count, newly, keys, best_loss, best_count, best_union, out):  # type: ignore[no-untyped-def]
    """Make the picked options the choice of household `g` if they are better."""
    total = 0.0
    values = np.int64(0)
    union = np.uint64(0)
    members = starts[g + 1] - starts[g]
    for j in range(members):
        m = mask[picked[j]]
        total += loss[m]
        values += count[m]
        union |= newly[m] & keys
    if better(total, values, union, best_loss[g], best_count[g], best_union[g]):
        best_loss[g] = total
        best_count[g] = values
        best_union[g] = union
        for j in range(members):
            out[starts[g] + j] = newly[mask[picked[j]]]


@kernel(
    types.void(
        _I8, _U4, _I8, _U4, _F8, _F8, _I8, _U8, types.uint64, types.float64, _B1, _F8_OUT, _I8_OUT, _U8_OUT, _U8_OUT,
        _B1_OUT,
    )
)  # fmt: skip
def choose_exactly(  # type: ignore[no-untyped-def]
    starts, unit, first, mask, log, loss, count, newly, keys, limit, eligible, best_loss, best_count, best_union, out,
    gave_up,
):  # fmt: skip
    """As `choose`, but each member has several options, and together they must keep the sum of logs below `limit`.

    Parameters
    ----------
    first, mask, log, loss, count : as `knapsack` takes them; newly : by mask, the bits
    eligible : (b,) households to do, of `MOST_MEMBERS` members at most
    gave_up : (b,) set where there were too many labels
    """
    picked = np.empty(MOST_MEMBERS, np.int64)
    back = np.empty((MOST_MEMBERS, MOST_STATES), np.int32)
    choice = np.empty((MOST_MEMBERS, MOST_STATES), np.int64)
    ranks, origin = np.empty(WORK, np.int64), np.empty(WORK, np.int64)
    for g in range(len(starts) - 1):
        members = starts[g + 1] - starts[g]
        if not eligible[g] or gave_up[g]:
            continue
        found = knapsack(
            starts, unit, g, members, first, mask, log, loss, count, limit, best_loss[g], picked, back, choice, ranks,
            origin,
        )  # fmt: skip
        if found < 0:
            gave_up[g] = True
        if found > 0:
            take_over(starts, g, picked, mask, loss, count, newly, keys, best_loss, best_count, best_union, out)
