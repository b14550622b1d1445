"""The optimiser against exhaustive search, and its refusals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError, RecipeError
from core.risk.individual import individual_risk
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.models import Models, optimise_models
from core.suppression.plan import Plan
from core.tables.margins import UnsafeSpec
from tests.core.small_households import households
from tests.core.suppression.demodata import column
from tests.core.suppression.files import CARD, Case, cases, optimise
from tests.naive_suppression import choose


def levels(case: Case) -> list[float]:
    """Risks of the file's records as it is, and what lies around and between them."""
    found = sorted(
        {float(r) for t in case.tables(*[None] * len(case.keys)) for r in individual_risk(t.cells.f, t.cells.F)}
    )
    between = [(a + b) / 2 for a, b in pairwise(found)]
    return sorted({*found, *between, found[0] / 2, found[-1] * 1.5})


def compare(case: Case, *thresholds: float) -> None:
    """Optimise, and compare record by record with the naive twin."""
    expected = case.chosen(*thresholds)
    tables = case.tables(*thresholds)
    left = sum(choice is None for choice in expected)
    if left:
        with pytest.raises(ProtectionError) as raised:
            optimise(tables, case.columns, case.coded_costs, case.rules)
        assert raised.value.id in ("threshold-cannot-be-met", "records-stay-unsafe")
        if raised.value.id == "records-stay-unsafe":
            assert raised.value.values["records"] == left
        return
    plan = optimise(tables, case.columns, case.coded_costs, case.rules)
    for record, choice in enumerate(expected):
        assert {name for name, flags in plan.suppressed.items() if flags[record]} == choice
    _consistent(case, plan)


def _consistent(case: Case, plan: Plan) -> None:
    counts = {name: int(flags.sum()) for name, flags in plan.suppressed.items()}
    assert plan.by_variable == counts
    assert plan.total == sum(counts.values())
    assert plan.loss == pytest.approx(sum(case.costs[name] * count for name, count in counts.items()), abs=1e-9)
    assert plan.entropy_loss == pytest.approx(plan.loss / 7, abs=1e-9)
    assert plan.records_touched == np.any(list(plan.suppressed.values()), axis=0).sum()
    assert plan.lower_bound == plan.loss and plan.gap == 0 and plan.exact and plan.unsafe_left == 0
    for name, count in plan.originally_missing.items():
        assert count == sum(value is None for value in case.rows[name])


@given(cases(), st.data())
def test_one_table_is_optimal_with_the_stated_ties(case: Case, data: st.DataObject) -> None:
    compare(case, data.draw(st.sampled_from(levels(case))))


@given(cases(tables=2), st.data())
def test_two_tables_are_optimal_jointly_where_relations_couple_them(case: Case, data: st.DataObject) -> None:
    found = levels(case)
    compare(case, data.draw(st.sampled_from(found)), data.draw(st.sampled_from(found)))


def small(**changes: object) -> Case:
    """Two records that differ in A, alike in B, among four."""
    case = Case(
        (("A", "B"),),
        {"A": [0, 1, 0, 0], "B": [0, 0, 0, 0]},
        [10, 10, 10, 10],
        "observed",
        1.0,
        {"A": 1.0, "B": 1.0},
        {},
        frozenset(),
    )
    return replace(case, **changes)  # type: ignore[arg-type]


def test_no_threshold_suppresses_nothing() -> None:
    case = small()
    assert optimise(case.tables(None), case.columns, case.coded_costs).total == 0


def test_a_variable_shared_by_two_tables_counts_once() -> None:
    case = small(
        keys=(("A",), ("B",)),
        rows={"A": [0, 1, 0, 0], "B": [0, 2, 0, 0], "X": [0, 0, 0, None]},
        costs={"A": 1.0, "B": 1.0, "X": 5.0},
        related={"A": "X", "B": "X"},
    )
    plan = optimise(case.tables(0.1, 0.1), case.columns, case.coded_costs, case.rules)
    assert plan.by_variable == {"A": 1, "B": 1, "X": 1}
    assert (plan.loss, plan.records_touched) == (7.0, 1)


def test_the_threshold_must_be_above_the_risk_of_an_empty_record() -> None:
    case = small()
    lowest = float(individual_risk(np.array([4.0]), np.array([40.0]))[0])
    with pytest.raises(ProtectionError) as raised:
        optimise(case.tables(lowest), case.columns, case.coded_costs)
    assert raised.value.id == "threshold-cannot-be-met"
    assert raised.value.values["lowest"] == lowest
    assert "A x B" in str(raised.value)
    assert optimise(case.tables(lowest * 1.001), case.columns, case.coded_costs).unsafe_left == 0


def test_records_that_stay_unsafe_are_counted() -> None:
    case = small(fixed=frozenset({"A"}))
    with pytest.raises(ProtectionError, match=r"1 of 4 records .* because A may not"):
        optimise(case.tables(0.1), case.columns, case.coded_costs, case.rules)


def test_records_that_stay_unsafe_are_counted_over_all_tables() -> None:
    """Tables of any model that have nothing in common, with and without households."""
    case = small(
        keys=(("A",), ("B",)),
        rows={"A": [0, 1, 0, 0, 0], "B": [0, 2, 1, 0, 0]},
        weights=[10] * 5,
        costs={"A": 1.0, "B": 1.0},
        fixed=frozenset({"A", "B"}),
    )
    said = r"2 of 5 records stay unsafe, because (A, B|B, A) may not"
    first, second = case.tables(0.1, 0.1)
    given_ = case.columns, case.coded_costs, case.rules
    with pytest.raises(ProtectionError, match=said):
        optimise([first, second], *given_)
    homes = HouseholdProblem(households([0, 1, 1, 2, 3]), frozenset({"A", "B"}))
    with pytest.raises(ProtectionError, match=said):
        optimise([first, second], *given_, homes)
    models = Models(risk=(first,), rare=(UnsafeSpec(("B",), 1),), order=("A", "B"))
    with pytest.raises(ProtectionError, match=said):
        optimise_models(models, *given_)
    with pytest.raises(ProtectionError, match=said):
        optimise_models(models, *given_, homes=homes)


def test_a_variable_without_a_missing_code_is_named() -> None:
    case = small()
    columns = case.columns | {"B": column("B", np.zeros(4, np.int64), CARD, missing=())}
    with pytest.raises(ProtectionError, match="variable B has no missing code"):
        optimise(case.tables(0.1), columns, case.coded_costs)
    assert optimise(case.tables(None), columns, case.coded_costs).total == 0
    rules = small(fixed=frozenset({"B"})).rules
    assert optimise(case.tables(0.1), columns, case.coded_costs, rules).by_variable == {"A": 1, "B": 0}


def test_the_category_rule_is_refused() -> None:
    case = small(rule="category")
    with pytest.raises(RecipeError, match="category"):
        optimise(case.tables(0.1), case.columns, case.coded_costs)


def test_more_than_ten_keys() -> None:
    rng = np.random.default_rng(3)
    names = tuple("ABCDEFGHIJK")
    rows = {name: rng.integers(0, 2, 30).tolist() for name in names}
    case = Case(
        (names,), rows, [5] * 30, "observed", 1.0, {name: 1.0 + i / 10 for i, name in enumerate(names)}, {}, frozenset()
    )
    plan = optimise(case.tables(0.04), case.columns, case.coded_costs)
    table = (names, case.rows_of(names), 0.04, case.rule, Fraction(1))
    assert len(set(map(str, plan.suppressed.values()))) > 1
    choice = choose([table], case.weights, {}, case.costs, {}, set(), 0)
    assert {name for name, flags in plan.suppressed.items() if flags[0]} == choice
