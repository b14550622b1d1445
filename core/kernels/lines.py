"""Lines of a text in a byte buffer, and whether its bytes are text at all."""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from .declare import kernel, part

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_INTS = types.int32[::1]
_PAIR = types.Tuple((types.int64, types.int64))  # type: ignore[no-untyped-call]
_TRIPLE = types.Tuple((types.int64, types.int64, types.int64))  # type: ignore[no-untyped-call]


@kernel(_TRIPLE(_BYTES, types.boolean, _INTS, _INTS, _INTS, types.uint8[::1]))
def find_lines(
    data: NDArray[np.uint8],
    last: bool,
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    lines: NDArray[np.int32],
    eols: NDArray[np.uint8],
) -> tuple[int, int, int]:
    """Find the lines of `data` that are not empty.

    A line ends at LF; trailing control characters (CR, 0x1A, ...) do not belong to it. Without `last` an
    unfinished final line is left for the next call. Stops when the output arrays are full.

    Parameters
    ----------
    data : (size,) uint8
    last : bool, whether the text ends with `data`
    starts, lengths, lines : (capacity,) int32, filled: first byte, bytes, number of line feeds before it
    eols : (capacity,) uint8, filled: 0 no end of line, 1 LF, 2 CRLF

    Returns
    -------
    records, bytes consumed, line feeds consumed
    """
    size = data.size
    capacity = starts.size
    n = 0
    line = 0
    begin = 0
    while begin < size and n < capacity:
        at = begin
        while at < size and data[at] != 10:
            at += 1
        if at == size and not last:
            break
        end = at
        while end > begin and data[end - 1] < 32:
            end -= 1
        if end > begin:
            starts[n] = begin
            lengths[n] = end - begin
            lines[n] = line
            eols[n] = 0 if at == size else (2 if data[at - 1] == 13 else 1)
            n += 1
        if at < size:
            line += 1
            at += 1
        begin = at
    return n, begin, line


@part(types.int64(_BYTES, types.int64))
def _character(data: NDArray[np.uint8], at: int) -> int:
    """Bytes of the UTF-8 character at `at` that is not ASCII; 0 where it is none, -1 where `data` end within it."""
    first = data[at]
    more = 1 if 194 <= first <= 223 else 2 if 224 <= first <= 239 else 3 if 240 <= first <= 244 else 0
    low = 160 if first == 224 else 144 if first == 240 else 128
    top = 159 if first == 237 else 143 if first == 244 else 191
    for k in range(1, more + 1):
        if at + k >= data.size:
            return -1
        if not low <= data[at + k] <= top:
            return 0
        low, top = 128, 191
    return more + 1 if more else 0


@kernel(_PAIR(_BYTES, types.int64))
def check_utf8(data: NDArray[np.uint8], begin: int) -> tuple[int, int]:
    """Find the first byte from `begin` that is NUL or not UTF-8 (Unicode 15, table 3-7).

    Returns
    -------
    bad : int, its position, or -1
    resume : int, where to go on when more bytes have come: the start of an unfinished last character
    """
    size = data.size
    at = begin
    while at < size:
        if at + 64 <= size:
            high = np.uint8(0)
            zero = np.uint8(0)
            for i in range(at, at + 64):
                high |= data[i]
                zero |= np.uint8(data[i] == 0)
            if high < 128 and zero == 0:
                at += 64
                continue
        if 0 < data[at] < 128:
            at += 1
            continue
        length = _character(data, at)
        if length <= 0:
            return (-1 if length else at), at
        at += length
    return -1, size


@kernel(types.int64(_BYTES, types.int64, types.Array(types.boolean, 1, "C", readonly=True)))
def check_bytes(data: NDArray[np.uint8], begin: int, allowed: NDArray[np.bool_]) -> int:
    """Position of the first byte from `begin` that the table `allowed` (256,) does not allow, or -1."""
    for at in range(begin, data.size):
        if not allowed[data[at]]:
            return at
    return -1


@kernel(types.int64(_BYTES, types.int64))
def lone_return(data: NDArray[np.uint8], delimiter: int) -> int:
    """Position of the first CR, outside quoted fields, that stands before a tab or a printable byte, or -1.

    A field is quoted where its first byte, blanks aside, is a quote: one further on, as for inches, opens nothing.

    Parameters
    ----------
    data : (size,) uint8, from the first byte of a field on
    delimiter : int, a byte; -1 where there are neither fields nor quotes
    """
    at, begins = 0, delimiter >= 0
    while at < data.size - 1:
        byte = data[at]
        if begins and byte == 34:
            at += 1
            while at < data.size - 1 and (data[at] != 34 or data[at + 1] == 34):
                at += 2 if data[at] == 34 else 1
        elif byte == 13 and (data[at + 1] >= 32 or data[at + 1] == 9):
            return at
        begins = byte == delimiter or (delimiter >= 0 and byte == 10) or (begins and byte == 32)
        at += 1
    return -1
