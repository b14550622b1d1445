"""How many identifying variables the file has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, plural, translate
from ...recipe.declared import Declaration, Parameter
from ..model import Judgement
from ..released import ReleasedFile, listed

DECLARATION = Declaration(
    name="identifying-variables",
    title=mark("Identifying variables"),
    group=mark("Columns"),
    sentence=mark("The file has at most so many identifying variables."),
    parameters=(Parameter("most", "integer", mark("The most that are allowed."), low=0, required=True),),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    told = plural(
        used["most"],
        "The file has at most {most} identifying variable.",
        "The file has at most {most} identifying variables.",
    )
    return translate(told).format(most=used["most"])


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Of identification level 1 or more, or in a combination."""
    found = given.identifying()
    return Judgement.of_file(len(found) <= used["most"], given.records, listed(found))
