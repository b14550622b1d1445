"""Joint choices of households that several tables judge: each member's options have one risk in each table."""

from __future__ import annotations

import math

import numpy as np
from numba import types

from core.kernels.declare import kernel, part
from core.kernels.joint import EQUAL_LOSS, MOST_MEMBERS, MOST_STATES, rank_of, retrace, take_over
from core.kernels.order import stable_order

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_F8 = types.Array(types.float64, 1, "C", readonly=True)
_F82 = types.Array(types.float64, 2, "C", readonly=True)
_F83 = types.Array(types.float64, 3, "C", readonly=True)
_B1 = types.Array(types.boolean, 1, "C", readonly=True)
_U8_OUT = types.Array(types.uint64, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_F8_OUT = types.Array(types.float64, 1, "C")
_B1_OUT = types.Array(types.boolean, 1, "C")
_B12_OUT = types.Array(types.boolean, 2, "C")

_STATES = types.Tuple((types.float64[::1], types.int64[::1], types.float64[:, ::1]))  # type: ignore[no-untyped-call]
_EXTENDED = types.Tuple((types.int64, _STATES))  # type: ignore[no-untyped-call]
_PAIR = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]
WORK = 1 << 17
"""Labels that one more member may make before dominated ones are dropped."""
_COMPARISONS = 1 << 23
"""Comparisons of labels that one more member may take."""


@kernel(types.void(_F83, _B12_OUT))
def undominated(risk, keep):  # type: ignore[no-untyped-def]
    """Unmark, for each unit, the masks that are nowhere safer than an earlier one; risk (tables, masks, units)."""
    tables, masks, units = risk.shape
    kept = np.empty(masks, np.int64)
    for u in range(units):
        found = 0
        for m in range(masks):
            if not keep[m, u]:
                continue
            for i in range(found - 1, -1, -1):
                safer = False
                for k in range(tables):
                    safer = safer or risk[k, m, u] < risk[k, kept[i], u]
                if not safer:
                    keep[m, u] = False
                    break
            if keep[m, u]:
                kept[found] = m
                found += 1


@part(types.boolean(_F8, _F82, types.int64, _F8, _F8))
def fits(sums, log, option, rest, limit):  # type: ignore[no-untyped-def]
    """Whether sums, an option and the least of the rest stay below every limit; inf: none."""
    for k in range(len(limit)):
        if limit[k] < math.inf and not sums[k] + log[k, option] + rest[k] < limit[k]:
            return False
    return True


@part(types.int64(types.float64[::1], types.float64[:, ::1], types.int64))
def dominating(sums, kept_log, kept):  # type: ignore[no-untyped-def]
    """The last of the labels kept that is as safe in every table; -1: none. The latest are the safest."""
    for other in range(kept - 1, -1, -1):
        safer = False
        for k in range(len(sums)):
            safer = safer or sums[k] < kept_log[other, k]
        if not safer:
            return other
    return -1


