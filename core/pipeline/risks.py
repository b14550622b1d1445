"""Risks of cells and households, whatever the threshold; and what a population model says of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..base.errors import DataError
from ..base.progress import Progress
from ..recipe.edits import effective_threshold
from ..recipe.model import POPULATION_ESTIMATORS, Combination, Estimator
from ..results.households import household_risks
from ..results.results import RecodedData, RiskTable
from ..results.risk_tables import Risks, risk_table, risks_of
from ..results.second_opinions import population_model
from ..risk.household import HouseholdRisk
from ..risk.population_model import PopulationModel
from ..risk.upper_bound import UpperRiskBound, promise_of
from ..tables.cell_index import Tabulation
from .perturbed import households_before
from .stage import Facts, Given, Pipeline, Request, stage
from .tables import cells

Model = PopulationModel | DataError


def _asked_again(facts: Facts, table: Request[Tabulation]) -> bool:
    """Of one recipe without a safe file a model that judges nothing is asked once, by the second opinion."""
    models = (each for each in facts.recipe.combinations if each.estimator in POPULATION_ESTIMATORS)
    return facts.recipe.output.data is not None or any(cells(each) == table for each in models)


@stage("population model", needs=lambda _facts, table: (table,), again=_asked_again)
def POPULATION_MODEL(given: Given, table: Request[Tabulation]) -> Model:
    """The population model of a table; the error that says why there is none."""
    try:
        return population_model(given.get(table), given.derived.microdata.weights, given.progress)
    except DataError as error:
        return error


@stage(
    "risk",
    needs=lambda _facts, table, estimator: (
        table, *([POPULATION_MODEL(table)] if estimator in POPULATION_ESTIMATORS else ())
    ),
)  # fmt: skip
def RISKS(given: Given, table: Request[Tabulation], estimator: Estimator) -> Risks:
    """Risks of the cells of a table by an estimator."""
    found = given.get(table)
    combination = Combination(found.cells.variables, estimator=estimator)
    model: Model | None = None
    if estimator in POPULATION_ESTIMATORS:
        model = given.get(POPULATION_MODEL(table))
    if isinstance(model, DataError):
        raise model
    return risks_of(found.cells, combination, given.progress, model)


@stage("household risk", needs=lambda facts, table, estimator: (RISKS(table, estimator), households_before(facts)))
def HOUSEHOLD_RISK(given: Given, table: Request[Tabulation], estimator: Estimator) -> HouseholdRisk:
    """Household risks by the risks of a table."""
    households = given.derived.households
    assert households is not None
    risks = given.get(RISKS(table, estimator))
    return household_risks(given.get(table).cell_index, risks.risk, households, given.progress)


@stage("upper risk bound", needs=lambda _facts, table, estimator, _exceedance: (RISKS(table, estimator),))
def UPPER_BOUND(given: Given, table: Request[Tabulation], estimator: Estimator, exceedance: float) -> UpperRiskBound:
    """What judges the records of a table where the recipe says an exceedance, which the reader checked."""
    risks = given.get(RISKS(table, estimator))
    assert risks.population is not None
    return promise_of(given.get(table).cells, risks.population.model, exceedance, risks.staircase, given.progress)


def table_of(facts: Facts, index: int) -> Iterator[Request[Any]]:
    """What the risk table of a combination is made of; what it asks for is not among it."""
    combination = facts.recipe.combinations[index]
    table = cells(combination)
    yield RISKS(table, combination.estimator)
    exceedance = effective_threshold(facts.recipe, combination).exceedance
    if exceedance is not None:
        yield UPPER_BOUND(table, combination.estimator, exceedance)


def in_place(_facts: Facts, index: int, *others: Any) -> tuple[Any, ...]:
    """Parameters of which the first is a place in the recipe, which decides nothing by itself."""
    return others


def risk_table_of(
    pipeline: Pipeline, derived: RecodedData, index: int, table: Tabulation, progress: Progress
) -> RiskTable:
    """The risk table of the combination `index`, whose cells are `table`, at the threshold that the recipe asks for."""
    combination = derived.recipe.combinations[index]
    given, asked = (cells(combination), combination.estimator), effective_threshold(derived.recipe, combination)
    at_hand: dict[Request[Any], Any] = {cells(combination): table}
    risks = at_hand[RISKS(*given)] = pipeline.get(RISKS(*given), derived, progress, at_hand)
    household = promise = None
    if derived.households is not None:
        household = pipeline.get(HOUSEHOLD_RISK(*given), derived, progress, at_hand)
    if asked.exceedance is not None:
        promise = pipeline.get(UPPER_BOUND(*given, asked.exceedance), derived, progress, at_hand)
    found = risk_table(index, combination, table, risks, asked, household, promise)
    return replace(found, held=pipeline.margins)
