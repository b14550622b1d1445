"""Counting once more, for the check of a written file: plain NumPy, sharing no code with the rest.

Rows are the distinct keys of both files, the original and the written one; a code is 0 where the value is missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Codes = NDArray[np.integer[Any]]
"""Codes or numbers of records, in any type of whole number."""

LARGEST = 1 << 62
_EXACT = float(1 << 53)
_CHUNK = 1 << 16
"""Records looked at in one go: what is made of them stays in the processor's cache."""
_DENSE = 2
"""So many possible numbers a record are looked up in a table; of more those that occur are found otherwise."""
_FLAGS_A_RECORD, _FLAGS = 64, 1 << 26
"""So many possible numbers, a record and at all, have a flag each; of more those that occur are found by
sorting."""
_RARE = 8
"""Where fewer than one in so many numbers are wanted, the others are passed over."""
_FEW = 4
"""Where fewer than one row in so many is asked for, they are gone through by themselves."""
_MERGE_AT = 1 << 22
_HELD_ROWS = 1 << 22
"""Codes of so many rows are looked up at once."""


@dataclass(frozen=True, eq=False)
class Tally:
    """How many records of a file have each row, and the sum of their weights.

    Attributes
    ----------
    records : (R,) whole numbers, in the smallest type
    limbs, decimals : the weight is the sum over l of ``limbs[l] / 10**decimals[l]``, (R,) each; None: the records
    """

    records: Codes
    limbs: tuple[Codes | Floats, ...] | None = None
    decimals: tuple[int, ...] = ()

    @property
    def count(self) -> Floats:
        """(R,) the records as floats."""
        return self.records.astype(np.float64)

    @property
    def weight(self) -> Floats:
        """(R,) the sums of weights."""
        return self.weight_at(slice(None))

    def weight_at(self, rows: slice | Codes) -> Floats:
        """The sums of weights of some rows."""
        if self.limbs is None:
            return self.records[rows].astype(np.float64)
        first, *rest = (limb[rows] / 10.0**places for limb, places in zip(self.limbs, self.decimals, strict=True))
        total: Floats = first + 0.0
        for more in rest:
            total += more
        return total

    def present(self) -> Codes:
        """Rows that occur."""
        return _places(len(self.records), lambda part: self.records[part] > 0)


@dataclass(frozen=True, eq=False)
class DistinctKeys:
    """R distinct keys on k variables.

    Attributes
    ----------
    codes : k arrays (R,), 0 = missing, in the smallest types
    sizes : k numbers, one more than the largest code
    patterns : (R,) bit j set where variable j has a value, in the smallest type
    """

    codes: tuple[Codes, ...]
    sizes: tuple[int, ...]
    patterns: Codes
    _numbers: dict[int, tuple[Codes, int]] = field(default_factory=dict)

    @property
    def all(self) -> int:
        """The pattern of a row with all values."""
        return (1 << len(self.codes)) - 1

    def numbered(self, common: int) -> tuple[Codes, int]:
        """A number for each row that says its values on the variables of a mask, and the bound of these numbers."""
        if common not in self._numbers:
            chosen = [j for j in range(len(self.codes)) if common >> j & 1]
            columns, sizes = [self.codes[j] for j in chosen], [self.sizes[j] for j in chosen]
            n, bound = len(self.patterns), math.prod(sizes)
            if bound > LARGEST or not chosen:
                self._numbers[common] = fold(columns, sizes, n)
            else:
                number = np.empty(n, _type(bound))
                for part, folded in _NumberedRecords(columns, sizes).blocks():
                    number[part] = folded
                self._numbers[common] = number, bound
        return self._numbers[common]

    def numbers_of(self, common: int, some: slice | Codes) -> Codes:
        """The numbers of some rows, as `numbered` gives them, but not made for all where that can be avoided."""
        chosen = [j for j in range(len(self.codes)) if common >> j & 1]
        if not chosen or math.prod(self.sizes[j] for j in chosen) > LARGEST:
            return self.numbered(common)[0][some]
        columns = [self.codes[j][some] for j in chosen]
        return fold(columns, [self.sizes[j] for j in chosen], len(columns[0]))[0]

    def some(self, rows: Codes) -> DistinctKeys | None:
        """Some of them, with the same numbers; None of very many, and where a number follows from more than a row."""
        if len(rows) > _HELD_ROWS or math.prod(self.sizes) > LARGEST:
            return None
        return DistinctKeys(tuple(code[rows] for code in self.codes), self.sizes, self.patterns[rows])

    def bound(self, common: int) -> int:
        """No number of `numbered` is as large."""
        bound = math.prod(size for j, size in enumerate(self.sizes) if common >> j & 1)
        return bound if bound <= LARGEST else self.numbered(common)[1]


