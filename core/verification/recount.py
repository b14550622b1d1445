"""Counting and individual risk once more, for the check of a written file: plain NumPy, sharing no code with the rest.

Rows are the distinct keys of both files, the original and the written one; a code is 0 where the value is missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
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
_CHUNK = 1 << 20
_DENSE = 8
"""So many possible numbers a record are looked up in a table, more are sorted."""
_KEPT = 4
"""Numberings of the rows that are kept for the next question."""
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
    codes : k arrays (R,), 0 = missing, of any type
    sizes : k numbers, one more than the largest code
    patterns : (R,) bit j set where variable j has a value, of any type
    """

    codes: tuple[Codes, ...]
    sizes: tuple[int, ...]
    patterns: Codes
    _numbers: dict[int, tuple[Codes, int]] = field(default_factory=dict)

    def numbered(self, common: int) -> tuple[Codes, int]:
        """A number for each row that says its values on the variables of a mask, and the bound of these numbers."""
        if common not in self._numbers:
            while len(self._numbers) >= _KEPT:
                del self._numbers[next(iter(self._numbers))]
            chosen = [j for j in range(len(self.codes)) if common >> j & 1]
            self._numbers[common] = fold(
                [self.codes[j] for j in chosen], [self.sizes[j] for j in chosen], len(self.patterns)
            )
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
    rows, before, now, _, _ = _tabulated(original, written, sizes, weights, progress, records)
    return rows, before, now


def tabulate_records(
    original: Sequence[Codes],
    written: Sequence[Codes],
    sizes: Sequence[int],
    weights: Sequence[tuple[Sequence[Ints], Sequence[int]] | None],
    progress: Progress = SILENT,
    records: Ints | None = None,
) -> tuple[DistinctKeys, Tally, Tally, Codes]:
    """As `tabulate_both`, and the row of each record, those of the original first, then those of the written file."""
    rows, before, now, number, occurring = _tabulated(original, written, sizes, weights, progress, records)
    row = np.zeros(int(occurring[-1]) + 1 if len(occurring) else 0, np.uint32)
    row[occurring] = np.arange(len(occurring), dtype=np.uint32)
    return rows, before, now, row[number]


def _tabulated(
    original: Sequence[Codes],
    written: Sequence[Codes],
    sizes: Sequence[int],
    weights: Sequence[tuple[Sequence[Ints], Sequence[int]] | None],
    progress: Progress,
    records: Ints | None,
) -> tuple[DistinctKeys, Tally, Tally, Codes, Ints]:
    """As `tabulate_both`; a number of each record, and the numbers that occur, one a row."""
    n = len(original[0])
    number, bound = _numbers_of_both(original, written, sizes, progress)
    small: type[np.signedinteger[Any]] = np.int32 if len(number) < 1 << 31 else np.int64
    one_record: Codes = np.full(bound, -1, small)
    for start in range(0, len(number), _CHUNK):
        progress.check()
        part = number[start : start + _CHUNK]
        one_record[part] = np.arange(start, start + len(part))
    occurring = np.flatnonzero(one_record >= 0)
    some = one_record[occurring]
    del one_record
    codes = tuple(_codes_at(some, n, theirs, ours) for theirs, ours in zip(original, written, strict=True))
    del some
    patterns = np.zeros(len(occurring), np.min_scalar_type((1 << len(codes)) - 1))
    for j, code in enumerate(codes):
        progress.check()
        np.bitwise_or(patterns, patterns.dtype.type(1 << j), out=patterns, where=code > 0)
    tallies = [
        _tally(part, weight, records, bound, occurring, progress)
        for part, weight in zip((number[:n], number[n:]), weights, strict=True)
    ]
    return DistinctKeys(codes, tuple(sizes), patterns), tallies[0], tallies[1], number, occurring


def _codes_at(some: Codes, n: int, theirs: Codes, ours: Codes) -> Codes:
    """Of two files the codes of some records, (R,): those below `n` are of the first one."""
    found = np.empty(len(some), np.promote_types(theirs.dtype, ours.dtype))
    for start in range(0, len(some), _CHUNK):
        part = some[start : start + _CHUNK]
        values = np.where(part < n, theirs[np.minimum(part, n - 1)], ours[np.maximum(part - n, 0)])
        found[start : start + len(part)] = values
    return found


