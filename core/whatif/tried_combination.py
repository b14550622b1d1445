"""A combination whose cells are merged: what its own criterion says of them, and nothing is read again."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..kernels import cells as kernels
from ..recipe.edits import effective_threshold
from ..recipe.model import POPULATION_ESTIMATORS, Combination, Threshold
from ..results.households import asks_household, at_threshold, household_risks
from ..results.results import Results, RiskTable
from ..results.risk_tables import Risks, asks_individual, individual_threshold, risk_table, risks_of
from ..risk.distribution import RiskDistribution
from ..risk.household import HouseholdRisk, unsafe_up_to
from ..risk.individual import is_unsafe
from ..risk.negative_binomial import calibrated_risk
from ..risk.population_model import FixedPoint, KeySet, PopulationModel, weights_above_one
from ..risk.population_risks import PopulationRisks
from ..risk.upper_bound import UpperBoundDistribution, UpperRiskBound, promise_of
from ..suppression.households.forecast import By
from ..tables.cell_index import CellIndex, Tabulation
from ..tables.cells import Cells
from ..tables.grouping import blocks
from ..tables.tabulate import tabulate_records, with_rule
from .merged_tables import KEPT_BYTES, LEFT_OUT, Coding, MergedTable, MergedTables, Point

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
CLOSED = 1 << 19
"""Cells times margins up to which risks by a population model are closed over the margins of merged cells."""
_PROMISED = CLOSED >> 2
"""The same where a promise judges, whose risk is searched for in each cell."""


class TriedCombination:
    """A combination of the recipe: its cells, and what is asked of them.

    Parameters
    ----------
    derived : what follows from the recipe
    index : the combination's place in it
    columns : by which its variables are tabulated; None: as they are recoded
    table : its cells, where they are at hand
    threshold : in place of what the recipe asks for, of the individual or, by `by`, of the household risk
    ladders, kept_bytes : as of `MergedTables`
    """

    def __init__(
        self,
        derived: Results,
        index: int,
        columns: Mapping[str, EncodedColumn] | None = None,
        table: Tabulation | None = None,
        threshold: float | None = None,
        by: By = "individual",
        ladders: Mapping[str, Sequence[Coding]] | None = None,
        progress: Progress = SILENT,
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        self.derived, self.index, self.progress = derived, index, progress
        self.combination: Combination = derived.recipe.combinations[index]
        self.is_as_derived = columns is None
        table = self._tabulated(derived.columns if columns is None else columns, table)
        self.cells, self.cell_index = table
        self.records = self.cells.records
        self.tables = MergedTables(self.cells, self.combination.estimator, ladders, progress, kept_bytes)

        self.asked = effective_threshold(derived.recipe, self.combination)
        if threshold is not None and by == "household":
            self.asked = Threshold(household_risk=threshold)
        elif threshold is not None:
            self.asked = Threshold(individual_risk=threshold, exceedance=self.asked.exceedance)
        by_household = self.combination.has_risk and asks_household(self.asked)
        self.households = derived.households if by_household else None

        size, most = len(self.cells) << len(self.combination.variables), CLOSED
        if self.asked.exceedance is not None:
            most = _PROMISED
        self.by_model = self.combination.has_risk and self.combination.estimator in POPULATION_ESTIMATORS
        self.exact = not self.by_model or size <= most
        """Whether the session finds the same of merged cells; else the risks of fewer keys are left out, and the
        session finds no fewer unsafe."""

    def _tabulated(self, columns: Mapping[str, EncodedColumn], table: Tabulation | None) -> Tabulation:
        """The cells that are merged: of the keys, under the rule of the criterion; with the sensitive variable."""
        own, progress = self.combination, self.progress
        of_recipe = self.derived.tables[self.index] if self.is_as_derived else None
        if table is None and of_recipe is not None:
            table = Tabulation(of_recipe.cells, of_recipe.cell_index)
        if table is None or own.sensitive is not None:
            weights = self.derived.microdata.weights if own.has_risk else None
            rule = own.missing_rule if own.criterion.has_missing_rule else "category"
            named = [columns[name] for name in own.looked_at]
            table = tabulate_records(named, weights, rule, own.alpha, progress)
        if own.judges_margins:
            return Tabulation(with_rule(table.cells, "observed"), table.cell_index)
        return table

    @property
    def can_judge(self) -> bool:
        """Whether the cells say which records are unsafe, by whatever is asked."""
        return not self.combination.has_risk or bool(self.asked)

    @property
    def by_risk(self) -> bool:
        """Whether its records have a risk."""
        return self.combination.has_risk

    @property
    def is_missing_a_value(self) -> bool:
        """Whether a missing value counts as a value of its own."""
        return self.tables.base.cells.rule == "category"

    @property
    def by_households(self) -> bool:
        """Whether household risks judge it, and no individual ones."""
        return self.households is not None and not asks_individual(self.asked)

    @cached_property
    def least_risk(self) -> float:
        """The risk of a record without any value; nan where no risk judges."""
        return float(self.tables.at((LEFT_OUT,) * len(self.tables.variables)).risk[0]) if self.by_risk else math.nan

    def as_derived(self) -> CombinationTrial:
        """What the session finds of it as it is."""
        table = self.derived.tables[self.index] if self.is_as_derived else None
        if table is None:
            return self.as_tried()
        expected = table.staircase if table.promise is None else table.promise.staircase.expected
        known = Risks(table.risk, expected, table.rate_observed, table.population), table.promise
        return CombinationTrial(self, self.tables.base, known=known)

    def as_tried(self) -> CombinationTrial:
        """It as it is by what trials count of it: what those of its trials that are not exact are compared with."""
        asides = () if self.combination.sensitive is None else (LEFT_OUT,)
        keys: Point = (None,) * len(self.combination.variables)
        return CombinationTrial(self, self.tables.at((*keys, *asides)))

    def at(self, codings: Mapping[str, Coding]) -> CombinationTrial | None:
        """It under codings of its variables by name; None where all of its keys are left out."""
        point = tuple(codings.get(name) for name in self.tables.variables)
        keys = point[: len(self.combination.variables)]
        if all(coding is LEFT_OUT for coding in keys):
            return None
        if not self.exact and (known := self._by_closed_margins(keys)) is not None:
            return known
        if self.combination.sensitive is None:
            return CombinationTrial(self, self.tables.at(point))
        sensitive = None if point[-1] is LEFT_OUT else point[-1]  # it stays what must not be told
        return CombinationTrial(self, self.tables.at((*keys, LEFT_OUT)), sensitive)

    def _by_closed_margins(self, keys: Point) -> CombinationTrial | None:
        """What the session finds without one variable, by the closed margins at hand; None where these are others'.

        Under ``calibrated`` each set of key variables has a model of its own, whatever larger table it is part of.
        """
        gone = [j for j, coding in enumerate(keys) if coding is LEFT_OUT]
        table = self.derived.tables[self.index] if self.is_as_derived else None
        others = [coding for coding in keys if coding is not None]
        if table is None or table.population is None or self.combination.estimator != "calibrated":
            return None
        if len(gone) != 1 or len(others) != 1:
            return None
        cells, progress = self.cells, self.progress
        risk, promise = _of_margin(table.population, cells, gone[0], progress), None
        staircase = RiskDistribution.from_cells(risk, cells.count, progress)
        if self.asked.exceedance is not None and table.promise is not None:
            upper = _of_margin(table.promise.margins, cells, gone[0], progress)
            by_upper = UpperBoundDistribution(
                **vars(RiskDistribution.from_cells(upper, cells.count, progress)), expected=staircase
            )
            promise = UpperRiskBound(self.asked.exceedance, upper, table.promise.margins, by_upper)
        return CombinationTrial(self, self.tables.base, known=(Risks(risk, staircase, None), promise))

    def is_unsafe(self, table: CombinationTrial, limit: float | None, at: NDArray[np.intp] | slice) -> Flags:
        """Which of the cells `at` of a table do not meet the criterion: by a risk that reaches `limit`, or too few.

        By the threshold rule, whose margins have their table's threshold, a record takes part in an unsafe combination
        where all values that it has are one: no part of them is rarer. Without any value it takes part in none.
        """
        figure = table.judged[at]
        if self.by_risk:
            return is_unsafe(figure, limit)
        found: Flags = figure < self.least
        if self.combination.sensitive is not None:
            found &= figure > 0  # a key behind which no value is known gives none away
        elif self.combination.judges_margins:
            found &= table.cells.missing[at] != np.uint64((1 << len(table.cells.variables)) - 1)
        return found

    @property
    def least(self) -> int:
        """Records, or different sensitive values, that each cell must have where no risk judges."""
        own = self.combination
        if own.judges_margins:
            return own.count_threshold + 1
        return (own.l if own.sensitive is not None else own.least_size) or 1

    def by_population(self, cells: Cells, onto: NDArray[np.uint32] | None) -> tuple[Risks, UpperRiskBound | None]:
        """Risks by a population model, and what judges instead of them where a promise is asked for."""
        own, progress = replace(self.combination, variables=cells.variables), self.progress
        model, chance = PopulationModel(cells, self._above_one(onto, len(cells))), self.asked.exceedance
        if not self.exact:
            return self._without_margins(cells, model)
        risks = risks_of(cells, own, progress, model)
        return risks, None if chance is None else promise_of(cells, model, chance, risks.staircase, progress)

    def _without_margins(self, cells: Cells, model: PopulationModel) -> tuple[Risks, UpperRiskBound | None]:
        """Risks by the keys that each cell has, and not also by fewer of them: at most those of the session."""
        progress, of_whole = self.progress, PopulationRisks(model, "log-linear")

        def expected(key_set: KeySet) -> Floats:
            if self.combination.estimator == "calibrated":
                return key_set.risk(progress)
            people = of_whole.outside(sum(1 << place for place in key_set.variables), progress)[0]
            return calibrated_risk(key_set.f, people, np.inf, progress)

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
        return weights_above_one(Tabulation(self.cells, self.cell_index), self.derived.microdata.weights)

    def _above_one(self, onto: NDArray[np.uint32] | None, cells: int) -> FixedPoint:
        """Sums of max(w - 1, 0) of the merged cells."""
        if onto is None:
            return self._own_above_one
        sums = tuple(np.zeros(cells, np.int64) for _ in self._own_above_one)
        for total, limb in zip(sums, self._own_above_one, strict=True):
            for part in blocks(len(onto), self.progress):
                kernels.add_by_id(onto[part], limb[part], total)
        return sums


@dataclass(frozen=True, eq=False)
class JudgedHouseholds:
    """Household risks, and the rows of the file that they make unsafe, (n,) bool."""

    risks: HouseholdRisk
    unsafe: Flags

    @property
    def number(self) -> int:
        """Unsafe households, each of which loses a value at least."""
        return self.risks.staircase.unsafe_households(self.risks.threshold)


@dataclass(frozen=True, eq=False)
class CombinationTrial:
    """A combination under some codings; each figure is made when it is asked for.

    Attributes
    ----------
    tried : the combination
    table : its cells
    sensitive : of l-diversity, the coding of the sensitive variable
    known : risks, and the promise, where they are at hand; None: they follow from the cells
    """

    tried: TriedCombination
    table: MergedTable
    sensitive: Coding | None = None
    known: tuple[Risks, UpperRiskBound | None] | None = None

    @property
    def cells(self) -> Cells:
        """Its distinct keys."""
        return self.table.cells

    @property
    def exact(self) -> bool:
        """Whether the session finds the same; else it finds no fewer unsafe records."""
        return self.tried.exact or self.known is not None

    @cached_property
    def onto(self) -> NDArray[np.uint32] | None:
        """The cell that each cell of the combination as it is has become part of; None: they are the same."""
        tables = self.tried.tables
        return None if self.table is tables.base else tables.of_base(self.table)

    @cached_property
    def cell_index(self) -> CellIndex:
        """The cell of each row of the file."""
        tried = self.tried
        return tried.cell_index if self.onto is None else tried.cell_index.merged(self.onto, tried.progress)

    @cached_property
    def risks(self) -> tuple[Risks, UpperRiskBound | None]:
        """The risks of the cells, and what judges instead of them where a promise is asked for."""
        if self.known is not None:
            return self.known
        if self.tried.by_model:
            return self.tried.by_population(self.cells, self.onto)
        staircase = RiskDistribution.from_cells(self.table.risk, self.cells.count, self.tried.progress)
        return Risks(self.table.risk, staircase, None), None

    @property
    def risk(self) -> Floats:
        """(m,) the risk of each cell, of which figures are told."""
        return self.risks[0].risk if self.tried.by_model or self.known is not None else self.table.risk

    @cached_property
    def judged(self) -> Floats:
        """(m,) what of each cell is judged: a risk, records, or different values of the sensitive variable."""
        if self.tried.combination.sensitive is not None:
            return self._different_values()
        if not self.tried.by_risk:
            return self.cells.f
        promise = self.risks[1] if self.tried.by_model or self.known is not None else None
        return self.risk if promise is None else promise.upper_risk

    def _different_values(self) -> Floats:
        """How many sensitive values are behind each key, those aside that are missing."""
        tables, keys = self.tried.tables, self.table.point[:-1]
        cells = tables.at((*keys, self.sensitive)).cells
        there = cells.codes[-1] < cells.cards[-1]
        of_cell = self.table.find(cells.codes[:-1])
        of_cell = np.broadcast_to(of_cell, len(cells))[there]
        return np.bincount(of_cell, minlength=len(self.cells)).astype(np.float64)

    @cached_property
    def limit(self) -> float | None:
        """The threshold of the individual risk; None where nothing is unsafe by it.

        Raises
        ------
        RecipeError
            A rate or a number of records that these cells do not give.
        """
        if not self.tried.by_risk:
            return None
        if self.tried.asked.individual_risk is not None:
            return self.tried.asked.individual_risk
        risks, promise = self.risks
        return individual_threshold(self.tried.asked, risks.staircase if promise is None else promise.staircase)

    @cached_property
    def households(self) -> JudgedHouseholds | None:
        """What household risks come to; None where they do not judge.

        Raises
        ------
        RecipeError
            A rate or a number of households that there is not.
        """
        households, progress = self.tried.households, self.tried.progress
        if households is None:
            return None
        index = self.cell_index
        found = at_threshold(household_risks(index, self.risk, households, progress), self.tried.asked)
        levels = unsafe_up_to(self.risk, index.of_record, found.risk, households, progress)
        return JudgedHouseholds(found, is_unsafe(levels, found.threshold))

    @cached_property
    def unsafe_cells(self) -> Flags:
        """(m,) which cells are unsafe, households aside."""
        return self.tried.is_unsafe(self, self.limit, slice(None))

    @cached_property
    def unsafe_rows(self) -> Flags:
        """(n,) which rows of the file are unsafe by it, by either risk."""
        found = self.cell_index.spread(self.unsafe_cells)
        return found if self.households is None else found | self.households.unsafe

    @cached_property
    def unsafe(self) -> int:
        """Unsafe records, by either risk."""
        if self.households is None:
            return int(self.cells.count[self.unsafe_cells].sum())
        return self.tried.derived.times.count(self.unsafe_rows)

    @cached_property
    def excess(self) -> float:
        """Bits by which risks are above the threshold, and counts below what is asked, summed over records."""
        count = self.cells.count
        if not self.tried.by_risk:
            few, least = self.unsafe_cells, self.tried.least
            bits: Floats = np.log2(least / np.maximum(self.judged[few], 1.0))
            return float(bits @ count[few])
        found = _bits_above(self.judged, self.limit, count)
        if self.households is not None and (own := self.tried.households) is not None:
            risks = self.households.risks
            found += _bits_above(own.of_file(risks.risk), risks.threshold, own.of_file(own.size))
        return found

    @cached_property
    def risk_table(self) -> RiskTable:
        """The risk table as the session would make it; its cell index where households are judged."""
        tried, (risks, promise) = self.tried, self.risks
        own = replace(tried.combination, variables=self.cells.variables)
        index = tried.cell_index if self.households is None else self.cell_index
        household = None if self.households is None else self.households.risks
        return risk_table(tried.index, own, Tabulation(self.cells, index), risks, tried.asked, household, promise)

    @cached_property
    def _known(self) -> tuple[int, float]:
        there, count = ~np.isnan(self.risk), self.cells.count
        return int(count[there].sum()), float(self.risk[there] @ count[there])

    @property
    def rate(self) -> float:
        """Its re-identification rate before suppression; nan where no risk judges."""
        if not self.tried.by_risk:
            return math.nan
        if self.tried.by_households and self.households is not None:
            return self.households.risks.staircase.rate
        return self._rate(0.0)

    def rate_after(self, change: float) -> float:
        """The same after suppressions that change the expected re-identifications so much.

        Where households judge: at most, as if each unsafe one came just below the threshold.
        """
        if self.tried.by_households and self.households is not None and self.tried.households is not None:
            risks, of_file = self.households.risks, self.tried.households.of_file
            size, each = of_file(self.tried.households.size), of_file(risks.risk)
            most = each if risks.threshold is None else np.fmin(each, risks.threshold)
            there = ~np.isnan(most)
            known = int(size[there].sum())
            return float(most[there] @ size[there]) / known if known else math.nan
        return self._rate(change) if self.tried.by_risk else math.nan

    def _rate(self, change: float) -> float:
        known, expected = self._known
        return (expected + change) / known if known else math.nan

    def without(self, gone: Collection[str]) -> CombinationTrial:
        """It without some more variables: the margin by which records are judged that lose them."""
        both = zip(self.tried.tables.variables, self.table.point, strict=True)
        point = tuple(LEFT_OUT if name in gone else coding for name, coding in both)
        return CombinationTrial(self.tried, self.tried.tables.at(point), self.sensitive)


def _of_margin(margins: PopulationRisks, cells: Cells, place: int, progress: Progress) -> Floats:
    """The closed risk of each cell without the variable at `place`, by the others that it has."""
    risk, kept = np.full(len(cells), np.nan), margins.model.full & ~(1 << place)
    missing = margins.model.cube.project(margins.model.full).missing
    for pattern in np.unique(missing).tolist():
        here = np.flatnonzero((missing == pattern) & ~np.isnan(cells.f))
        risk[here] = margins.of_cells(kept & ~pattern, progress)[here]
    return risk


def _bits_above(risk: Floats, limit: float | None, count: NDArray[np.int64]) -> float:
    """log2 of risk over threshold, summed over the records or members of those above it."""
    if limit is None:
        return 0.0
    known = ~np.isnan(risk)
    bits: Floats = np.log2(np.maximum(risk[known] / limit, 1.0))
    return float(bits @ count[known])
