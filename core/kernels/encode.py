"""A growing dictionary of byte strings: fields become code numbers, in order of first appearance."""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_SPANS = types.Array(types.int32, 1, "C", readonly=True)

OFFSET, RAW_LENGTH, LEAD, LENGTH, DIFFERS, COUNT = range(6)
"""Columns of `entries`: place and length of the field as first met in the arena; blanks before its text; the
text's length; whether it was also met with other blanks around it; how often it was met."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@njit(types.uint64(types.uint64), nogil=True, cache=True)
def _mix(key: np.uint64) -> np.uint64:
    key = (key ^ (key >> np.uint64(32))) * _MULTIPLIER
    return key ^ (key >> np.uint64(29))


@njit(types.uint64(_BYTES, types.int64, types.int64), nogil=True, cache=True)
def _key(data: NDArray[np.uint8], begin: int, end: int) -> np.uint64:
    """Up to 8 bytes: the bytes themselves; longer: a hash."""
    key = np.uint64(0)
    if end - begin <= 8:
        for i in range(begin, end):
            key = (key << np.uint64(8)) | np.uint64(data[i])
        return key
    for word in range(begin, end, 8):
        part = np.uint64(0)
        for i in range(word, min(word + 8, end)):
            part = (part << np.uint64(8)) | np.uint64(data[i])
        key = _mix(key ^ part)
    return key


@njit(
    types.int64(
        _BYTES,
        _SPANS,
        _SPANS,
        types.int64,
        types.int32[::1],
        types.uint64[::1],
        types.int64[:, ::1],
        types.uint8[::1],
        types.int64[::1],
        types.uint32[::1],
    ),
    nogil=True,
    cache=True,
)
def encode(
    data: NDArray[np.uint8],
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    begin: int,
    slots: NDArray[np.int32],
    keys: NDArray[np.uint64],
    entries: NDArray[np.int64],
    arena: NDArray[np.uint8],
    used: NDArray[np.int64],
    out: NDArray[np.uint32],
) -> int:
    """Give each field the number of its text; bytes up to 0x20 around it are blanks and do not belong to it.

    Exact: texts of up to 8 bytes are compared as integers, longer ones byte by byte.

    Parameters
    ----------
    data : (size,) uint8, without NUL
    starts, lengths : (n,) int32, the fields in `data`
    begin : first field to do
    slots : (power of two,) int32, open addressing, -1 = free
    keys : (capacity,) uint64; entries : (capacity, 6) int64; arena : uint8: the dictionary
    used : (2,) int64, entries and arena bytes in use
    out : (n,) uint32, filled from `begin`

    Returns
    -------
    n, or the first field not done because the dictionary is full: enlarge it and go on from there
    """
    mask = np.uint64(slots.size - 1)
    for i in range(begin, starts.size):
        raw_from = int(starts[i])
        raw_to = raw_from + lengths[i]
        a = raw_from
        b = raw_to
        while a < b and data[a] <= 32:
            a += 1
        while b > a and data[b - 1] <= 32:
            b -= 1
        length = b - a
        key = _key(data, a, b)
        slot = _mix(key) & mask
        while True:
            code = slots[slot]
            if code < 0:
                break
            if keys[code] == key and entries[code, LENGTH] == length:
                same = True
                if length > 8:
                    at = entries[code, OFFSET] + entries[code, LEAD]
                    for k in range(length):
                        if arena[at + k] != data[a + k]:
                            same = False
                            break
                if same:
                    break
            slot = (slot + np.uint64(1)) & mask
        if code < 0:
            code = np.int32(used[0])
            room = used[1] + raw_to - raw_from <= arena.size
            if code >= keys.size or 2 * code >= slots.size or not room:
                return i
            slots[slot] = code
            keys[code] = key
            entries[code, OFFSET] = used[1]
            entries[code, RAW_LENGTH] = raw_to - raw_from
            entries[code, LEAD] = a - raw_from
            entries[code, LENGTH] = length
            entries[code, DIFFERS] = 0
            entries[code, COUNT] = 0
            for k in range(raw_from, raw_to):
                arena[used[1] + k - raw_from] = data[k]
            used[0] += 1
            used[1] += raw_to - raw_from
        elif length > 0 and (entries[code, LEAD] != a - raw_from or entries[code, RAW_LENGTH] != raw_to - raw_from):
            entries[code, DIFFERS] = 1
        entries[code, COUNT] += 1
        out[i] = code
    return starts.size


@njit(types.void(types.uint64[::1], types.int64, types.int32[::1]), nogil=True, cache=True)
def rehash(keys: NDArray[np.uint64], count: int, slots: NDArray[np.int32]) -> None:
    """Enter the first `count` keys into the empty table `slots` (all -1)."""
    mask = np.uint64(slots.size - 1)
    for code in range(count):
        slot = _mix(keys[code]) & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = code
