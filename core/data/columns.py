"""Encoded columns: what the rest of core sees of a microdata file. All arrays are read-only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from .times import ONES, Times
from .variables import Metadata


@dataclass(frozen=True, eq=False)
class EncodedColumn:
    """A categorical variable as small integers.

    Attributes
    ----------
    name : str
    values : (n,) uint8, uint16 or uint32
        Index of each record's code in `codes`; the smallest type that holds them.
    codes : sequence of str (a tuple unless they are very many)
        Codes without surrounding blanks. First the `n_valid` values found in the file, in bytewise order of
        `padded`; then *all* declared missing codes in declared order, found or not, so that index `n_valid` is
        the code that suppression writes. A column with no declared missing code has none.
    padded : sequence of str
        The same codes as a recode compares them: as they stand in a fixed field, else padded left to `width`.
    counts : (len(codes),) int64
        Records with each code.
    n_valid : int
    width : int
        Field length in bytes (fixed), else the longest code's.
    records : (n,) int64 or None
        How many records of the file each row stands for, where rows are cells of a file in parts; None: one each.
    """

    name: str
    values: NDArray[np.unsignedinteger]
    codes: Sequence[str]
    padded: Sequence[str]
    counts: NDArray[np.int64]
    n_valid: int
    width: int
    records: NDArray[np.int64] | None = None

    def tally(self, values: NDArray[np.unsignedinteger]) -> NDArray[np.int64]:
        """`counts` of the same rows with other `values` (n,)."""
        size = len(self.codes)
        if self.records is None:
            return np.bincount(values, minlength=size)
        found = np.zeros(size, np.int64)
        np.add.at(found, values, self.records)
        return found

    @property
    def n_missing_codes(self) -> int:
        """Number of declared missing codes."""
        return len(self.codes) - self.n_valid

    @property
    def missing_codes(self) -> tuple[str, ...]:
        """All declared missing codes."""
        return tuple(self.codes[self.n_valid :])

    @property
    def suppression_code(self) -> str | None:
        """The code that stands in place of a suppressed value; None where no missing code is declared."""
        return self.codes[self.n_valid] if self.n_missing_codes else None

    @property
    def empty(self) -> tuple[int, ...]:
        """The place of the code without a text among the valid ones; nothing where there is none."""
        blanks = " " * self.width
        for place in range(self.n_valid):
            if self.padded[place] > blanks:
                break
            if not self.codes[place]:
                return (place,)
        return ()

    @property
    def has_missing(self) -> bool:
        """Whether any record has a missing code."""
        return bool(self.counts[self.n_valid :].any())


def times_of(columns: Iterable[EncodedColumn]) -> Times:
    """How many records each row of a file's columns stands for."""
    return next((Times(column.records) for column in columns if column.records is not None), ONES)


@dataclass(frozen=True, eq=False)
class Weights:
    """Design weights as exact decimals: weight = sum over limbs of ``limbs[l] / 10**decimals[l]``.

    One limb wherever the decimals fit int64 sums over the file, two otherwise. Integer sums make F independent of
    the order of records and of threads.

    `above_one` : where rows stand for several records, limbs of the sums of max(weight - 1, 0) over these; None: a row
    is a record.
    """

    limbs: tuple[NDArray[np.int64], ...]
    decimals: tuple[int, ...]
    above_one: tuple[NDArray[np.int64], ...] | None = None

    def __len__(self) -> int:
        return len(self.limbs[0])

    @cached_property
    def least(self) -> int:
        """The least number of the first limb; where there is none, as large as can be."""
        return int(self.limbs[0].min(initial=np.iinfo(np.int64).max))

    def as_floats(self) -> NDArray[np.float64]:
        """(n,) the weights, nearly."""
        found: NDArray[np.float64] = self.limbs[0] / 10.0 ** self.decimals[0]
        for limb, places in zip(self.limbs[1:], self.decimals[1:], strict=True):
            found += limb / 10.0**places
        return found


@dataclass(frozen=True, eq=False)
class Source:
    """The original file as it was read: its identity and shape, and how to find its records again."""

    path: Path
    sha256: str
    size: int
    mtime_ns: int
    records: int
    record_length: int = 0
    """Bytes of a fixed record without its end of line; 0 for delimited files."""


@dataclass(frozen=True, eq=False)
class Microdata:
    """The columns of a file that a session needs, encoded. `weights` is None where no variable has that role.

    `parts` : the files that it was read from, where it is in parts; `source` then stands for all of them
    """

    metadata: Metadata
    source: Source
    columns: Mapping[str, EncodedColumn]
    weights: Weights | None
    notices: tuple[Notice, ...] = field(default=())
    parts: tuple[Source, ...] = field(default=())

    @property
    def records(self) -> int:
        """Number of records n."""
        return self.source.records

    @property
    def sources(self) -> tuple[Source, ...]:
        """The file, or all parts of it."""
        return self.parts or (self.source,)
