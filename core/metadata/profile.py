"""Profile of one variable of a file: its codes and how often each occurs, its numbers, a small histogram."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from itertools import compress, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..data.households import Within
from ..data.weights import parse_fields, parse_text
from ..kernels.decimals import BLANK, NEGATIVE, OTHER

KEPT = 10_000
"""Codes that a profile keeps; of a variable with more, the most frequent ones."""

BARS = 24
"""Classes of a histogram; fewer different numbers have a bar each."""

_CHUNK = 1 << 16
_BLOCK = 1 << 20
_TEXTS = 1000
"""Codes that are no plain numbers are looked at one by one up to this many: more are no numbers."""


@dataclass(frozen=True)
class Numbers:
    """Figures of the valid codes that are numbers, over records; the unit is the variable's own.

    Attributes
    ----------
    count : records with a number
    others : records with anything else than a number or nothing
    example : the most frequent code that is no number; empty where there is none
    zeros, negatives : records
    total : sum
    whole : no number has decimals other than 0
    decimals : most digits behind the decimal mark
    """

    count: int
    others: int
    example: str
    minimum: float
    maximum: float
    total: float
    zeros: int
    negatives: int
    whole: bool
    decimals: int

    @property
    def mean(self) -> float:
        """Mean over the records with a number; nan where there are none."""
        return self.total / self.count if self.count else float("nan")

    @property
    def only(self) -> bool:
        """Whether every valid value that is not blank is a number, and there is one."""
        return self.count > 0 and self.others == 0


@dataclass(frozen=True, eq=False)
class Profile:
    """One variable over all records.

    Attributes
    ----------
    variable : str
    records : int
        n.
    codes : tuple of str
        Valid codes in the order of the file's code list, then the declared missing codes. At most `KEPT` valid ones.
    counts : (len(codes),) int64
    n_valid : int
        Valid codes among `codes`.
    distinct : int
        Different valid codes in the file.
    once : int
        Valid codes that occur in one record only.
    missing : int
        Records with a declared missing code.
    blank : int
        Records that hold nothing, declared missing or not.
    longest : int
        Characters of the longest valid code.
    numbers : Numbers
    edges, bars : (b + 1,) float64 and (b,) int64
        Histogram of the numbers where all valid values are such, else of the codes in their order (edges 0..b).
        Empty where there are more codes than fit.
    within : Within or None
        How the variable behaves within households; None without a household identifier.
    partition : bytes
        A digest of which records share a value, all missing ones together; empty where there is but one value, or
        more than `KEPT`. Variables that have the same tell the same.
    """

    variable: str
    records: int
    codes: tuple[str, ...]
    counts: NDArray[np.int64]
    n_valid: int
    distinct: int
    once: int
    missing: int
    blank: int
    longest: int
    numbers: Numbers
    edges: NDArray[np.float64]
    bars: NDArray[np.int64]
    within: Within | None = None
    partition: bytes = b""

    @property
    def complete(self) -> bool:
        """Whether `codes` has every code of the file."""
        return self.n_valid == self.distinct

    def count_of(self, code: str) -> int:
        """Records with a code, 0 where `codes` does not have it."""
        return int(self.counts[self.codes.index(code)]) if code in self.codes else 0


def profile(
    column: EncodedColumn, decimal: str = ".", within: Within | None = None, progress: Progress = SILENT
) -> Profile:
    """The profile of an encoded column.

    Parameters
    ----------
    column : EncodedColumn
    decimal : str, the decimal mark of its numbers
    within : Within or None, see `Profile`
    """
    met = np.flatnonzero(column.counts[: column.n_valid])
    counts: NDArray[np.int64] = column.counts[met]
    values, decimals, longest = _parsed(column, decimal, progress)
    numbers = _numbers(column, met, counts, values, decimals)
    edges, bars = _bars(values, counts, numbers)
    kept = met if len(met) <= KEPT else np.sort(met[np.argsort(-counts, kind="stable")[:KEPT]])
    codes = tuple(column.codes[i] for i in kept.tolist())
    tail = column.counts[column.n_valid :]
    return Profile(
        column.name,
        int(column.counts.sum()),
        (*codes, *column.codes[column.n_valid :]),
        np.concatenate([column.counts[kept], tail]),
        len(codes),
        len(met),
        int(np.count_nonzero(counts == 1)),
        int(tail.sum()),
        sum(int(column.counts[i]) for i, code in _blank_codes(column)),
        longest,
        numbers,
        edges,
        bars,
        within,
        _partition(column, progress) if 1 < len(met) <= KEPT else b"",
    )


def _partition(column: EncodedColumn, progress: Progress) -> bytes:
    """The digest of a profile's `partition`: values are numbered in the order in which they are met."""
    first = np.full(column.n_valid + 1, -1, np.int64)
    blocks = [column.values[begin : begin + _BLOCK] for begin in range(0, len(column.values), _BLOCK)]
    for place, values in enumerate(blocks):
        progress.check()
        seen = np.full_like(first, -1)
        backwards = np.minimum(values[::-1], column.n_valid)  # the first record is the last one that is put down
        seen[backwards] = np.arange(len(values) - 1, -1, -1) + place * _BLOCK
        first = np.where(first < 0, seen, first)
    number = np.empty(len(first), np.uint32)
    number[np.argsort(first, kind="stable")] = np.arange(len(first), dtype=np.uint32)
    number -= np.uint32((first < 0).sum())  # codes that no record has come before all
    digest = blake2b(digest_size=16)
    for values in blocks:
        digest.update(number[np.minimum(values, column.n_valid)].tobytes())
    return digest.digest()


