from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.risk.measures.k_anonymity import KAnonymityProfile

SIZE = st.one_of(st.integers(1, 6).map(float), st.floats(1, 6), st.just(math.nan))


@given(st.lists(st.tuples(SIZE, st.integers(1, 4)), max_size=10))
def test_violations_by_the_definition(cells: list[tuple[float, int]]) -> None:
    k_anonymity = KAnonymityProfile.from_cells(
        np.array([f for f, _ in cells]), np.array([c for _, c in cells], np.int64)
    )
    assert k_anonymity.n == sum(count for f, count in cells if f == f)
    for k, violations in k_anonymity.profile(8):
        assert violations == sum(count for f, count in cells if f < k - 1e-11)
    if k_anonymity.n:
        assert k_anonymity.smallest == min(f for f, _ in cells if f == f)
    else:
        assert math.isnan(k_anonymity.smallest)


def test_a_sum_of_fractions_that_should_be_k() -> None:
    almost_two = 1 + 10 * 0.1 - 1e-15
    assert KAnonymityProfile.from_cells(np.array([almost_two]), np.array([1])).violations(2) == 0
