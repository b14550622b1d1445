"""Rank swapping: who may swap with whom, and what stays."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.perturbation import rank_swapping
from core.perturbation.rank_swapping import swapped_ranks
from core.recipe.model import Perturbation
from tests.core.perturbation.test_microaggregation import input_of
from tests.core.perturbation.test_numbers import column, texts_of

WHOLE = {"percent": 5.0, "top": 0.0, "bottom": 0.0}


def plain_partners(values: list[float], uniform: list[float], window: int) -> list[int]:
    """The definition, value by value."""
    partner = [-1] * len(values)
    for j, value in enumerate(values):
        if partner[j] >= 0:
            continue
        free = [
            k for k in range(j + 1, min(len(values), j + window + 1)) if partner[k] < 0 and values[k] != value
        ]  # fmt: skip
        if not free:
            partner[j] = j
            continue
        k = free[int(uniform[j] * len(free))]
        partner[j], partner[k] = k, j
    return partner


@given(st.lists(st.tuples(st.integers(0, 12), st.floats(0, 0.999)), max_size=60), st.integers(0, 20))
def test_partners_are_those_of_the_definition(drawn: list[tuple[int, float]], window: int) -> None:
    from core.kernels.rank_swapping import swap_partners

    values, uniform = sorted(float(v) for v, _ in drawn), [u for _, u in drawn]
    found = np.empty(len(values), np.int64)
    swap_partners(np.array(values), np.array(uniform), window, found)
    assert found.tolist() == plain_partners(values, uniform, window)


def test_every_partner_in_the_window_is_as_likely() -> None:
    numbers, counts = np.arange(40.0), Counter[int]()
    for seed in range(4000):
        order, partner, _low, _high = swapped_ranks(numbers, WHOLE | {"percent": 10.0}, np.random.default_rng(seed))
        counts[int(partner[order.tolist().index(0)])] += 1
    assert set(counts) == {1, 2, 3, 4}
    assert max(abs(count - 1000) for count in counts.values()) < 4 * np.sqrt(4000 * 0.25 * 0.75)


def test_ranks_are_as_likely_to_move_up_as_their_definition_says_over_400_seeds() -> None:
    """By every rank: how far it moves on average is what plain draws of the definition give."""
    numbers, moves, plain = np.arange(60.0), np.zeros((400, 60)), np.zeros((400, 60))
    for seed in range(400):
        order, partner, _low, _high = swapped_ranks(numbers, WHOLE, np.random.default_rng(seed))
        moves[seed, order] = np.abs(partner - np.arange(60))
        uniform = np.random.default_rng(10_000 + seed).random(60).tolist()
        plain[seed] = np.abs(np.array(plain_partners(numbers.tolist(), uniform, 3)) - np.arange(60))
    error = np.sqrt((moves.var(axis=0) + plain.var(axis=0)) / 400)
    assert (np.abs(moves.mean(axis=0) - plain.mean(axis=0)) <= 4 * error + 1e-12).all()


def test_percent_is_a_per_cent() -> None:
    """As a fraction, 5 would reach over the whole file."""
    _order, partner, _low, _high = swapped_ranks(np.arange(834.0), WHOLE, np.random.default_rng(1))
    assert np.abs(partner - np.arange(834)).max() <= 41


@pytest.mark.parametrize("values", [np.arange(200_000.0), np.arange(200_000.0) % 2], ids=["sorted", "tied"])
def test_sorted_and_tied_data_of_any_number_are_swapped(values: np.ndarray) -> None:
    order, partner, _low, _high = swapped_ranks(values, WHOLE, np.random.default_rng(1))
    moved = partner != np.arange(len(partner))
    assert (values[order[partner[moved]]] != values[order[moved]]).all()
    assert moved.any()


def input_with(numbers: list[str], strata: list[int] | None = None, **parameters: object):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    entry = Perturbation("rank-swapping", ("X",))
    return replace(input_of({"X": column(numbers)}, strata, **(WHOLE | parameters)), entry=entry)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=40), st.data())
def test_numbers_stay_in_their_stratum_and_missing_ones_where_they_are(values: list[int], data: st.DataObject) -> None:
    strata = data.draw(st.lists(st.integers(0, 2), min_size=len(values), max_size=len(values)))
    strata = np.unique(strata, return_inverse=True)[1].tolist()
    asked = input_with([str(v) for v in values], strata, percent=60.0)
    made = rank_swapping.perturb(asked)
    after = texts_of(made.columns["X"])
    assert sorted(zip(strata, after, strict=True)) == sorted(zip(strata, map(str, values), strict=True))
    assert all((a == b) for a, b in zip(after, map(str, values), strict=True) if b in ("98", "99"))
    assert not list(rank_swapping.broken(asked, made.columns))
    assert made.invariants["same_numbers"]


def test_the_largest_number_does_not_stay_because_it_is_left_over() -> None:
    """Of an odd number one is: it would be the largest in one file of four."""
    for seed in range(200):
        _order, partner, _low, _high = swapped_ranks(np.arange(201.0), WHOLE, np.random.default_rng(seed))
        assert sorted(partner.tolist()) == list(range(201))
        assert np.abs(partner - np.arange(201)).min() >= 1
        assert np.abs(partner - np.arange(201)).max() <= 10


def test_ends_get_their_mean_only_if_asked() -> None:
    numbers = [str(v) for v in range(10, 30)]
    made = rank_swapping.perturb(input_with(numbers, percent=10.0, top=10.0, bottom=10.0))
    after = texts_of(made.columns["X"])
    assert after[:2] == ["10", "10"]  # 10.5, halves to even
    assert after[-2:] == ["28", "28"]
    assert sorted(after[2:-2]) == numbers[2:-2]
    assert sorted(texts_of(rank_swapping.perturb(input_with(numbers)).columns["X"])) == numbers


def test_the_same_seed_gives_the_same_file() -> None:
    numbers = [str(v) for v in range(50)]
    first, second = (texts_of(rank_swapping.perturb(input_with(numbers)).columns["X"]) for _ in range(2))
    assert first == second


def test_numbers_changed_behind_its_back_are_found() -> None:
    asked = input_with(["1", "2", "3"])
    assert [n.id for n in rank_swapping.broken(asked, {"X": column(["1", "2", "4"])})] == ["perturbation-other-numbers"]
