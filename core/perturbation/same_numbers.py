"""The promise that a variable has the same numbers as before, whichever records have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ..base.errors import Notice
from ..base.texts import mark
from ..data.columns import EncodedColumn
from .method import PerturbationInput
from .numbers import numbers_of
from .units import units_of


def other_numbers(given: PerturbationInput, columns: Mapping[str, EncodedColumn]) -> Iterator[Notice]:
    """Variables in which a stratum has other numbers than before, whichever records have them."""
    decimal = given.metadata.decimal
    for name, before in given.columns.items():
        units = units_of(given, [name])
        old, new = (numbers_of(column, decimal)[units.first] for column in (before, columns[name]))
        strata = np.zeros(len(old), np.int64) if units.strata is None else units.strata
        if not np.array_equal(old[np.lexsort((old, strata))], new[np.lexsort((new, strata))], equal_nan=True):
            yield Notice.of(
                "perturbation-other-numbers",
                mark("{variable} has not the same numbers as before."),
                where=name,
                variable=name,
            )
