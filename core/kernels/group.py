"""Rows to group numbers: fold code columns into one number a row, rank the numbers densely or by radix sort.

Every kernel works on one block of rows; state that outlives a block is passed in. A group's number is the rank of
its key, so that neither the order of rows nor the way taken (dense or sorted) changes it.
"""

from __future__ import annotations

import numpy as np
from numba import types

from .declare import kernel, part

_U1 = types.Array(types.uint8, 1, "C", readonly=True)
_U2 = types.Array(types.uint16, 1, "C", readonly=True)
_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_U1_OUT = types.Array(types.uint8, 1, "C")
_U2_OUT = types.Array(types.uint16, 1, "C")
_U4_OUT = types.Array(types.uint32, 1, "C")
_U8_OUT = types.Array(types.uint64, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_VOID = types.void
_SIZE = types.uint64

_FOLD = [_VOID(values, _SIZE, keys) for values in (_U1, _U2, _U4) for keys in (_U4_OUT, _U8_OUT)]
_FOLD_ROWS = [_VOID(values, _U4, _SIZE, keys) for values in (_U1, _U2, _U4) for keys in (_U4_OUT, _U8_OUT)]


@kernel(_FOLD)
def fold(values, cap, keys):  # type: ignore[no-untyped-def]
    """keys = keys * (cap + 1) + min(values, cap), in place: missing codes (index >= cap) are one value."""
    radix = cap + np.uint64(1)
    for i in range(len(values)):
        keys[i] = keys[i] * radix + min(np.uint64(values[i]), cap)


@kernel(_FOLD_ROWS)
def fold_rows(values, rows, cap, keys):  # type: ignore[no-untyped-def]
    """As `fold`, with the values of the given rows."""
    radix = cap + np.uint64(1)
    for i in range(len(rows)):
        keys[i] = keys[i] * radix + np.uint64(values[rows[i]])


@part(types.uint64(types.uint64))
def _ones(word):  # type: ignore[no-untyped-def]
    """How many bits of a word are set; so written that the compiler knows it for the processor's instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel(_VOID(_U4, _U8_OUT))
def mark(keys, words):  # type: ignore[no-untyped-def]
    """Set the bit of every key met, 64 of them in a word."""
    for i in range(len(keys)):
        key = np.uint64(keys[i])
        words[key >> np.uint64(6)] |= np.uint64(1) << (key & np.uint64(63))


@kernel(types.int64(_U8, types.int64, _U4_OUT))
def rank_marked(words, rank, ranks):  # type: ignore[no-untyped-def]
    """ranks = the rank of the first bit of each word, from `rank` on; return the next free rank."""
    for i in range(len(words)):
        ranks[i] = rank
        rank += np.int64(_ones(words[i]))
    return rank


@kernel(_VOID(_U4_OUT, _U8, _U4))
def relabel(keys, words, ranks):  # type: ignore[no-untyped-def]
    """Replace the keys by their ranks among those marked, in place."""
    for i in range(len(keys)):
        key = np.uint64(keys[i])
        word = key >> np.uint64(6)
        below = (np.uint64(1) << (key & np.uint64(63))) - np.uint64(1)
        keys[i] = ranks[word] + _ones(words[word] & below)


_LOOK_UP = [
    _VOID(keys, *table) for keys in (_U1, _U2, _U4) for table in ((_U1, _U1_OUT), (_U2, _U2_OUT), (_U4, _U4_OUT))
]


@kernel(_LOOK_UP)
def look_up(keys, table, found):  # type: ignore[no-untyped-def]
    """found = table[keys]."""
    for i in range(len(keys)):
        found[i] = table[keys[i]]


@kernel(_VOID(_U8, _SIZE, _I8_OUT))
def count_digits(keys, shift, counts):  # type: ignore[no-untyped-def]
    """Add to counts[d] the number of keys whose digit at bit `shift` is d; len(counts) is a power of two."""
    digits = np.uint64(len(counts) - 1)
    for i in range(len(keys)):
        counts[(keys[i] >> shift) & digits] += 1


@kernel(_VOID(_U8, _U4, _SIZE, _I8_OUT, _U8_OUT, _U4_OUT))
def scatter_digits(keys, rows, shift, places, keys_out, rows_out):  # type: ignore[no-untyped-def]
    """One stable pass of the radix sort: (key, row) to the next place of its digit; places move on."""
    digits = np.uint64(len(places) - 1)
    for i in range(len(keys)):
        digit = (keys[i] >> shift) & digits
        place = places[digit]
        keys_out[place] = keys[i]
        rows_out[place] = rows[i]
        places[digit] = place + 1


@kernel(types.int64(_U8_OUT, _U4_OUT, types.int64, types.int64, types.int64))
def settle(keys, rows, start, stop, moves):  # type: ignore[no-untyped-def]
    """Sort keys[:stop], of which keys[:start] are sorted, by insertion, rows with them; stable.

    `moves` are left to make; returned is how many are left then, -1 where they did not suffice.
    """
    for i in range(max(start, 1), stop):
        key = keys[i]
        if key >= keys[i - 1]:
            continue
        row = rows[i]
        j = i
        while j > 0 and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            rows[j] = rows[j - 1]
            j -= 1
        keys[j] = key
        rows[j] = row
        moves -= i - j
        if moves < 0:
            return -1
    return moves


@kernel(types.int64(_U8, _U4, types.uint64, types.int64, _U4_OUT))
def number_runs(keys, rows, last, rank, ids):  # type: ignore[no-untyped-def]
    """ids[row] = number of its run of equal sorted keys, going on from the run of `last`; return the last number."""
    for i in range(len(keys)):
        if keys[i] != last:
            rank += 1
            last = keys[i]
        ids[rows[i]] = rank
    return rank


@kernel(_VOID(_U4, types.int64, _U4_OUT))
def keep_member(ids, start, member):  # type: ignore[no-untyped-def]
    """member[id] = a row of that group: the last one met; the block begins at row `start`."""
    for i in range(len(ids)):
        member[ids[i]] = start + i
