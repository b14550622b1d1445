"""Strata: the records within which values are changed, by combinations of categorical variables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..data.columns import EncodedColumn


def strata_of(columns: Sequence[EncodedColumn]) -> NDArray[np.int64] | None:
    """(n,) the stratum of each record, from 0 in the order of codes; missing is one value each; None: no columns.

    Every number up to the largest has records.
    """
    found: NDArray[np.int64] | None = None
    for column in columns:
        values = np.minimum(column.values.astype(np.int64), column.n_valid)
        both = values if found is None else found * (column.n_valid + 1) + values
        found = np.unique(both, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return found
