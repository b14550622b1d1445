"""Slow plain twins of core.suppression: everything by the definition, record by record."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import mpmath

Row = tuple[int | None, ...]


def frequencies(
    rows: Sequence[Row], weights: Sequence[int], values: Row, rule: str, alpha: Fraction
) -> tuple[Fraction, Fraction]:
    """f and F of a record with these remaining values (None: missing) in the file of `rows`."""
    f = F = Fraction(0)
    for other, weight in zip(rows, weights, strict=True):
        asked = [(mine, his) for mine, his in zip(values, other, strict=True) if mine is not None]
        if any(his is not None and his != mine for mine, his in asked):
            continue
        full = all(his is not None for _, his in asked)
        share = Fraction(1) if full else alpha if rule == "wildcard" else Fraction(0)
        f += share
        F += share * weight
    return f, F


@functools.cache
def risk(f: Fraction, F: Fraction) -> float:
    """Individual risk by 2F1 in 40 digits [P04 eq. 3-11]."""
    if F <= f * (1 + Fraction(1, 10**12)):
        return float(1 / f)
    with mpmath.workdps(40):
        p = mpmath.mpf(f.numerator) / f.denominator * F.denominator / F.numerator
        order = mpmath.mpf(f.numerator) / f.denominator
        return float(p / order * mpmath.hyp2f1(1, 1, order + 1, 1 - p))


def closure(name: str, related: Mapping[str, str]) -> set[str]:
    """What goes missing with `name`."""
    found = {name}
    while name in related and related[name] not in found:
        name = related[name]
        found.add(name)
    return found


def choose(
    tables: Sequence[tuple[Sequence[str], Sequence[Row], float, str, Fraction]],
    weights: Sequence[int],
    lacking: Mapping[str, Sequence[bool]],
    costs: Mapping[str, float],
    related: Mapping[str, str],
    fixed: set[str],
    record: int,
) -> set[str] | None:
    """Newly missing variables of one record by exhaustive search; None where nothing suffices.

    `tables`: (names, rows, threshold, rule, alpha); `lacking`: by outside variable, which records lack it.
    """
    keys = [name for names, *_ in tables for name in names]
    mine = {name: value for names, rows, *_ in tables for name, value in zip(names, rows[record], strict=True)}
    gone = {name for name in keys if mine[name] is None} | {name for name, flags in lacking.items() if flags[record]}
    options: dict[tuple[str, ...], set[str]] = {}
    for size in range(len(keys) + 1):
        for subset in combinations([name for name in keys if name not in gone], size):
            newly = set().union(*(closure(name, related) for name in subset)) - gone
            if not newly & fixed and _sufficient(tables, weights, mine, newly):
                options[tuple(sorted(newly))] = newly
    if not options:
        return None
    loss = {option: sum(costs[name] for name in newly) for option, newly in options.items()}
    cheapest = [option for option in options if loss[option] <= min(loss.values()) + 1e-9]
    best = min(cheapest, key=lambda option: (len(option), sorted(keys.index(n) for n in option if n in keys)))
    return options[best]


def _sufficient(
    tables: Sequence[tuple[Sequence[str], Sequence[Row], float, str, Fraction]],
    weights: Sequence[int],
    mine: Mapping[str, int | None],
    newly: set[str],
) -> bool:
    for names, rows, threshold, rule, alpha in tables:
        values = tuple(None if name in newly else mine[name] for name in names)
        if risk(*frequencies(rows, weights, values, rule, alpha)) >= threshold * (1 - 1e-12):
            return False
    return True
