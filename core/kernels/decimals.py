"""Decimal numbers in text fields, exactly; and fields that equal a given text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from .declare import kernel, part
from .encode import strip

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_SPANS = types.Array(types.int32, 1, "C", readonly=True)
_NUMBERS = types.Array(types.float64, 1, "C", readonly=True)
_PAIR = types.Tuple((types.int64, types.int64))  # type: ignore[no-untyped-call]

NUMBER, NEGATIVE, BLANK, OTHER = range(4)
"""Kinds of field: a number; a number with a minus sign; nothing but blanks; anything else (an exponent, more
digits than the arrays hold, or no number at all)."""

_PLUS, _MINUS = 43, 45


@part(_PAIR(_BYTES, types.int64, types.int64))
def _digits(data: NDArray[np.uint8], begin: int, end: int) -> tuple[int, int]:
    """Value of the up to 18 digits from `begin` on, and the position behind them."""
    value = 0
    at = begin
    while at < end and value < 100_000_000_000_000_000:
        digit = data[np.uint64(at)] - np.uint8(48)
        if digit > 9:
            break
        value = 10 * value + int(np.int64(digit))
        at += 1
    return value, at


@kernel(
    types.void(
        _BYTES, _SPANS, _SPANS, types.uint8, types.int64[::1], types.int64[::1], types.uint8[::1], types.uint8[::1]
    )
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
    fraction : (n,) int64, filled: digits after it, as a whole number
    places : (n,) uint8, filled: how many these are, 0..18
    kind : (n,) uint8, filled: NUMBER, NEGATIVE (whole and fraction are then the absolute value), BLANK or OTHER
    """
    for i in range(starts.size):
        at, end = strip(data, starts[i], starts[i] + lengths[i])
        whole[i] = 0
        fraction[i] = 0
        places[i] = 0
        kind[i] = BLANK if at == end else NUMBER
        if at == end:
            continue
        if data[at] == _MINUS or data[at] == _PLUS:
            kind[i] = NEGATIVE if data[at] == _MINUS else NUMBER
            at += 1
        value, behind = _digits(data, at, end)
        digits = behind - at
        part, after = 0, 0
        if behind < end and data[behind] == mark:
            part, at = _digits(data, behind + 1, min(end, behind + 19))
            after = at - behind - 1
            behind = at
        if behind < end or digits + after == 0:
            kind[i] = OTHER
            continue
        whole[i] = value
        fraction[i] = part
        places[i] = after


@kernel([types.boolean(_NUMBERS, types.float64, out) for out in (types.uint32[::1], types.int64[::1])])
def scale_decimals(values: NDArray[np.float64], power: float, out: NDArray[np.integer[Any]]) -> bool:
    """Fill `out` (n,) with the whole numbers nearest to values * power; whether each of these / power is its value.

    Parameters
    ----------
    values : (n,) float64, from 0 to before what `out` holds / power
    """
    all_exact = True
    for i in range(values.size):
        scaled = np.rint(values[i] * power)
        all_exact &= scaled / power == values[i]
        out[i] = np.int64(scaled)
    return all_exact


@kernel(types.void(_BYTES, _SPANS, _SPANS, _BYTES, types.boolean[::1]))
def equals_text(
    data: NDArray[np.uint8],
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    text: NDArray[np.uint8],
    out: NDArray[np.bool_],
) -> None:
    """Set `out` (n,) True where a field without the blanks around it is `text`; other places stay as they are."""
    for i in range(starts.size):
        begin, end = strip(data, starts[i], starts[i] + lengths[i])
        if end - begin == text.size:
            k = 0
            while k < text.size and data[begin + k] == text[k]:
                k += 1
            if k == text.size:
                out[i] = True
