"""The check's own population model against the one that plans are made by, and against claims that are wrong."""

from __future__ import annotations

import math
import tracemalloc
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.check.population import ClaimedModel, ModelDiffers, PopulationJudge, chance_of_few, expected_inverse
from core.check.recount import DistinctKeys, tabulate_both
from core.data.columns import EncodedColumn, Weights
from core.risk.population_model import PopulationModel, weights_above_one
from core.risk.population_risks import PopulationEstimator, PopulationRisks
from core.suppression.joint.least_sizes import ReleasedRisks
from core.suppression.problem import ProtectedTable
from core.tables.cell_index import CellIndex
from core.tables.cells import Cells
from core.tables.tabulate import tabulate_records
from tests import naive_population as naive
from tests.naive_released import least_promised_size


def column(name: str, values: list[int], size: int) -> EncodedColumn:
    """Codes 0 .. size - 1; `size` is missing."""
    array = np.array(values, np.uint8)
    codes = (*map(str, range(size)), "x")
    counts = np.bincount(array, minlength=size + 1).astype(np.int64)
    return EncodedColumn(name, array, codes, codes, counts, size, 1)


def whole(weights: list[int]) -> Weights:
    return Weights((np.array(weights, np.int64),), (0,))


Case = tuple[list[list[int]], list[int], list[int]]


@st.composite
def files(draw: st.DrawFn, missing: bool = True) -> Case:
    """Records by variable, numbers of codes, and weights."""
    k = draw(st.integers(1, 4))
    sizes = [draw(st.integers(2, 4)) for _ in range(k)]
    n = draw(st.integers(4, 40))
    hidden = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    columns = []
    for size in sizes:
        noise = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
        values = [(h if e < 3 else e) % size for h, e in zip(hidden, noise, strict=True)]
        if missing:
            gone = draw(st.lists(st.booleans(), min_size=n, max_size=n)) if draw(st.booleans()) else [False] * n
            values = [size if g and i % 3 == 0 else v for i, (v, g) in enumerate(zip(values, gone, strict=True))]
        columns.append(values)
    weights = draw(st.lists(st.integers(1, 30), min_size=n, max_size=n))
    weights[0] = 31  # not about 1 each, which is refused
    return columns, sizes, weights


def planned(case: Case, estimator: PopulationEstimator) -> tuple[Cells, PopulationRisks]:
    values, sizes, weights = case
    columns = [column(f"V{j}", v, s) for j, (v, s) in enumerate(zip(values, sizes, strict=True))]
    table = tabulate_records(columns, whole(weights), "observed")
    model = PopulationModel(table.cells, weights_above_one(table, whole(weights)))
    return table.cells, PopulationRisks(model, estimator)


def judge(case: Case, claimed: ClaimedModel) -> tuple[PopulationJudge, DistinctKeys]:
    values, sizes, weights = case
    codes = [np.where(np.array(v) == s, 0, np.array(v) + 1) for v, s in zip(values, sizes, strict=True)]
    w = np.array(weights, np.int64)
    parts = [((w,), (0,)), ((w,), (0,))]
    bounds = [s + 1 for s in sizes]
    rows, before, _now = tabulate_both(codes, codes, bounds, parts)
    _rows, above, _ = tabulate_both(codes, codes, bounds, [((np.maximum(w - 1, 0),), (0,)), ((w,), (0,))])
    return PopulationJudge(rows, before, above.weight, claimed), rows


def claims(risks: PopulationRisks) -> ClaimedModel:
    full = risks.model.full
    risks.of_margin(full)
    return ClaimedModel(risks.model.scores(), risks.shapes, summed=risks.estimator == "log-linear")


def by_key(rows: DistinctKeys, values: NDArray[np.float64]) -> dict[tuple[int, ...], float]:
    keys = zip(*(code.tolist() for code in rows.codes), strict=True)
    return dict(zip(keys, values.tolist(), strict=True))


def keys_of(cells: Cells) -> list[tuple[int, ...]]:
    """The keys of cells as the check has them."""
    codes = (np.where(c == s, 0, c + 1).tolist() for c, s in zip(cells.codes, cells.cards, strict=True))
    return list(zip(*codes, strict=True))


@pytest.mark.parametrize("estimator", ["calibrated", "log-linear"])
@settings(max_examples=25, deadline=None)
@given(case=files())
def test_both_ways_give_the_same_risks(estimator: PopulationEstimator, case: Case) -> None:
    cells, risks = planned(case, estimator)
    expected = risks.of_table(cells)
    checker, rows = judge(case, claims(risks))
    found = by_key(rows, checker.risks(np.arange(len(rows.patterns))))
    for key, risk in zip(keys_of(cells), expected.tolist(), strict=True):
        assert found[key] == pytest.approx(risk, rel=1e-9)


