"""Numbers typed and shown in the user's locale."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from core.base.errors import Notice, PavoError
from core.base.texts import DecimalText, use_language
from gui import numbers
from gui.app import application


@pytest.fixture(params=["en_US", "de_DE", "nl_NL", "fr_FR", "de_CH", "sv_SE"])
def each_locale(request: pytest.FixtureRequest) -> Iterator[str]:
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield request.param
    QLocale.setDefault(before)


@pytest.fixture
def german() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    yield
    QLocale.setDefault(before)
    use_language(None)


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_exact_text_is_read_back_to_the_last_bit(value: float) -> None:
    assert numbers.parse_number(numbers.format_typed(value)).value == value


@pytest.mark.parametrize("value", [0.00125190354, -3.5, 1e-7, 123456789.25, 0.0])
def test_exact_text_is_read_back_in_every_locale(each_locale: str, value: float) -> None:
    understood = numbers.parse_number(numbers.format_typed(value))
    assert understood.value == value
    assert not understood.as_program or numbers.locale().decimalPoint() == "." or value == round(value)


def test_a_point_is_a_decimal_mark_and_never_groups_in_german(german: None) -> None:
    understood = numbers.parse_number("1.956")
    assert understood.value == 1.956
    assert understood.as_program


def test_a_comma_is_the_german_decimal_mark(german: None) -> None:
    understood = numbers.parse_number("1,956")
    assert understood.value == 1.956
    assert not understood.as_program


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0,04", 0.04),
        ("-0,125", -0.125),
        ("12,5", 12.5),
        ("1234,567", 1234.567),
        ("1,2345", 1.2345),
        ("2,5e-3", 0.0025),
    ],
)
def test_a_decimal_comma_is_understood_where_it_can_mean_nothing_else(text: str, value: float) -> None:
    for name in ("C", "en_US"):
        QLocale.setDefault(QLocale(name))
        understood = numbers.parse_number(text)
        assert (understood.value, understood.as_program) == (value, True)
    assert numbers.parse_percent(f"{text} %").value == pytest.approx(value / 100, rel=1e-15)


@pytest.mark.parametrize("text", ["1,234", "-12,345", "1,234,567", "1.234,5", ",5", "5,", "1,5.0"])
def test_a_comma_that_may_group_thousands_is_not_guessed_at(text: str) -> None:
    QLocale.setDefault(QLocale("en_US"))
    with pytest.raises(ValueError, match="not a number"):
        numbers.parse_number(text)


@pytest.mark.parametrize("text", ["", "abc", "1,956", "nan", "inf", "1 2", "0x10", "--1", "%"])
def test_nonsense_is_refused(text: str) -> None:
    QLocale.setDefault(QLocale("en_US"))
    with pytest.raises(ValueError, match="not a number"):
        numbers.parse_number(text)


@pytest.mark.parametrize(
    ("text", "rate"), [("0.125 %", 0.00125), ("0.125%", 0.00125), (" 1.956 ", 0.01956), ("7 %", 0.07)]
)
def test_a_rate_is_in_per_cent_with_or_without_the_sign(text: str, rate: float) -> None:
    assert numbers.parse_percent(text).value == rate


def test_a_count_is_whole() -> None:
    assert numbers.parse_count("397").value == 397
    with pytest.raises(ValueError, match="not a whole number"):
        numbers.parse_count("397.5")


def test_what_is_typed_has_no_group_separators(each_locale: str) -> None:
    assert numbers.format_typed(1234567) == "1234567"
    assert len(numbers.format_typed(1234567.5)) == 9
    assert numbers.parse_count(numbers.format_typed(1956)).value == 1956


@pytest.mark.parametrize(
    ("name", "shown", "decimals"),
    [
        ("en_US", "1,956", "12,345.68"),
        ("de_DE", "1.956", "12.345,68"),
        ("nl_NL", "1.956", "12.345,68"),
        ("fr_FR", "1\u202f956", "12\u202f345,68"),
        ("es_ES", "1.956", "12.345,68"),
    ],
)
def test_what_is_read_is_grouped_from_four_digits_on(name: str, shown: str, decimals: str) -> None:
    QLocale.setDefault(QLocale(name))
    assert numbers.format_count(1956) == numbers.format_exact(1956.0) == shown
    assert numbers.format_count(-1956).lstrip("-−") == shown
    assert numbers.format_count(956) == "956"
    assert numbers.format_number(12345.678, 2) == decimals
    assert numbers.format_exact(0.12345678).endswith("12345678")
    assert numbers.format_percent(0.0195637539980, 3).endswith("956 %")
    assert numbers.without_groups(decimals) == decimals.replace(numbers.marks().group, "")


@pytest.mark.parametrize("name", ["en_US", "de_DE", "fr_FR", "es_ES"])
def test_a_grouped_count_put_into_a_box_is_not_misread(name: str) -> None:
    QLocale.setDefault(QLocale(name))
    for number in (1956, 2000, 1234567):
        shown = numbers.format_count(number)
        try:
            assert numbers.parse_count(shown).value == number
        except ValueError:
            assert numbers.why_refused(shown, whole=True) == f"Write a whole number without separators: {number}."


def test_no_number_is_a_dash() -> None:
    assert numbers.format_number(None, 2) == numbers.format_percent(float("nan")) == numbers.format_count(None) == "–"


@pytest.mark.parametrize(
    ("text", "whole", "said"),
    [
        ("1,956", False, "Does 1,956 mean 1956 or 1.956? Write it so."),
        ("1,956 %", False, "Does 1,956 % mean 1956 % or 1.956 %? Write it so."),
        ("1,5", True, "“1,5” is not a whole number."),
        ("1,956", True, "Write a whole number without separators: 1956."),
        ("1.5", True, "“1.5” is not a whole number."),
        ("a lot", True, "“a lot” is not a number."),
        ("a lot", False, "“a lot” is not a number."),
        ("", False, "Type a number."),
    ],
)
def test_it_is_said_how_a_refused_number_is_written(text: str, whole: bool, said: str) -> None:
    for name in ("C", "en_US"):
        QLocale.setDefault(QLocale(name))
        assert numbers.why_refused(text, whole).endswith(said)


def test_a_comma_is_no_reason_where_it_is_the_decimal_mark(german: None) -> None:
    assert numbers.why_refused("1,5", whole=True) == "“1,5” is not a whole number."
    assert numbers.why_refused("3.968", whole=True).endswith("Write a whole number without separators: 3968.")
    assert numbers.why_refused("1,5,5") == "“1,5,5” is not a number."


def test_sentences_write_decimal_numbers_as_the_locale_does_and_files_with_a_point(
    qapp: QApplication, german: None
) -> None:
    assert application._application(["pavo"]) is qapp
    told = Notice.of("told", "1 in {tries} of {name}: {share}, {total:.6g}", tries=2.2, name="v1.x",
                     share=DecimalText("0.25 %"), total=1234.5)  # fmt: skip
    assert told.text == "1 in 2,2 of v1.x: 0,25 %, 1.234,5"
    assert str(PavoError("met", "{risk} is met.", "Choose {n}.", risk=0.5, n=3)) == "0,5 is met. Choose 3."
    assert told.public == "1 in 2.2 of v1.x: 0.25 %, 1234.5"
