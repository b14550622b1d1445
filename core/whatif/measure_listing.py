"""What stands behind a measure as rows to look at: the keys in words, and for each row a record to open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..base.texts import mark
from ..base.texts import translate as _
from ..data.columns import EncodedColumn
from ..results.results import Results
from ..risk.measures.shown import Listed, Listing
from ..tables.cell_index import CellIndex
from .measures import Measured


def listing_behind(derived: Results, measured: Measured) -> Listing | None:
    """The listing of a measure with its keys as columns of codes and labels; None where it has none.

    Rows about cells have their number of records, and as `records` the first of each; those about records their number
    in the file, from 1. Of a file in parts they all have their number of records. Rows about anything else are as they
    were.
    """
    listing = measured.evaluation.behind
    if listing is None or (listing.cells is None and listing.records is None):
        return listing
    table = measured.table
    records: NDArray[np.int64] | None
    if not derived.times.are_one:
        cells = listing.cells
        if cells is None:
            cells = table.cell_index.of_record[listing.records].astype(np.int64)
        records, told = None, Listed(mark("in the file"), "count", table.cells.count[cells])
    elif listing.cells is not None:
        cells = listing.cells
        records = first_records(table.cell_index, len(table.cells), cells)
        told = Listed(mark("in the file"), "count", table.cells.count[cells])
    else:
        assert listing.records is not None, "one of the two"
        records = listing.records
        cells = table.cell_index.of_record[records].astype(np.int64)
        told = Listed(mark("record"), "count", records + 1)
    keys = _keys(derived.columns, derived.labels, measured, cells)
    return replace(listing, columns=(*keys, told, *listing.columns), cells=None, records=records)


def first_records(cell_index: CellIndex, number: int, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first record, from 0, of each of `cells`, (r,), of `number` cells that all have records."""
    wanted = np.zeros(number, np.bool_)
    wanted[cells] = True
    records = np.flatnonzero(cell_index.spread(wanted))
    found, first = np.unique(cell_index.of_record[records], return_index=True)
    return records[first[np.searchsorted(found, cells)]].astype(np.int64)


def _keys(
    columns: Mapping[str, EncodedColumn],
    labels: Mapping[str, Mapping[str, str]],
    measured: Measured,
    cells: NDArray[np.int64],
) -> Iterator[Listed]:
    """By variable the code of each of `cells` with its label."""
    table = measured.table.cells
    for name, codes in zip(table.variables, table.codes, strict=True):
        column, known = columns[name], labels.get(name, {})

        def told(code: int, column: EncodedColumn = column, known: Mapping[str, str] = known) -> str:
            if code >= column.n_valid:
                return _("missing")
            text = column.codes[code]
            return f"{text} {known.get(text, '')}".strip() or _("(empty)")

        yield Listed(name, "text", np.array([told(int(code)) for code in codes[cells]], object))
