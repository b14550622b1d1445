"""Household risk, its staircase and its linked numbers, against the definitions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.risk.distribution import RiskDistribution
from core.risk.household import HouseholdStaircase, household_risk, unsafe_up_to
from core.risk.linked_numbers import by_household_rate, by_household_records, by_household_risk, by_households
from tests.core.small_households import households
from tests.members import members_of
from tests.naive_households import household_risk as naive

RISK = st.one_of(st.floats(1e-12, 1.0), st.sampled_from([1e-12, 0.02, 0.03, 0.5, 1.0]))
FILES = st.lists(st.tuples(st.integers(0, 4), RISK), min_size=1, max_size=14)


def of(file: list[tuple[int, float]]) -> tuple[HouseholdStaircase, list[list[float]]]:
    """The staircase of (household, risk) records, and the risks by household."""
    homes = households([g for g, _ in file])
    risk, cell = np.array([r for _, r in file]), np.arange(len(file), dtype=np.uint32)
    staircase = HouseholdStaircase.of(risk, cell, household_risk(risk, cell, homes), homes)
    return staircase, [[file[i][1] for i in members_of(homes, g)] for g in range(len(homes))]


def test_the_example_of_the_method() -> None:
    homes = households([1, 1, 1])
    assert household_risk(np.array([0.02, 0.03]), np.array([0, 1, 1], np.uint32), homes) == pytest.approx([0.077918])


def test_small_risks_keep_twelve_digits_and_certainty_stays_certain() -> None:
    homes = households([0] * 50 + [1, 1] + [2])
    cells = np.array([0] * 50 + [1, 0] + [2], np.uint32)
    found = household_risk(np.array([1e-12, 1.0, np.nan]), cells, homes)
    assert found[0] == pytest.approx(float(1 - (1 - Fraction(1e-12)) ** 50), rel=1e-12)
    assert found[1] == 1.0 and np.isnan(found[2])


@pytest.mark.parametrize("risk", [3.3e-9, 1e-12, 0.9e-6])
def test_a_household_of_a_million_keeps_its_digits(risk: float) -> None:
    members = 10**6
    homes = households([0] * members + [1])
    found = household_risk(np.array([risk, 1.0]), np.array([0] * members + [1], np.uint32), homes)
    assert found[0] == pytest.approx(-math.expm1(members * math.log1p(-risk)), rel=1e-15)
    assert found[1] == 1.0


@given(FILES)
def test_risks_are_those_of_the_definition(file: list[tuple[int, float]]) -> None:
    staircase, by_household = of(file)
    expected = sorted(naive(members) for members in by_household)
    assert staircase.households == len(expected) and staircase.undefined == 0
    assert staircase.max_risk == pytest.approx(expected[-1], rel=1e-12)
    total = sum(len(members) * naive(members) for members in by_household)
    assert staircase.expected_reidentifications == pytest.approx(total, rel=1e-12)
    assert staircase.rate == pytest.approx(total / len(file), rel=1e-12)


@given(FILES, st.floats(1e-3, 1.0))
def test_counts_rate_and_interval_at_a_threshold(file: list[tuple[int, float]], t: float) -> None:
    staircase, by_household = of(file)
    risks = [(naive(members), members) for members in by_household]
    levels = [value for value, _ in risks] + [len(members) * r for _, members in risks for r in members]
    assume(all(abs(level / t - 1) > 1e-9 for level in levels))
    assert staircase.unsafe_households(t) == sum(value >= t for value, _ in risks)
    unsafe = sum(r >= t / len(members) for value, members in risks if value >= t for r in members)
    assert staircase.unsafe(t) == unsafe
    bound = sum(len(members) * min(value, t) for value, members in risks) / len(file)
    assert staircase.rate_at(t) == pytest.approx(bound, rel=1e-12)
    interval = staircase.interval(t)
    below, above = [v for v, _ in risks if v < t], [v for v, _ in risks if v >= t]
    assert (interval.low is None) == (not below) and (interval.high is None) == (not above)
    if below and above:
        assert interval.low == pytest.approx(max(below), rel=1e-12)
        assert interval.high == pytest.approx(min(above), rel=1e-12)


@given(FILES, st.integers(0, 6))
def test_numbers_lead_back_to_thresholds(file: list[tuple[int, float]], number: int) -> None:
    staircase, _ = of(file)
    found = by_households(staircase, number, None)
    assert found.unsafe_households <= number or found.threshold == staircase.min_risk
    assert found.rounded == (found.unsafe_households != number)
    lower = [float(level) for level in staircase.levels if found.threshold is None or level < found.threshold]
    if lower and number < staircase.households:
        assert staircase.unsafe_households(lower[-1]) > number
    assert by_households(staircase, found.unsafe_households, found.threshold).threshold == found.threshold
    records = by_household_records(staircase, number, None)
    assert records.unsafe_records <= number or records.threshold == staircase.records.min_risk


@given(FILES, st.floats(0.01, 0.99))
def test_a_rate_leads_to_its_threshold(file: list[tuple[int, float]], share: float) -> None:
    staircase, _ = of(file)
    found = by_household_rate(staircase, share * staircase.rate)
    assert found.rate == pytest.approx(share * staircase.rate, rel=1e-9)
    assert by_household_rate(staircase, min(1.0, staircase.rate)).threshold is None


def test_impossible_numbers_are_refused() -> None:
    staircase, _ = of([(0, 0.1), (0, 0.2)])
    with pytest.raises(RecipeError, match=r"1\.5"):
        by_household_risk(staircase, 1.5)
    with pytest.raises(RecipeError, match="-1 unsafe households"):
        by_households(staircase, -1, None)
    with pytest.raises(RecipeError, match="0 cannot be reached"):
        by_household_rate(staircase, 0.0)


def test_charts_take_the_staircase_as_any_other() -> None:
    staircase, _ = of([(g, 0.01 * (g + 1)) for g in (0, 1, 1, 2, 3, 3, 3)])
    assert isinstance(staircase, RiskDistribution)
    classes = staircase.histogram(4)
    assert classes.records.sum() == 7 and classes.cells.sum() == staircase.households == 4
    assert staircase.step(None, -1) == staircase.max_risk


def test_a_member_without_a_risk_leaves_the_household_out() -> None:
    homes = households([0, 0, 1])
    risk, cell = np.array([0.1, np.nan]), np.array([0, 1, 0], np.uint32)
    of_households = household_risk(risk, cell, homes)
    staircase = HouseholdStaircase.of(risk, cell, of_households, homes)
    assert (staircase.undefined, staircase.households, staircase.n) == (1, 1, 1)
    assert np.isnan(unsafe_up_to(risk, cell, of_households, homes)).tolist() == [True, True, False]
