"""How many people live in each region that the file tells apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, plural, translate
from ...metadata.guess_use import is_place
from ...recipe.declared import Declaration, Parameter
from ..model import Judgement
from ..released import VARIABLES, ReleasedFile, asked_of, grouped

DECLARATION = Declaration(
    name="region-detail",
    title=mark("People per region"),
    group=mark("People"),
    sentence=mark("Each region that is told apart has so many people. Without variables: those called like a place."),
    parameters=(
        VARIABLES,
        Parameter("least", "number", mark("The fewest people that a region may have."), low=1, required=True),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    told = plural(
        int(used["least"]),
        "Each region that is told apart has at least {least} person.",
        "Each region that is told apart has at least {least} people.",
    )
    return asked_of(translate(told).format(least=grouped(int(used["least"]))), used)


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """By the weights, each variable by itself."""
    names = given.named(used, lambda: given.those(is_place))
    return given.too_few_people([(name,) for name in names], used["least"])
