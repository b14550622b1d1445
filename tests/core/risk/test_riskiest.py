from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.risk.individual import individual_risk
from core.risk.population_model import PopulationModel, weights_above_one
from core.risk.population_risks import PopulationRisks
from core.risk.riskiest import risk_without, riskiest
from core.tables.cell_index import Tabulation
from core.tables.tabulate import tabulate, tabulate_records
from tests import naive_risk_chart as naive
from tests import naive_tables
from tests.naive_tables import Row

THRESHOLDS = st.none() | st.sampled_from([0.001, 0.02, 0.3, 1.0])


@given(
    st.lists(st.sampled_from([0.001, 0.02, 0.02 * (1 - 1e-14), 0.3, 1.0, float("nan")]), max_size=25),
    THRESHOLDS,
    st.integers(0, 6),
    st.integers(1, 6),
)
def test_pages_of_the_riskiest_cells(risks: list[float], threshold: float | None, start: int, limit: int) -> None:
    cells = tabulate(naive_tables.columns_of([(i,) for i in range(len(risks))] or [(0,)], [max(1, len(risks))]), None)
    risk = np.array(risks or [float("nan")])
    expected = naive.riskiest(risk.tolist(), threshold)
    page = riskiest(cells, risk, threshold, start, limit)
    assert page.cells.tolist() == expected[start : start + limit]
    assert page.total == page.records == len(expected)


@st.composite
def files(draw: st.DrawFn) -> tuple[list[Row], list[int], list[Fraction]]:
    cards = draw(st.lists(st.integers(1, 3), min_size=2, max_size=4))
    codes = [st.sampled_from([None, *range(card)]) for card in cards]
    rows = draw(st.lists(st.tuples(*codes), min_size=1, max_size=12))
    weights = draw(st.lists(st.integers(1, 50).map(Fraction), min_size=len(rows), max_size=len(rows)))
    return rows, cards, weights


@given(files(), st.sampled_from(["observed", "wildcard", "category"]), st.sampled_from(["0", "0.5", "1"]).map(Fraction))
def test_risk_without_one_variable_is_that_of_the_margin(
    file: tuple[list[Row], list[int], list[Fraction]], rule: Any, alpha: Fraction
) -> None:
    rows, cards, weights = file
    columns, counted = naive_tables.columns_of(rows, cards), naive_tables.weights_of(weights)
    cells, index = tabulate_records(columns, counted, rule, float(alpha))
    for record, row in enumerate(rows):
        found = risk_without(cells, int(index.of_record[record]))
        dropped = [j for j in range(len(cards)) if rule == "category" or row[j] is not None]
        assert list(found) == [f"K{j}" for j in dropped]
        for j in dropped:
            kept = [other[:j] + other[j + 1 :] for other in rows]
            f, population = naive_tables.frequencies(kept, weights, row[:j] + row[j + 1 :], rule, alpha)
            (expected,) = individual_risk(np.array([float(f)]), np.array([float(population)]))
            np.testing.assert_allclose(found[f"K{j}"], expected, rtol=1e-12)


def in_population(rows: list[Row], cards: list[int]) -> tuple[Tabulation, PopulationRisks]:
    columns, weights = naive_tables.columns_of(rows, cards), naive_tables.weights_of([Fraction(20)] * len(rows))
    table = tabulate_records(columns, weights, "observed")
    return table, PopulationRisks(PopulationModel(table.cells, weights_above_one(table, weights)), "calibrated")


def test_risk_without_one_variable_by_the_population_model_is_that_of_the_smaller_table() -> None:
    random, cards = np.random.default_rng(5), [5, 4, 3]
    rows: list[Row] = [
        tuple(None if random.random() < 0.1 else int(random.integers(card)) for card in cards) for _ in range(80)
    ]
    table, risks = in_population(rows, cards)
    for j in range(len(cards)):
        kept = [k for k in range(len(cards)) if k != j]
        smaller, of_smaller = in_population([tuple(row[k] for k in kept) for row in rows], [cards[k] for k in kept])
        expected = of_smaller.of_table(smaller.cells)
        for record, row in enumerate(rows):
            cell = int(table.cell_index.of_record[record])
            found = risk_without(table.cells, cell, "calibrated", risks)
            assert list(found) == [f"K{k}" for k in range(len(cards)) if row[k] is not None]
            if row[j] is not None:
                np.testing.assert_allclose(found[f"K{j}"], expected[smaller.cell_index.of_record[record]], rtol=1e-12)
