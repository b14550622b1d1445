"""Delimited text (RFC 4180): records cut into fields, quotes taken off."""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from .declare import kernel, part
from .encode import eight

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_SLOTS = types.Array(types.int32, 1, "C", readonly=True)
_INTS = types.int32[::1]
_TABLE = types.int32[:, ::1]
_PAIR = types.Tuple((types.int64, types.int64))  # type: ignore[no-untyped-call]
_TRIPLE = types.Tuple((types.int64, types.int64, types.int64))  # type: ignore[no-untyped-call]

COMPLETE, RAGGED, OPEN_QUOTE, AFTER_QUOTE = range(4)
"""What stopped the reading: nothing but the end of data or of room; a record with another number of fields; a
quote that is never closed; text behind a closing quote."""

RECORDS, CONSUMED, LINES, STATUS, STATUS_LINE, FIELDS, QUOTES = range(7)
"""Places in `found`: records; bytes consumed; line feeds in them; what stopped the reading, on which line (counted
like `lines`) and, where ragged, with how many fields; whether any field was quoted (0 or 1)."""

_WINDOW = 1 << 14
_QUOTE, _LF, _CR, _END_OF_FILE = 34, 10, 13, 26
_ONES = np.uint64(0x0101010101010101)
_LOW = np.uint64(0x7F7F7F7F7F7F7F7F)
_HIGH = np.uint64(0x8080808080808080)
_GATHER = np.uint64(0x0102040810204080)
"""Times eight bytes of 0 or 1: they are then the bits of the highest byte, the lowest byte's as the lowest bit."""

_COUNTS = np.array([bin(which).count("1") for which in range(256)], dtype=np.uint8)
_PLACES = np.array([sorted(range(8), key=lambda k: not which << k & 128) for which in range(256)], dtype=np.uint8)
"""Number and places, from the highest, of the bits set in a byte; behind these the places of the others."""


@part(_PAIR(_BYTES, types.int64, types.int64))
def _quoted_end(data: NDArray[np.uint8], at: int, delimiter: int) -> tuple[int, int]:
    """End of the quoted field whose opening quote is at `at`, or what is wrong, negative; line feeds in it."""
    size = data.size
    feeds = 0
    at += 1
    while at < size and (data[at] != _QUOTE or (at + 1 < size and data[at + 1] == _QUOTE)):
        feeds += data[at] == _LF
        at += 2 if data[at] == _QUOTE else 1
    if at >= size:
        return -OPEN_QUOTE, 0
    at += 1
    while at < size and data[at] != delimiter and data[at] != _LF:
        if data[at] > 32:
            return -AFTER_QUOTE, 0
        at += 1
    return at, feeds


@part(types.uint64(types.uint64, types.uint64))
def _differs(word: np.uint64, byte: np.uint64) -> np.uint64:
    """A number whose highest bit in each byte says whether that byte of `word` is another than `byte`."""
    other = word ^ byte * _ONES
    return ((other & _LOW) + _LOW) | other


@kernel(types.int64(_BYTES, types.int64, types.int64, _INTS))
def _find_marks(data: NDArray[np.uint8], begin: int, delimiter: int, marks: NDArray[np.int32]) -> int:
    """Put the positions of delimiters, LFs and quotes among the next `_WINDOW` bytes into `marks`; their number.

    Eight bytes at a time and nearly without branches, for which byte is a mark cannot be predicted; some places of
    `marks` behind those in use are overwritten.
    """
    count = np.uint64(0)
    at = np.uint64(begin)
    end = np.uint64(min(begin + _WINDOW, data.size))
    while at + np.uint64(8) <= end:
        word = eight(data, int(at))
        other = (
            _differs(word, np.uint64(delimiter)) & _differs(word, np.uint64(_LF)) & _differs(word, np.uint64(_QUOTE))
        )
        which = ((~other & _HIGH) >> np.uint64(7)) * _GATHER >> np.uint64(56)
        for k in range(np.uint64(4)):
            marks[count + k] = at + np.uint64(_PLACES[which, k])
        if _COUNTS[which] > 4:
            for k in range(np.uint64(4), np.uint64(8)):
                marks[count + k] = at + np.uint64(_PLACES[which, k])
        count += np.uint64(_COUNTS[which])
        at += np.uint64(8)
    while at < end:
        marks[count] = at
        byte = data[at]
        count += np.uint64((byte == delimiter) | (byte == _LF) | (byte == _QUOTE))
        at += np.uint64(1)
    return int(count)


@part(types.void(_SLOTS, types.int64, types.int64, types.int64, types.int64, _TABLE, _TABLE))
def _put(
    slots: NDArray[np.int32],
    field: int,
    n: int,
    begin: int,
    end: int,
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
) -> None:
    """Store the place of a field of record `n`; unsigned indices save the test for negative ones."""
    slot = np.int64(slots[np.uint64(field)]) if field < slots.size else -1
    if slot >= 0:
        starts[np.uint64(slot), np.uint64(n)] = begin
        lengths[np.uint64(slot), np.uint64(n)] = end - begin


@part(types.int64(_BYTES, types.int64, types.int64))
def _content_end(data: NDArray[np.uint8], begin: int, at: int) -> int:
    """End of the last field of a record, which begins at `begin`; `at`: the LF, or the end of the text."""
    end = at
    if at < data.size:
        return end - (end > begin and data[end - 1] == _CR)
    while end > begin and (data[end - 1] == _CR or data[end - 1] == _END_OF_FILE):
        end -= 1
    return end


