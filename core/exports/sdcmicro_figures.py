"""What Pavo finds, and what sdcMicro should find by its own definitions, for each combination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..recipe.criteria import MissingRule
from ..recipe.model import Combination
from ..results.results import Results, RiskTable
from ..results.second_opinions import individual_staircase
from ..risk.individual import is_unsafe
from ..risk.measures.k_anonymity import KAnonymityProfile
from ..tables.cells import Cells
from ..tables.sdcmicro_frequencies import sdcmicro_frequencies
from ..tables.tabulate import tabulate


@dataclass(frozen=True)
class Check:
    """One combination to be measured by both programs.

    Attributes
    ----------
    variables : the key variables
    rule, alpha : Pavo's missing rule
    alpha_there : sdcMicro's alpha that is nearest to it
    any_missing : whether a key variable has missing values, so that the rules matter
    threshold : of the individual risk; None where there is none
    k : of k-anonymity; None for an individual risk
    pavo : figures as Pavo shows them, by name
    foreseen : the figures that sdcMicro should show; no household figures
    """

    variables: tuple[str, ...]
    rule: MissingRule
    alpha: float
    alpha_there: float
    any_missing: bool
    threshold: float | None
    k: int | None
    pavo: Mapping[str, float]
    foreseen: Mapping[str, float]


def checks(derived: Results, progress: Progress = SILENT) -> list[Check]:
    """The combinations with an individual risk or k-anonymity, in order."""
    found = []
    for combination, table in zip(derived.recipe.combinations, derived.tables, strict=True):
        if table is not None:
            found.append(_of_risk(derived, table, progress))
        elif combination.least_size is not None:
            found.append(_of_k(derived, combination, combination.least_size, progress))
    return found


def approximate_risk(f: NDArray[np.float64], F: NDArray[np.float64], sample: bool) -> NDArray[np.float64]:
    """Individual risk as sdcMicro 5.8.1 takes it (indivRisk, method "approx"); 1/f without weights.

    Parameters
    ----------
    f, F : (m,) frequencies; a non-integer f below 2 has risk 0 there
    sample : whether there are weights

    Returns
    -------
    (m,) float64; above 1, infinite or nan where F < f makes it so there
    """
    if not sample:
        return np.asarray(1.0 / f)
    with np.errstate(all="ignore"):
        p = f / F
        odds = p / (1.0 - p)
        one = odds * np.log(1.0 / p)
        two = odds - odds**2 * np.log(1.0 / p)
        risk = np.where(f > 2, p / (f - (1.0 - p)), np.where(f == 2, two, np.where(f == 1, one, 0.0)))
        return np.where(f == F, 1.0 / f, risk)


def _of_risk(derived: Results, table: RiskTable, progress: Progress) -> Check:
    combination, staircase, cells = table.combination, table.staircase, table.cells
    if table.population is not None:  # other programs have no such model: what can be compared is the individual risk
        staircase = individual_staircase(table, progress)
    f, population, count = _there(cells, progress)
    known = ~np.isnan(table.risk)
    pavo = _counted(cells.f[known], cells.F[known], cells.count[known], int(known.sum()))
    pavo["max_risk"], pavo["expected"], pavo["rate"] = (
        staircase.max_risk,
        staircase.expected_reidentifications,
        staircase.rate,
    )
    risk = approximate_risk(f, population, derived.microdata.weights is not None)
    foreseen = _counted(f, population, count, len(f))
    expected = float((count * risk).sum())
    foreseen["max_risk"], foreseen["expected"] = float(risk.max(initial=0.0)), expected
    foreseen["rate"] = expected / max(int(count.sum()), 1)
    if table.threshold is not None:
        pavo["unsafe_records"] = staircase.unsafe(table.threshold)
        foreseen["unsafe_records"] = int(count[is_unsafe(risk, table.threshold)].sum())
    if (
        table.household is not None
        and table.population is None
        and combination.missing_rule != "listwise"
        and not table.household.staircase.undefined
    ):
        pavo["household_max"] = table.household.staircase.max_risk
        pavo["household_expected"] = table.household.staircase.expected_reidentifications
    return _check(combination, cells, table.threshold, None, pavo, foreseen)


def _of_k(derived: Results, combination: Combination, k: int, progress: Progress) -> Check:
    columns = [derived.columns[name] for name in combination.variables]
    weights = derived.microdata.weights
    cells = tabulate(columns, weights, combination.missing_rule, combination.alpha, progress)
    known = ~np.isnan(cells.f)
    pavo = _counted(cells.f[known], cells.F[known], cells.count[known], int(known.sum()))
    pavo["below_k"] = KAnonymityProfile.from_cells(cells.f, cells.count).violations(k)
    f, population, count = _there(cells, progress)
    foreseen = _counted(f, population, count, len(f))
    foreseen["below_k"] = int(count[f < k].sum())
    return _check(combination, cells, None, k, pavo, foreseen)


def _check(
    combination: Combination,
    cells: Cells,
    threshold: float | None,
    k: int | None,
    pavo: Mapping[str, float],
    foreseen: Mapping[str, float],
) -> Check:
    rule, missing = combination.missing_rule, bool(cells.missing.any())
    return Check(combination.variables, rule, combination.alpha, _alpha(cells), missing, threshold, k, pavo, foreseen)


def _alpha(cells: Cells) -> float:
    """sdcMicro's alpha: other people's missing values never help under ``observed``."""
    return {"wildcard": cells.alpha, "observed": 0.0}.get(cells.rule, 1.0)


def _there(cells: Cells, progress: Progress) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """f, F and own records of the cells that sdcMicro is given, as it counts them."""
    if cells.rule in ("category", "listwise"):
        given = cells.missing == 0 if cells.rule == "listwise" else np.ones(len(cells), np.bool_)
        return cells.count[given].astype(np.float64), cells.weight[given], cells.count[given]
    f, population = sdcmicro_frequencies(cells, _alpha(cells), progress)
    return f, population, cells.count


def _counted(f: NDArray[np.float64], F: NDArray[np.float64], count: NDArray[np.int64], cells: int) -> dict[str, float]:
    return {
        "records": int(count.sum()),
        "cells": cells,
        "sum_f": float((count * f).sum()),
        "sum_F": float((count * F).sum()),
        "uniques": int(count[f == 1.0].sum()),
    }
