"""Synthetic codes from tables that are made safe first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_CELLS = 5_000_000
"""Cells of all variables together: float64 numbers that are held twice."""
_ROUNDS = 200
_CLOSE = 1e-6


def check_tables(tables: Iterable[Sequence[str]], names: Sequence[str]) -> None:
    """Refuse a table with a variable that is not among those drawn, `names`."""
    for name in dict.fromkeys(name for table in tables for name in table):
        if name not in names:
            raise RecipeError(
                "perturbation-margin-variable",
                mark('Method "synthetic": a table of margins names {variable}, which is not among its variables.'),
                mark("Add it to the variables, or take it out of the table."),
                variable=name,
            )


def alone(table: Sequence[str | int], tables: Iterable[Sequence[str | int]]) -> bool:
    """Whether `table` is of one variable that no other of `tables` has: such a one is made safe, asked for or not."""
    return len(table) == 1 and not any(table[0] in other for other in tables if len(other) > 1)


def too_many_cells(names: Sequence[str], count: int) -> DataError:
    """The refusal of variables that have more than `MOST_CELLS` combinations of codes together."""
    return DataError(
        "perturbation-many-cells",
        mark("{variables} together have {count} combinations of codes; {most} can be fitted."),
        mark("Take fewer variables, or recode the finest of them before."),
        variables=", ".join(names),
        count=count,
        most=MOST_CELLS,
    )


@dataclass(frozen=True, eq=False)
class FittedCells:
    """Cells of all variables fitted to tables.

    Attributes
    ----------
    cells : expected records, an axis a variable
    rounds : of fitting
    deviation : the largest difference of a fitted table from the wanted one, in records
    """

    cells: Floats
    rounds: int
    deviation: float


def margin(cells: NDArray[np.generic], axes: Sequence[int]) -> Floats:
    """The table of some variables, in the order of `axes`."""
    others = tuple(axis for axis in range(cells.ndim) if axis not in axes)
    kept = sorted(axes)
    table = np.asarray(cells.sum(axis=others), np.float64)
    return table.transpose([kept.index(axis) for axis in axes])


def protected(table: Floats, least: int, random: np.random.Generator, units: Floats | None = None) -> Floats:
    """`table` with nothing to be seen of cells with fewer than `least` records.

    Their records are added up and spread over all cells below `least`, the empty ones among them, in proportion to what
    independence of the variables expects there, so that neither a small number nor whether there is one can be seen.
    Codes that have fewer than `least` records by themselves count as their mean in this: else independence would give
    each of them its own records back. A sum below `least` is rounded to 0 or `least` at random without bias.

    Parameters
    ----------
    table : counts, an axis a variable
    least : the threshold rule; cells with as many records or more stay
    units : by whom the rule counts instead, of each cell: the households whose members the records are
    """
    small = (table if units is None else units) < least
    total = float(table[small].sum())
    if not total:
        return table.copy()
    if total < least:
        total = float(least) if random.random() < total / least else 0.0
    expected = np.ones_like(table)
    n = table.sum()
    for axis in range(table.ndim):
        others = tuple(other for other in range(table.ndim) if other != axis)
        shape = [-1 if i == axis else 1 for i in range(table.ndim)]
        codes = table.sum(axis=others)
        rare = codes < least
        codes = np.where(rare, codes[rare].sum() / max(int(rare.sum()), 1), codes)
        expected = expected * (codes / n).reshape(shape)
    share = np.where(small, expected, 0.0)
    whole = share.sum()
    # Where no variable has a code with records there: evenly.
    share = share / whole if whole > 0 else small / small.sum()
    return np.where(small, total * share, table)


def fit(
    shape: tuple[int, ...], tables: Sequence[tuple[Sequence[int], Floats]], progress: Progress = SILENT
) -> FittedCells:
    """Iterative proportional fitting (Deming & Stephan 1940) of the independent cells to `tables`, the last one last.

    Parameters
    ----------
    shape : codes of each variable
    tables : (axes, wanted) each
    """
    cells = np.ones(shape, np.float64)
    rounds, deviation = 0, np.inf
    while rounds < _ROUNDS and deviation > _CLOSE:
        progress.check()
        progress.report(rounds, _ROUNDS, translate(mark("Fitting tables")))
        rounds, deviation = rounds + 1, 0.0
        for axes, wanted in tables:
            now = margin(cells, axes)
            if rounds > 1:
                deviation = max(deviation, float(np.abs(now - wanted).max()))
            factor = np.divide(wanted, now, out=np.zeros_like(wanted), where=now > 0)
            cells *= _along(factor, axes, len(shape))
        if rounds == 1:
            deviation = np.inf
    found = max(float(np.abs(margin(cells, axes) - wanted).max()) for axes, wanted in tables)
    return FittedCells(cells, rounds, found)


def draw(cells: Floats, records: int, random: np.random.Generator) -> Ints:
    """(records,) which cell each synthetic record is in, in random order.

    Systematic: the cells one after the other, at even distances from a random begin, so that every table of the first
    variables differs from the expected one by less than 1 in running totals.
    """
    if not records:
        return np.zeros(0, np.int64)
    totals = np.cumsum(cells.reshape(-1))
    points = (np.arange(records) + random.random()) * (totals[-1] / records)
    return random.permutation(np.minimum(np.searchsorted(totals, points, side="right"), cells.size - 1))


def _along(table: Floats, axes: Sequence[int], ndim: int) -> Floats:
    """`table` so that it lies along the axes of all variables."""
    order = np.argsort(axes)
    ordered = table.transpose(order)
    shape = [1] * ndim
    for axis, size in zip(sorted(axes), ordered.shape, strict=True):
        shape[axis] = size
    return ordered.reshape(shape)
