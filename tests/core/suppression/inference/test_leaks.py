"""What gives suppressed values away."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.base.errors import Notice, ProtectionError
from core.data.columns import EncodedColumn, Weights
from core.suppression.costs import Costs, entropy
from core.suppression.inference.leaks import leaks, members, neighbours, remaining_risks
from core.suppression.inference.narrowing import Narrowing, Others, Suppressed
from core.suppression.inference.released_variable import ReleasedVariable
from core.suppression.problem import ProtectedTable
from core.tables.tabulate import tabulate_records
from core.warnings.inference_from_variables import Telling
from tests.core.suppression.demodata import KEYS, column, load
from tests.core.suppression.files import CARD, Case, cases, optimise
from tests.core.suppression.test_individual import levels
from tests.naive_suppression import frequencies, risk


def demodata(shared: Path, recoded: bool, **options: bool) -> dict[str, dict[str, object]]:
    columns, weights = load(shared / "data" / "demodata", recoded)
    costs = Costs("weights", dict.fromkeys(KEYS, 50.0), {name: entropy(column) for name, column in columns.items()})
    table = ProtectedTable(*tabulate_records([columns[name] for name in KEYS], weights), 0.00125)
    plan = optimise([table], columns, costs)
    found = [*leaks(columns, plan.suppressed, **options), *told(columns, plan.suppressed, weights)]
    return {notice.id: dict(notice.values) for notice in found}


def told(
    columns: dict[str, EncodedColumn], suppressed: dict[str, np.ndarray], weights: Weights | None = None
) -> list[Notice]:
    """What single variables tell, in the order of `columns`, then the weight."""
    telling = Telling(columns, suppressed)
    shown = [ReleasedVariable.of(column, suppressed.get(name)) for name, column in columns.items()]
    if weights is not None:
        shown.append(ReleasedVariable.weights("WEIGHT", weights))
    return [notice for variable in shown for notice in telling.notices(variable)]


def test_order_of_recoded_demodata(shared: Path) -> None:
    found = demodata(shared, True)["order-gives-away"]
    assert (found["equal"], found["suppressed"], found["variable"]) == (334, 379, "REGION")


def test_weight_of_raw_demodata(shared: Path) -> None:
    found = demodata(shared, False)["other-variable-gives-away"]
    assert (found["least"], found["most"], found["codes"]) == (18, 19, 182)
    assert (found["variable"], found["other"]) == ("REGION", "WEIGHT")


def test_of_a_weight_that_narrows_a_weights_remedy_is_said() -> None:
    region = np.arange(2000) % 20
    weights = Weights((1000 + region,), (0,))
    flags = np.random.default_rng(1).random(2000) < 0.1
    (notice,) = told({"REGION": column("REGION", region, 20)}, {"REGION": flags}, weights)
    assert "leaves 1 of 20 values possible" in notice.text
    assert "Round the weight or add noise to it in Modify Numerical Variables, or leave it out" in notice.text
    assert "related" not in notice.text


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


@given(
    st.lists(st.tuples(st.sampled_from([0, 0, 1, CARD]), st.integers(0, 4), st.booleans()), min_size=1, max_size=15),
    st.randoms(use_true_random=False),
)
def test_members_that_are_left_agree_with_a_suppressed_value_whatever_the_order(
    records: list[tuple[int, int, bool]], chance: random.Random
) -> None:
    gone = [flag and value != CARD for value, _, flag in records]
    assume(any(gone))
    left = [value for (value, _, _), g in zip(records, gone, strict=True) if value != CARD and not g]
    agreeing, equal, expected = 0, 0, 0.0
    for (value, home, _), g in zip(records, gone, strict=True):
        others = [v for (v, h, _), o in zip(records, gone, strict=True) if h == home and v != CARD and not o]
        agreeing += bool(g and len(set(others)) == 1)
        equal += bool(g and others and set(others) == {value})
        expected += (left.count(value) / len(left)) ** len(others) if g and others else 0.0
    places = list(range(len(records)))
    chance.shuffle(places)
    for order in (sorted(places), places):
        found = members(
            column("A", np.array([records[i][0] for i in order]), CARD),
            np.array([gone[i] for i in order]),
            np.array([records[i][1] for i in order], np.uint32),
        )
        assert (found.suppressed, found.agreeing, found.equal) == (sum(gone), agreeing, equal)
        assert found.expected == pytest.approx(expected)


def households(seed: int = 8) -> tuple[dict[str, EncodedColumn], np.ndarray, np.ndarray]:
    """300 households of three in one of ten regions each, and one suppressed region in every second household."""
    homes = np.repeat(np.arange(300, dtype=np.uint32), 3)
    regions = np.random.default_rng(seed).integers(0, 10, 300)[homes]
    flags = (np.arange(900) % 6) == 1
    return {"REGION": column("REGION", regions, 10)}, flags, homes


def test_a_value_that_the_rest_of_the_household_repeats_is_warned_of() -> None:
    columns, flags, homes = households()
    found = {n.id: n for n in leaks(columns, {"REGION": flags}, household_of_record=homes, shuffled=True)}
    assert list(found) == ["household-gives-away"]
    assert "150 of 150 suppressed values of REGION" in found["household-gives-away"].text
    assert not leaks(columns, {"REGION": flags}, shuffled=True)
    whole = np.isin(homes, homes[flags])
    assert not leaks(columns, {"REGION": whole}, household_of_record=homes, shuffled=True)


def test_members_who_only_resemble_each_other_give_nothing_away() -> None:
    chance = np.random.default_rng(5)
    homes = np.repeat(np.arange(2000, dtype=np.uint32), 2)
    educations = chance.integers(0, 20, 4000)
    alike = chance.random(2000) < 0.2
    educations[1::2][alike] = educations[::2][alike]
    flags = np.arange(4000) % 8 == 1
    columns = {"EDUC": column("EDUC", educations, 20)}
    assert members(columns["EDUC"], flags, homes).equal > 100
    assert not leaks(columns, {"EDUC": flags}, household_of_record=homes, shuffled=True)


def test_random_order_is_recommended_only_where_households_do_not_stay_together() -> None:
    columns, flags, homes = households()
    places = np.random.default_rng(1).permutation(300)
    together = np.argsort(places[homes], kind="stable")
    apart = [n.id for n in leaks(columns, {"REGION": flags})]
    before = [n.id for n in leaks(columns, {"REGION": flags}, blocks=lambda: together)]
    after = [n.id for n in leaks(columns, {"REGION": flags}, blocks=lambda: together, shuffled=True)]
    assert apart == ["order-gives-away"]
    assert before == after == ["household-order-gives-away"]


def test_random_order_helps_where_only_the_order_of_the_households_tells() -> None:
    homes = np.arange(900, dtype=np.uint32)
    columns = {"REGION": column("REGION", np.arange(900) // 90, 10)}
    flags = (np.arange(900) % 6) == 1
    mixed = np.random.default_rng(2).permutation(900)
    assert [n.id for n in leaks(columns, {"REGION": flags}, blocks=lambda: mixed, household_of_record=homes)] == [
        "order-gives-away"
    ]
    assert not leaks(columns, {"REGION": flags}, blocks=lambda: mixed, household_of_record=homes, shuffled=True)


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
    notices = told(columns, {"A": flags})
    assert [(notice.id, dict(notice.values)["other"]) for notice in notices] == [("other-variable-gives-away", "COPY")]
    assert "leaves 1 to 2 of 9 values possible" in notices[0].text
    assert "Declare A and COPY related in Specify Metadata" in notices[0].text
    both = told(columns, {"A": flags, "COPY": flags})
    assert not [n for n in both if dict(n.values).get("variable") == "A" and dict(n.values).get("other") == "COPY"]


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.sampled_from([0, 1, 2, CARD])), min_size=1, max_size=40
    ),
    st.sampled_from([1, 1000, 1_000_000]),
)
def test_narrowing_counts_values_by_group(records: list[tuple[int, int, int]], spread: int) -> None:
    # Groups far apart are counted by other ways than dense ones.
    values = column("A", np.array([value for _, _, value in records]), CARD)
    gone = np.flatnonzero(values.values < CARD)[:5]
    assume(len(gone))
    suppressed = Suppressed(values, gone)
    for groups in ([first for first, _, _ in records], [second for _, second, _ in records]):
        lacking = np.array(groups) == 1
        other = Others(np.array(groups, np.uint32) * np.uint32(spread), 3 * spread + 1, lacking)
        known = suppressed.known(other)
        assert known.tolist() == [row for row in gone if groups[row] != 1]
        if len(known):
            check_narrowing(suppressed.narrowing(other, known), values, groups, known)


def check_narrowing(found: Narrowing, values: EncodedColumn, groups: list[int], known: np.ndarray) -> None:
    n_valid = sum(value < CARD for value in values.values)
    times, possible, chance = 0, [], []
    for row in known:
        group = [v for number, v in zip(groups, values.values, strict=True) if number == groups[row] and v < CARD]
        expected = sum(1 - (1 - values.counts[v] / n_valid) ** len(group) for v in range(CARD))
        assume(abs(expected - 2) > 1e-9)  # rounding decides then on which side it is
        if expected >= 2:
            times += 1
            possible.append(len(set(group)))
            chance.append(expected)
    assert found.records == times
    if times:
        assert (found.least, found.most) == (min(possible), max(possible))
        assert (found.mean, found.expected) == pytest.approx((sum(possible) / times, sum(chance) / times))


def test_a_variable_without_a_second_value_narrows_nothing() -> None:
    values = np.random.default_rng(3).integers(0, 9, 100)
    flags = np.arange(100) % 5 == 0
    alike = column("ALIKE", np.zeros(100, int), 1)
    assert not told({"A": column("A", values, 9), "ALIKE": alike}, {"A": flags})


def test_narrowing_by_many_values_of_a_variable_with_many_codes() -> None:
    groups = np.repeat(np.arange(1000, dtype=np.uint32), 4)
    values = column("A", np.array([[group % 100, group % 100, 150, 200] for group in range(1000)]).ravel(), 200)
    known = np.arange(0, 4000, 4)
    found = Suppressed(values, known).narrowing(Others(groups, 1000, None), known)
    assert (found.records, found.least, found.most, found.mean) == (1000, 2, 2, 2.0)


def with_each_key_once(case: Case) -> Case:
    """The first record of each key, in the order of the cells: every record is a cell of its own."""
    first = {row: record for record, row in reversed([*enumerate(case.rows_of(case.keys[0]))])}
    kept = [first[row] for row in sorted(first, key=lambda row: [CARD if value is None else value for value in row])]
    rows = {name: [values[record] for record in kept] for name, values in case.rows.items()}
    return replace(case, rows=rows, weights=[case.weights[record] for record in kept])


@given(st.one_of(cases(), cases().map(with_each_key_once)), st.data())
def test_risk_columns_are_those_of_the_remaining_values(case: Case, data: st.DataObject) -> None:
    threshold = data.draw(st.sampled_from(levels(case)))
    table = case.tables(threshold)[0]
    try:
        plan = optimise([table], case.columns, case.coded_costs, case.rules)
    except ProtectionError:
        assume(False)
    found = remaining_risks(table, plan.suppressed)
    f, population, risks = map(found.spread, (found.f, found.F, found.risk))
    rows = case.rows_of(case.keys[0])
    for i, row in enumerate(rows):
        left = tuple(None if plan.suppressed[name][i] else v for name, v in zip(case.keys[0], row, strict=True))
        naive = frequencies(rows, case.weights, left, case.rule, Fraction(case.alpha).limit_denominator(100))
        assert (f[i], population[i]) == pytest.approx(tuple(map(float, naive)))
        assert risks[i] == pytest.approx(risk(*naive), rel=1e-12)
