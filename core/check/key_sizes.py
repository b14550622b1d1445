"""How large a released key must be for the records of each original cell, by code that shares nothing with the plan.

Of the F people of a cell f are in the file; one of them is looked for under a key of f_g records, and is there with
chance f / F. So the risk is f/F / f_g, with the risk of the intact cell in place of the unknown 1/F.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import individual_risk, recount
from .population import PopulationJudge
from .recount import DistinctKeys, Floats, Tally


def lowest_exceeding(exceedance: float) -> float:
    """The lowest chance that is unsafe; the chances of plan and check differ by less than 1e-9 of it."""
    return exceedance * (1 + 1e-9)


class KeySizes:
    """How many records a released key must have for the records of some original cells.

    Parameters
    ----------
    rows, file : distinct keys, and the original's records by them
    cells : the rows that are asked about, of the original
    threshold : of the individual risk; None: nothing is unsafe
    population : judges by a population model; None: each row by itself
    exceedance : with a population model the chance allowed of reaching the threshold; None: the risk decides

    Attributes
    ----------
    own : (m,) closed risk of each of the cells in the original
    least : (m,) records of a key from which on each unsafe cell is safe there; 0 for cells that were safe
    """

    def __init__(
        self,
        rows: DistinctKeys,
        file: Tally,
        cells: NDArray[np.int64],
        threshold: float | None,
        population: PopulationJudge | None = None,
        exceedance: float | None = None,
    ) -> None:
        self._f, people = recount.frequencies(rows, cells, file, 0.0)
        self.own = individual_risk.risks(self._f, people, False) if population is None else population.risks(cells)
        self.least = np.zeros(len(cells))
        if threshold is None:
            return
        if exceedance is None or population is None:
            too_small = self._f * self.own / (threshold * (1 - 1e-12))
            unsafe = self.own >= threshold * (1 - 1e-12)
            self.least[unsafe] = np.maximum(np.floor(too_small), self._f)[unsafe] + 1
        else:
            found = population.sizes_without_few(cells, self._f, threshold, lowest_exceeding(exceedance))
            unsafe = found > self._f
            self.least[unsafe] = found[unsafe]

    def under(self, cells: NDArray[np.int64], size: Floats) -> Floats:
        """The risk of such cells under keys of so many records."""
        found: Floats = self._f[cells] / size * self.own[cells]
        return found
