"""How many people each combination of an extremely, a very and an identifying variable stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, plural, translate
from ...data.variable_uses import KEY_LEVEL
from ...recipe.declared import Declaration, Parameter
from ...tables.automatic import by_identification_level
from ..model import Judgement
from ..released import ReleasedFile, grouped

DECLARATION = Declaration(
    name="population-per-level",
    title=mark("People per combination by identification level"),
    group=mark("People"),
    sentence=mark(
        "Each combination of values of a variable of identification level 1, another of level 1 or 2, and a third of "
        "any level stands for so many people. A level that no released variable has asks for one variable less; keys "
        "without a level count as level 3."
    ),
    parameters=(
        Parameter("least", "number", mark("The fewest people that a combination may stand for."), low=1, required=True),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    told = plural(
        int(used["least"]),
        "Each combination of an extremely identifying, a very identifying and an identifying variable stands for at "
        "least {least} person.",
        "Each combination of an extremely identifying, a very identifying and an identifying variable stands for at "
        "least {least} people.",
    )
    return translate(told).format(least=grouped(int(used["least"])))


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Levels are nested, as in `core.tables.automatic`; records that lack a value of a combination have none of it."""
    names = given.identifying()
    level_of = {variable.name: variable.identification_level for variable in given.original.variables}
    levels = [min(level_of[name] or KEY_LEVEL, KEY_LEVEL) for name in names]
    sets = (tuple(names[place] for place in places) for places in by_identification_level(levels))
    return given.of_no_identifying(used) or given.too_few_people(sets, used["least"])
