"""Numbers of a column and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.data.columns import EncodedColumn
from core.data.variables import Variable
from core.perturbation.numbers import decimals_of, numbers_of, with_numbers


def column(texts: list[str], missing: tuple[str, ...] = ("99", "98")) -> EncodedColumn:
    valid = sorted({text for text in texts if text not in missing})
    codes = (*valid, *missing)
    values = np.array([codes.index(text) for text in texts], np.uint16)
    counts = np.bincount(values, minlength=len(codes)).astype(np.int64)
    return EncodedColumn("X", values, codes, codes, counts, len(valid), max(map(len, codes)))


def texts_of(encoded: EncodedColumn) -> list[str]:
    return [encoded.codes[code] for code in encoded.values.tolist()]


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=30), st.integers(0, 4), st.sampled_from(".,"))
def test_numbers_come_back_as_they_were_written(whole: list[int], decimals: int, decimal: str) -> None:
    values = np.array(whole, np.float64) / 10**decimals
    found = with_numbers(column(["1"] * len(whole), ()), values, decimals, decimal)
    assert numbers_of(found, decimal) == pytest.approx(values, abs=1e-12)
    assert found.counts.sum() == len(whole)
    assert all(text.count(decimal) == (1 if decimals else 0) for text in texts_of(found))


def test_missing_codes_stay_the_ones_they_were() -> None:
    before = column(["7", "99", "98", "8"])
    numbers = numbers_of(before)
    assert np.isnan(numbers).tolist() == [False, True, True, False]
    assert texts_of(with_numbers(before, numbers * 2, 1)) == ["14.0", "99", "98", "16.0"]


def test_numbers_beyond_whole_floats_are_written() -> None:
    found = with_numbers(column(["1"]), np.array([1e20]), 2)
    assert texts_of(found) == ["100000000000000000000.00"]


def test_a_value_that_is_no_number_is_named() -> None:
    with pytest.raises(DataError, match='X has the value "many"'):
        numbers_of(column(["1", "many"]))


def test_decimals_are_the_most_of_the_values() -> None:
    assert decimals_of(column(["1.25", "3"]), Variable("X", decimals=1)) == 2


def test_a_number_is_never_written_as_a_missing_code() -> None:
    found = with_numbers(column(["7", "99"]), np.array([98.2, np.nan]), 0)
    assert texts_of(found) == ["100", "99"]
