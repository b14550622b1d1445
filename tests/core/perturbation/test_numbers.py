"""Numbers of a column and back."""

from __future__ import annotations

from decimal import Decimal

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
    assert texts_of(found) == ["100000000000000000000"]


def test_a_value_that_is_no_number_is_named() -> None:
    with pytest.raises(DataError, match='X has the value "many"'):
        numbers_of(column(["1", "many"]))


def test_decimals_are_the_most_of_the_values() -> None:
    assert decimals_of(column(["1.25", "3"]), Variable("X", decimals=1)) == 2


def test_a_number_is_never_written_as_a_missing_code() -> None:
    found = with_numbers(column(["7", "99"]), np.array([98.2, np.nan]), 0)
    assert texts_of(found) == ["100", "99"]


@given(st.lists(st.decimals(-(10**12), 10**12, places=3), min_size=1, max_size=20), st.sampled_from(".,"))
def test_numbers_are_those_that_python_reads(numbers: list[Decimal], decimal: str) -> None:
    """Plain ones are read together, others one by one: both to the last bit."""
    texts = [f"{number:f}".replace(".", decimal) for number in numbers]
    assert numbers_of(column(texts, ()), decimal).tolist() == [float(number) for number in numbers]
    assert decimals_of(column(texts, ()), Variable("X"), decimal) == 3
    one_by_one = numbers_of(column([*texts, "1e0"], ()), decimal)
    assert one_by_one.tolist() == [*map(float, numbers), 1.0]


@pytest.mark.parametrize("text", ["1-2", "1 2", "", "1.2.3", ".", "nan", "é", "1,5"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="which is no number"):
        numbers_of(column(["1", text], ()))


def test_a_number_next_to_a_missing_code_that_is_free_is_taken_once() -> None:
    found = with_numbers(column(["1", "2", "3"], ("99", "100")), np.array([99.0, 101.0, -3.5]), 0)
    assert texts_of(found) == ["101", "101", "-4"]
    assert found.codes == ("-4", "101", "99", "100")
    tenths = with_numbers(column(["1", "2"], ("99.0",)), np.array([98.96, -0.04]), 1)
    assert texts_of(tenths) == ["99.1", "0.0"]


def test_a_number_is_no_missing_code_however_that_is_written() -> None:
    """A file of numbers, and programs that read text as numbers, take 99.0 for 99."""
    found = with_numbers(column(["1.5", "2"], ("99", "99.1")), np.array([99.0, 98.96]), 1)
    assert texts_of(found) == ["99.2", "99.2"]


def test_a_number_whose_square_is_none_is_refused() -> None:
    with pytest.raises(DataError, match=r'X has the value "1E\+300", which is too large'):
        numbers_of(column(["1", "1E+300"]))


def test_no_more_digits_are_written_than_a_number_has() -> None:
    found = with_numbers(column(["1", "2"], ()), np.array([0.1 + 0.2, 12345.678901234567]), 17)
    assert [float(text) for text in texts_of(found)] == [0.3, 12345.6789012346]
    assert {len(text.partition(".")[2]) for text in texts_of(found)} == {10}
