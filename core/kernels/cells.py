"""Sums over groups of rows, in exact integers, one block of rows at a time."""

from __future__ import annotations

from numba import njit, types

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_I8_OUT = types.Array(types.int64, 1, "C")
_VOID = types.void


@njit(_VOID(_U4, _I8_OUT), nogil=True, cache=True)
def count_ids(ids, counts):  # type: ignore[no-untyped-def]
    """counts[id] += 1."""
    for i in range(len(ids)):
        counts[ids[i]] += 1


@njit(_VOID(_U4, _I8, _I8_OUT), nogil=True, cache=True)
def add_by_id(ids, values, sums):  # type: ignore[no-untyped-def]
    """sums[id] += value."""
    for i in range(len(ids)):
        sums[ids[i]] += values[i]


@njit(_VOID(_U4, _U4, _U4, _I8, _I8_OUT), nogil=True, cache=True)
def spread(groups, member, onto, values, sums):  # type: ignore[no-untyped-def]
    """sums[onto[member[g]]] += values[g] for the given groups g: carry a margin's values to a smaller margin."""
    for i in range(len(groups)):
        sums[onto[member[groups[i]]]] += values[groups[i]]


@njit(_VOID(_U4, _U4, _U4, _I8, _I8_OUT), nogil=True, cache=True)
def collect(groups, member, onto, sums, values):  # type: ignore[no-untyped-def]
    """values[i] += sums[onto[member[groups[i]]]]: look up what a smaller margin holds for each group."""
    for i in range(len(groups)):
        values[i] += sums[onto[member[groups[i]]]]
