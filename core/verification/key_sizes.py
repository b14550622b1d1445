"""How large a released key must be for the records of each original cell, by code that shares nothing with the plan.

The risk of a cell's records under a key of f_g records is the cell's own at f_g records and its own sampling fraction.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.verification import recount
from core.verification.population import PopulationJudge
from core.verification.recount import DistinctKeys, Floats, Tally


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
    own : (m,) risk of each of the cells in the original
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
        self._cells, self._population, self._threshold = cells, population, threshold
        self._exceedance = None if population is None or threshold is None else exceedance
        self._f, self._people = recount.frequencies(rows, cells, file, 0.0)
        if self._population is None:
            self.own = recount.risks(self._f, self._people, False)
        else:
            self.own = self._population.risks(cells)
        self.least = np.zeros(len(cells))
        if threshold is None:
            return
        limit = threshold * (1 - 1e-12)
        if self._exceedance is None or population is None:
            unsafe = np.flatnonzero(self.own >= limit)
        else:
            chance = population.exceeding(cells, threshold)
            unsafe = np.flatnonzero(chance >= lowest_exceeding(self._exceedance))
        if len(unsafe):
            self.least[unsafe] = self._first_safe(unsafe, limit)

    def under(self, cells: NDArray[np.int64], size: Floats) -> Floats:
        """The risk of such cells under keys of so many records, at the sampling fraction that the cells have."""
        if self._population is not None:
            return self._population.enlarged(self._cells[cells], size)
        return recount.risks(size, self._people[cells] / self._f[cells] * size, False)

    def _is_safe(self, cells: NDArray[np.int64], size: Floats, limit: float) -> NDArray[np.bool_]:
        if self._exceedance is None or self._population is None:
            return self.under(cells, size) < limit
        chance = self._population.enlarged(self._cells[cells], size, self._threshold)
        return chance < lowest_exceeding(self._exceedance)

    def _first_safe(self, cells: NDArray[np.int64], limit: float) -> Floats:
        """From bit to bit: the largest number of records more that is not yet enough, and one beyond."""
        begin = np.floor(self._f[cells])
        more = np.zeros(len(cells))
        for bit in range(max(0, math.ceil(math.log2(1 / limit))), -1, -1):
            tried = more + 2.0**bit
            enough = self._is_safe(cells, begin + tried, limit)
            more = np.where(enough, more, tried)
        found: Floats = begin + more + 1
        return found
