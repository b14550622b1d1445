"""How well released records are told from original ones."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from core.utility.propensity import GROUPS, Propensity, grouped, propensity, propensity_matrix
from tests.core.utility.inputs import file, variable

rng = np.random.default_rng(5)


def test_by_cells_by_hand() -> None:
    # cells: a, b, missing with 3, 1, 0 original records and 1, 1, 2 released ones
    found = propensity_matrix(file(variable("A", ["a", "a", "a", "b"], ["a", "b", None, None])), ("A",))
    by_hand = (4 * (1 / 4 - 1 / 2) ** 2 + 2 * (1 / 2 - 1 / 2) ** 2 + 2 * (1 - 1 / 2) ** 2) / 8
    assert found == pytest.approx(by_hand / (2 / (16 * 4)), rel=1e-14)


def test_nothing_is_told_where_nothing_is_changed() -> None:
    both = file(variable("A", [1, 2, 3, None]), variable("X", [1, 5, 7, 2], number=True))
    assert propensity(both, ("A", "X")).ratio == pytest.approx(0.0, abs=1e-12)
    assert not propensity_matrix(both, ("A", "X")).any()
    assert Propensity(0.0, 0.0, 1, 4).ratio == 0.0


def test_the_regression_with_pairs_is_that_by_cells_where_every_cell_has_a_coefficient() -> None:
    a, b = rng.integers(0, 3, 300), rng.integers(0, 2, 300)
    mixed = np.where(rng.random(300) < 0.3, rng.integers(0, 3, 300), a)
    both = file(variable("A", a.tolist(), mixed.tolist()), variable("B", b.tolist()))
    fitted, matrix = propensity(both, ("A", "B")), propensity_matrix(both, ("A", "B"))
    assert fitted.coefficients == 6 and fitted.pairs
    assert matrix[0, 1] == matrix[1, 0] == pytest.approx(fitted.ratio, rel=1e-8) and matrix[1, 1] == 0.0


def test_the_mean_ratio_is_one_where_values_are_drawn_from_the_right_model() -> None:
    ratios = []
    for _draw in range(200):
        first = rng.integers(0, 4, 400)
        second = rng.choice(first, 400)  # the right model of one variable: its distribution in the original
        ratios.append(propensity_matrix(file(variable("A", first.tolist(), second.tolist())), ("A",))[0, 0])
    error = float(np.std(ratios)) / math.sqrt(len(ratios))
    assert abs(float(np.mean(ratios)) - 1.0) < 4 * error


def test_what_is_missing_in_the_released_file_only_is_told() -> None:
    sex = [1, 2] * 50
    both = file(variable("SEX", sex, [None if i < 20 else s for i, s in enumerate(sex)]), variable("B", sex))
    found = propensity(both, ("SEX", "B"))
    # of 180 records with a value 80 are released, of 20 without one all
    assert found.pmse == pytest.approx((180 * (80 / 180 - 0.5) ** 2 + 20 * 0.25) / 200, rel=1e-6)
    assert found.ratio > 1


def test_numbers_are_told_by_their_distribution() -> None:
    x = rng.normal(size=400)
    shifted = file(variable("X", x.tolist(), (x + 2).tolist(), True))
    assert propensity(shifted, ("X",)).ratio > 20
    (before, after), size = grouped(shifted.variables["X"])
    assert size == GROUPS and all(abs(int((before == g).sum()) - 80) <= 1 for g in range(GROUPS))
    assert int((after == GROUPS - 1).sum()) > 300
    order = np.argsort(x)
    assert all(one <= two for one, two in pairwise(before[order].tolist()))


def test_rare_codes_are_taken_together_where_there_are_too_many() -> None:
    names = [f"V{i}" for i in range(6)]
    many = [variable(name, rng.integers(0, 30, 500).tolist(), rng.integers(0, 30, 500).tolist()) for name in names]
    found = propensity(file(*many), names)
    assert found.pairs and found.coefficients <= 300
    wide = [variable(f"W{i}", rng.integers(0, 3, 100).tolist(), rng.integers(0, 3, 100).tolist()) for i in range(25)]
    assert not propensity(file(*wide), [each.name for each in wide]).pairs


def test_of_large_files_a_sample_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.utility.propensity.SAMPLE", 50)
    a = variable("A", [1, 2] * 100, [2, 1] * 100)
    assert propensity(file(a), ("A",)).records == 50
