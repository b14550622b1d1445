"""Stata's missing values: the largest values of each type of number are ``.``, ``.a`` ... ``.z``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

BASES: dict[str, int | float] = {"b": 101, "h": 32741, "i": 2147483621, "f": 2.0**127, "d": 2.0**1023}
"""The smallest missing value, by NumPy's letter of the type: all from there on are missing."""

STEPS = {"b": 1, "h": 1, "i": 1, "f": 1 << 11, "d": 1 << 40}
"""How far the bits of one missing value are from the next."""

_BITS: dict[str, np.dtype[Any]] = {"f": np.dtype("i4"), "d": np.dtype("i8")}


def extended(values: NDArray[Any]) -> NDArray[np.int64]:
    """Number of the missing value, 0 for ``.`` to 26 for ``.z``, of each value; -1 where it is none.

    Parameters
    ----------
    values : (n,) int8, int16, int32, float32 or float64, in native byte order
    """
    kind = values.dtype.char
    found = np.full(len(values), -1, np.int64)
    where = np.flatnonzero(values >= BASES[kind])
    as_bits: np.dtype[Any] = _BITS.get(kind, values.dtype)
    bits = np.ascontiguousarray(values[where]).view(as_bits).astype(np.int64)
    first = int(np.array([BASES[kind]], values.dtype).view(as_bits)[0])
    found[where] = np.clip((bits - first) // STEPS[kind], 0, 26)
    return found


def extended_bits(kind: np.dtype[Any], number: int) -> NDArray[Any]:
    """The missing value `number` as an array of one."""
    bits: np.dtype[Any] = _BITS.get(kind.char, kind)
    first = int(np.array([BASES[kind.char]], kind).view(bits)[0])
    return np.array([first + number * STEPS[kind.char]], bits).view(kind)
