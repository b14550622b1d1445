"""Beside the individual risk: the expected re-identifications by the calibrated population model, and how sure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..tables.cells import Cells
from .negative_binomial import calibrated_risk, none_outside
from .population_model import KeySet, PopulationModel

Floats = NDArray[np.float64]
Verdict = Literal["", "too low", "too high"]

_NORMAL = 1.96
_STRUCTURE = 0.15
_GRAPH_WEIGHT = 0.3
_DISPERSION_WEIGHT = 0.5
_TOO_LOW, _TOO_HIGH = 0.8, 1.25
_SMALL_FRACTION, _FEW_RECORDS = 0.002, 2000


@dataclass(frozen=True, eq=False)
class ModelEstimate:
    """Risk by the population model, before closure [method: log-linear model].

    Attributes
    ----------
    risk : (m,) float64, E(1/F | f) of each cell; nan where the missing rule leaves it out; empty where not kept
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
        sums = self.expected_reidentifications, self.log_linear, self.independence
        return half_width(*sums, self.pairs, self.variance)

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


def half_width(expected: float, log_linear: float, independence: float, pairs: float, variance: float) -> float:
    """h of the interval from ER e^-h to ER e^h; parameters as of `ModelEstimate`, 0 where nothing is expected."""
    if not expected:
        return 0.0
    sampling = _NORMAL**2 * (1.0 / (4.0 * max(pairs, 1.0)) + variance / expected**2)
    graph = _GRAPH_WEIGHT * math.log(independence / expected)
    scatter = _DISPERSION_WEIGHT * math.log(log_linear / expected)
    return math.sqrt(min(1.0, sampling) + _STRUCTURE**2 + graph**2 + scatter**2)


def second_opinion(cells: Cells, model: PopulationModel, progress: Progress = SILENT) -> ModelEstimate:
    """Judge every cell by the population model of the key variables on which it is complete.

    Parameters
    ----------
    cells : the table that `model` is of
    """
    found = _Opinions(cells)
    a = math.inf
    for key_set, of_pattern in model.by_pattern(progress):
        if len(key_set.variables) == len(model.names):
            a = key_set.a
        found.add(key_set, of_pattern, progress)
    none, poisson = found.of_uniques()
    risk, judged, unique = found.risk, found.judged, found.unique
    count = cells.count if judged.all() else cells.count * judged
    sums = {}
    for name, values in found.by_name.items():
        progress.check()
        sums[name] = float(np.sum(values * count, where=judged))
    log_linear = found.by_name["log-linear"][unique]
    found.by_name.clear()
    records = cells.count[unique]
    alone = risk[unique]
    progress.check()
    return ModelEstimate(
        risk=risk,
        maximum=float(np.max(risk, where=judged, initial=0.0)),
        expected_reidentifications=float(np.sum(risk * count, where=judged)),
        log_linear=sums["log-linear"],
        independence=sums["independence"],
        log_linear_uniques=float(poisson @ records),
        log_linear_matches=float(log_linear @ records),
        pairs=float(cells.count[found.twice].sum()) / 2,
        variance=float(np.sum(alone * (1.0 - alone) * records)),
        a=None if math.isinf(a) else a,
        edges=tuple((model.names[a], model.names[b]) for a, b in model.edges(range(len(model.names)), progress)),
        population_uniques=float(np.sum(none * records)),
        correct_matches=float((alone * records).sum()),
        rests_on_model=model.records < _SMALL_FRACTION * model.total and model.records < _FEW_RECORDS,
    )


class _Opinions:
    """What the models of the key sets say of each cell; one number a cell at a time, for there may be very many.

    Attributes
    ----------
    judged : (m,) whether the missing rule leaves the cell in
    risk : (m,)
    by_name : (m,) each, the risk with Poisson counts, on the same graph and without one
    unique, twice : (m,) whether one or two records have the values that a cell has
    """

    def __init__(self, cells: Cells) -> None:
        m, self._keys = len(cells), len(cells.variables)
        self.judged = np.ones(m, np.bool_) if cells.under_rule is None else ~np.isnan(cells.f)
        self.risk = np.full(m, np.nan)
        self.by_name = {name: np.full(m, np.nan) for name in ("log-linear", "independence")}
        self.unique, self.twice = np.zeros(m, np.bool_), np.zeros(m, np.bool_)
        self._uniques: list[tuple[NDArray[np.intp], Floats, Floats]] = []

    def add(self, key_set: KeySet, of_pattern: NDArray[np.intp], progress: Progress) -> None:
        """Write down what the model of a key set says of the cells `of_pattern`, which have all its variables."""
        here: NDArray[np.intp] | slice = of_pattern[self.judged[of_pattern]]
        group: NDArray[np.uint32] | slice = key_set.groups.group_of_cell[here]
        if len(key_set.variables) == self._keys and len(of_pattern) == len(self.risk) and self.judged.all():
            here = group = slice(None)  # every cell is a group of its own, in the same order
        self.risk[here] = key_set.risk(progress)[group]
        if math.isinf(key_set.a):
            self.by_name["log-linear"][here] = self.risk[here]
        else:
            self.by_name["log-linear"][here] = calibrated_risk(key_set.f, key_set.m, math.inf, progress)[group]
        independent = calibrated_risk(key_set.f, key_set.m_independent, math.inf, progress)
        self.by_name["independence"][here] = independent[group]
        del independent
        self.unique[here], self.twice[here] = (key_set.f == 1)[group], (key_set.f == 2)[group]
        mine = np.flatnonzero(self.unique[here])
        groups = mine if isinstance(group, slice) else group[mine]
        none = none_outside(key_set.scale_at(groups), key_set.a)
        self._uniques.append((mine if isinstance(here, slice) else here[mine], none,
                              none_outside(key_set.m[groups], math.inf)))  # fmt: skip

    def of_uniques(self) -> tuple[Floats, Floats]:
        """Of each cell with one record how likely nobody else is like it, by both models; no longer held."""
        uniques, self._uniques = self._uniques, []
        if len(uniques) == 1:
            return uniques[0][1:]
        order = np.argsort(np.concatenate([cell for cell, _, _ in uniques]))
        none, poisson = (np.concatenate(each)[order] for each in list(zip(*uniques, strict=True))[1:])
        return none, poisson
