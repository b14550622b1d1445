"""The robust location: of normal data nearly their own, whatever lies far away, and the same for every seed."""

from __future__ import annotations

import numpy as np
import pytest

from core.base.errors import DataError
from core.risk.robust import robust_location, squared_distances

SCATTER = np.array([[4.0, 1.0], [1.0, 1.0]])


def test_a_third_of_outliers_changes_little() -> None:
    draw = np.random.default_rng(3)
    bulk = draw.multivariate_normal([10.0, -5.0], SCATTER, 1400)
    values = np.concatenate([bulk, draw.normal(80.0, 1.0, (600, 2))])
    center, scatter = robust_location(values)
    assert center == pytest.approx([10, -5], abs=0.15)
    assert scatter == pytest.approx(SCATTER, rel=0.15)
    assert squared_distances(values, center, scatter)[1400:].min() > 1000


def test_the_search_comes_to_the_same_from_elsewhere() -> None:
    values = np.random.default_rng(4).standard_t(3, (300, 3))
    first, again, other = (robust_location(values, seed) for seed in (1, 1, 2))
    assert np.array_equal(first[1], again[1])
    assert first[1] == pytest.approx(other[1], rel=0.2)


def test_small_files_against_every_half() -> None:
    """Ten records, of whom half, six by the rule, are drawn in all ways: none has a smaller determinant."""
    from itertools import combinations

    values = np.random.default_rng(6).normal(size=(9, 2)) * [1, 3]
    halves = [np.array(chosen) for chosen in combinations(range(9), 6)]
    least = min(halves, key=lambda chosen: float(np.linalg.det(np.cov(values[chosen], rowvar=False))))
    center, _scatter = robust_location(values)
    bulk = values[least]
    distance = squared_distances(values, bulk.mean(axis=0), np.cov(bulk, rowvar=False))
    # the reweighted one is the mean of those within the ellipsoid of that half, which are the nearest ones
    nearest = [values[np.argsort(distance)[:count]].mean(axis=0) for count in range(6, 10)]
    assert any(center == pytest.approx(each) for each in nearest)


def test_half_of_the_records_alike_is_refused() -> None:
    values = np.zeros((20, 2))
    values[:5] = np.random.default_rng(1).normal(size=(5, 2))
    with pytest.raises(DataError, match="no robust distances"):
        robust_location(values)
