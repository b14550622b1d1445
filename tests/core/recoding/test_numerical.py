"""Changes to numerical variables against fractions, and by hand at the halves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError, RecipeError
from core.data.columns import EncodedColumn
from core.data.variables import Variable
from core.recipe.model import NumericEdit, TopBottomCode
from core.recoding.numerical import compare, modify, places
from tests import naive_numeric as naive

BASES = ("0.1", "0.05", "0.25", "0.3", "1", "2", "5", "7", "100", "2.5", "0.001")
NUMBERS = st.one_of(
    st.decimals(-2000, 2000, places=3).map(str),
    st.decimals(-20, 20, places=1).map(str),
    st.integers(-300, 300).map(str),
    st.sampled_from(["0.05", "0.15", "0.25", "-0.05", "2.675", "1e2", "+.5", "5.", "-0", "0.30000000000000004"]),
)


def column(texts: Sequence[str], missing: tuple[str, ...] = ("99999",)) -> EncodedColumn:
    """A variable as it is read: valid codes in order, then the missing ones."""
    codes = (*sorted(set(texts) - set(missing)), *missing)
    values = np.array([codes.index(text) for text in texts], np.uint16)
    counts = np.bincount(values, minlength=len(codes))
    return EncodedColumn("X", values, codes, codes, counts, len(codes) - len(missing), 5)


def texts_of(made: EncodedColumn) -> list[str]:
    return [made.codes[value] for value in made.values]


cuts = st.one_of(st.none(), st.sampled_from([("100", "100+"), ("12.5", "13"), ("0.1", "0.1"), ("-3.3", "-4")]))


@given(
    st.lists(NUMBERS | st.sampled_from(["", "99999"]), min_size=1, max_size=30),
    st.integers(0, 3), st.none() | st.sampled_from(BASES), cuts, cuts,
)  # fmt: skip
def test_every_text_is_that_of_the_twin(
    texts: list[str], decimals: int, base: str | None, top: tuple[str, str] | None, bottom: tuple[str, str] | None
) -> None:
    spec = NumericEdit(
        "X",
        top=top and TopBottomCode(float(top[0]), top[1]),
        bottom=bottom and TopBottomCode(float(bottom[0]), bottom[1]),
        round=None if base is None else float(base),
    )
    made = modify(column(texts), spec, Variable("X", decimals=decimals))
    expected = [t if t == "99999" else naive.changed(t, decimals, base, top, bottom) for t in texts]
    assert texts_of(made) == expected
    assert made.counts.sum() == len(texts)
    assert made.codes[made.n_valid :] == ("99999",)


@pytest.mark.parametrize(
    ("text", "base", "decimals", "expected"),
    [
        ("2.675", 0.01, 2, "2.68"),
        ("-2.675", 0.01, 2, "-2.68"),
        ("0.15", 0.1, 1, "0.2"),
        ("0.3", 0.1, 1, "0.3"),
        ("50", 100, 0, "100"),
        ("-50", 100, 2, "-100.00"),
        ("49.999", 100, 0, "0"),
        ("-0.3", 1, 0, "0"),
        ("0.05", 0.05, 1, "0.05"),
        ("12345678901234567890123.45", 0.1, 1, "12345678901234567890123.5"),
    ],
)
def test_halves_go_away_from_zero_without_surprises(text: str, base: float, decimals: int, expected: str) -> None:
    assert texts_of(modify(column([text]), NumericEdit("X", round=base), Variable("X", decimals=decimals))) == [
        expected
    ]


def test_cuts_are_tested_on_the_rounded_number() -> None:
    spec = NumericEdit("X", top=TopBottomCode(100, "100"), bottom=TopBottomCode(0, "0 or less"), round=10)
    made = modify(column(["94.9", "95", "5", "4.9", "-3"]), spec, Variable("X"))
    assert texts_of(made) == ["90", "100", "10", "0 or less", "0 or less"]


def test_a_replacement_that_is_a_missing_code_is_missing() -> None:
    made = modify(column(["5", "7", "99999"]), NumericEdit("X", top=TopBottomCode(6, " 99999 ")), Variable("X"))
    assert texts_of(made) == ["5", "99999", "99999"]
    assert (made.n_valid, made.codes) == (1, ("5", "99999"))


def test_numbers_with_a_decimal_comma_keep_it() -> None:
    spec = NumericEdit("X", round=0.5, top=TopBottomCode(2.5, "2,5+"))
    made = modify(column(["1,3", "2,74", "0,2"]), spec, Variable("X", decimals=1), decimal=",")
    assert texts_of(made) == ["1,5", "2,5+", "0,0"]


def test_a_text_that_is_no_number_is_told_by_its_record() -> None:
    with pytest.raises(DataError, match=r"X is not a number in 2 records, the first of which is record 3"):
        modify(column(["1", "2", "n/a", "3", "n/a"]), NumericEdit("X", round=5), Variable("X"))


def test_both_distributions_have_one_axis() -> None:
    given_ = column(["0", "10", "10", "500", "99999"])
    found = compare(given_, modify(given_, NumericEdit("X", top=TopBottomCode(100, "100+")), Variable("X")), bins=5)
    assert found.edges.tolist() == [0, 100, 200, 300, 400, 500]
    assert (found.before.numbers, found.before.others, found.before.greatest) == (4, 1, 500)
    assert (found.after.numbers, found.after.others, found.after.greatest) == (3, 2, 10)
    assert found.before.records.tolist() == [3, 0, 0, 0, 1]
    assert found.after.records.tolist() == [3, 0, 0, 0, 0]
    assert (found.changed, found.before.mean) == (1, 130)


def test_a_variable_without_numbers_has_an_empty_distribution() -> None:
    given_ = column(["99999", ""])
    found = compare(given_, modify(given_, NumericEdit("X", round=5), Variable("X")))
    assert (found.before.numbers, found.before.others, found.before.least) == (0, 2, None)
    assert found.changed == 0


@pytest.mark.parametrize(("number", "decimals"), [(0.05, 2), (100.0, 0), (1e-07, 7), (2.5, 1), (1e20, 0)])
def test_decimals_are_those_that_were_typed(number: float, decimals: int) -> None:
    assert places(number) == decimals


@pytest.mark.parametrize("base", [1e-300, 1e-16, 0.30000000000000004])
def test_a_base_with_needlessly_many_decimals_is_refused(base: float) -> None:
    spec = NumericEdit("X", round=base)
    with pytest.raises(RecipeError, match=rf"needs {places(base)} decimals in X; at most 15 are possible"):
        modify(column(["1.5"]), spec, Variable("X"))


def test_fifteen_decimals_are_possible() -> None:
    made = modify(column(["1.5"]), NumericEdit("X", round=1e-15), Variable("X"))
    assert texts_of(made) == ["1.500000000000000"]
