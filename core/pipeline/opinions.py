"""The other estimate of a risk, of the original and of the safe file; and who is only hidden by the own household."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..base.errors import DataError
from ..base.progress import Progress
from ..results.hidden_by_household import hidden_by_household
from ..results.released_opinions import modelled_opinion, released_opinion, unsafe_by_exact
from ..results.results import DescribedRecipe, Results, RiskTable
from ..results.second_opinions import TableEstimate, opinion_of
from ..risk.released_opinion import ReleasedOpinion
from ..suppression.plan import Plan, ValueMasks
from ..tables.cell_index import Tabulation
from .perturbed import households_before
from .risks import POPULATION_MODEL, in_place, table_of
from .stage import Facts, Given, Pipeline, Request, stage
from .tables import cells

Thresholds = tuple[tuple[float | None, float | None], ...]
"""Of each risk table that of the individual and of the household risk, as what the recipe asks for comes to."""


def by_keys(of: DescribedRecipe) -> bool:
    """Whether records are judged by their released keys."""
    asked = of.recipe.suppression
    return asked.mode == "released-keys" and asked.criterion != "none"


def _table(given: Given, index: int) -> RiskTable:
    table = given.results.tables[index]
    assert table is not None
    return table


def _cells(table: RiskTable) -> dict[Request[Any], Any]:
    return {cells(table.combination): Tabulation(table.cells, table.cell_index)}


def _model_of(facts: Facts, index: int, *_others: Any) -> Iterator[Request[Any]]:
    yield POPULATION_MODEL(cells(facts.recipe.combinations[index]))


@stage(
    "second opinion",
    by=in_place,
    needs=lambda facts, index, _threshold: (*table_of(facts, index), *_model_of(facts, index)),
)
def SECOND_OPINION(given: Given, index: int, _threshold: float | None) -> TableEstimate:
    """What the population model says of a risk table; for one recipe at the threshold alone."""
    table = _table(given, index)
    model = given.get(POPULATION_MODEL(cells(table.combination)))
    return opinion_of(table, model, given.progress, chart=not given.pipeline.one_recipe)


def _second_opinion(facts: Facts, index: int, threshold: float | None) -> Request[TableEstimate]:
    return SECOND_OPINION(index, threshold if facts.pipeline.one_recipe else None)


def second_opinion(pipeline: Pipeline, derived: Results, index: int, progress: Progress) -> TableEstimate:
    """What the population model says of combination `index`; nothing of one without an individual risk."""
    table = derived.tables[index]
    if table is None:
        return TableEstimate()
    asked = _second_opinion(pipeline.facts(derived.recipe, derived.metadata), index, table.threshold)
    return pipeline.get(asked, derived, progress, _cells(table))


@stage("modelled opinion", by=in_place, needs=_model_of)
def MODELLED_OPINION(given: Given, index: int, plan: Plan) -> ReleasedOpinion | None:
    """What the population model expects of the safe file, by a table that is judged by k-anonymity."""
    derived, table = given.derived, cells(given.recipe.combinations[index])
    counted, model = given.get(table), given.get(POPULATION_MODEL(table))
    if isinstance(model, DataError):
        return None
    return modelled_opinion(counted, model, plan.suppressed, derived.times.records, given.progress)


@stage(
    "released opinion",
    by=in_place,
    reads=lambda facts, *_others: by_keys(facts),
    needs=lambda facts, index, _plan, threshold: (
        _second_opinion(facts, index, threshold), *_model_of(facts, index)
    ),
)  # fmt: skip
def RELEASED_OPINION(given: Given, index: int, plan: Plan, threshold: float | None) -> ReleasedOpinion | None:
    """The other estimate of the risk of the safe file by a risk table, judged by released keys or not."""
    table, model = _table(given, index), None
    before = given.get(_second_opinion(given.facts, index, threshold))
    if before.opinion is not None:
        model = given.get(POPULATION_MODEL(cells(table.combination)))
    judge = None if isinstance(model, DataError) else model
    records = given.derived.times.records
    return released_opinion(table, before, judge, plan.suppressed, by_keys(given), records, given.progress)


def released_opinions(
    pipeline: Pipeline, derived: Results, plan: Plan, progress: Progress
) -> dict[int, ReleasedOpinion]:
    """The other estimate of the risk of the safe file, by place of the combination; where there is one."""
    found: dict[int, ReleasedOpinion | None] = {}
    for table in derived.risk_tables:
        asked = RELEASED_OPINION(table.index, plan, table.threshold)
        found[table.index] = pipeline.get(asked, derived, progress, _cells(table))
    for index, combination in enumerate(derived.recipe.combinations):
        if combination.least_size is not None and derived.microdata.weights is not None:
            found[index] = pipeline.get(MODELLED_OPINION(index, plan), derived, progress)
    return {index: opinion for index, opinion in found.items() if opinion is not None}


def below_exact(derived: Results, plan: Plan, progress: Progress) -> dict[int, int]:
    """Of tables judged by an estimator below the individual risk the records that this one finds unsafe."""
    records = derived.times.records
    return {
        table.index: unsafe_by_exact(table, plan.suppressed, by_keys(derived), records, progress)
        for table in derived.risk_tables
        if table.combination.estimator in ("truncated", "plug-in") and table.threshold is not None
    }


def thresholds_of(derived: Results) -> Thresholds:
    """The thresholds of all risk tables."""
    return tuple((table.threshold, table.household_threshold) for table in derived.risk_tables)


def _every_table(facts: Facts, *_others: Any) -> Iterator[Request[Any]]:
    for index, combination in enumerate(facts.recipe.combinations):
        yield cells(combination)
        if combination.has_risk:
            yield from table_of(facts, index)
    yield households_before(facts)


@stage("hidden", reads=lambda facts, *_others: (facts.recipe.combinations, by_keys(facts)), needs=_every_table)
def HIDDEN(given: Given, plan: Plan | None, _thresholds: Thresholds) -> Mapping[int, int]:
    """Records that only members of their own household make safe, by place of the combination."""
    suppressed = ValueMasks.of_flags({}) if plan is None else plan.suppressed
    return hidden_by_household(given.results, suppressed, given.progress)
