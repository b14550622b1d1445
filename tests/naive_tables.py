"""Slow plain twins of core.tables and core.risk: everything by the definition, record by record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import mpmath
import numpy as np

from core.data.columns import EncodedColumn, Weights

Row = tuple[int | None, ...]


def column(name: str, values: Sequence[int | None], n_valid: int, missing: int = 2, dtype: str = "u1") -> EncodedColumn:
    """An encoded column; None alternates between its missing codes, which must make no difference."""
    stored = np.array([n_valid + i % missing if v is None else v for i, v in enumerate(values)], dtype)
    codes = tuple(str(code) for code in range(n_valid)) + tuple("-" * (i + 1) for i in range(missing))
    return EncodedColumn(name, stored, codes, codes, np.bincount(stored, minlength=len(codes)), n_valid, 4)


def columns_of(rows: Sequence[Row], cards: Sequence[int], dtype: str = "u1") -> list[EncodedColumn]:
    """The key variables K0, K1, ... of a file of rows."""
    return [column(f"K{j}", [row[j] for row in rows], card, dtype=dtype) for j, card in enumerate(cards)]


def weights_of(weights: Sequence[Fraction], decimals: int = 2) -> Weights:
    """Exact weights in two limbs: whole part, and the rest in units of 10**-decimals."""
    whole = [int(weight) for weight in weights]
    rest = [int((weight - part) * 10**decimals) for weight, part in zip(weights, whole, strict=True)]
    return Weights((np.array(whole, np.int64), np.array(rest, np.int64)), (0, decimals))


def share(mine: Row, other: Row, rule: str, alpha: Fraction) -> Fraction:
    """How much the record `other` counts for one with these values."""
    if rule == "category":
        return Fraction(mine == other)
    if rule == "listwise":
        return Fraction(mine == other and None not in mine)
    asked = [(a, b) for a, b in zip(mine, other, strict=True) if a is not None]
    if any(b is not None and a != b for a, b in asked):
        return Fraction(0)
    if all(b is not None for _, b in asked):
        return Fraction(1)
    return alpha if rule == "wildcard" else Fraction(0)


def frequencies(
    rows: Sequence[Row], weights: Sequence[Fraction], mine: Row, rule: str, alpha: Fraction
) -> tuple[Fraction, Fraction]:
    """f and F of these values."""
    shares = [share(mine, other, rule, alpha) for other in rows]
    return sum(shares, Fraction(0)), sum((s * w for s, w in zip(shares, weights, strict=True)), Fraction(0))


def risk(f: float, population: float, digits: int = 50) -> mpmath.mpf:
    """p/f * 2F1(1, 1; f+1; q) [P04 eq. 3-11]."""
    with mpmath.workdps(digits):
        exact_f, exact_population = mpmath.mpf(f), mpmath.mpf(population)
        if exact_population <= exact_f * (1 + mpmath.mpf(10) ** -12):
            return 1 / exact_f
        p = exact_f / exact_population
        two_f_one = _series if f > 50_000 else mpmath.hyp2f1
        return p / exact_f * two_f_one(1, 1, exact_f + 1, 1 - p)


def _series(a: int, b: int, c: mpmath.mpf, z: mpmath.mpf) -> mpmath.mpf:
    """2F1 by its definition: for large c a few terms, where mpmath's own takes seconds."""
    total = term = mpmath.mpf(1)
    n = 0
    while term > total * mpmath.eps:
        term *= (a + n) * (b + n) * z / ((c + n) * (n + 1))
        total += term
        n += 1
    return total


def unsafe_keys(
    rows: Sequence[Row], names: Sequence[str], chosen: Mapping[tuple[str, ...], int]
) -> dict[tuple[str, ...], tuple[int, dict[Row, int]]]:
    """Threshold and unsafe combinations, with their counts, of every distinct table and margin."""
    sets = {frozenset(key): threshold for key, threshold in chosen.items()}
    margins = {frozenset(m) for key in sets for size in range(1, len(key) + 1) for m in combinations(sorted(key), size)}
    found = {}
    for margin in margins:
        threshold = sets[margin] if margin in sets else max(t for key, t in sets.items() if margin <= key)
        kept = [j for j, name in enumerate(names) if name in margin]
        counts = Counter(tuple(row[j] for j in kept) for row in rows)
        unsafe = {key: count for key, count in counts.items() if count <= threshold and None not in key}
        found[tuple(names[j] for j in kept)] = threshold, unsafe
    return found
