"""Codes of a column given to other records."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..data.columns import EncodedColumn


def with_codes(column: EncodedColumn, codes: NDArray[np.unsignedinteger]) -> EncodedColumn:
    """`column` with the codes of other records; every code stays in its list, found or not."""
    values = codes.astype(column.values.dtype)
    return replace(column, values=values, counts=np.bincount(values, minlength=len(column.codes)).astype(np.int64))
