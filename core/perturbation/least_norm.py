"""The shortest of all vectors that meet linear bounds: what a linear programme leaves open is decided by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Vector = NDArray[np.float64]

_STEPS = 80
_CLOSE = 1e-13
"""Of residuals and mean complementarity; constraints and solutions are of the order of one."""
_TAKEN = 0.995
"""Of the step to the boundary, as usual in interior-point methods."""


def least_norm(rows: csr_array, low: Vector, high: Vector) -> Vector:
    """The x ≥ 0 of least Σ x² with ``low <= rows @ x <= high``; there is one such x only.

    By Mehrotra's predictor-corrector method (Nocedal, Wright, Numerical Optimization, 2006, section 16.6), and then
    exactly on the constraints that it finds to be met with equality.

    Parameters
    ----------
    rows : (c, m) coefficients of the order of one; rows without any say nothing
    low, high : (c,) some x meets them; equal where a row has one value
    """
    from scipy.sparse import csr_array, diags_array, hstack, vstack

    if not rows.nnz:
        return np.zeros(rows.shape[1])
    said = np.diff(rows.indptr) > 0
    rows, low, high = rows[said], low[said], high[said]
    c, m = rows.shape
    free = np.flatnonzero(high > low)
    f = len(free)
    pick = csr_array((np.ones(f), (free, np.arange(f))), shape=(c, f))
    one = csr_array((np.ones(f), (np.arange(f), np.arange(f))), shape=(f, f))
    # rows @ x - s = low, s + u = high - low; s and u of the rows that have two bounds
    upper, lower = hstack([rows, -pick, csr_array((c, f))]), hstack([csr_array((f, m)), one, one])
    matrix = csr_array(vstack([upper, lower]))
    wanted = np.concatenate([low, (high - low)[free]])
    hessian = np.concatenate([np.ones(m), np.zeros(2 * f)])
    x, z, y = np.ones(m + 2 * f), np.ones(m + 2 * f), np.zeros(len(wanted))
    for _ in range(_STEPS):
        dual, primal, mu = hessian * x - matrix.T @ y - z, matrix @ x - wanted, float(x @ z) / len(x)
        if max(mu, np.abs(dual).max(), np.abs(primal).max()) < _CLOSE:
            break
        scale = 1.0 / (hessian + z / x)
        normal = (matrix @ diags_array(scale) @ matrix.T).toarray()
        # rows may depend on each other; the sum of what they ask for does not
        normal[np.diag_indices_from(normal)] *= 1 + 1e-14

        def step(
            gap: Vector, dual: Vector = dual, primal: Vector = primal, scale: Vector = scale,
            normal: NDArray[np.float64] = normal, x: Vector = x, z: Vector = z,
        ) -> tuple[Vector, Vector, Vector]:  # fmt: skip
            right = dual + gap / x
            dy = np.asarray(np.linalg.solve(normal, matrix @ (scale * right) - primal), np.float64)
            dx = scale * (matrix.T @ dy - right)
            return dx, dy, -(gap + z * dx) / x

        dx, dy, dz = step(x * z)
        length = min(_to_boundary(x, dx), _to_boundary(z, dz))
        centring = (float((x + length * dx) @ (z + length * dz)) / len(x) / mu) ** 3
        dx, dy, dz = step(x * z + dx * dz - centring * mu)
        length = min(1.0, _TAKEN * min(_to_boundary(x, dx), _to_boundary(z, dz)))
        x, y, z = x + length * dx, y + length * dy, z + length * dz
    return _exactly(rows, low, high, x, z, free)


def _to_boundary(x: Vector, dx: Vector) -> float:
    """How far x can go along dx before one of it is zero, at most 1 / `_TAKEN`."""
    down = dx < 0
    return min(1 / _TAKEN, float((-x[down] / dx[down]).min(initial=np.inf)))


def _exactly(rows: csr_array, low: Vector, high: Vector, x: Vector, z: Vector, free: NDArray[np.int64]) -> Vector:
    """The shortest solution of the constraints that x and its multipliers z say are equations, if it meets the rest."""
    m, f = rows.shape[1], len(free)
    at_low, at_high = (x < z)[m : m + f], (x < z)[m + f :]
    equations = high == low
    equations[free[at_low | at_high]] = True
    target = low.copy()
    target[free[at_high]] = high[free[at_high]]
    there = np.flatnonzero((x > z)[:m])
    matrix = rows[equations][:, there]
    found = np.zeros(m)
    normal = (matrix @ matrix.T).toarray()
    for _ in range(2):  # the second time takes the rounding of the first away
        missing = target[equations] - rows[equations] @ found
        found[there] += matrix.T @ np.linalg.lstsq(normal, missing, rcond=1e-13)[0]
    value = rows @ found
    if found.min(initial=0) < -1e-12 or (value < low - 1e-11).any() or (value > high + 1e-11).any():
        return _within(rows, low, high, np.maximum(x[:m], 0))
    return np.maximum(found, 0)


def _within(rows: csr_array, low: Vector, high: Vector, x: Vector) -> Vector:
    """x, which all but meets the constraints, moved until it meets them; what is nearly zero is moved least."""
    for _ in range(3):
        value = rows @ x
        scaled = rows.multiply(x).tocsr()
        missing = np.clip(value, low, high) - value
        move = scaled.T @ np.linalg.lstsq((scaled @ scaled.T).toarray(), missing, rcond=1e-13)[0]
        x = np.maximum(x + x * move, 0)
    return x
