"""Risks of a file after suppression, for pictures and profiles; the check of the written file is another's work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.derive.results import Prepared, RiskTable
from core.microdata.columns import EncodedColumn
from core.progress import SILENT, Progress
from core.risk.staircase import Staircase
from core.suppression.margin_risks import MarginRisks
from core.suppression.plan import Plan
from core.suppression.units import Table
from core.tables.cells import Cells
from core.tables.tabulate import tabulate


def staircase_after(table: RiskTable, plan: Plan, progress: Progress = SILENT) -> Staircase:
    """Risks of the records' remaining values in the original file, under the table's missing rule."""
    cells = table.cells
    mask = np.zeros(cells.records, np.uint64)
    for j, name in enumerate(cells.variables):
        if plan.by_variable.get(name):
            mask |= plan.suppressed[name].astype(np.uint64) << np.uint64(j)
    every = (1 << len(cells.variables)) - 1
    risks = MarginRisks(Table(cells, table.threshold, table.combination.estimator), progress)
    found, counts = [], []
    for newly in np.unique(mask).tolist():
        of_cell = np.bincount(cells.cell_of_record[mask == newly], minlength=len(cells))
        there = np.flatnonzero(of_cell).astype(np.uint32)
        for missing in np.unique(cells.missing[there]).tolist():
            part = there[cells.missing[there] == missing]
            found.append(risks.at(every & ~(newly | missing), part))
            counts.append(of_cell[part])
    return Staircase.from_cells(np.concatenate(found), np.concatenate(counts))


def released_cells(prepared: Prepared, names: tuple[str, ...], plan: Plan, progress: Progress = SILENT) -> Cells:
    """The cells of the released file, counted on itself, blanks matching anything."""
    columns = [after_suppression(prepared.columns[name], plan.suppressed) for name in names]
    return tabulate(columns, prepared.microdata.weights, "wildcard", 1.0, progress)


def after_suppression(column: EncodedColumn, suppressed: Mapping[str, NDArray[np.bool_]]) -> EncodedColumn:
    """`column` with its newly missing values."""
    flags = suppressed.get(column.name)
    if flags is None or not flags.any():
        return column
    values = np.where(flags, column.values.dtype.type(column.n_valid), column.values)
    return replace(column, values=values, counts=np.bincount(values, minlength=len(column.codes)))
