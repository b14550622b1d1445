"""The numbers that codes are, or begin with."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..data.columns import EncodedColumn
from ..data.weights import parse_text

_FIRST = re.compile(r"\s*(-?\d+(?:[.,]\d+)?)")


def numbers_of(column: EncodedColumn, decimal: str) -> NDArray[np.float64]:
    """The number that each code is, (codes,) float64; nan for others and for missing codes."""
    found = np.full(len(column.codes), np.nan)
    for place in range(column.n_valid):
        value = parse_text(column.codes[place].strip(), decimal)
        if value is not None:
            found[place] = float(value)
    return found


def first_numbers(column: EncodedColumn, labels: Mapping[str, str], decimal: str) -> NDArray[np.float64]:
    """The number that the label of each code begins with, else its code; (codes,) float64, nan where there is none."""
    found = np.full(len(column.codes), np.nan)
    for place in range(column.n_valid):
        code = column.codes[place]
        match = _FIRST.match(labels.get(code, "")) or _FIRST.match(code)
        value = parse_text(match[1], decimal) if match else None
        if value is not None:
            found[place] = float(value)
    return found
