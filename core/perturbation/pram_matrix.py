"""Transition matrices of PRAM, and what can be told from a released code that they gave.

A matrix has one row an original code and one column a released one: ``R[i, j]`` is the probability that code i is
released as code j. Counts t are those of the original file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .least_norm import least_norm

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Pairs = NDArray[np.bool_]

_SLACK = 1e-9
"""A wanted probability is reached where it is not missed by more."""
_TELLS = 1e-7
"""A multiplier of the linear programme is not zero where it is larger than this part of its records."""


class UnreachableError(Exception):
    """No invariant matrix has probabilities P(true | released) so small; `least` is the smallest that one has."""

    def __init__(self, least: float) -> None:
        super().__init__(least)
        self.least = least


def neighbours(places: NDArray[np.int64], band: int) -> Pairs:
    """(K, K) which codes may become which: all others, with a `band` those at most so many places away.

    Parameters
    ----------
    places : (K, v) place of each combination's codes in the sorted lists of the codes of its v variables
    band : 0 for none
    """
    apart = ~np.eye(len(places), dtype=bool)
    if band:
        for column in places.T:
            apart &= np.abs(column[:, None] - column[None, :]) <= band
    return apart


def uniform_matrix(keep: Vector, near: Pairs) -> Matrix:
    """Code i is kept with probability ``keep[i]`` and otherwise becomes any of its neighbours, all alike.

    A code without neighbours is always kept. Expected counts are not kept. μ-ARGUS 5.1.3, PRAM.

    Parameters
    ----------
    keep : (K,) in [0, 1]
    near : (K, K) as of `neighbours`
    """
    number = near.sum(axis=1)
    change = np.where(number > 0, 1 - keep, 0.0)
    matrix = np.where(near, (change / np.maximum(number, 1))[:, None], 0.0)
    np.fill_diagonal(matrix, 1 - change)
    return matrix


def invariant_matrix(counts: Vector, near: Pairs, keep: Vector, protect: float | None = None) -> Matrix:
    """The matrix R with t R = t that keeps every code i with a probability of at least ``keep[i]``.

    With `protect` it is one of least expected change Σ t_i (1 - R_ii) with R_ii at most `protect`: since t R = t, R_ii
    is P(true | released). Without, it is one of most expected change, so that R_ii is ``keep[i]`` or, where t R = t
    does not allow that, the nearest above it. Of all such matrices it is the one of least Σ_{i≠j} t_i R_ij² / t_j, in
    which changed values are as near to independent as can be; it is symmetric, t_i R_ij = t_j R_ji: the mean of a
    matrix and its mirror image changes as much and is nearer.

    Both are a linear programme, solved by HiGHS; then `core.perturbation.least_norm` on all its solutions.

    Parameters
    ----------
    counts : (K,) above 0
    near : (K, K) symmetric, as of `neighbours`
    keep : (K,) in [0, 1]
    protect : in [0, 1]

    Raises
    ------
    UnreachableError
        No invariant matrix has R_ii between `keep` and `protect` for all codes.

    Notes
    -----
    Invariant PRAM: Gouweleeuw, Kooiman, Willenborg, de Wolf (1998), Journal of Official Statistics 14, 463-478.
    """
    problem = _Problem(counts, near, 1 - keep)
    most, least = 1 - keep, np.zeros(len(counts))
    if protect is not None:
        reached = problem.least_protection()
        if protect < reached - _SLACK:
            raise UnreachableError(reached)
        least = np.minimum(np.full(len(counts), 1 - max(protect, reached + _SLACK)), most)
    pairs = problem.solved(least, most, maximise=protect is None)
    matrix = np.zeros((len(counts), len(counts)))
    matrix[problem.i, problem.j] = pairs / counts[problem.i]
    matrix[problem.j, problem.i] = pairs / counts[problem.j]
    np.fill_diagonal(matrix, np.maximum(1 - matrix.sum(axis=1), 0))
    return matrix


def least_protection(counts: Vector, near: Pairs, keep: Vector) -> float:
    """The smallest largest P(true | released) of an invariant matrix that keeps code i with at least ``keep[i]``.

    Without neighbours to keep to and with `keep` 0 it is max(0, max 2 - n / t_j).
    """
    return _Problem(counts, near, 1 - keep).least_protection()


class _Problem:
    """Records exchanged between codes: of each pair as many in either direction, so that counts stay.

    A circulation and its mirror image have the same sums, and so has their mean, which is symmetric.
    """

    def __init__(self, counts: Vector, near: Pairs, most: Vector) -> None:
        able = most > 0
        # a code that is never changed has no pairs, rather than pairs that are all zero
        self.i, self.j = np.nonzero(np.triu(near, 1) & able[:, None] & able[None, :])
        self.counts = counts
        self.most = most

    def _rows(self, size: Vector) -> csr_array:
        """What each pair takes of the share of each code that is changed, if it is counted in units of `size`."""
        from scipy.sparse import csr_array

        ends = np.concatenate([self.i, self.j])
        pairs = np.tile(np.arange(len(self.i)), 2)
        return csr_array((np.tile(size, 2) / self.counts[ends], (ends, pairs)), shape=(len(self.counts), len(size)))

    @property
    def _smaller(self) -> Vector:
        """(pairs,) records of the rarer code: no pair exchanges more."""
        return np.minimum(self.counts[self.i], self.counts[self.j])

    def least_protection(self) -> float:
        """The smallest largest share of unchanged records."""
        from scipy.sparse import csr_array, hstack, vstack

        if not len(self.i):
            return 1.0
        rows, codes = self._rows(self._smaller), len(self.counts)
        unchanged = csr_array(np.ones((codes, 1)))
        limits = csr_array(vstack([hstack([-rows, -unchanged]), hstack([rows, 0 * unchanged])]))
        cost = np.append(np.zeros(len(self.i)), 1.0)
        right = np.concatenate([-np.ones(codes), self.most])
        found = _programme(cost, limits, right)
        return float(np.clip(found.fun, 0, 1))

    def solved(self, least: Vector, most: Vector, *, maximise: bool) -> Vector:
        """(pairs,) records exchanged, each of its two codes giving that many to the other.

        Parameters
        ----------
        least, most : (K,) bounds of the share of each code that is changed
        """
        from scipy.sparse import csr_array, vstack

        if not len(self.i):
            return np.zeros(0)
        size, sign = self._smaller, -1.0 if maximise else 1.0
        rows = self._rows(size)
        limits = csr_array(vstack([rows, -rows]))
        right = np.concatenate([most, -least])
        found = _programme(sign * size, limits, right)
        # what has a multiplier is the same in all solutions: bounds that are met, and pairs that exchange nothing
        up, down = np.split(np.abs(found.ineqlin.marginals) > _TELLS * np.tile(self.counts, 2), 2)
        open_pairs = np.flatnonzero(found.lower.marginals <= _TELLS * size)
        low, high = np.where(up, most, least), np.where(down & ~up, least, most)
        unit = np.sqrt(self.counts[self.i] * self.counts[self.j])
        shortest = least_norm(self._rows(unit)[:, open_pairs], low, np.maximum(low, high))
        exchanged = np.zeros(len(self.i))
        exchanged[open_pairs] = shortest * unit[open_pairs]
        return exchanged


def _programme(cost: Vector, rows: csr_array, limits: Vector) -> Any:
    """The x ≥ 0 of least ``cost @ x`` with ``rows @ x <= limits``, as scipy tells it."""
    from scipy.optimize import linprog

    options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    return linprog(cost, rows, limits, bounds=(0, None), method="highs-ds", options=options)  # type: ignore[call-overload] # sparse rows


def true_given_released(counts: Vector, matrix: Matrix) -> Matrix:
    """(K, K) P(the original code is i | the released one is j), for an intruder who knows R and t.

    t_i R_ij / Σ_l t_l R_lj; its diagonal says how likely a released code is the true one. Zeros for codes that are
    never released.

    Parameters
    ----------
    counts : (K,) of the original codes
    matrix : (K, K) rows original, columns released
    """
    joint = counts[:, None] * matrix
    released = joint.sum(axis=0)
    return np.asarray(np.divide(joint, released, out=np.zeros_like(joint), where=released > 0))
