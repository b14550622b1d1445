"""Records that are judged by their individual risk: of what is left of them, or by the size of their released key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..data.risk_figures import RiskFigures, TableState
from . import individual_risk, recount
from .judged import CheckSpec, KeysOfBothFiles, TableVerification, WeightsOfBoth, above_one
from .key_sizes import KeySizes, lowest_exceeding
from .population import PopulationJudge
from .recount import Codes, DistinctKeys, Floats, Tally


@dataclass(frozen=True, eq=False)
class Both:
    """Both files by distinct keys; `before` tells of the original, made of its columns and weights."""

    keys: KeysOfBothFiles
    weights: WeightsOfBoth
    rows: DistinctKeys
    before: Tally


def judge_risks(
    judged: CheckSpec,
    columns: Mapping[str, EncodedColumn],
    decided: Mapping[str, NDArray[np.unsignedinteger]],
    weights: WeightsOfBoth,
    progress: Progress,
) -> TableVerification:
    """The figures of a combination that is judged by risks.

    Raises
    ------
    ModelDiffers
        The plan's population model is not that of the data.
    """
    keys = KeysOfBothFiles.of(judged.variables, columns, decided, sparing=True)
    progress.check()
    place: Codes = np.zeros(0, np.uint32)
    given = keys.original, keys.released, keys.sizes, weights[:2], progress, keys.records
    if judged.mode == "released-keys":
        rows, before, now, place = recount.tabulate_records(*given)
    else:
        rows, before, now = recount.tabulate_both(*given)
    there = now.present()
    truncated = judged.estimator == "truncated"
    by_mode, both = None, Both(keys, weights, rows, before)
    if judged.rule in ("observed", "wildcard"):
        by_mode = _by_remaining_values(judged, both, there, now.records[there], progress)
    progress.check()
    records_there = now.records[there]
    alone = _risks(*recount.frequencies(rows, there, now, 1.0, progress), truncated, progress)
    released = _file_level(alone, records_there, judged.threshold)
    del alone
    progress.check()
    if judged.mode == "released-keys":
        was, became = np.split(place, 2)
        return _by_released_keys(judged, both, now, was, became, by_mode, released)
    group = _risks(records_there.astype(np.float64), now.weight_at(there), truncated, progress)
    unsafe = _unsafe(group, records_there, judged.threshold)
    return TableVerification(by_mode, released, float(group.max(initial=0.0)), unsafe)


def _by_released_keys(
    judged: CheckSpec,
    both: Both,
    now: Tally,
    was: Codes,
    became: Codes,
    original: TableState | None,
    released: TableState,
) -> TableVerification:
    """The figures of one combination by released keys, in which a blank is a value of its own.

    `was`, `became`: (n,) of each written record the row that it had in the original, and the one that it has.
    """
    pairs, pair = np.unique(was.astype(np.int64) * len(both.rows.patterns) + became, return_inverse=True)
    records = np.bincount(pair, both.keys.records, len(pairs)).astype(np.float64)
    cells, cell = np.unique(pairs // len(both.rows.patterns), return_inverse=True)
    size = now.count[pairs % len(both.rows.patterns)]
    population = None if judged.claimed is None else population_judge(judged, both)
    judge = KeySizes(both.rows, both.before, cells, judged.threshold, population, judged.exceedance)
    asked = judge.least[cell]
    risk = judge.own[cell]
    unsafe = np.flatnonzero(asked)
    risk[unsafe] = judge.under(cell[unsafe], size[unsafe])
    state = _file_level(risk, records, judged.threshold)
    if judged.threshold is not None:
        small = int(records[size < asked].sum())
        assert state.individual is not None
        state = replace(state, individual=replace(state.individual, unsafe=small), unsafe=small)
    sampled = float((1 / size[unsafe]).max(initial=0.0))
    smallest = int(size.min()) if len(size) else None
    return TableVerification(state, released, sampled, original=original, smallest=smallest)


def _by_remaining_values(
    judged: CheckSpec, both: Both, asking: Codes, records: Codes, progress: Progress
) -> TableState:
    """The figures of the rows `asking`, of so many records each, by what is left of them."""
    if judged.claimed is None or judged.exceedance is None:
        return _file_level(risks_by_mode(judged, both, asking, progress), records, judged.threshold)
    population = population_judge(judged, both, progress)
    state = _file_level(population.risks(asking), records, judged.threshold)
    if judged.threshold is None or state.individual is None:
        return state
    chance = population.exceeding(asking, judged.threshold)
    unsafe = int(records[chance >= lowest_exceeding(judged.exceedance)].sum())
    return replace(state, individual=replace(state.individual, unsafe=unsafe), unsafe=unsafe)


def risks_by_mode(judged: CheckSpec, both: Both, asking: Codes, progress: Progress = SILENT) -> Floats:
    """The risk of the rows `asking` by what is left of them, judged by the original file.

    Raises
    ------
    ModelDiffers
        The plan's population model is not that of the data.
    """
    if judged.claimed is None:
        alpha = judged.alpha if judged.rule == "wildcard" else 0.0
        f, population = recount.frequencies(both.rows, asking, both.before, alpha, progress)
        if judged.estimator == "plug-in":
            simple: Floats = 1 / np.maximum(f, population)
            return simple
        return _risks(f, population, judged.estimator == "truncated", progress)
    return population_judge(judged, both, progress).risks(asking)


def _risks(f: Floats, population: Floats, truncated: bool, progress: Progress) -> Floats:
    """`individual_risk.risks`, written over `f`, which nobody else has: there may be very many rows."""
    return individual_risk.risks(f, population, truncated, progress, out=f)


def population_judge(judged: CheckSpec, both: Both, progress: Progress = SILENT) -> PopulationJudge:
    """The judge by the population model that the plan claims.

    Raises
    ------
    ModelDiffers
    """
    assert judged.claimed is not None
    weights = both.weights[0]
    above = both.weights[2] if len(both.weights) > 2 else None if weights is None else above_one(*weights)
    _rows, outside, _now = recount.tabulate_both(
        both.keys.original, both.keys.released, both.keys.sizes, [above, both.weights[1]], progress, both.keys.records
    )
    sums = np.zeros(len(both.rows.patterns)) if above is None else outside.weight
    return PopulationJudge(both.rows, both.before, sums, judged.claimed, progress)


def _file_level(risk: NDArray[np.float64], records: Codes | Floats, threshold: float | None) -> TableState:
    expected = float(risk @ records.astype(np.float64, copy=False))
    total = float(records.sum())
    unsafe = _unsafe(risk, records, threshold)
    figures = RiskFigures(float(risk.max(initial=0.0)), expected, expected / total if total else 0.0, unsafe)
    return TableState(figures, unsafe=unsafe)


def _unsafe(risk: NDArray[np.float64], records: Codes | Floats, threshold: float | None) -> int | None:
    return None if threshold is None else int(records[risk >= threshold * (1 - 1e-12)].sum())
