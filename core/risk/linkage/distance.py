"""Linkage by distance: whether the nearest record of the released file is one's own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TOLERANCE = 1e-9
"""Distances that differ by less than this share of themselves are equal: they were rounded on the way."""
_CHUNK = 1 << 12
"""Records asked for in one go; they are as far from their own, so that one bound serves all of them."""
_LEAST_BOUND = 1e-150
"""Its square is still a number, and no distance of records that differ is smaller."""


def standardised(original: Floats, released: Floats) -> tuple[Floats, Floats]:
    """Both files by the mean and the standard deviation (n - 1) of the original, (n, p) and (m, p); nan stays.

    A variable that has one value in the original tells no record from another, and is 0 throughout.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        known = (~np.isnan(original)).sum(axis=0)
        mean = np.nansum(original, axis=0) / np.maximum(known, 1)
        sd = np.sqrt(np.nansum((original - mean) ** 2, axis=0) / np.maximum(known - 1, 1))
        scaled = tuple((part - mean) / sd for part in (original, released))
    for values, part in zip(scaled, (original, released), strict=True):
        values[:, sd == 0] = np.where(np.isnan(part[:, sd == 0]), np.nan, 0.0)
    return scaled[0], scaled[1]


def own_distance(original: Floats, released: Floats, place: Ints) -> Floats:
    """Distance of each record to its own in the released file, (n,); inf where it has none or nothing to compare.

    Euclidean over the variables that both have, as if the others differed as much as these on average: the root of
    p / s times the sum of squares over s of p variables.

    Parameters
    ----------
    original, released : (n, p) and (m, p), nan where missing
    place : (n,) places in `released`, -1 where it is not there
    """
    difference = original - released[np.maximum(place, 0)]
    shared = (~np.isnan(difference)).sum(axis=1)
    found = np.sqrt(np.nansum(difference**2, axis=1) * original.shape[1] / np.maximum(shared, 1))
    found[(place < 0) | (shared == 0)] = np.inf
    return np.asarray(found, np.float64)


def nearest_own(original: Floats, released: Floats, place: Ints, progress: Progress = SILENT) -> Floats:
    """The chance of taking the own record as the nearest, (n,) in [0, 1]: 1/m where m records are equally near.

    0 where another one is nearer, or where the own is not there or has no variable in common. Distances as in
    `own_distance`; exact, by a tree for each pattern of missing values.
    """
    own = own_distance(original, released, place)
    equal, beaten = np.zeros(len(own), np.int64), np.isinf(own)
    patterns, of_record = _patterns(original)
    for there, points in _patterned(released):
        for pattern, has in enumerate(patterns):
            rows = np.flatnonzero((of_record == pattern) & ~beaten)
            shared = has & there
            if len(rows) and shared.any():
                scale = np.sqrt(original.shape[1] / shared.sum())
                _look(original[:, shared] * scale, points[:, shared] * scale, rows, own, equal, beaten, progress)
    return np.where(beaten, 0.0, 1.0 / np.maximum(equal, 1))


def _patterns(values: Floats) -> tuple[NDArray[np.bool_], Ints]:
    """The distinct patterns of what is there, (b, p), and that of each record."""
    there, of_record = np.unique(~np.isnan(values), axis=0, return_inverse=True)
    return there, of_record.ravel()


def _patterned(released: Floats) -> Iterator[tuple[NDArray[np.bool_], Floats]]:
    patterns, of_record = _patterns(released)
    yield from ((there, released[of_record == pattern]) for pattern, there in enumerate(patterns))


def _look(
    asked: Floats,
    points: Floats,
    rows: Ints,
    own: Floats,
    equal: Ints,
    beaten: NDArray[np.bool_],
    progress: Progress,
) -> None:
    """Among `points`, note for the `rows` of `asked` whether one is nearer than the own, and how many as near."""
    from scipy.spatial import cKDTree

    distinct, records = np.unique(points, axis=0, return_counts=True)
    tree = cKDTree(distinct)
    rows = rows[np.argsort(own[rows], kind="stable")]
    for start in range(0, len(rows), _CHUNK):
        progress.check()
        part = rows[start : start + _CHUNK]
        limit = own[part] * (1.0 + TOLERANCE)
        bound = max(float(limit[-1]) * (1.0 + TOLERANCE), _LEAST_BOUND)
        found = tree.query(asked[part], k=2, distance_upper_bound=bound)
        distance, which = np.asarray(found[0]), np.asarray(found[1])
        beaten[part] |= distance[:, 0] < own[part] * (1.0 - TOLERANCE)
        near = distance <= limit[:, None]
        equal[part[near[:, 0]]] += records[which[near[:, 0], 0]]
        several = np.flatnonzero(near[:, 1] & ~beaten[part])
        if len(several):
            around = tree.query_ball_point(asked[part[several]], limit[several])
            equal[part[several]] += [int(records[each].sum()) for each in around] - records[which[several, 0]]
