"""The records' risks by what a plan leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..base.progress import Progress
from ..results.remaining_risks import released_risks_of, remaining_risks_of
from ..results.results import RemainingRisks, Results, RiskTable
from ..suppression.plan import Plan
from .perturbed import households_before
from .risks import in_place, table_of
from .stage import Facts, Given, Pipeline, Request, stage


def _needs(facts: Facts, index: int, *_others: Any) -> Iterator[Request[Any]]:
    yield from table_of(facts, index)
    yield households_before(facts)


@stage("remaining", by=in_place, needs=_needs)
def REMAINING(given: Given, index: int, plan: Plan) -> RemainingRisks:
    """Judged by the original file; how many records a row stands for is put to it by whoever asks."""
    table = given.results.tables[index]
    assert table is not None
    return remaining_risks_of(table, plan, given.derived.households, given.progress)


@stage("released", by=in_place, needs=_needs)
def RELEASED(
    given: Given, index: int, plan: Plan, _threshold: float | None, _of_households: float | None
) -> RemainingRisks:
    """Judged by the records' released keys."""
    table, derived = given.results.tables[index], given.derived
    assert table is not None
    return released_risks_of(table, plan, derived.households, given.progress, derived.times.records)


def remaining(pipeline: Pipeline, derived: Results, plan: Plan, table: RiskTable, progress: Progress) -> RemainingRisks:
    """The records' risks after the plan; warnings, figures, risk columns and report want the same ones."""
    found = pipeline.get(REMAINING(table.index, plan), derived, progress)
    records = derived.times.records
    return found if records is None else replace(found, records=records)


def released(pipeline: Pipeline, derived: Results, plan: Plan, table: RiskTable, progress: Progress) -> RemainingRisks:
    """The records' risks after the plan, judged by their released keys."""
    asked = RELEASED(table.index, plan, table.threshold, table.household_threshold)
    return pipeline.get(asked, derived, progress)
