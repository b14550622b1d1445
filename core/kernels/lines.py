"""Lines of a text in a byte buffer, and whether its bytes are text at all."""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_INTS = types.int32[::1]
_PAIR = types.Tuple((types.int64, types.int64))  # type: ignore[no-untyped-call]
_TRIPLE = types.Tuple((types.int64, types.int64, types.int64))  # type: ignore[no-untyped-call]


@njit(_TRIPLE(_BYTES, types.boolean, _INTS, _INTS, _INTS, types.uint8[::1]), nogil=True, cache=True)
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


@njit(_PAIR(_BYTES, types.int64), nogil=True, cache=True)
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
        first = data[at]
        if 0 < first < 128:
            at += 1
            continue
        low, top = 128, 191
        if 194 <= first <= 223:
            more = 1
        elif 224 <= first <= 239:
            more = 2
            if first == 224:
                low = 160
            elif first == 237:
                top = 159
        elif 240 <= first <= 244:
            more = 3
            if first == 240:
                low = 144
            elif first == 244:
                top = 143
        else:
            return at, at
        for k in range(1, more + 1):
            if at + k >= size:
                return -1, at
            if not low <= data[at + k] <= top:
                return at, at
            low, top = 128, 191
        at += more + 1
    return -1, size


@njit(types.int64(_BYTES, types.int64, types.Array(types.boolean, 1, "C", readonly=True)), nogil=True, cache=True)
def check_bytes(data: NDArray[np.uint8], begin: int, allowed: NDArray[np.bool_]) -> int:
    """Position of the first byte from `begin` that the table `allowed` (256,) does not allow, or -1."""
    for at in range(begin, data.size):
        if not allowed[data[at]]:
            return at
    return -1
