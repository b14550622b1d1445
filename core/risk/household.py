"""Household risk: that at least one member of a household is re-identified, and its threshold staircase."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.households import Households
from ..data.risk_figures import RiskFigures
from ..kernels import households as kernels
from ..tables.grouping import blocks
from .distribution import Histogram, RiskDistribution


def household_risk(
    risk: NDArray[np.float64],
    cell_of_record: NDArray[np.uint32],
    households: Households,
    progress: Progress = SILENT,
) -> NDArray[np.float64]:
    """1 - product over the members of (1 - r_i), one value a household [P04 eq. 18-19].

    Parameters
    ----------
    risk : (m,) individual risks in (0, 1] of cells; nan: not defined
    cell_of_record : (n,) uint32

    Returns
    -------
    (H,) float64 in (0, 1]; nan where a member's risk is not defined. Small risks keep their digits.
    """
    with np.errstate(divide="ignore"):
        logs = np.log1p(-risk)
    found = np.empty(len(households))
    for part in blocks(len(households), progress):
        starts = households.starts[part.start : part.stop + 1]
        kernels.combine(starts, households.members, cell_of_record, logs, found[part])
    return found


def unsafe_up_to(
    risk: NDArray[np.float64],
    cell_of_record: NDArray[np.uint32],
    of_households: NDArray[np.float64],
    households: Households,
    progress: Progress = SILENT,
) -> NDArray[np.float64]:
    """The largest household threshold at which each record is unsafe: min(r^h_g, size r_i), (n,).

    A record is unsafe if its household is and its own risk is at least t / size [P04 section 7.4.1]; nan where the
    household's risk is not defined.
    """
    found = np.empty(len(cell_of_record))
    size = households.size.astype(np.float64)
    for part in blocks(len(found), progress):
        household, cell = households.household_of_record[part], cell_of_record[part]
        kernels.lowest_safe(household, cell, risk, of_households, size, found[part])
    return found


@dataclass(frozen=True, eq=False)
class HouseholdStaircase(RiskDistribution):
    """The distinct household risks of a file: a staircase whose records are the members of households.

    The figures of `RiskDistribution` hold with the household's risk for each member: `rate` is xi^h, `rate_at` its
    bound xi^h*, `expected_reidentifications` the sum over records, `level_cells` counts households. Numbers of unsafe
    *records* follow the rule for them: in an unsafe household, with a risk of at least t / size.

    Attributes
    ----------
    records : staircase of `unsafe_up_to`
    undefined : number of households whose risk is not given
    """

    records: RiskDistribution
    undefined: int = 0

    @classmethod
    def of(
        cls,
        risk: NDArray[np.float64],
        cell_of_record: NDArray[np.uint32],
        of_households: NDArray[np.float64],
        households: Households,
        progress: Progress = SILENT,
    ) -> HouseholdStaircase:
        """The staircase of a table's individual risks; `of_households` is their `household_risk`."""
        each = households.of_file(of_households)  # one by one: a sum of risks keeps its last bit whatever the parts
        base = RiskDistribution.from_cells(each, households.of_file(households.size), progress)
        levels = unsafe_up_to(risk, cell_of_record, of_households, households, progress)
        counts = households.records_of_rows
        records = RiskDistribution.from_cells(
            levels, np.ones(len(levels), np.int64) if counts is None else counts, progress
        )
        return cls(
            base.n,
            base.levels,
            base.cumulative_records,
            base.cumulative_risk,
            base.level_cells,
            records,
            int(np.isnan(each).sum()),
        )

    @property
    def households(self) -> int:
        """Households with a defined risk."""
        return int(self.level_cells.sum())

    def figures(self, t: float | None) -> RiskFigures | None:
        """Its figures, unsafe households and their unsafe records at the threshold t; None where none has a risk."""
        found = super().figures(t)
        if found is None:
            return None
        unsafe = None if t is None else self.unsafe_households(t)
        return replace(found, households=self.households, unsafe_households=unsafe)

    def unsafe(self, t: float | None) -> int:
        """Number of unsafe records at the household threshold t; None: none."""
        return self.records.unsafe(t)

    def unsafe_households(self, t: float | None) -> int:
        """Number of households with r^h >= t (1 - 1e-12); None: none."""
        return 0 if t is None else int(self.level_cells[self._position(t) :].sum())

    def threshold_for_households(self, unsafe: int, current: float | None = None) -> float | None:
        """The smallest level at which at most so many households are unsafe; None where only "none" achieves it.

        `current`, a threshold already set, is kept when it has just this number of unsafe households.

        Raises
        ------
        RecipeError
            The number is negative.
        """
        if unsafe < 0:
            raise RecipeError(
                "unsafe-households-negative",
                mark("{number} unsafe households cannot be reached."),
                mark("Give a number from 0 to {households}."),
                number=unsafe,
                households=self.households,
            )
        if current is not None and self.unsafe_households(current) == unsafe:
            return current
        above = self.households - np.cumsum(self.level_cells)
        position = 0 if unsafe >= self.households else int(np.searchsorted(-above, -unsafe, "left")) + 1
        return float(self.levels[position]) if position < len(self.levels) else None

    def threshold_for_records(self, unsafe_records: int, current: float | None = None) -> float | None:
        """The smallest level of a record at which at most so many records are unsafe; as `RiskDistribution`."""
        return self.records.threshold_for_records(unsafe_records, current)

    def histogram(self, bins: int = 10) -> Histogram:
        """Members (`records`) and households (`cells`) in `bins` classes of equal width in log household risk."""
        return super().histogram(bins)


@dataclass(frozen=True, eq=False)
class HouseholdRisk:
    """Household risks of one risk table.

    Attributes
    ----------
    risk : (H,) float64, nan where a member's risk is not defined
    staircase : file-level figures at every household threshold
    threshold : what the recipe asks for, as a household risk; None where nothing is unsafe or nothing was asked
    asked : whether the recipe asks for a household threshold
    """

    risk: NDArray[np.float64]
    staircase: HouseholdStaircase
    threshold: float | None
    asked: bool
