"""The population model by key sets against its definition, record by record."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core.base.errors import DataError
from core.data.columns import Weights
from core.risk.negative_binomial import calibrated_risk, dispersion
from core.risk.population_model import KeySet, PopulationModel, closed_over, weights_above_one
from core.risk.population_risks import PopulationRisks
from core.tables.cell_index import Tabulation
from core.tables.tabulate import tabulate, tabulate_records
from tests import naive_population as naive
from tests import naive_tables
from tests.core.suppression.demodata import KEYS, load
from tests.naive_tables import Row

File = tuple[list[Row], list[int], list[Fraction]]


@st.composite
def files(draw: st.DrawFn, missing: bool = False, least: int = 300) -> File:
    """Keys that depend on each other; weights from `least` / 100 on."""
    cards = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    n = draw(st.integers(1, 40))
    seed = draw(st.integers(0, 10**6))
    random = np.random.default_rng(seed)
    together = random.integers(0, 3, n)
    stick = random.random(len(cards))
    rows: list[Row] = []
    for i in range(n):
        row = [
            int(together[i]) % card if random.random() < stick[j] else int(random.integers(0, card))
            for j, card in enumerate(cards)
        ]
        rows.append(tuple(None if missing and random.random() < 0.2 else code for code in row))
    return rows, cards, [Fraction(int(random.integers(least, 3000)), 100) for _ in range(n)]


def counted(file: File, rule: str = "observed") -> tuple[Tabulation, PopulationModel]:
    rows, cards, exact = file
    weights = naive_tables.weights_of(exact)
    table = tabulate_records(naive_tables.columns_of(rows, cards), weights, rule)  # type: ignore[arg-type]
    return table, PopulationModel(table.cells, weights_above_one(table, weights))


def values_of(model: PopulationModel, key_set: KeySet) -> list[Row]:
    """The values of each group; None: missing."""
    return [
        tuple(
            None if model.cube.codes[j][member] == model.cards[j] else int(model.cube.codes[j][member])
            for j in key_set.variables
        )
        for member in key_set.groups.member
    ]


def equals(found: np.ndarray, expected: dict[Row, float], values: list[Row]) -> None:
    assert_allclose(found, [expected.get(value, math.nan) for value in values], rtol=1e-11)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("least", [1, 300])
@settings(max_examples=20)
@given(data=st.data())
def test_every_key_set_by_the_definition(missing: bool, least: int, data: st.DataObject) -> None:
    file = data.draw(files(missing, least))
    if sum(file[2]) < 1.02 * len(file[0]):
        return
    _, model = counted(file)
    twin = naive.Model(file[0], file[2])
    for mask in range(model.full + 1):
        key_set = model.key_set(mask)
        expected = twin.fit(key_set.variables)
        values = values_of(model, key_set)
        if not near_tie(twin, key_set.variables):
            assert list(key_set.edges) == expected.edges
            equals(key_set.m, expected.m, values)
            equals(key_set.mu, expected.mu, values)
        equals(key_set.m_independent, expected.m_independent, values)
        equals(key_set.f, {key: float(count) for key, count in expected.f.items()}, values)
        complete = ~np.isnan(key_set.f)
        assert key_set.a == dispersion(key_set.f[complete], key_set.mu[complete])
        assert_array_equal(key_set.risk(), calibrated_risk(key_set.f, key_set.scale, key_set.a))


def near_tie(twin: naive.Model, names: tuple[int, ...]) -> bool:
    """Whether rounding decides which pairs depend on each other."""
    scores = sorted([0.0, *(twin.score(a, b) for i, a in enumerate(names) for b in names[i + 1 :])])
    return any(high - low < 1e-9 for low, high in pairwise(scores))


@given(files())
def test_scores_by_the_definition(file: File) -> None:
    _, model = counted(file)
    twin = naive.Model(file[0], file[2])
    for pair, score in model.scores().items():
        exact = twin.score(*pair)
        assert score == pytest.approx(exact, abs=1e-9) or exact - 1e-9 <= score <= 1e-9


@settings(max_examples=20)
@given(st.data())
def test_margins_of_the_log_linear_model_are_brute_sums(data: st.DataObject) -> None:
    file = data.draw(files(data.draw(st.booleans())))
    rows, cards, _ = file
    _, model = counted(file)
    twin = naive.Model(rows, file[2])
    every = tuple(range(len(cards)))
    if near_tie(twin, every) or all(None in row for row in rows):
        return
    for mask in range(model.full + 1):
        found = model.summed_m(mask, model.full)
        key_set = model.key_set(mask)
        expected = twin.summed(every, key_set.variables, cards)
        for value, m in zip(values_of(model, key_set), found, strict=True):
            if None in value:
                assert math.isnan(m)
            else:
                assert_allclose(m, expected(value), rtol=1e-11, atol=1e-12)


@given(files())
def test_dropping_a_key_never_raises_the_log_linear_risk(file: File) -> None:
    _, model = counted(file)
    risks = {
        mask: calibrated_risk(model.key_set(mask).f, model.summed_m(mask, model.full), math.inf)
        for mask in range(model.full + 1)
    }
    for mask, risk in risks.items():
        member = model.cube.project(mask).member
        for smaller in range(mask):
            if smaller & mask == smaller:
                below = risks[smaller][model.cube.project(smaller).group_of_cell[member]]
                assert np.all(below <= risk * (1 + 1e-12))


def test_a_key_without_any_value_is_left_out_of_every_model() -> None:
    rows: list[Row] = [(i % 2, None) for i in range(20)]
    _, model = counted((rows, [2, 0], [Fraction(9)] * 20))
    alone = model.key_set(1)
    assert_array_equal(model.of_cells(KeySet.risk), alone.risk()[alone.groups.group_of_cell])
    assert np.isnan(closed_over(model, model.full, lambda mask: model.key_set(mask).risk())[model.full]).all()


def test_log_linear_risks_where_a_key_has_no_value_at_all_are_those_without_it() -> None:
    random = np.random.default_rng(8)
    pairs = [(int(a), int(b)) for a, b in random.integers(0, 4, (60, 2))]
    weights = [Fraction(int(w)) for w in random.integers(5, 40, 60)]
    (cells, index), model = counted(([(a, None, b) for a, b in pairs], [4, 2, 4], weights))
    (fewer, other_index), without = counted(([*pairs], [4, 4], weights))
    found = PopulationRisks(model, "log-linear").of_table(cells)
    expected = PopulationRisks(without, "log-linear").of_table(fewer)
    assert_allclose(index.spread(found), other_index.spread(expected), rtol=1e-12)
    assert found.max() < 0.5  # and not 1/f


def test_log_linear_risks_where_no_record_has_all_keys_are_those_of_each_pattern() -> None:
    random = np.random.default_rng(9)
    rows: list[Row] = [(int(a), None) if i % 2 else (None, int(a)) for i, a in enumerate(random.integers(0, 5, 80))]
    (cells, _index), model = counted((rows, [5, 5], [Fraction(30)] * 80))
    found = PopulationRisks(model, "log-linear").of_table(cells)
    alone = model.of_cells(lambda key_set: calibrated_risk(key_set.f, key_set.m, math.inf))
    assert_allclose(found, alone, rtol=1e-12)


def test_margins_through_dropped_variables_that_join_others() -> None:
    """A star and a chain of five keys, so that sums pass through one and through two dropped variables."""
    for star in (True, False):
        random = np.random.default_rng(5)
        columns = [random.integers(0, 3, 800)]
        for j in range(4):
            above = columns[0] if star else columns[-1]
            columns.append(np.where(random.random(800) < 0.7, above, random.integers(0, 3 + (j == 1), 800)))
        rows: list[Row] = list(zip(*(c.tolist() for c in columns), strict=True))
        cards = [int(c.max()) + 1 for c in columns]
        file = rows, cards, [Fraction(int(w)) for w in random.integers(2, 90, 800)]
        _, model = counted(file)
        full = model.key_set(model.full)
        assert sorted(full.edges) == ([(0, j) for j in range(1, 5)] if star else [(j, j + 1) for j in range(4)])
        twin = naive.Model(rows, file[2])
        for mask in (0b11110, 0b10001, 0b01010, 0):
            key_set = model.key_set(mask)
            found, values = model.summed_m(mask, model.full), values_of(model, key_set)
            expected = twin.summed(range(5), key_set.variables, cards)
            assert_allclose(found, [expected(value) for value in values], rtol=1e-11)
        assert_allclose(model.summed_m(model.full, model.full), full.m, rtol=1e-12)


@given(st.data())
def test_dropping_a_key_never_raises_a_closed_value(data: st.DataObject) -> None:
    _, model = counted(data.draw(files(data.draw(st.booleans()))))
    chance, upper = (lambda key_set: key_set.exceedance(0.05)), (lambda key_set: key_set.upper_risk(0.05))
    for value in (KeySet.risk, chance, upper):
        closed = closed_over(model, model.full, lambda mask, of=value: of(model.key_set(mask)))
        assert set(closed) == set(range(model.full + 1))
        for mask, found in closed.items():
            own = value(model.key_set(mask))
            member = model.cube.project(mask).member
            highest = own.copy()
            for smaller in range(mask):
                if smaller & mask == smaller:
                    below = closed[smaller][model.cube.project(smaller).group_of_cell[member]]
                    assert not np.any(below > found)
                    of_smaller = value(model.key_set(smaller))[model.cube.project(smaller).group_of_cell[member]]
                    highest = np.maximum(highest, of_smaller)
            assert_array_equal(found, highest)  # and it is no higher than one of them


def test_the_empty_key_set_is_the_risk_of_all_people() -> None:
    rows: list[Row] = [(i % 3, i % 2) for i in range(30)]
    _, model = counted((rows, [3, 2], [Fraction(11)] * 30))
    empty = model.key_set(0)
    assert (empty.f.tolist(), empty.m.tolist(), empty.a) == ([30.0], [300.0], math.inf)
    assert empty.risk()[0] == calibrated_risk(np.array([30]), np.array([300.0]), math.inf)[0]


@given(st.data())
def test_order_of_records_makes_no_difference(data: st.DataObject) -> None:
    rows, cards, exact = file = data.draw(files(data.draw(st.booleans()), 1))
    if sum(exact) < 1.02 * len(exact):
        return
    order = data.draw(st.permutations(range(len(rows))))
    (_cells, index), model = counted(file)
    (_others, other_index), other = counted(([rows[i] for i in order], cards, [exact[i] for i in order]))
    risk, again = model.of_cells(KeySet.risk), other.of_cells(KeySet.risk)
    assert_array_equal(index.spread(risk)[list(order)], other_index.spread(again))


@given(files(True, 1), st.booleans())
def test_weights_above_one_are_exact(file: File, two_limbs: bool) -> None:
    rows, cards, exact = file
    one_limb = Weights((np.array([int(w * 100) for w in exact]),), (2,))
    weights = naive_tables.weights_of(exact) if two_limbs else one_limb
    cells, index = table = tabulate_records(naive_tables.columns_of(rows, cards), weights)
    limbs = weights_above_one(table, weights)
    for cell in range(len(cells)):
        found = sum(Fraction(int(x[cell]), 10**d) for x, d in zip(limbs, weights.decimals, strict=True))
        members = np.flatnonzero(index.of_record == cell)
        assert found == sum((max(exact[i] - 1, Fraction(0)) for i in members), Fraction(0))


def test_a_census_means_one_in_f() -> None:
    rows: list[Row] = [(i % 3, i % 2) for i in range(11)] + [(None, 1)]
    (cells, _index), model = counted((rows, [3, 2], [Fraction(1)] * 12))
    assert_array_equal(model.of_cells(KeySet.risk), 1 / cells.f)
    without = PopulationModel(cells := tabulate(naive_tables.columns_of(rows, [3, 2]), None), ())
    assert_array_equal(without.of_cells(KeySet.risk), 1 / cells.f)
    closed = closed_over(without, without.full, lambda mask: without.key_set(mask).risk())[without.full]
    assert_array_equal(closed[:-1], 1 / cells.f[:-1])


@pytest.mark.parametrize(
    ("weight", "id"),
    [("1.005", "weights-normalised"), ("0.995", "weights-normalised"), ("0.5", "weights-below-records")],
)
def test_weights_that_do_not_add_up_to_a_population_are_refused(weight: str, id: str) -> None:
    rows: list[Row] = [(i % 3, i % 2) for i in range(40)]
    exact = [Fraction(weight)] * 38 + [Fraction(weight) / 2, Fraction(weight) * 3 / 2]
    table = tabulate_records(naive_tables.columns_of(rows, [3, 2]), weights := naive_tables.weights_of(exact, 4))
    with pytest.raises(DataError) as error:
        PopulationModel(table.cells, weights_above_one(table, weights))
    assert error.value.id == id
    assert "40 records" in str(error.value)


def test_missing_as_a_value_is_a_code_more() -> None:
    rows: list[Row] = [(i % 3 if i % 5 else None, i % 2) for i in range(60)]
    file = rows, [3, 2], [Fraction(5)] * 60
    (_cells, index), model = counted(file, "category")
    coded = [(3 if a is None else a, b) for a, b in rows]
    (_same, coded_index), plain = counted((coded, [4, 2], file[2]))  # type: ignore[list-item]
    assert_array_equal(index.spread(model.of_cells(KeySet.risk)), coded_index.spread(plain.of_cells(KeySet.risk)))


def test_incomplete_records_are_people_too() -> None:
    rows: list[Row] = [(i % 3, None if i % 4 == 0 else i % 2) for i in range(400)]
    _, model = counted((rows, [3, 2], [Fraction(10)] * 400))
    full = model.key_set(model.full)
    assert np.nansum(full.m) == pytest.approx(4000 - 300)


@pytest.mark.parametrize("recoded", [False, True])
def test_demodata_without_some_keys(shared: Path, recoded: bool) -> None:
    columns, weights = load(shared / "data" / "demodata", recoded)
    cells, index = table = tabulate_records([columns[name] for name in KEYS], weights)
    model = PopulationModel(cells, weights_above_one(table, weights))
    full, record = model.key_set(model.full), index.of_record[0]
    assert model.total - model.records == pytest.approx(1006466.1, abs=1e-9)
    assert [(KEYS[a], KEYS[b]) for a, b in full.edges] == [("AGE", "MARSTAT"), ("SEX", "MARSTAT")]
    closed = closed_over(model, model.full, lambda mask: model.key_set(mask).risk())[model.full]
    if recoded:
        assert (full.m[record], full.mu[record]) == pytest.approx((645.632638652, 4.00620535714), rel=1e-11)
        assert full.risk()[record] == pytest.approx(0.00153932, rel=3e-6)
        return
    assert (full.m[record], full.mu[record]) == pytest.approx((40.9934536158, 0.396441964286), rel=1e-11)
    assert full.risk()[record] == pytest.approx(0.0216908910934, rel=1e-11)
    without = {
        "AGE": (2.16005228886e-4, math.inf),
        "SEX": (8.78778660897e-3, 2.149276392),
        "MARSTAT": (2.46079022967e-3, 131.7080502),
        "SEX MARSTAT": (None, 2.638260908),
    }
    for names, (risk, a) in without.items():
        margin = model.key_set(model.full - sum(1 << KEYS.index(name) for name in names.split()))
        assert margin.a == pytest.approx(a, rel=1e-9)
        if risk is not None:
            assert margin.risk()[margin.groups.group_of_cell[record]] == pytest.approx(risk, rel=1e-11)
    assert float(closed @ cells.count) == pytest.approx(228.267452168, rel=1e-11)
    unsafe = [int(cells.count[values >= 0.05 * (1 - 1e-12)].sum()) for values in (full.risk(), closed)]
    assert unsafe == [1051, 1055]
