"""What a method changes as one: records, or households where the variables are theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.texts import mark, plural
from ..data.columns import EncodedColumn
from .method import PerturbationInput


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
        check_shared(given.columns[name], households)
    return Units(first, households, None if given.strata is None else given.strata[first])


def check_shared(column: EncodedColumn, households: NDArray[np.int64]) -> None:
    """Refuse a household variable that has different values within a household.

    Raises
    ------
    DataError
    """
    differing = differing_households(column.values, households)
    if differing:
        raise DataError(
            "perturbation-household-values",
            plural(
                differing,
                "{variable}: the members of {count} household have different values of this household variable.",
                "{variable}: the members of {count} households have different values of this household variable.",
            ),
            mark("Say households = false, or correct the data."),
            variable=column.name,
            count=differing,
        )


def differing_households(values: NDArray[np.unsignedinteger], households: NDArray[np.int64]) -> int:
    """Households whose members have different `values`.

    Parameters
    ----------
    values : (n,) code of each record
    households : (n,) from 0, every number up to the largest has records
    """
    first = np.unique(households, return_index=True)[1]
    return len(np.unique(households[values != values[first][households]]))


def mixed_units(given: PerturbationInput, names: Sequence[str]) -> tuple[str, str] | None:
    """The first of `names` that gets one draw a household, and the first that does not; None where all are alike."""
    shared = {name: given.households_of(name) is not None for name in names}
    if len(set(shared.values())) < 2:
        return None
    return next(name for name in names if shared[name]), next(name for name in names if not shared[name])


def places_of(strata: NDArray[np.int64] | None, count: int) -> list[NDArray[np.int64]]:
    """The places of each stratum among `count` units, ascending; all of them where there are no strata."""
    if strata is None:
        return [np.arange(count)]
    order = np.argsort(strata, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(strata[order])) + 1)
