"""Individual risk of re-identification."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..kernels import risk as kernels
from ..recipe.model import POPULATION_ESTIMATORS, Estimator
from ..tables.grouping import blocks

_BLOCK = 1 << 14
TOLERANCE = 1e-12
"""Risks within this relative distance are one level; the same tolerance in every test of a threshold."""


def individual_risk(
    f: NDArray[np.floating[Any]],
    F: NDArray[np.floating[Any]],
    estimator: Estimator = "exact",
    progress: Progress = SILENT,
) -> NDArray[np.float64]:
    """E(1/F | f) under the negative binomial posterior [P04 eq. 3-11], from each cell alone.

    Parameters
    ----------
    f : (m,) sample frequency, >= 1, not necessarily an integer; nan where not defined
    F : (m,) estimated population frequency; where F <= f (1 + 1e-12), zero included, p is taken as 1
    estimator : "exact", relative error at most 1e-12; "truncated", [P04 eq. 14] cut after seven terms from f = 4;
        "plug-in", 1/F, and 1/f where F is less, for comparison. Those of a population model are `PopulationRisks`.

    Returns
    -------
    (m,) float64 in (0, 1]; nan where f or F is, or f is 0 (no record has these values)
    """
    f = np.ascontiguousarray(f, np.float64)
    population = np.ascontiguousarray(F, np.float64)
    if estimator == "plug-in":
        simple: NDArray[np.float64] = np.full(len(f), np.nan)
        np.divide(1.0, np.maximum(f, population), out=simple, where=f > 0)
        return simple
    if estimator in POPULATION_ESTIMATORS:
        raise ValueError(f"{estimator} needs the whole table")
    risk = np.empty(len(f))
    for part in blocks(len(f), progress, _BLOCK):
        kernels.risks(f[part], population[part], estimator == "truncated", risk[part])
    return risk


def lowest_unsafe(threshold: float | None) -> float:
    """The lowest risk that is unsafe at `threshold`: risks within 1e-12 are one level. None: inf, nothing is unsafe."""
    return np.inf if threshold is None else threshold * (1.0 - TOLERANCE)


def is_unsafe(risk: NDArray[np.float64], threshold: float | None) -> NDArray[np.bool_]:
    """Whether each risk is unsafe at the threshold: r >= t (1 - 1e-12). None: nothing is; nan never is."""
    return risk >= lowest_unsafe(threshold)
