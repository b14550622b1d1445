"""What counting the members of a household tells of its suppressed values, and what is read off its other members."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.errors import Notice
from ...base.progress import SILENT, Progress
from ...base.texts import mark
from ...data.columns import EncodedColumn

FEWEST = 5
"""Fewer households of a size are no pattern."""
ALWAYS = 0.9
"""Share of the records from which on a value is taken as told: the file need not hold all members."""


def household_leaks(
    columns: Mapping[str, EncodedColumn],
    suppressed: Mapping[str, NDArray[np.bool_]],
    household_of_record: NDArray[np.uint32],
    shared: Collection[str] = (),
    progress: Progress = SILENT,
) -> tuple[Notice, ...]:
    """Warnings about suppressed values that the households of the safe file give away, whatever else is released.

    Parameters
    ----------
    columns : after recoding, released or not: who counts members needs no variable for it
    suppressed : by variable, the newly missing values (n,)
    household_of_record : (n,), as users of the safe file see who lives together
    shared : household variables
    """
    notices = []
    for name, flags in suppressed.items():
        if name not in columns or not flags.any():
            continue
        progress.check()
        found = counted(columns[name], flags, household_of_record)
        if _tells(found):
            notices.append(_counting_notice(name, found))
        if name in shared and (equal := readable(columns[name], flags, household_of_record)):
            notices.append(_single_persons_notice(name, int(flags.sum()), equal))
    return tuple(notices)


class ToldByCount(NamedTuple):
    """Suppressed values of a variable, and how many of them the number of members in the file tells.

    `equal`: those told; `expected`, `spread`: how many chance would tell; `function`: whether the variable follows
    from the number of members in nearly all records, as a household size or a household type by size does.
    """

    suppressed: int
    equal: int
    expected: float
    spread: float
    function: bool


def counted(column: EncodedColumn, flags: NDArray[np.bool_], household_of_record: NDArray[np.uint32]) -> ToldByCount:
    """How many suppressed values follow from the number of members that the file has of the household.

    A number of members tells a value where at least `ALWAYS` of the records in households of that size have it, and
    there are `FEWEST` such households or more; or where the value is that number, as it is nearly everywhere.

    Parameters
    ----------
    flags : the newly missing values (n,)
    household_of_record : (n,), numbered from 0, as users of the safe file see who lives together
    """
    told = _told(column, household_of_record)
    own = column.values[flags].astype(np.int64)
    chance = told.shares[own]
    return ToldByCount(
        int(flags.sum()),
        int((told.place[told.size[flags]] == own).sum()),
        float(chance.sum()),
        float(np.sqrt((chance * (1 - chance)).sum())),
        told.function,
    )


def follows_from_count(column: EncodedColumn, household_of_record: NDArray[np.uint32]) -> bool:
    """Whether the variable says how many members a household has: its size or a type by size, in nearly all records."""
    return _told(column, household_of_record).function


class _Told(NamedTuple):
    """By the number of a size, the place of the code that it tells (-1: none); shares of the codes in the file."""

    size: NDArray[np.intp]
    place: NDArray[np.int64]
    shares: NDArray[np.float64]
    function: bool


def _told(column: EncodedColumn, household_of_record: NDArray[np.uint32]) -> _Told:
    number = np.bincount(household_of_record)
    sizes, of_household = np.unique(number, return_inverse=True)
    size = of_household[household_of_record]
    valid = column.values < column.n_valid
    width = max(1, column.n_valid)
    pairs = size[valid] * width + column.values[valid].astype(np.int64)
    records = np.ones(len(valid), np.int64) if column.records is None else column.records
    flat = np.zeros(len(sizes) * width, np.int64)
    np.add.at(flat, pairs, records[valid])
    table = flat.reshape(len(sizes), width)
    total, most = table.sum(axis=1), table.max(axis=1, initial=0)
    times = np.zeros(len(number), np.int64)
    times[household_of_record] = records
    households = np.bincount(of_household, times, len(sizes))
    telling = (total > 0) & (most >= ALWAYS * total) & (households >= FEWEST)
    told = np.where(telling, table.argmax(axis=1), -1)
    said = _number_itself(column, sizes)
    known = np.flatnonzero(said >= 0)
    if table[known, said[known]].sum() >= ALWAYS * table.sum():
        told = np.where(telling | (said < 0), told, said)
    right = table[np.flatnonzero(told >= 0), told[told >= 0]].sum()
    n = max(1, int(table.sum()))
    shares = table.sum(axis=0) / n
    best = float(shares.max(initial=0.0))
    more = right / n - best  # than by guessing the most frequent value
    return _Told(size, told, shares, bool(right >= ALWAYS * n and more > 0 and more >= (1 - best) / 2))


def _number_itself(column: EncodedColumn, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each size the place of the code that is this number; -1 where none is."""
    places: dict[int, int] = {}
    for place in range(column.n_valid):
        text = column.codes[place]
        if text.isascii() and text.isdecimal() and len(text) < 10:
            places.setdefault(int(text), place)
    return np.array([places.get(size, -1) for size in sizes.tolist()], np.int64)


def readable(column: EncodedColumn, flags: NDArray[np.bool_], household_of_record: NDArray[np.uint32]) -> int:
    """How many suppressed values of a household variable another record with the same written identifier has."""
    left = (column.values < column.n_valid) & ~flags
    seen = np.zeros(int(household_of_record.max(initial=0)) + 1, np.bool_)
    seen[household_of_record[left]] = True
    return int(seen[household_of_record[flags]].sum())


def _tells(found: ToldByCount) -> bool:
    """Whether a function of the number of members tells any value, or another variable more than chance explains."""
    if found.function:
        return found.equal > 0
    by_chance = found.expected + 3 * found.spread
    return found.equal >= FEWEST and found.equal > by_chance and found.equal - found.expected >= 0.05 * found.suppressed


def _counting_notice(name: str, found: ToldByCount) -> Notice:
    return Notice.of(
        "household-count-gives-away",
        mark(
            "{equal} of {suppressed} suppressed values of {variable} follow from the number of members (by chance "
            "{expected}): users of the safe file can see who lives together, and count. Remove the household "
            "identifier and let the members stand apart, in random order; or never suppress {variable} (Specify "
            "Metadata), so that other values go in its place."
        ),
        where=name,
        equal=found.equal,
        suppressed=found.suppressed,
        variable=name,
        expected=round(found.expected),
    )


def _single_persons_notice(name: str, suppressed: int, equal: int) -> Notice:
    return Notice.of(
        "single-persons-give-away",
        mark(
            "{equal} of {suppressed} suppressed values of the household variable {variable} can be read off other "
            "records with the same household identifier: they are treated as single persons, but the safe file keeps "
            "the identifier that they share. Replace it by a sequence number, or remove it."
        ),
        where=name,
        equal=equal,
        suppressed=suppressed,
        variable=name,
    )
