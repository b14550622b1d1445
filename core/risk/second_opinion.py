"""Beside the individual risk: the expected re-identifications by the calibrated population model, and how sure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.risk.negative_binomial import calibrated_risk, none_outside
from core.risk.population_model import KeySet, PopulationModel
from core.tables.cells import Cells

Floats = NDArray[np.float64]
Verdict = Literal["", "too low", "too high"]

_NORMAL = 1.96
_STRUCTURE = 0.15
_GRAPH_WEIGHT = 0.3
_DISPERSION_WEIGHT = 0.5
_TOO_LOW, _TOO_HIGH = 0.8, 1.25
_SMALL_FRACTION, _FEW_RECORDS = 0.002, 2000


@dataclass(frozen=True, eq=False)
class SecondOpinion:
    """Risk by the population model, before closure [method: log-linear model].

    Attributes
    ----------
    risk : (m,) float64, E(1/F | f) of each cell; nan where the missing rule leaves it out
    maximum : the largest of them
    expected_reidentifications : their sum over records
    log_linear, independence : the same sum with Poisson counts on the same graph, and without a graph
    log_linear_uniques, log_linear_matches : τ1 and τ2 with Poisson counts on the same graph
    pairs : cells with two records
    variance : of the sum over sample uniques, r (1 - r) each
    a : shape of the scatter around the model; None where it is infinite
    edges : pairs of key variables that depend on each other, strongest first
    population_uniques : τ1, sample uniques expected to be unique in the population
    correct_matches : τ2, expected correct matches of sample uniques
    rests_on_model : the sample is too small a share of the population and has too few records to check the model by
    """

    risk: Floats
    maximum: float
    expected_reidentifications: float
    log_linear: float
    independence: float
    log_linear_uniques: float
    log_linear_matches: float
    pairs: float
    variance: float
    a: float | None
    edges: tuple[tuple[str, str], ...]
    population_uniques: float
    correct_matches: float
    rests_on_model: bool

    @property
    def half_width(self) -> float:
        """h: the interval runs from ER e^-h to ER e^h (95 % intended)."""
        total = self.expected_reidentifications
        if not total:
            return 0.0
        sampling = _NORMAL**2 * (1.0 / (4.0 * max(self.pairs, 1.0)) + self.variance / total**2)
        graph = _GRAPH_WEIGHT * math.log(self.independence / total)
        scatter = _DISPERSION_WEIGHT * math.log(self.log_linear / total)
        return math.sqrt(min(1.0, sampling) + _STRUCTURE**2 + graph**2 + scatter**2)

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper end of what the true sum of 1/F may be: sampling, and what the model may miss."""
        factor = math.exp(self.half_width)
        return self.expected_reidentifications / factor, self.expected_reidentifications * factor

    def interval_told(self, records: int) -> tuple[float, float, bool]:
        """The interval in words: no more than all `records` can be re-identified; and whether that ends it."""
        low, high = self.interval
        return low, min(high, float(records)), high > records

    def ratio(self, individual: float) -> float:
        """Expected re-identifications over those by the individual risk, `individual`; nan where there are none."""
        return self.expected_reidentifications / individual if individual else math.nan

    def verdict(self, individual: float) -> Verdict:
        """Whether the individual risk, with this sum over records, is too low (below 0.8) or too high (above 1.25)."""
        total = self.expected_reidentifications
        return "too low" if individual < _TOO_LOW * total else "too high" if individual > _TOO_HIGH * total else ""


def second_opinion(cells: Cells, model: PopulationModel, progress: Progress = SILENT) -> SecondOpinion:
    """Judge every cell by the population model of the key variables on which it is complete.

    Parameters
    ----------
    cells : the table that `model` is of
    """
    judged = ~np.isnan(cells.f)
    risk, log_linear, independence = (np.full(len(cells), np.nan) for _ in range(3))
    unique, twice = np.zeros(len(cells), np.bool_), np.zeros(len(cells), np.bool_)
    of_unique: list[tuple[NDArray[np.int64], Floats, Floats]] = []
    full: KeySet | None = None
    for key_set, of_pattern in model.by_pattern():
        if len(key_set.variables) == len(model.names):
            full = key_set
        here = of_pattern[judged[of_pattern]]
        group = key_set.groups.group_of_cell[here]
        # One number a cell at a time: there may be very many cells.
        risk[here] = key_set.risk(progress)[group]
        if math.isinf(key_set.a):
            log_linear[here] = risk[here]
        else:
            log_linear[here] = calibrated_risk(key_set.f, key_set.m, math.inf, progress)[group]
        independence[here] = calibrated_risk(key_set.f, key_set.m_independent, math.inf, progress)[group]
        unique[here], twice[here] = (key_set.f == 1)[group], (key_set.f == 2)[group]
        mine = np.flatnonzero(unique[here])
        none, poisson = none_outside(key_set.scale, key_set.a), none_outside(key_set.m, math.inf)
        of_unique.append((here[mine], none[group[mine]], poisson[group[mine]]))
    order = np.argsort(np.concatenate([cell for cell, _, _ in of_unique]))
    none, poisson = (np.concatenate(each)[order] for each in list(zip(*of_unique, strict=True))[1:])
    count = cells.count * judged
    alone = risk[unique] * cells.count[unique]
    a = full.a if full else math.inf
    return SecondOpinion(
        risk=risk,
        maximum=float(np.max(risk, where=judged, initial=0.0)),
        expected_reidentifications=float(np.sum(risk * count, where=judged)),
        log_linear=float(np.sum(log_linear * count, where=judged)),
        independence=float(np.sum(independence * count, where=judged)),
        log_linear_uniques=float(poisson @ cells.count[unique]),
        log_linear_matches=float(log_linear[unique] @ cells.count[unique]),
        pairs=float(cells.count[twice].sum()) / 2,
        variance=float(np.sum(risk[unique] * (1.0 - risk[unique]) * cells.count[unique])),
        a=None if math.isinf(a) else a,
        edges=tuple((model.names[a], model.names[b]) for a, b in model.edges(range(len(model.names)))),
        population_uniques=float(np.sum(none * cells.count[unique])),
        correct_matches=float(alone.sum()),
        rests_on_model=model.records < _SMALL_FRACTION * model.total and model.records < _FEW_RECORDS,
    )