def _numbers_of_both(
    original: Sequence[Codes], written: Sequence[Codes], sizes: Sequence[int], progress: Progress
) -> tuple[Codes, int]:
    """Numbers of the records of both files, not many more than there are records; and their bound."""
    n = len(original[0])
    if math.prod(sizes) > _LARGEST:
        number, bound = fold([np.concatenate(pair) for pair in zip(original, written, strict=True)], sizes, 2 * n)
    else:
        parts = [fold(columns, sizes, len(columns[0]), progress) for columns in (original, written)]
        number, bound = np.concatenate([part for part, _ in parts]), parts[0][1]
    progress.check()
    if len(number) + 4096 < bound <= _DENSE * len(number):
        there = np.zeros(bound, np.bool_)
        there[number] = True
        rank: Codes = np.cumsum(there, dtype=_type(len(number)))
        rank -= rank.dtype.type(1)
        bound = int(rank[-1]) + 1
        for start in range(0, len(number), _CHUNK):
            progress.check()
            number[start : start + _CHUNK] = rank[number[start : start + _CHUNK]]
    elif bound > len(number) + 4096:
        found, number = np.unique(number, return_inverse=True)
        bound = len(found)
        number = number.astype(_type(bound), copy=False)
    return number, bound


def _tally(
    number: Codes, weights: tuple[Sequence[Ints], Sequence[int]] | None, records: Ints | None, bound: int,
    occurring: Ints, progress: Progress,
) -> Tally:  # fmt: skip
    count = _sums(number, records, bound)[occurring]
    if weights is None:
        return Tally(count, count)
    total = np.zeros(len(occurring))
    for limb, decimals in zip(*weights, strict=True):
        progress.check()
        total += _sums(number, limb, bound)[occurring] / 10.0**decimals
    return Tally(count, total)


def _sums(number: Codes, values: Ints | None, bound: int) -> Floats:
    """Sums of integers by number, rounded at most once: in two halves where a float would not hold them."""
    if values is not None and float(np.abs(values).sum(dtype=np.float64)) >= _EXACT:
        high = _sums(number, values >> 26, bound)
        return high * float(1 << 26) + _sums(number, values & (1 << 26) - 1, bound)
    total = np.zeros(bound)
    for start in range(0, len(number), _CHUNK):
        part = slice(start, start + _CHUNK)
        total += np.bincount(number[part], None if values is None else values[part], bound)
    return total


def frequencies(
    rows: DistinctKeys, asking: Ints, file: Tally, alpha: float, progress: Progress = SILENT
) -> tuple[Floats, Floats]:
    """f and F of the rows `asking` in a file.

    A record of the file counts for a row when it agrees wherever both have a value: fully if it has one wherever
    the row has, else `alpha` times (1: wildcard, 0: observed).

    Returns
    -------
    f, F : (len(asking),)
    """
    f, population = np.zeros(len(asking)), np.zeros(len(asking))
    present = file.present()
    theirs, ours = rows.patterns[present], rows.patterns[asking]
    for mine in _distinct(ours):
        places = np.flatnonzero(ours == mine)
        meeting = theirs & mine
        for common in _distinct(meeting):
            share = 1.0 if common == mine else alpha
            if share:
                progress.check()
                number, bound = rows.numbered(common)
                counted = present[meeting == common]
                more = looked_up(
                    number[asking[places]], number[counted], bound, (of[counted] for of in (file.count, file.weight))
                )
                f[places] += share * more[0]
                population[places] += share * more[1]
    return f, population


def _distinct(masks: Codes) -> list[int]:
    few = int(masks.max(initial=0)) < 1 << 16
    found: list[int] = (np.flatnonzero(np.bincount(masks)) if few else np.unique(masks)).tolist()
    return found


def looked_up(asked: Codes, given: Codes, bound: int, values: Iterable[Floats]) -> list[Floats]:
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


def risks(f: Floats, population: Floats, truncated: bool, progress: Progress = SILENT) -> Floats:
    """Individual risk E(1/F | f) [P04 eq. 3-11]; `truncated`: eq. 14 with seven terms from f = 4."""
    result = np.empty(len(f))
    for start in range(0, len(f), _CHUNK):
        progress.check()
        part = slice(start, start + _CHUNK)
        result[part] = _risks(f[part], population[part], truncated)
    return result


def _risks(f: Floats, population: Floats, truncated: bool) -> Floats:
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
