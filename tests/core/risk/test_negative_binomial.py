"""Risk under the population model: kernels against many digits, every branch and the borders between them."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core.kernels import negative_binomial as kernels
from core.risk.individual import individual_risk
from core.risk.negative_binomial import (
    calibrated_risk,
    dispersion,
    exceedance,
    most_calibrated_risk,
    none_outside,
    scale_of,
    upper_risk,
)
from tests import naive_population as naive

SCALES = [1e-12, 1e-6, 1e-3, 0.2, 1.0, 3.0, 100.0, 1e5, 1e9]
SHAPES = [0.0, 1e-3, 0.5, 1.0, 7.3, 300.0, 1e4, math.inf]


def one(f: float, scale: float, a: float) -> float:
    return float(calibrated_risk(np.array([f]), np.array([scale]), a)[0])


def relative_error(f: int, scale: float, a: float) -> float:
    exact = naive.risk(f, scale, a, 24)
    return float(abs(one(f, scale, a) - exact) / exact)


@pytest.mark.parametrize(
    ("f", "scale", "a", "value"),
    [
        (1, 100, 0.5, 0.018009925619580022),
        (2, 100, 0.5, 0.006546600495869467),
        (3, 20, 2, 0.012093726379440665),
        (5, 0.3, 1.5, 0.15083654867313948),
        (40, 50, 0.1, 5.012473230947853e-4),
        (1, 2, math.inf, 0.43233235838169365),
        (2, 2, math.inf, 0.28383382080915315),
        (5, 0.3, math.inf, 0.1904130200704586),
    ],
)
def test_known_values(f: int, scale: float, a: float, value: float) -> None:
    assert_allclose(one(f, scale, a), value, rtol=2e-15)


def test_known_value_of_many_records_and_people() -> None:
    assert_allclose(one(40, 1e4, math.inf), 9.96114765363e-05, rtol=1e-12)


def test_the_twin_against_the_hypergeometric_function_to_fifty_digits() -> None:
    with mpmath.workdps(60):
        for f, theta, a in ((1, 100.0, 0.5), (3, 20.0, 2.5), (25, 0.3, 150.0), (7, 1e4, 1e-3)):
            q = mpmath.mpf(theta) / (1 + mpmath.mpf(theta))
            exact = (1 - q) / f * mpmath.hyp2f1(1 - mpmath.mpf(a), 1, f + 1, q)
            assert abs(naive.risk(f, theta, a, 50) / exact - 1) < 1e-47
        for f, m in ((1, 2.0), (9, 0.25), (4, 300.0)):
            exact = mpmath.hyp1f1(1, f + 1, -mpmath.mpf(m)) / f
            assert abs(naive.risk(f, m, math.inf, 50) / exact - 1) < 1e-47


@pytest.mark.parametrize(("turn", "f"), list(enumerate([1, 2, 5, 40, 1000, 10**6])))
def test_exact_on_a_grid(turn: int, f: int) -> None:
    """Every third point of it, and the others with the next f: 24 digits take their time."""
    shapes = SHAPES[f == 10**6 :: 1 + (f > 1000)]
    points = [(scale, a) for i, scale in enumerate(SCALES) for j, a in enumerate(shapes) if (i + j + turn) % 3 == 0]
    assert max(relative_error(f, scale, a) for scale, a in points) < 1e-13


@pytest.mark.parametrize("f", [2, 3, 17, 400, 10**6])
@pytest.mark.parametrize("a", [1e-3, 1.0, 30.5, 1e4, math.inf])
@pytest.mark.parametrize("off", [-1e-14, 1e-14])
def test_exact_on_the_borders_between_branches(f: int, a: float, off: float) -> None:
    borders = [float(f)] if math.isinf(a) else [(0.3 * f + 0.7) / (a + 1), f / (a + f), 1e-8 / a]
    assert max(relative_error(f, scale * (1 + off), a) for scale in borders) < 1e-12


@given(
    st.integers(1, 10**6) | st.integers(1, 60), st.floats(-12, 9), st.floats(-3, 4) | st.sampled_from([math.inf, 0.0])
)
def test_exact_anywhere(f: int, log_scale: float, log_a: float) -> None:
    a = log_a if log_a in (math.inf, 0.0) else 10**log_a
    assert relative_error(f, 10**log_scale, a) < 1e-12


@given(st.integers(1, 10**5), st.floats(1e-6, 1 - 1e-6))
def test_no_scatter_left_is_the_individual_risk(f: int, p: float) -> None:
    expected = individual_risk(np.array([f]), np.array([f / p]))[0]
    assert_allclose(one(f, (1 - p) / p, 0.0), expected, rtol=1e-9)  # 1 - p itself is rounded


def test_much_of_it_is_the_poisson() -> None:
    for f, m in ((1, 3.0), (4, 0.5), (12, 90.0)):
        assert_allclose(one(f, m / 1e9, 1e9), one(f, m, math.inf), rtol=1e-6)


def test_nobody_outside_and_undefined_cells() -> None:
    f = np.array([1.0, 4.0, np.nan, 2.0, 0.0])
    scale = np.array([0.0, 0.0, 1.0, np.nan, 1.0])
    for a in (0.0, 2.0, math.inf):
        assert_array_equal(calibrated_risk(f, scale, a), [1.0, 0.25, np.nan, np.nan, np.nan])


@given(
    st.integers(1, 3000),
    st.floats(0, 1e6) | st.sampled_from(SCALES),
    st.floats(0, 1e5) | st.sampled_from(SHAPES),
)
def test_the_upper_bound_is_at_least_the_risk(f: int, scale: float, a: float) -> None:
    assert most_calibrated_risk(np.array([f]), np.array([scale]), a)[0] >= one(f, scale, a)


def test_the_upper_bound_is_near_the_risk_of_many_records() -> None:
    for a in (0.0, 3.0, 1e5, math.inf):
        for scale in (0.0, 0.1, 50.0, 1e4):
            bound = most_calibrated_risk(np.array([1000.0]), np.array([scale]), a)[0]
            assert_allclose(bound, one(1000, scale, a), rtol=0.003)


def test_blocks_and_other_number_types() -> None:
    f = np.arange(1, 40_001)
    risk = calibrated_risk(f, np.full(40_000, 9.0), 2.0)
    assert risk[29_999] == one(30_000, 9.0, 2.0)
    assert len(calibrated_risk(f[:0], np.empty(0), 2.0)) == 0


@given(st.integers(1, 200), st.floats(-6, 6), st.floats(-3, 4))
def test_more_records_and_more_people_never_raise_the_risk(f: int, log_scale: float, log_a: float) -> None:
    scale, a = 10**log_scale, 10**log_a
    assert one(f + 1, scale, a) <= one(f, scale, a) * (1 + 1e-13)
    assert one(f, scale * 1.01, a) <= one(f, scale, a) * (1 + 1e-13)


@pytest.mark.parametrize("a", [0.0, 1e-3, 0.7, 25.0, math.inf])
@pytest.mark.parametrize("threshold", [0.5, 0.1, 1 / 3, 0.004])
def test_exceedance_by_adding_probabilities(a: float, threshold: float) -> None:
    f = np.array([1, 1, 2, 5, 10, 300])
    scale = np.array([1e-6, 40.0, 3.0, 1e-3, 0.5, 2.0])
    found = exceedance(f, scale, a, threshold)
    most = math.floor(1 / threshold + 1e-9)
    for i in range(len(f)):
        assert_allclose(found[i], float(naive.few(int(f[i]), scale[i], a, most)), rtol=1e-11, atol=0)


def test_exceedance_in_the_far_tail() -> None:
    for f, scale, a in ((1, 1e6, 2.5), (30, 1e3, 40.0), (1, 400.0, math.inf)):
        exact = naive.few(f, scale, a, 50)
        assert exact < 1e-10
        assert_allclose(exceedance(np.array([f]), np.array([scale]), a, 0.02)[0], float(exact), rtol=1e-11, atol=0)


def test_exceedance_of_undefined_cells_and_of_nobody_outside() -> None:
    found = exceedance(np.array([np.nan, 2.0, 2.0, 11.0]), np.array([1.0, np.nan, 0.0, 0.0]), 1.5, 0.1)
    assert_array_equal(found, [np.nan, np.nan, 1.0, 0.0])


@given(
    st.integers(1, 300),
    st.floats(-6, 4),
    st.floats(-3, 4) | st.just(math.inf),
    st.sampled_from([0.01, 0.05, 0.5, 0.9]),
)
def test_upper_risk_is_the_last_threshold_that_is_exceeded_often_enough(
    f: int, log_scale: float, log_a: float, alpha: float
) -> None:
    size, scale = np.array([float(f)]), np.array([10**log_scale])
    a = log_a if log_a == math.inf else 10**log_a
    people = round(1 / upper_risk(size, scale, a, alpha)[0])
    assert people >= f
    assert exceedance(size, scale, a, 1 / people)[0] >= alpha
    if people > 1:
        assert exceedance(size, scale, a, 1 / (people - 1))[0] < alpha
    # A threshold is taken for a whole number of people that it is within 1e-9 of.
    assert upper_risk(size, scale, a, alpha)[0] >= 1 / people


def test_upper_risk_of_undefined_cells_and_of_nobody_outside() -> None:
    f, scale = np.array([np.nan, 2.0, 4.0, 1.0]), np.array([1.0, np.nan, 0.0, 0.0])
    for a in (1.5, math.inf):
        assert_allclose(upper_risk(f, scale, a, 0.05), [np.nan, np.nan, 0.25, 1.0], rtol=1e-9)
    assert len(upper_risk(f[:0], scale[:0], 2.0, 0.05)) == 0


def test_uniques_in_the_population() -> None:
    for a in (0.3, math.inf):
        found = none_outside(np.array([0.7]), a)
        assert_allclose(found, float(naive.few(1, 0.7, a, 1)), rtol=1e-14)


CELLS = st.lists(st.tuples(st.sampled_from([1, 1, 2, 3]), st.floats(1e-4, 30.0)), max_size=40)


@given(CELLS)
def test_dispersion_is_the_best_point(cells: list[tuple[int, float]]) -> None:
    f, mu = [count for count, _ in cells], [expected for _, expected in cells]
    a = dispersion(np.array(f, float), np.array(mu))
    if not any(count <= 2 for count in f):
        assert a == math.inf
        return
    heights = [naive.log_likelihood(f, mu, point) for point in kernels.GRID]
    assert max(heights) <= naive.log_likelihood(f, mu, min(a, 1e4)) + 1e-9
    inside = 1e-3 * (1 + 1e-12) < a < math.inf
    if inside:
        residual = sum(
            ((count == 2) - (rho := m * (a + 1) / (2 * (a + m))) / (1 + rho)) * (m - 1) / (a + m)
            for count, m in cells
            if count <= 2
        )
        scale = sum(abs(m - 1) / (a + m) for count, m in cells if count <= 2)
        assert abs(residual) <= 1e-9 * max(scale, 1e-3)


def test_dispersion_at_the_ends() -> None:
    few, many = np.full(50, 0.3), np.full(50, 3.0)
    assert dispersion(np.ones(50), few) == math.inf  # no pairs where few are expected: nothing scatters
    assert dispersion(np.ones(50), many) == pytest.approx(1e-3)
    assert dispersion(np.full(50, 3.0), few) == math.inf
    assert dispersion(np.empty(0), np.empty(0)) == math.inf


@given(CELLS, st.floats(-3, 4))
def test_the_likelihood_kernel_equals_its_twin(cells: list[tuple[int, float]], log_a: float) -> None:
    a = 10**log_a
    found = sum(kernels.log_likelihood(np.array([m for f, m in cells if f == size]), size == 2, a) for size in (1, 2))
    expected = naive.log_likelihood([f for f, _ in cells], [m for _, m in cells], a)
    assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_the_likelihood_of_many_unlikely_cells_does_not_underflow() -> None:
    mu = np.array([1e-200, 1e-90, 1e-8, 5e3] * 100)
    expected = naive.log_likelihood([2] * 400, mu.tolist(), 20.0)
    assert_allclose(kernels.log_likelihood(mu, True, 20.0), expected, rtol=1e-13)


def test_scale() -> None:
    m, mu = np.array([6.0]), np.array([1.0])
    assert_array_equal(scale_of(m, mu, 2.0), [2.0])
    assert_array_equal(scale_of(m, mu, math.inf), m)
