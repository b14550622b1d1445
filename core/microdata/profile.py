"""What one variable of a file holds: its codes and how often each occurs, its numbers, a small histogram."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.kernels.decimals import BLANK, NEGATIVE, OTHER
from core.microdata.columns import EncodedColumn
from core.microdata.weights import parse_fields, parse_text
from core.progress import SILENT, Progress

KEPT = 10_000
"""Codes that a profile keeps; of a variable with more, the most frequent ones."""

BARS = 24
"""Classes of a histogram; fewer different numbers have a bar each."""

_CHUNK = 1 << 16
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
    varying : int or None
        Households in which the variable takes more than one value; None without a household identifier.
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
    varying: int | None = None

    @property
    def complete(self) -> bool:
        """Whether `codes` has every code of the file."""
        return self.n_valid == self.distinct

    def count_of(self, code: str) -> int:
        """Records with a code, 0 where `codes` does not have it."""
        return int(self.counts[self.codes.index(code)]) if code in self.codes else 0


def profile(
    column: EncodedColumn, decimal: str = ".", varying: int | None = None, progress: Progress = SILENT
) -> Profile:
    """The profile of an encoded column.

    Parameters
    ----------
    column : EncodedColumn
    decimal : str, the decimal mark of its numbers
    varying : int or None, see `Profile`
    """
    met = np.flatnonzero(column.counts[: column.n_valid])
    counts: NDArray[np.int64] = column.counts[met]
    values = _values(column, met, decimal, progress)
    numbers = _numbers(column, met, counts, values)
    edges, bars = _bars(values, counts, numbers)
    kept = met if len(met) <= KEPT else np.sort(met[np.argsort(-counts, kind="stable")[:KEPT]])
    codes = tuple(column.codes[i] for i in kept.tolist())
    tail = column.counts[column.n_valid :]
    return Profile(
        column.name,
        len(column.values),
        codes + column.codes[column.n_valid :],
        np.concatenate([column.counts[kept], tail]),
        len(codes),
        len(met),
        int(np.count_nonzero(counts == 1)),
        int(tail.sum()),
        sum(int(column.counts[i]) for i, code in _blank_codes(column)),
        max((len(column.codes[i]) for i in met.tolist()), default=0),
        numbers,
        edges,
        bars,
        varying,
    )


def _blank_codes(column: EncodedColumn) -> list[tuple[int, str]]:
    return [(column.codes.index(""), "")] if "" in column.codes else []


def _values(column: EncodedColumn, met: NDArray[np.intp], decimal: str, progress: Progress) -> NDArray[np.float64]:
    """Number of each code met; nan for one that is none, inf for nothing."""
    parts = [np.empty(0)]
    texts = 0
    for begin in range(0, len(met), _CHUNK):
        progress.check()
        codes = [column.codes[i] for i in met[begin : begin + _CHUNK].tolist()]
        fields = [code.encode() for code in codes]
        lengths = np.array([len(field) for field in fields], dtype=np.int32)
        starts = np.concatenate([[0], np.cumsum(lengths[:-1])]).astype(np.int32)
        data = np.frombuffer(b"".join(fields) or b" ", dtype=np.uint8)
        whole, fraction, _, kind = parse_fields(data, starts, lengths, decimal)
        part = whole + fraction / 1e18
        part[kind == NEGATIVE] *= -1
        part[kind == BLANK] = np.inf
        other = np.flatnonzero(kind == OTHER)
        part[other] = np.nan
        texts += len(other)
        for i in other.tolist() if texts <= _TEXTS else ():
            value = parse_text(codes[i], decimal)
            part[i] = np.nan if value is None else float(value)
        parts.append(part)
    return np.concatenate(parts)


def _numbers(
    column: EncodedColumn, met: NDArray[np.intp], counts: NDArray[np.int64], values: NDArray[np.float64]
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
