"""Whether the order of the records is random."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate
from ...recipe.declared import Declaration
from ..model import Judgement
from ..released import ReleasedFile

DECLARATION = Declaration(
    name="random-order",
    title=mark("Random order"),
    group=mark("File"),
    sentence=mark("The records, or the households with their members, are in random order."),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("The records are in random order.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Households that stay together are shuffled as such."""
    told = translate("the order of the original")
    return Judgement.of_file(given.recipe.output.shuffle, given.records, told)
