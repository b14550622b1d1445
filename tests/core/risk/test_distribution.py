from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from core.base.errors import RecipeError
from core.kernels import risk as kernels
from core.risk.distribution import Interval, RiskDistribution
from core.risk.individual import is_unsafe

RISK = st.sampled_from([0.001, 0.001 * (1 + 1e-14), 0.01, 0.02, 0.5, 1.0]) | st.floats(1e-9, 1.0)
FILES = st.lists(st.tuples(RISK, st.integers(1, 5)), min_size=1, max_size=12)
Cells = list[tuple[float, int]]


def staircase(cells: Cells) -> RiskDistribution:
    return RiskDistribution.from_cells(np.array([r for r, _ in cells]), np.array([c for _, c in cells]))


def records(cells: Cells) -> list[float]:
    return sorted(risk for risk, count in cells for _ in range(count))


def bound(cells: Cells, t: float) -> float:
    all_ = records(cells)
    return float(sum(min(Fraction(r), Fraction(t)) for r in all_) / len(all_))


def close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=4e-12)


@given(FILES)
def test_totals(cells: Cells) -> None:
    s, all_ = staircase(cells), records(cells)
    assert s.n == len(all_)
    assert s.max_risk >= all_[-1] * (1 - 1e-11)
    assert s.min_risk == all_[0]
    assert close(s.expected_reidentifications, math.fsum(all_))
    assert close(s.rate, math.fsum(all_) / len(all_))
    assert sum(s.level_cells) == len(cells)
    assert np.all(np.diff(s.levels) > 1e-12 * s.levels[:-1])


@given(FILES, st.floats(1e-10, 1.2))
def test_unsafe_records_and_rate_at_a_threshold(cells: Cells, t: float) -> None:
    s = staircase(cells)
    for threshold in (t, *s.levels.tolist()):
        assert s.unsafe(threshold) == is_unsafe(np.array(records(cells)), threshold).sum()
        assert close(s.rate_at(threshold), bound(cells, threshold))
    assert s.unsafe(None) == 0
    assert s.rate_at(None) == s.rate


@given(FILES, st.floats(0.001, 0.999))
def test_rate_to_threshold_is_the_inverse(cells: Cells, part: float) -> None:
    s = staircase(cells)
    tau = part * s.rate
    threshold = s.threshold_for_rate(tau)
    assert threshold is not None
    assert close(s.rate_at(threshold), tau)
    assert 0 < threshold <= s.max_risk
    assert s.threshold_for_rate(s.rate) is None
    assert s.threshold_for_rate(1.0) is None


@given(FILES, st.floats(1e-9, 1.0))
def test_threshold_to_rate_and_back(cells: Cells, t: float) -> None:
    s = staircase(cells)
    assume(t < s.max_risk * (1 - 1e-6))
    threshold = s.threshold_for_rate(s.rate_at(t))
    assert threshold is not None
    slack = 1e-13 * s.rate * s.n / s.unsafe(t)
    assert abs(threshold - t) <= 1e-11 * t + slack


@given(FILES, st.integers(0, 70))
def test_number_to_threshold(cells: Cells, number: int) -> None:
    s, all_ = staircase(cells), np.array(records(cells))
    enough = [level for level in s.levels.tolist() if is_unsafe(all_, level).sum() <= number]
    assert s.threshold_for_records(number) == (enough[0] if enough else None)
    assert s.threshold_for_records(0) is None


@given(FILES, st.floats(1e-10, 1.2))
def test_asking_for_the_current_number_changes_nothing(cells: Cells, t: float) -> None:
    s = staircase(cells)
    assert s.threshold_for_records(s.unsafe(t), current=t) == t
    other = s.threshold_for_records(s.unsafe(t) + 1, current=t)
    assert other is None or other in s.levels


@given(FILES, st.floats(1e-10, 1.2))
def test_interval_and_steps(cells: Cells, t: float) -> None:
    s = staircase(cells)
    ends = s.interval(t)
    assert ends.low is not None or ends.high is not None
    if ends.high is not None:
        assert t <= ends.high * (1 + 1e-11)
        assert s.unsafe(ends.high) == s.unsafe(t)
        assert s.unsafe(np.nextafter(ends.high * (1 + 2e-12), 2)) < s.unsafe(t)
    if ends.low is not None:
        assert t >= ends.low
        assert s.unsafe(ends.low) > s.unsafe(t)
    up, down = s.step(t, 1), s.step(t, -1)
    assert down == (t if ends.low is None else ends.low)
    assert s.unsafe(up) < s.unsafe(t) or (up is None and s.unsafe(t) == 0)
    if up is not None:
        assert s.interval(up).low == ends.high


def test_steps_at_the_ends() -> None:
    s = staircase([(0.1, 2), (0.2, 3)])
    assert s.interval(None) == Interval(0.2, None)
    assert s.interval(0.05) == Interval(None, 0.1)
    assert s.step(None, 1) is None
    assert s.step(None, -1) == 0.2
    assert s.step(0.2, 1) is None
    assert s.step(0.2, -1) == 0.1
    assert s.step(0.05, -1) == 0.05
    assert s.step(0.3, -1) == 0.2


