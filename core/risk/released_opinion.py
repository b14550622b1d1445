"""The population model on a safe file: closed risks of what records keep, and the interval of their sum."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..tables.cells import Cells
from .distribution import RiskDistribution
from .negative_binomial import calibrated_risk
from .population_model import PopulationModel
from .second_opinion import half_width

Floats = NDArray[np.float64]
Places = NDArray[np.integer]

_ALL_SUBSETS = 10
"""Of more key variables risks are closed over the key sets with one variable less alone."""


@dataclass(frozen=True, eq=False)
class ModelRisks:
    """What the calibrated model says of some cells by part of their key variables, (n,) each.

    Attributes
    ----------
    risk : closed, E(1/F | f)
    f : records with these values
    own : before closure
    log_linear, independence : before closure with Poisson counts, on the same graph and without one
    """

    risk: Floats
    f: Floats
    own: Floats
    log_linear: Floats
    independence: Floats


@dataclass(frozen=True)
class ReleasedOpinion:
    """Another estimate of the risk of the records of a safe file.

    Attributes
    ----------
    estimator : "calibrated" or "exact", as a recipe names it
    maximum : the largest risk
    expected : their sum over records
    rate : `expected` as a share of the records
    unsafe : records at or above the threshold; None where there is none
    interval : of `expected`, by the population model
    records : that have a risk
    """

    estimator: str
    maximum: float
    expected: float
    rate: float
    unsafe: int | None
    interval: tuple[float, float] | None
    records: int

    @property
    def interval_told(self) -> tuple[float, float] | None:
        """The interval in words: no more than all records can be re-identified."""
        return None if self.interval is None else (self.interval[0], min(self.interval[1], float(self.records)))


def model_risks(
    model: PopulationModel, asked: Mapping[int, Places], progress: Progress = SILENT
) -> dict[int, ModelRisks]:
    """Risks of cells by the variables of each mask.

    Parameters
    ----------
    asked : mask of variables -> cells of the model's table, which have a value on all of these

    Returns
    -------
    mask -> the risks of its cells
    """
    found: dict[int, dict[str, Floats]] = {mask: {} for mask in asked}
    closed: dict[int, Floats] = {mask: np.zeros(len(cells)) for mask, cells in asked.items()}
    for part in _key_sets(asked, len(model.names)):
        progress.check()
        key_set = model.key_set(part, progress)
        group_of_cell = key_set.groups.group_of_cell
        above = [mask for mask in asked if mask & part == part and _closes(mask, part, len(model.names))]
        risk, most, raising = np.zeros(len(key_set.f)), key_set.most_risk, np.zeros(len(key_set.f), np.bool_)
        for mask in above:
            group = group_of_cell[asked[mask]]
            raising[group if mask == part else group[most[group] > closed[mask]]] = True
        some = np.flatnonzero(raising)  # a risk takes as many steps as the group has records
        risk[some] = calibrated_risk(key_set.f[some], key_set.scale_at(some), key_set.a, progress)
        for mask in above:
            group = group_of_cell[asked[mask]]
            np.maximum(closed[mask], risk[group], out=closed[mask])
            if mask == part:
                f, m, alone = key_set.f[group], key_set.m[group], key_set.m_independent[group]
                found[mask] = {
                    "f": f,
                    "own": risk[group],
                    "log_linear": risk[group] if math.isinf(key_set.a) else calibrated_risk(f, m, math.inf, progress),
                    "independence": calibrated_risk(f, alone, math.inf, progress),
                }
    return {mask: ModelRisks(closed[mask], **found[mask]) for mask in asked}


def closed_risks(cells: Cells, model: PopulationModel, progress: Progress = SILENT) -> Floats:
    """The closed risk of each cell by the variables on which it is complete, (m,); nan where it is left out."""
    found = np.full(len(cells), np.nan)
    missing, judged = cells.missing, ~np.isnan(cells.f)
    places = {
        model.full & ~pattern: np.flatnonzero((missing == pattern) & judged) for pattern in np.unique(missing).tolist()
    }
    for mask, risks in model_risks(model, places, progress).items():
        found[places[mask]] = risks.risk
    return found


def _closes(mask: int, part: int, variables: int) -> bool:
    return variables <= _ALL_SUBSETS or (mask & ~part).bit_count() <= 1


def _key_sets(asked: Mapping[int, Places], variables: int) -> list[int]:
    """The subsets over which the risks of the masks are closed, large ones first: margins come from small parents."""
    found = {part for mask in asked for part in _subsets(mask, variables <= _ALL_SUBSETS)}
    return sorted(found, key=lambda part: (-part.bit_count(), part))


def _subsets(mask: int, every: bool) -> Iterator[int]:
    if not every:
        yield mask
        yield from (mask & ~(1 << j) for j in range(mask.bit_length()) if mask >> j & 1)
        return
    part = mask
    while True:
        yield part
        if not part:
            return
        part = (part - 1) & mask


def by_model(
    risks: ModelRisks, share: Floats, records: NDArray[np.int64], pairs: float, limit: float | None
) -> ReleasedOpinion:
    """The opinion from the risks of rows, each of so many `records`.

    Parameters
    ----------
    share : (n,) what is left of a row's risk in its released key; 1: all
    pairs : cells with two records in the file that the model was fitted to
    limit : the lowest unsafe risk; None: no threshold
    """
    risk = risks.risk * share
    expected, total = _over_records(risk, records), int(records.sum())
    alone = risks.own * share
    variance = _over_records(alone * (1.0 - alone) * (risks.f == 1), records)
    raised = _over_records(alone, records)
    factor = expected / raised if raised else 1.0  # by closure, which the three sums share
    of_others = (risks.log_linear, risks.independence)
    poisson, independent = (_over_records(each * share, records) * factor for each in of_others)
    h = half_width(expected, poisson, independent, pairs, variance)
    unsafe = None if limit is None else int(records[risk >= limit].sum())
    interval = expected * math.exp(-h), expected * math.exp(h)
    largest = float(risk.max(initial=0.0, where=records > 0))
    return ReleasedOpinion("calibrated", largest, expected, expected / total if total else 0.0, unsafe, interval, total)


def _over_records(values: Floats, records: NDArray[np.int64]) -> float:
    """The sum over records: the same on any number of threads, which a product of vectors is not."""
    return float(np.sum(values * records))


def by_individual(risk: Floats, records: NDArray[np.int64], threshold: float | None) -> ReleasedOpinion:
    """The opinion from the individual risks of rows, each of so many `records`; nan: a row without a risk."""
    there = records > 0
    stairs = RiskDistribution.from_cells(risk[there], records[there])  # the same sum, whatever the rows and their order
    unsafe = None if threshold is None else stairs.unsafe(threshold)
    expected, rate = stairs.expected_reidentifications, stairs.rate
    largest = stairs.max_risk if stairs.n else 0.0
    return ReleasedOpinion("exact", largest, expected, rate, unsafe, None, stairs.n)
