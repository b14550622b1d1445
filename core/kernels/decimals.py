"""Decimal numbers in text fields, exactly; and fields that equal a given text."""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_SPANS = types.Array(types.int32, 1, "C", readonly=True)

NUMBER, NEGATIVE, BLANK, OTHER = range(4)
"""Kinds of field: a number; a number with a minus sign; nothing but blanks; anything else (an exponent, more
digits than the arrays hold, or no number at all)."""

_POWERS = 10 ** np.arange(19, dtype=np.int64)


@njit(
    types.void(
        _BYTES, _SPANS, _SPANS, types.uint8, types.int64[::1], types.int64[::1], types.uint8[::1], types.uint8[::1]
    ),
    nogil=True,
    cache=True,
)
def parse_decimals(
    data: NDArray[np.uint8],
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    mark: int,
    whole: NDArray[np.int64],
    fraction: NDArray[np.int64],
    places: NDArray[np.uint8],
    kind: NDArray[np.uint8],
) -> None:
    """Parse fields such as ``  118.30``; blanks (bytes up to 0x20) around the number are ignored.

    Parameters
    ----------
    data : (size,) uint8
    starts, lengths : (n,) int32, the fields
    mark : the decimal mark's byte
    whole : (n,) int64, filled: digits before the mark, < 10**18
    fraction : (n,) int64, filled: digits after it, in units of 10**-18
    places : (n,) uint8, filled: how many digits stand after the mark, 0..18
    kind : (n,) uint8, filled: NUMBER, NEGATIVE (whole and fraction are then the absolute value), BLANK or OTHER
    """
    for i in range(starts.size):
        a = np.int64(starts[i])
        b = a + lengths[i]
        while a < b and data[a] <= 32:
            a += 1
        while b > a and data[b - 1] <= 32:
            b -= 1
        whole[i] = 0
        fraction[i] = 0
        places[i] = 0
        kind[i] = BLANK
        if a == b:
            continue
        kind[i] = NUMBER
        if data[a] == 45 or data[a] == 43:
            if data[a] == 45:
                kind[i] = NEGATIVE
            a += 1
        value = np.int64(0)
        digits = 0
        while a < b and 48 <= data[a] <= 57:
            digits += 1
            if value >= 100_000_000_000_000_000:
                break
            value = 10 * value + (data[a] - 48)
            a += 1
        part = np.int64(0)
        after = 0
        if a < b and data[a] == mark:
            a += 1
            while a < b and 48 <= data[a] <= 57 and after < 18:
                part = 10 * part + (data[a] - 48)
                after += 1
                a += 1
        if a < b or digits + after == 0:
            kind[i] = OTHER
            continue
        whole[i] = value
        fraction[i] = part * _POWERS[18 - after]
        places[i] = after


@njit(types.void(_BYTES, _SPANS, _SPANS, _BYTES, types.boolean[::1]), nogil=True, cache=True)
def equals_text(
    data: NDArray[np.uint8],
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    text: NDArray[np.uint8],
    out: NDArray[np.bool_],
) -> None:
    """Set `out` (n,) True where a field without the blanks around it is `text`; other places stay as they are."""
    for i in range(starts.size):
        a = np.int64(starts[i])
        b = a + lengths[i]
        while a < b and data[a] <= 32:
            a += 1
        while b > a and data[b - 1] <= 32:
            b -= 1
        if b - a == text.size:
            same = True
            for k in range(text.size):
                if data[a + k] != text[k]:
                    same = False
                    break
            if same:
                out[i] = True
