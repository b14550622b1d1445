"""Sums over groups of rows, in exact integers, one block of rows at a time."""

from __future__ import annotations

import numpy as np
from numba import types

from .declare import kernel

_U1 = types.Array(types.uint8, 1, "C", readonly=True)
_U2 = types.Array(types.uint16, 1, "C", readonly=True)
_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_I8_OUT = types.Array(types.int64, 1, "C")
_U8_OUT = types.Array(types.uint64, 1, "C")
_I8_ROWS = types.Array(types.int64, 2, "C")
_U4_OUT = types.Array(types.uint32, 1, "C")
_FLAGS_OUT = types.Array(types.boolean, 1, "C")
_VOID = types.void


@kernel(_VOID(_U4, _I8_OUT))
def count_ids(ids, counts):  # type: ignore[no-untyped-def]
    """counts[id] += 1."""
    for i in range(len(ids)):
        counts[ids[i]] += 1


@kernel(_VOID(_U1, _I8_ROWS))
def count_bytes(codes, counts):  # type: ignore[no-untyped-def]
    """Add to the sum of the four rows of `counts` how often each code is met; it has a column for each."""
    whole = len(codes) - len(codes) % 4
    for i in range(0, whole, 4):
        counts[0, codes[i]] += 1  # in four rows, because equal neighbours would wait for each other
        counts[1, codes[i + 1]] += 1
        counts[2, codes[i + 2]] += 1
        counts[3, codes[i + 3]] += 1
    for i in range(whole, len(codes)):
        counts[0, codes[i]] += 1


@kernel(_VOID(_U4, _I8, _I8_OUT))
def add_by_id(ids, values, sums):  # type: ignore[no-untyped-def]
    """sums[id] += value."""
    for i in range(len(ids)):
        sums[ids[i]] += values[i]


@kernel(_VOID(_U4, _U4, _U4, _I8, _I8_OUT))
def spread(groups, member, onto, values, sums):  # type: ignore[no-untyped-def]
    """sums[onto[member[g]]] += values[g] for the given groups g: carry a margin's values to a smaller margin."""
    for i in range(len(groups)):
        sums[onto[member[groups[i]]]] += values[groups[i]]


@kernel(_VOID(_U4, _U4, _U4, _I8, _I8_OUT))
def collect(groups, member, onto, sums, values):  # type: ignore[no-untyped-def]
    """values[i] += sums[onto[member[groups[i]]]]: look up what a smaller margin holds for each group."""
    for i in range(len(groups)):
        values[i] += sums[onto[member[groups[i]]]]


@kernel([_VOID(codes, types.uint32, types.uint64, _U8_OUT) for codes in (_U1, _U2, _U4)])
def mark_missing(codes, card, bit, bits):  # type: ignore[no-untyped-def]
    """bits |= bit where the code is missing, that is the card."""
    for i in range(len(codes)):
        bits[i] |= bit if codes[i] == card else np.uint64(0)


@kernel(types.int64(_I8, _U8, _U4, types.int64, _FLAGS_OUT, _U4_OUT, types.int64))
def find_rare(count, missing, member, threshold, rare, members, found):  # type: ignore[no-untyped-def]
    """Find groups that lack no value and have no more records than the threshold.

    Parameters
    ----------
    rare : set to whether each group is one
    members : their members are put behind the first `found`, and how many there are now is returned; it has room for
        all groups
    """
    for i in range(len(count)):
        rare[i] = (count[i] <= threshold) & (missing[i] == 0)
        members[found] = member[i]  # stays only where the group is one: no branch that nobody can foretell
        found += rare[i]
    return found


@kernel([_VOID(_U4, codes, _I8_ROWS) for codes in (_U1, _U2, _U4)])
def count_codes(members, codes, counts):  # type: ignore[no-untyped-def]
    """Add to the sum of the two rows of `counts` how often each code is met."""
    for i in range(1, len(members), 2):
        counts[0, codes[members[i - 1]]] += 1  # in two rows, because equal neighbours would wait for each other
        counts[1, codes[members[i]]] += 1
    if len(members) % 2:
        counts[0, codes[members[len(members) - 1]]] += 1
