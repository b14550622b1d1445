"""An order of codes that no file decides: by it units are searched, so that the same values give the same release.

Columns have their codes in the order of their bytes in the file, which another encoding or layout changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...data.columns import EncodedColumn
from ..problem import RecordClasses

Ranks = Sequence[NDArray[np.uint32] | None]


def code_ranks(column: EncodedColumn) -> NDArray[np.uint32] | None:
    """(n_valid + 1,) the place of each valid code by length and text, and of what is missing; None: as they stand."""
    texts = list(column.codes[: column.n_valid])
    order = sorted(range(len(texts)), key=lambda place: (len(texts[place]), texts[place]))
    if order == list(range(len(texts))):
        return None
    found = np.arange(len(texts) + 1, dtype=np.uint32)
    found[order] = np.arange(len(texts), dtype=np.uint32)
    return found


def ranked(code: NDArray[np.uint32], ranks: NDArray[np.uint32] | None) -> NDArray[np.uint32]:
    """Codes (u,), at most the card where missing, as their ranks."""
    return code if ranks is None else ranks[code]


def in_code_order(units: RecordClasses, columns: Mapping[str, EncodedColumn]) -> tuple[RecordClasses, Ranks]:
    """The units of one table in the order of their keys' ranks, and these, by key; the same units where they are."""
    (cells,) = (table.cells for table in units.tables)
    ranks = [code_ranks(columns[name]) for name in cells.variables]
    if all(each is None for each in ranks):
        return units, ranks
    codes = [ranked(code[units.cells[0]], each) for code, each in zip(cells.codes, ranks, strict=True)]
    order = np.lexsort(codes[::-1])
    new = np.empty(len(order), units.unit_of_record.dtype)
    new[order] = np.arange(len(order), dtype=new.dtype)
    ordered = replace(
        units,
        cells=(units.cells[0][order],),
        missing=units.missing[order],
        records=units.records[order],
        unit_of_record=new[units.unit_of_record],
    )
    return ordered, ranks
