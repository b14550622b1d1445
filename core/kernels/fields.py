"""Delimited text (RFC 4180): records cut into fields, quotes taken off."""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_SLOTS = types.Array(types.int32, 1, "C", readonly=True)

COMPLETE, RAGGED, OPEN_QUOTE, AFTER_QUOTE = range(4)
"""What stopped the reading: nothing but the end of data or of room; a record with another number of fields; a
quote that is never closed; text behind a closing quote."""

RECORDS, CONSUMED, LINES, STATUS, STATUS_LINE, FIELDS, QUOTES = range(7)
"""Places in `found`: records; bytes consumed; line feeds in them; what stopped the reading, on which line (counted
like `lines`) and, where ragged, with how many fields; whether any field was quoted (0 or 1)."""

_QUOTE = 34
_LF = 10


@njit(types.int64(_BYTES, types.int64, types.int64), nogil=True, cache=True)
def _after_quoted(data: NDArray[np.uint8], at: int, delimiter: int) -> int:
    """End of the quoted field whose opening quote is at `at`; -1 unfinished, -2 text behind its closing quote."""
    size = data.size
    at += 1
    while True:
        while at < size and data[at] != _QUOTE:
            at += 1
        if at + 1 < size and data[at + 1] == _QUOTE:
            at += 2
            continue
        break
    if at >= size:
        return -1
    at += 1
    while at < size and data[at] != delimiter and data[at] != _LF:
        if data[at] > 32:
            return -2
        at += 1
    return at


@njit(
    types.void(
        _BYTES,
        types.boolean,
        types.int64,
        types.int64,
        _SLOTS,
        types.int32[:, ::1],
        types.int32[:, ::1],
        types.int32[::1],
        types.uint8[::1],
        types.int64[::1],
    ),
    nogil=True,
    cache=True,
)
def split_records(
    data: NDArray[np.uint8],
    last: bool,
    delimiter: int,
    fields: int,
    slots: NDArray[np.int32],
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    lines: NDArray[np.int32],
    eols: NDArray[np.uint8],
    found: NDArray[np.int64],
) -> None:
    """Cut `data` into records and their fields.

    A field whose first byte, blanks aside, is a quote runs to the closing quote; two quotes in it stand for one.
    A record ends at LF outside quotes; control characters before it (CR, 0x1A, ...) do not belong to it; lines
    without anything else are skipped. Without `last` an unfinished record is left for the next call. Stops when
    the output arrays are full.

    Parameters
    ----------
    data : (size,) uint8
    last : bool, whether the text ends with `data`
    delimiter : int, a byte
    fields : int, how many every record must have
    slots : (fields,) int32, where a field's place is stored, -1 = nowhere
    starts, lengths : (slots, capacity) int32, filled: the fields as they stand, quotes and blanks included
    lines : (capacity,) int32, filled: line feeds before each record
    eols : (capacity,) uint8, filled: 0 no end of line, 1 LF, 2 CRLF
    found : (7,) int64, filled: see RECORDS and following
    """
    size = data.size
    n = 0
    line = 0
    begin = 0
    found[:] = 0
    while begin < size and n < lines.size:
        field = begin
        column = 0
        feeds = 0
        while True:
            at = field
            while at < size and data[at] == 32 and delimiter != 32:
                at += 1
            if at < size and data[at] == _QUOTE:
                found[QUOTES] = 1
                end = _after_quoted(data, at, delimiter)
                if end < 0:
                    if end == -2 or last:
                        found[STATUS] = AFTER_QUOTE if end == -2 else OPEN_QUOTE
                        found[STATUS_LINE] = line
                    break
                for i in range(at, end):
                    feeds += data[i] == _LF
                at = end
            else:
                while at < size and data[at] != delimiter and data[at] != _LF:
                    at += 1
            end = at
            if at == size and not last:
                end = -1
                break
            ends = at == size or data[at] == _LF
            if ends:
                while end > field and data[end - 1] < 32:
                    end -= 1
            if column < fields and slots[column] >= 0:
                starts[slots[column], n] = field
                lengths[slots[column], n] = end - field
            column += 1
            if ends:
                break
            field = at + 1
        if end < 0:
            break
        if column > 1 or end > begin:
            if column != fields:
                found[STATUS] = RAGGED
                found[STATUS_LINE] = line
                found[FIELDS] = column
                break
            lines[n] = line
            eols[n] = 0 if at == size else (2 if data[at - 1] == 13 else 1)
            n += 1
        line += feeds
        if at < size:
            line += 1
            at += 1
        begin = at
        found[RECORDS] = n
        found[CONSUMED] = begin
        found[LINES] = line


@njit(types.int64(types.uint8[::1], types.int32[::1], types.int32[::1], types.int64), nogil=True, cache=True)
def unquote(
    data: NDArray[np.uint8],
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    spare: int,
) -> int:
    """Change the places (n,) of fields as they stand into those of their texts, without quotes.

    A text with quotes in it is put down at `spare`, behind the bytes in use. Returns the next spare place.
    """
    for i in range(starts.size):
        a = int(starts[i])
        b = a + lengths[i]
        while a < b and data[a] == 32:
            a += 1
        if a == b or data[a] != _QUOTE:
            continue
        while data[b - 1] != _QUOTE:
            b -= 1
        a += 1
        b -= 1
        doubled = False
        for k in range(a, b):
            if data[k] == _QUOTE:
                doubled = True
                break
        starts[i] = a
        lengths[i] = b - a
        if doubled:
            starts[i] = spare
            k = a
            while k < b:
                data[spare] = data[k]
                spare += 1
                k += 2 if data[k] == _QUOTE else 1
            lengths[i] = spare - starts[i]
    return spare
