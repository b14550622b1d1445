"""What a recode does to risk and information: the figures that are compared before it is applied."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.risk_figures import RiskFigures
from ..recipe.edits import is_judged
from ..recipe.set_keys import set_of_column
from ..results.results import Results, RiskTable
from ..results.risk_tables import asks_individual
from ..results.set_keys import original_column
from ..results.unsafe_records import unsafe_flags
from ..risk.distribution import RiskDistribution
from ..suppression.costs import entropy
from ..suppression.households.forecast import By
from ..tables.grouping import blocks


@dataclass(frozen=True, eq=False)
class Effect:
    """A variable in a state of the session.

    Attributes
    ----------
    variable : str
    categories : codes after recoding, missing codes aside
    records : n
    is_key : whether a combination uses the variable
    unsafe : records that are unsafe in a table with it; None where nothing judges it (no threshold yet)
    unsafe_of_code : (codes of the original column,) int64, the same by original code
    table : place of the risk table with the variable in the recipe, -1 for none
    by : whose risk that table is judged by: of households where it has a threshold for these alone
    risk : figures by it of that table before suppression, in all records; None for none
    threshold : its threshold; None where none is chosen or nothing is unsafe
    rare : whether rare combinations judge the variable and no risk does
    """

    variable: str
    categories: int
    records: int
    is_key: bool
    unsafe: int | None
    unsafe_of_code: NDArray[np.int64]
    table: int
    risk: RiskFigures | None
    threshold: float | None
    by: By = "individual"
    rare: bool = False


def recode_effect(derived: Results, variable: str, progress: Progress = SILENT) -> Effect:
    """The figures of `variable` in `derived`; a column of a set-valued key is judged by that."""
    original = derived.microdata.columns[variable]
    key = set_of_column(derived.recipe).get(variable, variable)
    using = [c for c in derived.recipe.combinations if key in c.variables]
    table = next((t for t in derived.risk_tables if key in t.combination.variables), None)
    flags = unsafe_flags(derived, key, progress)
    by_code = np.zeros(len(original.codes), np.int64)
    for part in blocks(len(flags), progress):
        there = np.flatnonzero(flags[part])
        times = None if original.records is None else original.records[part][there]
        by_code += np.bincount(original.values[part][there], times, len(by_code)).astype(np.int64)
    by = _judged_by(table)
    threshold = None if table is None else table.household_threshold if by == "household" else table.threshold
    return Effect(
        variable=variable,
        categories=derived.columns[variable].n_valid,
        records=derived.records,
        is_key=bool(using),
        unsafe=int(by_code.sum()) if is_judged(derived.recipe, key) else None,
        unsafe_of_code=by_code,
        table=-1 if table is None else table.index,
        risk=None if table is None else _staircase(table, by).figures(threshold),
        threshold=threshold,
        by=by,
        rare=table is None and any(c.judges_margins for c in using),
    )


def _judged_by(table: RiskTable | None) -> By:
    household = None if table is None else table.household
    if table is None or household is None or not household.asked or asks_individual(table.asked):
        return "individual"
    return "household"


def _staircase(table: RiskTable, by: By) -> RiskDistribution:
    return table.household.staircase if by == "household" and table.household is not None else table.staircase


def recoding_losses(
    states: Sequence[tuple[Results, Collection[str]]], progress: Progress = SILENT
) -> tuple[float, ...]:
    """What recoding alone took away from some variables in each state, in bits: what suppression's loss is added to."""
    found = []
    for derived, variables in states:
        progress.check()
        found.append(comparable_loss(derived, dict.fromkeys(variables, 0)))
    return tuple(found)


def comparable_loss(derived: Results, suppressed: Mapping[str, int]) -> float:
    """Loss by which recodes are compared, in bits: what recoding and suppression together take away.

    Parameters
    ----------
    suppressed : newly missing values of each variable that counts (key variables, and what goes with them)

    Returns
    -------
    Sum over the variables of N_j H_j of the original codes less remaining values × H_j after recoding.
    """
    lost = []
    for name, count in suppressed.items():
        before, after = original_column(derived, name), derived.columns[name]
        lost.append(int(before.counts[: before.n_valid].sum()) * entropy(before))
        lost.append(-(int(after.counts[: after.n_valid].sum()) - count) * entropy(after))
    return math.fsum(lost)
