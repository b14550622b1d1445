"""Runs of neighbouring categories: from which end on the records of a run are safe.

Entries are what one table counts of each unit (a category, numbered 0, 1, … in its order) and each set of other
codes, ordered by these sets and then by unit; set o has the entries first[o] to first[o + 1]. A count of f records
for F people is unsafe where ``1 <= f < len(least)`` and ``F < least[f]``.
"""

from __future__ import annotations

from numba import types

from .declare import kernel

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_F8 = types.Array(types.float64, 1, "C", readonly=True)
_U4_OUT = types.Array(types.uint32, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_VOID = types.void
_SIZE = types.int64


@kernel(_VOID(_I8, _U4, _I8, _F8, _F8, _SIZE, _SIZE, _U4_OUT))
def safe_from(first, unit, f, population, least, start, never, ends):  # type: ignore[no-untyped-def]
    """ends[o]: the first unit u for which set o, counted over the units `start` to u, is safe; `never` for none."""
    for o in range(len(ends)):
        total = 0
        people = 0.0
        ends[o] = never
        for i in range(first[o], first[o + 1]):
            if unit[i] < start:
                continue
            total += f[i]
            people += population[i]
            if total >= len(least) or people >= least[total]:
                ends[o] = unit[i]
                break


@kernel(_VOID(_U4, _U4, _SIZE, _U4_OUT))
def latest(set_of_cell, ends, none, latest_end):  # type: ignore[no-untyped-def]
    """latest_end = max(latest_end, ends[set_of_cell]); a cell whose set is `none` is left alone."""
    for i in range(len(set_of_cell)):
        if set_of_cell[i] != none and ends[set_of_cell[i]] > latest_end[i]:
            latest_end[i] = ends[set_of_cell[i]]


@kernel(_VOID(_U4, _U4, _I8, _I8_OUT))
def count_runs(unit, latest_end, records, change):  # type: ignore[no-untyped-def]
    """Add to change[u] by how many unsafe records the run that ends at u differs from the one that ends before."""
    for i in range(len(unit)):
        if latest_end[i] > unit[i]:
            change[unit[i]] += records[i]
            change[latest_end[i]] -= records[i]
