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
from core.suppression.leaks import remaining_risks
from core.suppression.plan import Plan
from core.suppression.units import Table
from core.tables.cells import Cells
from core.tables.tabulate import tabulate


def staircase_after(table: RiskTable, plan: Plan, progress: Progress = SILENT) -> Staircase:
    """Risks of the records' remaining values in the original file, under the table's missing rule."""
    judged = Table(table.cells, table.threshold, table.combination.estimator)
    _f, _population, risk = remaining_risks(judged, plan.suppressed, progress)
    return Staircase.from_cells(risk, np.ones(len(risk), np.int64))


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
