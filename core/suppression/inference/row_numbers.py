"""Rows of codes as single numbers; the check of the written file has its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.integer[Any]]

LARGEST = 1 << 62


def fold(columns: Sequence[Numbers], sizes: Sequence[int], n: int) -> tuple[Numbers, int]:
    """Equal numbers for equal rows of `columns`, and the bound of these numbers.

    Parameters
    ----------
    columns : codes (n,) each, below their `sizes`
    """
    number: Numbers = np.zeros(n, np.uint32)
    bound = 1
    for column, size in zip(columns, sizes, strict=True):
        if bound * size > LARGEST:
            found, number = np.unique(number, return_inverse=True)
            bound = len(found)
        bound *= size
        number = number.astype(np.uint32 if bound < 1 << 32 else np.int64, copy=False)
        number *= number.dtype.type(size)
        np.add(number, column, out=number, casting="unsafe")
    return number, bound
