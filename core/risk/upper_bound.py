"""The promise about the population size of a cell: records judged by how likely it is that few people are in it.

A record is unsafe where P(F <= 1/r*), closed over the margins, is at least the chance allowed [method: log-linear
model, promise]. For each cell that is the same as a risk of its own that reaches r*: the largest threshold that its
true 1/F reaches with that chance. So thresholds, staircase and suppression work on that risk as on any other; rates and
sums stay those of the expected 1/F.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..tables.cells import Cells
from .distribution import RiskDistribution
from .population_model import PopulationModel
from .population_risks import PopulationRisks


@dataclass(frozen=True, eq=False)
class UpperBoundDistribution(RiskDistribution):
    """Levels are the risks that the promise is judged by; largest risk, sums and rates are those of `expected`."""

    expected: RiskDistribution

    @property
    def figured(self) -> RiskDistribution:
        """The expected risks."""
        return self.expected

    @property
    def expected_reidentifications(self) -> float:
        """The sum of the expected risks."""
        return self.expected.expected_reidentifications

    def rate_at(self, t: float | None) -> float:
        """The mean of min(r, t) of the expected risks r: it does not depend on how records are judged."""
        return self.expected.rate_at(t)

    def threshold_for_rate(self, tau: float) -> float | None:
        """The inverse of `rate_at`."""
        return self.expected.threshold_for_rate(tau)


@dataclass(frozen=True, eq=False)
class UpperRiskBound:
    """What judges the records of a table, whatever its threshold.

    Attributes
    ----------
    exceedance : the chance allowed that somebody stands at or above the threshold
    upper_risk : (m,) float64, by which each cell is judged; nan where the missing rule leaves it out
    margins : the same of every margin
    staircase : of `upper_risk`, with the sums of the expected risks
    """

    exceedance: float
    upper_risk: NDArray[np.float64]
    margins: PopulationRisks
    staircase: UpperBoundDistribution


def promise_of(
    cells: Cells, model: PopulationModel, exceedance: float, expected: RiskDistribution, progress: Progress = SILENT
) -> UpperRiskBound:
    """Judge `cells` by the promise; `model` is theirs, `expected` the staircase of their expected 1/F."""
    margins = PopulationRisks(model, "calibrated", exceedance)
    upper = margins.of_table(cells, progress)
    found = RiskDistribution.from_cells(upper, cells.count, progress)
    return UpperRiskBound(exceedance, upper, margins, UpperBoundDistribution(**vars(found), expected=expected))
