"""Propensity scores: how well a model tells released records from original ones.

pMSE = mean (p̂ − ½)² over original and released records together, p̂ the fitted chance that a record is a released one.
Its expectation where the released values are drawn anew from the right model, fitted to the original, is
(q − 1) / (16 n), q coefficients and n records in each file (Snoke, Raab, Nowok, Dibben, Slavković 2018); the ratio to
that is S_pMSE: 0 where nothing is changed, about 1 where values were drawn anew so, larger the more released records
can be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from .compared import ComparedFile, ComparedVariable, Floats, Places, joint_codes
from .least_squares import independent
from .moments import weighted_quantiles

GROUPS = 5
"""Groups of a number, each with the same part of the original's records."""
MOST_TERMS = 300
"""Coefficients of the model of all variables: beyond, rare codes are taken together."""
SAMPLE = 10_000
"""Records by which the model of all variables is fitted."""
_ROWS = 1 << 12
_STEPS = 25
_SETTLED = 1e-8
"""Relative change of the deviance at which a logistic regression has arrived, and the steps after which it has to (as
in R); what tells a record for certain stays next to 1."""

Coded = tuple[tuple[Places, Places], int]
"""Codes before and after, (n,) each, and how many there are besides missing."""

NOT_FOR_SUPPRESSION = mark(
    "Its expectation holds where values were drawn anew from the right model. It does not hold for suppression, where "
    "a missing value tells that a record is a released one, nor where most values are released as they were."
)


@dataclass(frozen=True)
class Propensity:
    """How well released records are told from original ones.

    Attributes
    ----------
    pmse : from 0 (not at all) to 1/4 (each)
    expected : of the same with values drawn anew from the right model
    coefficients : q, the intercept among them
    records : n of each file
    pairs : whether the model has the pairs of variables beside each alone
    """

    pmse: float
    expected: float
    coefficients: int
    records: int
    pairs: bool = True

    @property
    def ratio(self) -> float:
        """S_pMSE; 0 where there is nothing by which to tell."""
        return self.pmse / self.expected if self.expected > 0 else 0.0


def _by_cells(coded: Sequence[Coded]) -> Propensity:
    """The model of all combinations of codes: its p̂ is the share of released records in the cell, nothing is fitted."""
    places = [np.concatenate(both) for both, _size in coded]
    cells = joint_codes(places, [size for _both, size in coded], whole=False)
    n = len(places[0]) // 2
    counts = np.bincount(cells.of_record, minlength=len(cells.keys))
    of_released = np.bincount(cells.of_record[n:], minlength=len(cells.keys))
    pmse = float((counts * (of_released / np.maximum(counts, 1) - 0.5) ** 2).sum()) / (2 * n) if n else 0.0
    return Propensity(pmse, _expected(len(cells.keys), n), len(cells.keys), n)