def fold(columns: Sequence[Codes], sizes: Sequence[int], n: int, progress: Progress = SILENT) -> tuple[Codes, int]:
    """Equal numbers for equal rows of `columns`, and the bound of these numbers."""
    number, bound = np.zeros(n, _type(1)), 1
    for column, size in zip(columns, sizes, strict=True):
        progress.check()
        if bound * size > LARGEST:
            found, number = np.unique(number, return_inverse=True)
            bound = len(found)
        bound *= size
        number = number.astype(_type(bound), copy=False)
        number *= number.dtype.type(size)
        np.add(number, column, out=number, casting="unsafe")
    return number, bound


def _places(rows: int, chosen: Callable[[slice], NDArray[np.bool_]], progress: Progress = SILENT) -> Codes:
    """The rows that are `chosen`, in the smallest type; asked about some at a time."""
    flags = np.empty(rows, np.bool_)
    for part in parts_of(rows, progress):
        flags[part] = chosen(part)
    found, at = np.empty(int(np.count_nonzero(flags)), _type(rows)), 0
    for part in parts_of(rows, progress):
        some = np.flatnonzero(flags[part])
        np.add(some, part.start, out=found[at : at + len(some)], casting="unsafe")
        at += len(some)
    return found


def parts_of(rows: int, progress: Progress = SILENT) -> Iterator[slice]:
    """Some rows at a time; asks before each whether to go on."""
    for start in range(0, rows, _CHUNK):
        progress.check()
        yield slice(start, min(start + _CHUNK, rows))


def _type(bound: int) -> type[np.uint32] | type[np.int64]:
    """A type for numbers below `bound`: four bytes wherever they do."""
    return np.uint32 if bound < 1 << 32 else np.int64


def tabulate_both(
    original: Sequence[Codes],
    written: Sequence[Codes],
    sizes: Sequence[int],
    weights: Sequence[tuple[Sequence[Ints], Sequence[int]] | None],
    progress: Progress = SILENT,
    records: Ints | None = None,
) -> tuple[DistinctKeys, Tally, Tally]:
    """Distinct keys of two files and how often they occur in each.

    Parameters
    ----------
    original, written : k columns each, 0 = missing
    weights : of the original and of the written file: limbs and their decimals; None: every record weighs 1
    records : how many records of both files each row stands for; None: one each
    """
    rows, tallies, _ = _tabulated(original, written, sizes, weights, progress, records, placed=False)
    return rows, *tallies


def tabulate_records(
    original: Sequence[Codes],
    written: Sequence[Codes],
    sizes: Sequence[int],
    weights: Sequence[tuple[Sequence[Ints], Sequence[int]] | None],
    progress: Progress = SILENT,
    records: Ints | None = None,
) -> tuple[DistinctKeys, Tally, Tally, Codes]:
    """As `tabulate_both`, and the row of each record, those of the original first, then those of the written file."""
    rows, tallies, place = _tabulated(original, written, sizes, weights, progress, records, placed=True)
    return rows, *tallies, np.concatenate(place)


