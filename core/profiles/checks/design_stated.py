"""Whether the sampling design is stated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate
from ...recipe.declared import Declaration
from ..model import Judgement
from ..released import ReleasedFile

DECLARATION = Declaration(
    name="design-stated",
    title=mark("Sampling design"),
    group=mark("File"),
    sentence=mark(
        "How the records were sampled is stated. A file that is its own population (input.units) keeps the rule; of a "
        "sample nothing is shown, because the recipe has no section for the design yet."
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("The sampling design is stated.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Of a sample nothing is shown."""
    if given.recipe.input.units == "population" and not given.is_weighted:
        return Judgement(True)
    told = mark("The recipe cannot state yet whether areas, households or records were drawn.")
    return Judgement.not_shown(given.records, translate(told))
