"""One table or margin with its cells, for looking at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from .tabulate import tabulate


@dataclass(frozen=True, eq=False)
class TableCells:
    """The m cells of a table that occur, ordered by their codes.

    Attributes
    ----------
    codes : k arrays (m,) uint32, index of the code of each variable; the number of its valid codes: missing
    count : (m,) int64, records
    unsafe : (m,) bool, cells without a missing code with at most `threshold` records
    """

    variables: tuple[str, ...]
    codes: tuple[NDArray[np.uint32], ...]
    count: NDArray[np.int64]
    unsafe: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.count)

    def only_unsafe(self) -> TableCells:
        """The unsafe cells alone."""
        rows = np.flatnonzero(self.unsafe)
        return TableCells(self.variables, tuple(c[rows] for c in self.codes), self.count[rows], self.unsafe[rows])


def table_cells(columns: Sequence[EncodedColumn], threshold: int, progress: Progress = SILENT) -> TableCells:
    """Count the table of `columns`; unsafe as `core.tables.margins` judges it."""
    cells = tabulate(columns, None, "category", progress=progress)
    unsafe = (cells.count <= threshold) & (cells.missing == 0)
    return TableCells(cells.variables, cells.codes, cells.count, unsafe)
