"""Schemes made by grouping codes: against plain dictionaries, the slow twin of recoding, and the published files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.data.columns import EncodedColumn
from core.formats.argus.recode_scheme import Scheme, parse_scheme, read_scheme, scheme_text
from core.recoding import grouping, intervals
from core.recoding.grouping import EMPTY, assignment, scheme_of
from core.recoding.truncate import truncate
from tests import naive_recode as naive
from tests.core.recoding.test_scheme import CODE, columns, schemes
from tests.reference.files import demodata


def valid(column: EncodedColumn) -> tuple[str, ...]:
    return column.codes[: column.n_valid]


def usable(column: EncodedColumn, scheme: Scheme) -> bool:
    return naive.refusal(lambda: assignment(column, scheme)) is None


@given(st.data())
def test_any_assignment_survives_its_text_and_is_what_the_twin_makes_of_it(data: st.DataObject) -> None:
    column = data.draw(columns())
    names = st.one_of(CODE, st.sampled_from(column.codes))
    assigned = {code: data.draw(names) for code in valid(column) if data.draw(st.booleans())}
    scheme = scheme_of(column, assigned)
    text = scheme_text(scheme) if scheme.lines else ""
    again = parse_scheme(text) if text else EMPTY
    assert again == scheme
    assert assignment(column, again) == assigned
    lines, missing = naive.parse(text)
    expected = naive.recode(column, lines, missing)
    becomes = {code: assigned.get(code, code) for code in column.codes}
    assert expected["records"] == [becomes[column.codes[i]] for i in column.values.tolist()]
    assert len({line.code for line in scheme.lines}) == len(scheme.lines)


@given(st.data())
def test_any_scheme_survives_the_table(data: st.DataObject) -> None:
    """Text to table to text: the same codes become the same, however the scheme was written."""
    column = data.draw(columns())
    scheme = data.draw(schemes(list(column.codes)))
    if not usable(column, scheme):
        return
    assigned = assignment(column, scheme)
    again = scheme_of(column, assigned, scheme)
    assert (again.missing, again.codelist) == (scheme.missing, scheme.codelist)
    if again.lines:
        assert assignment(column, parse_scheme(scheme_text(again))) == assigned
        before = naive.recode(column, *naive.parse(scheme_text(scheme)))
        assert naive.recode(column, *naive.parse(scheme_text(again)))["records"] == before["records"]


@given(st.data())
def test_edits_do_to_categories_what_they_say(data: st.DataObject) -> None:
    column = data.draw(columns().filter(lambda column: column.n_valid > 0))
    scheme = EMPTY
    for _ in range(data.draw(st.integers(1, 5))):
        groups = set(grouping.categories(column, assignment(column, scheme)).values())
        codes = data.draw(st.lists(st.sampled_from(valid(column)), min_size=1, unique=True))
        if data.draw(st.booleans()):
            scheme = grouping.merge(column, scheme, codes)
            joined = [group for group in groups if not set(codes).isdisjoint(group)]
            expected = {*groups.difference(joined), frozenset().union(*joined)}
        else:
            scheme = grouping.take_apart(column, scheme, codes)
            left = {tuple(code for code in group if code not in codes) for group in groups}
            expected = {*(group for group in left if group), *((code,) for code in codes)}
        found = grouping.categories(column, assignment(column, scheme))
        assert {frozenset(group) for group in found.values()} == {frozenset(group) for group in expected}


def ages(*extra: str) -> EncodedColumn:
    return naive.column([f"{age:>2}" for age in range(8, 75)] + list(extra), ("99",), 2, "AGE")


def text_of(scheme: Scheme) -> str:
    return scheme_text(scheme).strip()


def test_merging_keeps_what_it_does_not_touch_as_it_was_written() -> None:
    scheme = parse_scheme("1: -20\n2: 21-30\n3: 31-40\n4: 41-\n<MISSING> 98\n<CODELIST> a.cdl")
    merged = grouping.merge(ages(), scheme, ["25", "33"])
    assert text_of(merged) == '1: -20\n2: 21-40\n4: 41-\n<MISSING> 98\n<CODELIST> "a.cdl"'
    assert text_of(grouping.merge(ages(), scheme, ["33", "50"], into="9")).startswith("1: -20\n2: 21-30\n9: 31-\n")


def test_a_category_is_called_after_its_first_code_unless_one_has_a_name() -> None:
    one = grouping.merge(ages(), EMPTY, ["12", "10", "11"])
    assert text_of(one) == "10: 10-12"
    assert text_of(grouping.merge(ages(), one, ["9", "11"])) == "10: 9-12"


def test_a_code_that_leaves_gets_a_free_number_where_its_own_is_in_use() -> None:
    scheme = parse_scheme("1: 8\n2: 9-10\n10: 11-20\n")
    apart = grouping.take_apart(ages(), scheme, ["10"])
    assert text_of(apart) == "1: 8\n2: 9\n3: 10\n10: 11-20"


def test_renaming_and_numbering() -> None:
    scheme = grouping.merge(ages(), EMPTY, ["8", "9"])
    assert text_of(grouping.rename(ages(), scheme, "8", "young")) == "young: 8-9"
    numbered = grouping.numbered(naive.column(list("abc"), ("2",), 1), EMPTY)
    assert text_of(numbered) == "1: a\n3: b\n4: c"


def test_codes_are_ranges_only_where_they_follow_each_other_as_fields_compare() -> None:
    column = naive.column(["1 ", "10", " 1"[:2], "2 ", " 9"], (), 2)
    assert text_of(grouping.merge(column, EMPTY, ["10", "2"])) == '10: 10-"2 "'
    gap = naive.column(["1", "2", "3"], (), 1)
    assert text_of(grouping.merge(gap, EMPTY, ["1", "3"])) == "1: 1, 3"


def test_equal_width() -> None:
    assert text_of(intervals.equal_width(ages(), 20)) == "1: -19\n2: 20-39\n3: 40-59\n4: 60-"
    assert text_of(intervals.equal_width(ages(), 20, 15)) == "1: -14\n2: 15-34\n3: 35-54\n4: 55-"
    assert text_of(intervals.equal_width(ages(), 20, last=50)) == "1: -19\n2: 20-39\n3: 40-49\n4: 50-"
    assert text_of(intervals.equal_width(ages(), 20, last=20)) == "1: -19\n2: 20-"
    assert intervals.equal_width(ages(), 20, last=1000) == intervals.equal_width(ages(), 20)
    with pytest.raises(RecipeError, match="would take all codes"):
        intervals.equal_width(ages(), 20, last=-5)
    padded = naive.column(["0101", "0102", "0203"], (), 4)
    assert text_of(intervals.equal_width(padded, 100)) == "1: -0199\n2: 0200-"
    for width, id in ((0, "interval-width"), (1e-9, "interval-too-narrow")):
        with pytest.raises(RecipeError) as error:
            intervals.equal_width(ages(), width)
        assert error.value.id == id
    with pytest.raises(RecipeError) as error:
        intervals.equal_width(naive.column(["a", "1"], (), 1), 2)
    assert error.value.id == "codes-not-numbers"


@given(
    st.lists(st.integers(-99, 999).map(str), min_size=1, unique=True),
    st.lists(st.integers(-50, 500).map(float), max_size=5),
)
def test_own_breaks_put_every_number_where_it_belongs(codes: list[str], breaks: list[float]) -> None:
    """Whatever the codes look like: signs, and unequal lengths in left-aligned fields."""
    column = naive.column([code.ljust(4) for code in codes], (), 4)
    made = assignment(column, intervals.by_breaks(column, breaks))
    place = {code: sum(float(code) >= low for low in set(breaks)) for code in codes}
    assert len(set(made.values())) == len(set(place.values()))
    assert all((made[a] == made[b]) == (place[a] == place[b]) for a in codes for b in codes)


def test_breaks_that_are_codes_of_any_kind() -> None:
    column = naive.column(list("abcd"), (), 1)
    assert text_of(intervals.by_codes(column, ["c"])) == "1: a-b\n2: c-d"
    with pytest.raises(RecipeError) as error:
        intervals.by_codes(column, ["x"])
    assert error.value.id == "break-unknown"


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60), st.integers(1, 8))
def test_quantiles_put_a_code_where_its_middle_record_lies(records: list[int], groups: int) -> None:
    column = naive.column([f"{age:>2}" for age in records], ("99",), 2)
    made = assignment(column, intervals.quantiles(column, groups))
    ordered = sorted(set(records))
    places = [int(groups * (sum(r < c for r in records) + records.count(c) / 2) // len(records)) for c in ordered]
    expected = [len(list(group)) for _, group in groupby(places)]
    assert [len(list(group)) for _, group in groupby(made[str(code)] for code in ordered)] == expected
    assert len(set(made.values())) <= groups


def test_top_and_bottom() -> None:
    assert text_of(intervals.top_bottom(ages(), "17", "65")) == "17: -17\n65: 65-"
    assert text_of(intervals.top_bottom(ages(), None, "65")) == "65: 65-"
    letters = naive.column(list("abcde"), (), 1)
    assert text_of(intervals.top_bottom(letters, "b", None)) == "b: -b"
    # Left-aligned: 9 is below 65 as a number and above it as a field.
    left = naive.column(["9 ", "65", "70"], (), 2)
    assert assignment(left, intervals.top_bottom(left, None, "65")) == {"65": "65", "70": "65"}
    with pytest.raises(RecipeError) as error:
        intervals.top_bottom(ages(), "65", "17")
    assert error.value.id == "top-below-bottom"


@pytest.mark.parametrize(
    ("codes", "bottom", "top", "id"),
    [
        (range(20), "x", None, "break-unknown"),
        (range(20), None, "nan", "break-unknown"),
        (range(20), "3", "inf", "break-unknown"),
        ("abcde", "f", None, "break-unknown"),
        ("abcde", None, "bb", "break-unknown"),
        (range(20), "19", None, "end-takes-all"),
        (range(20), "200", None, "end-takes-all"),
        (range(20), None, "0", "end-takes-all"),
        ("abcde", "e", None, "end-takes-all"),
        ("abcde", None, "a", "end-takes-all"),
    ],
)
def test_an_end_that_is_no_code_or_takes_all_codes_is_refused(
    codes: Sequence[object], bottom: str | None, top: str | None, id: str
) -> None:
    column = naive.column([str(code) for code in codes], (), 2)
    with pytest.raises(RecipeError) as error:
        intervals.top_bottom(column, bottom, top)
    assert error.value.id == id


def test_an_end_between_the_codes_of_the_file_is_a_number_like_others() -> None:
    column = naive.column(["10", "20", "30"], (), 2)
    assert text_of(intervals.top_bottom(column, "15", "25")) == "15: -15\n25: 25-"


@given(st.data())
def test_truncation_as_a_scheme_is_truncation(data: st.DataObject) -> None:
    column = data.draw(columns())
    digits = data.draw(st.integers(1, 3))
    done = truncate(column, digits)
    scheme = intervals.truncation(column, digits)
    made = assignment(column, scheme)
    assert {code: done.column.codes[done.lut[i]] for i, code in enumerate(valid(column))} == made


def test_levels_of_a_codelist() -> None:
    occupations = naive.column(["1110", "1120", "2110", "2220", "2221"], ("9999",), 4)
    assert [(level.length, level.categories) for level in intervals.prefix_levels(occupations)] == [
        (3, 4),
        (2, 3),
        (1, 2),
    ]
    assert text_of(intervals.by_prefix(occupations, 2)) == "11: 1110-1120\n21: 2110\n22: 2220-2221"
    part = intervals.by_prefix(occupations, 1, EMPTY, ["2110", "2220"])
    assert text_of(part) == "2: 2110-2220"
    uneven = naive.column([" 1", "10", "11", "20"], (), 2)
    assert intervals.prefix_levels(uneven) == ()
    assert [level.length for level in intervals.prefix_levels(uneven, known=["1", "2"])] == [1]


def test_of_lengths_that_merge_alike_the_codelist_says_which_is_the_level() -> None:
    regions = naive.column(["0101", "0102", "0201", "0203"], (), 4)

    def offered(*known: str) -> list[tuple[int, int]]:
        return [(level.length, level.categories) for level in intervals.prefix_levels(regions, known)]

    assert offered() == [(2, 2), (1, 1)]
    assert offered("010", "020") == [(3, 2), (1, 1)]
    assert offered("010", "020", "01", "02") == [(2, 2), (1, 1)]
    assert offered("01") == [(2, 2), (1, 1)]


PUBLISHED: tuple[tuple[str, str, Callable[[EncodedColumn], Scheme]], ...] = (
    ("AGE", "Age.grc", lambda column: intervals.by_breaks(column, [21, 31, 41, 51, 61])),
    ("AGE", "Age3.grc", lambda column: intervals.by_breaks(column, [31, 51])),
    ("REGION", "Region.grc", lambda column: intervals.by_breaks(column, range(11, 172, 10))),
)


@pytest.mark.parametrize(("variable", "file", "group"), PUBLISHED)
def test_published_schemes_are_made_by_breaks_line_by_line(
    shared: Path, variable: str, file: str, group: Callable[[EncodedColumn], Scheme]
) -> None:
    column = demodata(shared)[1].columns[variable]
    published = read_scheme(shared / "data" / "demodata" / file)
    assert assignment(column, group(column)) == assignment(column, published)
    assert group(column).lines[1:] == published.lines[1:]
    assert scheme_of(column, assignment(column, published), published) == published
