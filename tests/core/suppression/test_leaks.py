"""What gives suppressed values away."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.errors import ProtectionError
from core.suppression.costs import Costs, entropy
from core.suppression.leaks import Others, leaks, narrowing, neighbours, remaining_risks
from core.suppression.original_counts import optimise
from core.suppression.units import Table
from core.tables.tabulate import tabulate
from tests.core.suppression.demodata import KEYS, column, load
from tests.core.suppression.files import CARD, Case, cases
from tests.core.suppression.test_original_counts import levels
from tests.naive_suppression import frequencies, risk


def demodata(shared: Path, recoded: bool, **options: bool) -> dict[str, dict[str, object]]:
    columns, weights = load(shared / "data" / "demodata", recoded)
    costs = Costs("weights", dict.fromkeys(KEYS, 50.0), {name: entropy(column) for name, column in columns.items()})
    plan = optimise([Table(tabulate([columns[name] for name in KEYS], weights), 0.00125)], columns, costs)
    return {notice.id: dict(notice.values) for notice in leaks(columns, plan.suppressed, weights, "WEIGHT", **options)}


def test_order_of_recoded_demodata(shared: Path) -> None:
    found = demodata(shared, True)["order-gives-away"]
    assert (found["equal"], found["suppressed"], found["variable"]) == (334, 379, "REGION")


def test_weight_of_raw_demodata(shared: Path) -> None:
    found = demodata(shared, False)["other-variable-gives-away"]
    assert (found["least"], found["most"], found["codes"]) == (18, 19, 182)
    assert (found["variable"], found["other"]) == ("REGION", "WEIGHT")


def test_random_order_leaks_no_order_and_risk_columns_are_mentioned(shared: Path) -> None:
    found = demodata(shared, True, shuffled=True, add_risk=True)
    assert "order-gives-away" not in found
    assert found["risk-columns-of-remaining-values"]["records"] == 397


@given(st.lists(st.tuples(st.sampled_from([0, 0, 1, CARD]), st.booleans()), min_size=1, max_size=15))
def test_neighbours_are_the_nearest_remaining_ones(records: list[tuple[int, bool]]) -> None:
    values = [value for value, _ in records]
    gone = [flag and value != CARD for value, flag in records]
    assume(any(gone))
    equal = 0
    for i, value in enumerate(values):
        before = [v for v, g in zip(values[:i], gone[:i], strict=True) if v != CARD and not g]
        after = [v for v, g in zip(values[i + 1 :], gone[i + 1 :], strict=True) if v != CARD and not g]
        equal += bool(gone[i] and before and after and before[-1] == after[0] == value)
    found = neighbours(column("A", np.array(values), CARD), np.array(gone))
    assert (found.suppressed, found.equal) == (sum(gone), equal)


def test_a_copy_of_a_variable_determines_it_and_an_independent_one_does_not() -> None:
    rng = np.random.default_rng(4)
    values = rng.integers(0, 9, 2000)
    columns = {
        "A": column("A", values, 9),
        "COPY": column("COPY", values // 2, 5),
        "OTHER": column("OTHER", rng.integers(0, 40, 2000), 40),
        "ID": column("ID", np.arange(2000), 2000),
    }
    flags = rng.random(2000) < 0.1
    notices = leaks(columns, {"A": flags})
    assert [(notice.id, dict(notice.values)["other"]) for notice in notices] == [("other-variable-gives-away", "COPY")]
    assert "leaves 1 to 2 of 9 values possible" in notices[0].text
    both = leaks(columns, {"A": flags, "COPY": flags})
    assert not [n for n in both if dict(n.values).get("variable") == "A" and dict(n.values).get("other") == "COPY"]


@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0, 1, 2, CARD])), min_size=1, max_size=40),
    st.sampled_from([1, 1000, 1_000_000]),
)
def test_narrowing_counts_values_by_group(records: list[tuple[int, int]], spread: int) -> None:
    # Groups far apart are counted by other ways than dense ones.
    values = column("A", np.array([value for _, value in records]), CARD)
    groups = np.array([group * spread for group, _ in records], np.uint32)
    known = np.flatnonzero(values.values < CARD)[:5]
    assume(len(known))
    found = narrowing(values, Others(groups, 3 * spread + 1, None), known)
    n_valid = sum(value < CARD for _, value in records)
    times, possible, chance = 0, [], []
    for row in known:
        group = [value for number, value in records if number == records[row][0] and value < CARD]
        expected = sum(1 - (1 - values.counts[v] / n_valid) ** len(group) for v in range(CARD))
        if expected >= 2:
            times += 1
            possible.append(len(set(group)))
            chance.append(expected)
    assert found.records == times
    if times:
        assert (found.least, found.most) == (min(possible), max(possible))
        assert (found.mean, found.expected) == pytest.approx((sum(possible) / times, sum(chance) / times))


def test_narrowing_by_many_values_of_a_variable_with_many_codes() -> None:
    groups = np.repeat(np.arange(1000, dtype=np.uint32), 4)
    values = column("A", np.array([[group % 100, group % 100, 150, 200] for group in range(1000)]).ravel(), 200)
    found = narrowing(values, Others(groups, 1000, None), np.arange(0, 4000, 4))
    assert (found.records, found.least, found.most, found.mean) == (1000, 2, 2, 2.0)


@settings(max_examples=40, deadline=None)
@given(cases(), st.data())
def test_risk_columns_are_those_of_the_remaining_values(case: Case, data: st.DataObject) -> None:
    threshold = data.draw(st.sampled_from(levels(case)))
    table = case.tables(threshold)[0]
    try:
        plan = optimise([table], case.columns, case.coded_costs, case.rules)
    except ProtectionError:
        assume(False)
    f, population, risks = remaining_risks(table, plan.suppressed)
    rows = case.rows_of(case.keys[0])
    for i, row in enumerate(rows):
        left = tuple(None if plan.suppressed[name][i] else v for name, v in zip(case.keys[0], row, strict=True))
        naive = frequencies(rows, case.weights, left, case.rule, Fraction(case.alpha).limit_denominator(100))
        assert (f[i], population[i]) == pytest.approx(tuple(map(float, naive)))
        assert risks[i] == pytest.approx(risk(*naive), rel=1e-12)
