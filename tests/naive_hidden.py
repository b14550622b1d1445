"""Slow plain twin of the records that only members of their own household make safe: record by record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import inf, prod

from tests.naive_suppression import Row, frequencies, risk

Counts = tuple[Fraction, Fraction]


def agreeing(rows: Sequence[Row], values: Row) -> list[int]:
    """Records that have all values of a key (None: any)."""
    return [
        i
        for i, other in enumerate(rows)
        if all(mine is None or mine == his for mine, his in zip(values, other, strict=True))
    ]


def by_households(
    rows: Sequence[Row], weights: Sequence[int], homes: Sequence[str], values: Row, alpha: Fraction = Fraction(0)
) -> Counts:
    """Distinct households with these values, and the sum of the mean weight that each has there.

    A household without such a member, but with some who lack values and agree otherwise, counts `alpha` times.
    """
    f = F = Fraction(0)
    for home in set(homes):
        mine = [i for i, other in enumerate(homes) if other == home]
        whole = [i for i in agreeing(rows, values) if i in mine]
        blank = [
            i
            for i in mine
            if all(None in (asked, his) or asked == his for asked, his in zip(values, rows[i], strict=True))
        ]
        there, share = (whole, Fraction(1)) if whole else (blank, alpha)
        if there:
            f += share
            F += share * Fraction(sum(weights[i] for i in there), len(there))
    return f, F


@dataclass
class Survey:
    """The records of a file and what is left of them."""

    rows: Sequence[Row]
    released: Sequence[Row]
    weights: Sequence[int]
    homes: Sequence[str]
    rule: str = "observed"
    alpha: Fraction = Fraction(0)

    def hidden_by_risk(self, threshold: float | None, household: float | None, by_keys: bool) -> int:
        """By the individual risk, of the remaining values or of released keys."""
        asked = self.rows if by_keys else self.released
        before = [frequencies(self.rows, self.weights, row, self.rule, self.alpha) for row in asked]
        after = [by_households(self.rows, self.weights, self.homes, row, self.alpha) for row in asked]
        risks, worse = [risk(*each) for each in before], [risk(*each) for each in after]
        found = 0
        for i, key in enumerate(self.released):
            under = [j for j, other in enumerate(self.released) if other == key]
            sizes = len(under), len({self.homes[j] for j in under})
            safe = [
                self._safe(i, each, float(f), size, (threshold, household), by_keys)
                for each, (f, _), size in zip((risks, worse), (before[i], after[i]), sizes, strict=True)
            ]
            found += safe == [True, False]
        return found

    def _safe(
        self, i: int, risks: Sequence[float], f: float, size: int, limits: tuple[float | None, float | None],
        by_keys: bool,
    ) -> bool:  # fmt: skip
        members = [j for j, home in enumerate(self.homes) if home == self.homes[i]]
        limit = inf if limits[0] is None else limits[0]
        together = 1 - prod(1 - risks[j] for j in members)
        if limits[1] is not None and together >= limits[1] * (1 - 1e-12):
            limit = min(limit, limits[1] / len(members))
        limit *= 1 - 1e-12
        return risks[i] < limit or (by_keys and f * risks[i] / size < limit)

    def hidden_by_k(self, k: int) -> int:
        """By k-anonymity, a missing value being one like any other."""
        found = 0
        for key in self.released:
            under = [j for j, other in enumerate(self.released) if other == key]
            found += len(under) >= k > len({self.homes[j] for j in under})
        return found

    def hidden_by_wildcards(self, k: int) -> int:
        """By k-anonymity, a missing value matching any value."""
        found = 0
        for row in self.released:
            f = frequencies(self.released, self.weights, row, self.rule, self.alpha)[0]
            found += f >= k > by_households(self.released, self.weights, self.homes, row, self.alpha)[0]
        return found

    def hidden_by_rare(self, limit: Callable[[tuple[int, ...]], int]) -> int:
        """By the threshold rule; `limit`: of each set of variables the largest unsafe count."""
        found = 0
        for row in self.released:
            there = [j for j, value in enumerate(row) if value is not None]
            rare = exposed = False
            for size in range(1, len(there) + 1):
                for chosen in combinations(there, size):
                    values = tuple(value if j in chosen else None for j, value in enumerate(row))
                    same = agreeing(self.rows, values)
                    rare |= len(same) <= limit(chosen)
                    exposed |= len({self.homes[i] for i in same}) <= limit(chosen)
            found += exposed and not rare
        return found
