"""Whether a suppressed value follows from the values that are left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.base.texts import mark, translate
from core.profiles.model import Judgement
from core.profiles.released import ReleasedFile
from core.recipe.declared import Declaration

DECLARATION = Declaration(
    name="no-certain-blanks",
    title=mark("No certain blanks"),
    group=mark("File"),
    sentence=mark("No suppressed value can be told with certainty by whoever knows the rules of suppression."),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("No suppressed value can be told with certainty.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """What is counted are suppressed values, not records."""
    return Judgement.of_file(not given.certain, given.certain, translate("close_gaps suppresses what else is needed"))
