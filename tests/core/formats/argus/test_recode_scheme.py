"""Recode schemes as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import MetadataError
from core.formats.argus.recode_scheme import (
    Scheme,
    SchemeItem,
    SchemeLine,
    parse_scheme,
    quoted_code,
    read_scheme,
    scheme_text,
)
from tests import naive_recode as naive
from tests.naive_recode import refusal


def code(text: str) -> SchemeItem:
    return SchemeItem(text, None, False)


def codes(low: str | None, high: str | None) -> SchemeItem:
    return SchemeItem(low, high, True)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("1: 5", [code("5")]),
        ("1:5,6 , 7", [code("5"), code("6"), code("7")]),
        ("  1 :\t5 - 7,9-\r\n", [codes("5", "7"), codes("9", None)]),
        ("1: -20", [codes(None, "20")]),
        ("1: - 20", [codes(None, "20")]),
        ("1: 61-", [codes("61", None)]),
        ('1: "3 - "', [code("3 - ")]),
        ('1: "a,b"-"c:d", ""', [codes("a,b", "c:d"), code("")]),
        ('1: "say ""x""", 6"', [code('say "x"'), code('6"')]),
        ("1: <5", [code("<5")]),
    ],
)
def test_items(text: str, items: list[SchemeItem]) -> None:
    assert parse_scheme(text) == Scheme((SchemeLine("1", tuple(items)),))


def test_a_new_code_may_stand_on_several_lines_and_the_last_line_needs_no_end() -> None:
    scheme = parse_scheme("\n1: 1\n\n2: 2\n1: 3")
    assert [(line.code, line.line, line.column) for line in scheme.lines] == [("1", 2, 1), ("2", 4, 1), ("1", 5, 1)]


@pytest.mark.parametrize("new", ["10-19", '"10 - 19"', '"a:b"', '"<18"', '""'])
def test_new_codes(new: str) -> None:
    assert parse_scheme(f"{new} : 1").lines[0].code == new.strip('"')


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("<MISSING> 8 9", ("8", "9")),
        ("<missing> 98, 99", ("98", "99")),
        ("<Missing>8,9", ("8", "9")),
        ('<MISSING> "a b" -1', ("a b", "-1")),
        ("<MISSING> 7 8 9 8", ("7", "8", "9")),
        ("<MISSING>", ()),
    ],
)
def test_missing_codes(line: str, missing: tuple[str, ...]) -> None:
    assert parse_scheme(f"1: 2\n{line}").missing == missing


@pytest.mark.parametrize("line", ["<CODELIST> Age 3.cdl", '  <codelist>   "Age 3.cdl"  ', "<CODELIST>Age 3.cdl\t"])
def test_codelist(line: str) -> None:
    assert parse_scheme(f"1: 2\n{line}").codelist == "Age 3.cdl"


@pytest.mark.parametrize(
    ("text", "id", "line", "column"),
    [
        ("1: 1\n2 2-3", "scheme-no-colon", 2, 3),
        ("abc", "scheme-no-colon", 1, 4),
        ("1 2: 3", "scheme-no-colon", 1, 3),
        ("1,2: 3", "scheme-no-colon", 1, 2),
        (": 3", "scheme-empty-item", 1, 1),
        ("1: 2,,3", "scheme-empty-item", 1, 6),
        ("1: ,3", "scheme-empty-item", 1, 4),
        ("1: 2, ", "scheme-empty-item", 1, 7),
        ("1:", "scheme-empty-item", 1, 3),
        ("1: 2 3", "scheme-two-codes", 1, 6),
        ("\t1: 2 - 3 4", "scheme-two-codes", 1, 11),
        ('1: "2""3" "4"', "scheme-two-codes", 1, 11),
        ("1: 2--3", "scheme-two-hyphens", 1, 6),
        ("1: 2-3-4", "scheme-two-hyphens", 1, 7),
        ("1: - 3 -", "scheme-two-hyphens", 1, 8),
        ("1: 5, -", "scheme-no-bounds", 1, 7),
        ("1: 2: 3", "scheme-second-colon", 1, 5),
        ('1: 2, "3', "scheme-open-quote", 1, 7),
        ('"1: 2', "scheme-open-quote", 1, 1),
        ('1: 2\n<MISSING> 8 "9', "scheme-open-quote", 2, 13),
        ('1: 2\n<CODELIST> "a.cdl', "scheme-open-quote", 2, 12),
        ("1: 2\n<CODELIST>\na.cdl", "scheme-no-codelist", 2, 11),
        ("1: 2\n <COLOUR> red", "scheme-unknown-keyword", 2, 2),
        ("<18: 2", "scheme-unknown-keyword", 1, 1),
        ("1: 2\n<MISSING> 8\n<MISSING> 9", "scheme-keyword-twice", 3, 1),
        ("1: 2\n<CODELIST> a\n<CODELIST> b", "scheme-keyword-twice", 3, 1),
        ("", "scheme-empty", 1, 1),
        ("\n<MISSING> 9", "scheme-empty", 1, 1),
    ],
)
def test_errors_give_line_and_position(text: str, id: str, line: int, column: int) -> None:
    with pytest.raises(MetadataError) as error:
        parse_scheme(text)
    assert (error.value.id, error.value.values["line"], error.value.values["column"]) == (id, line, column)
    assert f"line {line}, position {column}" in str(error.value)


