"""Numbers as the report writes them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.report.numbers import amount, column, count, exact, one_in, percent, significant, threshold


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (999, "999"), (4000, "4,000"), (12345, "12,345"), (-1234567, "−1,234,567")]
)
def test_counts_are_grouped_from_four_digits(value: int, text: str) -> None:
    assert count(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.00125, "0.00125"), (0.00125190354, "0.00125190354"), (1.0, "1"), (3e-7, "0.0000003"), (0.1 + 0.2, "0.3")],
)
def test_thresholds_are_written_in_full_and_without_exponent(value: float, text: str) -> None:
    assert exact(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0333, "0.0333"), (1 / 30, "0.0333333"), (0.00125190354, "0.00125190354"), (0.033333333333333, "0.0333333")],
)
def test_thresholds_are_written_as_typed_and_those_taken_from_the_risks_in_six_digits(value: float, text: str) -> None:
    assert threshold(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.00125, "1 in 800"), (0.0423, "1 in 23"), (0.5, "1 in 2"), (0.7, "1 in 1.4"), (0.0, ""),
                        (0.44, "1 in 2.2"), (0.95, ""), (1.0, ""),
                        (1 / 50000, "1 in 50,000"), (1 / 1237, "1 in 1,237")]
)  # fmt: skip
def test_risks_in_words(value: float, text: str) -> None:
    assert one_in(value) == text


def test_rates_become_per_cent_only_here() -> None:
    assert percent(0.019563753998) == "1.956\u00a0%"
    assert percent(0.0) == "0\u00a0%"
    assert percent(1.0, 3) == "100\u00a0%"


def test_a_column_has_equal_decimals() -> None:
    assert column([0.0423, 0.00125, 0.0], "risk") == ("0.04230", "0.00125", "0.00000")
    assert column([0.5, None, 0.012], "share") == ("50.0\u00a0%", "–", "1.2\u00a0%")
    assert column([12000, "many", ""], "count") == ("12,000", "many", "")
    assert column([2 / 3, 10.0], "number:2") == ("0.67", "10.00")
    assert column([0.00125, 1], "exact") == ("0.00125", "1")


def test_tiny_numbers_are_not_written_as_nothing() -> None:
    assert column([3e-13], "risk") == ("3.00e−13",)
    assert significant(3e-13) == "3.00e−13"


def test_undefined_is_a_dash() -> None:
    assert significant(math.nan) == exact(math.inf) == "–"


def test_amounts_have_no_trailing_zeros() -> None:
    assert amount(19850.0) == "19,850"
    assert amount(473.7) == "473.7"
    assert amount(500.0) == "500"


@given(st.floats(1e-9, 1e9))
def test_significant_digits_keep_the_value(value: float) -> None:
    text = significant(value, 6).replace(",", "").replace("−", "-")
    assert float(text) == pytest.approx(value, rel=6e-6, abs=0.6e-9)


@given(st.floats(1e-15, 1.0))
def test_exact_keeps_twelve_digits(value: float) -> None:
    assert float(exact(value)) == pytest.approx(value, rel=1e-11)


@given(st.lists(st.floats(0.0, 1.0), min_size=1))
def test_equal_decimals_whatever_the_values(values: list[float]) -> None:
    written = [t for t in column(values, "percent") if "e" not in t]
    assert len({len(t.partition(".")[2]) for t in written}) <= 1
