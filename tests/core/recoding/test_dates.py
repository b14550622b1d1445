"""Dates of birth recoded into year and age."""

from __future__ import annotations

from datetime import date

import pytest

from core.base.errors import RecipeError
from core.recoding.dates import are_dates, by_age, by_year, read_dates
from core.recoding.grouping import assignment
from tests.naive_recode import column


@pytest.mark.parametrize(
    ("code", "day"),
    [
        ("1980-03-15", date(1980, 3, 15)),
        ("19800315", date(1980, 3, 15)),
        ("1980-03-15T00:00:00", date(1980, 3, 15)),
        ("15.3.1980", date(1980, 3, 15)),
        ("03/15/1980", date(1980, 3, 15)),
        ("04/03/1980", date(1980, 3, 4)),
        ("1980-13-01", None),
        ("15.3.80", None),
    ],
)
def test_dates_are_read_as_people_write_them(code: str, day: date | None) -> None:
    assert read_dates([code]).get(code) == day


def test_what_is_no_date() -> None:
    assert are_dates(["1980-03-15", "1981-01-01"])
    assert not are_dates(["1980-03-15", "12"])
    assert not are_dates([])


def test_year_and_age_on_a_day() -> None:
    births = column(["1980-03-15", "1980-03-16", "2000-02-29"], (), 10)
    assert assignment(births, by_year(births), fixed=False) == {
        "1980-03-15": "1980", "1980-03-16": "1980", "2000-02-29": "2000",
    }  # fmt: skip
    assert assignment(births, by_age(births, date(2025, 3, 15)), fixed=False) == {
        "1980-03-15": "45", "1980-03-16": "44", "2000-02-29": "25",
    }  # fmt: skip
    with pytest.raises(RecipeError, match=r"2000-02-29 of .* is after 1990-01-01"):
        by_age(births, date(1990, 1, 1))
    with pytest.raises(RecipeError, match="no dates"):
        by_year(column(["1", "2"], (), 1))
