"""The riskiest combinations: which cells stand above a threshold, and which variable a recode should start with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.recipe.model import Estimator
from core.risk.individual import individual_risk
from core.tables.cells import Cells

_LEVEL_TOLERANCE = 1e-12


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
    cells: Cells, risk: NDArray[np.float64], threshold: float | None, start: int = 0, limit: int = 1000
) -> Riskiest:
    """Cells whose individual risk reaches the threshold, in pages.

    Parameters
    ----------
    cells : Cells, m of them
    risk : (m,) float64, individual risk of each; nan where not given
    threshold : float in (0, 1], or None: no cell is unsafe
    start, limit : int, the page: at most `limit` cells after the first `start`
    """
    if threshold is None:
        return Riskiest(np.empty(0, np.int64), 0, 0)
    unsafe = np.flatnonzero(risk >= threshold * (1 - _LEVEL_TOLERANCE))
    wanted = min(start + limit, len(unsafe))
    if 0 < wanted < len(unsafe):
        edge = np.partition(risk[unsafe], len(unsafe) - wanted)[len(unsafe) - wanted]
        candidates = unsafe[risk[unsafe] >= edge]
    else:
        candidates = unsafe
    order = np.argsort(-risk[candidates], kind="stable")
    page = candidates[order[start:wanted]].astype(np.int64)
    return Riskiest(page, len(unsafe), int(cells.count[unsafe].sum()))


def risk_without(cells: Cells, cell: int, estimator: Estimator = "exact") -> dict[str, float]:
    """Risk of one cell's records if one key variable were dropped, for each key variable in which it has a value.

    The lowest shows where coarser categories help this combination most. Frequencies of the remaining values follow
    the missing rule of the table.
    """
    names, f, F = [], [], []
    present = [j for j in range(len(cells.variables)) if not int(cells.missing[cell]) >> j & 1]
    match = {j: cells.codes[j] == cells.codes[j][cell] for j in present}
    for dropped in present:
        share = np.ones(len(cells), dtype=np.float64)
        for j in present:
            if j == dropped:
                continue
            blank = (cells.missing >> np.uint64(j)) & np.uint64(1) == 1
            partial = cells.alpha if cells.rule == "wildcard" else 0.0
            share = np.where(match[j], share, np.where(blank & (share > 0), partial, 0.0))
        names.append(cells.variables[dropped])
        f.append(float(share @ cells.count))
        F.append(float(share @ cells.weight))
    risks = individual_risk(np.array(f), np.array(F), estimator)
    return dict(zip(names, (float(r) for r in risks), strict=True))
