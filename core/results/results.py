"""What follows from a recipe, as frozen values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import Progress
from ..data.columns import EncodedColumn, Microdata, times_of
from ..data.households import Households
from ..data.times import Times
from ..data.variables import Metadata
from ..perturbation.done import PerturbedColumns
from ..recipe.model import Combination, Recipe, Threshold
from ..recoding.recoding import Recoding
from ..risk.distribution import RiskDistribution
from ..risk.household import HouseholdRisk
from ..risk.population_risks import PopulationRisks
from ..risk.released_opinion import ReleasedOpinion
from ..risk.upper_bound import UpperRiskBound
from ..suppression.inference.elimination import Inference
from ..suppression.inference.leaks import RemainingRows
from ..suppression.plan import Plan
from ..tables.cached_margins import CachedMargins
from ..tables.cell_index import CellIndex
from ..tables.cells import Cells
from ..tables.margins import Overview

LEFT_BY_CHOICE = ("unsafe-by-choice", "not-judged")
"""Ids of the notices that `Protection.left_by_choice` looks for."""


class DescribedRecipe(Protocol):
    """A recipe, and the description of the file that it names."""

    @property
    def recipe(self) -> Recipe:
        """The recipe."""

    @property
    def metadata(self) -> Metadata:
        """The description after the recipe's overrides."""


@dataclass(frozen=True, eq=False)
class RiskTable:
    """A combination judged by individual risk.

    Attributes
    ----------
    index : place of the combination in the recipe
    combination : as the recipe says it
    cells : distinct keys after recoding
    cell_index : which of them each record is in
    risk : (m,) float64, individual risk of each cell; nan where the missing rule leaves it out
    staircase : file-level figures at every threshold, of what the records are judged by
    asked : the combination's own threshold or the recipe's; empty where neither says one
    threshold : `asked` as an individual risk; None where nothing is unsafe or nothing was asked
    sample_uniques : records with f = 1
    rate_observed : rate under ``observed``, where the rule is ``wildcard`` and keys have missing values
    household : household risks and their threshold; None without a household identifier
    population : risks of the margins by a population model, where the estimator judges by one
    promise : what the records are judged by instead of `risk` where `asked` says an exceedance
    held : gives the frequencies in the table's margins
    """

    index: int
    combination: Combination
    cells: Cells
    cell_index: CellIndex
    risk: NDArray[np.float64]
    staircase: RiskDistribution
    asked: Threshold
    threshold: float | None
    sample_uniques: int
    rate_observed: float | None = None
    household: HouseholdRisk | None = None
    population: PopulationRisks | None = None
    promise: UpperRiskBound | None = None
    held: CachedMargins | None = field(default=None, compare=False, repr=False)

    @property
    def judged_risk(self) -> NDArray[np.float64]:
        """What of each cell is compared with the threshold, (m,) float64."""
        return self.risk if self.promise is None else self.promise.upper_risk

    @property
    def judged_margins(self) -> PopulationRisks | None:
        """The same of the margins, where a population model judges."""
        return self.population if self.promise is None else self.promise.margins

    @property
    def household_threshold(self) -> float | None:
        """What is asked as a household risk; None where no household is unsafe or nothing was asked."""
        return None if self.household is None else self.household.threshold


@dataclass(frozen=True, eq=False)
class RecodedData:
    """The columns that tables are made from.

    Attributes
    ----------
    metadata : after the recipe's overrides
    microdata : the encoded columns, after the perturbations before recodes, and the derived key variables
    recodings : by variable
    columns : encoded columns after recoding
    labels : codelists after recoding, by variable: code -> label
    households : None without a household identifier
    labels_of_derived : of derived key variables before they are recoded, by variable: code -> label
    perturbed : what was perturbed before recodes; None: nothing
    """

    recipe: Recipe
    metadata: Metadata
    microdata: Microdata
    recodings: Mapping[str, Recoding]
    columns: Mapping[str, EncodedColumn]
    labels: Mapping[str, Mapping[str, str]]
    households: Households | None
    labels_of_derived: Mapping[str, Mapping[str, str]] = field(default_factory=dict, kw_only=True)
    perturbed: PerturbedColumns | None = field(default=None, kw_only=True)

    @property
    def original(self) -> Microdata:
        """`microdata` as the original file has it, before every perturbation."""
        if self.perturbed is None:
            return self.microdata
        before = {name: column for name, column in self.perturbed.before.items() if name in self.microdata.columns}
        return replace(self.microdata, columns={**self.microdata.columns, **before})

    @property
    def records(self) -> int:
        """Number of records n."""
        return self.microdata.records

    @property
    def times(self) -> Times:
        """How many records each row of `columns` stands for."""
        return times_of(self.columns.values())