def propensity_matrix(file: ComparedFile, names: Sequence[str], progress: Progress = SILENT) -> Floats:
    """(v, v) S_pMSE by each pair of the variables `names`, for a heat map; on the diagonal by one alone."""
    coded = [grouped(variable) for variable in file.some(names)]
    size = len(coded)
    found = np.zeros((size, size))
    for i, a in enumerate(coded):
        for j in range(i + 1):
            progress.check()
            progress.report(i * (i + 1) // 2 + j, size * (size + 1) // 2, translate("Comparing pairs of variables"))
            found[i, j] = found[j, i] = _by_cells((a, coded[j]) if i != j else (a,)).ratio
    return found


def propensity(file: ComparedFile, names: Sequence[str], progress: Progress = SILENT, seed: int = 1) -> Propensity:
    """A logistic regression on the variables `names` and their pairs.

    Categories are indicators, the most frequent code left out and a missing value a code of its own; rare codes are
    taken together where there would be more than `MOST_TERMS` coefficients, and the pairs are left out where even that
    does not suffice. Numbers are linear, with an indicator where they are missing. Of larger files a sample of `SAMPLE`
    records, the same in both, is taken. Weights do not count.
    """
    n = file.records
    taken: NDArray[np.intp] = np.arange(n)
    if n > SAMPLE:
        taken = np.sort(np.random.default_rng(seed).choice(n, SAMPLE, replace=False))
    progress.report(0, 1, translate("Telling released records from original ones"))
    variables = file.some(names)
    for levels in (64, 32, 16, 8, 6, 5, 4, 3, 2):
        parts = [_columns(variable, taken, levels) for variable in variables]
        alone = sum(part.shape[1] for part in parts)
        both = (alone**2 - sum(part.shape[1] ** 2 for part in parts)) // 2
        if 1 + alone + both <= MOST_TERMS:
            break
    pairs = 1 + alone + both <= MOST_TERMS
    while not pairs and 1 + alone > MOST_TERMS:
        alone -= parts.pop().shape[1]
    alike, place = np.unique(np.column_stack([np.ones(2 * len(taken)), *parts]), axis=0, return_inverse=True)
    counts = np.bincount(place.reshape(-1)).astype(np.float64)
    hits = np.bincount(place.reshape(-1)[len(taken) :], minlength=len(counts)).astype(np.float64)
    design = [alike]
    if pairs:
        parts = np.split(alike[:, 1:], np.cumsum([part.shape[1] for part in parts])[:-1], axis=1) if parts else []
        crossed = ((a, b) for number, a in enumerate(parts) for b in parts[:number])
        design += [(a[:, :, None] * b[:, None, :]).reshape(len(a), -1) for a, b in crossed]
    pmse, coefficients = _fitted_pmse(np.column_stack(design), counts, hits, progress)
    return Propensity(pmse, _expected(coefficients, len(taken)), coefficients, len(taken), pairs)


def grouped(variable: ComparedVariable) -> Coded:
    """(n,) groups before and after, and how many there are; the last, one more, is of missing values."""
    if not variable.is_number:
        return variable.places, len(variable.codes)
    numbers = variable.numbers
    shares = [place / GROUPS for place in range(1, GROUPS)]
    limits = np.unique(weighted_quantiles(numbers[0], np.ones(len(numbers[0])), shares))
    size = len(limits) + 1
    before, after = (np.where(np.isnan(x), size, np.searchsorted(limits, x)).astype(np.int64) for x in numbers)
    return (before, after), size


def _expected(coefficients: int, records: int) -> float:
    return (coefficients - 1) / (16 * records) if records else 0.0


def _columns(variable: ComparedVariable, taken: NDArray[np.intp], levels: int) -> Floats:
    """(2 records, columns) what a variable brings into the model, without an intercept."""
    if variable.is_number:
        x = np.concatenate([each[taken] for each in variable.numbers])
        missing = np.isnan(x)
        spread = float(x[~missing].std()) if (~missing).any() else 0.0
        if spread == 0.0:
            return missing[:, None].astype(np.float64) if missing.any() else np.zeros((len(x), 0))
        x = np.where(missing, 0.0, (x - x[~missing].mean()) / spread)
        return np.column_stack([x, missing]) if missing.any() else x[:, None]
    place = np.concatenate([each[taken] for each in variable.places])
    counts = np.bincount(place, minlength=len(variable.codes) + 1)
    order = np.argsort(-counts[:-1], kind="stable")
    # the first is left out; what is rarer than the others has one column, and what is missing its own
    column = np.full(len(counts), levels - 1)
    column[order[:levels]] = np.arange(min(levels, len(order)))
    column[-1] = levels
    used = np.unique(column[counts > 0])
    chosen = used[used != column[order[0]]] if len(order) else used
    found: Floats = (column[place][:, None] == chosen[None, :]).astype(np.float64)
    return found


def _fitted_pmse(x: Floats, counts: Floats, hits: Floats, progress: Progress) -> tuple[float, int]:
    """pMSE of the logistic regression on the columns of `x`, and how many of them say something.

    Parameters
    ----------
    counts, hits : (rows,) records, and released ones among them, with each row of `x`
    """
    kept = independent((x * counts[:, None]).T @ x)
    x = x[:, kept]
    beta, before = np.zeros(len(kept)), np.inf
    chance = np.full(len(x), 0.5)
    for _step in range(_STEPS):
        spread = np.maximum(counts * chance * (1 - chance), 1e-10)
        information = np.zeros((len(kept), len(kept)))
        for begin in range(0, len(x), _ROWS):
            progress.check()
            block = x[begin : begin + _ROWS]
            information += (block * spread[begin : begin + _ROWS, None]).T @ block
        beta += np.linalg.lstsq(information, x.T @ (hits - counts * chance), rcond=1e-12)[0]
        chance = np.clip(1 / (1 + np.exp(-np.clip(x @ beta, -30, 30))), 1e-10, 1 - 1e-10)
        deviance = -2 * float((hits * np.log(chance) + (counts - hits) * np.log(1 - chance)).sum())
        if abs(deviance - before) <= _SETTLED * (abs(deviance) + 0.1):
            break
        before = deviance
    return float((counts * (chance - 0.5) ** 2).sum() / counts.sum()), len(kept)
