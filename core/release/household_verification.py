"""The check of a written file by households: reads the identifiers of both files and judges every risk table."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.data.columns import Weights
from core.data.risk_figures import TableState
from core.data.variables import Metadata, Variable
from core.formats.registry import read, read_again
from core.recipe.model import HouseholdSettings as Settings
from core.results.households import household_names
from core.results.results import Results, RiskTable
from core.results.risk_tables import asks_individual
from core.suppression.plan import Plan
from core.verification.households import (
    JudgedHouseholds,
    Living,
    household_problems,
    judge_households,
    living,
    same_groups,
    told_by_others,
    unsafe_problem,
)
from core.verification.verify import Verification


def with_households(
    checked: Verification,
    derived: Results,
    plan: Plan,
    written: Path,
    layout: Metadata,
    order: NDArray[np.integer[Any]] | None = None,
    progress: Progress = SILENT,
) -> Verification:
    """`checked` with the household figures and problems of the written file; as it is without an identifier.

    The identifier is read from the written file where it has one, else (removed) from the original.

    Parameters
    ----------
    checked : of the same file, its ``after`` one entry a combination
    plan : what was suppressed
    layout : metadata of the written file
    order : (n,) original record of each written one; None: the same

    Raises
    ------
    DataError
        The original has changed since it was read.
    """
    identifier = derived.metadata.household_id
    if identifier is None or checked.problems:
        return checked
    groups, sharing, problems = _groups(derived, identifier, written, layout, order, progress)
    names = sorted(household_names(derived.recipe, derived.metadata))
    problems += household_problems(derived.columns, plan.suppressed, names, groups, order)
    told = told_by_others(derived.columns, plan.suppressed, names, sharing, order) if sharing else {}
    weights = _weights(derived, written, layout, order, progress)
    after = list(checked.after)
    for table in derived.risk_tables:
        progress.check()
        judged = _judged(table)
        by_mode, released = judge_households(judged, derived.columns, plan.suppressed, weights, groups, order)
        before = after[table.index]
        after[table.index] = replace(
            before,
            by_mode=None if before.by_mode is None or by_mode is None else _with(before.by_mode, by_mode),
            released=_with(before.released, released),
            told_by_same_identifier={name: count for name, count in told.items() if name in judged.variables},
        )
        if derived.recipe.suppression.criterion != "none":
            problems += unsafe_problem(judged, by_mode)
    return Verification(not problems, tuple(problems), tuple(after))


def _groups(
    derived: Results,
    identifier: Variable,
    written: Path,
    layout: Metadata,
    order: NDArray[np.integer[Any]] | None,
    progress: Progress,
) -> tuple[Living, Living | None, list[Notice]]:
    """Who lives together, who shares a written identifier where single persons may, and what is wrong with it."""
    name, recipe = identifier.name, derived.recipe
    source = derived.microdata.source
    original = read_again(source, _as_codes(derived.metadata, name), (name,), progress).columns[name]
    before = living(original, recipe.households, order)
    if name not in layout:
        return before, None, []
    column = read(written, _as_codes(layout, name), (name,), progress).columns[name]
    sequence = recipe.output.household_id == "sequence"
    now = living(column, Settings() if sequence else recipe.households)
    alike = None if sequence or recipe.households.single_persons_above is None else living(column, Settings())
    return now, alike, list(same_groups(before, now))


def _as_codes(metadata: Metadata, name: str) -> Metadata:
    variables = (replace(v, categorical=True, numeric=False) if v.name == name else v for v in metadata.variables)
    return replace(metadata, variables=tuple(variables))


def _weights(
    derived: Results,
    written: Path,
    layout: Metadata,
    order: NDArray[np.integer[Any]] | None,
    progress: Progress,
) -> tuple[Weights | None, Weights | None]:
    before, weight = derived.microdata.weights, layout.weight
    if before is None:
        return None, None
    if weight is not None:
        return before, read(written, layout, (weight.name,), progress).weights
    if order is None:
        return before, before
    return before, Weights(tuple(limb[order] for limb in before.limbs), before.decimals)


def _judged(table: RiskTable) -> JudgedHouseholds:
    combination, household = table.combination, table.household
    return JudgedHouseholds(
        combination.variables,
        _limit(table.threshold, asks_individual(table.asked)),
        _limit(household.threshold, household.asked) if household else None,
        combination.missing_rule,
        combination.alpha,
        combination.estimator,
    )


def _limit(threshold: float | None, asked: bool) -> float | None:
    return math.inf if threshold is None and asked else threshold  # asked, and above every risk: nothing is unsafe


def _with(records: TableState, households: TableState) -> TableState:
    """The figures of records and of households; unsafe are the records that are so by either threshold."""
    return replace(records, household=households.household, unsafe=households.unsafe)
