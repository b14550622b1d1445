"""Random small files with missing values, for property tests of suppression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from core.data.columns import EncodedColumn, Weights
from core.recipe.model import MissingRule
from core.suppression.costs import Costs
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.models import Models, optimise_models
from core.suppression.plan import Plan
from core.suppression.problem import ProtectedTable, Rules
from core.tables.tabulate import tabulate_records
from tests.core.suppression.demodata import column
from tests.naive_suppression import Row, choose

NAMES = ("A", "B", "C", "D", "X", "Y")
CARD = 3


@dataclass(frozen=True)
class Case:
    """A file of keys A.. and outside variables X, Y, and what limits their suppression."""

    keys: tuple[tuple[str, ...], ...]
    rows: dict[str, list[int | None]]
    weights: list[int]
    rule: MissingRule
    alpha: float
    costs: dict[str, float]
    related: dict[str, str]
    fixed: frozenset[str]

    @property
    def columns(self) -> dict[str, EncodedColumn]:
        """The file as encoded columns."""
        return {
            name: column(name, np.array([CARD if v is None else v for v in values]), CARD)
            for name, values in self.rows.items()
        }

    @property
    def coded_costs(self) -> Costs:
        return Costs("weights", self.costs, {name: cost / 7 for name, cost in self.costs.items()})

    @property
    def rules(self) -> Rules:
        return Rules(self.related, self.fixed)

    def tables(self, *thresholds: float | None) -> list[ProtectedTable]:
        """The risk tables at these thresholds."""
        counted = Weights((np.array(self.weights, np.int64),), (0,)), self.rule, self.alpha
        columns = self.columns
        return [
            ProtectedTable(*tabulate_records([columns[name] for name in keys], *counted), threshold)
            for keys, threshold in zip(self.keys, thresholds, strict=True)
        ]

    def chosen(self, *thresholds: float) -> list[set[str] | None]:
        """What the naive twin suppresses in each record."""
        tables = [
            (keys, self.rows_of(keys), threshold, self.rule, Fraction(self.alpha).limit_denominator(100))
            for keys, threshold in zip(self.keys, thresholds, strict=True)
        ]
        keyed = {name for keys in self.keys for name in keys}
        outside = {name: [v is None for v in values] for name, values in self.rows.items() if name not in keyed}
        return [
            choose(tables, self.weights, outside, self.costs, self.related, set(self.fixed), record)
            for record in range(len(self.weights))
        ]

    def rows_of(self, keys: tuple[str, ...]) -> list[Row]:
        return [tuple(self.rows[name][record] for name in keys) for record in range(len(self.weights))]


@st.composite
def cases(draw: st.DrawFn, tables: int = 1, limits: bool = True) -> Case:
    """A random case: up to 12 records, 1 to 4 keys in 1 or 2 tables."""
    n_keys = draw(st.integers(tables, 4))
    split = draw(st.integers(1, n_keys - 1)) if tables == 2 else n_keys
    names = NAMES[:n_keys] + NAMES[4:]
    n = draw(st.integers(1, 12))
    value = st.sampled_from([0, 0, 0, 1, 1, 2, None])
    rows = {name: draw(st.lists(value, min_size=n, max_size=n)) for name in names}
    weights = draw(st.lists(st.integers(0, 40), min_size=n, max_size=n))
    rule: MissingRule = draw(st.sampled_from(["observed", "wildcard"]))
    alpha = draw(st.sampled_from([1.0, 0.5])) if rule == "wildcard" else 1.0
    costs = {name: draw(st.sampled_from([0.0, 1.0, 1.0, 2.0, 2.5])) for name in names}
    related = draw(st.dictionaries(st.sampled_from(names), st.sampled_from(names), max_size=3)) if limits else {}
    fixed = draw(st.frozensets(st.sampled_from(names), max_size=1)) if limits else frozenset()
    keys = (names[:split], names[split:n_keys]) if tables == 2 else (names[:n_keys],)
    return Case(keys, rows, weights, rule, alpha, costs, {a: b for a, b in related.items() if a != b}, fixed)


def optimise(
    tables: Sequence[ProtectedTable],
    columns: Mapping[str, EncodedColumn],
    costs: Costs,
    rules: Rules | None = None,
    homes: HouseholdProblem | None = None,
    gapless: bool = False,
) -> Plan:
    """The plan of risk tables judged by the original file."""
    order = tuple(name for table in tables for name in table.cells.variables)
    return optimise_models(Models(tuple(tables), order=order), columns, costs, rules, homes=homes, gapless=gapless)
