"""The same records twice: variables of the original, recoded as the released ones are, beside the released ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..data.columns import EncodedColumn
from ..perturbation.numbers import numbers_of, parsed_number
from ..suppression.costs import entropy

Places = NDArray[np.int64]
Floats = NDArray[np.float64]
Pair = tuple[Floats, Floats]
Value = TypeVar("Value", bound=np.generic)
Made = TypeVar("Made")

LARGEST = 1e70
"""Of larger numbers the product of two sums of squares is no float64 any more."""
_TABLE = 1 << 16
"""Combinations that are counted in a table, however few records there are."""


@dataclass(frozen=True, eq=False)
class ComparedVariable:
    """A variable of the original, recoded as the released one is, and as released.

    Attributes
    ----------
    before, after : of the same records, in the same order
    is_number : whether it is a number; else its codes are categories
    decimals : the decimal mark of the numbers in `before` and in `after`
    unrecoded : the original before its recode; None where nothing is recoded
    """

    before: EncodedColumn
    after: EncodedColumn
    is_number: bool = False
    decimals: tuple[str, str] = (".", ".")
    unrecoded: EncodedColumn | None = None

    @property
    def name(self) -> str:
        """Its name."""
        return self.before.name

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """Codes that are no missing codes: those of the original, then those that only the released file has."""
        both = (*self.before.codes[: self.before.n_valid], *self.after.codes[: self.after.n_valid])
        return tuple(dict.fromkeys(both))

    @cached_property
    def places(self) -> tuple[Places, Places]:
        """(n,) int64 before and after: place of each record's code in `codes`; ``len(codes)`` where it is missing."""
        place = {code: number for number, code in enumerate(self.codes)}
        return _placed(self.before, place), _placed(self.after, place)

    @cached_property
    def numbers(self) -> Pair:
        """(n,) float64 before and after: each record's number; nan where it is missing, no number or too large."""
        before, after = map(_reckoned, self._as_written)
        return before, after

    @cached_property
    def _as_written(self) -> Pair:
        """The same, however large."""
        return _numbers(self.before, self.decimals[0]), _numbers(self.after, self.decimals[1])

    @property
    def too_large(self) -> bool:
        """Whether it has numbers that are left out of all figures of numbers, because they are above `LARGEST`."""
        return self.is_number and any(x is not y for x, y in zip(self.numbers, self._as_written, strict=True))

    @cached_property
    def missing(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """(n,) bool before and after: whether each record has no value."""
        return self.before.values >= self.before.n_valid, self.after.values >= self.after.n_valid

    @property
    def changed(self) -> int:
        """Records whose value is another one, or missing, in the released file."""
        if self.is_number:  # which may be written otherwise, and be the same
            x, y = self._as_written
            return int(np.count_nonzero((x != y) & ~(np.isnan(x) & np.isnan(y))))
        before, after = self.places
        return int(np.count_nonzero(before != after))

    @property
    def recode_removed(self) -> float | None:
        """Share of the entropy of the original codes that the recode took; None where nothing is recoded."""
        if self.unrecoded is None:
            return None
        had = entropy(self.unrecoded)
        return 0.0 if had == 0 else 1.0 - entropy(self.before) / had


def _placed(column: EncodedColumn, place: Mapping[str, int]) -> Places:
    lut = np.full(len(column.codes), len(place), np.int64)
    lut[: column.n_valid] = [place[code] for code in column.codes[: column.n_valid]]
    found: Places = lut[column.values]
    return found


def numbers_or_nan(column: EncodedColumn, decimal: str = ".") -> Floats:
    """(n,) float64 the values of a column; nan where one is missing or no number, as what replaces a top code.

    Nan, too, where one is larger than `LARGEST`.
    """
    return _reckoned(_numbers(column, decimal))


def _reckoned(numbers: Floats) -> Floats:
    """`numbers` themselves, or without those above `LARGEST`."""
    beyond = np.abs(numbers) > LARGEST
    return np.where(beyond, np.nan, numbers) if beyond.any() else numbers


def _numbers(column: EncodedColumn, decimal: str) -> Floats:
    try:
        return numbers_of(column, decimal)
    except DataError:  # some are no numbers, or very large: look at each
        pass
    numbers = np.full(len(column.codes), np.nan)
    for place, text in enumerate(column.codes[: column.n_valid]):
        number = parsed_number(text, decimal)
        if number is not None:
            numbers[place] = float(number)
    return np.asarray(numbers[column.values], np.float64)


@dataclass(frozen=True, eq=False)
class ComparedFile:
    """Variables of the original and of the released file, record by record.

    Attributes
    ----------
    variables : by name
    weights : (n,) float64 in the original and in the released file; None where the released file has no weights, so
        that nobody can count by them
    """

    variables: Mapping[str, ComparedVariable]
    records: int
    weights: Pair | None = None

    @cached_property
    def counted(self) -> Pair:
        """(n,) float64 what each record counts for, before and after: its weight, or 1."""
        if self.weights is not None:
            return self.weights
        ones = np.ones(self.records)
        return ones, ones

    def some(self, names: Sequence[str]) -> tuple[ComparedVariable, ...]:
        """The variables `names`."""
        return tuple(self.variables[name] for name in names)


class ComparedRecords(Protocol):
    """Records of both files, in their order: those of a file in memory, or of one of its parts."""

    @property
    def weights(self) -> Pair | None:
        """(n,) float64 in the original and in the released file; None where every record counts for one."""

    def __len__(self) -> int:
        """Their number n."""

    def of_records(self, name: str, values: NDArray[Value]) -> NDArray[Value]:
        """(n,) of `values`, one for each row of the variable `name`, those of the records."""

    def numbers(self, variable: ComparedVariable, side: int) -> Floats:
        """(n,) float64 the number of each record, before (0) or after (1); nan where there is none."""

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives, which is the same for the same `key` and records."""


@dataclass(frozen=True, eq=False)
class AllRecords:
    """The records of a file in memory, whose rows they are; see `ComparedRecords`."""

    file: ComparedFile
    _made: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def weights(self) -> Pair | None:
        """See `ComparedRecords`."""
        return self.file.weights

    def __len__(self) -> int:
        return self.file.records

    def of_records(self, name: str, values: NDArray[Value]) -> NDArray[Value]:
        """The values themselves."""
        return values

    def numbers(self, variable: ComparedVariable, side: int) -> Floats:
        """See `ComparedRecords`."""
        return variable.numbers[side]

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """See `ComparedRecords`: these records are given again and again."""
        if key not in self._made:
            self._made[key] = make()
        found: Made = self._made[key]
        return found


def counted(records: ComparedRecords, weighted: bool) -> Pair:
    """(n,) what each record counts for, before and after."""
    if weighted and records.weights is not None:
        return records.weights
    ones = np.ones(len(records))
    return ones, ones


@dataclass(frozen=True, eq=False)
class JointCodes:
    """Combinations of codes that occur.

    Attributes
    ----------
    keys : (m, variables) int64, places of their codes, in lexical order
    of_record : (n,) int64, which of them each record has; -1 for none
    """

    keys: Places
    of_record: Places

    def sums(self, weights: Floats, shift: int = 0) -> Floats:
        """(m,) float64 sum of the `weights` of the records with each combination, these from record `shift` on."""
        place = self.of_record[shift : shift + len(weights)]
        there = place >= 0
        return np.bincount(place[there], weights[there], minlength=len(self.keys)).astype(np.float64)


def joint_codes(places: Sequence[Places], sizes: Sequence[int], whole: bool = True) -> JointCodes:
    """The combinations of the codes at `places` that occur.

    Parameters
    ----------
    places : (n,) each, from 0; ``sizes[j]`` and beyond where the value is missing
    whole : whether records with a missing value have none; else missing is a code like any other
    """
    key, keys = np.zeros(len(places[0]), np.int64), np.zeros((1, 0), np.int64)
    for place, size in zip(places, sizes, strict=True):
        wide = size + 1
        # only what occurs is counted on, so that a product of two numbers never overflows
        distinct, key = _distinct(key * wide + np.minimum(place, size), len(keys) * wide)
        keys = np.column_stack([keys[distinct // wide], distinct % wide])
    if whole:
        complete = (keys < np.asarray(sizes)).all(axis=1)
        new = np.where(complete, np.cumsum(complete) - 1, -1)
        keys, key = keys[complete], new[key]
    return JointCodes(keys, key)


def _distinct(values: Places, below: int) -> tuple[Places, Places]:
    """The distinct ones of `values` (n,), from 0 to before `below`, ascending, and the place of each among them."""
    if below > max(4 * len(values), _TABLE):
        found, place = np.unique(values, return_inverse=True)
        return found, place.reshape(-1).astype(np.int64)
    occurring = np.bincount(values, minlength=below) > 0
    number = np.cumsum(occurring) - 1
    return np.flatnonzero(occurring).astype(np.int64), number[values].astype(np.int64)
