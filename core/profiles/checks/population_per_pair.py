"""How many people each pair of values of two identifying variables stands for."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from ...base.texts import mark, plural, translate
from ...recipe.declared import Declaration, Parameter
from ..model import Judgement
from ..released import VARIABLES, ReleasedFile, asked_of, grouped

DECLARATION = Declaration(
    name="population-per-pair",
    title=mark("People per pair of values"),
    group=mark("People"),
    sentence=mark("Each pair of values of two identifying variables that a record has stands for so many people."),
    parameters=(
        VARIABLES,
        Parameter("least", "number", mark("The fewest people that a pair may stand for."), low=1, required=True),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    told = plural(
        int(used["least"]),
        "Each pair of values of two identifying variables stands for at least {least} person.",
        "Each pair of values of two identifying variables stands for at least {least} people.",
    )
    return asked_of(translate(told).format(least=grouped(int(used["least"]))), used)


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Records that lack one of two values have no pair of them."""
    names = given.named(used, given.identifying)
    return given.of_no_identifying(used) or given.too_few_people(combinations(names, 2), used["least"])