@pytest.mark.parametrize("estimator", ["calibrated", "log-linear"])
def test_records_of_which_none_has_all_values_are_judged_alike(estimator: PopulationEstimator) -> None:
    apart: Case = [[0, 1, 2, 2, 2, 0], [2, 2, 0, 1, 2, 2]], [2, 2], [31, 2, 3, 4, 5, 6]
    empty: Case = [[0, 1, 0, 0, 1, 0], [2] * 6, [1, 0, 0, 0, 1, 2]], [2, 2, 2], [31, 2, 3, 4, 5, 6]
    for case in (apart, empty):
        alike(estimator, case)


def of_many_codes(records: int) -> Case:
    """Seven keys, each with some hundred codes, some missing."""
    draw = np.random.default_rng(3)
    hidden = draw.integers(0, 200, records)
    columns = [np.where(draw.random(records) < 0.6, hidden, draw.integers(0, 200, records)) for _ in range(7)]
    columns[2][::50] = 200
    return [column.tolist() for column in columns], [200] * 7, draw.integers(2, 60, records).tolist()


@pytest.mark.parametrize("estimator", ["calibrated", "log-linear"])
def test_many_codes_of_many_keys_take_little_memory(estimator: PopulationEstimator) -> None:
    case = of_many_codes(700)
    _cells, risks = planned(case, estimator)
    risks.of_margin(0b0011111)
    claimed = claims(risks)
    tracemalloc.start()
    try:
        checker, rows = judge(case, claimed)
        everybody = np.flatnonzero(rows.patterns == rows.all)
        f, m, mu, shape = checker._outside(rows.all)
        scale = m if np.isinf(shape) else m / (shape + mu)
        found = expected_inverse(f[everybody], scale[everybody], shape)
        outside = checker._outside(0b0011111)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 50e6
    assert len(found) > 600 and (0 < found).all() and (found <= 1).all()
    assert (outside[0][everybody] >= 1).all()


@pytest.mark.parametrize("estimator", ["calibrated", "log-linear"])
def test_many_codes_of_many_keys_are_judged_alike(estimator: PopulationEstimator) -> None:
    case = of_many_codes(60)
    cells, risks = planned(case, estimator)
    expected = dict(zip(keys_of(cells), risks.of_table(cells).tolist(), strict=True))
    checker, rows = judge(case, claims(risks))
    assert by_key(rows, checker.risks(np.arange(len(rows.patterns)))) == pytest.approx(expected, rel=1e-9)