@dataclass(frozen=True, eq=False)
class Results(RecodedData):
    """Everything that follows from a recipe short of suppression.

    Attributes
    ----------
    tables : one per combination; None for models without a risk
    overviews : unsafe combinations of each combination's own tables, one per combination, counted when asked for
    overview : unsafe combinations over all combinations, distinct tables once; where there are very many, of the first
        dimensions (`Overview.counted`)
    notices : what was accepted and has to be said
    """

    tables: tuple[RiskTable | None, ...]
    overviews: Sequence[Overview]
    overview: Overview
    notices: tuple[Notice, ...]

    @property
    def risk_tables(self) -> tuple[RiskTable, ...]:
        """The combinations judged by individual risk."""
        return tuple(table for table in self.tables if table is not None)

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Variables of each risk table for which no threshold is asked."""
        return tuple(" × ".join(t.combination.variables) for t in self.risk_tables if not t.asked)


@dataclass(frozen=True, eq=False)
class RemainingRisks:
    """What the values that a plan leaves say of each record, counted in the original (recoded) file.

    Attributes
    ----------
    rows : sample and population frequency and individual risk (nan where the missing rule leaves a record out), and in
        which row each record is
    household : (H,) float64, household risk, nan where a member's risk is not defined; None without households
    upper : of each row what is compared with the threshold where the promise judges; None: the risk
    records : (n,) int64, how many records each one stands for, where they are cells of a file in parts; None: one each
    """

    rows: RemainingRows
    household: NDArray[np.float64] | None
    upper: NDArray[np.float64] | None = None
    records: NDArray[np.int64] | None = None

    @property
    def frequency(self) -> NDArray[np.float64]:
        """Sample frequency of each record, (n,) float64."""
        return self.rows.spread(self.rows.f)

    @property
    def population(self) -> NDArray[np.float64]:
        """Population frequency of each record, (n,) float64."""
        return self.rows.spread(self.rows.F)

    @property
    def risk(self) -> NDArray[np.float64]:
        """Individual risk of each record, (n,) float64; nan where the missing rule leaves it out."""
        return self.rows.spread(self.rows.risk)

    @property
    def judged(self) -> NDArray[np.float64]:
        """What of each record is compared with the threshold, (n,) float64."""
        return self.rows.spread(self._judged)

    @property
    def _judged(self) -> NDArray[np.float64]:
        return self.rows.risk if self.upper is None else self.upper

    @cached_property
    def tallied(self) -> TalliedRisks:
        """The rows that there are in the file, and how many records each has."""
        records = self.rows.tally(self.records)
        some = records > 0
        there = slice(None) if some.all() else some
        risk = self.rows.risk[there]
        judged = risk if self.upper is None else self.upper[there]
        return TalliedRisks(self.rows.f[there], risk, judged, records[there])


class TalliedRisks(NamedTuple):
    """Remaining risks by row, each (m,), with the number of `records` that have them."""

    frequency: NDArray[np.float64]
    risk: NDArray[np.float64]
    judged: NDArray[np.float64]
    records: NDArray[np.int64]


RemainingRisksOf = Callable[[RiskTable, Progress], RemainingRisks]
"""Those by a risk table, made when they are asked for."""


@dataclass(frozen=True, eq=False)
class PlanWithoutPrevention:
    """The plan that leaves values to be told by the rules, beside which one that does not is put.

    Attributes
    ----------
    plan : the cheapest one judged by the original file
    inferences : what elimination leaves of its suppressed values, by place of the combination
    """

    plan: Plan
    inferences: Mapping[int, Inference]

    @property
    def certain(self) -> int:
        """Suppressed values that can be told with certainty."""
        return sum(inference.certain for inference in self.inferences.values())


@dataclass(frozen=True, eq=False)
class Protection:
    """What would be written, before anything is.

    Attributes
    ----------
    derived : what the plan was made from
    plan : the values to suppress
    unsafe_left : records at or above their threshold that are not protected
    remaining : risks by what the plan leaves, judged by the original file
    notices : what the suppression gives away, and who is left unsafe
    inferences : what elimination leaves of the suppressed values, by place of the combination; see
        `core.results.inference.inferences`
    by_mode : risks as the mode judges them; None where these are the `remaining` ones
    with_gaps : what it would be without ``close_gaps``; None where that is not asked
    hidden : records that only members of their own household make safe, by place of the combination; see
        `core.results.hidden_by_household`
    opinions : the other estimate of the risk of the safe file, by place of the combination; see
        `core.results.released_opinions`
    below_exact : where an estimator below the individual risk judges, records that the exact one finds unsafe
    """

    derived: Results
    plan: Plan
    unsafe_left: int
    remaining: RemainingRisksOf
    notices: tuple[Notice, ...] = ()
    inferences: Mapping[int, Inference] = field(default_factory=dict)
    by_mode: RemainingRisksOf | None = None
    with_gaps: PlanWithoutPrevention | None = None
    hidden: Mapping[int, int] = field(default_factory=dict)
    opinions: Mapping[int, ReleasedOpinion] = field(default_factory=dict)
    below_exact: Mapping[int, int] = field(default_factory=dict)

    def judged(self, table: RiskTable, progress: Progress) -> RemainingRisks:
        """The records' risks by a table, as the mode of suppression judges them."""
        return (self.by_mode or self.remaining)(table, progress)

    @property
    def left_by_choice(self) -> Notice | None:
        """What makes a file with combinations no protected one: records left unsafe, or unjudged; None for nothing."""
        return next((notice for notice in self.notices if notice.id in LEFT_BY_CHOICE), None)
