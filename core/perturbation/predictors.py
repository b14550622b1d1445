"""Predictors: variables that are released as they are, as numbers that others depend on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.texts import mark
from .method import PerturbationInput
from .numbers import numbers_of

Floats = NDArray[np.float64]

_CATEGORIES = 100
"""Codes of a categorical predictor; each is a column of the matrix."""


def predictor(given: PerturbationInput, name: str) -> Floats:
    """(n, c) a predictor as numbers: itself, or for each code but the first whether it is that."""
    column, variable = given.others[name], given.metadata[name]
    if variable.numeric or not variable.categorical:
        return numbers_of(column, given.metadata.decimal)[:, None]
    if column.n_valid > _CATEGORIES:
        raise DataError(
            "perturbation-many-codes",
            mark("Predictor {variable} has {count} codes; a categorical predictor may have {most}."),
            mark("Leave it out, use a coarser variable, or declare it numerical."),
            variable=name,
            count=column.n_valid,
            most=_CATEGORIES,
        )
    found: Floats = (column.values[:, None] == np.arange(1, max(column.n_valid, 1))[None, :]).astype(np.float64)
    found[column.values >= column.n_valid] = np.nan
    return found
