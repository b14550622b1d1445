"""Groups of near records for microaggregation."""

from __future__ import annotations

import numpy as np
from numba import types

from .declare import kernel, part

_POINTS = types.Array(types.float64, 2, "C")
_VALUES = types.Array(types.float64, 1, "C", readonly=True)
_REAL = types.float64[::1]
_PLACES = types.int64[::1]


@part(types.float64(_POINTS, types.int64, _REAL))
def _distance(points, row, to):  # type: ignore[no-untyped-def]
    """Squared distance of one of the points."""
    found = 0.0
    for j in range(points.shape[1]):
        found += (points[row, j] - to[j]) * (points[row, j] - to[j])
    return found


@part(types.int64(_POINTS, types.int64, _REAL, types.int64, _REAL, _PLACES))
def _nearest(points, left, to, k, distances, rows):  # type: ignore[no-untyped-def]
    """Fill `rows` with the `k` nearest of the first `left` points, the first of equally near ones; the farthest."""
    found, held, farthest, most = 0.0, 0, 0, -1.0
    for row in range(left):
        found = _distance(points, row, to)
        if found > most:
            farthest, most = row, found
        if held == k and found >= distances[k - 1]:
            continue
        at = held if held < k else k - 1
        while at > 0 and distances[at - 1] > found:
            distances[at], rows[at] = distances[at - 1], rows[at - 1]
            at -= 1
        distances[at], rows[at] = found, row
        held = min(held + 1, k)
    return farthest


@part(types.int64(_POINTS, _PLACES, types.int64, _PLACES, types.int64, types.int64, _PLACES))
def _taken(points, places, left, rows, k, group, groups):  # type: ignore[no-untyped-def]
    """Let `rows` be a group, and close the ranks of the points; how many are left."""
    for at in range(k):
        groups[places[rows[at]]] = group
        places[rows[at]] = -1
    to = 0
    for row in range(left):
        if places[row] < 0:
            continue
        if to != row:
            places[to] = places[row]
            for j in range(points.shape[1]):
                points[to, j] = points[row, j]
        to += 1
    return to


@kernel(types.int64(_POINTS, _PLACES, types.int64, types.int64, types.int64, types.int64, _PLACES))
def mdav_steps(points, places, left, k, group, steps, groups):  # type: ignore[no-untyped-def]
    """Take up to `steps` pairs of groups by maximum distance to average, or what is left as the last ones.

    Parameters
    ----------
    points : (n, p) the first `left` are in no group yet, in the order of the file; changed
    places : (n,) which record each of them is; changed
    group : number of the next group
    groups : (n,) filled with the group of each record that is taken

    Returns
    -------
    int64, points that are in no group yet; two groups were taken for each 2k of them, until fewer than 3k are left
    """
    p = points.shape[1]
    distances, rows = np.empty(k), np.empty(k, np.int64)
    centre, other = np.empty(p), np.empty(p)
    for _ in range(steps):
        if left < 2 * k:
            for row in range(left):
                groups[places[row]] = group
            return 0
        centre[:] = 0.0
        for row in range(left):
            for j in range(p):
                centre[j] += points[row, j]
        for j in range(p):
            centre[j] /= left
        farthest, most = 0, -1.0
        for row in range(left):
            distance = _distance(points, row, centre)
            if distance > most:
                farthest, most = row, distance
        for j in range(p):
            centre[j] = points[farthest, j]
        farthest = _nearest(points, left, centre, k, distances, rows)
        for j in range(p):
            other[j] = points[farthest, j]
        both = left >= 3 * k
        left = _taken(points, places, left, rows, k, group, groups)
        group += 1
        if both:
            _nearest(points, left, other, k, distances, rows)
            left = _taken(points, places, left, rows, k, group, groups)
            group += 1
    return left


@kernel(types.void(_VALUES, types.int64, types.int64, types.int64, _REAL, _PLACES))
def shortest_path(values, k, begin, end, least, before):  # type: ignore[no-untyped-def]
    """The least sum of squares within groups of k to 2k - 1 neighbours, for every number of the first values.

    Parameters
    ----------
    values : (n,) ascending
    begin, end : the numbers of values in this step
    least : (n + 1,) filled from `begin` to `end`; inf where no grouping is possible
    before : (n + 1,) where the last group of each begins, filled alike
    """
    for count in range(begin, end):
        least[count], before[count] = (0.0, 0) if count == 0 else (np.inf, -1)
        mean, squares = 0.0, 0.0
        for row in range(count - 1, max(count - 2 * k, -1), -1):
            size = count - row
            step = values[row] - mean
            mean += step / size
            squares += step * (values[row] - mean)
            if size >= k and least[row] + squares < least[count]:
                least[count], before[count] = least[row] + squares, row
