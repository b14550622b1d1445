"""Whether suppression takes so much that the codes should be made coarser first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

OF_VALUES, OF_RECORDS = 0.1, 0.5
"""Shares of a variable's values, and of the records, above which suppression is no longer the means."""


@dataclass(frozen=True)
class Burden:
    """A loss above `OF_VALUES` or `OF_RECORDS`.

    Attributes
    ----------
    variable : which loses the largest share of its values
    values : that share, 0 to 1
    records : share of the records that lose a value, at most (of several tables they are added up)
    """

    variable: str
    values: float
    records: float


def burden(
    by_variable: Iterable[Mapping[str, int]], touched: Iterable[int], filled: Mapping[str, int], records: int
) -> Burden | None:
    """The loss of a plan or a forecast where it is large; None where it is not.

    Parameters
    ----------
    by_variable : newly missing values by variable, of each table
    touched : records with a newly missing value, of each table
    filled : records with a value, by variable
    records : in all
    """
    lost: dict[str, int] = {}
    for each in by_variable:
        for name, count in each.items():
            lost[name] = lost.get(name, 0) + count
    shares = {name: count / filled[name] for name, count in lost.items() if filled.get(name)}
    if not shares or not records:
        return None
    variable = max(shares, key=lambda name: shares[name])
    of_records = min(1.0, sum(touched) / records)
    if shares[variable] <= OF_VALUES and of_records <= OF_RECORDS:
        return None
    return Burden(variable, shares[variable], of_records)
