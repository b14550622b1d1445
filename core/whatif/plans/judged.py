"""A combination at the points of the lattice: its table there, and which of its records its own model finds unsafe."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...recipe.edits import effective_threshold
from ...results.households import asks_household, at_threshold, household_risks
from ...results.results import Results
from ...results.risk_tables import asks_individual, individual_threshold
from ...risk.distribution import RiskDistribution
from ...risk.household import HouseholdRisk, unsafe_up_to
from ...risk.individual import is_unsafe
from ...tables.tabulate import tabulate_records
from .hierarchies import Hierarchy
from .merged_tables import KEPT_BYTES, OUT, MergedTable, MergedTables, Point


class JudgedCombination:
    """A combination of the recipe, and its tables.

    Parameters
    ----------
    derived : what follows from the recipe
    place : of the combination in the recipe
    hierarchies : of all keys that are coded, its own among them
    kept_bytes : memory for its tables
    """

    def __init__(
        self,
        derived: Results,
        place: int,
        hierarchies: Sequence[Hierarchy],
        progress: Progress = SILENT,
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        self.combination = derived.recipe.combinations[place]
        self.asked, self.progress = effective_threshold(derived.recipe, self.combination), progress
        self.by_risk = self.combination.has_risk
        at = {each.variable: j for j, each in enumerate(hierarchies)}
        self.keys = tuple(at[name] for name in self.combination.variables)
        own = [hierarchies[j] for j in self.keys]
        weights = derived.microdata.weights if self.by_risk else None
        rule, alpha = self.combination.missing_rule, self.combination.alpha
        base = tabulate_records([each.column for each in own], weights, rule, alpha, progress)
        self.records = base.cells.records
        self.tables = MergedTables(base.cells, own, self.combination.estimator, progress, kept_bytes)
        self.households = derived.households if self.by_risk and asks_household(self.asked) else None
        self._cell_index = base.cell_index if self.households is not None else None

    @property
    def is_missing_a_value(self) -> bool:
        """Whether a missing value counts as a value of its own."""
        return self.combination.missing_rule == "category"

    @property
    def by_households(self) -> bool:
        """Whether household risks judge it, and no individual ones."""
        return self.households is not None and not asks_individual(self.asked)

    @cached_property
    def least_risk(self) -> float:
        """The risk of a record without any value; nan where no risk judges."""
        return float(self.tables.at((OUT,) * len(self.keys)).risk[0]) if self.by_risk else math.nan

    def at(self, point: Point) -> CombinationAtPoint | None:
        """It at a point of the lattice of all keys; None where all of its own are left out."""
        own = tuple(point[j] for j in self.keys)
        if all(level == OUT for level in own):
            return None
        table = self.tables.at(own)
        return CombinationAtPoint(self, table, self._limit(table), self._household(table))

    def _limit(self, table: MergedTable) -> float | None:
        """The threshold of the individual risk at this point."""
        if not self.by_risk:
            return None
        if self.asked.individual_risk is not None:
            return self.asked.individual_risk
        return individual_threshold(
            self.asked, RiskDistribution.from_cells(table.risk, table.cells.count, self.progress)
        )

    def _household(self, table: MergedTable) -> JudgedHouseholds | None:
        if self.households is None or self._cell_index is None:
            return None
        index = self._cell_index.merged(self.tables.of_base(table.point), self.progress)
        found = at_threshold(household_risks(index, table.risk, self.households, self.progress), self.asked)
        levels = unsafe_up_to(table.risk, index.of_record, found.risk, self.households, self.progress)
        return JudgedHouseholds(found, is_unsafe(levels, found.threshold))

    def is_unsafe(
        self, table: MergedTable, limit: float | None, at: NDArray[np.intp] | slice = slice(None)
    ) -> NDArray[np.bool_]:
        """Which cells of a table are unsafe by the individual risk, or have fewer than k records."""
        if self.by_risk:
            return is_unsafe(table.risk[at], limit)
        found: NDArray[np.bool_] = table.cells.f[at] < (self.combination.k or 1)
        return found


@dataclass(frozen=True, eq=False)
class JudgedHouseholds:
    """Household risks at a point, and the records that they make unsafe, (n,) bool."""

    risks: HouseholdRisk
    unsafe: NDArray[np.bool_]

    @property
    def number(self) -> int:
        """Unsafe households, each of which loses a value at least."""
        return self.risks.staircase.unsafe_households(self.risks.threshold)


@dataclass(frozen=True, eq=False)
class CombinationAtPoint:
    """A combination at one point.

    Attributes
    ----------
    judged : the combination
    table : its cells
    limit : threshold of the individual risk; None where nothing is unsafe by it
    households : None where none is asked for
    """

    judged: JudgedCombination
    table: MergedTable
    limit: float | None
    households: JudgedHouseholds | None

    @cached_property
    def unsafe(self) -> NDArray[np.bool_]:
        """(m,) which of its cells are unsafe."""
        return self.judged.is_unsafe(self.table, self.limit)

    @cached_property
    def _known(self) -> tuple[int, float]:
        there = ~np.isnan(self.table.risk)
        count = self.table.cells.count
        return int(count[there].sum()), float(self.table.risk[there] @ count[there])

    @property
    def rate(self) -> float:
        """Its re-identification rate before suppression; nan where no risk judges."""
        if not self.judged.by_risk:
            return math.nan
        if self.judged.by_households and self.households is not None:
            return self.households.risks.staircase.rate
        return self._rate(0.0)

    def rate_after(self, change: float) -> float:
        """The same after suppressions that change the expected re-identifications so much.

        Where households judge: at most, as if each unsafe one came just below the threshold.
        """
        if self.judged.by_households and self.households is not None and self.judged.households is not None:
            risks, of_file = self.households.risks, self.judged.households.of_file
            size, each = of_file(self.judged.households.size), of_file(risks.risk)
            most = each if risks.threshold is None else np.fmin(each, risks.threshold)
            there = ~np.isnan(most)
            known = int(size[there].sum())
            return float(most[there] @ size[there]) / known if known else math.nan
        return self._rate(change) if self.judged.by_risk else math.nan

    def _rate(self, change: float) -> float:
        known, expected = self._known
        return (expected + change) / known if known else math.nan

    def kept(self, gone: Collection[int]) -> tuple[Point, list[int]]:
        """Its point without some keys (places among all keys), and the keys that stay."""
        both = list(zip(self.judged.keys, self.table.point, strict=True))
        point = tuple(OUT if j in gone else level for j, level in both)
        return point, [j for (j, _), level in zip(both, point, strict=True) if level != OUT]
