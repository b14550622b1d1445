"""Automatic specification against its definition, set by set."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.tables.automatic import (
    by_identification_level,
    count_by_identification_level,
    count_up_to_dimension,
    up_to_dimension,
)


def naive_by_level(levels: list[int]) -> list[tuple[int, ...]]:
    used = sorted({level for level in levels if level})
    identifying = [i for i, level in enumerate(levels) if level]
    return [
        chosen
        for chosen in combinations(identifying, len(used))
        if used
        and any(all(levels[v] <= level for v, level in zip(order, used, strict=True)) for order in permutations(chosen))
    ]


@given(st.lists(st.integers(0, 5), max_size=8))
def test_identification_levels_follow_their_definition(levels: list[int]) -> None:
    found = list(by_identification_level(levels))
    assert found == naive_by_level(levels)
    assert count_by_identification_level(levels) == len(found)


def test_nested_levels_of_the_published_rule() -> None:
    """One variable of level 1, one of level 2 and 27 of level 3 give 27 tables of three variables."""
    assert count_by_identification_level([1, 2, *[3] * 27]) == 27


@given(st.integers(1, 9), st.data())
def test_all_up_to_a_dimension(variables: int, data: st.DataObject) -> None:
    dimension = data.draw(st.integers(1, variables))
    found = list(up_to_dimension(variables, dimension))
    assert len(found) == len(set(found)) == count_up_to_dimension(variables, dimension)
    assert [len(chosen) for chosen in found] == sorted(len(chosen) for chosen in found)


def test_4089_tables_up_to_three_of_29_variables() -> None:
    assert count_up_to_dimension(29, 3) == 4089


@pytest.mark.parametrize(("variables", "dimension"), [(3, 0), (3, 4), (20, 11), (0, 1)])
def test_impossible_dimensions_are_refused(variables: int, dimension: int) -> None:
    with pytest.raises(RecipeError, match=str(dimension)):
        count_up_to_dimension(variables, dimension)
