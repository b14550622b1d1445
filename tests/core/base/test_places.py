"""Places of sentences: each is declared with a type, and what fills it goes no farther than that."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import Notice
from core.base.outputs import Left, _left_notice
from core.base.places import PLACES, PlaceType, may_be_told
from core.base.texts import phrase, series

FIGURES = st.integers() | st.floats(allow_nan=False)


def places_of_notices(source: Path) -> set[str]:
    """Names by which `Notice.of` is called in a module."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Notice.of":
            found |= {keyword.arg for keyword in node.keywords if keyword.arg not in (None, "where")}
    return found


def test_every_place_of_a_notice_is_declared(repo: Path) -> None:
    asked = {place: path for path in (repo / "core").rglob("*.py") for place in places_of_notices(path)}
    assert len(asked) > 50
    assert {place: path for place, path in asked.items() if place not in PLACES} == {}


@given(st.text(st.characters(categories=["Ll"]), min_size=1).filter(lambda name: name not in PLACES), FIGURES)
def test_a_place_that_is_not_declared_is_told_nobody(place: str, value: float) -> None:
    notice = Notice("odd", "So many: {" + place + "}.", ((place, value),))
    for told in (notice.public, notice.external):
        assert told == "There is a warning that the internal report tells: odd."


@given(st.sampled_from(sorted(PLACES)), st.text(min_size=1) | FIGURES)
def test_nothing_leaves_the_house_that_a_summary_does_not_say(place: str, value: object) -> None:
    assert may_be_told(place, value, outside=False) or not may_be_told(place, value, outside=True)


@given(st.text(min_size=1), st.booleans())
def test_texts_of_persons_are_told_nobody(text: str, outside: bool) -> None:
    assert not may_be_told("code", text, outside)
    assert not may_be_told("codes", text, outside)
    assert may_be_told("codes", 3, outside)
    assert not may_be_told("high", text, outside), "the largest amount"


@pytest.mark.parametrize("outside", [True, False])
def test_a_phrase_tells_no_more_than_what_fills_it(outside: bool) -> None:
    plain, telling = phrase("{name} alone", name="AGE"), phrase("the code {code}", code="17")
    assert may_be_told("remedy", plain, outside=False)
    assert may_be_told("names", series([plain, plain]), outside)
    assert not may_be_told("names", telling, outside)
    assert not may_be_told("names", series([plain, telling]), outside)
    assert not may_be_told("names", phrase("{pairs}", pairs=series([telling])), outside)


def test_types_are_told_apart() -> None:
    assert {PLACES[name] for name in ("variable", "records", "codes", "file", "code")} == set(PlaceType)


def test_what_a_run_left_behind_is_named_inside_only() -> None:
    for former in (True, False):
        left = Left(path=Path("/s/.P.csv.former"), target=Path("/s/P.csv"), former=former, reason="busy")
        assert ".P.csv.former" in _left_notice(left).public
        assert "P.csv" not in _left_notice(left).external
