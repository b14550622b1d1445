"""Gaps closed in coupled tables, related and household variables, with household thresholds: nothing told, all safe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.check.by_counts import by_rare_combinations
from core.check.inferable_values import told_values
from core.check.judged import KeysOfBothFiles
from core.risk.household import household_risk
from core.risk.individual import is_unsafe
from core.suppression.costs import Costs
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.inference.elimination import Inference, possible_values
from core.suppression.inference.leaks import remaining_risks
from core.suppression.models import Models, optimise_models
from core.suppression.plan import Plan
from core.suppression.problem import ProtectedTable, Rules
from core.tables.margins import UnsafeSpec
from core.tables.tabulate import tabulate_records
from tests.core.small_households import households
from tests.core.suppression.demodata import column

NAMES = "ABCD"
CARDS = dict(zip(NAMES, (2, 3, 3, 4), strict=True))
ROOMY = {"A": 3, "B": 8, "C": 8, "D": 9}


CASES: dict[
    str, tuple[Sequence[str], Mapping[str, int], Mapping[str, str], bool, tuple[float | None, float | None]]
] = {
    "two tables that a relation couples": (("AB", "CD"), {}, {"A": "C"}, False, (0.3, None)),
    "a threshold rule beside": (("ABC",), {"BCD": 1}, {}, False, (0.3, None)),
    "the threshold rule alone": ((), {"ABC": 1}, {}, False, (None, None)),
    "household variables": (("ABCD",), {}, {}, True, (0.3, None)),
    "household variables that others go with": (("ABC",), {}, {"A": "B"}, True, (0.3, None)),
    "household variables and two tables": (("ABC", "D"), {}, {"A": "D"}, True, (0.2, None)),
    "household thresholds": (("ABC",), {}, {}, False, (None, 0.4)),
    "all of it": (("ABC",), {"CD": 1}, {}, True, (0.3, 0.5)),
}
"""Of each: risk tables, frequency tables, relations, whether A is a household variable, both thresholds."""


class File:
    """A random file: A is a household variable of some; tables over some of the variables."""

    def __init__(self, seed: int, which: str, cards: Mapping[str, int], n: int) -> None:
        tables, rare, related, together, limits = CASES[which]
        random = np.random.default_rng(seed)
        sizes = np.minimum(random.geometric(0.5, n), 3)
        self.groups = np.repeat(np.arange(n), sizes)[:n]
        values = {v: np.minimum(random.geometric(0.4, n) - 1, card - 1) for v, card in cards.items()}
        if together:
            values["A"] = values["A"][self.groups]
        self.columns = {v: column(v, codes, cards[v]) for v, codes in values.items()}
        self.rules, self.homes = Rules(related), None
        if together or limits[1] is not None:
            self.homes = HouseholdProblem(households(self.groups.tolist()), frozenset("A") if together else frozenset())
        self.risk = tuple(
            ProtectedTable(
                *tabulate_records([self.columns[v] for v in names], None), limits[0], household_threshold=limits[1]
            )
            for names in tables
        )
        self.rare = tuple(UnsafeSpec(tuple(names), count) for names, count in rare.items())
        used = [*tables, *rare]
        self.models = Models(self.risk, self.rare, (), tuple(v for v in cards if any(v in names for names in used)))

    def plan(self, gapless: bool = True) -> Plan:
        costs = Costs("weights", {"A": 2.0, "B": 1.0, "C": 1.5, "D": 1.0}, dict.fromkeys(NAMES, 1.0))
        return optimise_models(self.models, self.columns, costs, self.rules, homes=self.homes, gapless=gapless)

    def shared(self) -> set[str]:
        return {name for key in (self.homes.variables if self.homes else ()) for name in self.rules.closure(key)}

    def told(self, plan: Plan) -> Inference:
        """What elimination tells; the check of written files, which shares no code with it, says the same."""
        names = self.models.order
        keys = [self.columns[v] for v in names]
        living = self.homes.households.household_of_record if self.homes else None
        same = self.homes.variables if self.homes else frozenset()
        found = Inference.of(possible_values(keys, plan.suppressed, self.shared(), household_of_record=living,
                                             same=same).values())  # fmt: skip
        assert found.certain == told_values(
            *self.written(names, plan),
            [key.n_valid + 1 for key in keys],
            [j for j, v in enumerate(names) if v in self.shared()],
            [j for j, v in enumerate(names) if v in same],
            living,
        )
        return found

    def written(self, names: Sequence[str], plan: Plan) -> tuple[list[np.ndarray], list[np.ndarray]]:
        original = [self.columns[v].values.astype(np.int64) + 1 for v in names]
        return original, [np.where(plan.suppressed[v], 0, c) for v, c in zip(names, original, strict=True)]

    def unsafe(self, plan: Plan) -> int:
        """Records and households that are at or above a threshold, by what remains of them."""
        found = 0
        for table in self.risk:
            rows = remaining_risks(table, plan.suppressed)
            risk = rows.spread(rows.risk)
            found += int(is_unsafe(risk, table.threshold).sum()) if table.threshold is not None else 0
            if table.household_threshold is not None and self.homes is not None:
                cells = np.arange(len(risk), dtype=np.uint32)
                of_household = household_risk(risk, cells, self.homes.households)
                found += int(is_unsafe(of_household, table.household_threshold).sum())
        for spec in self.rare:
            keys = KeysOfBothFiles(spec.variables, *self.written(spec.variables, plan),
                                   [self.columns[v].n_valid + 1 for v in spec.variables])  # fmt: skip
            state = by_rare_combinations(keys, {frozenset(s.variables): s.threshold for s in self.rare} | {
                frozenset(part): spec.threshold for part in _margins(spec.variables)}).by_mode  # fmt: skip
            found += state.unsafe if state else 0
        return found


def _margins(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(v for j, v in enumerate(names) if mask >> j & 1) for mask in range(1, 1 << len(names))]


@pytest.mark.parametrize("which", CASES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000))
def test_small_files(which: str, seed: int) -> None:
    """Where a value stays told, somebody of its household has nothing more to lose."""
    file = File(seed, which, CARDS, 40)
    try:
        plain = file.plan(gapless=False)
    except ProtectionError:
        return
    plan = file.plan()
    assert file.unsafe(plan) == 0 and plan.lower_bound == pytest.approx(plain.lower_bound)
    left, names = file.told(plan), file.models.order
    bare = np.all([plan.suppressed[v] for v in names], axis=0)
    assert left.certain == 0 or bare.any()


@pytest.mark.parametrize("which", CASES)
def test_where_there_is_room_nothing_is_told(which: str) -> None:
    told = 0
    for seed, n in product(range(3), (60, 250)):
        file = File(seed, which, ROOMY, n)
        plan = file.plan()
        assert (file.told(plan).certain, file.unsafe(plan)) == (0, 0)
        told += file.told(file.plan(gapless=False)).certain
    assert told
