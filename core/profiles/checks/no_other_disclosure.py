"""Whether record order, weights or other variables reveal suppressed values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate
from ...recipe.declared import Declaration
from ..model import Judgement
from ..released import ReleasedFile, listed

DECLARATION = Declaration(
    name="no-other-disclosure",
    title=mark("No inference from other columns"),
    group=mark("File"),
    sentence=mark("Neither record order nor weights, household members or other variables reveal suppressed values."),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("Neither record order nor another column reveals original values.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """By the warnings that say from what suppressed values can be inferred."""
    found = given.disclosures
    about = tuple(dict.fromkeys(name for name in found if name))
    told = translate("Suppressed values of {names} can be inferred.").format(names=listed(about))
    return Judgement.of_file(not found, given.records, told, len(found), about)
