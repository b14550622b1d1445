"""Sorting and filtering as index arrays, against Python's own sorting."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.base.ordering import matching_rows, sorted_order

numbers = st.lists(st.one_of(st.none(), st.integers(-5, 5), st.floats(-3, 3, allow_nan=False)), max_size=20)


def _plain(values: list[object], descending: bool, last: list[bool]) -> list[int]:
    def rank(row: int) -> tuple[int, float]:
        value = values[row]
        group = 2 * last[row] + (value is None)
        return group, 0.0 if value is None else float(value) * (-1 if descending else 1)  # type: ignore[arg-type]

    return sorted(range(len(values)), key=rank)


@given(st.data())
def test_order_is_that_of_a_stable_sort_with_absent_and_last_rows_at_the_end(data: st.DataObject) -> None:
    values = data.draw(numbers)
    last = data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    descending = data.draw(st.booleans())
    assert sorted_order(values, descending, np.array(last, bool)).tolist() == _plain(values, descending, last)


@given(st.lists(st.floats(-3, 3), max_size=20), st.booleans())
def test_arrays_are_sorted_as_lists_are(values: list[float], descending: bool) -> None:
    plain = [None if math.isnan(v) else v for v in values]
    expected = _plain(plain, descending, [False] * len(values))
    assert sorted_order(np.array(values, float), descending).tolist() == expected


def test_texts_of_digits_are_numbers_and_other_texts_have_no_case() -> None:
    assert sorted_order(["10", " 9", "100"]).tolist() == [1, 0, 2]
    assert sorted_order(["b", "A", "c", "B"]).tolist() == [1, 0, 3, 2]
    assert sorted_order(["b", "", "A"], descending=True).tolist() == [0, 2, 1]


def test_a_row_matches_where_any_column_contains_the_text() -> None:
    columns = [["Aalburg", "Alkmaar", "Breda"], ["1", "2", "13"]]
    assert matching_rows(columns, " al", 3).tolist() == [True, True, False]
    assert matching_rows(columns, "3", 3).tolist() == [False, False, True]
    assert matching_rows(columns, "", 3).tolist() == [True, True, True]


def test_nothing_is_sorted_and_filtered_to_nothing() -> None:
    assert sorted_order([]).tolist() == []
    assert matching_rows([[]], "a", 0).tolist() == []
