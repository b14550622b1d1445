"""Identifiers that are the same number in different forms."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.encoding_many_codes import ManyCodes
from core.data.households import alike_as_numbers, alike_notice, households_of
from tests.core.suppression.demodata import column

NUMBERS = st.from_regex(r"[+-]?0{0,2}[0-9]{0,2}([.,]0?[0-9]?0?)?", fullmatch=True)
CODES = st.lists(st.one_of(NUMBERS, st.sampled_from(["", "A7", "7 7", "1e2", "٧", "²", "-", ".", "7"])), unique=True)


@given(CODES)
def test_against_fractions(codes: list[str]) -> None:
    groups = defaultdict(set)
    for code in codes:
        text = code.replace(",", ".")
        if code.isascii() and "e" not in code and any(c.isdigit() for c in code) and set(code) <= set("+-.,0123456789"):
            whole, _, decimals = text.lstrip("+-").partition(".")
            value = Fraction(int(whole or 0)) + Fraction(int(decimals or 0), 10 ** len(decimals))
            groups[-value if text.startswith("-") else value].add(code)
    expected = {frozenset(group) for group in groups.values() if len(group) > 1}
    found = alike_as_numbers(codes)
    assert {frozenset(group) for group in found} == expected and len(found) == len(expected)


def test_a_notice_names_an_example_in_the_house_only() -> None:
    (notice,) = alike_notice("HH", ["7", "007", "7.0", "8", "08", "9"], np.ones(6, np.bool_))
    assert "HH: 2 number(s)" in notice.text and "7, 007, 7.0" in notice.text
    assert "007" not in notice.public and "2 number(s)" in notice.public
    assert list(alike_notice("HH", ["07", "08", "A7", "7A"], np.ones(4, np.bool_))) == []


def test_missing_codes_and_those_that_no_record_has_are_no_households() -> None:

    plain = column("HH", np.array([0, 0, 1, 2, 2]), 3, ("x",))
    alike = replace(plain, codes=("7", "007", "7.0", "x"))
    assert [n.id for n in households_of(alike).notices] == ["household-ids-alike"]
    unused = column("HH", np.array([0, 0, 2, 2]), 3, ("x",))
    assert "7, 7.0" in households_of(replace(unused, codes=("7", "007", "7.0", "x"))).notices[0].text


@pytest.mark.parametrize(
    ("forms", "found"),
    [(["  7", " 70", "700"], 0), (["007", "070", "700"], 0), (["  7", "007", " 70"], 1), (["  7", "7.0"], 1)],
)
def test_very_many_codes_are_looked_at_alike(forms: list[str], found: int) -> None:
    codes = ManyCodes(np.array(forms, "S3"), True)
    assert len(list(alike_notice("HH", codes, np.ones(len(forms), np.bool_)))) == found
