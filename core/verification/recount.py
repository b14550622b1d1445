"""Counting and individual risk once more, for the check of a written file: plain NumPy, sharing no code with the rest.

Rows are the distinct keys of both files, the original and the written one; a code is 0 where the value is missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Codes = NDArray[np.integer[Any]]
"""Codes or numbers of records, in any type of whole number."""

_LARGEST = 1 << 62
_EXACT = float(1 << 53)
_CHUNK = 1 << 16
"""Records looked at in one go: what is made of them stays in the processor's cache."""
_PANELS, _NODES = 24, 20


@dataclass(frozen=True, eq=False)
class Tally:
    """How many records of a file have each row, and the sum of their weights, (R,) each."""

    count: Floats
    weight: Floats

    def present(self) -> Ints:
        """Rows that occur."""
        return np.flatnonzero(self.count)


@dataclass(frozen=True, eq=False)
class DistinctKeys:
    """R distinct keys on k variables.

    Attributes
    ----------
    codes : k arrays (R,), 0 = missing
    sizes : k numbers, one more than the largest code
    patterns : (R,) bit j set where variable j has a value
    """

    codes: tuple[Ints, ...]
    sizes: tuple[int, ...]
    patterns: Ints
    _numbers: dict[int, tuple[Codes, int]] = field(default_factory=dict)

    def numbered(self, common: int) -> tuple[Codes, int]:
        """A number for each row that says its values on the variables of a mask, and the bound of these numbers."""
        if common not in self._numbers:
            chosen = [j for j in range(len(self.codes)) if common >> j & 1]
            columns, sizes = [self.codes[j] for j in chosen], [self.sizes[j] for j in chosen]
            n, bound = len(self.patterns), math.prod(sizes)
            if bound > _LARGEST or not chosen:
                self._numbers[common] = fold(columns, sizes, n)
            else:
                number = np.empty(n, _type(bound))
                for part, folded in _NumberedRecords(columns, sizes).blocks():
                    number[part] = folded
                self._numbers[common] = number, bound
        return self._numbers[common]


def fold(columns: Sequence[Codes], sizes: Sequence[int], n: int, progress: Progress = SILENT) -> tuple[Codes, int]:
    """Equal numbers for equal rows of `columns`, and the bound of these numbers."""
    number, bound = np.zeros(n, _type(1)), 1
    for column, size in zip(columns, sizes, strict=True):
        progress.check()
        if bound * size > _LARGEST:
            found, number = np.unique(number, return_inverse=True)
            bound = len(found)
        bound *= size
        number = number.astype(_type(bound), copy=False)
        number *= number.dtype.type(size)
        np.add(number, column, out=number, casting="unsafe")
    return number, bound


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
    there = np.zeros(bound, np.bool_)
    for numbered in numbers:
        for _, number in numbered.blocks(progress):
            there[number] = True
    occurring = np.flatnonzero(there)
    if folded is None:
        codes = _codes_of_some(original, written, numbers, bound, occurring)
    else:
        unfolded = np.unravel_index(folded[occurring] if len(folded) else occurring, sizes)
        codes = tuple(map(np.ascontiguousarray, unfolded))
    patterns = np.zeros(len(occurring), np.int64)
    for j, code in enumerate(codes):
        patterns |= (code > 0).astype(np.int64) << j
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


@dataclass(frozen=True, eq=False)
class _NumberedRecords:
    """Numbers of a file's records: made, or folded from its columns a block at a time, which takes no memory."""

    columns: Sequence[Codes]
    sizes: Sequence[int]
    made: Codes | None = None

    def blocks(self, progress: Progress = SILENT) -> Iterator[tuple[slice, Codes]]:
        """Some records, and their numbers."""
        for start in range(0, max(len(self.columns[0]), 1), _CHUNK):
            progress.check()
            part = slice(start, start + _CHUNK)
            columns = [column[part] for column in self.columns]
            yield part, fold(columns, self.sizes, len(columns[0]))[0] if self.made is None else self.made[part]


def _numbers_of_both(
    original: Sequence[Codes], written: Sequence[Codes], sizes: Sequence[int], progress: Progress
) -> tuple[list[_NumberedRecords], int, Codes | None]:
    """Numbers of the records of both files, not many more than there are records, and their bound.

    The third are the codes of each number, folded, and empty where it is these itself; None: they had to be numbered
    on the way.
    """
    n, bound, found = len(original[0]), math.prod(sizes), np.zeros(0, np.int64)
    direct, both = bound <= _LARGEST, [_NumberedRecords(columns, sizes) for columns in (original, written)]
    if bound <= n + len(written[0]) + 4096:
        return both, bound, found
    number, bound = fold([np.concatenate(pair) for pair in zip(original, written, strict=True)], sizes, 2 * n, progress)
    if bound > len(number) + 4096:
        found, number = np.unique(number, return_inverse=True)
        bound = len(found)
        number = number.astype(_type(bound), copy=False)
    both = [replace(numbered, made=part) for numbered, part in zip(both, (number[:n], number[n:]), strict=True)]
    return both, bound, found if direct else None


def _codes_of_some(
    original: Sequence[Codes], written: Sequence[Codes], numbers: Sequence[_NumberedRecords], bound: int,
    occurring: Ints,
) -> tuple[Ints, ...]:  # fmt: skip
    """The codes of the numbers `occurring`, as a record of either file has them."""
    n, one_record = len(original[0]), np.full(bound, -1)
    for first, numbered in zip((0, n), numbers, strict=True):
        for part, number in numbered.blocks():
            one_record[number] = np.arange(first + part.start, first + part.start + len(number))
    some = one_record[occurring]
    return tuple(
        np.where(some < n, theirs[np.minimum(some, n - 1)], ours[np.maximum(some - n, 0)]).astype(np.int64)
        for theirs, ours in zip(original, written, strict=True)
    )


