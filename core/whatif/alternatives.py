"""Ways of protecting the same file, side by side: the figures by which they are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..base.errors import PavoError
from ..base.progress import SILENT, Progress
from ..data.risk_figures import RiskFigures, TableState
from ..recipe.criteria import Model
from ..recipe.model import Recipe
from ..results.results import Protection, Results, RiskTable
from ..results.risk_tables import asks_individual
from ..results.suppression_problem import unsafe_by_any
from ..risk.distribution import RiskDistribution
from ..risk.individual import TOLERANCE
from ..risk.measures.k_anonymity import KAnonymityProfile
from ..tables.cell_index import CellIndex, Tabulation
from ..tables.grouping import blocks
from ..tables.tabulate import tabulate_records
from .before_after import BeforeAfter, outcomes, state_before
from .recode_effect import comparable_loss

PROFILE = (2, 3, 5, 10)
MOST_PROFILED = 100
"""Of more combinations than these only the risk tables have a profile: the others would all have to be counted."""

Axis = Literal["household-rate", "rate", "unsafe", "unsafe-after", "uniques"]
AXES: tuple[Axis, ...] = ("household-rate", "rate", "unsafe", "unsafe-after", "uniques")
"""What the risk–utility map can show as risk; see `Alternative.risk`."""


@dataclass(frozen=True, eq=False)
class AlternativeFigures:
    """The figures of one combination, or the largest of all combinations; those that there are not are None.

    Attributes
    ----------
    staircase : individual risks after recoding, before suppression; over all tables each record's largest
    before, after : figures before and after suppression, as the mode judges them; over all tables each the largest.
        `after` is empty where there is no plan, figures of households are None without an identifier
    violations : records with f < k before suppression, for each k of `PROFILE`; over all in any combination
    """

    staircase: RiskDistribution | None = None
    before: TableState = field(default_factory=TableState)
    after: TableState = field(default_factory=TableState)
    violations: dict[int, int] | None = None


@dataclass(frozen=True, eq=False)
class Alternative:
    """The figures of one recipe; those that it does not give are None.

    Attributes
    ----------
    name : str
    recipe : Recipe
    recodes : (variable, categories after recoding) of each recode
    records : n
    all : rates and household figures, the largest of all its tables; risks and frequencies, of all its combinations
    tables : (variables, model, figures) of each combination
    unsafe : records that are unsafe by any combination before suppression; None where no threshold is chosen
    unsafe_after : the same after suppression; None where there is no plan
    by_households : whether its risk tables have household thresholds and no individual one
    suppressions, by_variable : newly missing values
    suppression_loss : what suppression alone takes away, in bits, as preview and report have it
    loss : comparable loss in bits, of recoding and suppression together; of recoding alone where there is no plan
    problem : why it cannot be protected; empty where it can
    """

    name: str
    recipe: Recipe
    recodes: tuple[tuple[str, int], ...]
    records: int
    all: AlternativeFigures
    tables: tuple[tuple[tuple[str, ...], Model, AlternativeFigures], ...]
    unsafe: int | None
    unsafe_after: int | None
    suppressions: int | None
    by_variable: dict[str, int]
    suppression_loss: float | None
    loss: float
    problem: str = ""
    by_households: bool = False

    @property
    def protected(self) -> bool:
        """Whether there is a plan, so that its figures are those of a safe file."""
        return self.suppressions is not None

    def of(self, variables: frozenset[str] | None) -> AlternativeFigures | None:
        """The figures of its combination of these variables (a risk table, if one has them); None: of all."""
        if variables is None:
            return self.all
        found = [figures for names, _model, figures in self.tables if frozenset(names) == variables]
        return next((figures for figures in found if figures.staircase is not None), found[0] if found else None)

    def risk(self, axis: Axis, variables: frozenset[str] | None = None) -> float | None:
        """Its risk on the risk–utility map, a fraction; None where it has no such risk.

        ``rate`` and ``household-rate`` are those after protection or, without a plan, as they are now; ``unsafe`` and
        ``unsafe-after`` the share of records that are unsafe by any of its own models; ``uniques`` that of records
        with f = 1 before suppression. Rates and uniques are those of the combination of `variables`, or of all.
        """
        if axis in ("unsafe", "unsafe-after"):
            counted = self.unsafe_after if axis == "unsafe-after" and self.protected else self.unsafe
            return self._share(counted)
        figures = self.of(variables)
        if figures is None:
            return None
        if axis == "uniques":
            return self._share(figures.violations.get(2) if figures.violations else None)
        state = figures.after if self.protected else figures.before
        risk = state.household if axis == "household-rate" else state.individual
        return risk.rate if risk is not None else None

    def _share(self, counted: int | None) -> float | None:
        return counted / self.records if counted is not None and self.records else None


def alternative(
    name: str, derived: Results, protection: Protection | PavoError, progress: Progress = SILENT
) -> Alternative:
    """The figures of one recipe.

    Parameters
    ----------
    derived : what follows from the recipe
    protection : its plan, or why there is none
    """
    planned = protection if isinstance(protection, Protection) else None
    tables, whole = _figures(derived, outcomes(planned, progress) if planned is not None else (), progress)
    return Alternative(
        name=name,
        recipe=derived.recipe,
        recodes=tuple((spec.variable, derived.columns[spec.variable].n_valid) for spec in derived.recipe.recodes),
        records=derived.records,
        all=whole,
        tables=tables,
        unsafe=unsafe_by_any(derived, progress) if _judges(derived) else None,
        unsafe_after=planned.unsafe_left if planned is not None and _judges(derived) else None,
        suppressions=planned.plan.total if planned is not None else None,
        by_variable=dict(planned.plan.by_variable) if planned is not None else {},
        suppression_loss=planned.plan.entropy_loss if planned is not None else None,
        loss=comparable_loss(derived, _lost(derived, planned)),
        problem="" if planned is not None else str(protection),
        by_households=_by_households(derived),
    )


def _figures(
    derived: Results, after: tuple[BeforeAfter, ...], progress: Progress
) -> tuple[tuple[tuple[tuple[str, ...], Model, AlternativeFigures], ...], AlternativeFigures]:
    """The figures of each combination, and those of all of them."""
    later = dict(zip((table.index for table in derived.risk_tables), after, strict=False))
    times = derived.times.as_array(derived.records)
    risk, rarest = _Records(times, np.fmax), _Records(times, np.fmin)
    tables = []
    for index, combination in enumerate(derived.recipe.combinations):
        table, counted = derived.tables[index], _cells(derived, index, progress)
        violations = None
        if counted is not None:
            cells = counted.cells
            violations = _violations(cells.f, cells.count)
            rarest.add(cells.f, counted.cell_index, progress)
        given: dict[str, Any] = {}
        if table is not None:
            risk.add(table.risk, table.cell_index, progress)
            given = _of_table(table, later.get(index))
        tables.append((combination.variables, combination.model, AlternativeFigures(**given, violations=violations)))
    found = [figures for _variables, _model, figures in tables]
    several = len(derived.risk_tables) > 1
    stairs = [figures.staircase for figures in found if figures.staircase is not None]
    if several and stairs:
        assert risk.values is not None
        stairs = [RiskDistribution.from_cells(risk.values, times, progress)]
    profiles = [figures.violations for figures in found if figures.violations is not None]
    if len(profiles) > 1 and rarest.values is not None:
        profiles = [rarest.below(PROFILE, progress)]
    complete = len(profiles) == 1 and all(figures.violations is not None for figures in found)
    whole = AlternativeFigures(
        staircase=stairs[0] if stairs else None,
        before=_largest([figures.before for figures in found]),
        after=_largest([figures.after for figures in found]),
        violations=profiles[0] if complete else None,
    )
    return tuple(tables), whole


def _largest(states: list[TableState]) -> TableState:
    """Of each figure the largest."""

    def of(found: list[RiskFigures | None]) -> RiskFigures | None:
        there = [(each.max_risk, each.expected, each.rate) for each in found if each is not None]
        return RiskFigures(*map(max, zip(*there, strict=True))) if there else None

    return TableState(of([state.individual for state in states]), of([state.household for state in states]))


class _Records:
    """Of each row, the largest or smallest figure of all tables; `values` is None while there is none.

    `records` : how many each row stands for, (rows,)
    """

    def __init__(self, records: NDArray[np.int64], choose: Callable[..., Any]) -> None:
        self._records, self._choose = records, choose
        self.values: NDArray[np.float64] | None = None

    def add(self, of_cells: NDArray[np.float64], cell_index: CellIndex, progress: Progress) -> None:
        """Take in a figure of each cell; nan: none."""
        first, figures = self.values is None, np.asarray(of_cells, np.float64)
        values = np.empty(len(self._records)) if self.values is None else self.values
        for part, cells in cell_index.blocks(progress):
            own = figures[cells]
            values[part] = own if first else self._choose(values[part], own)
        self.values = values

    def below(self, limits: tuple[int, ...], progress: Progress) -> dict[int, int]:
        """Records with a figure below each of the limits."""
        counts = dict.fromkeys(limits, 0)
        if self.values is not None:
            for part in blocks(len(self._records), progress):
                for k in limits:
                    counts[k] += int(self._records[part][self.values[part] < k * (1.0 - TOLERANCE)].sum())
        return counts


def _of_table(table: RiskTable, outcome: BeforeAfter | None) -> dict[str, Any]:
    """The figures of a risk table, as far as a record has a risk."""
    if not table.staircase.n:
        return {}
    if outcome is None:
        return {"staircase": table.staircase, "before": state_before(table)}
    return {"staircase": table.staircase, "before": outcome.before, "after": outcome.after}


def _violations(f: NDArray[np.float64], count: NDArray[np.int64]) -> dict[int, int]:
    profile = KAnonymityProfile.from_cells(f, count)
    return {k: profile.violations(k) for k in PROFILE}


def _by_households(derived: Results) -> bool:
    asked = [table for table in derived.risk_tables if table.household is not None and table.household.asked]
    return bool(asked) and not any(asks_individual(table.asked) for table in derived.risk_tables)


def _judges(derived: Results) -> bool:
    """Whether anything says which records are unsafe."""
    asked = any(bool(table.asked) for table in derived.risk_tables)
    return asked or any(not c.has_risk for c in derived.recipe.combinations)


def _cells(derived: Results, index: int, progress: Progress) -> Tabulation | None:
    """The cells of a combination; None where there are too many combinations to count them all."""
    table, combination = derived.tables[index], derived.recipe.combinations[index]
    if table is not None:
        return Tabulation(table.cells, table.cell_index)
    if len(derived.recipe.combinations) > MOST_PROFILED:
        return None
    columns = [derived.columns[name] for name in combination.variables]
    return tabulate_records(columns, None, combination.missing_rule, combination.alpha, progress)


def _lost(derived: Results, planned: Protection | None) -> dict[str, int]:
    """Newly missing values of every variable that counts: keys, recoded ones, and what is suppressed with them."""
    names = [name for combination in derived.recipe.combinations for name in combination.variables]
    names += [spec.variable for spec in derived.recipe.recodes]
    return {**dict.fromkeys(names, 0), **(planned.plan.by_variable if planned is not None else {})}
