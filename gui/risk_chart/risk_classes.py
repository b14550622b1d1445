"""Classes of risks for bars, and the same classes for an earlier state, so that heights can be compared."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.risk.individual import TOLERANCE
from core.risk.staircase import Histogram, Staircase

_NARROWEST = 10
"""The range of both states has at most so many times the classes of one; narrower ones could not be seen."""


def bars_of(staircase: Staircase, before: Staircase | None, bars: int) -> Histogram:
    """Bars of equal width in log risk over the present range; where all risks are equal, one of some width.

    Parameters
    ----------
    staircase : of at least one record
    before : the earlier state beside it; where the present range is a small part of that of both, bars are fewer
    bars : their number otherwise
    """
    low, high = staircase.min_risk, staircase.max_risk
    if low == high:
        return replace(staircase.histogram(1), edges=np.array([0.9 * low, min(1.1 * low, 1.0)]))
    ends = (low, high) if before is None else (min(low, before.min_risk), max(high, before.max_risk))
    narrowest = math.log(ends[1] / ends[0]) / (_NARROWEST * bars)
    width = math.log(high / low)
    found = staircase.histogram(max(1, min(bars, round(width / narrowest))))
    return found if width >= narrowest else replace(found, edges=np.array([high * math.exp(-narrowest), high]))


def in_classes_of(edges: NDArray[np.float64], before: Staircase) -> Histogram:
    """An earlier state in the classes of bars, continued as far as it reaches beyond them.

    Parameters
    ----------
    edges : (b + 1,) float64, increasing risks of equal ratio; as with bars, the last class holds its upper edge
    before : of at least one record

    Returns
    -------
    All of its records, in classes as wide as the bars; the uppermost ends at 1, as no risk is above.
    """
    width = math.log(edges[-1] / edges[0]) / (len(edges) - 1)
    below = math.ceil(math.log(edges[0] / before.min_risk) / width - TOLERANCE)
    above = math.ceil(math.log(before.max_risk / edges[-1]) / width - TOLERANCE)
    lower = edges[0] * np.exp(-width * np.arange(max(below, 0), 0, -1))
    upper = np.minimum(edges[-1] * np.exp(width * np.arange(1, max(above, 0) + 1)), 1.0)
    every = np.concatenate((lower, edges, upper))
    inner = every[1:-1]
    risks = inner * np.where(inner < edges[-1], 1.0 - TOLERANCE, 1.0 + TOLERANCE)
    ends = np.append(np.searchsorted(before.levels, risks), len(before.levels))
    records, cells = before.cumulative_records, np.cumsum(before.level_cells)
    return Histogram(every, *(np.diff(np.append(0, sums)[ends], prepend=0) for sums in (records, cells)))


def running(classes: Histogram) -> Histogram:
    """Running totals of classes."""
    return Histogram(classes.edges, np.cumsum(classes.records), np.cumsum(classes.cells))
