from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.tables.exact_sums import to_float

LIMB = st.integers(0, 2**62 - 1) | st.integers(2**53 - 3, 2**53 + 70) | st.integers(0, 1000)


@given(st.lists(st.tuples(LIMB, LIMB), min_size=1, max_size=20), st.integers(0, 18), st.integers(0, 36), st.booleans())
def test_sums_are_correctly_rounded(pairs: list[tuple[int, int]], first: int, second: int, both: bool) -> None:
    limbs = [np.array(limb, np.int64) for limb in zip(*pairs, strict=True)]
    decimals = [first, second]
    if not both:
        limbs, decimals = limbs[1:], decimals[1:]
    found = to_float(limbs, decimals)
    for row, pair in enumerate(pairs):
        parts = zip(pair[2 - len(limbs) :], decimals, strict=True)
        exact = sum((Fraction(part, 10**places) for part, places in parts), Fraction(0))
        assert found[row] == exact.numerator / exact.denominator


def test_halfway_between_two_floats() -> None:
    limbs = np.array([2**53 + 1, 2**53 + 3, 2**54 + 2], np.int64)
    assert to_float([limbs], [0]).tolist() == [2.0**53, 2.0**53 + 4, 2.0**54]
    above = to_float([limbs, np.array([1, 1, 1], np.int64)], [0, 18]).tolist()
    assert above == [2.0**53 + 2, 2.0**53 + 4, 2.0**54 + 4]
