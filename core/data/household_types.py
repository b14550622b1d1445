"""Household type by composition: households whose members have the same values, in whatever order, are of one type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from .columns import EncodedColumn
from .encoding import frozen, smallest_type
from .households import Households

Content = tuple[tuple[int, tuple[int, ...]], ...]
"""How many members have which values (places among the codes of each member variable), in the order of the values."""


@dataclass(frozen=True, eq=False)
class Composition:
    """Household types as a key variable.

    Attributes
    ----------
    column : the type of each record's household; codes are 1, 2, 3, … from the type that most households have
    contents : of each type
    """

    column: EncodedColumn
    contents: tuple[Content, ...]

    def labels(self, members: Sequence[EncodedColumn], labels: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
        """By code what its households consist of; `labels` of the member variables' codes, by variable."""

        def value(place: int, column: EncodedColumn) -> str:
            if place == column.n_valid and column.n_missing_codes > 1:
                return f"{column.name} {translate(mark('missing'))}"  # whichever of its codes
            code = column.codes[place]
            told = labels.get(column.name, {}).get(code)
            return told or f"{column.name} {code or translate(mark('(empty)'))}"

        def text(content: Content) -> str:
            return ", ".join(f"{count} {' '.join(map(value, places, members))}" for count, places in content)

        return dict(zip(self.column.codes, map(text, self.contents), strict=True))


def household_types(
    name: str, households: Households, members: Sequence[EncodedColumn], progress: Progress = SILENT
) -> Composition:
    """The types of households by their members' values: a missing value is a value, all missing codes the same one.

    Parameters
    ----------
    name : of the new variable
    members : columns of the n records, after recoding; at least one

    Returns
    -------
    Of equally frequent types the one with fewer members comes first, then the one whose values do.
    """
    of_record, combinations = codes_together([_with_one_missing_code(column) for column in members], progress)
    home = households.household_of_record[households.members]
    sorted_members = of_record[households.members][np.lexsort((of_record[households.members], home))]
    type_of_household, found = _same_contents(sorted_members, households, progress)
    every = households.of_file(np.arange(len(households)))
    counts = np.bincount(type_of_household[every], minlength=len(found))
    ranked = sorted(range(len(found)), key=lambda kind: (-counts[kind], len(found[kind]), found[kind]))
    number = np.empty(len(found), np.int64)
    number[ranked] = np.arange(len(ranked))
    kinds = number[type_of_household]
    sizes = households.of_file(households.size)
    records = np.bincount(kinds[every], weights=sizes, minlength=len(found)).astype(np.int64)
    codes = tuple(str(kind + 1) for kind in range(len(found)))
    width = max(map(len, codes), default=1)
    small: NDArray[np.unsignedinteger] = kinds.astype(smallest_type(max(len(codes), 1)))
    values = small[households.household_of_record]
    padded = tuple(code.rjust(width) for code in codes)
    of_rows = households.records_of_rows
    column = EncodedColumn(name, frozen(values), codes, padded, frozen(records), len(codes), width, of_rows)
    return Composition(column, tuple(_content(found[kind], combinations) for kind in ranked))


def _with_one_missing_code(column: EncodedColumn) -> EncodedColumn:
    """`column` with the first missing code in place of each: which one a person has is no characteristic."""
    if column.n_missing_codes < 2:
        return column
    return replace(column, values=np.minimum(column.values, column.values.dtype.type(column.n_valid)))


def codes_together(columns: Sequence[EncodedColumn], progress: Progress) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of each record (n,) a number of its values together, in their order, and the places of each number's values."""
    of_record = np.zeros(len(columns[0].values), np.int64)
    places = np.zeros((1, 0), np.int64)
    for column in columns:
        progress.check()
        met, of_record = np.unique(of_record * len(column.codes) + column.values, return_inverse=True)
        before, place = np.divmod(met, len(column.codes))
        places = np.column_stack((places[before], place))
    return of_record, places


def _same_contents(
    members: NDArray[np.int64], households: Households, progress: Progress
) -> tuple[NDArray[np.int64], list[tuple[int, ...]]]:
    """A number of each household's content, and the contents; `members` are sorted within each household."""
    kinds = np.empty(len(households), np.int64)
    found: list[tuple[int, ...]] = []
    for size in np.unique(households.size).tolist():
        progress.check()
        here = np.flatnonzero(households.size == size)
        rows = members[households.starts[here][:, None] + np.arange(size)]
        contents, which = np.unique(rows, axis=0, return_inverse=True)
        kinds[here] = which.reshape(-1) + len(found)
        found += map(tuple, contents.tolist())
    return kinds, found


def _content(members: tuple[int, ...], combinations: NDArray[np.int64]) -> Content:
    return tuple((len(list(same)), tuple(combinations[values].tolist())) for values, same in groupby(members))
