"""The goals of the recipe's own tables and means: what users need is still there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate
from ...recipe.declared import Declaration
from ..model import Judgement
from ..released import ReleasedFile, listed

DECLARATION = Declaration(
    name="goals-kept",
    title=mark("Goals of analyses"),
    group=mark("Use"),
    sentence=mark("Every table and mean of [[utility]] with a goal keeps it; a file without any goal is not shown to."),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("The session's own tables and means change by no more than their goals allow.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """On the original and the released file; where no goal is said, nothing is shown."""
    goals = given.goals()
    if not goals:
        return Judgement.of_file(False, given.records, translate("no table or mean has a goal"))
    failing = [name for name, kept in goals if not kept]
    return Judgement.of_file(not failing, given.records, listed(failing))