def sorted_numbers(
    column: EncodedColumn, decimal: str = ".", progress: Progress = SILENT
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The different valid numbers of a column, ascending, and the records that have each; texts are left out."""
    values = _parsed(column, decimal, progress)[0]
    counts = column.counts[: column.n_valid]
    is_number = np.isfinite(values)
    numbers, inverse = np.unique(values[is_number], return_inverse=True)
    records = np.bincount(inverse, weights=counts[counts > 0][is_number], minlength=len(numbers))
    return numbers, np.rint(records).astype(np.int64)


def _blank_codes(column: EncodedColumn) -> list[tuple[int, str]]:
    # Mostly among the missing codes, which are few; looking through all valid ones takes long.
    absent = [(i, "") for i in range(column.n_valid, len(column.codes)) if not column.codes[i]]
    return absent or ([(column.codes.index(""), "")] if "" in column.codes else [])


def _parsed(column: EncodedColumn, decimal: str, progress: Progress) -> tuple[NDArray[np.float64], int, int]:
    """Of the codes met: their numbers (nan for none, inf for nothing), most decimals, and characters of the longest."""
    met = compress(column.codes, (column.counts[: column.n_valid] > 0).tobytes())
    parts = [np.empty(0)]
    texts = decimals = longest = 0
    while codes := list(islice(met, _CHUNK)):
        progress.check()
        data, starts, lengths = _fields(codes)
        whole, fraction, places, kind = parse_fields(data, starts, lengths, decimal)
        part: NDArray[np.float64] = whole + fraction / np.power(10.0, places)
        part[kind == NEGATIVE] *= -1
        part[kind == BLANK] = np.inf
        other = np.flatnonzero(kind == OTHER)
        part[other] = np.nan
        texts += len(other)
        for i in other.tolist() if texts <= _TEXTS else ():
            value = parse_text(codes[i], decimal)
            part[i] = np.nan if value is None else float(value)
        parts.append(part)
        decimals = max(decimals, _decimals(codes, data, starts, lengths, decimal))
        longest = max(longest, *map(len, codes), 0)
    return np.concatenate(parts), decimals, longest


def _fields(codes: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]:
    """The codes' bytes one behind the other, where each starts and how long it is."""
    joined = "".join(codes)
    texts: list[Any] = codes if joined.isascii() else [code.encode() for code in codes]
    lengths = np.fromiter(map(len, texts), np.int32, len(texts))
    starts = np.concatenate([[0], np.cumsum(lengths[:-1])]).astype(np.int32)
    return np.frombuffer(joined.encode() or b" ", dtype=np.uint8), starts, lengths


def _decimals(
    codes: list[str], data: NDArray[np.uint8], starts: NDArray[np.int32], lengths: NDArray[np.int32], decimal: str
) -> int:
    """Most characters behind the first decimal mark of a code."""
    marks = np.flatnonzero(data == ord(decimal))
    if not len(marks):
        return 0
    if (data >= 128).any():
        return max(len(code) - code.index(decimal) - 1 for code in codes if decimal in code)
    owner = np.searchsorted(starts, marks, side="right") - 1
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    return int((starts[owner] + lengths[owner] - marks - 1)[first].max())


def _numbers(
    column: EncodedColumn,
    met: NDArray[np.intp],
    counts: NDArray[np.int64],
    values: NDArray[np.float64],
    decimals: int,
) -> Numbers:
    is_number, is_other = np.isfinite(values), np.isnan(values)
    found, n = values[is_number], counts[is_number]
    others = np.flatnonzero(is_other)
    example = column.codes[int(met[others[np.argmax(counts[others])]])] if len(others) else ""
    return Numbers(
        int(n.sum()),
        int(counts[is_other].sum()),
        example,
        float(found.min()) if len(found) else float("nan"),
        float(found.max()) if len(found) else float("nan"),
        float((found * n).sum()),
        int(n[found == 0].sum()),
        int(n[found < 0].sum()),
        bool((found == np.floor(found)).all()),
        decimals,
    )


def _bars(
    values: NDArray[np.float64], counts: NDArray[np.int64], numbers: Numbers
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    is_number = np.isfinite(values)
    if not numbers.only:
        bars = counts if len(counts) <= 2 * BARS else counts[:0]
        return np.arange(len(bars) + 1, dtype=np.float64), bars
    found, n = values[is_number], counts[is_number]
    low, high = numbers.minimum, numbers.maximum
    span = int(high - low) + 1 if numbers.whole and high - low < BARS else BARS
    if high == low:
        low, high, span = low - 0.5, high + 0.5, 1
    elif numbers.whole and span < BARS:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, span + 1)
    bars, _ = np.histogram(found, bins=edges, weights=n)
    return edges, np.rint(bars).astype(np.int64)
