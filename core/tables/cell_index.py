"""Which cell each record of a file, or of a part of it, is in: the way between a table's cells and records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from .cells import Cells
from .grouping import blocks
from .projections import through

Value = TypeVar("Value", bound=np.generic)


@dataclass(frozen=True, eq=False)
class CellIndex:
    """The cell of each of n records.

    Attributes
    ----------
    of_record : (n,) uint32
    """

    of_record: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.of_record)

    @cached_property
    def is_identity(self) -> bool:
        """Whether record i is in cell i, for all."""
        return all(np.array_equal(of, np.arange(part.start, part.stop)) for part, of in self.blocks())

    def blocks(self, progress: Progress = SILENT) -> Iterator[tuple[slice, NDArray[np.uint32]]]:
        """Block after block of the records and the cells that they are in; asks before each whether to go on."""
        for part in blocks(len(self), progress):
            yield part, self.of_record[part]

    def spread(self, values: NDArray[Value]) -> NDArray[Value]:
        """What is known of cells, (m,), as what is known of the records, (n,)."""
        found: NDArray[Value] = values[self.of_record]
        return found

    def merged(self, onto: NDArray[np.uint32], progress: Progress = SILENT) -> CellIndex:
        """The records' cells after each cell has become part of another one: (m,) uint32, as `merge_cells` says it."""
        return CellIndex(through(self.of_record, onto, progress))


class Tabulation(NamedTuple):
    """The cells of a file and which of them each of its records is in."""

    cells: Cells
    cell_index: CellIndex
