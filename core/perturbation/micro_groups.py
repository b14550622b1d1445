"""How records are grouped to be microaggregated, and what that costs.

Every function gives (n,) int64, the group of each record from 0, where the points are complete; groups have at least k
records, all records together where there are fewer than 2k.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate

Floats = NDArray[np.float64]
Groups = NDArray[np.int64]
Algorithm = Literal["mdav", "optimal", "individual-ranking", "principal-component"]
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)

_AT_ONCE = 1 << 26  # numbers looked at between two questions whether to go on: some hundredths of a second


def mdav(points: Floats, k: int, progress: Progress = SILENT) -> Groups:
    """Groups by maximum distance to average (Domingo-Ferrer & Mateo-Sanz 2002; the fixed-size form of 2005).

    The record farthest from the mean of those left with its k - 1 nearest, then the record farthest from that one with
    its k - 1 nearest, until fewer than 2k are left, which are the last group. Of equally far or near records the first
    of the file is taken. Squared distances, each variable divided by its variance. O(n² p / k).

    Parameters
    ----------
    points : (n, p) finite
    k : at least 1
    """
    from ..kernels.microaggregation import mdav_steps

    n = len(points)
    left_points, places, groups = standardised(points), np.arange(n), np.zeros(n, np.int64)
    left, group = n, 0
    while left:
        progress.check()
        progress.report(n - left, n, translate(mark("Grouping records")))
        steps = max(1, _AT_ONCE // (4 * left * max(points.shape[1], 1)))
        after = int(mdav_steps(left_points, places, left, k, group, steps, groups))
        group += -(-(left - after) // k)
        left = after
    return groups


def optimal(values: Floats, k: int, progress: Progress = SILENT) -> Groups:
    """The groups with the least sum of squares of one variable (Hansen & Mukherjee 2003); O(n k) after sorting.

    Parameters
    ----------
    values : (n,) finite
    """
    from ..kernels.microaggregation import shortest_path

    n = len(values)
    order = np.argsort(values, kind="stable")
    ascending = np.ascontiguousarray(values[order], np.float64)
    if n < 2 * k:
        return np.zeros(n, np.int64)
    least, before = np.empty(n + 1), np.empty(n + 1, np.int64)
    block = max(1, _AT_ONCE // (2 * k))
    for begin in range(0, n + 1, block):
        progress.check()
        progress.report(begin, n, translate(mark("Grouping records")))
        shortest_path(ascending, k, begin, min(begin + block, n + 1), least, before)
    starts = np.zeros(n, np.int64)
    place = n
    while place > 0:
        place = int(before[place])
        starts[place] = 1
    groups = np.empty(n, np.int64)
    groups[order] = np.cumsum(starts) - 1
    return groups


def blocks(scores: Floats, k: int) -> Groups:
    """Blocks of k records in the order of `scores`, equal ones as in the file; the last block takes the rest."""
    n = len(scores)
    groups = np.empty(n, np.int64)
    groups[np.argsort(scores, kind="stable")] = np.minimum(np.arange(n) // k, max(n // k - 1, 0))
    return groups


def principal_component(points: Floats) -> Floats:
    """(n,) scores on the first principal component of the standardised variables; its loadings have a sum above 0.

    Variables that do not vary take no part; where none varies all scores are 0.
    """
    varying = points[:, points.std(axis=0) > 0]
    if not varying.size:
        return np.zeros(len(points))
    z = (varying - varying.mean(axis=0)) / varying.std(axis=0)
    loadings = np.linalg.eigh(z.T @ z)[1][:, -1]
    total = loadings.sum()
    # The sum of a component of differences is a rounding error: its largest loading says which way is up.
    up = total if abs(total) > 1e-9 else loadings[np.argmax(np.abs(loadings))]
    return np.asarray(z @ (loadings if up > 0 else -loadings), np.float64)


def standardised(points: Floats) -> Floats:
    """(n, p) a copy, each variable divided by its standard deviation; one that does not vary is 0."""
    spread = points.std(axis=0)
    return np.ascontiguousarray(np.where(spread > 0, points / np.where(spread > 0, spread, 1.0), 0.0))


def group_means(values: Floats, groups: Groups, weights: Floats | None = None) -> Floats:
    """(n,) the mean of each record's group; a nan takes no part and stays.

    Parameters
    ----------
    weights : (n,) at least 0; a group without weight has its plain mean. None: all records count alike
    """
    there = ~np.isnan(values)
    own, size = groups[there], int(groups.max(initial=0)) + 1
    # About the mean, so that large numbers lose nothing.
    middle = values[there].mean() if there.any() else 0.0
    counted = np.ones(len(own))
    if weights is not None:
        counted = weights[there]
        counted = np.where(np.bincount(own, counted, size)[own] > 0, counted, 1.0)
    total = np.bincount(own, counted * (values[there] - middle), minlength=size)
    count = np.bincount(own, counted, minlength=size)
    found = values.copy()
    found[there] = middle + (total / np.where(count > 0, count, 1.0))[own]
    return found


def within(values: Floats, means: Floats) -> float:
    """Sum of squares within groups; nan takes no part."""
    return float(np.nansum((values - means) ** 2))


def least_within(values: Floats, k: int, progress: Progress = SILENT) -> float:
    """The least sum of squares within groups of at least k that any grouping has in this variable."""
    present = values[~np.isnan(values)]
    return within(present, group_means(present, optimal(present, k, progress)))
