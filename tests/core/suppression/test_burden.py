"""When suppression takes too much."""

from __future__ import annotations

from core.suppression.burden import Burden, burden


def test_more_than_a_tenth_of_a_variable_is_much() -> None:
    filled = {"A": 100, "B": 1000}
    assert burden([{"A": 10, "B": 100}], [110], filled, 1000) is None
    assert burden([{"A": 11, "B": 100}], [110], filled, 1000) == Burden("A", 0.11, 0.11)


def test_more_than_half_of_the_records_is_much() -> None:
    filled = {"A": 10000, "B": 10000}
    assert burden([{"A": 300}, {"B": 250}], [300, 250], filled, 1000) == Burden("A", 0.03, 0.55)
    assert burden([{"A": 300}, {"B": 200}], [300, 200], filled, 1000) is None


def test_nothing_lost_is_not_much() -> None:
    assert burden([{"A": 0}], [0], {"A": 0}, 10) is None
    assert burden([], [], {}, 0) is None
