"""Slow plain twins of the population model: by the definition, record by record, to many digits."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import mpmath

Row = tuple[int | None, ...]


def risk(f: int, scale: float, a: float, digits: int = 34) -> mpmath.mpf:
    """∫₀¹ t^(f-1) (1 + θ(1-t))^-(a+f) dt, for a infinite t^(f-1) e^(-m(1-t)), by the trapezoidal rule.

    With t = exp(-exp(v)) the integrand is smooth and bounded for |Im v| < π/2, so steps of h leave e^(-π²/h).
    """
    with mpmath.workdps(digits):
        step = mpmath.pi**2 / (mpmath.log(10) * (digits + 2))
        theta = mpmath.mpf(scale)
        shape = mpmath.mpf(a) + f
        rate = f + (theta if math.isinf(a) else theta * shape)

        def height(v: mpmath.mpf) -> mpmath.mpf:
            s = mpmath.exp(v)
            beyond = -theta * mpmath.expm1(-s)
            tail = beyond if math.isinf(a) else shape * mpmath.log1p(beyond)
            return mpmath.exp(v - f * s - tail)

        start = mpmath.nint(-mpmath.log(rate) / step) * step
        total = height(start)
        for direction in (-1, 1):
            v, term = start, total
            while direction * (v - start) < 1 or term > total * mpmath.mpf(10) ** -digits:
                v += direction * step
                term = height(v)
                total += term
        return total * step


def few(f: int, scale: float, a: float, most: int) -> mpmath.mpf:
    """P(f + X <= most): the probabilities of X added up."""
    with mpmath.workdps(40):
        theta = mpmath.mpf(scale)
        poisson = math.isinf(a)
        term = mpmath.exp(-theta) if poisson else (1 + theta) ** -(mpmath.mpf(a) + f)
        total = mpmath.mpf(0)
        for x in range(most - f + 1):
            total += term
            term *= theta / (x + 1) if poisson else (mpmath.mpf(a) + f + x) / (x + 1) * theta / (1 + theta)
        return total


def log_likelihood(f: Sequence[int], mu: Sequence[float], a: float) -> float:
    """l(a) over the cells with one and two records."""
    total = 0.0
    for count, expected in zip(f, mu, strict=True):
        if count <= 2:
            rho = expected * (a + 1) / (2 * (a + expected))
            total += (math.log(rho) if count == 2 else 0.0) - math.log1p(rho)
    return total


@dataclass(frozen=True)
class Fitted:
    """f, m, m under independence and μ of the values that occur on a key set, its edges, and m of any values."""

    edges: list[tuple[int, int]]
    f: dict[Row, int]
    m: dict[Row, float]
    m_independent: dict[Row, float]
    mu: dict[Row, float]
    people: Callable[[Row], float]


class Model:
    """The model of every key set of a file of rows (None: missing) with weights."""

    def __init__(self, rows: Sequence[Row], weights: Sequence[Fraction]) -> None:
        self.rows, self.weights = list(rows), list(weights)
        self.above = [max(weight - 1, Fraction(0)) for weight in weights]

    def _table(self, names: Sequence[int], complete_on: Sequence[int], values: Sequence[Fraction]) -> dict[Row, float]:
        table: dict[Row, Fraction] = defaultdict(Fraction)
        for row, value in zip(self.rows, values, strict=True):
            if all(row[j] is not None for j in complete_on):
                table[tuple(row[j] for j in names)] += value
        total = sum(table.values(), Fraction(0))
        return {key: float(value / total) if total else 0.0 for key, value in table.items()}

    def score(self, a: int, b: int) -> float:
        ones = [Fraction(1)] * len(self.rows)
        both = self._table((a, b), (a, b), ones)
        first, second = self._table((a,), (a, b), ones), self._table((b,), (a, b), ones)
        n = sum(row[a] is not None and row[b] is not None for row in self.rows)
        if not n:
            return 0.0
        information = sum(p * math.log(p / (first[x,] * second[y,])) for (x, y), p in both.items())
        return n * information - (len(first) - 1) * (len(second) - 1) * math.log(n) / 2

    def edges(self, names: Sequence[int]) -> list[tuple[int, int]]:
        """Of all forests the one with the largest sum, edge by edge: the best pair that closes no circle."""
        chosen: list[tuple[int, int]] = []
        for score, (a, b) in sorted((-self.score(*pair), pair) for pair in combinations(names, 2)):
            together = {a}
            for _ in names:
                together |= {x for edge in chosen if together & set(edge) for x in edge}
            if score < 0 and b not in together:
                chosen.append((a, b))
        return chosen

    def product(
        self, names: Sequence[int], edges: Sequence[tuple[int, int]], values: Sequence[Fraction]
    ) -> Callable[[Row], float]:
        """Product over edges P_ab / product over variables P_a^(deg-1), for values on `names`."""
        if not any(values):
            values = [Fraction(1)] * len(values)
        single = {j: self._table((j,), names, values) for j in names}
        pairs = {edge: self._table(edge, names, values) for edge in edges}
        degree = {j: sum(j in edge for edge in edges) for j in names}

        def of(row: Row) -> float:
            at = dict(zip(names, row, strict=True))
            if not all(single[j].get((at[j],)) for j in names):
                return 0.0
            result = math.prod(single[j][at[j],] ** (1 - degree[j]) for j in names)
            return result * math.prod(pairs[a, b].get((at[a], at[b]), 0.0) for a, b in edges)

        return of

    def fit(self, names: Sequence[int]) -> Fitted:
        keys = [tuple(row[j] for j in names) for row in self.rows]
        complete = [key for key in keys if None not in key]
        f = dict(Counter(complete))
        n = len(complete)
        outside = 0.0 if all(weight == 1 for weight in self.weights) else float(sum(self.weights)) - n
        values = [above if None not in key else Fraction(0) for above, key in zip(self.above, keys, strict=True)]
        edges = self.edges(names)
        people, apart = self.product(names, edges, values), self.product(names, [], values)
        records = self.product(names, edges, [Fraction(1)] * len(self.rows))
        return Fitted(
            edges,
            f,
            {key: outside * people(key) for key in f},
            {key: outside * apart(key) for key in f},
            {key: n * records(key) for key in f},
            lambda key: outside * people(key),
        )

    def summed(self, names: Sequence[int], kept: Sequence[int], cards: Sequence[int]) -> Callable[[Row], float]:
        """m of all `names` summed over those not kept, for values on the kept ones."""
        people = self.fit(names).people

        def of(row: Row) -> float:
            at = dict(zip(kept, row, strict=True))
            return sum(people(full) for full in product(*([at[j]] if j in at else range(cards[j]) for j in names)))

        return of
