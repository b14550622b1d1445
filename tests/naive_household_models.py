"""Slow plain twin of suppression in households by threshold rule and individual risk together: all are tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tests.naive_households import Tables, Twin, household_risk, unsafe
from tests.naive_models import RareTable, Rows, has_unsafe

Lost = frozenset[str]


@dataclass(frozen=True)
class Best:
    """A household's best choice: its loss, its number of values, and what each member loses."""

    loss: float
    values: int
    gone: tuple[Lost, ...]


class ModelsTwin:
    """The households of a small file under tables of both models."""

    def __init__(
        self, risk: Tables, rare: Sequence[RareTable], rows: Rows, weights: Sequence[int], costs: Mapping[str, float],
        related: Mapping[str, str], fixed: set[str], shared: set[str], order: Sequence[str],
    ) -> None:  # fmt: skip
        missing = [{name for name in costs if rows[name][i] is None} for i in range(len(weights))]
        self.twin = Twin(risk, weights, missing, costs, related, fixed, shared)
        self.rare, self.rows, self.order = rare, rows, order
        self.names = sorted({*costs} & {*shared}, key=self.place)

    def place(self, name: str) -> int:
        """Keys by their order, then the others."""
        return self.order.index(name) if name in self.order else len(self.order) + [*self.twin.costs].index(name)

    def positions(self, names: Lost) -> list[int]:
        """Of the keys among them, ascending."""
        return sorted(self.order.index(name) for name in names if name in self.order)

    def limits(self, members: Sequence[int]) -> list[list[float]]:
        """By table, the thresholds that each member alone must be below."""
        found = []
        for t, (_, _, individual, household, _, _) in enumerate(self.twin.tables):
            own = [limit for limit in (individual,) if limit is not None]
            before = [self.twin.risks(i, frozenset())[t] for i in members]
            if household is not None and unsafe(household_risk(before), household):
                own.append(household / len(members))
            found.append(own)
        return found

    def choices(self, record: int, limits: Sequence[Sequence[float]]) -> list[Lost]:
        """What the record may lose so that it is safe by itself."""
        found = []
        for lost in self.twin.options(record):
            kept = {n: v[record] for n, v in self.rows.items() if n not in lost and v[record] is not None}
            risks = self.twin.risks(record, lost)
            risky = any(unsafe(r, limit) for r, own in zip(risks, limits, strict=True) for limit in own)
            if not risky and not has_unsafe(self.rare, self.rows, kept):  # type: ignore[arg-type]
                found.append(lost)
        return found

    def best(self, members: Sequence[int]) -> Best | None:
        """The best choice; None where nothing protects the household.

        Least loss, then fewest values, then the keys that go in any member, by position; given what goes for all, each
        member takes what comes first for a single record.
        """
        limits = self.limits(members)
        own = [self.choices(i, limits) for i in members]
        found: list[Best] = []
        subsets = [set(some) for size in range(len(self.names) + 1) for some in combinations(self.names, size)]
        for together in sorted(subsets, key=lambda some: sorted(map(self.place, some))):
            fitting = [
                [lost for lost in choices if lost & set(self.names) == together - self.twin.missing[i]]
                for i, choices in zip(members, own, strict=True)
            ]
            if all(fitting):
                found.append(self.cost(tuple(self.first(choices) for choices in fitting)))
        return min(found, key=self.rank, default=None)

    def cost(self, gone: tuple[Lost, ...]) -> Best:
        """What a choice costs."""
        return Best(sum(self.twin.costs[n] for lost in gone for n in lost), sum(map(len, gone)), gone)

    def first(self, choices: Sequence[Lost]) -> Lost:
        """Of a record's choices the best one."""
        return min(choices, key=lambda lost: self.rank(self.cost((lost,))))

    def rank(self, best: Best) -> tuple[float, int, list[int]]:
        """The order of choices."""
        return round(best.loss, 8), best.values, self.positions(frozenset[str]().union(*best.gone))