@part(
    _EXTENDED(
        _STATES, types.int64, types.int64, _U4, _F82, _F8, _I8, types.float64, _F8, _F8, types.int32[::1],
        types.int64[::1], _I8_OUT, _I8_OUT,
    )
)  # fmt: skip
def extend(states, begin, end, mask, log, loss, count, room, rest, limit, back, choice, keys, origin):  # type: ignore[no-untyped-def]
    """The labels (loss, count, log in each table) after one more member with the options `begin`..`end`.

    Parameters
    ----------
    room : a label's loss may be up to it; rest, limit : as `fits` takes them
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
            if state_loss[s] + loss[m] > room:
                break
            if fits(state_log[s], log, option, rest, limit):
                if found == len(keys):
                    return np.int64(-1), states
                keys[found] = rank_of(state_loss[s] + loss[m], state_count[s] + count[m])
                origin[found] = s * options + option - begin
                found += 1
    order = np.empty(found, np.int64)
    stable_order(keys[:found], order, np.empty(found, np.int64))
    tables = len(limit)
    size = min(found, MOST_STATES)
    next_loss, next_count, next_log = np.empty(size), np.empty(size, np.int64), np.empty((size, tables))
    sums = np.empty(tables)
    kept = comparisons = 0
    for i in order:
        s = origin[i] // options
        option = begin + origin[i] % options
        for k in range(tables):
            sums[k] = state_log[s, k] + log[k, option] if limit[k] < math.inf else 0.0
        other = dominating(sums, next_log, kept)
        comparisons += kept - other
        if other >= 0:
            continue
        if kept == MOST_STATES or comparisons > _COMPARISONS:
            return np.int64(-1), states
        next_loss[kept] = state_loss[s] + loss[mask[option]]
        next_count[kept] = state_count[s] + count[mask[option]]
        for k in range(tables):
            next_log[kept, k] = sums[k]
        back[kept] = s
        choice[kept] = option
        kept += 1
    return np.int64(kept), (next_loss[:kept], next_count[:kept], next_log[:kept])


@part(_PAIR(_STATES, types.int64, types.int64, _U4, _F82, _F8, _I8, _F8))
def complete(states, begin, end, mask, log, loss, count, limit):  # type: ignore[no-untyped-def]
    """The label and the option of the last member that are cheapest below every limit; (-1, -1): none."""
    state_loss, state_count, state_log = states
    nobody = np.zeros(len(limit))
    least = np.int64(0)
    found_label = found_option = np.int64(-1)
    for label in range(len(state_loss)):
        for option in range(begin, end):
            key = rank_of(state_loss[label] + loss[mask[option]], state_count[label] + count[mask[option]])
            if found_label >= 0 and key >= least:
                break
            if fits(state_log[label], log, option, nobody, limit):
                least, found_label, found_option = key, np.int64(label), np.int64(option)
                break
    return found_label, found_option


@part(
    types.int64(
        _I8, _U4, types.int64, types.int64, _I8, _U4, _F82, _F8, _I8, _F8, types.float64, types.int64[::1],
        types.int32[:, ::1], types.int64[:, ::1], _I8_OUT, _I8_OUT,
    )
)  # fmt: skip
def knapsack(  # type: ignore[no-untyped-def]
    starts, unit, g, members, first, mask, log, loss, count, limit, bound, picked, back, choice, keys, origin
):
    """As `core.kernels.joint.knapsack` with the sum of logs (tables, options) below `limit` in every table.

    An option may be safer than a cheaper one in one table only, and so may a label.
    """
    begin = starts[g]
    tables = len(limit)
    rest_log = np.zeros((members + 1, tables))
    rest_loss = np.zeros(members + 1)
    for j in range(members - 1, -1, -1):
        u = unit[begin + j]
        if first[u] == first[u + 1]:
            return 0
        rest_loss[j] = rest_loss[j + 1] + loss[mask[first[u]]]
        for k in range(tables):
            safest = math.inf
            for option in range(first[u], first[u + 1]):
                safest = min(safest, log[k, option])
            rest_log[j, k] = rest_log[j + 1, k] + safest
    if rest_loss[0] > bound + EQUAL_LOSS:
        return 0
    states = np.zeros(1), np.zeros(1, np.int64), np.zeros((1, tables))
    for j in range(members - 1):
        u = unit[begin + j]
        room = bound - rest_loss[j + 1] + EQUAL_LOSS
        kept, states = extend(
            states, first[u], first[u + 1], mask, log, loss, count, room, rest_log[j + 1], limit, back[j], choice[j],
            keys, origin,
        )  # fmt: skip
        if kept <= 0:
            return kept
    u = unit[begin + members - 1]
    s, picked[members - 1] = complete(states, first[u], first[u + 1], mask, log, loss, count, limit)
    if s < 0:
        return 0
    retrace(s, members - 1, back, choice, picked)
    return 1


@part(types.boolean(_I8, _U4, types.int64, _I8, _F82, _F8, _I8_OUT))
def concede(starts, unit, g, first, log, limit, picked):  # type: ignore[no-untyped-def]
    """From the safest option of each member of household `g`, member by member, to the cheapest that the others allow.

    Returns
    -------
    whether the household is below every limit; `picked` holds the options
    """
    tables = len(limit)
    begin, members = starts[g], starts[g + 1] - starts[g]
    sums, rest, nobody = np.zeros(tables), np.zeros(tables), np.zeros(tables)
    for j in range(members):
        u = unit[begin + j]
        if first[u] == first[u + 1]:
            return False
        picked[j] = first[u + 1] - 1
        for k in range(tables):
            sums[k] += log[k, picked[j]]
    for k in range(tables):
        if limit[k] < math.inf and not sums[k] < limit[k]:
            return False
    for j in range(members):
        u = unit[begin + j]
        for k in range(tables):
            rest[k] = sums[k] - log[k, picked[j]] if limit[k] < math.inf else 0.0
        for option in range(first[u], picked[j]):
            if fits(rest, log, option, nobody, limit):
                picked[j] = option
                break
        for k in range(tables):
            sums[k] = rest[k] + log[k, picked[j]]
    total = np.zeros(tables)
    for j in range(members):
        for k in range(tables):
            total[k] += log[k, picked[j]]
    for k in range(tables):
        if limit[k] < math.inf and not total[k] < limit[k]:  # by rounding
            for j in range(members):
                picked[j] = first[unit[begin + j] + 1] - 1
            return True
    return True


@kernel(
    types.void(
        _I8, _U4, _I8, _U4, _F82, _F8, _I8, _U8, types.uint64, _F82, _B1, _F8_OUT, _I8_OUT, _U8_OUT, _U8_OUT, _B1_OUT
    )
)
def choose_together(  # type: ignore[no-untyped-def]
    starts, unit, first, mask, log, loss, count, newly, keys, limit, eligible, best_loss, best_count, best_union, out,
    gave_up,
):  # fmt: skip
    """As `core.kernels.joint.choose_exactly`, with logs (tables, options) and limits (b, tables), inf where none."""
    picked = np.empty(MOST_MEMBERS, np.int64)
    back = np.empty((MOST_MEMBERS, MOST_STATES), np.int32)
    choice = np.empty((MOST_MEMBERS, MOST_STATES), np.int64)
    ranks, origin = np.empty(WORK, np.int64), np.empty(WORK, np.int64)
    for g in range(len(starts) - 1):
        if not eligible[g]:
            continue
        members = starts[g + 1] - starts[g]
        # Any good choice is a bound that keeps labels few.
        if concede(starts, unit, g, first, log, limit[g], picked):
            take_over(starts, g, picked, mask, loss, count, newly, keys, best_loss, best_count, best_union, out)
        if gave_up[g]:
            continue
        found = knapsack(
            starts, unit, g, members, first, mask, log, loss, count, limit[g], best_loss[g], picked,
            back, choice, ranks, origin,
        )  # fmt: skip
        if found < 0:
            gave_up[g] = True
        if found > 0:
            take_over(starts, g, picked, mask, loss, count, newly, keys, best_loss, best_count, best_union, out)


@kernel(
    types.void(_I8, _U4, _I8, _U4, _F82, _F8, _I8, _U8, types.uint64, _F82, _B1, _F8_OUT, _I8_OUT, _U8_OUT, _U8_OUT)
)
def choose_somehow(  # type: ignore[no-untyped-def]
    starts, unit, first, mask, log, loss, count, newly, keys, limit, eligible, best_loss, best_count, best_union, out
):
    """As `choose_together`, of any number of members and without proof: by `concede`."""
    for g in range(len(starts) - 1):
        if not eligible[g]:
            continue
        picked = np.empty(starts[g + 1] - starts[g], np.int64)
        if concede(starts, unit, g, first, log, limit[g], picked):
            take_over(starts, g, picked, mask, loss, count, newly, keys, best_loss, best_count, best_union, out)