def _tabulated(
    original: Sequence[Codes], written: Sequence[Codes], sizes: Sequence[int],
    weights: Sequence[tuple[Sequence[Ints], Sequence[int]] | None], progress: Progress, records: Ints | None,
    placed: bool,
) -> tuple[DistinctKeys, tuple[Tally, Tally], list[Codes]]:  # fmt: skip
    """As `tabulate_records`; the rows of the records by file, where they are to be `placed`."""
    numbers, bound, folded = _numbers_of_both(original, written, sizes, progress)
    occurring = _occurring(numbers, bound, progress)
    if folded is None:
        codes = _codes_of_some(original, written, numbers, bound, occurring)
    else:
        codes = _unfolded(occurring, folded, sizes, progress)
    patterns = np.zeros(len(occurring), np.min_scalar_type((1 << len(codes)) - 1) if len(codes) <= 32 else np.int64)
    for j, code in enumerate(codes):
        np.bitwise_or(patterns, patterns.dtype.type(1 << j), out=patterns, where=code > 0)
    before, now = (
        _tally(numbered, weight, records, bound, occurring, progress)
        for numbered, weight in zip(numbers, weights, strict=True)
    )
    place = list[Codes]()
    if placed:
        row = np.zeros(bound, np.uint32)
        row[occurring] = np.arange(len(occurring), dtype=np.uint32)
        place = [np.concatenate([row[number] for _, number in numbered.blocks(progress)]) for numbered in numbers]
    return DistinctKeys(codes, tuple(sizes), patterns), (before, now), place


def _occurring(numbers: Sequence[_NumberedRecords], bound: int, progress: Progress) -> Codes:
    """The numbers of some record of either file, ascending."""
    there = np.zeros(bound, np.bool_)
    for numbered in numbers:
        for _, number in numbered.blocks(progress):
            there[number] = True
    return _places(bound, lambda part: there[part], progress)


def _unfolded(occurring: Codes, folded: Codes, sizes: Sequence[int], progress: Progress) -> tuple[Codes, ...]:
    """The codes of the numbers `occurring`, which stand for those `folded`, or for themselves where none are given."""
    codes = tuple(np.empty(len(occurring), np.min_scalar_type(max(size - 1, 0))) for size in sizes)
    for part in parts_of(len(occurring), progress):
        number = occurring[part].astype(np.int64)
        some = np.unravel_index(folded[number] if len(folded) else number, sizes)
        for code, values in zip(codes, some, strict=True):
            code[part] = values
    return codes


@dataclass(frozen=True, eq=False)
class _NumberedRecords:
    """Numbers of a file's records: made, or folded from its columns a block at a time, which takes no memory."""

    columns: Sequence[Codes]
    sizes: Sequence[int]
    made: Codes | None = None

    def blocks(self, progress: Progress = SILENT) -> Iterator[tuple[slice, Codes]]:
        """Some records, and their numbers."""
        for part in parts_of(max(len(self.columns[0]), 1), progress):
            columns = [column[part] for column in self.columns]
            yield part, fold(columns, self.sizes, len(columns[0]))[0] if self.made is None else self.made[part]


def _numbers_of_both(
    original: Sequence[Codes], written: Sequence[Codes], sizes: Sequence[int], progress: Progress
) -> tuple[list[_NumberedRecords], int, Codes | None]:
    """Numbers of the records of both files, not many more than there are records, and their bound.

    The third are the codes of each number, folded, and empty where it is these itself; None: they had to be numbered
    on the way.
    """
    n, bound = len(original[0]), math.prod(sizes)
    found: Codes = np.zeros(0, np.int64)
    direct, both = bound <= LARGEST, [_NumberedRecords(columns, sizes) for columns in (original, written)]
    if bound <= _DENSE * 2 * n + 4096:
        return both, bound, found
    if direct:
        flagged = bound <= _FLAGS and bound <= _FLAGS_A_RECORD * 2 * n
        theirs, ours = both
        found, places = _flagged(theirs, ours, bound, progress) if flagged else _ranked(theirs, ours, progress)
        both = [replace(numbered, made=place) for numbered, place in zip(both, places, strict=True)]
        return both, len(found), found
    number, bound = fold([np.concatenate(pair) for pair in zip(original, written, strict=True)], sizes, 2 * n, progress)
    if bound > len(number) + 4096:
        found, number = np.unique(number, return_inverse=True)
        bound = len(found)
        number = number.astype(_type(bound), copy=False)
    both = [replace(numbered, made=part) for numbered, part in zip(both, (number[:n], number[n:]), strict=True)]
    return both, bound, None


