from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core.risk.individual import individual_risk, is_unsafe
from tests import naive_tables as naive

FREQUENCIES = [1, 2, 3, 4, 5, 7, 10, 17, 25, 38, 39, 40, 41, 60, 100, 1000, 31_623, 10**6]
RATES = [1e-9, 1e-7, 1e-5, 1e-3, 0.01, 0.1, 0.3, 0.49, 0.4999999, 0.5, 0.51, 0.7, 0.9, 0.99, 0.99999, 1 - 1e-9]


def relative_error(f: float, population: float) -> float:
    found = individual_risk(np.array([f]), np.array([population]))[0]
    exact = naive.risk(f, population)
    return float(abs(mpmath.mpf(found) - exact) / exact)


@pytest.mark.parametrize("f", FREQUENCIES)
def test_exact_on_a_grid(f: int) -> None:
    assert max(relative_error(f, f / p) for p in RATES) < 1e-13


def test_the_twin_for_large_frequencies() -> None:
    for p in (1e-9, 0.3, 0.999):
        with mpmath.workdps(50):
            value = naive._series(1, 1, mpmath.mpf(20_001), 1 - mpmath.mpf(p))
            assert abs(value - mpmath.hyp2f1(1, 1, 20_001, 1 - mpmath.mpf(p))) < mpmath.mpf(10) ** -45


@pytest.mark.parametrize(
    "f", [1 + 1e-12, 1 + 1e-6, 1.01, 1.25, 1.5, 1.999, 2.5, 3.75, 10.3, 39.5, 39.999, 40.5, 1234.5]
)
def test_exact_for_frequencies_that_are_no_integers(f: float) -> None:
    assert max(relative_error(f, f / p) for p in RATES) < 1e-13


@given(st.integers(1, 10**6) | st.integers(1, 60), st.floats(1e-9, 1.0))
def test_exact_anywhere(f: int, p: float) -> None:
    assert relative_error(f, f / p) < 1e-12


@given(st.floats(1.0, 60.0), st.floats(1e-9, 1.0))
def test_exact_anywhere_between_integers(f: float, p: float) -> None:
    assert relative_error(f, f / p) < 1e-12


@pytest.mark.parametrize("f", FREQUENCIES)
@pytest.mark.parametrize("off", [-1e-6, -1e-15, 0.0, 2e-16, 5e-13, 0.9e-12, 1.1e-12, 1e-10, 1e-6])
def test_populations_about_as_large_as_the_sample(f: int, off: float) -> None:
    assert relative_error(f, f * (1 + off)) < 1e-12


@pytest.mark.parametrize("population", [0.0, 0.5, 3.0, 2.9999999])
def test_no_larger_population_than_sample_means_one_in_f(population: float) -> None:
    assert individual_risk(np.array([3.0]), np.array([population]))[0] == 1 / 3


def test_undefined_stays_undefined() -> None:
    risk = individual_risk(np.array([np.nan, 1.0, 2.0, 0.0]), np.array([np.nan, np.nan, 2.0, 0.0]))
    assert_array_equal(risk, [np.nan, np.nan, 0.5, np.nan])


def test_blocks_and_other_number_types() -> None:
    f = np.arange(1, 40_001)
    risk = individual_risk(f, 10 * f)
    assert risk[29_999] == individual_risk(np.array([30_000.0]), np.array([300_000.0]))[0]
    assert len(individual_risk(f[:0], f[:0])) == 0


@given(st.integers(1, 50), st.floats(1e-6, 1.0), st.floats(0.0, 1e4))
def test_a_record_more_never_raises_the_risk(f: int, p: float, weight: float) -> None:
    before, after = individual_risk(np.array([f, f + 1.0]), np.array([f / p, f / p + weight]))
    assert after <= before * (1 + 1e-13)


@pytest.mark.parametrize("p", [1e-6, 0.01, 0.3, 0.8])
def test_truncated_is_exact_up_to_three(p: float) -> None:
    f = np.array([1.0, 2.0, 3.0])
    assert_array_equal(individual_risk(f, f / p, "truncated"), individual_risk(f, f / p))


@pytest.mark.parametrize("p", [1e-6, 0.01, 0.3, 0.8, 0.999])
@pytest.mark.parametrize("f", [4, 5, 20, 1000])
def test_truncated_has_seven_terms(f: int, p: float) -> None:
    q = 1 - p
    series = 1 + sum(mpmath.factorial(j) * q**j / mpmath.rf(f + 1, j) for j in range(1, 8))
    found = individual_risk(np.array([float(f)]), np.array([f / p]), "truncated")[0]
    assert_allclose(found, float(p / f * series), rtol=1e-14)


def test_truncated_is_six_per_mille_low_at_four() -> None:
    f, population = np.array([4.0]), np.array([4e6])
    assert_allclose(individual_risk(f, population, "truncated") / individual_risk(f, population), 0.994, atol=5e-4)


def test_one_test_of_a_threshold() -> None:
    risk = np.array([0.1, 0.1 * (1 - 1e-13), 0.1 * (1 - 1e-11), np.nan, 0.2])
    assert is_unsafe(risk, 0.1).tolist() == [True, True, False, False, True]
    assert not is_unsafe(risk, None).any()
