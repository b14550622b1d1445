"""A growing dictionary of byte strings: fields become code numbers, in order of first appearance."""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from .declare import kernel, part

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_SPANS = types.Array(types.int32, 1, "C", readonly=True)
_PAIR = types.Tuple((types.int64, types.int64))  # type: ignore[no-untyped-call]
_SLOTS = types.int32[::1]
_KEYS = types.uint64[::1]
_ENTRIES = types.uint32[:, ::1]
_ARENA = types.uint8[::1]

OFFSET, RAW_LENGTH, LEAD, LENGTH, DIFFERS, COUNT = range(6)
"""Columns of `entries`: place and length of the field as first met in the arena; blanks before its text; the
text's length; whether it was also met with other blanks around it; how often it was met."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@part(types.uint64(types.uint64))
def _mix(key: np.uint64) -> np.uint64:
    key = (key ^ (key >> np.uint64(32))) * _MULTIPLIER
    return key ^ (key >> np.uint64(29))


@part(types.uint64(_BYTES, types.int64))
def eight(data: NDArray[np.uint8], begin: int) -> np.uint64:
    """Eight bytes as one number, the first highest; written out so that the compiler makes it a single load."""
    at = np.uint64(begin)
    return (
        np.uint64(data[at]) << np.uint64(56)
        | np.uint64(data[at + np.uint64(1)]) << np.uint64(48)
        | np.uint64(data[at + np.uint64(2)]) << np.uint64(40)
        | np.uint64(data[at + np.uint64(3)]) << np.uint64(32)
        | np.uint64(data[at + np.uint64(4)]) << np.uint64(24)
        | np.uint64(data[at + np.uint64(5)]) << np.uint64(16)
        | np.uint64(data[at + np.uint64(6)]) << np.uint64(8)
        | np.uint64(data[at + np.uint64(7)])
    )


@part(types.uint64(_BYTES, types.int64, types.int64))
def _hash(data: NDArray[np.uint8], begin: int, length: int) -> np.uint64:
    """Up to 8 bytes: the bytes themselves; longer: a hash."""
    key = np.uint64(0)
    end = begin + length
    for word in range(begin, end, 8):
        part = np.uint64(0)
        for i in range(word, min(word + 8, end)):
            part = (part << np.uint64(8)) | np.uint64(data[i])
        key = part if length <= 8 else _mix(key ^ part)
    return key


@part(types.boolean(_BYTES, types.int64, _BYTES, types.int64, types.int64))
def _same(first: NDArray[np.uint8], at: int, second: NDArray[np.uint8], begin: int, length: int) -> bool:
    """Whether the same `length` bytes stand in two places."""
    k = 0
    while k < length and first[at + k] == second[begin + k]:
        k += 1
    return k == length


@part(types.void(_BYTES, types.int64, types.int64, types.int64, types.int64, _ENTRIES, _ARENA, types.int64[::1]))
def _enter(
    data: NDArray[np.uint8],
    start: int,
    raw: int,
    lead: int,
    length: int,
    entries: NDArray[np.uint32],
    arena: NDArray[np.uint8],
    used: NDArray[np.int64],
) -> None:
    """Put a new code's field into the dictionary."""
    code, place = used[0], used[1]
    entries[code, OFFSET] = place
    entries[code, RAW_LENGTH] = raw
    entries[code, LEAD] = lead
    entries[code, LENGTH] = length
    entries[code, DIFFERS] = 0
    entries[code, COUNT] = 0
    for k in range(raw):
        arena[place + k] = data[start + k]
    used[0] += 1
    used[1] += raw


@part(_PAIR(_BYTES, types.int64, types.int64))
def strip(data: NDArray[np.uint8], begin: int, end: int) -> tuple[int, int]:
    """Begin and end of a field without the blanks, bytes up to 0x20, around its text."""
    # Unsigned indices save the test for negative ones.
    while begin < end and data[np.uint64(begin)] <= 32:
        begin += 1
    while end > begin and data[np.uint64(end - 1)] <= 32:
        end -= 1
    return begin, end


@kernel(
    types.int64(
        _BYTES, _SPANS, _SPANS, types.int64, _SLOTS, _KEYS, _ENTRIES, _ARENA, types.int64[::1], types.uint32[::1]
    )
)
def encode(
    data: NDArray[np.uint8],
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    first: int,
    slots: NDArray[np.int32],
    keys: NDArray[np.uint64],
    entries: NDArray[np.uint32],
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
    first : first field to do
    slots : (power of two,) int32, open addressing, -1 = free
    keys : (capacity,) uint64; entries : (capacity, 6) uint32; arena : uint8: the dictionary
    used : (2,) int64, entries and arena bytes in use
    out : (n,) uint32, filled from `first`

    Returns
    -------
    n, or the first field not done because the dictionary is full: enlarge it and go on from there
    """
    mask = np.uint64(slots.size - 1)
    for i in range(first, starts.size):
        start = int(starts[i])
        raw = int(lengths[i])
        begin, end = start, start + raw
        while begin < end and data[np.uint64(begin)] <= 32:
            begin += 1
        while end > begin and data[np.uint64(end - 1)] <= 32:
            end -= 1
        length = end - begin
        key = np.uint64(0)
        if length > 8 or begin + 8 > data.size:
            key = _hash(data, begin, length)
        elif length:
            key = eight(data, begin) >> np.uint64(64 - 8 * length)
        slot = _mix(key) & mask
        code = np.int64(slots[slot])
        while code >= 0 and not (
            keys[code] == key
            and entries[code, LENGTH] == length
            and (length <= 8 or _same(arena, entries[code, OFFSET] + entries[code, LEAD], data, begin, length))
        ):
            slot = (slot + np.uint64(1)) & mask
            code = np.int64(slots[slot])
        if code < 0:
            code = used[0]
            if code >= keys.size or 2 * code >= slots.size or used[1] + raw > arena.size:
                return i
            slots[slot] = code
            keys[code] = key
            _enter(data, start, raw, begin - start, length, entries, arena, used)
        elif entries[code, LEAD] != begin - start or entries[code, RAW_LENGTH] != raw:
            entries[code, DIFFERS] = length > 0
        entries[code, COUNT] += 1
        out[i] = code
    return starts.size


@kernel(types.void(_KEYS, types.int64, _SLOTS))
def rehash(keys: NDArray[np.uint64], count: int, slots: NDArray[np.int32]) -> None:
    """Enter the first `count` keys into the empty table `slots` (all -1)."""
    mask = np.uint64(slots.size - 1)
    for code in range(count):
        slot = _mix(keys[code]) & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = code


@kernel(types.void(_ARENA, _ENTRIES, types.boolean, types.uint8[:, ::1]))
def pad_forms(arena: NDArray[np.uint8], entries: NDArray[np.uint32], as_met: bool, out: NDArray[np.uint8]) -> None:
    """Write each code's text at the right of a row of blanks.

    Parameters
    ----------
    arena : uint8; entries : (m, 6) uint32: the dictionary
    as_met : with its blanks as it was met, where it was always met with the same (all fields have `width` bytes)
    out : (m, width) uint8, all blanks; filled
    """
    width = out.shape[1]
    for i in range(entries.shape[0]):
        begin = entries[i, OFFSET]
        length = entries[i, RAW_LENGTH]
        if not as_met or entries[i, DIFFERS]:
            begin += entries[i, LEAD]
            length = entries[i, LENGTH]
        for k in range(length):
            out[i, width - length + k] = arena[begin + k]
