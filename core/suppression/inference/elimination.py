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

from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn
from .household_elimination import in_households
from .released_key_file import BLOCK, ReleasedKeyFile
from .row_numbers import LARGEST, fold

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
        for j, here, numbers in _of_pattern(file, blanks, records, progress):
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


def _of_pattern(
    file: ReleasedKeyFile, blanks: Sequence[int], records: Ints, progress: Progress
) -> Iterator[tuple[int, Ints, Ints]]:
    """For each variable blank in `records`: the records that lost its value, and how many are possible for each."""
    asked, of_intact = _numbers(file, [j for j in range(len(file.values)) if j not in blanks], records)
    keys = _AskedKeys(asked, of_intact.bound, len(file.intact[0]))
    losing = [j for j in blanks if file.newly[j][records].any()]
    met = [_Met(len(keys) * file.known[j], len(file.intact[0])) for j in losing]
    for start in range(0, len(file.intact[0]), BLOCK):
        progress.check()
        part = slice(start, start + BLOCK)
        key = keys.find(of_intact.of(part))
        there = np.flatnonzero(key >= 0)
        for j, values in zip(losing, met, strict=True):
            values.add(key[there] * file.known[j] + file.intact[j][part][there])
    for j, values in zip(losing, met, strict=True):
        lost = file.newly[j][records]
        size, needed = file.known[j], math.prod(file.known[other] for other in blanks if other != j)
        impossible = values.so_often(needed)
        left = size - np.bincount(impossible // max(1, size), minlength=len(keys))
        key, own = keys.of_record[lost], file.values[j][records[lost]]
        vanished = file.vanished(j, records[lost])
        excluded = np.isin(key * size + own, impossible) & ~vanished
        yield j, records[lost], left[key] + np.where(vanished, file.gone[j], excluded)


class _IntactNumbers:
    """Numbers of the intact keys that say their values on some variables, some keys at a time.

    `made` : of all; None: they are folded when they are asked for.
    """

    def __init__(self, columns: Sequence[Numbers], sizes: Sequence[int], bound: int, made: Numbers | None) -> None:
        self._columns, self._sizes, self.bound, self._made = columns, sizes, bound, made

    def of(self, part: slice) -> Numbers:
        """Those of a part of the keys."""
        if self._made is not None:
            return self._made[part]
        columns = [column[part] for column in self._columns]
        return fold(columns, self._sizes, len(range(*part.indices(len(self._columns[0])))))[0]


def _numbers(file: ReleasedKeyFile, remaining: Sequence[int], records: Ints) -> tuple[Numbers, _IntactNumbers]:
    """Numbers that say the values on the variables `remaining`: of `records`, and of the intact keys."""
    columns, sizes = [file.intact[j] for j in remaining], [max(1, file.known[j]) for j in remaining]
    asked = [file.values[j][records] for j in remaining]
    if remaining and math.prod(sizes) <= LARGEST:
        number, bound = fold(asked, sizes, len(records))
        return number, _IntactNumbers(columns, sizes, bound, None)
    both = [np.concatenate(pair) for pair in zip(asked, columns, strict=True)]
    number, bound = fold(both, sizes, len(records) + len(file.intact[0]))
    return number[: len(records)], _IntactNumbers(columns, sizes, bound, number[len(records) :])


class _AskedKeys:
    """The distinct numbers that are asked about; `of_record`: which of them each one is, (a,)."""

    def __init__(self, asked: Numbers, bound: int, others: int) -> None:
        self._found, self._place = np.zeros(0, np.int64), np.zeros(0, np.int64)
        if bound > 4 * (len(asked) + others) + 4096:
            self._found, of_record = np.unique(asked, return_inverse=True)
            self.of_record: Ints = of_record.astype(np.int64)
            self._number = len(self._found)
            return
        self._place = np.full(bound, -1, np.int32 if bound < 1 << 31 else np.int64)
        self._place[asked] = 0
        there = np.flatnonzero(self._place == 0)
        self._place[there] = np.arange(len(there))
        self.of_record, self._number = self._place[asked].astype(np.int64), len(there)

    def __len__(self) -> int:
        return self._number

    def find(self, numbers: Numbers) -> Ints:
        """Which of them each of the `numbers` is; -1: none."""
        if len(self._place):
            found: Ints = self._place[numbers].astype(np.int64)
            return found
        place = np.minimum(np.searchsorted(self._found, numbers), self._number - 1)
        return np.where(self._found[place] == numbers, place, -1)


class _Met:
    """How often numbers below a bound were met, `most` altogether at most."""

    def __init__(self, bound: int, most: int) -> None:
        self._dense = np.zeros(bound, np.uint32) if bound <= 4 * most + 4096 else None
        self._pending: list[Ints] = []

    def add(self, numbers: Ints) -> None:
        """Meet some."""
        if self._dense is None:
            self._pending.append(numbers)
        else:
            np.add.at(self._dense, numbers, np.uint32(1))

    def so_often(self, times: int) -> Ints:
        """The numbers met exactly so often, at least once, ascending."""
        if not 0 < times < 1 << 32:
            return np.zeros(0, np.int64)
        if self._dense is not None:
            return np.flatnonzero(self._dense == times)
        numbers, met = np.unique(np.concatenate([*self._pending, np.zeros(0, np.int64)]), return_counts=True)
        found: Ints = numbers[met == times]
        return found
