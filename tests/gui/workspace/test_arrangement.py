"""Which page stands where, as values."""

from __future__ import annotations

import pytest

from gui.workspace.arrangement import HOME, Arrangement, shape_of

RISK, RECODE, PROTECT = "riskChart", "globalRecode", "makeProtectedFile"


def test_a_page_takes_the_first_place_and_gives_it_back_when_it_is_closed() -> None:
    shown = Arrangement().shown(RISK).shown(RECODE)
    assert (shown.first, shown.second) == (RECODE, "")
    assert shown.shown(RISK).closed(RISK).first == RECODE
    assert shown.closed(RECODE).closed(RISK).first == HOME
    assert shown.shown(HOME).first == HOME


def test_what_was_put_beside_a_page_comes_with_it_again() -> None:
    pair = Arrangement().shown(RISK).put_beside(RECODE)
    assert (pair.first, pair.second) == (RISK, RECODE)
    assert pair.shown(RECODE) == pair, "it is in sight already"
    elsewhere = pair.shown(PROTECT)
    assert (elsewhere.first, elsewhere.second) == (PROTECT, "")
    assert elsewhere.shown(RISK).second == RECODE
    assert elsewhere.shown(RECODE).first == RECODE
    assert pair.alone().second == ""
    assert pair.alone().shown(PROTECT).shown(RISK).second == ""


def test_the_page_beside_stays_where_the_first_is_closed_or_taken_out() -> None:
    pair = Arrangement().shown(RISK).put_beside(RECODE)
    assert (pair.closed(RISK).first, pair.closed(RISK).second) == (RECODE, "")
    out = pair.taken_out(RISK)
    assert (out.first, out.second, out.out) == (RECODE, "", {RISK})
    assert out.shown(RISK) == out, "it has a window of its own"
    back = out.put_back(RISK)
    assert (back.first, back.second, back.out) == (RISK, RECODE, set())


def test_the_guide_comes_beside_whatever_is_shown_until_it_is_closed() -> None:
    guide = Arrangement().shown(RISK).put_beside(RECODE).shown("help")
    assert (guide.first, guide.second) == (RISK, "help")
    assert guide.shown(PROTECT).second == "help"
    assert guide.closed("help").second == RECODE
    assert guide.alone().second == RECODE
    assert guide.closed(RISK).second == "help"
    assert Arrangement().shown("help").first == HOME


def test_an_arrangement_is_remembered_and_what_is_no_arrangement_is_not() -> None:
    one = Arrangement().shown(RISK).put_beside(RECODE).taken_out(PROTECT)
    names = frozenset((RISK, RECODE, PROTECT))
    assert Arrangement.remembered(one.kept(), names) == Arrangement(beside={RISK: RECODE}, out=frozenset({PROTECT}))
    assert Arrangement().kept() == {}
    for kept in ({"beside": 3, "out": "riskChart"}, {"beside": {RISK: 4, "gone": RECODE}, "out": [1, "gone"]}):
        assert Arrangement.remembered(kept, names) == Arrangement()


@pytest.mark.parametrize(
    ("width", "height", "two", "rail", "tabs", "low"),
    [
        (1920, 1080, True, "wide", False, False),
        (1366, 768, False, "wide", False, False),
        (1366, 768, True, "narrow", False, False),
        (1100, 700, True, "narrow", False, False),
        (1099, 700, False, "narrow", True, True),
        (960, 540, True, "narrow", True, True),
        (683, 384, False, "box", True, True),
        (1366, 459, False, "box", False, True),
    ],
)
def test_the_size_of_the_window_arranges_it(
    width: int, height: int, two: bool, rail: str, tabs: bool, low: bool
) -> None:
    shape = shape_of(width, height, two)
    assert (shape.rail, shape.tabs, shape.low) == (rail, tabs, low)
