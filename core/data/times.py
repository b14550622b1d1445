"""How many records of the file the rows of its columns stand for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Times:
    """How many records of the file each of n rows stands for.

    `records` : (n,) int64, where rows are cells of a file in parts; None: one each, which needs no array.
    """

    records: NDArray[np.int64] | None = None

    @property
    def are_one(self) -> bool:
        """Whether every row is a record."""
        return self.records is None

    def count(self, flags: NDArray[np.bool_]) -> int:
        """Records of the rows that `flags` (n,) marks."""
        return int(np.count_nonzero(flags) if self.records is None else self.records[flags].sum())

    def total(self, rows: int) -> int:
        """Records of all `rows` n."""
        return rows if self.records is None else int(self.records.sum())

    def rows(self, records: int) -> int:
        """Rows n of a file with so many `records`."""
        return records if self.records is None else len(self.records)

    def repeat(self, numbers: NDArray[np.int64], flags: NDArray[np.bool_]) -> NDArray[np.int64]:
        """`numbers` of each row that `flags` (n,) marks, (k,), as those of each of its records."""
        return numbers if self.records is None else np.repeat(numbers, self.records[flags])

    def as_array(self, rows: int) -> NDArray[np.int64]:
        """(n,) int64 in any case, of `rows` n."""
        return np.ones(rows, np.int64) if self.records is None else self.records


ONES = Times()
"""Every row is a record."""
