"""Risks of a file after suppression, for pictures and profiles; the check of the written file is another's work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.microdata.columns import EncodedColumn


def after_suppression(column: EncodedColumn, suppressed: Mapping[str, NDArray[np.bool_]]) -> EncodedColumn:
    """`column` with its newly missing values."""
    flags = suppressed.get(column.name)
    if flags is None or not flags.any():
        return column
    values = np.where(flags, column.values.dtype.type(column.n_valid), column.values)
    return replace(column, values=values, counts=np.bincount(values, minlength=len(column.codes)))
