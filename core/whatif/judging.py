"""How many records a combination's own model calls unsafe once cells of its table are merged: nothing is read again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..kernels import cells as kernels
from ..recipe.model import POPULATION_ESTIMATORS, Combination, Threshold
from ..results.households import asks_household, household_risks
from ..results.results import Results, RiskTable
from ..results.risk_tables import Risks, risk_table, risks_of
from ..results.unsafe_records import judged_unsafe
from ..risk.distribution import RiskDistribution
from ..risk.negative_binomial import calibrated_risk
from ..risk.population_model import FixedPoint, KeySet, PopulationModel, weights_above_one
from ..risk.population_risks import PopulationRisks
from ..risk.upper_bound import UpperBoundDistribution, UpperRiskBound, promise_of
from ..suppression.households.forecast import By
from ..tables.cell_index import CellIndex, Tabulation
from ..tables.cells import Cells
from ..tables.grouping import blocks
from ..tables.tabulate import with_rule

Onto = NDArray[np.uint32] | None
"""The merged cell that each cell of the table is in; None: they are the same."""
CLOSED = 1 << 19
"""Cells times margins up to which risks by a population model are closed over the margins of merged cells."""
_PROMISED = CLOSED >> 2
"""The same where a promise judges, whose risk is searched for in each cell."""


@dataclass(frozen=True, eq=False)
class TrialFigures:
    """What merged cells are found to be.

    Attributes
    ----------
    unsafe : unsafe records
    excess : bits by which risks are above the threshold, and counts below what is asked, summed over records
    table : the risk table of the cells, where risks judge; its cell index only where households are judged
    """

    unsafe: int
    excess: float
    table: RiskTable | None = None


class TrialEvaluator:
    """Judges merged cells of one combination as its model does.

    Parameters
    ----------
    table : its cells as they are
    threshold : in place of what the recipe asks for, of the individual or, by `by`, of the household risk
    """

    def __init__(
        self, derived: Results, index: int, table: Tabulation, threshold: float | None = None, by: By = "individual"
    ) -> None:
        self.derived, self.index = derived, index
        self.combination: Combination = derived.recipe.combinations[index]
        rare = self.combination.judges_margins
        self.table = Tabulation(with_rule(table.cells, "observed"), table.cell_index) if rare else table
        own = derived.tables[index]
        self.asked = Threshold() if own is None else own.asked
        if threshold is not None and by == "household":
            self.asked = Threshold(household_risk=threshold)
        elif threshold is not None:
            self.asked = Threshold(individual_risk=threshold, exceedance=self.asked.exceedance)

        cells, most = len(self.table.cells), CLOSED if self.asked.exceedance is None else _PROMISED
        by_model = own is not None and self.combination.estimator in POPULATION_ESTIMATORS
        self.exact = not by_model or cells << len(self.combination.variables) <= most
        """Whether the session finds the same of merged cells; else the risks of fewer keys are left out, and the
        session finds no fewer unsafe."""

    @property
    def can_judge(self) -> bool:
        """Whether the cells of the keys say which records are unsafe, by whatever is asked."""
        return self.combination.sensitive is None and (not self.combination.has_risk or bool(self.asked))

    def as_is(self, progress: Progress = SILENT) -> TrialFigures:
        """What the session finds of the table as it is."""
        table = self.derived.tables[self.index]
        if table is None:
            return self.judge(self.table.cells, None, progress)
        expected = table.staircase if table.promise is None else table.promise.staircase.expected
        risks = Risks(table.risk, expected, table.rate_observed, table.population)
        return self._by_risks(risks, table.promise, self.table.cells, None, progress)

    def cell_index(self, onto: Onto, progress: Progress = SILENT) -> CellIndex:
        """The merged cell of each record."""
        return self.table.cell_index if onto is None else self.table.cell_index.merged(onto, progress)

    def without(self, place: int, progress: Progress = SILENT) -> TrialFigures | None:
        """What the session finds without one variable, by the closed margins at hand; None where these are others'.

        Under ``calibrated`` each set of key variables has a model of its own, whatever larger table it is part of.
        """
        table = self.derived.tables[self.index]
        if table is None or table.population is None or self.combination.estimator != "calibrated":
            return None
        cells = self.table.cells
        risk, promise = _of_margin(table.population, cells, place, progress), None
        staircase = RiskDistribution.from_cells(risk, cells.count, progress)
        if self.asked.exceedance is not None and table.promise is not None:
            upper = _of_margin(table.promise.margins, cells, place, progress)
            by_upper = UpperBoundDistribution(
                **vars(RiskDistribution.from_cells(upper, cells.count, progress)), expected=staircase
            )
            promise = UpperRiskBound(self.asked.exceedance, upper, table.promise.margins, by_upper)
        return self._by_risks(Risks(risk, staircase, None), promise, cells, None, progress)

    def judge(self, cells: Cells, onto: Onto, progress: Progress = SILENT) -> TrialFigures:
        """What is unsafe in `cells`, in which those of the table are at the places `onto`.

        Raises
        ------
        RecipeError
            A rate or a number of records that these cells do not give.
        """
        if self.combination.least_size is not None:
            return _below(cells, self.combination.least_size)
        if self.combination.judges_margins:
            return _below(cells, self.combination.count_threshold + 1)
        return self._by_risks(*self._risks(cells, onto, progress), cells, onto, progress)

    def _by_risks(
        self, risks: Risks, promise: UpperRiskBound | None, cells: Cells, onto: Onto, progress: Progress
    ) -> TrialFigures:  # fmt: skip
        households, index, household = self.derived.households, self.table.cell_index, None
        if households is not None and asks_household(self.asked):
            index = self.cell_index(onto, progress)
            household = household_risks(index, risks.risk, households, progress)
        own = replace(self.combination, variables=cells.variables)
        merged = risk_table(self.index, own, Tabulation(cells, index), risks, self.asked, household, promise)
        excess = _bits_above(merged.judged_risk, merged.threshold, cells.count)
        if household is None or households is None:
            return TrialFigures(merged.staircase.unsafe(merged.threshold), excess, merged)
        each = households.of_file(household.risk), merged.household_threshold, households.of_file(households.size)
        excess += _bits_above(*each)
        tables = (*self.derived.tables[: self.index], merged, *self.derived.tables[self.index + 1 :])
        flags = judged_unsafe(replace(self.derived, tables=tables), self.index, progress)
        return TrialFigures(0 if flags is None else self.derived.times.count(flags), excess, merged)

    def _risks(self, cells: Cells, onto: Onto, progress: Progress) -> tuple[Risks, UpperRiskBound | None]:
        """Risks, and what judges instead of them where a promise is asked for."""
        own = replace(self.combination, variables=cells.variables)
        if self.combination.estimator not in POPULATION_ESTIMATORS:
            return risks_of(cells, own, progress), None
        model = PopulationModel(cells, self._above_one(onto, len(cells), progress))
        if not self.exact:
            return self._without_margins(cells, model, progress)
        risks, chance = risks_of(cells, own, progress, model), self.asked.exceedance
        return risks, None if chance is None else promise_of(cells, model, chance, risks.staircase, progress)

    def _without_margins(
        self, cells: Cells, model: PopulationModel, progress: Progress
    ) -> tuple[Risks, UpperRiskBound | None]:
        """Risks by the keys that each cell has, and not also by fewer of them: at most those of the session."""

        def expected(key_set: KeySet) -> NDArray[np.float64]:
            if self.combination.estimator == "calibrated":
                return key_set.risk(progress)
            return calibrated_risk(key_set.f, key_set.m, np.inf, progress)

        left_out = np.isnan(cells.f)
        risk = np.where(left_out, np.nan, model.of_cells(expected, progress))
        risks = Risks(risk, RiskDistribution.from_cells(risk, cells.count, progress), None)
        chance = self.asked.exceedance
        if chance is None:
            return risks, None
        upper = model.of_cells(lambda key_set: key_set.upper_risk(chance, progress), progress)
        upper = np.where(left_out, np.nan, upper)
        staircase = RiskDistribution.from_cells(upper, cells.count, progress)
        judged = UpperBoundDistribution(**vars(staircase), expected=risks.staircase)
        return risks, UpperRiskBound(chance, upper, PopulationRisks(model, "calibrated", chance), judged)

    @cached_property
    def _own_above_one(self) -> FixedPoint:
        return weights_above_one(self.table, self.derived.microdata.weights)

    def _above_one(self, onto: Onto, cells: int, progress: Progress) -> FixedPoint:
        """Sums of max(w - 1, 0) of the merged cells."""
        if onto is None:
            return self._own_above_one
        sums = tuple(np.zeros(cells, np.int64) for _ in self._own_above_one)
        for total, limb in zip(sums, self._own_above_one, strict=True):
            for part in blocks(len(onto), progress):
                kernels.add_by_id(onto[part], limb[part], total)
        return sums


def _of_margin(margins: PopulationRisks, cells: Cells, place: int, progress: Progress) -> NDArray[np.float64]:
    """The closed risk of each cell without the variable at `place`, by the others that it has."""
    risk, kept = np.full(len(cells), np.nan), margins.model.full & ~(1 << place)
    missing = margins.model.cube.project(margins.model.full).missing
    for pattern in np.unique(missing).tolist():
        here = np.flatnonzero((missing == pattern) & ~np.isnan(cells.f))
        risk[here] = margins.of_cells(kept & ~pattern, progress)[here]
    return risk


def _below(cells: Cells, least: int) -> TrialFigures:
    """Records whose values fewer than `least` records have.

    By the threshold rule, whose margins have their table's threshold, a record takes part in an unsafe combination
    where all values that it has are one: no part of them is rarer. Without any value it takes part in none.
    """
    few = cells.f < least
    if cells.rule == "observed":
        few &= cells.missing != np.uint64((1 << len(cells.variables)) - 1)
    bits = np.log2(least / np.maximum(cells.f[few], 1.0))
    return TrialFigures(int(cells.count[few].sum()), float(bits @ cells.count[few]))


def _bits_above(risk: NDArray[np.float64], limit: float | None, count: NDArray[np.int64]) -> float:
    """log2 of risk over threshold, summed over the records or members of those above it."""
    if limit is None:
        return 0.0
    known = ~np.isnan(risk)
    bits = np.log2(np.maximum(risk[known] / limit, 1.0))
    return float(bits @ count[known])
