"""Risk tables: from cells to individual risks, the staircase, and the threshold that the recipe asks for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import Progress
from ..base.texts import mark
from ..recipe.model import Combination, Threshold
from ..risk.distribution import RiskDistribution
from ..risk.household import HouseholdRisk
from ..risk.individual import individual_risk
from ..risk.population_model import PopulationModel
from ..risk.population_risks import PopulationRisks
from ..risk.upper_bound import UpperRiskBound
from ..tables.cell_index import Tabulation
from ..tables.cells import Cells
from ..tables.tabulate import with_rule
from .households import at_threshold, resolved
from .results import RiskTable


@dataclass(frozen=True, eq=False)
class Risks:
    """The risks of a table's cells, whatever the threshold; `population`: of its margins, by a population model."""

    risk: NDArray[np.float64]
    staircase: RiskDistribution
    rate_observed: float | None
    population: PopulationRisks | None = None


def risks_of(cells: Cells, combination: Combination, progress: Progress, model: PopulationModel | None = None) -> Risks:
    """Individual risks of `cells` and their staircase; `model`: for the estimators that judge by one."""
    if combination.estimator == "calibrated" or combination.estimator == "log-linear":
        assert model is not None
        population = PopulationRisks(model, combination.estimator)
        risk = population.of_table(cells, progress)
        return Risks(risk, RiskDistribution.from_cells(risk, cells.count), None, population)
    risk = individual_risk(cells.f, cells.F, combination.estimator, progress)
    staircase = RiskDistribution.from_cells(risk, cells.count)
    observed = None
    if cells.rule == "wildcard" and cells.missing.any():
        other = with_rule(cells, "observed", 1.0, progress)
        of_observed = individual_risk(other.f, other.F, combination.estimator, progress)
        observed = RiskDistribution.from_cells(of_observed, other.count).rate
    return Risks(risk, staircase, observed)


def risk_table(
    index: int,
    combination: Combination,
    table: Tabulation,
    risks: Risks,
    asked: Threshold,
    household: HouseholdRisk | None = None,
    promise: UpperRiskBound | None = None,
) -> RiskTable:
    """The risk table with the thresholds that `asked` comes to; `promise` where it asks for one.

    Raises
    ------
    RecipeError
        A rate or a number of records or households that does not exist.
    """
    staircase = risks.staircase if promise is None else promise.staircase
    return RiskTable(
        index=index,
        combination=combination,
        cells=table.cells,
        cell_index=table.cell_index,
        risk=risks.risk,
        staircase=staircase,
        asked=asked,
        threshold=individual_threshold(asked, staircase),
        sample_uniques=sample_uniques(table.cells),
        rate_observed=risks.rate_observed,
        household=None if household is None else at_threshold(household, asked),
        population=risks.population,
        promise=promise,
    )


def sample_uniques(cells: Cells) -> int:
    """Number of records with f = 1."""
    return int(cells.count @ (cells.f == 1.0))


def asks_individual(asked: Threshold) -> bool:
    """Whether a threshold of the individual risk is asked for, by any of its linked numbers."""
    return any(x is not None for x in (asked.individual_risk, asked.reidentification_rate, asked.unsafe_records))


def individual_threshold(asked: Threshold, staircase: RiskDistribution) -> float | None:
    """`asked` as an individual risk; None where nothing is asked, or where no record is unsafe at what is asked."""
    error = RecipeError(
        "unsafe-records-too-many",
        mark("The recipe's threshold asks for {number} unsafe records, but there are only {records} records."),
        mark("Give a number from 0 to {records}."),
        number=asked.unsafe_records,
        records=staircase.n,
    )
    fixed, rate, unsafe = asked.individual_risk, asked.reidentification_rate, asked.unsafe_records
    return resolved(fixed, rate, unsafe, staircase, staircase.n, staircase.threshold_for_records, error)
