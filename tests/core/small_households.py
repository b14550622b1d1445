"""Households of small files, for tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.columns import EncodedColumn
from core.data.households import Households, households_of
from core.recipe.model import HouseholdSettings as Settings


def households(identifiers: Sequence[int], settings: Settings | None = None) -> Households:
    """Households of a column of identifiers."""
    found, values = np.unique(np.array(identifiers), return_inverse=True)
    codes = tuple(map(str, found.tolist()))
    counts = np.bincount(values, minlength=len(codes))
    return households_of(EncodedColumn("HH", values.astype(np.uint32), codes, codes, counts, len(codes), 4), settings)
