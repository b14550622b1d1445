"""``records.csv``: a row a record of the original file, a column for each measure of single records."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.households import Households
from ..results.results import Results
from ..tables.cell_index import Tabulation
from ..whatif.measures import Measured

_BLOCK = 1 << 15


@dataclass(frozen=True, eq=False)
class RecordColumns:
    """Columns of few texts.

    Attributes
    ----------
    names : of the columns
    text_of_record : (n,) uint32, index into `texts`
    texts : one per cell, like ``"1,2.5,"``: a value for each of `names`
    """

    names: tuple[str, ...]
    text_of_record: NDArray[np.uint32]
    texts: NDArray[np.object_]


def record_columns(
    derived: Results, tabulated: Sequence[Tabulation], measured: Iterable[Measured]
) -> list[RecordColumns]:
    """The columns of combinations and measures, in the recipe's order.

    Parameters
    ----------
    tabulated : the cells of each combination, whatever its model
    """
    found = []
    for number, (counted, table) in enumerate(zip(tabulated, derived.tables, strict=True), 1):
        figures = {f"f_{number}": counted.cells.f, f"F_{number}": counted.cells.F}
        more = figures if table is None else figures | {f"risk_{number}": table.risk}
        found.append(_columns(counted, more))
        if table is not None and table.household is not None and derived.households is not None:
            found.append(_of_households(derived.households, f"household_risk_{number}", table.household.risk))
    for number, done in enumerate(measured, 1):
        columns = done.evaluation.columns.items()
        named = {f"{name}_m{number}" + (variable and f"_{variable}"): values for (name, variable), values in columns}
        if named:
            found.append(_columns(done.table, named))
        for name, values in done.evaluation.of_records.items():
            found.append(_of_records(f"{name}_m{number}", values))
        for name, values in done.evaluation.of_households.items():
            assert derived.households is not None, "the measure was given them"
            found.append(_of_households(derived.households, f"{name}_m{number}", values))
    return found


def _of_households(households: Households, name: str, values: NDArray[np.float64]) -> RecordColumns:
    texts = np.array([number_text(value) for value in values.tolist()], dtype=object)
    return RecordColumns((name,), households.household_of_record, texts)


def _of_records(name: str, values: NDArray[np.float64]) -> RecordColumns:
    distinct, of_record = np.unique(values, return_inverse=True)
    texts = np.array([number_text(value) for value in distinct.tolist()], dtype=object)
    return RecordColumns((name,), of_record.astype(np.uint32), texts)


def _columns(table: Tabulation, figures: Mapping[str, NDArray[np.float64]]) -> RecordColumns:
    """Columns of `figures`, of each cell, by name."""
    rows = zip(*(values.tolist() for values in figures.values()), strict=True)
    texts = np.array([",".join(map(number_text, row)) for row in rows], dtype=object)
    return RecordColumns(tuple(figures), table.cell_index.of_record, texts)


def number_text(value: float) -> str:
    """`value` at full precision, whole numbers without a point; empty where not defined."""
    if math.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def write_records(
    out: BinaryIO,
    records: int,
    columns: Sequence[RecordColumns],
    progress: Progress = SILENT,
    parts: Iterable[NDArray[np.uint32]] | None = None,
) -> None:
    """Write header and rows; records are numbered from 1.

    Parameters
    ----------
    records : of the whole file
    parts : where `columns` are of rows that stand for several records, the row of each record, part by part
    """
    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(["record", *(name for part in columns for name in part.names)])
    out.write(header.getvalue().encode())
    if parts is None:
        each = (range(start, min(start + _BLOCK, records)) for start in range(0, records, _BLOCK))
        parts = (np.arange(some.start, some.stop, dtype=np.uint32) for some in each)
    first = 0
    for rows in parts:
        for text in _lines(rows, first, records, columns, progress):
            out.write(text.encode())
        first += len(rows)


def _lines(
    rows: NDArray[np.uint32], first: int, records: int, columns: Sequence[RecordColumns], progress: Progress
) -> Iterator[str]:
    for start in range(0, len(rows), _BLOCK):
        progress.check()
        progress.report(first + start, records, translate(mark("Writing the figures of records")))
        some = rows[start : start + _BLOCK]
        parts = [part.texts[part.text_of_record[some]].tolist() for part in columns]
        numbers = map(str, range(first + start + 1, first + start + len(some) + 1))
        yield "".join(",".join(row) + "\n" for row in zip(numbers, *parts, strict=True))