def _tally(
    numbered: _NumberedRecords, weights: tuple[Sequence[Ints], Sequence[int]] | None, records: Ints | None, bound: int,
    occurring: Ints, progress: Progress,
) -> Tally:  # fmt: skip
    count = _sums(numbered, records, bound, progress)[occurring]
    if weights is None:
        return Tally(count, count)
    total = np.zeros(len(occurring))
    for limb, decimals in zip(*weights, strict=True):
        total += _sums(numbered, limb, bound, progress)[occurring] / 10.0**decimals
    return Tally(count, total)


def _sums(numbered: _NumberedRecords, values: Ints | None, bound: int, progress: Progress) -> Floats:
    """Sums of integers by number, rounded at most once: in two halves where a float would not hold them."""
    if values is not None and _absolute(values) >= _EXACT:
        high = _sums(numbered, values >> 26, bound, progress)
        return high * float(1 << 26) + _sums(numbered, values & (1 << 26) - 1, bound, progress)
    total = np.zeros(bound, np.int64)
    for part, number in numbered.blocks(progress):
        np.add.at(total, number, 1 if values is None else values[part])
    return total.astype(np.float64)


def _absolute(values: Ints) -> float:
    """The sum of the values without their signs, nearly."""
    parts = (np.abs(values[start : start + _CHUNK]) for start in range(0, len(values), _CHUNK))
    return math.fsum(float(part.sum(dtype=np.float64)) for part in parts)


def frequencies(rows: DistinctKeys, asking: Ints, file: Tally, alpha: float) -> tuple[Floats, Floats]:
    """f and F of the rows `asking` in a file.

    A record of the file counts for a row when it agrees wherever both have a value: fully if it has one wherever
    the row has, else `alpha` times (1: wildcard, 0: observed).

    Returns
    -------
    f, F : (len(asking),)
    """
    f, population = np.zeros(len(asking)), np.zeros(len(asking))
    present = file.present()
    patterns = rows.patterns.astype(np.min_scalar_type(int(rows.patterns.max(initial=0))))
    theirs, ours = patterns[present], patterns[asking]
    for mine in _distinct(ours):
        places = np.flatnonzero(ours == mine)
        asked = asking[places]
        meeting = theirs & theirs.dtype.type(mine)
        for common in _distinct(meeting):
            share = 1.0 if common == mine else alpha
            if share:
                number, bound = rows.numbered(common)
                counted = present[meeting == common]
                more = looked_up(number[asked], number[counted], bound, (file.count[counted], file.weight[counted]))
                f[places] += share * more[0]
                population[places] += share * more[1]
    return f, population


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


def risks(f: Floats, population: Floats, truncated: bool) -> Floats:
    """Individual risk E(1/F | f) [P04 eq. 3-11]; `truncated`: eq. 14 with seven terms from f = 4."""
    result = 1 / f
    sampled = population > f * (1 + 1e-12)
    p = np.where(sampled, f / np.where(sampled, population, 1.0), 1.0)
    integer = f == np.floor(f)
    short = sampled & (f >= 4) if truncated else np.zeros(len(f), np.bool_)
    result[short] = _series(f[short], p[short], 7)
    rest = sampled & ~short
    climbing = rest & integer & (p < 0.5) & (f < 40)
    result[climbing] = _climb(f[climbing], p[climbing])
    summed = rest & ~climbing & (integer | (p >= 0.5) | (f >= 40))
    result[summed] = _series(f[summed], p[summed], 400)
    between = rest & ~climbing & ~summed
    result[between] = _integral(f[between], p[between])
    return result


def _series(f: Floats, p: Floats, terms: int) -> Floats:
    """p/f times the sum of n! q^n / ((f+1)...(f+n)), n from 0 to `terms` or until nothing is added."""
    term = np.ones(len(f))
    total = np.ones(len(f))
    for n in range(1, terms + 1):
        term = term * (n * (1 - p) / (f + n))
        total += term
        if not len(f) or term.max() < 1e-18:
            break
    return p / f * total


def _climb(f: Floats, p: Floats) -> Floats:
    """From r(1) = -p log(p)/q by r(f+1) = p/q (1/f - r(f)); stable for p < 1/2."""
    odds = p / (1 - p)
    value = -np.log(p) * odds
    for step in range(1, int(f.max()) if len(f) else 1):
        value = np.where(step < f, odds * (1 / step - value), value)
    return value


def _integral(f: Floats, p: Floats) -> Floats:
    """p times the integral of u^(f-1) / (p + q u) over (0, 1), with u = exp(-s), by Gauss-Legendre panels."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    # Up to log(q/p) the integrand falls as exp(-(f-1)s), beyond it as exp(-fs): 45 / f more is enough.
    bend = np.maximum(np.log((1 - p) / p), 0.0)
    end = np.minimum(45 / np.maximum(f - 1, 1e-3), bend + 45 / f)
    width = end / _PANELS
    total = np.zeros(len(f))
    for panel in range(_PANELS):
        for node, weight in zip(nodes, weights, strict=True):
            s = (panel + (node + 1) / 2) * width
            total += weight * np.exp(-f * s) / (p + (1 - p) * np.exp(-s))
    return p * total * width / 2
