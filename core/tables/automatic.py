"""Automatic specification of combinations, as data protection rules phrase it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from ..base.errors import RecipeError
from ..base.texts import mark

MAX_DIMENSION = 10


def by_identification_level(levels: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The combinations of the identification-level rule (for research files).

    Levels are nested: a variable of level i also counts at every level above i. With L levels in use, every set of
    L distinct variables is a combination that takes one from the first level, one from the first two, and so on.

    Parameters
    ----------
    levels : identification level of each variable; 0 takes no part

    Yields
    ------
    Positions in `levels`, ascending, one set a combination, in lexicographic order.
    """
    used = sorted({level for level in levels if level > 0})
    if used:
        yield from _chosen(_by_rank(levels, used), len(used), (), 0)


def _by_rank(levels: Sequence[int], used: Sequence[int]) -> list[tuple[int, int]]:
    """(position, rank of its level from 0) of the variables that take part."""
    rank = {level: i for i, level in enumerate(used)}
    return [(position, rank[level]) for position, level in enumerate(levels) if level > 0]


def _chosen(
    variables: Sequence[tuple[int, int]], wanted: int, chosen: tuple[tuple[int, int], ...], start: int
) -> Iterator[tuple[int, ...]]:
    if len(chosen) == wanted:
        if _nested(sorted(rank for _, rank in chosen)):
            yield tuple(position for position, _ in chosen)
        return
    for index in range(start, len(variables) - (wanted - len(chosen)) + 1):
        more = (*chosen, variables[index])
        if _possible(sorted(rank for _, rank in more), wanted):
            yield from _chosen(variables, wanted, more, index + 1)


def _nested(ranks: Sequence[int]) -> bool:
    """Whether the i-th lowest rank is at most i: one variable from each nested level."""
    return all(rank <= i for i, rank in enumerate(ranks))


def _possible(ranks: Sequence[int], wanted: int) -> bool:
    """Whether further variables of low rank could still make the set nested."""
    spare = wanted - len(ranks)
    return all(rank <= i + spare for i, rank in enumerate(ranks))


def count_by_identification_level(levels: Sequence[int]) -> int:
    """How many combinations `by_identification_level` gives, without making them."""
    used = sorted({level for level in levels if level > 0})
    if not used:
        return 0
    sizes = [sum(1 for level in levels if level == wanted) for wanted in used]
    ways = {0: 1}
    for step, size in enumerate(sizes, start=1):
        after: dict[int, int] = {}
        for taken, number in ways.items():
            for more in range(min(size, len(used) - taken) + 1):
                if taken + more >= step:
                    after[taken + more] = after.get(taken + more, 0) + number * math.comb(size, more)
        ways = after
    return ways.get(len(used), 0)


def up_to_dimension(variables: int, dimension: int) -> Iterator[tuple[int, ...]]:
    """All sets of 1 to `dimension` of so many variables, smaller sets first (the rule for public-use files).

    Raises
    ------
    RecipeError
        The dimension is below 1, above 10, or above the number of variables.
    """
    _check_dimension(variables, dimension)
    for size in range(1, dimension + 1):
        yield from combinations(range(variables), size)


def count_up_to_dimension(variables: int, dimension: int) -> int:
    """How many combinations `up_to_dimension` gives."""
    _check_dimension(variables, dimension)
    return sum(math.comb(variables, size) for size in range(1, dimension + 1))


def _check_dimension(variables: int, dimension: int) -> None:
    if not 1 <= dimension <= min(MAX_DIMENSION, variables):
        raise RecipeError(
            "dimension-out-of-range",
            mark("Combinations of up to {dimension} variables cannot be made of {variables} identifying variables."),
            mark("Give a whole number from 1 to {most}."),
            dimension=dimension,
            variables=variables,
            most=min(MAX_DIMENSION, variables),
        )
