"""The second opinion: figures of Demodata, interval and verdict by their formulas."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.risk.individual import individual_risk
from core.risk.negative_binomial import calibrated_risk, none_outside
from core.risk.population_model import KeySet, PopulationModel, weights_above_one
from core.risk.second_opinion import ModelEstimate, second_opinion
from core.tables.cell_index import Tabulation
from core.tables.tabulate import tabulate_records
from tests import naive_tables
from tests.core.suppression.demodata import KEYS, load
from tests.naive_tables import Row


def of_rows(
    rows: list[Row], cards: list[int], exact: list[Fraction], rule: str = "observed"
) -> tuple[Tabulation, PopulationModel, ModelEstimate]:
    weights = naive_tables.weights_of(exact)
    table = tabulate_records(naive_tables.columns_of(rows, cards), weights, rule)  # type: ignore[arg-type]
    model = PopulationModel(table.cells, weights_above_one(table, weights))
    return table, model, second_opinion(table.cells, model)


@pytest.fixture(scope="module")
def some() -> tuple[Tabulation, PopulationModel, ModelEstimate]:
    """A file with missing values and dependent keys."""
    random = np.random.default_rng(3)
    first = random.integers(0, 12, 900)
    second = np.where(random.random(900) < 0.5, first // 2, random.integers(0, 8, 900))
    third = random.integers(0, 9, 900)
    gone = random.random((3, 900)) < 0.1
    rows: list[Row] = [
        tuple(None if gone[j, i] else int(column[i]) for j, column in enumerate((first, second, third)))
        for i in range(900)
    ]
    return of_rows(rows, [12, 8, 9], [Fraction(int(w)) for w in random.integers(2, 60, 900)])


@pytest.mark.parametrize("recoded", [False, True])
def test_demodata(shared: Path, recoded: bool) -> None:
    columns, weights = load(shared / "data" / "demodata", recoded)
    cells = (table := tabulate_records([columns[name] for name in KEYS], weights)).cells
    found = second_opinion(cells, model := PopulationModel(cells, weights_above_one(table, weights)))
    f = model.key_set(model.full).f
    sums = found.expected_reidentifications, found.log_linear, found.independence
    individual = float(individual_risk(cells.f, cells.F) @ cells.count)
    assert found.edges == (("AGE", "MARSTAT"), ("SEX", "MARSTAT"))
    assert not found.rests_on_model
    if recoded:
        assert (int((f == 1).sum()), found.pairs, found.a) == (114, 63, None)
        assert sums == pytest.approx((3.03593222941, 3.03593222941, 3.46598497247), rel=1e-11)
        assert found.interval == pytest.approx((1.59665, 5.77263), abs=5e-6)
        assert (found.half_width, found.variance) == pytest.approx((0.642608799, 0.896405547), rel=1e-9)
        assert (found.maximum, found.correct_matches) == pytest.approx((0.101314759815, 0.923105668534), rel=1e-11)
        assert found.verdict(individual) == "too high"
        return
    assert (int((f == 1).sum()), found.pairs) == (3014, 362)
    assert found.a == pytest.approx(5.9329041907, rel=1e-11)
    assert sums == pytest.approx((227.931707244, 231.514009481, 298.551371475), rel=1e-11)
    assert found.interval == pytest.approx((185.195, 280.530), abs=5e-4)
    assert (found.half_width, found.variance) == pytest.approx((0.207635196, 153.394498160), rel=3e-9)
    assert (found.maximum, found.correct_matches) == pytest.approx((0.982602931755, 212.691895643), rel=1e-11)
    assert found.verdict(individual) == "too low"
    assert found.ratio(individual) == pytest.approx(227.931707244 / 78.2550159921, rel=1e-11)


def test_sums_by_the_definition(some: tuple[Tabulation, PopulationModel, ModelEstimate]) -> None:
    (cells, index), model, found = some
    f = index.spread(model.of_cells(lambda key_set: key_set.f))
    assert_array_equal(f, index.spread(cells.f))
    risk = index.spread(model.of_cells(KeySet.risk))
    poisson = index.spread(model.of_cells(lambda k: calibrated_risk(k.f, k.m, math.inf)))
    independent = index.spread(model.of_cells(lambda k: calibrated_risk(k.f, k.m_independent, math.inf)))
    alone = index.spread(model.of_cells(lambda k: none_outside(k.scale, k.a)))
    assert_array_equal(index.spread(found.risk), risk)
    assert_allclose(found.expected_reidentifications, risk.sum(), rtol=1e-12)
    assert_allclose(found.log_linear, poisson.sum(), rtol=1e-12)
    assert_allclose(found.independence, independent.sum(), rtol=1e-12)
    assert_allclose(found.population_uniques, alone[f == 1].sum(), rtol=1e-12)
    assert_allclose(found.correct_matches, risk[f == 1].sum(), rtol=1e-12)
    assert_allclose(found.variance, (risk * (1 - risk))[f == 1].sum(), rtol=1e-12)
    assert found.pairs == (f == 2).sum() / 2
    assert found.maximum == risk.max()
    assert (found.a or math.inf) == model.key_set(model.full).a


def test_interval(some: tuple[Tabulation, PopulationModel, ModelEstimate]) -> None:
    base = replace(
        some[2], expected_reidentifications=50.0, log_linear=60.0, independence=80.0, pairs=30.0, variance=20.0
    )
    square = 1.96**2 * (1 / 120 + 20 / 2500) + 0.15**2 + (0.3 * math.log(1.6)) ** 2 + (0.5 * math.log(1.2)) ** 2
    assert base.half_width == pytest.approx(math.sqrt(square), rel=1e-14)
    low, high = base.interval
    assert (low, high) == pytest.approx((50 * math.exp(-base.half_width), 50 * math.exp(base.half_width)))
    no_pairs = replace(base, pairs=0.0, log_linear=50.0, independence=50.0)
    assert no_pairs.half_width == pytest.approx(math.sqrt(1.96**2 * (1 / 4 + 20 / 2500) + 0.15**2))
    assert replace(no_pairs, variance=9e9).half_width == pytest.approx(math.sqrt(1 + 0.15**2))


@pytest.mark.parametrize(("individual", "verdict"), [(39.9, "too low"), (40.0, ""), (62.5, ""), (62.6, "too high")])
def test_when_the_individual_risk_will_do(
    some: tuple[Tabulation, PopulationModel, ModelEstimate], individual: float, verdict: str
) -> None:
    assert replace(some[2], expected_reidentifications=50.0).verdict(individual) == verdict


def test_small_shares_of_a_population_rest_on_the_model() -> None:
    rows: list[Row] = [(i % 7, i % 5) for i in range(60)]
    assert of_rows(rows, [7, 5], [Fraction(501)] * 60)[2].rests_on_model
    assert not of_rows(rows, [7, 5], [Fraction(499)] * 60)[2].rests_on_model
    assert not of_rows(rows * 34, [7, 5], [Fraction(501)] * 2040)[2].rests_on_model


def test_records_left_out_are_left_out() -> None:
    rows: list[Row] = [(i % 7, i % 5 if i % 6 else None) for i in range(60)]
    exact = [Fraction(30)] * 60
    (cells, _index), _, listwise = of_rows(rows, [7, 5], exact, "listwise")
    _, _, observed = of_rows(rows, [7, 5], exact)
    complete = cells.missing == 0
    assert np.isnan(listwise.risk[~complete]).all()
    assert_array_equal(listwise.risk[complete], observed.risk[complete])
    assert listwise.expected_reidentifications < observed.expected_reidentifications
    assert listwise.a == observed.a


def test_a_file_of_incomplete_records_only() -> None:
    rows: list[Row] = [(i % 7, None) if i % 2 else (None, i % 5) for i in range(60)]
    (cells, _index), _, found = of_rows(rows, [7, 5], [Fraction(30)] * 60)
    assert found.a is None
    assert np.isfinite(found.risk).all()
    assert 0 < found.expected_reidentifications < len(cells)
    assert math.isfinite(found.half_width)


def test_a_census_has_no_interval_to_speak_of() -> None:
    rows: list[Row] = [(i % 7, i % 5) for i in range(60)]
    (cells, _index), _, found = of_rows(rows, [7, 5], [Fraction(1)] * 60)
    assert found.expected_reidentifications == pytest.approx(len(cells))
    assert found.population_uniques == found.correct_matches == float((cells.f == 1).sum())


def test_nobody_to_judge() -> None:
    rows: list[Row] = [(i % 7, None) for i in range(60)]
    _, _, found = of_rows(rows, [7, 5], [Fraction(30)] * 60, "listwise")
    assert (found.expected_reidentifications, found.interval, found.verdict(0.0)) == (0.0, (0.0, 0.0), "")
    assert math.isnan(found.ratio(0.0))