def test_errors_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "x.grc").write_bytes(b"1: 2\r\n2 3\r\n")
    with pytest.raises(MetadataError, match=r"x\.grc, line 2, position 3"):
        read_scheme(tmp_path / "x.grc")
    (tmp_path / "b.grc").write_bytes(b"1: 2\0")
    with pytest.raises(MetadataError, match=r"b\.grc is not a text file"):
        read_scheme(tmp_path / "b.grc")


@pytest.mark.parametrize(
    ("name", "n_lines", "missing", "codelist"),
    [
        ("Region", 18, ("98", "99"), "Region.cdl"),
        ("Age", 6, ("8", "9"), "Age.cdl"),
        ("Age3", 3, ("8", "9"), "Age3.cdl"),
    ],
)
def test_the_schemes_of_the_demonstration_survey(
    shared: Path, name: str, n_lines: int, missing: tuple[str, ...], codelist: str
) -> None:
    scheme = read_scheme(shared / "data" / "demodata" / f"{name}.grc")
    assert (len(scheme.lines), scheme.missing, scheme.codelist) == (n_lines, missing, codelist)
    assert scheme.lines[-1].items[0].high is None
    assert parse_scheme(scheme_text(scheme)) == scheme


def test_the_text_of_a_scheme() -> None:
    text = '1: -9, "a b", 10-19\n"x-y": 20-\n<MISSING> 98 ""\n<CODELIST> "X.cdl"\n'
    assert scheme_text(parse_scheme(text)) == text


@given(st.text('09a é-,:"<\t\ufeff>', max_size=6))
def test_any_code_can_be_written_and_is_read_as_the_twin_reads_it(text: str) -> None:
    line = f"{quoted_code(text)}: {quoted_code(text)}, {quoted_code(text)}-"
    assert parse_scheme(line).lines[0].items == (code(text), codes(text, None))
    assert naive.parse(line)[0][0][1] == [(text, None, False), (text, None, True)]


def test_a_code_with_a_line_end_cannot_be_written() -> None:
    with pytest.raises(MetadataError):
        quoted_code("a\nb")


@settings(max_examples=250)
@given(st.text('01-,: "<>MISNGCODELT\n\r\t\x0b\x85', max_size=60))
def test_any_text_is_read_or_refused_at_a_place(text: str) -> None:
    found: list[Scheme] = []
    error = refusal(lambda: found.append(parse_scheme(text)))
    if error is None:
        assert parse_scheme(scheme_text(found[0])) == found[0]
    else:
        assert error.values["line"] >= 1
        assert error.values["column"] >= 1


def test_two_codes_with_a_blank_between_are_told_to_take_commas() -> None:
    with pytest.raises(MetadataError, match="Separate codes by commas"):
        parse_scheme("1: 98 99")
    assert parse_scheme("1: 1-10\n2: 11-20, 25\n3: 26-\n<MISSING> 98, 99").missing == ("98", "99")
