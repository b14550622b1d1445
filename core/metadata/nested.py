"""Columns that follow from a finer one, as the province from the municipality."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn

EACH = 10
"""Records a code of the finer column in the mean, from which on it is no chance that another column follows."""
OTHERS = 20
"""Records without the most frequent code of the coarser column, at least: else nearly everything tells it."""
_FIRST = 2000
"""Records that are looked at first: most pairs are told apart by them."""


def followed(columns: Mapping[str, EncodedColumn], progress: Progress = SILENT) -> dict[str, tuple[str, ...]]:
    """By column the finer ones, of more codes, within each code of which it has one value; missing values apart.

    Parameters
    ----------
    columns : by name, of the same n records
    """
    found = {}
    wide = {name: column for name, column in columns.items() if _is_shared(column)}
    for name, coarse in wide.items():
        progress.check()
        finer = (other for other, column in wide.items() if column.n_valid > coarse.n_valid and _tells(column, coarse))
        if _varies(coarse) and (names := tuple(finer)):
            found[name] = names
    return found


def _is_shared(column: EncodedColumn) -> bool:
    return column.n_valid > 1 and len(column.values) >= EACH * column.n_valid


def _varies(column: EncodedColumn) -> bool:
    counts = column.counts[: column.n_valid]
    return int(counts.sum() - counts.max()) >= OTHERS


def _tells(fine: EncodedColumn, coarse: EncodedColumn) -> bool:
    """Whether records with one valid code of `fine` have one valid code of `coarse`."""
    for part in (slice(_FIRST), slice(None)):
        own, other = fine.values[part], coarse.values[part]
        known = (own < fine.n_valid) & (other < coarse.n_valid)
        own, other = own[known], other[known]
        one = np.zeros(fine.n_valid, other.dtype)
        one[own] = other
        if not np.array_equal(one[own], other):
            return False
    return True
