"""Records of households: gathered by counting sort, risks combined over members, values compared within."""

from __future__ import annotations

import math

import numpy as np
from numba import types

from .declare import kernel

_U1 = types.Array(types.uint8, 1, "C", readonly=True)
_U2 = types.Array(types.uint16, 1, "C", readonly=True)
_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_F8 = types.Array(types.float64, 1, "C", readonly=True)
_U4_OUT = types.Array(types.uint32, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_F8_OUT = types.Array(types.float64, 1, "C")
_B1_OUT = types.Array(types.boolean, 1, "C")
_VOID = types.void


@kernel([_VOID(values, _U4, types.int64, _U4_OUT) for values in (_U1, _U2, _U4)])
def number(values, number_of_code, own, out):  # type: ignore[no-untyped-def]
    """out = number of each record's code; where it has none (2^32 - 1), a number of the record's own, from `own` on."""
    none = np.uint32(0xFFFFFFFF)
    for i in range(len(values)):
        found = number_of_code[values[i]]
        if found == none:
            found = np.uint32(own)
            own += 1
        out[i] = found


@kernel(_VOID(_U4, types.int64, _I8_OUT, _I8_OUT))
def count_runs(ids, last, sizes, runs):  # type: ignore[no-untyped-def]
    """sizes[id] += 1 for every row, runs[id] += 1 where the row before (`last` before the first) has another id."""
    before = last
    for i in range(len(ids)):
        found = np.int64(ids[i])
        sizes[found] += 1
        if found != before:
            runs[found] += 1
        before = found


@kernel(_VOID(_U4, types.int64, _I8_OUT, _U4_OUT))
def gather(ids, start, places, members):  # type: ignore[no-untyped-def]
    """Counting sort: each row, from `start` on, to the next place of its id; places move on."""
    for i in range(len(ids)):
        place = places[ids[i]]
        members[place] = start + i
        places[ids[i]] = place + 1


@kernel(_VOID(_I8, _U4, _U4, _F8, _F8_OUT))
def combine(starts, members, cell, logs, risk):  # type: ignore[no-untyped-def]
    """risk = 1 - product of (1 - r) over the members of each household, by logs = log(1 - r) of the cells.

    `starts` has one more entry than there are households in the block. The sum is compensated (Neumaier 1974), so
    that households of millions keep their digits.
    """
    for g in range(len(risk)):
        total = 0.0
        lost = 0.0
        for place in range(starts[g], starts[g + 1]):
            log = logs[cell[members[place]]]
            # All are <= 0, so the one farther from zero is the lesser.
            before = total
            total = before + log
            if log < before:
                lost += (log - total) + before
            else:
                lost += (before - total) + log
        risk[g] = -math.expm1(total + lost) if total > -math.inf else -math.expm1(total)


@kernel(_VOID(_U4, _U4, _F8, _F8, _F8, _F8_OUT))
def lowest_safe(household, cell, risk, household_risk, size, out):  # type: ignore[no-untyped-def]
    """out = min(household risk, size times own risk): a record is unsafe up to this household threshold."""
    for i in range(len(household)):
        g = household[i]
        own = size[g] * risk[cell[i]]
        whole = household_risk[g]
        out[i] = math.nan if math.isnan(whole) else min(whole, own)


@kernel([_VOID(_I8, _U4, values, types.int64, _B1_OUT, _I8_OUT) for values in (_U1, _U2, _U4)])
def vary(starts, members, values, valid, differs, compared):  # type: ignore[no-untyped-def]
    """Whether members of each household have different values (codes below `valid`); how many could be compared.

    ``compared[0]`` grows by the households in which two members or more have a value.
    """
    for g in range(len(differs)):
        first = np.int64(-1)
        with_value = 0
        differs[g] = False
        for place in range(starts[g], starts[g + 1]):
            value = np.int64(values[members[place]])
            if value >= valid:
                continue
            with_value += 1
            if first < 0:
                first = value
            elif value != first:
                differs[g] = True
        if with_value > 1:
            compared[0] += 1


@kernel(_VOID(_U4, _U4, _I8_OUT))
def number_in_order(order, household, state):  # type: ignore[no-untyped-def]
    """First appearance: state[household] = 1, 2, ... as the records come; state[-1] holds the last number given."""
    last = state[len(state) - 1]
    for i in range(len(order)):
        g = household[order[i]]
        if state[g] == 0:
            last += 1
            state[g] = last
    state[len(state) - 1] = last
