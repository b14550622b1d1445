"""Values that the part tells in which a record stands: those of a variable that has one value in all of it.

Files are divided by region or year, and what was suppressed or made coarser of these is told again by the division.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.texts import plural
from ..data.columns import EncodedColumn
from .cell_tables import PartCells

_BY_CHANCE = 0.05
"""Parts of so many records and one value, of which random division makes fewer in the mean, tell that the variable
divides the file."""


@dataclass(eq=False)
class ToldByPart:
    """Gathers, part by part, which variables have one value in it."""

    parts: int = 0
    _found: dict[str, list[tuple[str, str, int]]] = field(default_factory=dict)
    """By variable: part, code, and the records that have it."""

    def add(self, part: PartCells) -> None:
        """Look at the cells of one more part."""
        self.parts += 1
        for name in part.names:
            column = part.columns[name]
            there = np.flatnonzero(column.counts[: column.n_valid])
            if len(there) == 1:
                code, records = column.codes[int(there[0])], int(column.counts[there[0]])
                self._found.setdefault(name, []).append((part.sources[0].path.name, code, records))

    def notices(
        self,
        whole: Mapping[str, EncodedColumn],
        suppressed: Collection[str],
        recoded: Mapping[str, NDArray[np.uint32]],
    ) -> Iterator[Notice]:
        """A warning about each variable of which the parts tell something that the safe file does not.

        Parameters
        ----------
        whole : the columns of all parts, as they are in the original
        suppressed : variables with suppressed values
        recoded : of recoded variables the number of the new code of each of their codes
        """
        for name, found in self._found.items():
            column = whole[name]
            shares = column.counts[: column.n_valid] / column.counts[: column.n_valid].sum()
            merged = _merged_codes(column, recoded[name]) if name in recoded else set()
            telling = [
                part
                for part, code, records in found
                if (name in suppressed or code in merged) and self.parts * float((shares**records).sum()) < _BY_CHANCE
            ]
            if telling:
                yield Notice.of(
                    "part-gives-away",
                    plural(
                        len(telling),
                        (
                            "All records of the part {part} have the same value of {variable}, so that its suppressed "
                            "and recoded values can be told there. Divide the records among the parts otherwise."
                        ),
                        (
                            "In {count} parts, for example {part}, all records have the same value of {variable}, so "
                            "that its suppressed and recoded values can be told there. Divide the records among the "
                            "parts otherwise."
                        ),
                    ),
                    where=name,
                    count=len(telling),
                    part=telling[0],
                    variable=name,
                )


def _merged_codes(column: EncodedColumn, lut: NDArray[np.uint32]) -> set[str]:
    """Codes that occur and became one with another that does."""
    there = np.flatnonzero(column.counts[: column.n_valid])
    times = np.bincount(lut[there])
    return {column.codes[code] for code in there.tolist() if times[lut[code]] > 1}
