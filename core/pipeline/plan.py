"""What is suppressed, and what it would cost at other thresholds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import Progress
from ..base.texts import mark
from ..recipe.model import Mode
from ..results.households import household_names
from ..results.needed_columns import hidden_variables
from ..results.record_draws import Digests, ValueDraw, draw_source
from ..results.results import DescribedRecipe, RecodedData, Results, RiskTable
from ..results.set_keys import check_missing_codes_of_columns, with_columns
from ..results.suppression_problem import (
    costs_of,
    homes_of,
    joint_settings,
    judged_table,
    models_of,
    rare_tables,
    rules_of,
    with_effort,
)
from ..suppression.criteria.registry import whole_file_criterion
from ..suppression.forecast import Forecast, Point, forecast
from ..suppression.households.forecast import By, household_forecast
from ..suppression.households.sharing import couples
from ..suppression.joint.forecast import released_forecast
from ..suppression.joint.optimise import JointSettings
from ..suppression.models import Models, optimise_models
from ..suppression.plan import Plan
from ..suppression.point_forecast import point_forecast
from ..suppression.search_budget import RestartWithBudget, SearchBudget
from .columns import DIGESTS
from .opinions import Thresholds
from .perturbed import households_before
from .recodes import RECODED
from .risks import in_place, table_of
from .stage import Dependency, Facts, Given, Pipeline, Request, stage


def _limits(facts: Facts, _names: tuple[str, ...]) -> tuple[Hashable, ...]:
    hidden, variables = hidden_variables(facts.metadata), facts.metadata.variables
    criterion = facts.recipe.suppression.criterion
    limits = tuple((v.name, v.suppression_weight, v.related, v.suppressible, v.name in hidden) for v in variables)
    return limits, "weights" if criterion == "weights" else "entropy"


SUPPRESSION: Dependency[[tuple[str, ...]], None] = Dependency(
    "suppression", reads=_limits, needs=lambda _facts, names: map(RECODED, names)
)
"""What suppression among some columns depends on beside tables and thresholds: limits and costs."""

HOMES: Dependency[[], None] = Dependency(
    "homes",
    reads=lambda facts: household_names(facts.recipe, facts.metadata),
    needs=lambda facts: (households_before(facts),),
)
"""The households whose members are protected together."""


def _fixed(facts: Facts) -> tuple[Hashable, ...]:
    rules = rules_of(facts)
    return rules.fixed, rules.unseen


def _draws_nothing(_names: tuple[str, ...], _progress: Progress) -> NDArray[np.uint64]:
    """In keys no draw is made."""
    raise NotImplementedError


def _digests(
    pipeline: Pipeline, derived: RecodedData, names: tuple[str, ...], progress: Progress
) -> NDArray[np.uint64]:
    return pipeline.get(DIGESTS(names), derived, progress)


def is_gapless(of: DescribedRecipe) -> bool:
    """Whether gaps are to be closed, and there is a table in which there can be some."""
    asked = of.recipe.suppression
    by_original = any(not combination.judges_whole_file for combination in of.recipe.combinations)
    return asked.close_gaps and asked.criterion != "none" and by_original


def _asked_of_plan(facts: Facts, *_parameters: Any) -> tuple[Hashable, ...]:
    combinations, models = facts.recipe.combinations, None
    if facts.recipe.suppression.criterion != "none":
        whole = tuple(whole_file_criterion(c) for c in combinations if c.judges_whole_file)
        models = rare_tables(facts), whole, tuple(dict.fromkeys(name for c in combinations for name in c.variables))
    return models, _fixed(facts), joint_settings(facts, _draws_nothing), is_gapless(facts)


def _needs_of_plan(facts: Facts, _thresholds: Thresholds, names: tuple[str, ...]) -> Iterator[Request[Any]]:
    if facts.recipe.suppression.criterion != "none":
        for index, combination in enumerate(facts.recipe.combinations):
            if combination.has_risk:
                yield from table_of(facts, index)
    yield from (SUPPRESSION(names), HOMES())


PLAN: Dependency[[Thresholds, tuple[str, ...]], Plan] = Dependency("plan", reads=_asked_of_plan, needs=_needs_of_plan)
"""The plan that a recipe asks for; `plan_within` searches for it, and may be stopped on the way."""


def plan_of(derived: Results) -> Request[Plan]:
    """The plan that the recipe asks for."""
    risk = models_of(derived).risk
    return PLAN(tuple((table.threshold, table.household_threshold) for table in risk), tuple(derived.columns))


def plan_within(
    pipeline: Pipeline, derived: Results, stop: Callable[[], bool], progress: Progress
) -> tuple[Results, Plan]:
    """The plan, and the results whose recipe asks for it: with less effort where the search was stopped."""
    kept = pipeline.known(plan_of(derived), derived)
    if kept is not None:
        return derived, kept
    asked = derived.recipe.suppression
    reach = SearchBudget(asked.effort, asked.thorough, stop)
    while True:
        try:
            plan = _searched(pipeline, derived, reach, progress)
            break
        except RestartWithBudget as again:
            derived = with_effort(derived, again.effort)
            reach = SearchBudget(again.effort)
    if reach.ended:
        derived = with_effort(derived, reach.effort)
    return derived, pipeline.keep(plan_of(derived), derived, plan)


def _searched(pipeline: Pipeline, derived: Results, reach: SearchBudget, progress: Progress) -> Plan:
    models = models_of(derived)
    joint = joint_settings(derived, partial(_digests, pipeline, derived))
    if joint is not None:
        joint = replace(joint, rows=pipeline.draws)
    if models.order:
        check_missing_codes_of_columns(derived)
    plan = optimise_models(
        models, derived.columns, costs_of(derived), rules_of(derived), progress, homes_of(derived),
        joint, is_gapless(derived), reach,
    )  # fmt: skip
    return with_columns(derived, plan)


@stage(
    "plan of rare",
    reads=lambda facts, _names: (rare_tables(facts), _fixed(facts)),
    needs=lambda _facts, names: (SUPPRESSION(names), HOMES()),
)
def PLAN_OF_RARE(given: Given, _names: tuple[str, ...]) -> Plan:
    """The suppressions that the tables of the threshold rule ask for, whatever other tables do."""
    derived = given.results
    rare = rare_tables(derived)
    models = Models(rare=rare, order=tuple(dict.fromkeys(name for spec in rare for name in spec.variables)))
    costs, rules = costs_of(derived), rules_of(derived)
    return optimise_models(models, derived.columns, costs, rules, given.progress, homes_of(derived))


def _table(given: Given, index: int) -> RiskTable:
    table = given.results.tables[index]
    assert table is not None
    return table


def _fixed_beside(facts: Facts, *_parameters: Any) -> tuple[Hashable, ...]:
    return _fixed(facts)


def _alone(facts: Facts, index: int, names: tuple[str, ...], *_others: Any) -> Iterator[Request[Any]]:
    yield from table_of(facts, index)
    yield SUPPRESSION(names)


def _together(facts: Facts, index: int, names: tuple[str, ...], *_others: Any) -> Iterator[Request[Any]]:
    yield from _alone(facts, index, names)
    yield HOMES()


@stage("forecast", by=in_place, reads=_fixed_beside, needs=_alone)
def FORECAST(given: Given, index: int, _names: tuple[str, ...]) -> Forecast:
    """Of a risk table in which no members of a household are coupled."""
    derived, judged = given.results, judged_table(_table(given, index))
    return forecast(judged, derived.columns, costs_of(derived), rules_of(derived), given.progress)


@stage("forecast of households", by=in_place, reads=_fixed_beside, needs=_together)
def HOUSEHOLD_FORECAST(given: Given, index: int, _names: tuple[str, ...], by: By, _other: float | None) -> Forecast:
    """Over thresholds of the individual or of the household risk, while the other one stays as it is."""
    derived, judged, homes = given.results, judged_table(_table(given, index)), homes_of(given.results)
    assert homes is not None
    return household_forecast(judged, derived.columns, costs_of(derived), rules_of(derived), homes, by, given.progress)


@stage(
    "forecast by released keys",
    by=in_place,
    reads=lambda facts, *_parameters: (facts.recipe.suppression.least_records, _fixed(facts)),
    needs=_together,
)
def RELEASED_FORECAST(
    given: Given, index: int, _names: tuple[str, ...], _thresholds: tuple[float | None, float | None]
) -> Forecast:
    """Of a risk table judged by released keys, closest at its threshold."""
    derived, judged = given.results, judged_table(_table(given, index))
    costs, rules, homes = costs_of(derived), rules_of(derived), homes_of(derived)
    least = given.recipe.suppression.least_records
    return released_forecast(judged, derived.columns, costs, rules, least, homes, given.progress)


def forecast_of(
    pipeline: Pipeline, derived: Results, combination: int, mode: Mode, by: By, progress: Progress
) -> Forecast:
    """Suppressions, loss and risk of the risk table `combination` for every threshold; see `Session.forecast`."""
    table = derived.tables[combination]
    if table is None:
        raise without_risk(combination)
    names, judged, homes = tuple(derived.columns), judged_table(table), homes_of(derived)
    if mode == "released-keys":
        thresholds = judged.threshold, judged.household_threshold
        return pipeline.get(RELEASED_FORECAST(combination, names, thresholds), derived, progress)
    if homes is None or (by == "individual" and not couples((judged,), rules_of(derived), homes)):
        return pipeline.get(FORECAST(combination, names), derived, progress)
    other = judged.threshold if by == "household" else judged.household_threshold
    return pipeline.get(HOUSEHOLD_FORECAST(combination, names, by, other), derived, progress)


def _settings_at(of: DescribedRecipe, mode: Mode, digests: Digests | None) -> JointSettings:
    """Of a search at one threshold; without `digests` records are drawn by their place."""
    asked = of.recipe.suppression
    found = JointSettings(
        asked.effort, asked.seed, False, asked.least_records, by_released_keys=mode == "released-keys"
    )
    if digests is None:
        return found
    return replace(found, draw=ValueDraw(draw_source(of.recipe, of.metadata), digests))


def _is_gapless_at(of: DescribedRecipe, mode: Mode) -> bool:
    return mode == "original-counts" and of.recipe.suppression.close_gaps


def _asked_at(facts: Facts, *parameters: Any) -> tuple[Hashable, ...]:
    mode, drawn = parameters[-2:]
    settings = _settings_at(facts, mode, _draws_nothing if drawn else None)
    return _fixed(facts), settings, _is_gapless_at(facts, mode)


@stage("forecast at", by=in_place, reads=_asked_at, needs=_together)
def FORECAST_AT(
    given: Given, index: int, _names: tuple[str, ...], by: By, threshold: float | None, other: float | None,
    mode: Mode, drawn: bool,
) -> Point:  # fmt: skip
    """Suppressions and loss of a risk table at one threshold, while the `other` one stays as it is."""
    derived, judged = given.results, judged_table(_table(given, index))
    limits = (other, threshold) if by == "household" else (threshold, other)
    judged = replace(judged, threshold=limits[0], household_threshold=limits[1])
    settings = _settings_at(derived, mode, partial(_digests, given.pipeline, derived) if drawn else None)
    gapless = _is_gapless_at(derived, mode)
    return point_forecast(
        judged, threshold, derived.columns, costs_of(derived), rules_of(derived), settings, homes_of(derived), gapless,
        given.progress,
    )  # fmt: skip


def forecast_at(
    pipeline: Pipeline, derived: Results, combination: int, threshold: float | None, mode: Mode, by: By,
    progress: Progress,
) -> Point:  # fmt: skip
    """Suppressions and loss of the risk table `combination` at one threshold; see `Session.forecast_at`."""
    table = derived.tables[combination]
    if table is None:
        raise without_risk(combination)
    judged = judged_table(table)
    other = judged.threshold if by == "household" else judged.household_threshold
    drawn = derived.times.are_one  # rows of parts are drawn in a pass of their own
    asked = FORECAST_AT(combination, tuple(derived.columns), by, threshold, other, mode, drawn)
    return pipeline.get(asked, derived, progress)


def without_forecast(mode: Mode) -> RecipeError:
    """That a mode has no forecast."""
    return RecipeError(
        "no-forecast",
        mark("There is no forecast for the mode {mode}."),
        mark("The plan itself says what it costs."),
        mode=mode,
    )


def without_risk(combination: int) -> RecipeError:
    """That a combination has nothing to forecast."""
    return RecipeError(
        "no-risk-table",
        mark("combinations[{number}] has no individual risk, so there is nothing to forecast."),
        mark('Give it model = "individual-risk".'),
        number=combination + 1,
    )