def alike(estimator: PopulationEstimator, case: Case) -> None:
    cells, risks = planned(case, estimator)
    checker, rows = judge(case, claims(risks))
    with np.errstate(all="raise"):
        found = by_key(rows, checker.risks(np.arange(len(rows.patterns))))
    expected = dict(zip(keys_of(cells), risks.of_table(cells).tolist(), strict=True))
    assert found == pytest.approx(expected, rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(case=files(), threshold=st.sampled_from([0.02, 0.07, 1 / 3]), exceedance=st.sampled_from([0.05, 0.3]))
def test_both_ways_keep_the_same_promise(case: Case, threshold: float, exceedance: float) -> None:
    cells, risks = planned(case, "calibrated")
    unsafe = PopulationRisks(risks.model, "calibrated", exceedance).of_table(cells) >= threshold * (1 - 1e-12)
    checker, rows = judge(case, claims(risks))
    chance = by_key(rows, checker.exceeding(np.arange(len(rows.patterns)), threshold))
    for key, by_plan in zip(keys_of(cells), unsafe.tolist(), strict=True):
        assert (chance[key] >= exceedance) == by_plan


@settings(max_examples=25, deadline=None)
@given(case=files(), threshold=st.sampled_from([0.02, 0.07, 1 / 3]), exceedance=st.sampled_from([0.05, 0.3]))
def test_the_least_released_key_that_keeps_the_promise(case: Case, threshold: float, exceedance: float) -> None:
    cells, risks = planned(case, "calibrated")
    model = risks.model
    upper = PopulationRisks(model, "calibrated", exceedance)
    index = CellIndex(np.arange(len(cells), dtype=np.uint32))
    table = ProtectedTable(cells, index, threshold, "calibrated", None, upper.of_table(cells), upper)
    by_plan = ReleasedRisks(table).least_sizes()
    checker, rows = judge(case, claims(risks))
    place = {key: row for row, key in enumerate(zip(*(code.tolist() for code in rows.codes), strict=True))}
    asking = np.array([place[key] for key in keys_of(cells)])
    by_check = checker.sizes_without_few(asking, cells.f, threshold, exceedance * (1 + 1e-9))
    for cell, f in enumerate(cells.f.astype(int).tolist()):
        margins = []
        for part in range(model.full + 1):
            if not part & int(cells.missing[cell]):
                group, key_set = model.cube.project(part).group_of_cell[cell], model.key_set(part)
                margins.append((int(key_set.f[group]), float(key_set.scale[group]), key_set.a))
        least = least_promised_size(margins, f, threshold, exceedance)
        assert by_check[cell] == least
        assert by_plan[cell] == (min(least, cells.records + 1) if least > f else 0)


@pytest.mark.parametrize("shape", [1e-3, 0.7, 25.0, 5e3, math.inf])
def test_chances_agree_with_many_digits(shape: float) -> None:
    f, scale = np.array([1, 1, 2, 5, 10, 300, 4, 4]), np.array([1e-6, 40.0, 3.0, 1e-3, 0.5, 2.0, 0.0, 800.0])
    for threshold in (1.0, 1 / 3, 0.004):
        found, most = chance_of_few(f, scale, shape, threshold), math.floor(1 / threshold + 1e-9)
        for size, theta, chance in zip(f.tolist(), scale.tolist(), found.tolist(), strict=True):
            exact = 1.0 * (size <= most) if not theta else float(naive.few(size, theta, shape, most))
            assert chance == pytest.approx(exact, rel=1e-10, abs=1e-300)


@settings(max_examples=25, deadline=None)
@given(case=files())
def test_leaving_a_variable_out_never_raises_a_risk(case: Case) -> None:
    _cells, risks = planned(case, "calibrated")
    full = risks.model.full
    for mask in range(1, full + 1):
        for j in range(mask.bit_length()):
            if mask >> j & 1:
                larger, smaller = risks.of_cells(mask), risks.of_cells(mask & ~(1 << j))
                known = ~np.isnan(larger)
                assert (smaller[known] <= larger[known]).all()


def dependent() -> Case:
    """Variables that go together in pairs, and cells that scatter around that: a is finite."""
    draw = np.random.default_rng(5)
    first, second, third = (grid.ravel() for grid in np.meshgrid(range(6), range(6), range(9), indexing="ij"))
    share = np.where(first == second, 6.0, 1.0) * draw.gamma(0.3, size=len(first))
    cell = draw.choice(len(first), 300, p=share / share.sum())
    weights = draw.integers(5, 60, 300).tolist()
    return [first[cell].tolist(), second[cell].tolist(), third[cell].tolist()], [6, 6, 9], weights


def test_wrong_claims_are_found() -> None:
    case = dependent()
    _cells, risks = planned(case, "calibrated")
    true = claims(risks)
    assert true.scores[0, 1] > 0
    judge(case, true)[0].risks(np.arange(3))
    for scores in ({**true.scores, (0, 1): true.scores[0, 1] * (1 + 1e-6)}, {**true.scores, (0, 2): 1.0}):
        with pytest.raises(ModelDiffers, match="dependence"):
            judge(case, replace(true, scores=scores))
    full = risks.model.full
    assert math.isfinite(true.shapes[full])
    wrong = (true.shapes[full] * 1.001, math.inf, 1e-3)
    for shape in wrong:
        with pytest.raises(ModelDiffers, match="scatter"):
            judge(case, replace(true, shapes={**true.shapes, full: shape}))[0].risks(np.arange(3))
    with pytest.raises(ModelDiffers, match="scatter"):
        judge(case, replace(true, shapes={}))[0].risks(np.arange(3))


@pytest.mark.parametrize("shape", [0.0, 1e-3, 0.5, 2.0, 77.7, 1e4, math.inf])
def test_the_integral_agrees_with_forty_digits(shape: float) -> None:
    sizes = np.array([1.0, 2, 3, 10, 77, 1000, 10**6])
    scales = np.array([0.0, 1e-9, 1e-3, 0.4, 3.0, 250.0, 1e5, 1e8])
    f, scale = (grid.ravel() for grid in np.meshgrid(sizes, scales))
    found = expected_inverse(f, scale, shape)
    assert (found <= 1 / f).all()  # of a risk above 1 there is no household risk
    with mpmath.workdps(40):
        for size, theta, risk in zip(f.tolist(), scale.tolist(), found.tolist(), strict=True):
            if math.isinf(shape):
                exact = mpmath.hyp1f1(1, size + 1, -mpmath.mpf(theta)) / size
            else:
                q = mpmath.mpf(theta) / (1 + mpmath.mpf(theta))
                exact = mpmath.hyp2f1(1 - mpmath.mpf(shape), 1, size + 1, q) * (1 - q) / size
            assert risk == pytest.approx(float(exact), rel=2e-11)
