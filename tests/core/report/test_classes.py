"""Classes of the histograms: every record in one, none on both sides of the threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.report.charts import MOST, class_limits, records_in_classes

risks = st.floats(1e-12, 1.0)


@given(risks, risks, st.one_of(st.none(), risks))
def test_limits_hold_the_ends_and_are_not_too_many(a: float, b: float, threshold: float | None) -> None:
    low, high = min(a, b), max(a, b)
    limits = class_limits(low, high, threshold)
    assert 2 <= len(limits) <= MOST + 2
    assert list(limits) == sorted(set(limits))
    assert limits[0] <= low * (1 + 1e-9)
    assert high <= limits[-1] * (1 + 1e-9)


@given(risks, risks, risks)
def test_the_threshold_is_a_limit(a: float, b: float, threshold: float) -> None:
    low, high = min(a, b), max(a, b)
    if low < threshold <= high:
        assert any(math.isclose(limit, threshold, rel_tol=1e-13) for limit in class_limits(low, high, threshold))


@given(st.lists(st.tuples(risks, st.integers(1, 50)), min_size=1, max_size=60), st.data())
def test_classes_above_the_threshold_hold_exactly_the_unsafe_records(
    cells: list[tuple[float, int]], data: st.DataObject
) -> None:
    risk, count = np.array([r for r, _n in cells]), np.array([n for _r, n in cells])
    threshold = data.draw(st.sampled_from(sorted(risk.tolist())))
    limits = class_limits(float(risk.min()), float(risk.max()), threshold)
    found = records_in_classes(risk, count, limits)
    assert sum(found) == count.sum()
    if risk.min() < threshold:
        above = sum(n for low, n in zip(limits[:-1], found, strict=True) if low >= threshold * (1 - 1e-9))
        assert above == count[risk >= threshold * (1 - 1e-12)].sum()


def test_without_counts_every_entry_is_one_record_and_undefined_risks_are_left_out() -> None:
    assert records_in_classes(np.array([0.1, np.nan, 0.2, 0.9]), None, (0.1, 0.2, 0.5, 1.0)) == (1, 1, 1)


@pytest.mark.parametrize("risk", [1.0, 0.001])
def test_one_risk_is_one_class(risk: float) -> None:
    limits = class_limits(risk, risk)
    assert records_in_classes(np.array([risk]), np.array([7]), limits) == (7,)
