"""What a method changes as one: records, or households where the variables are theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.errors import DataError
from core.base.texts import mark
from core.perturbation.method import PerturbationInput


@dataclass(frozen=True, eq=False)
class Units:
    """Records, or households.

    Attributes
    ----------
    first : (u,) a record of each unit
    of_record : (n,) the unit of each record
    strata : (u,) the stratum of each unit, that of its first record; None: all are one
    """

    first: NDArray[np.int64]
    of_record: NDArray[np.int64]
    strata: NDArray[np.int64] | None


def units_of(given: PerturbationInput, names: Sequence[str]) -> Units:
    """The households where those of `names` get one draw each, else the records.

    Parameters
    ----------
    names : variables that all get one draw a household, or none of them

    Raises
    ------
    DataError
        Members of a household with different values.
    """
    households = given.households_of(names[0])
    if households is None:
        every = np.arange(len(given.columns[names[0]].values))
        return Units(every, every, given.strata)
    first = np.unique(households, return_index=True)[1]
    for name in names:
        values = given.columns[name].values
        differing = np.unique(households[values != values[first][households]])
        if differing.size:
            raise DataError(
                "perturbation-household-values",
                mark("{variable}: the members of {count} households have different values of this household variable."),
                mark("Say households = false, or correct the data."),
                variable=name,
                count=len(differing),
            )
    return Units(first, households, None if given.strata is None else given.strata[first])


def places_of(strata: NDArray[np.int64] | None, count: int) -> list[NDArray[np.int64]]:
    """The places of each stratum among `count` units, ascending; all of them where there are no strata."""
    if strata is None:
        return [np.arange(count)]
    order = np.argsort(strata, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(strata[order])) + 1)
