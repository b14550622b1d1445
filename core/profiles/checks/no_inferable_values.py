"""Whether a suppressed value follows from the values that are left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, plural, translate
from ...recipe.declared import Declaration
from ..model import Judgement
from ..released import ReleasedFile, grouped

DECLARATION = Declaration(
    name="no-certain-blanks",
    title=mark("No certain blanks"),
    group=mark("File"),
    sentence=mark(
        "No suppressed value can be told with certainty by whoever knows the rules of suppression. Tables of "
        "k-anonymity and of household thresholds are not looked at."
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("No suppressed value can be told with certainty.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """What is counted are suppressed values, not records."""
    told = plural(
        given.certain,
        "{n} suppressed value; close_gaps prevents it",
        "{n} suppressed values; close_gaps prevents it",
    )
    told = translate(told).format(n=grouped(given.certain))
    return Judgement.of_file(not given.certain, given.certain, told, given.certain)