def _flagged(
    original: _NumberedRecords, written: _NumberedRecords, bound: int, progress: Progress
) -> tuple[Codes, tuple[Codes, Codes]]:
    """As `_ranked`; the place of a number is how many flags are set before its own, 64 of them a word."""
    there = np.zeros(-(-bound // 64) * 64, np.bool_)
    for numbered in (original, written):
        for _, number in numbered.blocks(progress):
            there[number] = True
    words = np.packbits(there, bitorder="little").view("<u8")
    found: Codes = np.flatnonzero(there).astype(_type(bound))
    del there
    before = np.cumsum(np.bitwise_count(words), dtype=np.int64)
    before = np.append(0, before[:-1]).astype(_type(len(found)))

    def place(number: Codes) -> Codes:
        word = (number >> 6).astype(np.intp)
        below = (np.uint64(1) << (number & 63).astype(np.uint64)) - np.uint64(1)
        own: Codes = before[word] + np.bitwise_count(words[word] & below)
        return own

    return found, _places_in_both(original, written, len(found), place, progress)


def _places_in_both(
    original: _NumberedRecords, written: _NumberedRecords, bound: int, place: Callable[[Codes], Codes],
    progress: Progress,
) -> tuple[Codes, Codes]:  # fmt: skip
    """The `place`, below `bound`, of each record's number; few of the written file's are not the original's."""
    kind = _type(bound)
    places = (np.empty(len(original.columns[0]), kind), np.empty(len(original.columns[0]), kind))
    for (part, theirs), (_, ours) in zip(original.blocks(progress), written.blocks(progress), strict=True):
        places[0][part] = places[1][part] = place(theirs)
        other = np.flatnonzero(ours != theirs)
        places[1][part.start + other] = place(ours[other])
    return places


def _ranked(
    original: _NumberedRecords, written: _NumberedRecords, progress: Progress
) -> tuple[Codes, tuple[Codes, Codes]]:
    """The numbers of both files, ascending, and of each record the place of its own among them.

    Most records were not changed: of the written file only the others are looked at.
    """
    pieces: list[Codes] = []
    pending, merged = 0, 0
    for (_, theirs), (_, ours) in zip(original.blocks(progress), written.blocks(progress), strict=True):
        pieces += [theirs, ours[ours != theirs]]
        pending += len(pieces[-2]) + len(pieces[-1])
        if pending > max(_MERGE_AT, 2 * merged):
            pieces = [_merged(pieces)]
            pending = merged = len(pieces[0])
    found = _merged(pieces)

    def place(number: Codes) -> Codes:
        return np.searchsorted(found, number)

    return found, _places_in_both(original, written, len(found), place, progress)


def _merged(pieces: list[Codes]) -> Codes:
    """Ascending, each once; in fewer bytes than `numpy.unique` takes, and faster where most are different."""
    values = np.concatenate(pieces) if pieces else np.zeros(0, np.int64)
    pieces.clear()
    values.sort()
    kept = np.append(True, values[1:] != values[:-1])[: len(values)]
    found: Codes = values[kept]
    return found


def _codes_of_some(
    original: Sequence[Codes], written: Sequence[Codes], numbers: Sequence[_NumberedRecords], bound: int,
    occurring: Codes,
) -> tuple[Codes, ...]:  # fmt: skip
    """The codes of the numbers `occurring`, as a record of either file has them."""
    n, one_record = len(original[0]), np.full(bound, -1)
    for first, numbered in zip((0, n), numbers, strict=True):
        for part, number in numbered.blocks():
            one_record[number] = np.arange(first + part.start, first + part.start + len(number))
    some = one_record[occurring]
    return tuple(
        np.where(some < n, theirs[np.minimum(some, n - 1)], ours[np.maximum(some - n, 0)])
        for theirs, ours in zip(original, written, strict=True)
    )


def _tally(
    numbered: _NumberedRecords, weights: tuple[Sequence[Ints], Sequence[int]] | None, records: Ints | None, bound: int,
    occurring: Codes, progress: Progress,
) -> Tally:  # fmt: skip
    def summed(values: Codes | None) -> NDArray[Any]:
        return _taken(_sums(numbered, values, bound, progress), occurring, progress)

    count = summed(records)
    if weights is None:
        return Tally(count)
    return Tally(count, tuple(map(summed, weights[0])), tuple(weights[1]))


def _taken(values: Codes | Floats, rows: Codes, progress: Progress = SILENT) -> NDArray[Any]:
    """Some of the values; whole numbers in the smallest type."""
    kind: np.dtype[Any] = values.dtype
    if kind.kind != "f":
        least, most = int(values.min(initial=0)), int(values.max(initial=0))
        kind = np.promote_types(np.min_scalar_type(least), np.min_scalar_type(most))
    found = np.empty(len(rows), kind)
    for part in parts_of(len(rows), progress):
        found[part] = values[rows[part]]
    return found


def _sums(numbered: _NumberedRecords, values: Codes | None, bound: int, progress: Progress) -> NDArray[Any]:
    """Sums of integers by number, exact, or rounded at most once: in two halves where a float would not hold them."""
    most = len(numbered.columns[0]) if values is None else _absolute(values)
    if values is not None and most >= _EXACT:
        high = _sums(numbered, values >> 26, bound, progress) * float(1 << 26)
        both: Floats = high + _sums(numbered, values & (1 << 26) - 1, bound, progress)
        return both
    negative = values is not None and int(values.min(initial=0)) < 0
    total: Codes = np.zeros(bound, np.uint32 if not negative and most < 1 << 31 else np.int64)
    for part, number in numbered.blocks(progress):
        np.add.at(total, number, total.dtype.type(1) if values is None else values[part].astype(total.dtype))
    return total


def _absolute(values: Codes) -> float:
    """The sum of the values without their signs, nearly."""
    parts = (np.abs(values[start : start + _CHUNK]) for start in range(0, len(values), _CHUNK))
    return math.fsum(float(part.sum(dtype=np.float64)) for part in parts)


def frequencies(
    rows: DistinctKeys, asking: Codes, file: Tally, alpha: float, progress: Progress = SILENT
) -> tuple[Floats, Floats]:
    """f and F of the rows `asking` in a file.

    A record of the file counts for a row when it agrees wherever both have a value: fully if it has one wherever
    the row has, else `alpha` times (1: wildcard, 0: observed).

    Returns
    -------
    f, F : (len(asking),)
    """
    f, population = np.zeros(len(asking)), np.zeros(len(asking))
    given = _GivenRows.of(rows, file)
    for mine, places in _by_pattern(rows, asking, progress):
        number = _numbers_at(rows, asking, places)
        for common in sorted({mine & other for other in given.numbers}):
            share = 1.0 if common == mine else alpha
            if not share:
                continue
            counted = None
            if common != rows.all:
                counted = _Counted.of(rows, file, given, mine, common, number, len(places), progress)
            for part in parts_of(len(places), progress):
                here = places[part]
                if counted is None:  # rows with all values are each met by themselves alone
                    asked = asking[here]
                    f[here] += share * file.records[asked]
                    population[here] += share * file.weight_at(asked)
                else:
                    hit, more = counted.looked_up(number(common, part))
                    here = here[hit]
                    f[here] += share * more[0]
                    population[here] += share * more[1]
    return f, population


def _by_pattern(rows: DistinctKeys, asking: Codes, progress: Progress) -> Iterator[tuple[int, Codes]]:
    """The places in `asking` of the rows of each pattern; most rows have all values."""
    blank = _places(len(asking), lambda part: rows.patterns[asking[part]] != rows.all, progress)
    of_blank = rows.patterns[asking[blank]]
    for pattern in _distinct(of_blank):
        yield pattern, blank[of_blank == pattern]
    if len(blank) < len(asking):
        yield rows.all, _places(len(asking), lambda part: rows.patterns[asking[part]] == rows.all, progress)


def _numbers_at(rows: DistinctKeys, asking: Codes, places: Codes) -> Callable[[int, slice], Codes]:
    """Gives the numbers, on some variables, of those of the rows `asking` that stand at some of the `places`."""
    some = rows.some(asking[places])
    if some is not None:
        return some.numbers_of
    return lambda common, part: rows.numbers_of(common, asking[places[part]])


@dataclass(frozen=True, eq=False)
class _GivenRows:
    """The rows that a file has.

    Attributes
    ----------
    numbers : pattern -> how many rows have it
    of_pattern : of each pattern its rows, ascending; not of that of all variables, unless these are few
    kind : of sums of records
    """

    numbers: dict[int, int]
    of_pattern: dict[int, Codes]
    kind: type[np.uint32] | type[np.float64]

    @classmethod
    def of(cls, rows: DistinctKeys, file: Tally) -> _GivenRows:
        blank = _places(len(rows.patterns), lambda part: (rows.patterns[part] != rows.all) & (file.records[part] > 0))
        of_blank = _taken(rows.patterns, blank)
        found = {pattern: blank[of_blank == pattern] for pattern in _distinct(of_blank)}
        numbers = {pattern: len(some) for pattern, some in found.items()}
        whole = int(np.count_nonzero(file.records)) - len(blank)
        if whole:
            numbers[rows.all] = whole
        if 0 < _FEW * whole <= len(rows.patterns):
            found[rows.all] = _places(
                len(rows.patterns), lambda part: (rows.patterns[part] == rows.all) & (file.records[part] > 0)
            )
        few = file.records.dtype.itemsize < 8 and float(file.records.sum(dtype=np.float64)) < 1 << 32
        return cls(numbers, found, np.uint32 if few else np.float64)

    def meeting(
        self, rows: DistinctKeys, file: Tally, mine: int, common: int, wanted: _Wanted | None, progress: Progress
    ) -> Iterator[tuple[Codes, Codes]]:
        """The rows whose values on the variables `mine` are those on `common`, ascending, some at a time.

        With them their places among the numbers `wanted`, on `common`; None: the numbers themselves.
        """
        patterns = [other for other in self.numbers if other & mine == common]
        if rows.all not in patterns or rows.all in self.of_pattern:
            found = np.concatenate([self.of_pattern[other] for other in patterns])
            if len(patterns) > 1:
                found.sort()
            for part in parts_of(len(found), progress):
                number = rows.numbers_of(common, found[part])
                if wanted is None:
                    yield found[part], number
                else:
                    hit, place = wanted.places(number)
                    yield found[part][hit], place
            return
        chosen = np.zeros(rows.all + 1, np.bool_) if rows.all < 1 << 16 else None
        if chosen is not None:
            chosen[patterns] = True
        for part in parts_of(len(rows.patterns), progress):
            number = rows.numbers_of(common, part)
            hit, place = wanted.places(number) if wanted is not None else (np.arange(len(number)), number)
            of_part = rows.patterns[part][hit]
            given = np.isin(of_part, patterns) if chosen is None else chosen[of_part]
            given &= file.records[part][hit] > 0
            yield part.start + hit[given], place[given]

    def number(self, mine: int, common: int) -> int:
        """How many rows `meeting` gives."""
        return sum(number for other, number in self.numbers.items() if other & mine == common)


@dataclass(frozen=True, eq=False)
class _Wanted:
    """Numbers that are looked for among others.

    Attributes
    ----------
    numbers : ascending
    flags : set where the last bits of one of them are those of the place
    """

    numbers: Codes
    flags: NDArray[np.bool_]

    @classmethod
    def of(cls, numbers: Codes) -> _Wanted:
        flags = np.zeros(min(1 << (_RARE * len(numbers)).bit_length(), _FLAGS), np.bool_)
        flags[numbers & (len(flags) - 1)] = True
        return cls(numbers, flags)

    def places(self, asked: Codes) -> tuple[Codes, Codes]:
        """Where the numbers asked are wanted, and the place of each of these."""
        hit = np.flatnonzero(self.flags[asked & asked.dtype.type(len(self.flags) - 1)])
        number = asked[hit]
        place = np.minimum(np.searchsorted(self.numbers, number), len(self.numbers) - 1)
        agree = self.numbers[place] == number
        return hit[agree], place[agree]


@dataclass(frozen=True, eq=False)
class _Counted:
    """Records and weights of some rows by their numbers on some variables.

    Attributes
    ----------
    sums : records and weights by place
    wanted : the numbers that have a place; None: the place is the number
    """

    sums: tuple[NDArray[Any], Floats]
    wanted: _Wanted | None

    @classmethod
    def of(
        cls, rows: DistinctKeys, file: Tally, given: _GivenRows, mine: int, common: int,
        number_asked: Callable[[int, slice], Codes], asked: int, progress: Progress,
    ) -> _Counted:  # fmt: skip
        """Those given that meet so many rows asked, all of the pattern `mine`, by their numbers."""
        bound, number = rows.bound(common), given.number(mine, common)
        wanted = None
        dense = bound <= 4 * (number + asked) + 4096
        if not dense or _RARE * min(number, asked) <= max(number, asked):
            each: Iterator[Codes]
            if asked <= number:
                each = (number_asked(common, part) for part in parts_of(asked, progress))
            else:
                each = (found for _, found in given.meeting(rows, file, mine, common, None, progress))
            numbers = _merged(list(each))
            if not dense or _RARE * len(numbers) <= bound:
                wanted, bound = _Wanted.of(numbers), len(numbers)
        sums: tuple[NDArray[Any], Floats]
        sums = np.zeros(bound, given.kind), np.zeros(bound)
        for some, place in given.meeting(rows, file, mine, common, wanted, progress):
            np.add.at(sums[0], place, file.records[some].astype(sums[0].dtype))
            np.add.at(sums[1], place, file.weight_at(some))
        return cls(sums, wanted)

    def looked_up(self, asked: Codes) -> tuple[slice | Codes, list[Floats]]:
        """Which of the numbers asked are there, and both sums of these; 0 of what is not there all the same."""
        hit, place = (slice(None), asked) if self.wanted is None else self.wanted.places(asked)
        return hit, [values[place].astype(np.float64, copy=False) for values in self.sums]


def _distinct(masks: Codes) -> list[int]:
    few = int(masks.max(initial=0)) < 1 << 16
    found: list[int] = (np.flatnonzero(np.bincount(masks)) if few else np.unique(masks)).tolist()
    return found


def looked_up(asked: Codes, given: Codes, bound: int, values: tuple[Floats, Floats]) -> list[Floats]:
    """Sums of `values` over the `given` numbers equal to each one asked."""
    if bound <= 4 * (len(given) + len(asked)) + 4096:
        return [_sums_of(given, value, bound)[asked] for value in values]
    found, index = np.unique(given, return_inverse=True)
    place = np.minimum(np.searchsorted(found, asked), len(found) - 1)
    agree = found[place] == asked
    return [np.where(agree, _sums_of(index, value, len(found))[place], 0.0) for value in values]


def _sums_of(number: Codes, values: Floats, bound: int) -> Floats:
    total: Floats = np.bincount(number, values, bound).astype(np.float64, copy=False)
    return total
