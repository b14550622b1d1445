"""Recoding by scheme: against its slow twin, and rule by rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.data.columns import EncodedColumn
from core.formats.argus.recode_scheme import Scheme, SchemeItem, SchemeLine, parse_scheme, scheme_text
from core.recoding.recoding import Recoding
from core.recoding.scheme import apply_scheme
from tests import naive_recode as naive
from tests.naive_recode import refusal

WIDTH = 4
CODE = (
    st.text("019aé-, :\"'<", min_size=1, max_size=WIDTH)
    .map(lambda s: s.strip())
    .filter(lambda s: s and naive.size(s) <= WIDTH)
)


@st.composite
def padded(draw: st.DrawFn, code: str) -> str:
    """The code somewhere in its field."""
    room = WIDTH - naive.size(code)
    left = draw(st.integers(0, room))
    return " " * left + code + " " * (room - left)


@st.composite
def columns(draw: st.DrawFn):
    codes = draw(st.lists(CODE, min_size=1, max_size=8, unique=True))
    fields = {code: draw(padded(code)) for code in codes}
    records = draw(st.lists(st.sampled_from(codes), min_size=1, max_size=20))
    missing = draw(st.lists(st.one_of(CODE, st.sampled_from(codes)), max_size=3, unique=True))
    return naive.column([fields[code] for code in records], tuple(missing), WIDTH)


@st.composite
def schemes(draw: st.DrawFn, pool: list[str]) -> Scheme:
    some = st.one_of(CODE, st.sampled_from(pool)) if pool else CODE
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        items = []
        for _ in range(draw(st.integers(1, 3))):
            low, high = draw(some), draw(some)
            if naive.bound(low, WIDTH).encode() > naive.bound(high, WIDTH).encode():
                low, high = high, low
            bounds = draw(
                st.sampled_from([(low, None, False), (low, high, True), (low, None, True), (None, high, True)])
            )
            items.append(SchemeItem(*bounds))
        lines.append(SchemeLine(draw(some), tuple(items)))
    return Scheme(tuple(lines), tuple(draw(st.lists(some, max_size=3, unique=True))))


@given(st.data())
def test_any_scheme_does_to_every_record_what_the_twin_does(data: st.DataObject) -> None:
    column = data.draw(columns())
    scheme = data.draw(schemes(list(column.codes)))
    lines, missing = naive.parse(scheme_text(scheme))
    expected = naive.recode(column, lines, missing)
    if "refused" in expected:
        with pytest.raises(RecipeError) as error:
            apply_scheme(column, scheme)
        assert error.value.id == "recode-missing-to-valid"
        return
    recoding = apply_scheme(column, parse_scheme(scheme_text(scheme)))
    check_form(recoding)
    result = recoding.column
    assert [result.codes[i] for i in result.values] == expected["records"]
    assert list(result.codes[result.n_valid :]) == expected["missing"]
    assert list(recoding.untouched) == expected["untouched"]
    assert list(recoding.overlapping) == expected["overlapping"]
    assert len(recoding.nonsense) == expected["nonsense"]
    assert result.width == expected["width"]
    assert np.array_equal(recoding.lut[column.values], result.values)


def check_form(recoding: Recoding) -> None:
    """What `EncodedColumn` promises."""
    column = recoding.column
    valid = column.padded[: column.n_valid]
    assert list(valid) == sorted(valid, key=str.encode)
    assert len(set(column.codes)) == len(column.codes)
    assert all(naive.size(field) == column.width for field in column.padded)
    assert all(field.strip() == code for field, code in zip(column.padded, column.codes, strict=True))
    assert column.counts.tolist() == np.bincount(column.values, minlength=len(column.codes)).tolist()
    assert (column.counts[: column.n_valid] > 0).all()
    assert column.values.dtype == np.uint8
    assert not column.values.flags.writeable


@given(st.data())
def test_a_scheme_written_and_read_is_the_same_scheme(data: st.DataObject) -> None:
    scheme = data.draw(schemes([]))
    again = parse_scheme(scheme_text(scheme))
    assert again == scheme
    assert scheme_text(again) == scheme_text(scheme)


@given(st.data())
def test_delimited_codes_may_be_shorter_or_longer_than_those_of_the_scheme(data: st.DataObject) -> None:
    codes = data.draw(st.lists(st.integers(0, 99).map(str), min_size=1, max_size=8, unique=True))
    column = naive.column(codes, ("",), max(map(len, codes)))
    low, high = sorted(data.draw(st.tuples(st.integers(0, 99999), st.integers(0, 99999))))
    recoding = apply_scheme(column, parse_scheme(f"in: {low}-{high}"), fixed=False)
    # Right-aligned digits compare as numbers do.
    expected = [str(code) if not low <= int(code) <= high else "in" for code in codes]
    assert [recoding.column.codes[i] for i in recoding.column.values] == expected


def recoded(text: str, fields: list[str], missing: tuple[str, ...] = ()) -> Recoding:
    return apply_scheme(naive.column(fields, missing, len(fields[0])), parse_scheme(text))


def texts(recoding: Recoding) -> list[str]:
    return [recoding.column.codes[i] for i in recoding.column.values]


def test_codes_compare_bytewise_on_fields() -> None:
    # Of the format's own examples: "1a" > "19", " 1" is not "01", "1 " < "11".
    assert texts(recoded("x: -19", ["1a", "19", " 1", "01", "11", "9 "])) == ["1a", "x", "x", "x", "x", "9"]
    assert texts(recoded('x: "1 "-11', ["1a", "10", "01", "1 ", "11"])) == ["1a", "x", "01", "x", "x"]
    assert texts(recoded('x: "1 "-11', ["1a", "10", "01", " 1", "11"])) == ["1a", "x", "01", "1", "x"]


def test_a_later_line_wins_and_is_said() -> None:
    recoding = recoded("1: 1-5\n2: 4-7", list("123456789"))
    assert texts(recoding) == list("111222289")
    assert recoding.overlapping == ("4", "5")
    assert recoding.untouched == ("8", "9")
    assert {notice.id for notice in recoding.notices} == {"recode-overlapping", "recode-untouched"}


def test_an_untouched_code_may_merge_with_an_equal_new_code_and_it_is_said() -> None:
    recoding = recoded("1: 3-", list("1234"))
    assert texts(recoding) == ["1", "2", "1", "1"]
    assert recoding.merged == ("1",)


def test_items_that_fit_nothing_are_named() -> None:
    recoding = recoded("1: 1, 7, 5-6", list("123"))
    assert recoding.nonsense == ("7", "5-6")


def test_ranges_leave_missing_codes_alone() -> None:
    recoding = recoded("1: 0-", list("19"), ("9",))
    assert texts(recoding) == ["1", "9"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1: 1-2", ["1", "8", "9"]),
        ("1: 1-2\n<MISSING> 98 99", ["1", "98", "99"]),
        ("1: 1-2\n<MISSING> 98, 99", ["1", "98", "99"]),
        ("1: 1-2\n<MISSING> 99", ["1", "99", "99"]),
        ("8: 1-2", ["8", "8", "9"]),
        ("99: 1-2\n<MISSING> 98 99", ["99", "98", "99"]),
        ("9: 8", ["1", "9", "9"]),
    ],
)
def test_missing_codes(text: str, expected: list[str]) -> None:
    recoding = recoded(text, list("189"), ("8", "9"))
    assert texts(recoding) == expected
    missing = set(recoding.column.codes[recoding.column.n_valid :])
    assert {"8", "9"} == missing or missing <= {"98", "99"}


def test_missing_codes_of_the_recipe_replace_those_of_the_scheme() -> None:
    column = naive.column(list("19"), ("9",), 1)
    recoding = apply_scheme(column, parse_scheme("1: 1-2\n<MISSING> 98"), ("x", "y"))
    assert recoding.column.codes == ("1", "x", "y")
    assert texts(recoding) == ["1", "x"]


def test_a_valid_code_that_a_new_missing_code_swallows_is_named() -> None:
    recoding = recoded("1: 1-2\n<MISSING> 7", list("179"), ("9",))
    assert texts(recoding) == ["1", "7", "7"]
    assert recoding.lost == ("7",) and recoding.blanked == ()
    assert "recode-lost" in {notice.id for notice in recoding.notices}


@pytest.mark.parametrize("text", ["9: 1, 3-4", "9: 1, 3-4\n<MISSING> 9, 8", "9: 1-9\n2: 2"])
def test_valid_codes_that_are_recoded_to_a_missing_code_are_named(text: str) -> None:
    recoding = recoded(text, list("1239"), ("9",))
    assert texts(recoding) == ["9", "2", "9", "9"]
    assert recoding.blanked == ("1", "3") and recoding.lost == ()
    (said,) = [notice for notice in recoding.notices if notice.id == "recode-to-missing"]
    assert said.where == recoding.column.name
    assert said.text.endswith(": 2 valid codes are recoded to a missing code and count as missing: 1, 3.")


def test_a_missing_code_that_stays_missing_is_nothing_to_warn_of() -> None:
    assert recoded("1: 1-2\n9: 8", list("1289"), ("9", "8")).notices == ()


@pytest.mark.parametrize(
    ("text", "id", "line", "position"),
    [
        ("1: 1\n2: 123", "recode-code-too-long", 2, 4),
        ("1: 1, 0 - 123", "recode-code-too-long", 1, 7),
        ("1: 2-1", "recode-bounds", 1, 4),
        ("1: 9-10, 11 - 9", "recode-bounds", 1, 10),
        ("1: 5, 99", "recode-missing-to-valid", 1, 7),
    ],
)
def test_what_does_not_fit_is_refused_at_its_place(text: str, id: str, line: int, position: int) -> None:
    with pytest.raises(RecipeError) as error:
        recoded(text, [" 1", "12"], ("99",))
    assert (error.value.id, error.value.values["line"], error.value.values["column"]) == (id, line, position)
    assert "X" in str(error.value)


def test_lengths_are_those_of_a_one_byte_encoding_where_the_fields_show_one() -> None:
    # Two characters in two bytes: not UTF-8.
    fields = ("é1", " é", "11")
    column = EncodedColumn("X", np.arange(3, dtype=np.uint8), ("é1", "é", "11"), fields, np.ones(3, np.int64), 3, 2)
    recoding = apply_scheme(column, parse_scheme("éé: é"))
    assert recoding.column.width == 2
    assert set(recoding.column.padded) == {"éé", "é1", "11"}


def test_many_codes_take_the_smallest_type_that_holds_them() -> None:
    n = 70000
    fields = tuple(f"{i:5d}" for i in range(n))
    codes = tuple(map(str, range(n)))
    column = EncodedColumn("X", np.arange(n, dtype=np.uint32), codes, fields, np.ones(n, np.int64), n, 5)
    types = {last: apply_scheme(column, parse_scheme(f"x: {last}-")).column for last in (254, 255, 65534, 65535)}
    assert [c.values.dtype for c in types.values()] == [np.uint8, np.uint16, np.uint16, np.uint32]
    assert [len(c.codes) for c in types.values()] == [255, 256, 65535, 65536]
    assert all(c.counts.sum() == n and c.codes[c.values[n - 1]] == "x" for c in types.values())


@given(st.text('01-,: "<>MISSING\n', max_size=40), st.lists(st.sampled_from(["0 ", " 1", "11"]), min_size=1))
def test_any_text_is_applied_or_refused_in_words(text: str, fields: list[str]) -> None:
    error = refusal(lambda: apply_scheme(naive.column(fields, ("0",), 2), parse_scheme(text)))
    assert error is None or (str(error) and error.values["line"] >= 1)


def test_a_notice_of_one_code_is_in_the_singular() -> None:
    recoding = recoded("1: 1, 5\n1: 1\n3: 4", list("1234"), ("9",))
    said = [notice.text.partition(": ")[2] for notice in recoding.notices]
    assert said == [
        "2 codes are not recoded: 2, 3.",
        "1 code is recoded more than once, the last counts: 1.",
        "1 item fits no code of the file: 5.",
        "1 code that is not recoded equals a new code: 3.",
    ]
    (blanked,) = recoded("9: 1\n2: 2", list("12"), ("9",)).notices
    assert blanked.text.endswith(": 1 valid code is recoded to a missing code and counts as missing: 1.")


def test_a_notice_of_many_codes_names_the_first_and_the_last() -> None:
    codes = [str(number) for number in range(10, 25)]
    (said,) = recoded("x: 10-13", codes).notices
    assert said.text.endswith(": 11 codes are not recoded: 14, 15, 16, 17, 18, 19, 20, 21, 22, …, 24.")
    (said,) = recoded("x: 10-14", codes).notices
    assert said.text.endswith(": 10 codes are not recoded: 15, 16, 17, 18, 19, 20, 21, 22, 23, 24.")
