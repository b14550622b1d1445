"""Truncation: always of the field as it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.recoding.recoding import Recoding
from core.recoding.truncate import truncate
from tests import naive_recode as naive


def texts(recoding: Recoding) -> list[str]:
    return [recoding.column.codes[i] for i in recoding.column.values]


@given(
    st.lists(st.text("012é", min_size=1, max_size=3).filter(lambda s: naive.size(s) <= 4), min_size=1, unique=True),
    st.integers(1, 3),
    st.booleans(),
)
def test_every_record_keeps_the_front_of_its_field(codes: list[str], digits: int, left: bool) -> None:
    fields = {c: c + " " * (4 - naive.size(c)) if left else naive.bound(c, 4) for c in codes}
    column = naive.column([fields[code] for code in codes], ("9999", "0"), 4)
    recoding = truncate(column, digits)
    fronts = {code: fields[code][: max(len(fields[code]) - digits, 0)].strip() for code in codes}
    assert texts(recoding) == [code if code == "0" else fronts[code] for code in codes]
    valid = column.codes[: column.n_valid]
    assert recoding.lost == tuple(code for code in valid if fronts[code] == "0")
    assert recoding.column.width == 4  # that of the missing code
    assert recoding.column.codes[recoding.column.n_valid :] == ("9999", "0")


def test_width_is_that_of_what_is_left_and_of_the_missing_codes() -> None:
    recoding = truncate(naive.column(["1234", "1299", "9999"], ("9999",), 4), 2, ("9", "8"))
    assert recoding.column.codes == ("12", "9", "8")
    assert recoding.column.width == 2
    assert recoding.column.padded == ("12", " 9", " 8")
    assert texts(recoding) == ["12", "12", "9"]
    assert recoding.text == "2 digits have been truncated"


@pytest.mark.parametrize(("digits", "width"), [(0, 2), (2, 2), (-1, 2), (1, 1)])
def test_a_number_of_digits_that_leaves_nothing_is_refused(digits: int, width: int) -> None:
    with pytest.raises(RecipeError) as error:
        truncate(naive.column(["1" * width], (), width), digits)
    assert error.value.id == "truncate-digits"
    assert "X" in str(error.value)
