"""Linkage by distance and one to one: against every pair of records."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.risk.linkage import one_to_one
from core.risk.linkage.distance import nearest_own, standardised
from core.risk.linkage.one_to_one import assigned_own
from tests import naive_linkage

VALUE = st.none() | st.integers(-2, 2).map(float)
RECORD = st.tuples(VALUE, VALUE)


def array(records: list[tuple[float | None, ...]]) -> np.ndarray:
    return np.array([[np.nan if value is None else value for value in record] for record in records])


@given(st.lists(RECORD, min_size=1, max_size=10), st.lists(RECORD, min_size=1, max_size=10), st.data())
def test_nearest_is_that_of_every_pair(
    original: list[tuple[float | None, ...]], released: list[tuple[float | None, ...]], data: st.DataObject
) -> None:
    places = st.lists(st.integers(-1, len(released) - 1), min_size=len(original), max_size=len(original))
    place = data.draw(places)
    found = nearest_own(array(original), array(released), np.array(place))
    assert found == pytest.approx(naive_linkage.nearest_own(original, released, place))


NUMBERS = st.tuples(st.integers(-2, 2).map(float), st.integers(-2, 2).map(float))


@given(st.integers(1, 5).flatmap(lambda n: st.tuples(*[st.lists(NUMBERS, min_size=n, max_size=n)] * 2)))
def test_what_is_assigned_for_certain_is_so_in_every_best_assignment(
    files: tuple[list[tuple[float, ...]], list[tuple[float, ...]]],
) -> None:
    """Where assignments are equally good by chance, not by equal records, the solver takes one of them."""
    original, released = files
    place = list(range(len(original)))
    found = assigned_own(array(list(original)), array(list(released)), np.array(place))
    naive = naive_linkage.assigned_own(original, released, place)
    for mine, theirs in zip(found, naive, strict=True):
        assert 0 <= mine <= 1
        if theirs == 0:
            assert mine == 0
        if theirs == 1:
            assert mine == 1


def test_equal_records_count_alike_whichever_way_they_are_given() -> None:
    original = np.array([[0.0], [0.0], [5.0], [9.0]])
    released = np.array([[0.1], [0.1], [5.0], [5.0]])
    assert assigned_own(original, released, np.arange(4)).tolist() == [0.5, 0.5, 0.5, 0.5]


def test_fewer_released_records_than_asked_for_and_nothing_in_common() -> None:
    original, released = np.array([[1.0], [2.0], [np.nan]]), np.array([[2.0]])
    assert assigned_own(original, released, np.array([-1, 0, -1])).tolist() == [0, 1, 0]
    assert assigned_own(original[2:], released, np.array([0])).tolist() == [0]
    assert nearest_own(original, released, np.array([-1, 0, 0])).tolist() == [0, 1, 0]


def test_too_many_to_assign_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_to_one, "MOST_RECORDS", 3)
    with pytest.raises(DataError, match=r"4 records are too many.*at most 3"):
        assigned_own(np.zeros((4, 1)), np.zeros((4, 1)), np.arange(4))


def test_scales_are_the_originals() -> None:
    original, released = np.array([[1.0, 7], [2, 7], [3, 7], [np.nan, 7]]), np.array([[4.0, 9], [np.nan, 7]])
    mine, theirs = standardised(original, released)
    assert mine[:3].tolist() == [[-1, 0], [0, 0], [1, 0]]
    assert theirs[0].tolist() == [2, 0]
    assert np.isnan(mine[3, 0]) and np.isnan(theirs[1, 0])
