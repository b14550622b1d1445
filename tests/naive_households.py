"""Slow plain twins of household risk and of suppression in households: everything by the definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

from tests.naive_suppression import Row, closure, frequencies, risk

Tables = Sequence[tuple[Sequence[str], Sequence[Row], float | None, float | None, str, Fraction]]
"""(names, rows, individual threshold, household threshold, missing rule, alpha)"""


def household_risk(risks: Sequence[float]) -> float:
    """1 - product of (1 - r) exactly, rounded once [P04 eq. 18]."""
    left = Fraction(1)
    for r in risks:
        left *= 1 - Fraction(r)
    return float(1 - left)


def unsafe(value: float, threshold: float | None) -> bool:
    return threshold is not None and value >= threshold * (1 - 1e-12)


class Twin:
    """The households of a small file, protected by exhaustive search."""

    def __init__(
        self, tables: Tables, weights: Sequence[int], missing: Sequence[set[str]], costs: Mapping[str, float],
        related: Mapping[str, str], fixed: set[str], shared: set[str],
    ) -> None:  # fmt: skip
        self.tables, self.weights, self.missing = tables, weights, missing
        self.costs, self.related, self.fixed, self.shared = costs, related, fixed, shared
        self.known: dict[tuple[int, frozenset[str]], list[float]] = {}

    def risks(self, record: int, gone: frozenset[str]) -> list[float]:
        """The record's risk in each table once `gone` is missing."""
        if (record, gone) not in self.known:
            found = []
            for names, rows, _, _, rule, alpha in self.tables:
                values = tuple(None if n in gone else v for n, v in zip(names, rows[record], strict=True))
                found.append(risk(*frequencies(rows, self.weights, values, rule, alpha)))
            self.known[record, gone] = found
        return self.known[record, gone]

    def safe(self, members: Sequence[int], gone: Sequence[frozenset[str]]) -> bool:
        """Whether the members are protected by these suppressions."""
        before = [self.risks(i, frozenset()) for i in members]
        after = [self.risks(i, g) for i, g in zip(members, gone, strict=True)]
        for t, (_, _, individual, household, _, _) in enumerate(self.tables):
            if any(unsafe(risks[t], individual) for risks in after):
                return False
            if unsafe(household_risk([risks[t] for risks in before]), household):
                limit = None if household is None else household / len(members)
                if any(unsafe(risks[t], limit) for risks in after):
                    return False
        return True

    def options(self, record: int) -> list[frozenset[str]]:
        """What may go missing in one record, whatever the others."""
        names = [n for n in self.costs if n not in self.missing[record] | self.fixed]
        subsets = (set(s) for size in range(len(names) + 1) for s in combinations(names, size))
        lacking = self.missing[record]
        return [frozenset(s) for s in subsets if all(closure(n, self.related) <= s | lacking for n in s)]

    def best(self, members: Sequence[int]) -> tuple[float, int] | None:
        """Least loss, and the fewest values with it; None where nothing protects the household."""
        found = None
        for gone in product(*(self.options(i) for i in members)):
            together = set().union(*gone) & self.shared
            if any(not together <= g | self.missing[i] for i, g in zip(members, gone, strict=True)):
                continue
            cost = sum(self.costs[n] for g in gone for n in g), sum(map(len, gone))
            if (found is None or _less(cost, found)) and self.safe(members, gone):
                found = cost
        return found


def _less(a: tuple[float, int], b: tuple[float, int]) -> bool:
    return a[0] < b[0] - 1e-9 or (abs(a[0] - b[0]) <= 1e-9 and a[1] < b[1])
