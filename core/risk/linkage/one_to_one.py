"""Linkage one to one: every record gets another one of the released file, so that all distances together are least."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.progress import SILENT, Progress
from ...base.texts import mark

Floats = NDArray[np.float64]

MOST_RECORDS = 5000
"""Of either file: all distances are held, 200 MB, and the time grows with the third power."""


def assigned_own(original: Floats, released: Floats, place: NDArray[np.int64], progress: Progress = SILENT) -> Floats:
    """The chance that each record is given its own, (n,) in [0, 1].

    Who of equal records is given which of equal released ones is arbitrary, so all ways count alike. Distances are
    those of `core.risk.linkage.distance.own_distance`.

    Raises
    ------
    DataError
        ``linkage-too-many``: more than `MOST_RECORDS`.
    """
    from scipy.optimize import linear_sum_assignment

    if max(len(original), len(released)) > MOST_RECORDS:
        raise DataError(
            "linkage-too-many",
            mark("One-to-one linkage compares every record with every other: {records} records are too many for it."),
            mark('Take method = "distance", or files of at most {most} records.'),
            records=max(len(original), len(released)),
            most=MOST_RECORDS,
        )
    distance = _distances(original, released, progress)
    nothing = np.isinf(distance)
    distance[nothing] = 2.0 * float(distance[~nothing].max(initial=1.0)) * len(original)
    progress.check()
    who, given = linear_sum_assignment(distance)
    given, sure = _of_all(given, who, len(original)), _of_all(~nothing[who, given], who, len(original))
    alike, members = _equal(original)
    point, records = _equal(released)
    # who stands for whom: (group of equal records, released record that one of them is given)
    received = alike * len(records) + point[given]
    wanted = alike * len(records) + point[np.maximum(place, 0)]
    pairs, count = np.unique(received[sure], return_counts=True)
    if not len(pairs):
        return np.zeros(len(original))
    at = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    found = np.where((pairs[at] == wanted) & (place >= 0), count[at], 0)
    return np.asarray(found / members[alike] / records[point[np.maximum(place, 0)]], np.float64)


def _of_all(values: NDArray[Any], who: NDArray[np.int64], n: int) -> NDArray[Any]:
    """The `values` of the records `who` among all n; 0 or False of the others, of whom there are more than to give."""
    found = np.zeros(n, values.dtype)
    found[who] = values
    return found


def _equal(values: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The number of each row among the distinct ones, and rows of each; missing values are equal."""
    filled = np.where(np.isnan(values), np.inf, values)
    _rows, of_record, count = np.unique(filled, axis=0, return_inverse=True, return_counts=True)
    return of_record.ravel(), count


def _distances(original: Floats, released: Floats, progress: Progress) -> Floats:
    """(n, m), inf where no variable is in common."""
    total = np.zeros((len(original), len(released)))
    shared = np.zeros(total.shape, np.int16)
    for mine, theirs in zip(original.T, released.T, strict=True):
        progress.check()
        difference = mine[:, None] - theirs
        there = ~np.isnan(difference)
        shared += there
        total += np.where(there, difference, 0.0) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.sqrt(total * (original.shape[1] / shared))
    found[shared == 0] = np.inf
    return np.asarray(found, np.float64)
