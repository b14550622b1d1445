"""Values that the part tells in which a record stands: those of a variable that has one value in all of it.

Files are divided by region or year, and what was suppressed or made coarser of these is told again by the division.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.texts import plural
from ..data.columns import EncodedColumn
from ..results.cell_tables import PartCells

_BY_CHANCE = 0.05
"""Parts of so many records and one value, of which random division makes fewer in the mean, tell that the variable
divides the file."""


def disclosed_by_part(
    cells: PartCells, suppressed: Collection[str], recoded: Mapping[str, NDArray[np.uint32]]
) -> Iterator[Notice]:
    """A warning about each variable of which the parts tell something that the safe file does not.

    Parameters
    ----------
    cells : of all parts, whose columns are as they are in the original
    suppressed : variables with suppressed values
    recoded : of recoded variables the number of the new code of each of their codes
    """
    for name, found in cells.uniform.items():
        column = cells.columns[name]
        shares = column.counts[: column.n_valid] / column.counts[: column.n_valid].sum()
        merged = _merged_codes(column, recoded[name]) if name in recoded else set()
        telling = [
            part
            for part, code, records in found
            if (name in suppressed or code in merged)
            and len(cells.sources) * float((shares**records).sum()) < _BY_CHANCE
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
