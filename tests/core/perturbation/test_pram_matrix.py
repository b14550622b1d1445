"""Transition matrices: best by enumeration, exactly invariant, and without the defects of other programs'."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.perturbation.least_norm import least_norm
from core.perturbation.pram_matrix import (
    UnreachableError,
    invariant_matrix,
    least_protection,
    neighbours,
    true_given_released,
    uniform_matrix,
)
from tests import naive_pram as naive

Array = NDArray[np.float64]

ROOF = np.array([814.0, 3697.0, 19.0, 34.0, 16.0])
GOLDEN = Path(os.environ.get("PAVO_SHARED", Path(__file__).resolve().parents[4] / "shared")) / "golden"

shares = st.sampled_from([0.0, 0.25, 0.5, 0.8, 0.95, 1.0])


def pairs(codes: int, band: int = 0) -> NDArray[np.bool_]:
    return neighbours(np.arange(codes)[:, None], band)


def expected_changes(counts: Array, matrix: Array) -> float:
    return float(counts @ (1 - np.diag(matrix)))


@st.composite
def problems(draw: st.DrawFn, largest: int = 7) -> tuple[Array, NDArray[np.bool_], Array, float]:
    """Counts, pairs, keep, and how far `protect` is between the least that can be reached and one."""
    codes = draw(st.integers(1, largest))
    counts = draw(st.lists(st.integers(1, 10) | st.integers(1, 10**6), min_size=codes, max_size=codes))
    keep = draw(st.lists(shares, min_size=codes, max_size=codes) | shares.map(lambda one: [one] * codes))
    band = draw(st.integers(0, 2))
    return np.array(counts, np.float64), pairs(codes, band), np.array(keep), draw(st.sampled_from([0.0, 0.3, 1.0]))


@given(problems())
def test_invariants_hold_exactly(problem: tuple[Array, NDArray[np.bool_], Array, float]) -> None:
    counts, near, keep, far = problem
    least = least_protection(counts, near, keep)
    protect = least + far * (1 - least)
    for wanted in (None, protect):
        matrix = invariant_matrix(counts, near, keep, wanted)
        assert matrix.min() >= 0
        assert np.abs(matrix.sum(axis=1) - 1).max() < 1e-12
        assert np.abs(counts @ matrix - counts).max() < 1e-12 * counts.sum()
        assert not matrix[~near & ~np.eye(len(counts), dtype=bool)].any()
        assert (np.diag(matrix) >= keep - 1e-12).all()
        assert np.diag(true_given_released(counts, matrix)) == pytest.approx(np.diag(matrix), abs=1e-12)
    assert np.diag(matrix).max() <= protect + 3e-9


@given(problems(3))
def test_no_corner_of_all_matrices_is_better(problem: tuple[Array, NDArray[np.bool_], Array, float]) -> None:
    counts, near, keep, far = problem
    near = pairs(len(counts))
    least = least_protection(counts, near, keep)
    protect = min(1.0, least + 1e-6 + far * (1 - least))
    if len(counts) == 1:
        assert invariant_matrix(counts, near, keep).tolist() == [[1]]
        return
    none, most, low = np.zeros(len(counts)), 1 - keep, np.minimum(1 - keep, 1 - protect)
    wanted = (
        naive.extreme_change(counts, near, none, most, True),
        naive.extreme_change(counts, near, low, most, False),
    )
    made = (invariant_matrix(counts, near, keep), invariant_matrix(counts, near, keep, protect))
    for best, matrix in zip(wanted, made, strict=True):
        assert expected_changes(counts, matrix) == pytest.approx(best, rel=1e-7, abs=1e-7 * counts.sum())
    if least > 1e-5:
        beyond = np.minimum(1 - keep, 1 - least + 1e-5)
        within_keep = (beyond == 1 - least + 1e-5).all()
        assert not within_keep or naive.extreme_change(counts, near, beyond, most, False) is None


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=6))
def test_without_a_keep_the_least_protection_is_two_minus_n_by_the_most_frequent(counts: list[int]) -> None:
    t = np.array(counts, np.float64)
    assert least_protection(t, pairs(len(t)), np.zeros(len(t))) == pytest.approx(
        max(0, 2 - t.sum() / t.max()), abs=1e-9
    )


def test_protection_out_of_reach_says_what_is_within() -> None:
    with pytest.raises(UnreachableError) as caught:
        invariant_matrix(ROOF, pairs(5), np.zeros(5), 0.7)
    assert caught.value.least == pytest.approx(2 - 4580 / 3697, abs=1e-9)
    with pytest.raises(UnreachableError) as caught:
        invariant_matrix(ROOF, pairs(5), np.full(5, 0.8), 0.9)
    # the others give at most a fifth of their records, and as many come from the most frequent one
    assert caught.value.least == pytest.approx(1 - 0.2 * 883 / 3697, abs=1e-9)
    reached = invariant_matrix(ROOF, pairs(5), np.full(5, 0.8), caught.value.least)
    assert np.diag(reached).max() == pytest.approx(caught.value.least, abs=1e-8)


def test_protect_changes_no_more_than_it_needs() -> None:
    counts = np.array([100.0, 90, 80, 120, 60])
    matrix = invariant_matrix(counts, pairs(5), np.full(5, 0.5), 0.9)
    assert np.diag(matrix) == pytest.approx([0.9] * 5, abs=1e-12)
    # the most frequent code sets how many change; the others share that alike
    matrix = invariant_matrix(ROOF, pairs(5), np.zeros(5), 0.9)
    assert expected_changes(ROOF, matrix) == pytest.approx(2 * 369.7, abs=1e-7)
    assert np.diag(matrix)[[0, 2, 3, 4]] == pytest.approx([1 - 369.7 / 883] * 4, abs=1e-9)


def test_rare_codes_are_changed_no_more_than_keep_says() -> None:
    """sdcMicro: with 0.8 said, the rare levels of roof are kept with 0.52, the frequent one with 0.96."""
    matrix = invariant_matrix(ROOF, pairs(5), np.full(5, 0.8))
    assert np.diag(matrix)[[0, 2, 3, 4]] == pytest.approx([0.8] * 4, abs=1e-12)
    assert matrix[1, 1] == pytest.approx(1 - 0.2 * 883 / 3697, abs=1e-12)


def test_what_the_linear_programme_leaves_open_is_spread_by_frequency() -> None:
    counts = np.array([100.0, 100, 100, 100])
    assert invariant_matrix(counts, pairs(4), np.full(4, 0.7)) == pytest.approx(
        np.full((4, 4), 0.1) + 0.6 * np.eye(4), abs=1e-12
    )
    matrix = invariant_matrix(np.array([400.0, 200, 400, 300]), pairs(4), np.full(4, 0.8))
    assert matrix[0, 2] > matrix[0, 3] > matrix[0, 1] > 0


@given(
    st.integers(1, 3),
    st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=3, max_size=3), min_size=1, max_size=3),
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=3),
)
def test_the_shortest_is_that_of_all_sets_of_constraints(
    size: int, coefficients: list[list[float]], around: list[tuple[float, float]]
) -> None:
    from scipy.sparse import csr_array

    rows = np.array(coefficients)[:, :size]
    # x = 1 meets them
    low = np.array([max(0.0, row.sum() - below) for row, (below, _) in zip(rows, around, strict=False)])
    high = np.array([row.sum() + above for row, (_, above) in zip(rows, around, strict=False)])
    found, wanted = least_norm(csr_array(rows), low, high), naive.shortest(rows, low, high)
    assert wanted is not None
    assert found == pytest.approx(wanted, abs=1e-6)
    assert (rows @ found >= low - 1e-10).all()
    assert (rows @ found <= high + 1e-10).all()


@given(st.integers(1, 9), st.integers(0, 4), st.data())
def test_the_form_of_mu_argus(codes: int, band: int, data: st.DataObject) -> None:
    keep = np.array(data.draw(st.lists(st.floats(0, 1), min_size=codes, max_size=codes)))
    matrix = uniform_matrix(keep, pairs(codes, band))
    for i in range(codes):
        others = [j for j in range(codes) if j != i and (not band or abs(i - j) <= band)]
        wanted = [(keep[i] if others else 1.0) if j == i else (1 - keep[i]) / len(others) if j in others else 0.0
                  for j in range(codes)]  # fmt: skip
        assert matrix[i] == pytest.approx(wanted, abs=1e-15)


def test_at_the_ends_of_a_band_only_codes_that_exist_are_drawn() -> None:
    assert uniform_matrix(np.full(4, 0.8), pairs(4, 1)) == pytest.approx(
        np.array([[0.8, 0.2, 0, 0], [0.1, 0.8, 0.1, 0], [0, 0.1, 0.8, 0.1], [0, 0, 0.2, 0.8]])
    )


def test_a_band_of_combinations_is_one_of_each_variable() -> None:
    places = np.array([[0, 0], [0, 2], [1, 1], [3, 0]])
    assert neighbours(places, 1).astype(int).tolist() == [[0, 0, 1, 0], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]


def test_a_variable_with_one_code_is_left_as_it_is() -> None:
    """mu-ARGUS divides by zero there, and loops for ever with a bandwidth."""
    for band in (0, 1):
        assert uniform_matrix(np.array([0.2]), pairs(1, band)).tolist() == [[1]]
        assert invariant_matrix(np.array([7.0]), pairs(1, band), np.array([0.2])).tolist() == [[1]]
    assert least_protection(np.array([7.0]), pairs(1), np.zeros(1)) == 1


def test_sdcmicros_matrix_by_its_formula() -> None:
    if not GOLDEN.exists():
        pytest.skip("no reference data")
    golden = json.loads((GOLDEN / "perturbation.json").read_text(encoding="utf-8"))["pram"]
    for name, diagonal in (("pram_roof", golden["pram_roof"]["diag_drawn"]),
                           ("pram_roof_fixed_0.8_alpha_0.5", [0.8] * 5)):  # fmt: skip
        found, wanted = naive.invariant_of(ROOF, np.array(diagonal), 0.5), golden[name]
        assert found == pytest.approx(np.array(wanted["Rs"]), abs=1e-10)
        assert expected_changes(ROOF, found) == pytest.approx(wanted["expected_changed"], rel=1e-10)
        # ours changes as much with no code kept less often than was said, where sdcMicro's keeps rare ones with 0.52
        keep = np.diag(found)
        ours = invariant_matrix(ROOF, pairs(5), keep)
        assert expected_changes(ROOF, ours) == pytest.approx(wanted["expected_changed"], rel=1e-9)


@given(problems(5), st.integers(0, 4))
def test_what_a_released_code_tells(problem: tuple[Array, NDArray[np.bool_], Array, float], band: int) -> None:
    counts, _, keep, _ = problem
    matrix = uniform_matrix(keep, pairs(len(counts), band))
    told = true_given_released(counts, matrix)
    for j in range(len(counts)):
        released = sum(counts[i] * matrix[i, j] for i in range(len(counts)))
        for i in range(len(counts)):
            assert told[i, j] == pytest.approx(counts[i] * matrix[i, j] / released if released else 0)
