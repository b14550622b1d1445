"""What a recode does to risk and information: the figures that are compared before it is applied."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.risk_figures import RiskFigures
from core.recipe.edits import is_judged
from core.results.results import Results
from core.results.unsafe_records import unsafe_flags
from core.suppression.costs import entropy
from core.tables.grouping import blocks


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
    risk : figures of that table before suppression, in all records; None for none
    threshold : its threshold; None where none is chosen or nothing is unsafe
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


def recode_effect(derived: Results, variable: str, progress: Progress = SILENT) -> Effect:
    """The figures of `variable` in `derived`."""
    original = derived.microdata.columns[variable]
    using = [c for c in derived.recipe.combinations if variable in c.variables]
    table = next((t for t in derived.risk_tables if variable in t.combination.variables), None)
    flags = unsafe_flags(derived, variable, progress)
    by_code = np.zeros(len(original.codes), np.int64)
    for part in blocks(len(flags), progress):
        by_code += np.bincount(original.values[part][flags[part]], minlength=len(by_code))
    return Effect(
        variable=variable,
        categories=derived.columns[variable].n_valid,
        records=derived.records,
        is_key=bool(using),
        unsafe=int(by_code.sum()) if is_judged(derived.recipe, variable) else None,
        unsafe_of_code=by_code,
        table=-1 if table is None else table.index,
        risk=None if table is None else table.staircase.figures(table.threshold),
        threshold=None if table is None else table.threshold,
    )


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
        before, after = derived.microdata.columns[name], derived.columns[name]
        lost.append(int(before.counts[: before.n_valid].sum()) * entropy(before))
        lost.append(-(int(after.counts[: after.n_valid].sum()) - count) * entropy(after))
    return math.fsum(lost)
