"""PRAM by definition: the best matrix by trying every corner, sdcMicro's by its own formula."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def invariant_of(counts: Array, diagonal: Array, alpha: float) -> Array:
    """sdcMicro's matrix: P with this diagonal and equal off-diagonals, Q_kj = P_jk t_j / (t P)_k, R = P Q."""
    first = np.repeat(((1 - diagonal) / (len(counts) - 1))[:, None], len(counts), axis=1)
    np.fill_diagonal(first, diagonal)
    back = first.T * counts / (counts @ first)[:, None]
    return alpha * first @ back + (1 - alpha) * np.eye(len(counts))


def extreme_change(counts: Array, near: NDArray[np.bool_], low: Array, high: Array, most: bool) -> float | None:
    """The least (or most) records that any matrix with t R = t changes, from all corners of the polytope; None: none.

    `low` and `high` bound the share of each code that is changed. Nothing is assumed symmetric.
    """
    pairs = np.argwhere(near)
    out = np.zeros((len(counts), len(pairs)))
    out[pairs[:, 0], np.arange(len(pairs))] = 1
    into = np.zeros_like(out)
    into[pairs[:, 1], np.arange(len(pairs))] = 1
    bounds = np.vstack([np.eye(len(pairs)), out, -out])
    limits = np.concatenate([np.zeros(len(pairs)), low * counts, -high * counts])
    equal = out - into
    found = []
    for active in combinations(range(len(bounds)), len(pairs) - len(counts) + 1):
        matrix = np.vstack([equal[:-1], bounds[list(active)]])
        if abs(np.linalg.det(matrix)) < 1e-9:
            continue
        x = np.linalg.solve(matrix, np.concatenate([np.zeros(len(counts) - 1), limits[list(active)]]))
        if (bounds @ x >= limits - 1e-7).all():
            found.append(float(x.sum()))
    return (max(found) if most else min(found)) if found else None


def shortest(rows: Array, low: Array, high: Array) -> Array | None:
    """The x ≥ 0 of least Σ x² with ``low <= rows @ x <= high``, trying all sets of constraints that it could meet."""
    m = rows.shape[1]
    bounds = np.vstack([np.eye(m), rows, -rows])
    limits = np.concatenate([np.zeros(m), low, -high])
    best: Array | None = None
    for size in range(m + 1):
        for active in combinations(range(len(bounds)), size):
            matrix = bounds[list(active)]
            x = np.linalg.lstsq(matrix, limits[list(active)], rcond=None)[0] if size else np.zeros(m)
            if (bounds @ x >= limits - 1e-9).all() and (best is None or x @ x < best @ best - 1e-12):
                best = x
    return best
