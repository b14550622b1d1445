"""How many are unique in the population, told from how many keys occur once, twice, ... in a sample of it.

Models of the sizes of the population's cells, all cells alike and the sample drawn with equal chances. Each gives what
it can, or nothing where its equations have no solution.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Name = Literal["zayatz", "pitman", "snb"]

_NEAR = 1e-10
"""Relative error of solutions."""
_CHOSEN_BY_FRACTION = 0.1
_STEPS = 60


@dataclass(frozen=True)
class SampleSizes:
    """A sample of n records of a population of N, by the sizes of its u cells.

    Attributes
    ----------
    sizes, cells : (L,) the sizes that occur, ascending, and how many cells have each
    population : N >= n
    """

    sizes: NDArray[np.int64]
    cells: NDArray[np.int64]
    population: float

    @property
    def records(self) -> int:
        """n."""
        return int(self.sizes @ self.cells)

    @property
    def fraction(self) -> float:
        """The sampling fraction n / N."""
        return self.records / self.population

    def of_size(self, size: int) -> int:
        """Number of cells of that size."""
        return int(self.cells[self.sizes == size].sum())


@dataclass(frozen=True)
class Uniqueness:
    """What a model says; nan where it says nothing of that.

    Attributes
    ----------
    population_uniques : number of people who are unique in the population
    tau1 : sample uniques that are unique in the population
    tau2 : expected correct matches of sample uniques, the sum of 1/F over them
    expected : expected re-identifications, the sum of 1/F over all records
    """

    population_uniques: float
    tau1: float
    tau2: float
    expected: float = math.nan


def zayatz(sample: SampleSizes) -> Uniqueness | None:
    """The sample's cells taken for those of the population [Zayatz 1991].

    A cell of size i leaves one record in the sample with the hypergeometric probability h_i; of n_1 sample uniques
    n_1 (s_1 h_1) / sum of s_i h_i are unique in the population, s_i the share of cells of size i.
    """
    uniques = sample.of_size(1)
    if not uniques:
        return Uniqueness(0.0, 0.0, 0.0)
    n, total = sample.records, sample.population
    t = np.arange(1.0, float(sample.sizes[-1]))
    # h_i = i n/N prod over t < i of (N - n - t + 1) / (N - t)
    with np.errstate(divide="ignore"):
        logs = np.concatenate([[0.0], np.cumsum(np.log(np.maximum(total - n - t + 1.0, 0.0) / (total - t)))])
    h = sample.sizes * sample.fraction * np.exp(logs[sample.sizes - 1])
    weights = sample.cells * h
    tau1 = float(uniques * weights[0] / weights.sum())
    tau2 = float(uniques * (weights / sample.sizes).sum() / weights.sum())
    return Uniqueness(tau1 / sample.fraction, tau1, tau2)


def pitman(sample: SampleSizes) -> Uniqueness | None:
    """Pitman's sampling formula, its parameters by maximum likelihood [Hoshino 2001].

    Population uniques: Γ(θ+1) / Γ(θ+α) N^α for large N. None where no α in (0, 1) meets the equations.
    """
    from scipy.optimize import brentq

    uniques = sample.of_size(1)
    u, n = int(sample.cells.sum()), sample.records
    if not 2 <= u < n:
        return None

    def slope(alpha: float) -> float:
        return _pitman_slope(alpha, pitman_theta(alpha, u, n), sample)

    low, high = 1e-6, 1.0 - 1e-9
    if not slope(low) > 0.0 > slope(high):
        return None
    alpha = float(brentq(slope, low, high, xtol=1e-14, rtol=_NEAR))
    theta = pitman_theta(alpha, u, n)
    found = pitman_uniques(alpha, theta, sample.population)
    pi = sample.fraction
    rest = 1.0 - pi
    matches = found * pi * (-math.expm1(alpha * math.log(pi)) / (alpha * rest) if rest > 0.0 else 1.0)
    if not uniques or not 0.0 <= found <= sample.population:
        return None
    return Uniqueness(found, pi * found, matches, pi * (found - theta) / alpha)


def pitman_theta(alpha: float, u: int, n: int) -> float:
    """θ that is most likely with α: sum over i < u of 1/(θ + iα) = sum over i < n of 1/(θ + i), for 2 <= u < n."""
    from scipy.optimize import brentq

    def slope(above: float) -> float:
        theta = math.exp(above) - alpha
        return _harmonic(theta / alpha, u) / alpha - _harmonic(theta, n)

    # θ > -α; at the lower end the first term is larger, at the upper end u < n decides
    return math.exp(float(brentq(slope, -30.0, 60.0, xtol=1e-13, rtol=_NEAR))) - alpha


def pitman_uniques(alpha: float, theta: float, population: float) -> float:
    """Γ(θ+1) / Γ(θ+α) N^α [Hoshino 2001]."""
    return math.exp(math.lgamma(theta + 1.0) - math.lgamma(theta + alpha) + alpha * math.log(population))


def _harmonic(shift: float, end: int) -> float:
    """Sum over i = 1, ..., end - 1 of 1 / (shift + i)."""
    from scipy.special import digamma

    if shift > 1e6 * end:  # the difference of two numbers alike
        return (end - 1) / (shift + end / 2.0)
    return float(digamma(shift + end) - digamma(shift + 1.0))


def _pitman_slope(alpha: float, theta: float, sample: SampleSizes) -> float:
    from scipy.special import digamma

    u = int(sample.cells.sum())
    of_cells = (u - 1 - theta * _harmonic(theta / alpha, u) / alpha) / alpha
    return of_cells - float(sample.cells @ (digamma(sample.sizes - alpha) - digamma(1.0 - alpha)))


def slide_negative_binomial(sample: SampleSizes) -> Uniqueness | None:
    """Cells of 1 + X people, X negative binomial with shape α and chance p [Chen, Keller-McNulty 1998].

    α, p and the number of cells K are those with which n = π K (1 + αq/p), the number u of cells and the number n_1 of
    uniques in the sample are as expected, each person being in it with chance π: with x = 1 - π and c = (p/(1-qx))^α,
    u = K (1 - x c) and n_1 = K π c (1 + αqx/(1-qx)). Population uniques: K p^α. None where nothing meets these.
    """
    from scipy.optimize import brentq

    u, uniques, pi = int(sample.cells.sum()), sample.of_size(1), sample.fraction
    total = sample.population
    if not uniques or u >= sample.records:
        return None
    if pi >= 1.0:
        logit = _root(lambda v: _Slide(float(u), v, total, pi).sample_uniques - uniques, -30.0, 30.0, brentq)
        return None if logit is None else _Slide(float(u), logit, total, pi).uniqueness

    def of_cells(cells: float) -> _Slide | None:
        logit = _root(lambda v: _Slide(cells, v, total, pi).sample_cells - u, -30.0, 30.0, brentq)
        return None if logit is None else _Slide(cells, logit, total, pi)

    def too_many(log_cells: float) -> float:
        one = of_cells(math.exp(log_cells))
        return math.nan if one is None else one.sample_uniques / uniques - 1.0

    most = min(math.log(u / pi), math.log(total))
    grid = np.linspace(math.log(u), most, _STEPS + 2)[1:-1]
    values = [too_many(v) for v in grid]
    for low, high, at, after in zip(grid[:-1], grid[1:], values[:-1], values[1:], strict=True):
        if at * after <= 0.0:  # never where one of them is nan
            found = of_cells(math.exp(float(brentq(too_many, low, high, xtol=1e-13, rtol=_NEAR))))
            return None if found is None else found.uniqueness
    return None


@dataclass(frozen=True)
class _Slide:
    """The slide negative binomial with K cells, N people and p = 1 / (1 + e^-logit)."""

    cells: float
    logit: float
    population: float
    fraction: float

    @property
    def odds(self) -> float:
        """q / p."""
        return math.exp(-self.logit)

    @property
    def shape(self) -> float:
        """α, with which the mean size of a cell is N / K."""
        return (self.population / self.cells - 1.0) / self.odds

    @property
    def _c(self) -> float:
        # p / (1 - qx) = 1 / (1 + π q/p)
        return math.exp(-self.shape * math.log1p(self.fraction * self.odds))

    @property
    def sample_cells(self) -> float:
        """Expected number of cells in the sample."""
        return self.cells * (1.0 - (1.0 - self.fraction) * self._c)

    @property
    def sample_uniques(self) -> float:
        """Expected number of cells with one record in the sample."""
        rest = self.odds * (1.0 - self.fraction)
        more = self.shape * rest / (1.0 + self.fraction * self.odds)
        return self.cells * self.fraction * self._c * (1.0 + more)

    @property
    def uniqueness(self) -> Uniqueness:
        """What follows for the population."""
        uniques = self.cells * math.exp(-self.shape * math.log1p(self.odds))
        matches = self.cells * self.fraction * self._c
        return Uniqueness(uniques, self.fraction * uniques, matches, self.fraction * self.cells)


def _root(function: Callable[[float], float], low: float, high: float, brentq: Callable[..., float]) -> float | None:
    if function(low) * function(high) > 0.0:
        return None
    return float(brentq(function, low, high, xtol=1e-13, rtol=_NEAR))


def correct_given_unique(uniques: int, pairs: float, fraction: float) -> float:
    """θ, the chance that a match with a sample unique is right: π n1 / (π n1 + 2 (1 - π) n2) [Skinner, Elliot 2002].

    Parameters
    ----------
    uniques, pairs : n1 and n2, cells with one and with two records
    fraction : π, in (0, 1]

    Returns
    -------
    in [0, 1]; nan where it is 0/0
    """
    below = fraction * uniques + 2.0 * (1.0 - fraction) * pairs
    return fraction * uniques / below if below else math.nan


def dankar(fraction: float, found: dict[Name, Uniqueness | None]) -> Name | None:
    """The model to be believed, as ARX chooses it [Dankar et al. 2012].

    Up to a sampling fraction of 0.1 Pitman's, else Zayatz's or the slide negative binomial, whichever says fewer
    population uniques; Zayatz's where these did not converge.
    """
    if fraction <= _CHOSEN_BY_FRACTION and found["pitman"] is not None:
        return "pitman"
    snb, plain = found["snb"], found["zayatz"]
    if fraction > _CHOSEN_BY_FRACTION and snb and (not plain or snb.population_uniques <= plain.population_uniques):
        return "snb"
    return "zayatz" if plain else None
