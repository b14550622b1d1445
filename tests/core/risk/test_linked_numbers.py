from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.risk.distribution import RiskDistribution
from core.risk.linked_numbers import by_rate, by_records, by_risk
from tests import naive_risk_chart as naive

# Levels apart by more than the tolerance, so that a plain comparison decides.
RISKS = st.lists(st.sampled_from([0.0005, 0.001, 0.0013, 0.02, 0.021, 0.3, 0.75, 1.0]), min_size=1, max_size=14)


def staircase(risks: list[float]) -> RiskDistribution:
    return RiskDistribution.from_cells(np.array(risks), np.ones(len(risks), np.int64))


@given(RISKS, st.floats(1e-5, 1.0))
def test_a_threshold_is_kept_and_the_others_follow(risks: list[float], threshold: float) -> None:
    linked = by_risk(staircase(risks), threshold)
    assert linked.threshold == threshold
    assert linked.unsafe == naive.unsafe(risks, threshold)
    assert math.isclose(linked.rate, naive.bound(risks, threshold), rel_tol=1e-12)
    assert (linked.low, linked.high) == naive.interval(risks, threshold)
    assert not linked.rounded


@given(RISKS)
def test_no_threshold(risks: list[float]) -> None:
    linked = by_risk(staircase(risks), None)
    assert linked.unsafe == 0
    assert math.isclose(linked.rate, sum(risks) / len(risks), rel_tol=1e-12)
    assert (linked.low, linked.high) == (max(risks), None)


@given(RISKS, st.floats(1e-4, 1.0))
def test_a_rate_is_met_exactly(risks: list[float], rate: float) -> None:
    linked = by_rate(staircase(risks), rate)
    expected = naive.for_rate(risks, rate)
    if linked.threshold is None:
        assert expected is None or math.isclose(expected, max(risks), rel_tol=1e-9)
        assert linked.unsafe == 0
    else:
        assert expected is not None
        assert math.isclose(linked.threshold, expected, rel_tol=1e-9)
        assert math.isclose(linked.rate, rate, rel_tol=1e-9)


@given(RISKS, st.integers(0, 16))
def test_a_number_of_records_is_rounded_down_to_one_that_can_be_reached(risks: list[float], asked: int) -> None:
    linked = by_records(staircase(risks), asked, None)
    expected = naive.for_records(risks, asked)
    assert linked.threshold == expected
    assert linked.unsafe == naive.unsafe(risks, expected)
    assert linked.unsafe <= asked
    assert linked.rounded == (linked.unsafe != asked)


@given(RISKS, st.floats(1e-4, 1.0))
def test_asking_for_the_current_number_leaves_the_threshold(risks: list[float], current: float) -> None:
    s = staircase(risks)
    linked = by_records(s, s.unsafe(current), current)
    assert linked.threshold == current
    assert not linked.rounded


@given(RISKS, st.floats(1e-4, 1.0))
def test_every_threshold_of_the_interval_has_the_same_unsafe_records(risks: list[float], threshold: float) -> None:
    s = staircase(risks)
    linked = by_risk(s, threshold)
    if linked.high is not None:
        assert by_risk(s, linked.high).unsafe == linked.unsafe
    if linked.low is not None:
        assert by_risk(s, linked.low).unsafe > linked.unsafe
        assert by_risk(s, math.nextafter(linked.low * (1 + 1e-11), 1)).unsafe == linked.unsafe


@pytest.mark.parametrize("threshold", [0.0, -0.1, 1.0000001, 5.0, math.nan, math.inf])
def test_thresholds_that_are_no_risk_are_refused(threshold: float) -> None:
    with pytest.raises(RecipeError, match=r"A risk threshold of .* is not possible"):
        by_risk(staircase([0.1, 0.2]), threshold)


@pytest.mark.parametrize("rate", [0.0, -0.5, 1.5, math.nan])
def test_rates_that_are_none_are_refused(rate: float) -> None:
    with pytest.raises(RecipeError, match=r"rate of .* cannot be reached"):
        by_rate(staircase([0.1, 0.2]), rate)
