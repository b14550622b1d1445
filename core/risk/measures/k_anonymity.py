"""The k-anonymity profile: how many records share their key with fewer than k records, for every k."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PART = 1 << 20
"""Cells, of which there may be as many as records, looked at in one go."""


@dataclass(frozen=True, eq=False)
class KAnonymityProfile:
    """The profile of violations over k.

    Attributes
    ----------
    n : records with a defined frequency
    sizes : (L,) float64, the distinct sample frequencies, ascending
    cumulative_records : (L,) int64, records with at most that frequency
    """

    n: int
    sizes: NDArray[np.float64]
    cumulative_records: NDArray[np.int64]

    @classmethod
    def from_cells(cls, f: NDArray[np.floating[Any]], count: NDArray[np.integer[Any]]) -> KAnonymityProfile:
        """The profile of cells with sample frequency f (m,), nan where not defined, and own records count (m,)."""
        sizes, records = np.empty(0), np.empty(0, np.int64)
        for start in range(0, len(f), _PART):
            part = slice(start, start + _PART)
            known = ~np.isnan(f[part])
            both = np.concatenate([sizes, f[part][known]])
            sizes = np.unique(both)
            added = np.zeros(len(sizes), np.int64)
            # There are far fewer sizes than cells, so that looking them up is faster than an order of the cells.
            np.add.at(added, np.searchsorted(sizes, both), np.concatenate([records, count[part][known]]))
            records = added
        cumulative = np.cumsum(records)
        return cls(int(records.sum()), sizes, cumulative)

    @property
    def smallest(self) -> float:
        """The smallest frequency: the file is k-anonymous for every k up to it; nan without records."""
        return float(self.sizes[0]) if len(self.sizes) else math.nan

    def violations(self, k: float) -> int:
        """Number of records with f < k."""
        from ..individual import TOLERANCE

        position = int(np.searchsorted(self.sizes, k * (1.0 - TOLERANCE), "left"))
        return int(self.cumulative_records[position - 1]) if position else 0

    def profile(self, most: int = 10) -> tuple[tuple[int, int], ...]:
        """(k, violations) for k = 2 up to `most`."""
        return tuple((k, self.violations(k)) for k in range(2, most + 1))
