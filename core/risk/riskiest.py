"""The riskiest combinations: which cells stand above a threshold, and which variable a recode should start with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..recipe.model import Estimator
from ..tables.cells import Cells
from ..tables.grouping import blocks
from .individual import individual_risk, is_unsafe
from .population_risks import PopulationRisks


@dataclass(frozen=True, eq=False)
class Riskiest:
    """A page of cells at or above a threshold, highest risk first, then by position in the table.

    Attributes
    ----------
    cells : (p,) int64, indices of the cells on this page
    total : int, number of cells at or above the threshold
    records : int, number of records in them
    """

    cells: NDArray[np.int64]
    total: int
    records: int


def riskiest(
    cells: Cells,
    risk: NDArray[np.float64],
    threshold: float | None,
    start: int = 0,
    limit: int = 1000,
    progress: Progress = SILENT,
) -> Riskiest:
    """Cells whose individual risk reaches the threshold, in pages.

    Parameters
    ----------
    cells : Cells, m of them
    risk : (m,) float64, individual risk of each; nan where not given
    threshold : float in (0, 1], or None: no cell is unsafe
    start, limit : int, the page: at most `limit` cells after the first `start`
    """
    parts = [np.flatnonzero(is_unsafe(risk[part], threshold)) + part.start for part in blocks(len(risk), progress)]
    unsafe = np.concatenate([np.empty(0, np.int64), *parts])
    records = int(cells.count[unsafe].sum())
    wanted = min(start + limit, len(unsafe))
    candidates = unsafe
    if 0 < wanted < len(unsafe):
        edge = np.partition(risk[unsafe], len(unsafe) - wanted)[len(unsafe) - wanted]
        candidates = unsafe[risk[unsafe] >= edge]
    progress.check()
    order = np.argsort(-risk[candidates], kind="stable")
    return Riskiest(candidates[order[start:wanted]], len(unsafe), records)


def risk_without(
    cells: Cells,
    cell: int,
    estimator: Estimator = "exact",
    population: PopulationRisks | None = None,
    progress: Progress = SILENT,
) -> dict[str, float]:
    """Risk of one cell's records if one key variable were dropped, for each key variable in which it has a value.

    The lowest shows where coarser categories help this combination most. Frequencies of the remaining values follow
    the missing rule of the table.

    Parameters
    ----------
    cells : Cells of k variables under any missing rule
    cell : int, its index
    population : where the table is judged by a population model, its risks, which are then those of the margins
    """
    if population is not None:
        return _in_population(population, cells, cell, progress)
    valued = cells.rule == "category"
    keys = [j for j in range(len(cells.variables)) if valued or not int(cells.missing[cell]) >> j & 1]
    own = {j: cells.codes[j][cell] for j in keys}
    near = [np.empty(0, np.int64)]
    for part in blocks(len(cells), progress):
        others = np.zeros(part.stop - part.start, np.uint8)
        for j in keys:
            np.add(others, _differs(cells, j, own[j], part), out=others)
        near.append(np.flatnonzero(others <= 1) + part.start)
    rows = np.concatenate(near)
    differs = {j: _differs(cells, j, own[j], rows) for j in keys}
    blank = {j: _blank(cells, j, rows) for j in keys}
    differing = np.sum(list(differs.values()), axis=0, dtype=np.uint8)
    blanks = np.sum(list(blank.values()), axis=0, dtype=np.uint8)
    f, F = [], []
    for j in keys:
        share = (differing == differs[j]) * np.where(blanks == blank[j], 1.0, _share_of_blanks(cells))
        f.append(float(share @ cells.count[rows]))
        F.append(float(share @ cells.weight[rows]))
    risks = individual_risk(np.array(f), np.array(F), estimator)
    return dict(zip((cells.variables[j] for j in keys), risks.tolist(), strict=True))


def _in_population(population: PopulationRisks, cells: Cells, cell: int, progress: Progress) -> dict[str, float]:
    """`risk_without` by a population model: each margin's own risk, of the variables that have a value here."""
    complete = population.model.full & ~int(cells.missing[cell])
    keys = [j for j in range(len(cells.variables)) if complete >> j & 1]
    return {cells.variables[j]: float(population.of_cells(complete & ~(1 << j), progress)[cell]) for j in keys}


def _share_of_blanks(cells: Cells) -> float:
    """How much a cell counts that agrees but has a blank where the other has a value."""
    return cells.alpha if cells.rule == "wildcard" else 0.0


def _blank(cells: Cells, j: int, rows: slice | NDArray[np.int64]) -> NDArray[np.bool_]:
    blank: NDArray[np.bool_] = (cells.codes[j][rows] == cells.cards[j]) & (cells.rule != "category")
    return blank


def _differs(cells: Cells, j: int, own: np.uint32, rows: slice | NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether a value stands in variable j, and another one than `own`."""
    other: NDArray[np.bool_] = (cells.codes[j][rows] != own) & ~_blank(cells, j, rows)
    return other
