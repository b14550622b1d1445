"""Records put together from pieces of the original and of new texts."""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from .declare import kernel

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_SPANS = types.Array(types.int32, 2, "C", readonly=True)
_FLAGS = types.Array(types.boolean, 2, "C", readonly=True)
_WIDTHS = types.Array(types.int32, 1, "C", readonly=True)
_PLACES = types.Array(types.int64, 1, "C", readonly=True)


@kernel(
    types.int64(
        _BYTES, _BYTES, _SPANS, _SPANS, _FLAGS, _WIDTHS, types.int64, _BYTES, types.uint8[::1], types.int64[::1]
    )
)
def assemble_records(
    data: NDArray[np.uint8],
    texts: NDArray[np.uint8],
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    new: NDArray[np.bool_],
    widths: NDArray[np.int32],
    delimiter: int,
    eols: NDArray[np.uint8],
    out: NDArray[np.uint8],
    ends: NDArray[np.int64],
) -> int:
    """Write n records of k pieces each.

    Parameters
    ----------
    data, texts : uint8, the original and the new texts
    starts, lengths : (k, n) int32, the pieces
    new : (k, n) bool, whether a piece lies in `texts`
    widths : (k,) int32, blanks are put before a shorter piece; 0 in delimited text
    delimiter : the byte between pieces; -1 for none, that is fixed format
    eols : (n,) uint8, what to write behind each record: 0 nothing, 1 LF, 2 CRLF
    out : uint8, filled; large enough
    ends : (n,) int64, filled: where each record ends in `out`

    Returns
    -------
    bytes written
    """
    at = 0
    for i in range(eols.size):
        begin = at
        for j in range(widths.size):
            if j and delimiter >= 0:
                out[at] = delimiter
                at += 1
            start = int(starts[j, i])
            length = int(lengths[j, i])
            for _ in range(widths[j] - length):
                out[at] = 32
                at += 1
            if new[j, i]:
                for b in range(length):
                    out[at + b] = texts[start + b]
            else:
                for b in range(length):
                    out[at + b] = data[start + b]
            at += length
        if at == begin and delimiter >= 0:
            # An empty line would not be read back as a record.
            out[at] = 34
            out[at + 1] = 34
            at += 2
        if eols[i] == 2:
            out[at] = 13
            at += 1
        if eols[i]:
            out[at] = 10
            at += 1
        ends[i] = at
    return at


@kernel(types.void(_BYTES, _PLACES, _PLACES, types.int64, types.int64, types.uint8[::1]))
def place_records(
    data: NDArray[np.uint8],
    ends: NDArray[np.int64],
    places: NDArray[np.int64],
    low: int,
    high: int,
    out: NDArray[np.uint8],
) -> None:
    """Put records, one after another in `data`, at their places in a part of the output.

    Parameters
    ----------
    data : uint8; ends : (n,) int64, where each record ends in it
    places : (n,) int64, where each begins in the output
    low, high : the part of the output that `out` holds, (high - low,) uint8; records that begin elsewhere stay away
    """
    begin = 0
    for i in range(ends.size):
        if low <= places[i] < high:
            shift = places[i] - low - begin
            for b in range(begin, ends[i]):
                out[b + shift] = data[b]
        begin = ends[i]


@kernel(types.int64(_BYTES, _PLACES, _PLACES, types.uint8[::1]))
def gather_records(
    data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64], out: NDArray[np.uint8]
) -> int:
    """Copy the records ``data[starts[i]:ends[i]]`` one after another to `out`; bytes written."""
    at = 0
    for i in range(starts.size):
        length = ends[i] - starts[i]
        for b in range(length):
            out[at + b] = data[starts[i] + b]
        at += length
    return at
