"""Risks of a table and of all its margins by the population model: leaving a variable out never raises one."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..tables.cells import Cells
from .negative_binomial import calibrated_risk, upper_risk
from .population_model import PopulationModel, closed_over

Floats = NDArray[np.float64]
PopulationEstimator = Literal["calibrated", "log-linear"]


class PopulationRisks:
    """Closed risks [method: log-linear model, margins]: r̄(S) = max(r(S), max over j in S of r̄(S without j)).

    Under ``calibrated`` each set of key variables has a model of its own. Under ``log-linear`` the m of the whole table
    is summed over the variables left out, scaled to the people outside the records complete on S; without missing
    values its risks are closed as they are. Variables that are missing in every record are no part of it; where still
    no record has all the others, nothing tells how the whole table's people are shared, and S has a model of its own.

    Attributes
    ----------
    model : of the table
    exceedance : None: the risks are the expected 1/F. Else, with ``calibrated``, the risk of a group is the largest
        threshold that its true 1/F reaches with this probability, `upper_risk`
    shapes : by mask, the a of each key set once risks were asked for; infinity: no scatter

    All margins are made together and stay in memory: 8 bytes a group, 2^k margins of k variables.
    """

    def __init__(self, model: PopulationModel, estimator: PopulationEstimator, exceedance: float | None = None) -> None:
        assert exceedance is None or estimator == "calibrated"
        self.model = model
        self.estimator = estimator
        self.exceedance = exceedance
        self.shapes: dict[int, float] = {}
        self._closed: dict[int, Floats] = {}

    def of_margin(self, mask: int, progress: Progress = SILENT) -> Floats:
        """(g,) float64 by the groups of ``model.cube.project(mask)``; nan where one of the variables is missing."""
        if not self._closed:
            self._closed = closed_over(self.model, self.model.full, lambda part: self._own(part, progress), progress)
        return self._closed[mask]

    def of_cells(self, mask: int, progress: Progress = SILENT) -> Floats:
        """As `of_margin`, (m,) by the cells of the table."""
        risk = self.of_margin(mask, progress)
        found: Floats = risk[self.model.cube.project(mask, progress).group_of_cell]
        return found

    def of_table(self, cells: Cells, progress: Progress = SILENT) -> Floats:
        """The risk of each of the table's `cells` by the variables on which it is complete, (m,) float64.

        nan where the missing rule leaves the cell out.
        """
        missing = self.model.cube.project(self.model.full, progress).missing
        risk = np.full(len(cells), np.nan)
        for pattern in np.unique(missing).tolist():
            here = np.flatnonzero((missing == pattern) & ~np.isnan(cells.f))
            if len(here):
                risk[here] = self.of_cells(self.model.full & ~pattern, progress)[here]
        return risk

    def of_scale(self, f: Floats, scale: Floats, a: float, progress: Progress = SILENT) -> Floats:
        """The risk of cells before closure, by their records, their scale and the shape of their scatter, (m,)."""
        if self.exceedance is None:
            return calibrated_risk(f, scale, a, progress)
        return upper_risk(f, scale, a, self.exceedance, progress)

    def outside(self, mask: int, progress: Progress = SILENT) -> tuple[Floats, Floats, float]:
        """By the groups of a margin the people outside the sample and the records expected, (g,) each; the a."""
        if self.estimator == "calibrated":
            key_set = self.model.key_set(mask, progress)
            return key_set.m, key_set.mu, key_set.a
        groups = self.model.cube.project(mask, progress)
        m = self._summed(mask, float(groups.count[groups.missing == 0].sum()), progress)
        return m, np.zeros(len(m)), np.inf

    def _own(self, mask: int, progress: Progress) -> Floats:
        """The risks of one margin before closure."""
        if self.estimator == "calibrated":
            key_set = self.model.key_set(mask, progress)
            self.shapes[mask] = key_set.a
            return key_set.risk(progress) if self.exceedance is None else key_set.upper_risk(self.exceedance, progress)
        self.shapes[mask] = np.inf
        groups = self.model.cube.project(mask, progress)
        f = np.where(groups.missing == 0, groups.count, np.nan)
        return calibrated_risk(f, self._summed(mask, float(np.nansum(f)), progress), np.inf, progress)

    def _summed(self, mask: int, records: float, progress: Progress) -> Floats:
        model, base = self.model, mask if self._whole is None else self._whole
        m = model.summed_m(mask, base, progress)
        if model.complete or model.census:
            return m
        cells = model.cube.project(model.full)
        complete = float(cells.count[(cells.missing & base) == 0].sum())
        scaled: Floats = m * ((model.total - records) / (model.total - complete))
        return scaled

    @cached_property
    def _whole(self) -> int | None:
        """The variables that some record has; None where no record has all of these."""
        missing = self.model.cube.project(self.model.full).missing
        whole = self.model.full & ~int(np.bitwise_and.reduce(missing))
        return whole if bool(((missing & whole) == 0).any()) else None
