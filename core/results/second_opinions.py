"""The second opinion of a risk table: what the population model says beside the individual risk."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..base.errors import DataError, Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import Weights
from ..risk.distribution import RiskDistribution
from ..risk.individual import individual_risk, is_unsafe
from ..risk.population_model import PopulationModel, weights_above_one
from ..risk.released_opinion import closed_risks
from ..risk.second_opinion import ModelEstimate, second_opinion
from ..tables.cell_index import Tabulation
from .results import RiskTable


@dataclass(frozen=True, eq=False)
class TableEstimate:
    """The second opinion of a table; `opinion` is None where there is none, and `refused` says why not.

    `unsafe` : records at or above the table's threshold by the opinion, where `ModelEstimate.risk` is not kept; None:
    it is, or there is no threshold.

    The risks of cells and the largest are closed, as where the model judges: it finds the same records unsafe before
    and after it is chosen. Expected re-identifications and their interval are before closure.

    Nothing is said of a file that is its own population: there the individual risk is 1/f, and so is the model's. Of a
    table that is judged by a model, the other one is the individual risk: `individual`, its figures at every threshold;
    else `by_model` has those of the opinion.
    """

    opinion: ModelEstimate | None = None
    refused: Notice | None = None
    individual: RiskDistribution | None = None
    by_model: RiskDistribution | None = None
    unsafe: int | None = None

    @property
    def staircase(self) -> RiskDistribution | None:
        """The other opinion at every threshold; None where there is none."""
        return self.by_model or self.individual

    @property
    def maximum(self) -> float:
        """The largest risk by the other opinion; 0 where there is none."""
        if self.opinion is not None:
            return self.opinion.maximum
        return self.individual.max_risk if self.individual is not None else 0.0

    def ratio(self, own: float) -> float:
        """Expected re-identifications by the other opinion over the table's `own`; nan where there are none."""
        other = self.opinion or self.individual
        return other.expected_reidentifications / own if other is not None and own else math.nan


def population_model(table: Tabulation, weights: Weights | None, progress: Progress = SILENT) -> PopulationModel:
    """The population model of the cells of `table`, counted with `weights`.

    Raises
    ------
    DataError
        The weights do not add up to a population.
    """
    return PopulationModel(table.cells, weights_above_one(table, weights, progress))


def opinion_of(
    table: RiskTable, model: PopulationModel | DataError, progress: Progress = SILENT, chart: bool = True
) -> TableEstimate:
    """Judge the cells of `table` by its population model; a `DataError` says why there is none.

    `chart` : whether `TableEstimate.by_model`, which takes as much memory as four columns of cells, or the risks of
    single cells are looked at; else neither is kept.
    """
    if table.population is not None:
        return TableEstimate(individual=individual_staircase(table, progress))
    if isinstance(model, PopulationModel):
        if model.census:
            return TableEstimate()
        opinion, risk = second_opinion(table.cells, model, progress), closed_risks(table.cells, model, progress)
        largest = float(np.nanmax(risk, initial=0.0))
        opinion = replace(opinion, risk=risk, maximum=max(opinion.maximum, largest))
        if not chart:
            unsafe = unsafe_by_opinion(table, TableEstimate(opinion))
            return TableEstimate(replace(opinion, risk=opinion.risk[:0].copy()), unsafe=unsafe)
        return TableEstimate(opinion, by_model=RiskDistribution.from_cells(opinion.risk, table.cells.count, progress))
    else:
        text = mark("There is no second opinion on the risk of {combination}: the weights do not tell how many people "
                    "are outside the sample.")  # fmt: skip
        combination = " x ".join(table.combination.variables)
        return TableEstimate(refused=Notice.of("no-second-opinion", text, combination=combination, why=model.id))


def individual_staircase(table: RiskTable, progress: Progress = SILENT) -> RiskDistribution:
    """The individual risk of the table at every threshold, whatever it is judged by."""
    cells = table.cells
    return RiskDistribution.from_cells(individual_risk(cells.f, cells.F, "exact", progress), cells.count)


def unsafe_by_opinion(table: RiskTable, found: TableEstimate) -> int | None:
    """Records at or above the table's threshold by the second opinion; None without a threshold or an opinion."""
    if table.threshold is None or found.opinion is None:
        return None
    if found.unsafe is not None:
        return found.unsafe
    return int(table.cells.count[is_unsafe(found.opinion.risk, table.threshold)].sum())