@given(FILES, st.floats(0, 1))
def test_quantiles_are_type_seven(cells: Cells, q: float) -> None:
    assert close(staircase(cells).quantile(q), float(np.quantile(records(cells), q)))


@given(FILES, st.integers(1, 12))
def test_histogram_counts_every_record_once(cells: Cells, bins: int) -> None:
    s, all_ = staircase(cells), np.array(records(cells))
    h = s.histogram(bins)
    assert h.records.sum() == s.n
    assert h.cells.sum() == len(cells)
    if len(s.levels) > 1:
        assert len(h.records) == bins
        assert_allclose(np.diff(np.log(h.edges)), np.log(s.max_risk / s.min_risk) / bins, rtol=1e-6)
        for low, high, count in zip(h.edges, h.edges[1:], h.records, strict=False):
            inside = np.count_nonzero((all_ > low * (1 + 1e-9)) & (all_ < high * (1 - 1e-9)))
            near = np.count_nonzero((all_ > low * (1 - 1e-9)) & (all_ < high * (1 + 1e-9)))
            assert inside <= count <= near


def test_a_file_with_one_level() -> None:
    h = staircase([(0.1, 3), (0.1, 4)]).histogram()
    assert h.records.tolist() == [7]
    assert h.cells.tolist() == [2]
    assert h.edges.tolist() == [0.1, 0.1]


def test_risks_that_are_not_given_are_left_out() -> None:
    s = RiskDistribution.from_cells(np.array([np.nan, 0.5]), np.array([7, 2]))
    assert (s.n, s.unsafe(0.1), s.rate) == (2, 2, 0.5)


def test_no_records() -> None:
    s = RiskDistribution.from_cells(np.array([np.nan]), np.array([7]))
    assert (s.n, s.unsafe(0.1), s.rate, s.rate_at(0.1), s.expected_reidentifications) == (0, 0, 0.0, 0.0, 0.0)
    assert math.isnan(s.max_risk)
    assert math.isnan(s.min_risk)
    assert math.isnan(s.quantile(0.5))
    assert s.threshold_for_records(3) is None
    assert s.threshold_for_rate(0.1) is None
    assert s.interval(0.1) == Interval(None, None)
    assert s.step(0.1, 1) is None
    assert s.histogram().records.sum() == 0


def test_sums_are_compensated() -> None:
    """Plainly added in ascending order these are dozens of units in the last place off."""
    risk = np.sort(np.random.default_rng(1).uniform(0.1, 0.9, 300_000))
    exact = math.fsum(risk)
    assert abs(float(np.cumsum(risk)[-1]) - exact) > 3 * math.ulp(exact)
    s = RiskDistribution.from_cells(risk, np.ones(len(risk), np.int64))
    assert abs(s.expected_reidentifications - exact) <= math.ulp(exact)


@pytest.mark.parametrize("tau", [0.0, -0.1, 1.5, math.nan])
def test_rates_that_cannot_be_are_refused(tau: float) -> None:
    with pytest.raises(RecipeError) as error:
        staircase([(0.1, 2)]).threshold_for_rate(tau)
    assert error.value.values["rate"] is tau
    assert str(error.value)


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(RecipeError) as error:
        staircase([(0.1, 2)]).threshold_for_records(-1)
    assert "-1" in str(error.value)


@given(FILES, st.integers(0, 12))
def test_levels_one_cell_after_the_other(cells: Cells, cut: int) -> None:
    """The loop in two blocks, against its definition in exact numbers."""
    ordered, m = sorted(cells), len(cells)
    order = np.arange(m, dtype=np.uint32)[::-1].copy()
    risk, count = np.array([r for r, _ in ordered]), np.array([c for _, c in ordered][::-1])
    levels, sums, state, found = np.empty(m), np.empty(m), np.zeros(2), 0
    met, at = np.empty(m, np.int64), np.empty(m, np.int64)
    counted = 0
    for start, stop in ((0, min(cut, m)), (min(cut, m), m)):
        counted += kernels.count_levels(risk, start, stop, 1e-12)
        found = kernels.climb(risk, order, count, start, stop, 1e-12, state, found, levels, met, sums, at)
    groups: list[Cells] = []
    for r, c in ordered:
        if groups and r <= groups[-1][-1][0] * (1 + 1e-12):
            groups[-1].append((r, c))
        else:
            groups.append([(r, c)])
    assert counted == found
    assert levels[:found].tolist() == [group[0][0] for group in groups]
    assert at[:found].tolist() == [len(group) for group in groups]
    below = [[cell for group in groups[: i + 1] for cell in group] for i in range(len(groups))]
    assert met[:found].tolist() == [sum(c for _, c in some) for some in below]
    assert all(close(sums[i], float(sum(Fraction(r) * c for r, c in some))) for i, some in enumerate(below))
