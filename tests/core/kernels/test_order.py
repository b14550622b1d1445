"""The orders of kernels, against numpy's and numba's own."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba.misc.quicksort import make_py_quicksort

from core.kernels.order import quick_order, stable_order

_BY_NUMBA = make_py_quicksort(is_argsort=True).run_quicksort  # type: ignore[no-untyped-call]
few = st.lists(st.integers(0, 5), max_size=120)


@given(few)
def test_equal_numbers_stay_as_they_stand(numbers: list[int]) -> None:
    values = np.array(numbers, np.int64)
    order, room = np.empty_like(values), np.empty_like(values)
    stable_order(values, order, room)
    assert order.tolist() == np.argsort(values, kind="stable").tolist()


@given(st.one_of(few, st.lists(st.integers(0, 500), max_size=120)))
def test_equal_numbers_stand_as_numba_leaves_them(numbers: list[int]) -> None:
    values = np.array(numbers, np.float64)
    order = np.empty(len(values), np.int32)
    quick_order(values, order)
    assert order.tolist() == _BY_NUMBA(values).tolist()
    assert np.array_equal(values[order], np.sort(values))