@part(types.boolean(_BYTES, types.int64, types.int64))
def _is_blank(data: NDArray[np.uint8], begin: int, end: int) -> bool:
    """Whether there is nothing but control characters."""
    while begin < end and data[begin] < 32:
        begin += 1
    return begin == end


@part(_TRIPLE(_BYTES, types.int64, types.int64, _SLOTS, types.int64, _TABLE, _TABLE))
def _cut_quoted(
    data: NDArray[np.uint8],
    begin: int,
    delimiter: int,
    slots: NDArray[np.int32],
    n: int,
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
) -> tuple[int, int, int]:
    """Cut a record with quotes: its LF (negative where quotes do not match), number of fields, LFs in them."""
    size = data.size
    field = begin
    fields = 0
    feeds = 0
    while True:
        at = field
        while at < size and data[at] == 32 and delimiter != 32:
            at += 1
        if at < size and data[at] == _QUOTE:
            at, inside = _quoted_end(data, at, delimiter)
            feeds += inside
            if at < 0:
                return at, fields, feeds
        else:
            while at < size and data[at] != delimiter and data[at] != _LF:
                at += 1
        ends = at == size or data[at] == _LF
        end = _content_end(data, field, at) if ends else at
        _put(slots, fields, n, field, end, starts, lengths)
        fields += 1
        if ends:
            return at, fields, feeds
        field = at + 1


@part(types.boolean(_BYTES, _INTS, types.int64, types.int64))
def _closes_simply(data: NDArray[np.uint8], marks: NDArray[np.int32], mark: int, count: int) -> bool:
    """Whether the next mark is a closing quote, with delimiter, LF or CRLF directly behind it."""
    if mark + 1 >= count:
        return False
    close, behind = marks[mark], marks[mark + 1]
    near = behind == close + 1 or (behind == close + 2 and data[close + 1] == 13)
    return near and data[close] == _QUOTE and data[behind] != _QUOTE


@kernel(
    types.void(
        _BYTES,
        types.boolean,
        types.int64,
        _SLOTS,
        _TABLE,
        _TABLE,
        types.int32[::1],
        types.uint8[::1],
        types.int64[::1],
    )
)
def split_records(
    data: NDArray[np.uint8],
    last: bool,
    delimiter: int,
    slots: NDArray[np.int32],
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    lines: NDArray[np.int32],
    eols: NDArray[np.uint8],
    found: NDArray[np.int64],
) -> None:
    """Cut `data` into records and their fields.

    A field whose first byte, blanks aside, is a quote runs to the closing quote; two quotes in it stand for one.
    A record ends at LF outside quotes, or at CRLF; CR and 0x1A at the end of the text do not belong to it. Lines of
    nothing but control characters are skipped. Without `last` an unfinished record is left for the next call. Stops
    when the output arrays are full.

    Parameters
    ----------
    data : (size,) uint8
    last : bool, whether the text ends with `data`
    delimiter : int, a byte
    slots : (fields,) int32, where each field of a record is stored, -1 = nowhere; all records must have so many
    starts, lengths : (slots, at least capacity) int32, filled: the fields as they stand, quotes and blanks included
    lines : (capacity,) int32, filled: line feeds before each record
    eols : (capacity,) uint8, filled: 0 no end of line, 1 LF, 2 CRLF
    found : (7,) int64, filled: see RECORDS and following
    """
    found[:] = 0
    marks = np.empty(_WINDOW + 8, dtype=np.int32)
    mark = count = scanned = 0
    n = line = begin = field = fields = 0
    while n < lines.size:
        # Most fields end with a delimiter.
        while mark < count and data[np.uint64(marks[np.uint64(mark)])] == delimiter:
            at = int(marks[np.uint64(mark)])
            _put(slots, fields, n, field, at, starts, lengths)
            field = at + 1
            fields += 1
            mark += 1
        at, feeds = data.size, 0
        if mark < count:
            at = int(marks[mark])
            mark += 1
        elif scanned < data.size:
            count = _find_marks(data, scanned, delimiter, marks)
            scanned = min(scanned + _WINDOW, data.size)
            mark = 0
            continue
        if at < data.size and data[at] == _QUOTE:
            found[QUOTES] = 1
            if at == field and _closes_simply(data, marks, mark, count):
                mark += 1
                continue
            at, fields, feeds = _cut_quoted(data, begin, delimiter, slots, n, starts, lengths)
            while mark < count and marks[mark] <= at:
                mark += 1
            scanned = max(scanned, min(at + 1, data.size))
        else:
            end = _content_end(data, field, at)
            _put(slots, fields, n, field, end, starts, lengths)
            fields += fields > 0 or not _is_blank(data, field, end)
        if (not last and at in (data.size, -OPEN_QUOTE)) or begin == data.size:
            break
        if at < 0 or (fields and fields != slots.size):
            found[STATUS] = -at if at < 0 else RAGGED
            found[FIELDS] = fields
            break
        if fields:
            lines[n] = line
            eols[n] = 0 if at == data.size else 2 if data[at - 1] == 13 else 1
            n += 1
        line += feeds + (at < data.size)
        begin = field = min(at + 1, data.size)
        fields = 0
    found[RECORDS], found[CONSUMED], found[LINES], found[STATUS_LINE] = n, begin, line, line


@kernel(types.int64(types.uint8[::1], types.int32[::1], types.int32[::1], types.int64))
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
