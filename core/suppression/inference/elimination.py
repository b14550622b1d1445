"""Elimination: the values that suppression by cells leaves possible for each blank.

Where every record of a cell is treated alike, a key that the safe file has intact was safe. So no blank hides a value
that, with the record's other values, makes such a key. What is left are the values possible; where it is one, the
blank is certain.

Shares no code with what chose the suppressions; works on distinct keys, in NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn
from core.suppression.inference.household_elimination import in_households
from core.suppression.inference.released_key_file import ReleasedKeyFile
from core.verification.recount import fold

Ints = NDArray[np.int64]
Numbers = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Inference:
    """Numbers of values possible for the blanks of a table.

    Attributes
    ----------
    candidates : number of values -> number of blanks
    counted : blanks with one value possible for somebody who also counts in the safe file; None: that was not looked at
    """

    candidates: Mapping[int, int]
    counted: int | None = None

    @classmethod
    def of(cls, possible: Iterable[Ints]) -> Inference:
        """The figures of all blanks of some variables, from `possible_values`."""
        numbers, blanks = np.unique(np.concatenate([*possible, np.zeros(0, np.int64)]), return_counts=True)
        return cls(dict(zip(numbers.tolist(), blanks.tolist(), strict=True)))

    @property
    def blanks(self) -> int:
        """Newly suppressed values."""
        return sum(self.candidates.values())

    @property
    def certain(self) -> int:
        """Those with one value possible."""
        return self.candidates.get(1, 0)

    def summary(self) -> dict[str, object]:
        """As the summary's ``inference``."""
        numbers = {str(values): blanks for values, blanks in self.candidates.items()}
        more = {} if self.counted is None else {"certain_by_counting": self.counted}
        return {"blanks": self.blanks, "certain": self.certain, "candidates": numbers, **more}


def possible_values(
    columns: Sequence[EncodedColumn],
    suppressed: Mapping[str, Flags],
    shared: Collection[str] = (),
    progress: Progress = SILENT,
    household_of_record: NDArray[np.uint32] | None = None,
    same: Collection[str] = (),
) -> dict[str, Ints]:
    """How many values are possible for each newly suppressed value.

    A *completion* of a released key puts a code that the released column has in place of each of its blanks. One that
    the safe file has intact is impossible; a value is possible if some completion with it is. Originally missing
    values look like suppressed ones and are filled in likewise: a record that lacks a value is judged by the margin
    of the values that it has, which pools its completions, so that were they all safe, it would be so too.

    The suppressed value itself always counts as possible. If no released record has its code any more, so do all codes
    of which that holds: that they exist is known from elsewhere, and a guess that leaves them out is wrong.

    Parameters
    ----------
    columns : all variables by which it is decided whether a record loses values, after recoding, (n,) values each;
        records that agree on all of them must be treated alike
    suppressed : by variable, the newly missing values (n,)
    shared : variables that a record may also lose because of others (household variables): where it lost no other
        one, its own key may be a safe one, and no code is impossible but by what its household tells
    household_of_record, same : (n,), who lives together, and the household variables; None: that is not looked at

    Returns
    -------
    By variable that lost values one number (at least 1) a newly missing value, in the order of the records.

    References
    ----------
    A count over intact keys: a value v of variable j is impossible for a key with blanks P if as many intact keys
    agree with the key outside P and have v as there are completions, the product of the numbers of codes in P without
    j.
    """
    file = ReleasedKeyFile.of(columns, suppressed, shared, progress)
    found = {columns[j].name: np.zeros(int(file.newly[j].sum()), np.int64) for j in file.losing}
    place = {j: np.cumsum(file.newly[j]) - 1 for j in file.losing}
    for j in file.losing:
        lost = file.newly[j] & ~file.unsafe
        found[columns[j].name][place[j][lost]] = file.known[j] + np.where(file.vanished(j, lost), file.gone[j], 0)
    for blanks, records in file.patterns():
        progress.check()
        for j, here, numbers in _of_pattern(file, blanks, records):
            found[columns[j].name][place[j][here]] = numbers
    if household_of_record is not None:
        places = [j for j, column in enumerate(columns) if column.name in same]
        for j, record, number in in_households(file, places, household_of_record, progress):
            found[columns[j].name][place[j][record]] = number
    return found


def possible_by_released_keys(columns: Sequence[EncodedColumn], suppressed: Mapping[str, Flags]) -> dict[str, Ints]:
    """The same where records of safe keys are lent, so that an intact key excludes no value.

    Every code of the variable is possible, but where all records of the released key had one original key: that is
    certain.
    """
    blank = {c.name: suppressed.get(c.name, np.zeros(len(c.values), np.bool_)) for c in columns}
    codes = [np.minimum(c.values.astype(np.int64), c.n_valid) for c in columns]
    left = [np.where(blank[c.name], c.n_valid, code) for c, code in zip(columns, codes, strict=True)]
    sizes, records = [c.n_valid + 1 for c in columns], len(codes[0])
    was = np.unique(fold(codes, sizes, records)[0], return_inverse=True)[1]
    key = np.unique(fold(left, sizes, records)[0], return_inverse=True)[1]
    lowest, highest = np.full(records, records), np.full(records, -1)
    np.minimum.at(lowest, key, was)
    np.maximum.at(highest, key, was)
    alone = (lowest == highest)[key]
    found = {}
    for column in columns:
        lost = blank[column.name]
        if lost.any():
            occurring = int((np.bincount(column.values, minlength=len(column.codes))[: column.n_valid] > 0).sum())
            found[column.name] = np.where(alone[lost], 1, occurring)
    return found


def _of_pattern(file: ReleasedKeyFile, blanks: Sequence[int], records: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """For each variable blank in `records`: the records that lost its value, and how many are possible for each."""
    remaining = [j for j in range(len(file.values)) if j not in blanks]
    both = [np.concatenate([file.values[j][records], file.intact[j]]) for j in remaining]
    sizes = [max(1, file.known[j]) for j in remaining]
    numbers, bound = fold(both, sizes, len(records) + len(file.intact[0]))
    key_of_record, meeting, key_of_meeting, keys = _meeting(numbers[: len(records)], numbers[len(records) :], bound)
    for j in blanks:
        lost = file.newly[j][records]
        if not lost.any():
            continue
        size, needed = file.known[j], math.prod(file.known[other] for other in blanks if other != j)
        value, times = np.unique(key_of_meeting * size + file.intact[j][meeting], return_counts=True)
        impossible = value[times == needed]
        left = size - np.bincount(impossible // max(1, size), minlength=keys)
        key, own = key_of_record[lost], file.values[j][records[lost]]
        vanished = file.vanished(j, records[lost])
        excluded = np.isin(key * size + own, impossible) & ~vanished
        yield j, records[lost], left[key] + np.where(vanished, file.gone[j], excluded)


def _meeting(asked: Numbers, given: Numbers, bound: int) -> tuple[Ints, Ints, Ints, int]:
    """Number the distinct `asked`: that of each; the places in `given` with one of them, and which; how many."""
    if bound > 4 * (len(asked) + len(given)) + 4096:
        found, of_asked = np.unique(asked, return_inverse=True)
        place = np.minimum(np.searchsorted(found, given), len(found) - 1)
        meeting = np.flatnonzero(found[place] == given)
        return of_asked.astype(np.int64), meeting, place[meeting].astype(np.int64), len(found)
    number = np.full(bound, -1)
    number[asked] = 0
    there = np.flatnonzero(number == 0)
    number[there] = np.arange(len(there))
    meeting = np.flatnonzero(number[given] >= 0)
    return number[asked], meeting, number[given[meeting]], len(there)
