"""Rows that are fitted and drawn, and sizes of households: exact in number, without bias, and no sum tells anybody."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.perturbation.household_cells import Wanted, draw_rows, draw_sizes, fit_rows


def test_rows_are_fitted_to_what_is_promised_and_zeros_stay() -> None:
    start = np.array([[1.0, 1, 1], [1, 0, 1]])
    model = [Wanted(np.array([0, 1]), np.zeros(3, np.int64), np.array([[9.0], [1]]))]  # gives way
    promised = [Wanted(np.zeros(2, np.int64), np.array([0, 1, 1]), np.array([[4.0, 6]]))]
    found = fit_rows(start, np.array([5, 5]), model, promised)
    assert found.deviation < 1e-6
    assert found.cells.sum(axis=1) == pytest.approx([5, 5])
    assert found.cells[:, 0].sum() == pytest.approx(4)
    assert found.cells[1, 1] == 0


@given(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=1, max_size=6), st.integers(0, 1000))
def test_every_row_has_as_many_as_it_is_to_have_and_none_where_none_is_expected(
    drawn: list[list[int]], seed: int
) -> None:
    expected = np.array(drawn, np.float64)
    expected[expected.sum(axis=1) == 0, 1] = 1
    totals = np.arange(len(expected)) % 3 * 5
    cells = expected * (totals / expected.sum(axis=1))[:, None] + (totals == 0)[:, None] * expected
    found = np.split(draw_rows(cells, totals, np.random.default_rng(seed)), np.cumsum(totals)[:-1])
    for own, wanted, total in zip(found, cells, totals.tolist(), strict=True):
        counts = np.bincount(own, minlength=4)
        assert counts.sum() == total
        assert not counts[wanted == 0].any()
        if total:
            assert np.abs(counts - wanted).max() < 1 + 1e-9


def test_rows_are_drawn_as_expected_over_400_seeds() -> None:
    cells = np.array([[0.2, 1.8, 2.0], [0.5, 0.5, 0.0], [3.1, 0.4, 1.5]])
    totals = np.array([4, 1, 5])
    row = np.repeat(np.arange(3), totals) * 3
    counts = np.array([np.bincount(draw_rows(cells, totals, np.random.default_rng(seed)) + row, minlength=9)
                       for seed in range(400)])  # fmt: skip
    error = counts.std(axis=0, ddof=1) / 20
    assert (np.abs(counts.mean(axis=0) - cells.reshape(-1)) <= 4 * error + 1e-12).all()


SIZES = np.array([0, 40, 33, 12, 9, 1])
PERSONS = int((SIZES * np.arange(6)).sum())


def drawn_sizes(counts: NDArray[np.int64], persons: int, seed: int) -> NDArray[np.int64]:
    found = draw_sizes(counts, persons, 3, np.random.default_rng(seed))
    assert found is not None
    return found.drawn


def test_sizes_make_up_the_persons_and_are_those_of_enough_households() -> None:
    drawn = np.array([drawn_sizes(SIZES, PERSONS, seed) for seed in range(400)])
    assert (drawn @ np.arange(6) == PERSONS).all()
    assert not drawn[:, [0, 5]].any()
    error = drawn.std(axis=0, ddof=1) / 20
    kept = np.where(SIZES >= 3, SIZES, 0)
    expected = kept * (PERSONS / (kept @ np.arange(6)))
    assert (np.abs(drawn.mean(axis=0) - expected) <= 4 * error + 1e-12).all()


def test_the_number_of_persons_does_not_tell_a_household_of_a_size_of_its_own() -> None:
    """Were the other sizes exact, what is missing of the persons would be its size; so many originals are possible."""
    drawn = drawn_sizes(SIZES, PERSONS, 7)
    near = [range(max(0, int(drawn[s]) - 3), int(drawn[s]) + 4) for s in range(1, 5)]
    larger = set()
    for counts in itertools.product(*near):
        left = PERSONS - sum(size * number for size, number in enumerate(counts, 1))
        larger |= {left} if 5 <= left <= 20 or left == 0 else set()
    assert larger >= {0, 5, 6, 7, 8, 9, 10, 11, 12}
    # whether there is one or not, the same files come out
    without = SIZES - [0, 0, 0, 0, 0, 1] + [0, 0, 1, 1, 0, 0]
    both = [{tuple(drawn_sizes(each, PERSONS, seed)) for seed in range(400)} for each in (SIZES, without)]
    assert len(both[0] & both[1]) > 5


def test_how_far_sizes_are_from_the_safe_ones_does_not_tell_a_household_of_a_size_of_its_own() -> None:
    """Of sizes 1 and 2 alone, an odd difference from exact numbers said that the rest of the persons live otherwise."""
    told = []
    for counts in (np.array([0, 20, 15, 0, 0, 1]), np.array([0, 21, 17, 0, 0, 0])):
        found = [draw_sizes(counts, 55, 3, np.random.default_rng(seed)) for seed in range(400)]
        told.append({(*each.drawn[:3].tolist(), math.ceil(np.abs(each.drawn - each.wanted).max() - 1e-9))
                     for each in found if each is not None})  # fmt: skip
    odd = [{each for each in own if each[-1] % 2} for own in told]
    assert odd[0]
    assert len(odd[0] & odd[1]) >= len(odd[0]) / 2


def test_persons_that_no_sizes_make_up_are_refused() -> None:
    assert draw_sizes(np.array([0, 0, 6, 1]), 15, 3, np.random.default_rng(1)) is None
    assert draw_sizes(np.array([0, 2, 1]), 4, 3, np.random.default_rng(1)) is None
