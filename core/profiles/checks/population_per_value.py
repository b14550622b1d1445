"""How many people each value of an identifying variable stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, plural, translate
from ...recipe.declared import Declaration, Parameter
from ..model import Judgement
from ..released import VARIABLES, ReleasedFile, asked_of, grouped

DECLARATION = Declaration(
    name="population-per-value",
    title=mark("People per value"),
    group=mark("People"),
    sentence=mark("Each released value of an identifying variable stands for so many people, by the weights."),
    parameters=(
        VARIABLES,
        Parameter("least", "number", mark("The fewest people that a value may stand for."), low=1, required=True),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    told = plural(
        int(used["least"]),
        "Each value of an identifying variable stands for at least {least} person.",
        "Each value of an identifying variable stands for at least {least} people.",
    )
    return asked_of(translate(told).format(least=grouped(int(used["least"]))), used)


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Missing values are no value; without a weight each record stands for one person."""
    names = given.named(used, given.identifying)
    return given.of_no_identifying(used) or given.too_few_people([(name,) for name in names], used["least"])
