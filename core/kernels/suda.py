"""Minimal sample uniques: groups of rows split by one more variable, and which sets of variables are minimal."""

from __future__ import annotations

from numba import types

from .declare import kernel

_U1 = types.Array(types.uint8, 1, "C", readonly=True)
_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_U4_OUT = types.Array(types.uint32, 1, "C")
_I4_OUT = types.Array(types.int32, 1, "C")
_U8_OUT = types.Array(types.uint64, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_FOUND = types.UniTuple(types.int64, 3)  # type: ignore[no-untyped-call]


@kernel(_FOUND(_U4, _I8, _U4, types.uint32, _U1, types.boolean, _I8_OUT, _I8_OUT, _U4_OUT, _U4_OUT, _I8_OUT, _U4_OUT))
def split(  # type: ignore[no-untyped-def]
    rows, starts, codes, card, records, last, tally, place, codes_met, kept, kept_starts, unique
):  # fmt: skip
    """Split groups of rows that agree on some variables by the codes of one more.

    A row alone with its code is unique. The others go on in smaller groups, where one of these still has a row that
    could become unique; a group that does not fall apart does not go on, as the variable adds nothing there.

    Parameters
    ----------
    rows, starts : group g has ``rows[starts[g]:starts[g + 1]]``
    codes, card : (m,) of the variable; a row with the card is missing, and is no part of what it would be unique by
    records : (m,) 1: a row of one record that is searched for; 2: any other row, which is never unique
    last : whether only unique rows are wanted
    tally, place : (card,) zeros, left as zeros
    codes_met : (card,) scratch
    kept, kept_starts, unique : filled from the beginning; ``kept_starts`` from its second place on

    Returns
    -------
    numbers of rows and groups that go on, and of unique rows
    """
    n_kept, n_groups, n_unique = 0, 0, 0
    for g in range(len(starts) - 1):
        begin, end = starts[g], starts[g + 1]
        met = 0
        for i in range(begin, end):
            code = codes[rows[i]]
            if code == card:
                continue
            if tally[code] == 0:
                codes_met[met] = code
                met += 1
            tally[code] += records[rows[i]]
            place[code] += 1
        whole = met == 1 and place[codes_met[0]] == end - begin
        for c in range(met):
            code = codes_met[c]
            if tally[code] == 1:
                place[code] = -1
            elif whole or last or tally[code] == 2 * place[code]:  # no row that could become unique
                place[code] = -2
            else:
                size = place[code]
                place[code] = n_kept
                n_kept += size
                n_groups += 1
                kept_starts[n_groups] = n_kept
        for i in range(begin, end):
            code = codes[rows[i]]
            if code == card or place[code] == -2:
                continue
            if place[code] == -1:
                unique[n_unique] = rows[i]
                n_unique += 1
            else:
                kept[place[code]] = rows[i]
                place[code] += 1
        for c in range(met):
            tally[codes_met[c]] = 0
            place[codes_met[c]] = 0
    return n_kept, n_groups, n_unique


@kernel(types.int64(_U4, types.uint64, _I4_OUT, _U8_OUT, _I4_OUT, types.int64, types.boolean, _U4_OUT))
def keep_minimal(unique, mask, head, masks, before, used, remember, minimal):  # type: ignore[no-untyped-def]
    """Of the rows unique on the variables of `mask`, those that are unique on none of its subsets found before.

    Parameters
    ----------
    head, masks, before, used : the sets found of each row as a chain, -1 at its end: ``masks[head[row]]``, then
        ``before`` that; `used` places are taken
    remember : whether this set is put on the chain of the rows that it is minimal of
    minimal : filled from the beginning

    Returns
    -------
    number of rows that it is minimal of
    """
    found = 0
    for i in range(len(unique)):
        row = unique[i]
        at = head[row]
        while at >= 0 and masks[at] & mask != masks[at]:
            at = before[at]
        if at >= 0:
            continue
        minimal[found] = row
        found += 1
        if remember:
            masks[used], before[used] = mask, head[row]
            head[row] = used
            used += 1
    return found
