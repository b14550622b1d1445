"""The keys of a file as they are released, and what was there: what elimination looks at."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn
from ..candidates import positions
from .row_numbers import fold

Ints = NDArray[np.int64]
Numbers = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]

BLOCK = 1 << 16
"""Records looked at in one go: what is made of them stays in the processor's cache."""


@dataclass(frozen=True, eq=False)
class ReleasedKeyFile:
    """The file as it is released, and what was there.

    Attributes
    ----------
    values : k arrays (n,) of the smallest type, the original codes, those that no released record has any more counted
        behind the others
    known : number of codes of each variable that a released record has
    gone : number of codes of each variable that suppression removed from all records
    newly, blank : k arrays (n,), suppressed; suppressed or missing
    unsafe : (n,), lost a value because of the record itself
    intact : k arrays of the smallest type, the distinct complete keys of records that lost nothing
    """

    values: tuple[Numbers, ...]
    known: tuple[int, ...]
    gone: tuple[int, ...]
    newly: tuple[Flags, ...]
    blank: tuple[Flags, ...]
    unsafe: Flags
    intact: tuple[Numbers, ...]

    @classmethod
    def of(
        cls,
        columns: Sequence[EncodedColumn],
        suppressed: Mapping[str, Flags],
        shared: Collection[str],
        progress: Progress = SILENT,
    ) -> ReleasedKeyFile:
        """The file in which `suppressed` values are newly missing; see `elimination.possible_values`."""
        records = len(columns[0].values)
        nothing = np.zeros(records, np.bool_)
        newly = tuple(suppressed.get(column.name, nothing) for column in columns)
        numbered = []
        for column, lost in zip(columns, newly, strict=True):
            progress.check()
            numbered.append(_numbered(column, lost))
        values = tuple(each[0] for each in numbered)
        known, gone = tuple(each[1] for each in numbered), tuple(each[2] for each in numbered)
        blank = tuple(
            lost | (column.values >= column.n_valid) if column.has_missing else lost
            for column, lost in zip(columns, newly, strict=True)
        )
        own = [flags for column, flags in zip(columns, newly, strict=True) if column.name not in shared]
        unsafe = nothing.copy()
        for flags in own:
            unsafe |= flags
        return cls(values, known, gone, newly, blank, unsafe, _intact(values, blank, known, progress))

    @property
    def losing(self) -> list[int]:
        """Variables that lost values."""
        return [j for j, flags in enumerate(self.newly) if flags.any()]

    def vanished(self, j: int, records: Flags | Ints) -> Flags:
        """Whether no released record has the code any more that these had."""
        found: Flags = self.values[j][records] >= self.known[j]
        return found

    def patterns(self) -> Iterator[tuple[list[int], Ints]]:
        """The unsafe records, by the variables that are blank in them."""
        touched = np.flatnonzero(self.unsafe)
        masks = np.zeros(len(touched), np.min_scalar_type((1 << len(self.blank)) - 1))  # few bytes are sorted faster
        for j, flags in enumerate(self.blank):
            masks |= flags[touched].astype(masks.dtype) << masks.dtype.type(j)
        order = np.argsort(masks, kind="stable")
        patterns, starts = np.unique(masks[order], return_index=True)
        for mask, rows in zip(patterns.tolist(), np.split(order, starts[1:]), strict=False):
            yield list(positions(mask)), touched[rows]


def _numbered(column: EncodedColumn, lost: Flags) -> tuple[Numbers, int, int]:
    """The values numbered anew, released codes first; how many codes are released, and how many are so no more."""
    size = max(len(column.codes), 1)
    taken = np.bincount(column.values[lost], minlength=size)
    left = (occurring(column) > taken)[: column.n_valid]
    gone = (taken[: column.n_valid] > 0) & ~left
    number = np.zeros(size, np.min_scalar_type(size))
    number[np.flatnonzero(left)] = np.arange(left.sum())
    number[np.flatnonzero(gone)] = left.sum() + np.arange(gone.sum())
    return number[column.values], int(left.sum()), int(gone.sum())


def occurring(column: EncodedColumn) -> Ints:
    """How many rows have each code, (at least one code,)."""
    size = max(len(column.codes), 1)
    if column.records is None and len(column.counts) == size:
        return column.counts
    return np.bincount(column.values, minlength=size)


def _intact(
    values: Sequence[Numbers], blank: Sequence[Flags], known: Sequence[int], progress: Progress
) -> tuple[Numbers, ...]:
    """The distinct keys of the records without a blank, in the order of their codes, of which so many are `known`."""
    n, sizes = len(blank[0]), [max(1, size) for size in known]
    bound = math.prod(sizes)
    if bound > 4 * n + 4096:
        complete = np.flatnonzero(~np.logical_or.reduce(blank))
        numbers = fold([each[complete] for each in values], sizes, len(complete))[0]
        first = complete[np.unique(numbers, return_index=True)[1]]
        return tuple(each[first] for each in values)
    there = np.zeros(bound, np.bool_)
    for start in range(0, n, BLOCK):
        progress.check()
        part = slice(start, start + BLOCK)
        complete = ~np.logical_or.reduce([flags[part] for flags in blank])
        numbers = fold([each[part] for each in values], sizes, len(complete))[0]
        there[numbers[complete]] = True
    keys = np.count_nonzero(there)
    found = tuple(np.empty(keys, each.dtype) for each in values)
    at = 0
    for start in range(0, bound, BLOCK):
        progress.check()
        some = np.unravel_index(start + np.flatnonzero(there[start : start + BLOCK]), sizes)
        for all_of, codes in zip(found, some, strict=True):
            all_of[at : at + len(codes)] = codes
        at += len(some[0])
    return found
